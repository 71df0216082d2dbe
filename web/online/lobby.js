/* The first screen of playing online: open tables, making a room, joining one by its code. */
import {button, fill, h, icon, toast} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {faceOf, gameNames} from '../games/faces.js';
import {makeRoom, usualRoom} from './host.js';
import {once} from '../table/newgame.js';
import {Connection, changes, fetchRoom, me, rooms} from './connection.js';
import {disc, followGuest, loadStyle, settingTags, stateLine, suggestion, tellRefusal, whoFields}
    from './people.js';
import {picture} from '../ui/thumbnails.js';
import {t, tn} from '../app/texts.js';
import {gameName} from '../ui/words.js';

/* A small picture of the game in a room's setup; its name is written into the element `title`. */
export function setupPicture(setup, title, map = '') {
    const element = picture({record: `endstation-record 1\n${setup}\n`, map,
        told: (state) => (title.textContent = gameName(state)),
        failed: () => element.remove()}); /* its sheet is neither built in nor given */
    return element;
}

/* The name of the game in a room's setup. */
export const gameOf = (setup) => /^game (\S+)/m.exec(setup)?.[1] ?? '';

export const ruleTags = (setup) => (/^rules (.*)/m.exec(setup)?.[1] ?? '').split(' ')
    .filter(Boolean).map((word) => h('span', {class: 'tag'}, faceOf(gameOf(setup)).rule(word)[0]));

/* The name of what is played: the game and its sheet. */
async function setupTitle(setup) {
    const engine = await loadEngine();
    try {
        engine.open(`endstation-record 1\n${setup}\n`);
        return gameName(engine.state(0));
    } catch {
        return faceOf(gameOf(setup)).name(); /* its sheet is not known here */
    }
}

function tableCard({room, setup, seats, taken, clock, names, host}) {
    const game = gameOf(setup);
    const title = h('h3', {}, faceOf(game).name());
    return h('li', {class: `open-table table-of-${game}`, data: {key: room}},
        setupPicture(setup, title),
        h('div', {class: 'open-table-words'}, title,
            h('p', {class: 'muted small'}, t('{game}, by {host}', {game: faceOf(game).name(),
                host: host || t('nobody')})),
            h('p', {class: 'row open-table-people'}, names.map((name, i) => disc(i, name)),
                h('span', {class: 'small'}, tn('{n} seat free', '{n} seats free', seats - taken))),
            h('p', {class: 'row'}, ruleTags(setup), settingTags({clock}))),
        h('a', {class: 'button primary', href: `#room=${room}`}, icon('next'), t('Go there')));
}

class Lobby {
    constructor(place) {
        const link = (this.link = new Connection('lobby', {hello: changes}));
        this.open = new Map(); /* room: the table, as the server tells it */
        this.shown = new Map(); /* room: {text, element} */
        followGuest(link);
        link.on('lobby', ({tables}) => {
            this.open.clear();
            this.change(tables, []);
        });
        link.on('tables', ({tables, gone}) => this.change(tables, gone));
        this.tables = h('ul', {class: 'open-tables', 'aria-live': 'off'});
        this.none = h('p', {class: 'muted'}, t('Nobody has an open table right now. Make one: it ' +
            'appears here for everyone.'));
        this.count = h('p', {class: 'visually-hidden', role: 'status'});
        fill(place, h('h1', {}, t('Play online')),
            h('p', {class: 'lead'}, t('Everyone on their own device, at the same time or a move ' +
                'a day.')),
            stateLine(link).element,
            h('div', {class: 'columns lobby'},
                h('div', {class: 'stack wide'}, this.newRooms(), this.byCode()),
                h('div', {class: 'stack wide'}, this.ownRooms(),
                    h('section', {class: 'panel stack'},
                        h('h2', {class: 'stop'}, t('Open tables')), this.count, this.none,
                        this.tables),
                    this.who())));
    }

    /* Buttons for each game: make a room with the latest choices, or choose others first. */
    newRooms() {
        return h('section', {class: 'panel stack'}, h('h2', {class: 'stop'}, t('Make a room')),
            h('p', {}, t('You get a link and a code to invite others.')),
            gameNames().map((game) => h('div', {class: `new-room route-${game}`},
                h('strong', {}, faceOf(game).name()),
                button(t('Make a room'), {class: 'primary',
                    'aria-label': t('Make a room: {game}', {game: faceOf(game).name()}),
                    onclick: this.asOne(async () =>
                        makeRoom(this.link, ...await usualRoom(game)))}, 'plus'),
                h('a', {class: 'button', href: `#host=${game}`,
                    'aria-label': t('Set up a room: {game}', {game: faceOf(game).name()})},
                t('Set up…')))));
    }

    /* Returns a click handler that makes one room, however often it is clicked. */
    asOne(act) {
        const first = once(async () => {
            if (!await act()) throw Object.assign(new Error('no room'), {name: 'AbortError'});
        });
        return () => first().catch((error) => error.name !== 'AbortError' && Promise.reject(error));
    }

    byCode() {
        const field = h('input', {type: 'text', id: 'code', maxlength: 24, autocomplete: 'off',
            autocapitalize: 'characters', spellcheck: 'false', required: true,
            placeholder: 'K7RM-2Q4X-9DHT'});
        return h('section', {class: 'panel stack'}, h('h2', {class: 'stop'}, t('Join a room')),
            h('form', {class: 'join', onsubmit: async (event) => {
                event.preventDefault();
                const code = field.value.toUpperCase().replace(/[^A-Z0-9]/g, '');
                const answer = await this.link.request({t: 'find', code});
                if (answer.t === 'ok') location.hash = `#room=${answer.room}.${code}`;
                else tellRefusal(answer);
            }}, h('div', {class: 'field'}, h('label', {for: 'code'}, t('Code')), field),
            h('button', {type: 'submit', class: 'button primary'}, t('Join'))),
            h('p', {class: 'muted small'}, t('With a link, open it; with a QR code, scan it.')));
    }

    who() {
        return h('section', {class: 'panel stack'}, h('h2', {class: 'stop'}, t('You')),
            whoFields(suggestion(), async ({name, colour}) => {
                if (!name) return;
                me.set({name, colour});
                if (!this.link.guest?.guest) return;
                const answer = await this.link.request({t: 'name', name, colour});
                if (answer.t === 'no') tellRefusal(answer);
                else if (answer.t === 'ok') toast(t('Name changed.'));
            }),
            h('p', {class: 'muted small'}, h('a', {href: '#settings'},
                t('Other devices, and deleting yourself: in the settings'))));
    }

    /* Rooms whose games are not over: those that this browser knows, and those of the reader's
     * other devices, which the server lists. */
    ownRooms() {
        const list = h('ul', {class: 'own-rooms'});
        const panel = h('section', {class: 'panel stack', hidden: true},
            h('h2', {class: 'stop'}, t('Your rooms')), list);
        const shown = new Set();
        const add = (id, code, title) => {
            list.append(h('li', {data: {key: id}},
                h('a', {href: `#room=${id}${code ? `.${code}` : ''}`}, title)));
            panel.hidden = false;
        };
        for (const {id, code, over, title} of rooms.list()) {
            if (over || !title) continue;
            shown.add(id);
            add(id, code, title);
        }
        this.link.on('state', async () => {
            if (this.link.state !== 'connected' || !this.link.guest.guest) return;
            const {rooms: own = []} = await this.link.request({t: 'rooms'});
            for (const {room, code} of own.filter((one) => !shown.has(one.room))) {
                shown.add(room);
                const info = await fetchRoom(room).catch(() => null); /* no longer there */
                if (info) add(room, code, await setupTitle(info.setup));
            }
        });
        return panel;
    }

    change(tables, gone) {
        for (const room of gone) this.open.delete(room);
        for (const table of tables) this.open.set(table.room, table);
        this.showTables([...this.open.values()].sort((a, b) => b.made - a.made));
    }

    /* Keeps the elements of tables that have not changed, so that the focus is not lost. */
    showTables(list) {
        const elements = list.map((table) => {
            const text = JSON.stringify(table);
            const before = this.shown.get(table.room);
            const element = before?.text === text ? before.element : tableCard(table);
            this.shown.set(table.room, {text, element});
            return element;
        });
        for (const room of this.shown.keys())
            if (!list.some((table) => table.room === room)) this.shown.delete(room);
        if (elements.some((element, i) => this.tables.children[i] !== element) ||
            elements.length !== this.tables.childElementCount) this.tables.replaceChildren(
            ...elements);
        this.none.hidden = list.length > 0;
        const count = tn('{n} open table', '{n} open tables', list.length);
        if (this.count.textContent !== count) this.count.textContent = count;
    }
}

export async function show(place) {
    await loadStyle();
    const lobby = new Lobby(place);
    return () => lobby.link.close();
}
