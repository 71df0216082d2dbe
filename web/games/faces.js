/* The faces of games: what the page says and shows about a game beyond what C tells of every one.
 * What is about one game is in its folder, games/NAME/; all other files serve any game. Its face.js
 * and face.css are loaded with the page, in the order in which the games are offered:
 * cmake/games.cmake has the list.
 *
 * face.js calls addFace(NAME, face). `face` is an object with these properties; each may be
 * left out, and has the default in brackets. It is small, since the first screen loads the faces of
 * all games:
 *
 *     name()              what the game is called (as in records)
 *     title(state)        what is played, such as the sheet: 'Amsterdam' (its name)
 *     place(state)        how far a game has come, in a few words: 'Round 5' ('')
 *     sentences           {what: (fact, state) => sentence or ''} for facts of the log, beyond
 *                         `over` (an `event` is told as in records). What a player is dealt is a
 *                         `deal`: it is announced, but not in the log
 *     move(plan, state)   a move, of the plan to make it: 'Line A: 3 marks' (as in records)
 *     planned(plan, state)  the same with what it brings: 'Line A: 3 marks (7 points)' (move)
 *     rule(word)          a rule in the form for a new game: [its name, what it does] (the word as
 *                         in records)
 *     tie(player)         why that player, by name, has won in spite of equal points ('')
 *     grade(player)       a word about a solo game, of an entry in state.players ('')
 *     same()              the words of the button for the same cards once more ('Same deal again')
 *     rivals(name)        heading of what bots would have got with the same luck, in the place of
 *                         somebody, or ('') of the only person here (bots are not asked)
 *     card()              its card on the first screen: {shown: {setup, events}, text, tags, play,
 *                         learn}; `setup` as for setupLines (newgame.js) (its name and two links)
 *     atOnce(me)          what Play begins: {choices, title}, choices as for setupLines (the seat
 *                         `me`, and as many strong bots as it takes)
 *     ways()              more links on the first screen: [[address, icon, name, text], …] (none)
 *     screens             {name: () => import(…)}: more screens, by their addresses (none)
 *     parts               {part: () => import(…)}: what is loaded when it is needed, below (none).
 *                         What a first game does not need is in one file, games/NAME/later.js: a
 *                         visitor waits for few files rather than for small ones
 *
 * A part is a module that exports an object of the part's name. What is left out is as in
 * defaultface.js; there is no lesson then, no help, no problems, no analysis and no check of
 * shuffles:
 *
 *     table               the table: see table.js
 *     replay              the replay of a game: see replay.js
 *     analysis            its analysis: see analysis.js
 *     lesson              a guided first game: see lesson.js
 *     setup               its part of the form for a new game:
 *                         heading(name)   'New game: …'
 *                         again(state)    what was chosen for a game, as `kept` below
 *                         open({name, info, engine, kept, sheet, keep, same})   may be waited
 *                             for; `info` is what C says about the game; `kept` are the choices as
 *                             they were kept, `sheet` ({id, title, hash, text} or null) is an own
 *                             one that they may name, keep(changes) keeps others; `same` is what
 *                             open() gave for the same form in another language. Gives
 *                             {chosen, before, rules, begin}: the choices as they are; elements
 *                             before the players, and rules; begin() gives {choices, title, sheet},
 *                             choices as for setupLines, sheet the text of an own one
 *     print               its part of the form to print:
 *                         things()   {word: {title, text, exact, wanted}}: what C can print
 *                             (struct es_printable), in words; exact: it must be printed in its
 *                             true size (true); wanted: at first (true)
 *                         open({info, wanted, change})   may be waited for; `wanted` is the word
 *                             of the address. Gives {stops, wish}: stops[word], what is asked about
 *                             a thing; wish(word), {choices, sheet, names, copies, title} as
 *                             chosen, choices as for setupLines. change(): they are others now
 *     fair                its shuffle, for the check of a record (shufflecheck.js):
 *                         lines         the header lines of its own, in order ([])
 *                         pile(header)  what is shuffled, sorted as docs/shuffle.md says;
 *                             header(word) gives the words of a header line
 *                         dealt(event)  what a chance event brings; undefined for any other event
 *                         again(thing)  whether all of it is shuffled again after that (never)
 *     problems            that it has problems (problemlist.js), in games/NAME/problems.records:
 *                         lead(), a sentence about them
 *     statistics          its words in statistics: rule(word), and option(text) for header lines of
 *                         its own ('deck 15')
 *     help                its part of the help: title(), rules(engine) elements, keys() an element,
 *                         learn() the words of the link to the lesson, about() who made it
 */
import {t} from '../app/texts.js';
import {loadFile} from '../app/versions.js';

/* The address names a game or a screen that is not here. */
export class Nowhere extends Error {
    name = 'Nowhere';
}

const faces = new Map();

/* The games that have a face, in order. */
export const gameNames = () => [...faces.keys()];

/* '1 heads', which player 1 does, is 'heads'. */
export const eventName = (event) => event.replace(/^\d+ /, '');

const plain = (name) => ({
    name: () => name,
    place: () => '',
    sentences: {},
    move: ({plan}) => eventName(plan),
    rule: (word) => [word, ''],
    tie: () => '',
    same: () => t('Same deal again'),
    grade: () => '',
    ways: () => [],
    screens: {},
    parts: {},
});

function complete(name, own) {
    const face = {...plain(name), ...own};
    face.title ??= () => face.name();
    face.planned ??= face.move;
    return face;
}

export function addFace(name, own) {
    faces.set(name, complete(name, own));
}

/* The face of a game, with defaults filled in. */
export const faceOf = (name) => faces.get(name) ?? complete(name, {});

/* A part of a face, or that of any game; undefined: it has none. */
export async function loadPart(name, part) {
    const load = faceOf(name).parts[part] ??
        (async () => (await import('../app/later.js')).defaultface);
    return (await loadFile(load))[part];
}

/* How to load a screen that a game has, by its address; undefined: none has it. */
export function findScreen(name) {
    return [...faces.values()].map(({screens}) => screens)
        .find((own) => Object.hasOwn(own, name))?.[name];
}

/* What C says about a game (es_page_info in src/page/page.h); undefined: there is none. */
export function infoOf(engine, name) {
    return engine.info().games.find((game) => game.name === name);
}
