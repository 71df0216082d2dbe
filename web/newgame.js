/* New games: choices become the header of a record, which C then judges. */
import {games, settings} from './store.js';

/* The sheets that are built in; the last is for learning. */
export const CITIES = ['amsterdam', 'berlin', 'paris', 'madrid', 'practice'];
/* Cards of the longer deck; the shorter one goes without saying. */
export const DECK_15 = '3 3 3 4 4 4 5 5 6 x2 x2 x3 + + o';
export const LEVELS = ['random', 'greedy', 'casual', 'strong', 'master'];
const NAME_MAX = 60; /* characters */

/* A name that may stand in a record: one line, not too long. */
export function cleanName(text) {
    if (typeof text !== 'string') return '';
    const line = text.normalize('NFC').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
        .replace(/\s+/g, ' ').trim();
    return [...line].slice(0, NAME_MAX).join('').trim();
}

export function newSeed() {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/* Who sits where, as lines of a record. */
function seatLines(seats) {
    return seats.map(({level, name}, i) => {
        const clean = level ? '' : cleanName(name ?? '');
        return level ? `bot ${i + 1} ${level}` : clean && `player ${i + 1} ${clean}`;
    }).filter(Boolean);
}

/* The record of a new game without events:
 *
 *     newRecord({game: 'verplant', map: 'berlin', rules: ['special'], deck: '',
 *                seats: [{name: 'Ada'}, {level: 'strong'}]}) */
export function newRecord({game, map, rules = [], deck = '', seats}) {
    const lines = ['endstation-record 1', `game ${game}`];
    if (map) lines.push(`map ${map}`);
    lines.push(`players ${seats.length}`);
    if (rules.length > 0) lines.push(`rules ${rules.join(' ')}`);
    if (deck) lines.push(`deck ${deck}`);
    lines.push(...seatLines(seats));
    lines.push(`date ${new Date().toISOString().slice(0, 10)}`, `seed ${newSeed()}`);
    return `${lines.join('\n')}\n\n`;
}

/* Begins a game and goes to its table. `mapText`: the sheet, where it is not built in. */
export function begin(choices, title, mapText = '') {
    const game = games.create({record: newRecord(choices), map: mapText, title});
    location.hash = `#game=${game.id}`;
}

/* One click: alone on Amsterdam; against a strong bot. */
export function beginAtOnce(game) {
    const me = {name: settings.get('people')[0] ?? ''};
    if (game === 'metro') begin({game, seats: [me, {level: 'strong'}]}, 'Metro');
    else begin({game: 'verplant', map: 'amsterdam', seats: [me]}, 'Amsterdam');
}
