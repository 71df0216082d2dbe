/* New games: turns choices into the lines that engine.begin() reads; C writes the record. */
import {loadEngine} from '../engine/engine.js';
import {faceOf, infoOf} from '../games/faces.js';
import {dayOf} from '../app/region.js';
import {games, settings} from '../store/store.js';

const NAME_MAX = 60; /* characters */

/* Characters that nobody sees and that are no part of how a word or an emoji is written: controls,
 * line separators, changes of direction, blanks without width. Joiners stay, and so do the tags of
 * flags and the signs of Arabic numbers. */
const INVISIBLE = new RegExp('[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]|' +
    '(?![\\u200c\\u200d\\u{e0020}-\\u{e007f}\\u0600-\\u0605\\u06dd\\u070f\\u08e2])\\p{Cf}', 'gu');
const VISIBLE = /[^\s\p{Cf}\p{M}]/u;

/* Cuts a text to at most `most` characters, without separating a letter from its accents. */
function cut(text, most) {
    const parts = typeof Intl.Segmenter === 'function'
        ? [...new Intl.Segmenter().segment(text)].map(({segment}) => segment) : [...text];
    let size = 0;
    return parts.filter((part) => (size += [...part].length) <= most).join('');
}

/* A name as allowed in a record: one line, at most NAME_MAX characters, visible. */
export function cleanName(text) {
    if (typeof text !== 'string') {
        return '';
    }
    const line = text.normalize('NFC').replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
    return VISIBLE.test(line) ? cut(line, NAME_MAX).trim() : '';
}

function newSeed() {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const today = () => `date ${dayOf()}\n`;

/* The lines for a game that starts now: its date and a new seed. */
const chance = () => `${today()}seed ${newSeed()}\n`;

/* Choices as lines for engine.begin():
 *
 *     setupLines({game, map: 'berlin', rules: ['special'], options: {deck: '3 4 5 6'},
 *                 seats: [{name: 'Ada'}, {level: 'strong'}]})
 *
 * `map`: the id of a sheet; if it is not built in, followed by a space and its hash. `options`:
 * header lines of the game's own; empty ones are left out. */
export function setupLines({game, map, rules = [], options = {}, seats}) {
    return [`game ${game}`, map && `map ${map}`, rules.length && `rules ${rules.join(' ')}`,
        ...Object.entries(options).map(([name, text]) => text && `${name} ${text}`),
        ...seats.map(({level, name = ''}) =>
            (level ? `bot ${level}` : `person ${cleanName(name)}`))]
        .filter(Boolean).map((line) => `${line}\n`).join('');
}

/* The record of a new game with a new seed. `sheet`: the text of a player's own sheet. */
export async function newRecord(choices, sheet = '') {
    const engine = await loadEngine();
    if (sheet) {
        engine.map(sheet);
    }
    engine.begin(setupLines(choices) + chance());
    return engine.record();
}

/* Keeps a record as a new game and goes to its table. */
export async function beginWith(record, map, title) {
    const game = await games.create({record, map, title});
    location.hash = `#game=${game.id}`;
}

/* Begins a game and goes to its table. */
export async function begin(choices, title, sheet = '') {
    await beginWith(await newRecord(choices, sheet), sheet, title);
}

async function openEngine({record, map}) {
    const engine = await loadEngine();
    if (map) {
        engine.map(map);
    }
    engine.open(record);
    return engine;
}

/* The record of another game with the same setup and the same cards. It says what `player` got;
 * `nameless`: for others, so people's names are left out of their seats. */
export async function sameCards(game, player, nameless) {
    const engine = await openEngine(game);
    const {name, score} = engine.state(0).players[player - 1];
    engine.rematch(`${today()}seed same\n${nameless
        ? `names none\nnote challenge ${score} ${name}\n` : `note before ${score}\n`}`);
    return engine.record();
}

/* Whatever a link has brought as a challenge: only its setup, its cards and what somebody got
 * count; somebody has to play. Throws a Fault if the cards are not known. */
export function challengeFrom(engine) {
    const {challenge: {points, name}, players} = engine.state(0);
    engine.rematch(`${today()}seed same\nnames none\n${points === undefined ? ''
        : `note challenge ${points} ${cleanName(name)}\n`}`);
    if (players.every(({bot}) => bot)) {
        engine.seat(1, '');
    }
}

/* Starts another game with the same setup and other cards; `level`: with bots of that level. */
export async function beginAgain({record, map, title}, level) {
    const engine = await openEngine({record, map});
    engine.rematch(chance());
    for (const {player, bot} of level ? engine.state(0).players : []) {
        if (bot) {
            engine.seat(player, level);
        }
    }
    await beginWith(engine.record(), map, title);
}

/* The default level of a bot: strong, or the strongest the game has. */
export const usualLevel = (levels) => (levels.includes('strong') ? 'strong' : levels.at(-1));

/* With as few bots as it takes. */
async function fewest(game, me) {
    const {players: [least], levels} = infoOf(await loadEngine(), game);
    return [me, ...Array.from({length: least - 1}, () => ({level: usualLevel(levels)}))];
}

/* Quick start: begins the game with its default choices. */
export async function beginAtOnce(game) {
    const me = {name: settings.get('people')[0] ?? ''};
    const face = faceOf(game);
    const {choices, title} = face.atOnce?.(me) ??
        {choices: {seats: await fewest(game, me)}, title: face.name()};
    await begin({game, ...choices}, title);
}

/* Wraps a listener so that it acts only once: a double click starts one game. After a failure it
 * can be tried again. */
export function once(act) {
    let acting = null;
    return (...values) => (acting ??= Promise.resolve(act(...values)).catch((error) => {
        acting = null;
        throw error;
    }));
}
