/* The face of metro at the table (table.js): the board, the tile in hand, the stock, the players
 * with their lines.
 *
 * Pointing shows what a tap would do. What was tapped stays chosen while the pointer moves about,
 * and is shown again when it leaves: a tap plans, a second confirms. */
import {announce, button, h, icon, isDark} from '../../ui/dom.js';
import {GLOW_MS, LIGHT_MS, runLight} from '../../ui/lights.js';
import {drawn} from '../../ui/parts.js';
import {settings} from '../../store/store.js';
import {t, tn} from '../../app/texts.js';
import {full, list, planned, playerName, points, reason} from '../../ui/words.js';
import {stationLine} from './face.js';
import {tileInWords, tilePicture, tileTracks, wagon} from './parts.js';

const PLACES = '.square, .centre';
const AFTER_LIGHT_MS = 600; /* to see where it ended */
const TAKEN = 'SQUARE_TAKEN'; /* obvious, so no reason is shown */

/* What a table of metro remembers besides its plan. */
const memories = new WeakMap();

function memory(table) {
    if (!memories.has(table))
        memories.set(table, {at: '', sentence: '', why: '', touched: false, unseen: false,
            lines: false});
    return memories.get(table);
}

/* ---- Pointing ------------------------------------------------------------------------------- */

/* The pointer has left the square that it showed something on. */
function forget(table) {
    Object.assign(memory(table), {at: '', why: ''});
}

/* One square was tapped, but the pointer has moved on to another: the first Confirm then shows the
 * choice again, the second makes the move. */
function recall(table) {
    if (!memory(table).at) return false;
    const chosen = table.engine.choose(table.viewer, table.pick, 'look');
    if (!chosen.plan || chosen.plan === table.plan?.plan) return false;
    forget(table);
    table.preview('look');
    return true;
}

/* Shows the tile on the square under the pointer, or says why it may not lie there. */
function preview(table, square) {
    const {why, sentence} = table.engine.choose(table.viewer, table.pick, `tap ${square}`);
    Object.assign(memory(table), {at: square, why, sentence});
    table.preview(`tap ${square}`);
}

function light(table, station) {
    if (table.lit === station) return;
    table.lit = station;
    table.redraw();
}

function point(table, spot) {
    const mind = memory(table);
    if (spot?.touch) return;
    if (!spot && mind.touched) return; /* a finger that has left the screen still points */
    mind.touched = false;
    const station = spot?.under('.station') ?? '';
    light(table, Number(station.replace('station-', '')) || 0);
    const square = spot?.under(PLACES) ?? '';
    if (square === mind.at || !table.acting) return;
    if (square && square !== `square-${table.plan?.square}`) {
        preview(table, square);
    } else if (mind.at) {
        forget(table);
        table.preview('look');
    }
}

/* A tap: on a square to lay, on a station to see its line. */
function target(table, spot) {
    const mind = memory(table);
    const square = spot.under(PLACES);
    if (square) {
        forget(table);
        table.lit = 0;
        return `tap ${square}`;
    }
    const station = spot.part('.station');
    const number = Number((station ?? '').replace('station-', ''));
    mind.touched = spot.touch;
    if (number && spot.touch) light(table, table.lit === number ? 0 : number);
    return '';
}

/* A key continues from what is shown, also from a preview under the pointer. Keys without a meaning
 * change nothing. */
function key(table, {key: pressed}) {
    if (!table.keyWords(pressed)) return;
    table.adopt();
    forget(table);
    table.lit = 0;
    if (/^[ 1-9]$/.test(pressed)) queueMicrotask(() => tellTile(table));
}

/* Announces the tile that is picked up and its orientation; a plan announces itself. */
function tellTile(table) {
    const {plan} = table;
    if (table.acting && plan?.tile && !plan.square) announce(full(tileInWords(table.engine,
        plan.tile, plan.turns)));
}

function turn(table) {
    const {at} = memory(table);
    forget(table);
    table.choose('key Space');
    tellTile(table);
    if (at) preview(table, at);
}

/* The right button turns the tile, as Space does. */
function look(table) {
    const mind = memory(table);
    const frame = table.pane?.frame;
    if (frame && frame !== mind.frame) {
        mind.frame = frame;
        frame.addEventListener('contextmenu', (event) => {
            if (!table.acting || !table.state.rotate) return;
            event.preventDefault();
            turn(table);
        });
    }
    return {bare: true};
}

/* ---- What is open --------------------------------------------------------------------------- */

/* The tile that the viewer drew and has to lay, or ''. */
function drawnTile({acting, state: {drawn}}) {
    return acting && drawn !== '?' ? drawn : '';
}

/* The tiles that the viewer may lay: what was drawn, or the hand. */
function ownTiles(table) {
    const drawn = drawnTile(table);
    return drawn ? [drawn] : table.me?.hand ?? [];
}

function handTile(table, tile, i, picked) {
    const turns = picked ? table.plan?.turns ?? 0 : 0;
    const words = drawnTile(table) ? 'tap drawn' : `tap hand-${i + 1}`;
    const name = `metro-hand-tile${picked ? ' picked' : ''}`;
    if (!table.acting || tile === '?')
        return h('span', {class: name, 'data-key': `hand-${i}`},
            tilePicture(table.engine, tile, 'metro-tile', turns));
    return h('button', {type: 'button', class: name, 'data-key': `hand-${i}`,
        'aria-pressed': String(picked), onclick: () => take(table, words)},
    tilePicture(table.engine, tile, 'metro-tile', turns));
}

/* What stays in the hand while the tile that was drawn is laid. */
function keptTiles(table) {
    if (!drawnTile(table)) return false;
    return h('div', {class: 'metro-kept', role: 'group', 'aria-label': t('Stays in your hand'),
        title: t('Stays in your hand')},
    table.me.hand.map((tile) => tilePicture(table.engine, tile, 'metro-tile')));
}

/* A tap on the tile picked up turns it, where tiles may be turned. */
function take(table, words) {
    forget(table);
    table.choose(words);
    tellTile(table);
}

function hand(table) {
    const tiles = ownTiles(table);
    const picked = (table.plan?.hand || 1) - 1;
    if (!table.viewer) return false;
    const label = drawnTile(table) ? t('The tile you drew') : t('Your hand');
    return h('div', {class: `metro-hand of-${tiles.length}`, 'data-guide': 'hand', role: 'group',
        'aria-label': label},
    tiles.map((tile, i) => handTile(table, tile, i, table.acting && (i === picked ||
        tiles.length === 1))),
    tiles.length === 0 && h('p', {class: 'metro-none'}, t('No tile left')),
    keptTiles(table));
}

/* How many tiles are left, and a button for which: that can be worked out from the board. */
function stock(table) {
    const mind = memory(table);
    const count = tn('{n} tile in the stock', '{n} tiles in the stock', table.state.stock);
    if (!settings.get('pile'))
        return h('p', {class: 'metro-stock', 'data-guide': 'pile'}, count);
    return h('button', {type: 'button', class: 'metro-stock', 'data-key': 'stock',
        'data-guide': 'pile', 'aria-expanded': String(mind.unseen), onclick: () => {
            mind.unseen = !mind.unseen;
            table.redraw();
        }}, count);
}

function unseen(table) {
    if (!settings.get('pile') || !memory(table).unseen) return false;
    return h('div', {class: 'metro-unseen'},
        h('p', {}, t('Not seen yet: in the stock or in a player’s hand')),
        h('ul', {}, table.state.unseen.filter(({left}) => left > 0).map(({tile, left}) =>
            h('li', {}, tilePicture(table.engine, tile, 'metro-tile'),
                h('span', {}, t('× {n}', {n: left}))))));
}

/* They stay in their places while others play. */
function buttons(table) {
    const {state, acting, viewer} = table;
    return viewer > 0 && h('div', {class: 'metro-buttons'},
        state.rotate && button(t('Turn'), {'data-key': 'turn', 'data-guide': 'turn',
            disabled: !acting, onclick: () => turn(table)}, 'turn'),
        state.stock > 0 && button(t('Draw instead'), {'data-key': 'draw', 'data-guide': 'draw',
            disabled: !acting || !state.draw, onclick: () => take(table, 'tap stock')}, 'stock'));
}

function now(table) {
    if (table.state.over) return [];
    return [hand(table), h('div', {class: 'metro-beside'}, stock(table), buttons(table)),
        unseen(table)];
}

/* ---- Words ---------------------------------------------------------------------------------- */

function say(table) {
    const {state, plan, lit} = table;
    const {why, sentence} = memory(table);
    if (lit) return full(stationLine(state.stations[lit - 1], state));
    if (why && why !== TAKEN) return reason(sentence);
    if (plan?.plan) return full(planned(plan, state));
    if (plan?.why) return reason(plan.sentence);
    if (!table.acting) return '';
    return state.drawn ? t('Lay the tile you drew on a glowing square.')
        : t('Lay your tile on a glowing square.');
}

function status(table) {
    const {placed, tiles, over} = table.state;
    return over ? t('All tiles are laid') : t('Tile {n} of {all}', {n: placed + 1, all: tiles});
}

function keys(table) {
    const {rotate, hand_size: size} = table.state;
    return [
        [t('Arrow keys'), t('Move between the allowed squares')],
        rotate && [t('Space'), t('Turn the tile')],
        size > 1 && [t('1 to {n}', {n: size}), t('Pick up a tile')],
        ['D', t('Draw a tile instead')],
    ].filter(Boolean);
}

/* ---- Players and lines ---------------------------------------------------------------------- */

function chip(table, line) {
    const over = line.end !== '';
    const lit = () => light(table, line.station);
    const dark = () => light(table, 0);
    return h('button', {type: 'button', class: over ? 'metro-chip over' : 'metro-chip',
        'data-key': `line-${line.station}`, onfocus: lit, onblur: dark, onpointerenter: lit,
        onpointerleave: dark},
    h('span', {class: 'visually-hidden'}, stationLine(line, table.state)),
    h('span', {class: 'metro-chip-number', 'aria-hidden': 'true'}, String(line.station)),
    h('span', {'aria-hidden': 'true'}, over ? tn('{n} pt', '{n} pts', line.points)
        : String(line.tiles)));
}

/* What a player got for the latest tile. */
function gain(table, one) {
    const facts = table.facts ?? [];
    const n = Math.max(0, ...facts.filter(({what}) => what === 'lay').map((fact) => fact.n));
    return facts.filter((fact) => fact.n === n && fact.what === 'finish' &&
        fact.owner === one.player).reduce((all, fact) => all + fact.points, 0);
}

function player(table, one) {
    const {state} = table;
    const more = gain(table, one);
    const turn = state.turn.includes(one.player);
    const lines = state.stations.filter(({owner}) => owner === one.player);
    const hidden = one.hand.filter((tile) => tile === '?').length;
    return h('li', {class: turn ? 'metro-player turn' : 'metro-player'},
        h('div', {class: 'metro-player-head'}, wagon(table.engine, one.player, 'metro-wagon'),
            h('strong', {class: 'metro-name'}, playerName(state, one.player),
                turn && h('span', {class: 'visually-hidden'}, ` ${t('to play')}`)),
            more > 0 && h('span', {class: 'metro-gain'}, t('+{n}', {n: more})),
            h('span', {class: 'metro-score'}, tn('{n} point', '{n} points', one.score))),
        h('div', {class: 'metro-player-foot'},
            h('span', {}, tn('{n} line is open', '{n} lines are open', one.open)),
            hidden > 0 && h('span', {class: 'metro-backs', role: 'img',
                'aria-label': tn('{n} hidden tile', '{n} hidden tiles', hidden)},
            one.hand.map((tile) => drawn(table.engine.piece('metro', tile, isDark()),
                'metro-back')))),
        h('div', {class: 'metro-chips'}, lines.map((line) => chip(table, line))));
}

/* Everybody's points in one row. */
function standing({engine, state}) {
    return [h('ul', {class: 'metro-standing'}, state.players.map((one) => h('li', {
        class: state.turn.includes(one.player) ? 'turn' : '',
        title: playerName(state, one.player)},
    wagon(engine, one.player, 'metro-wagon'),
    h('span', {class: 'visually-hidden'}, t('{name}: {score}',
        {name: playerName(state, one.player), score: points(one.score)})),
    h('span', {'aria-hidden': 'true'}, String(one.score)))))];
}

function others(table) {
    const mind = memory(table);
    const {state} = table;
    return [
        h('ul', {class: mind.lines ? 'metro-players with-lines' : 'metro-players'},
            state.players.map((one) => player(table, one))),
        h('button', {type: 'button', class: 'button quiet', 'data-key': 'lines',
            'aria-expanded': String(mind.lines), onclick: (event) => {
                mind.lines = !mind.lines;
                event.currentTarget.setAttribute('aria-expanded', String(mind.lines));
                event.currentTarget.previousElementSibling
                    .classList.toggle('with-lines', mind.lines);
            }}, icon('list'), h('span', {}, t('Lines'))),
    ];
}

/* The board in words: what lies where, and how far each line goes. The picture's own titles say it
 * already, square by square. */
function text(table) {
    const laid = [...table.picture?.querySelectorAll('.square[data-tile]') ?? []];
    const {state} = table;
    const {squares = []} = table.plan ?? {};
    return [
        h('p', {}, status(table)),
        h('p', {}, table.say()),
        h('ul', {}, state.players.map((one) => h('li', {}, t('{player}: {what}', {
            player: playerName(state, one.player),
            what: list([points(one.score), tn('{n} line is open', '{n} lines are open', one.open)]),
        })))),
        table.viewer > 0 && h('h3', {}, t('Your hand')),
        table.viewer > 0 && h('ul', {}, ownTiles(table).map((tile) =>
            h('li', {}, full(tileInWords(table.engine, tile))))),
        table.acting && h('p', {}, t('Your tile can go on: {squares}', {squares: list(squares)})),
        h('h3', {}, t('Lines')),
        h('ul', {}, state.stations.map((line) => h('li', {}, stationLine(line, state)))),
        laid.length > 0 && h('h3', {}, t('Board')),
        laid.length > 0 && h('ul', {}, laid.map((square) => h('li', {}, t('{tile}: {tracks}', {
            tile: square.querySelector('title')?.textContent ?? '',
            tracks: tileTracks(table.engine, square.dataset.tile)})))),
    ].filter(Boolean);
}

/* ---- The end -------------------------------------------------------------------------------- */

/* The players from first to last, each with the lines that brought the points. */
function sum(table) {
    const {state} = table;
    const ranked = [...state.players].sort((one, other) => other.score - one.score);
    return [h('div', {class: 'metro-sums'}, ranked.map((one) => playerSum(table, one)))];
}

function playerSum(table, one) {
    const {state} = table;
    const lines = state.stations.filter(({owner, end}) => owner === one.player && end);
    const won = state.winners.includes(one.player);
    return h('details', {class: won ? 'metro-sum won' : 'metro-sum',
        open: one.player === table.viewer && !table.small},
    h('summary', {}, wagon(table.engine, one.player, 'metro-wagon'),
        h('span', {class: 'metro-name'}, playerName(state, one.player)),
        h('span', {class: 'metro-score'}, tn('{n} point', '{n} points', one.score))),
    h('table', {},
        h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, t('Line')),
            h('th', {scope: 'col'}, t('Tiles')), h('th', {scope: 'col'}, t('Points')))),
        h('tbody', {}, lines.map(({station, tiles, end, points}) => h('tr', {},
            h('th', {scope: 'row'}, String(station)),
            h('td', {}, end === 'centre' ? t('{n} × 2', {n: tiles}) : String(tiles)),
            h('td', {}, String(points))))),
        h('tfoot', {}, h('tr', {}, h('th', {scope: 'row', colspan: 2}, t('Total')),
            h('td', {}, String(one.score))))));
}

/* ---- After a move --------------------------------------------------------------------------- */

/* Announces which tiles the viewer was dealt: a deal’s sentence says only that there is one. */
function tellDealt(table, facts) {
    for (const {what, player, tile} of facts)
        if (what === 'deal' && player === table.viewer && tile !== '?')
            announce(full(tileInWords(table.engine, tile)));
}

/* Lights run along finished lines; what they bring in all is said over the board. */
function after(table, facts) {
    const {pane, picture, state} = table;
    const lines = facts.filter(({what}) => what === 'finish');
    forget(table);
    tellDealt(table, facts);
    if (!picture || lines.length === 0) return 0;
    for (const {station} of lines)
        runLight(pane.inner, table.draw({lit: station, bare: true, prefix: 'light-'}));
    const gains = state.players.map(({player}) => ({player, n: lines.filter(({owner}) =>
        owner === player).reduce((all, line) => all + line.points, 0)}));
    for (const {player, n} of gains.filter((one) => one.n > 0))
        table.note(t('{player}: +{n}', {player: playerName(state, player), n}), LIGHT_MS + GLOW_MS);
    return LIGHT_MS + AFTER_LIGHT_MS;
}

export const table = {
    pause: 1100,
    sounds: {lay: 'tile', draw: 'card', finish: 'done'},
    neutral: (table) => [table.draw({viewer: 0, bare: true})],
    peek: (table, {what, station}) => (what === 'finish' ? {lit: station} : {lit: 0}),
    recall, look, target, point, key, keys, status, now, say, standing, others, text, sum, after,
};
