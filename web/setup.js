/* A new game: the sheet, who plays, the rules. What was chosen last is offered again. */
import {announce, button, fill, h, icon, toast} from './dom.js';
import {loadEngine} from './engine.js';
import {onOff, routeStop, segments} from './forms.js';
import {begin, CITIES, cleanName, DECK_15, LEVELS, once, setupLines} from './newgame.js';
import {importField} from './share.js';
import {deckChoice, sheetChoices, sheetName} from './sheets.js';
import {settings, sheets} from './store.js';
import {t} from './texts.js';
import {cityName, levelName} from './words.js';

const SEATS = {verplant: [1, 6], metro: [2, 6]};

function levelText(level) {
    switch (level) {
    case 'random': return t('Does anything that is allowed.');
    case 'greedy': return t('Takes what brings most at once.');
    case 'casual': return t('Plays along well, and overlooks things.');
    case 'strong': return t('Looks ahead. Hard to beat.');
    default: return t('Thinks longest and best.');
    }
}

/* The latest choices, as far as they still make sense. */
function remembered(game, own) {
    const kept = settings.get('setup')[game] ?? {};
    const [least, most] = SEATS[game];
    const seats = (Array.isArray(kept.seats) ? kept.seats : []).slice(0, most)
        .map((level) => (LEVELS.includes(level) ? level : ''));
    while (seats.length < least) seats.push(seats.length === 0 ? '' : 'strong');
    /* Earlier versions knew own sheets by their ids alone. */
    const sheet = own.find((one) => sheetName(one) === kept.map || one.id === kept.map);
    return {
        map: CITIES.includes(kept.map) ? kept.map : sheet ? sheetName(sheet) : 'amsterdam',
        deck15: kept.deck15 === true,
        special: kept.special !== false,
        rotate: kept.rotate === true,
        hand: [1, 2, 3].includes(kept.hand) ? kept.hand : 1,
        seats,
    };
}

class Setup {
    constructor(place, game, engine, own) {
        Object.assign(this, {game, engine, own});
        this.chosen = remembered(game, own);
        this.people = settings.get('people').map((name) => cleanName(name ?? ''));
        this.sheets = h('div');
        const start = once(() => this.start());
        this.seats = h('ol', {class: 'seats'});
        this.add = button(t('Add a player'), {onclick: () => this.addSeat()}, 'plus');
        fill(place, h('h1', {}, game === 'metro' ? t('A new game of Metro')
            : t('A new game of Verplant')),
        h('form', {class: `route route-${game}`, onsubmit: (event) => {
            event.preventDefault();
            start();
        }},
            game === 'verplant' && routeStop(t('Sheet'), this.sheets, this.ownMaps()),
            routeStop(t('Players'), this.seats, this.add),
            routeStop(t('Rules'), game === 'metro' ? this.metroRules() : this.verplantRules()),
            h('div', {class: 'route-end'}, h('button', {type: 'submit',
                class: 'button primary large'}, icon('play'), t('Start the game')))));
        if (game === 'verplant') this.showSheets();
        this.showSeats();
    }

    keep(changes) {
        Object.assign(this.chosen, changes);
        settings.set('setup', {...settings.get('setup'), [this.game]: this.chosen});
    }

    /* ---- Sheets ---- */

    showSheets() {
        fill(this.sheets, sheetChoices(this.own, this.chosen.map, (map) => {
            this.keep({map});
            this.showSpecial();
        }));
        this.showOwn();
    }

    ownMaps() {
        this.ownList = h('ul', {class: 'own-maps'});
        return h('details', {}, h('summary', {}, t('Your own sheets')),
            h('div', {class: 'stack'},
                h('p', {class: 'muted'}, t('A sheet is a text file that ends in .map. It is kept ' +
                    'in this browser.')),
                importField({label: t('Add a map file'), accept: '.map,text/plain',
                    done: (result) => this.imported(result)}), this.ownList));
    }

    async imported(result) {
        if (result.sheets.length === 0) return;
        this.own = await sheets.list();
        this.keep({map: sheetName(result.sheets.at(-1))});
        this.showSheets();
        this.showSpecial();
    }

    showOwn() {
        fill(this.ownList, this.own.map((sheet) => h('li', {class: 'row spread'},
            h('span', {}, sheet.title),
            button(t('Delete'), {class: 'quiet', onclick: () => this.removeSheet(sheet),
                'aria-label': t('Delete the sheet {title}', {title: sheet.title})}, 'bin'))));
    }

    async removeSheet(sheet) {
        await sheets.remove(sheet.hash);
        if (this.chosen.map === sheetName(sheet)) this.keep({map: 'amsterdam'});
        this.own = await sheets.list();
        this.showSheets();
        this.showSpecial();
        toast(t('The sheet {title} is deleted. Games on it keep theirs.', {title: sheet.title}), {
            label: t('Undo'), action: async () => {
                await sheets.add([sheet]);
                this.own = await sheets.list();
                this.showSheets();
            },
        });
    }

    /* ---- Seats ---- */

    showSeats() {
        const [least, most] = SEATS[this.game];
        const {seats} = this.chosen;
        fill(this.seats, seats.map((level, i) => this.seat(level, i, seats.length > least)));
        this.add.disabled = seats.length >= most;
    }

    seat(level, i, removable) {
        const n = i + 1;
        const who = h('select', {'aria-label': t('Who plays seat {n}', {n}), data: {seat: n},
            onchange: () => this.setSeat(i, who.value)},
        h('option', {value: '', selected: !level}, t('A person here')),
        h('optgroup', {label: t('Bots')}, LEVELS.map((name) =>
            h('option', {value: name, selected: name === level}, levelName(name)))));
        const detail = level
            ? h('p', {class: 'muted small seat-text'}, levelText(level))
            : h('input', {type: 'text', maxlength: 60, autocomplete: 'off',
                value: this.people[i] ?? '', placeholder: t('Player {n}', {n}),
                'aria-label': t('Name of player {n}', {n}),
                onchange: (event) => this.setName(i, event.target)});
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
        this.keep({seats: [...this.chosen.seats, 'strong']});
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

    /* ---- Rules ---- */

    verplantRules() {
        const {deck15, special} = this.chosen;
        this.special = onOff(t('Special stations'),
            t('Whoever marks one plays the same card again. Only on sheets that have them.'),
            special, (on) => this.keep({special: on}));
        this.showSpecial();
        return [deckChoice(deck15 ? '15' : '14', (deck) => this.keep({deck15: deck === '15'})),
            this.special];
    }

    showSpecial() {
        if (this.special) this.special.hidden = !this.hasSpecial(this.chosen.map);
    }

    ownSheet(name) {
        return this.own.find((sheet) => sheetName(sheet) === name);
    }

    /* Whether the sheet has special stations. */
    hasSpecial(name) {
        const own = this.ownSheet(name);
        try {
            if (own) this.engine.map(own.text);
            this.engine.begin(setupLines({game: 'verplant', map: name, seats: [{}]}));
            return this.engine.state(0).map.special > 0;
        } catch {
            return false; /* it was kept by another version; the table will say what is wrong */
        }
    }

    metroRules() {
        const {rotate, hand} = this.chosen;
        return [segments(t('Tiles in hand'), [['1', t('One')], ['2', t('Two')], ['3', t('Three')]],
            String(hand), (size) => this.keep({hand: Number(size)})),
        onOff(t('Tiles may be turned'), t('They are laid in any of their four directions.'), rotate,
            (on) => this.keep({rotate: on}))];
    }

    /* ---- Start ---- */

    async start() {
        const {map, deck15, special, rotate, hand} = this.chosen;
        const seats = this.chosen.seats.map((level, i) => ({level, name: this.people[i] ?? ''}));
        if (this.game === 'metro') {
            const rules = [rotate && 'rotate', hand > 1 && `hand${hand}`].filter(Boolean);
            await begin({game: 'metro', rules, seats}, t('Metro'));
            return;
        }
        const own = this.ownSheet(map);
        await begin({game: 'verplant', map, rules: special && this.hasSpecial(map) ? ['special']
            : [], deck: deck15 ? DECK_15 : '', seats}, own?.title ?? cityName(map),
        own?.text ?? '');
    }
}

export async function show(place, parameter) {
    new Setup(place, parameter === 'metro' ? 'metro' : 'verplant', await loadEngine(),
        await sheets.list());
}
