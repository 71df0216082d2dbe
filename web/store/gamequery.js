/* Searching, filtering and sorting kept games: which games a list shows, and in which order. What
 * was chosen stays as long as the tab. */
import {faceOf} from '../games/faces.js';
import {language, t} from '../app/texts.js';
import {gameName, playerName} from '../ui/words.js';

const PLACE = 'endstation.games'; /* in sessionStorage */

/* Everything, the game changed last first. `words`: what is searched for; `played`: '' or what
 * playedOf() gives; `state`: '' open over; `company`: '' solo bots people. */
const EVERYTHING = {words: '', played: '', state: '', company: '', order: 'changed'};

export const isEverything = ({order, ...query}) =>
    Object.entries(query).every(([name, value]) => value === EVERYTHING[name]);

/* What was chosen before in this tab. */
export function recallQuery() {
    try {
        const kept = JSON.parse(sessionStorage.getItem(PLACE)) ?? {};
        return Object.fromEntries(Object.entries(EVERYTHING).map(([name, usual]) =>
            [name, typeof kept[name] === 'string' ? kept[name] : usual]));
    } catch {
        return {...EVERYTHING};
    }
}

export function keepQuery(query) {
    try {
        sessionStorage.setItem(PLACE, JSON.stringify(query));
    } catch {
        /* It is for convenience only. */
    }
}

/* Letters without accents, all small. */
const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const isPerson = ({bot}) => !bot;

function companyOf({players}) {
    if (players.length === 1) return 'solo';
    return players.filter(isPerson).length > 1 ? 'people' : 'bots';
}

/* The best result of a person; of a bot where only bots play. */
function scoreOf({players}) {
    const people = players.filter(isPerson);
    return Math.max(...(people.length > 0 ? people : players).map(({score}) => score));
}

/* What is played, as choices {value, name}: the game, and its sheet where it has several. */
function playedOf(state) {
    const game = faceOf(state.game).name();
    const whole = {value: state.game, name: game};
    const name = gameName(state);
    return state.map && name !== game
        ? [whole, {value: `${state.game} ${state.map.hash ?? state.map.id}`,
            name: t('{game}: {sheet}', {game, sheet: name})}]
        : [whole];
}

/* What can be asked about a game, of the game and its outline (outlines.js; null: not known). */
export function describe(game, state) {
    const common = {game, state: game.over ? 'over' : 'open'};
    if (!state)
        return {...common, name: game.title, text: fold(game.title), played: [], company: '',
            score: -Infinity};
    const played = playedOf(state);
    const words = [game.title, ...played.map(({name}) => name),
        ...state.players.map((_, i) => playerName(state, i + 1))];
    return {...common, name: gameName(state), text: fold(words.join('\n')), played,
        company: companyOf(state), score: scoreOf(state)};
}

const compareNames = (a, b) => a.localeCompare(b, language(), {numeric: true});

/* Orders games as statistics count them: the oldest first. */
export const byAge = (a, b) => a.created - b.created || (a.id < b.id ? -1 : 1);

const ORDERS = {
    changed: (a, b) => b.game.changed - a.game.changed,
    newest: (a, b) => b.game.created - a.game.created,
    oldest: (a, b) => a.game.created - b.game.created,
    score: (a, b) => (a.score === b.score ? 0 : b.score - a.score),
    name: (a, b) => compareNames(a.name, b.name),
};

/* The descriptions that a query asks for, in its order; equal ones by the latest change. */
export function answer(query, described) {
    const words = fold(query.words).split(/\s+/).filter(Boolean);
    const order = ORDERS[query.order] ?? ORDERS.changed;
    return described.filter(({text, played, state, company}) =>
        words.every((word) => text.includes(word)) &&
        (!query.played || played.some(({value}) => value === query.played)) &&
        (!query.state || state === query.state) &&
        (!query.company || company === query.company))
        .sort((a, b) => order(a, b) || ORDERS.changed(a, b));
}

/* Everything that is played in some of them: [{value, name}, …], by name. */
export function allPlayed(described) {
    const found = new Map(described.flatMap(({played}) => played)
        .map(({value, name}) => [value, {value, name}]));
    return [...found.values()].sort((a, b) => compareNames(a.name, b.name));
}
