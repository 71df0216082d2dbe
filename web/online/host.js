/* The form that makes a room: the form for a new game, with the settings of a room. */
import {h} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {onOff, routeStop, segments} from '../ui/forms.js';
import {Connection, changes, newKey, rooms, uploadMap} from './connection.js';
import {setupLines} from '../table/newgame.js';
import {duration, ensureGuest, followGuest, loadStyle, stateLine, tellRefusal} from './people.js';
import {endForm, Setup, showForm} from '../table/setup.js';
import {settings} from '../store/store.js';
import {t} from '../app/texts.js';

const CLOCKS = [0, 15, 30, 60, 300, 3600, 86400, 259200]; /* seconds */
const SEATS = 4; /* at first; those that stay open disappear at the start */
const PATIENCE = 600;

/* The setup as the server wants it: the header lines that C writes, without names, seed and
 * notes. */
async function setupHeader(choices, sheet) {
    const engine = await loadEngine();
    if (sheet) engine.map(sheet);
    engine.begin(setupLines(choices));
    return engine.record().split('\n').filter((line) =>
        !/^(endstation-record|player|date|seed|note|commit|secret|word)\b/.test(line) && line)
        .map((line) => `${line}\n`).join('');
}

const usual = {open: false, watch: true, hints: false, clock: 0};

/* The settings of a room among the choices that were kept, each checked. */
function remembered(kept) {
    const {open, watch, hints, clock} = {...usual, ...kept};
    return {open: open === true, watch: watch !== false, hints: hints === true,
        clock: CLOCKS.includes(clock) ? clock : 0};
}

/* Makes a room on the server, and goes there. `choices` as for setupLines; `sheet`: the text of a
 * sheet that is not built in. False: the reader did not want to, or the server refused. */
export async function makeRoom(link, choices, sheet, {open, watch, hints, clock}) {
    if (!await ensureGuest(link)) return false;
    try {
        if (sheet) await uploadMap(sheet);
    } catch (error) {
        tellRefusal(error);
        return false;
    }
    const answer = await link.request({t: 'make', key: newKey(), open, watch, hints, clock,
        setup: await setupHeader(choices, sheet),
        patience: Math.max(PATIENCE, Math.min(clock, 259200))});
    if (answer.t !== 'ok') {
        tellRefusal(answer);
        return false;
    }
    rooms.set(answer.room, {code: answer.code, sit: true});
    location.hash = `#room=${answer.room}.${answer.code}`;
    return true;
}

class Host extends Setup {
    static keptAs(game) {
        return `${game} room`;
    }

    words() {
        return {person: t('Open seat'), start: t('Make the room')};
    }

    rememberedSeats(kept) {
        const [, most] = this.info.players;
        const seats = Array.isArray(kept.seats) && kept.seats.length > 1 ? kept.seats
            : Array(Math.min(SEATS, most)).fill('');
        return super.rememberedSeats({...kept, seats});
    }

    personDetail(i) {
        return h('p', {class: 'muted small seat-text'}, i === 0 ? t('This one is yours.')
            : t('For anyone who joins.'));
    }

    more(kept) {
        Object.assign(this.chosen, remembered(kept));
        const {open, clock, hints, watch} = this.chosen;
        return [
            routeStop(t('Room'), segments(t('Who can come'),
                [['', t('By invitation')], ['open', t('Open to all')]], open ? 'open' : '',
                (choice) => this.keep({open: choice === 'open'})),
            h('div', {}, onOff(t('Spectators'), t('People may watch without a seat.'), watch,
                (on) => this.keep({watch: on})),
            onOff(t('Hints allowed'),
                t('Pages offer help only if this is on. Nobody can keep others from using ' +
                    'another program, though.'), hints, (on) => this.keep({hints: on})))),
            routeStop(t('Time'), h('div', {class: 'field'},
                h('label', {for: 'clock'}, t('For each turn')),
                h('select', {id: 'clock',
                    onchange: ({target}) => this.keep({clock: Number(target.value)})},
                CLOCKS.map((seconds) => h('option', {value: String(seconds),
                    selected: seconds === clock}, seconds ? duration(seconds) : t('No clock')))),
                h('small', {class: 'muted'}, t('When time is up, a bot makes that one move.')))),
        ];
    }

    async start() {
        const seats = this.chosen.seats.map((level) => ({level}));
        const {choices, sheet} = this.own.begin();
        if (!await makeRoom(this.link, {game: this.info.name, ...choices, seats}, sheet,
            this.chosen)) throw Object.assign(new Error('no room'), {name: 'AbortError'});
    }
}

/* The latest choices of the form for a game, or its defaults, as arguments of makeRoom. */
export async function usualRoom(game) {
    const place = h('div', {});
    const form = await showForm(Host, place, game);
    const {choices, sheet} = form.own.begin();
    return [{game, ...choices, seats: form.chosen.seats.map((level) => ({level}))}, sheet,
        remembered(settings.get('setup')[Host.keptAs(game)] ?? {})];
}

export async function show(place, game) {
    await loadStyle();
    const link = new Connection('lobby', {hello: changes});
    followGuest(link);
    try {
        const form = await showForm(Host, place, game, (name) => t('New room: {game}',
            {game: name}));
        form.link = link;
        place.querySelector('h1').after(stateLine(link).element);
    } catch (error) {
        link.close();
        throw error;
    }
    return () => {
        endForm();
        link.close();
    };
}
