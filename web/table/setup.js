/* A new game: who plays, and what the game's own part of the form asks for: the sheet, the rules.
 * What was chosen last is offered again (#new=GAME), or what a kept game was set up with
 * (#new=GAME@ID). */
import {announce, button, fill, h, icon} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {faceOf, infoOf, loadPart, Nowhere} from '../games/faces.js';
import {routeStop} from '../ui/forms.js';
import {begin, cleanName, once, usualLevel} from './newgame.js';
import {openRecord} from '../share/share.js';
import {games, onErased, settings} from '../store/store.js';
import {t} from '../app/texts.js';
import {levelName} from '../ui/words.js';

function levelText(level) {
    switch (level) {
    case 'random': return t('Makes any legal move.');
    case 'greedy': return t('Takes whatever brings the most right now.');
    case 'casual': return t('Plays well, but misses things.');
    case 'strong': return t('Looks ahead. Hard to beat.');
    case 'master': return t('Thinks longest and best.');
    default: return '';
    }
}

/* The latest seats, as far as they still make sense. */
function rememberedSeats(kept, {players: [least, most], levels}) {
    const seats = (Array.isArray(kept.seats) ? kept.seats : []).slice(0, most)
        .map((level) => (levels.includes(level) ? level : ''));
    while (seats.length < least) seats.push(seats.length === 0 ? '' : usualLevel(levels));
    return seats;
}

/* The choices of the kept game `id`, as the settings keep them, with its people's names and, if it
 * has one, its own sheet; undefined: there is no such game here. */
async function choicesOf(engine, kind, id, again) {
    const game = id && await games.get(id);
    if (!game) return undefined;
    try {
        const text = await openRecord(engine, game.record, game.map);
        const state = engine.state(0);
        if (state.game !== kind) return undefined;
        return {kept: {...again?.(state), seats: state.players.map(({bot}) => bot)},
            people: state.players.map(({name, bot}) => (bot ? '' : name)),
            sheet: text ? {...engine.map(text), text} : null};
    } catch {
        return undefined; /* its table says what is wrong with it */
    }
}

export class Setup {
    /* `info`: what C says about the game; `own`: the part `setup` of its face, opened. */
    constructor(place, info, heading, own, {kept, people}) {
        Object.assign(this, {info, own});
        this.chosen = {...own.chosen, seats: this.rememberedSeats(kept)};
        this.people = people.map((name) => cleanName(name ?? ''));
        const start = once(() => this.start());
        this.seats = h('ol', {class: 'seats'});
        this.add = button(t('Add a player'), {onclick: () => this.addSeat()}, 'plus');
        fill(place, h('h1', {}, heading),
            h('form', {class: `route route-${info.name}`, onsubmit: (event) => {
                event.preventDefault();
                start().catch((error) => { /* AbortError: it was not begun, and can be again */
                    if (error.name !== 'AbortError') throw error;
                });
            }},
            own.before,
            routeStop(t('Players'), this.seats, this.add),
            own.rules && routeStop(t('Rules'), own.rules),
            this.more(kept),
            h('div', {class: 'route-end'}, h('button', {type: 'submit',
                class: 'button primary large'}, icon('play'), this.words().start))));
        this.showSeats();
    }

    /* ---- What is different about rooms (host.js) ---- */

    words() {
        return {person: t('Person on this device'), start: t('Start the game')};
    }

    /* The name by which the choices are kept. */
    static keptAs(game) {
        return game;
    }

    rememberedSeats(kept) {
        return rememberedSeats(kept, this.info);
    }

    /* More stops of the form. */
    more() {
        return [];
    }

    personDetail(i) {
        const n = i + 1;
        return h('input', {type: 'text', maxlength: 60, autocomplete: 'off',
            value: this.people[i] ?? '', placeholder: t('Player {n}', {n}),
            'aria-label': t('Name of player {n}', {n}),
            onchange: (event) => this.setName(i, event.target)});
    }

    keep(changes) {
        Object.assign(this.chosen, changes);
        settings.set('setup', {...settings.get('setup'),
            [this.constructor.keptAs(this.info.name)]: this.chosen});
    }

    /* ---- Seats ---- */

    showSeats() {
        const [least, most] = this.info.players;
        const {seats} = this.chosen;
        fill(this.seats, seats.map((level, i) => this.seat(level, i, seats.length > least)));
        this.add.disabled = seats.length >= most;
    }

    seat(level, i, removable) {
        const n = i + 1;
        const who = h('select', {'aria-label': t('Who plays seat {n}', {n}), data: {seat: n},
            onchange: () => this.setSeat(i, who.value)},
        h('option', {value: '', selected: !level}, this.words().person),
        h('optgroup', {label: t('Bots')}, this.info.levels.map((name) =>
            h('option', {value: name, selected: name === level}, levelName(name)))));
        const detail = level ? h('p', {class: 'muted small seat-text'}, levelText(level))
            : this.personDetail(i);
        return h('li', {class: 'seat'}, h('span', {class: 'seat-number', 'aria-hidden': 'true'}, n),
            icon(level ? 'bot' : 'person'), who, detail,
            removable && h('button', {type: 'button', class: 'button quiet square',
                'aria-label': t('Remove player {n}', {n}), onclick: () => this.removeSeat(i)},
            icon('close')));
    }

    setSeat(i, level) {
        this.keep({seats: this.chosen.seats.with?.(i, level) ??
            this.chosen.seats.map((old, j) => (j === i ? level : old))});
        this.showSeats();
        this.seats.querySelector(`[data-seat="${i + 1}"]`).focus();
    }

    setName(i, input) {
        input.value = cleanName(input.value);
        while (this.people.length <= i) this.people.push('');
        this.people[i] = input.value;
        settings.set('people', this.people);
    }

    addSeat() {
        this.keep({seats: [...this.chosen.seats, usualLevel(this.info.levels)]});
        this.showSeats();
        this.seats.lastElementChild.querySelector('select').focus();
        announce(t('Player {n} was added.', {n: this.chosen.seats.length}));
    }

    removeSeat(i) {
        this.keep({seats: this.chosen.seats.filter((level, j) => j !== i)});
        this.people.splice(i, 1);
        settings.set('people', this.people);
        this.showSeats();
        this.add.focus();
        announce(t('Player {n} was removed.', {n: i + 1}));
    }

    /* ---- Start ---- */

    async start() {
        const seats = this.chosen.seats.map((level, i) => ({level, name: this.people[i] ?? ''}));
        const {choices, title, sheet} = this.own.begin();
        await begin({game: this.info.name, ...choices, seats}, title, sheet);
    }
}

/* The latest form, which may be shown again in another language. */
let latest = {hash: ''};
let forgets = false; /* … unless everything is deleted in another tab */

/* Shows the form `Form`, a kind of Setup, for a game, or (GAME@ID) with the choices of a kept one;
 * `title`: its heading, unless it is the game's own. Resolves with the form. */
export async function showForm(Form, place, parameter, title) {
    const [kind, id] = parameter.split('@');
    const hash = location.hash;
    if (!forgets) onErased(() => (latest = {hash: ''}));
    forgets = true;
    const engine = await loadEngine();
    const info = infoOf(engine, kind);
    if (!info) throw new Nowhere();
    const name = faceOf(kind).name();
    const {again, heading, open} = await loadPart(kind, 'setup');
    const {form: same, sheet} = latest.hash === hash ? latest : {};
    const before = same ? {kept: same.chosen, people: same.people, sheet}
        : await choicesOf(engine, kind, id, again) ??
        {kept: settings.get('setup')[Form.keptAs(kind)] ?? {}, people: settings.get('people'),
            sheet: null};
    let form = null;
    const own = await open({name, info, engine, kept: before.kept, sheet: before.sheet,
        keep: (changes) => form.keep(changes), same: same?.own});
    form = new Form(place, info, title?.(name) ?? heading(name), own, before);
    if (place.isConnected) latest = {hash, form, sheet: before.sheet};
    return form;
}

/* Ends a form: whoever comes back finds it as it was asked for. */
export function endForm() {
    if (location.hash !== latest.hash) latest = {hash: ''};
}

export async function show(place, parameter) {
    await showForm(Setup, place, parameter);
    return endForm;
}
