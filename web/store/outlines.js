/* Facts of kept games for lists: who played, on what, how far it has come. Finding them means that
 * C reads the whole record, so it is done once, and kept with the game. A game's `facts` are
 *
 *     {version, revision, changed, state}
 *
 * the version of the page that found them, the game's revision and `changed` then, and the state
 * as a spectator sees it (page.h), of which only plain values are kept: those of the state itself,
 * of the sheet and of each player. They have no words of a language in them, and serve only that
 * version, and only until the game goes on. */
import {ask, transact} from './database.js';
import {loadEngine} from '../engine/engine.js';
import {version} from '../app/versions.js';

const AT_ONCE = 5; /* games read before the page gets to do something else */
const KEPT_AT_ONCE = 50;

let engine = null;

const isPlain = (value) => ['string', 'number', 'boolean'].includes(typeof value);
const isObject = (value) => value !== null && typeof value === 'object';
const plain = (object) => Object.fromEntries(Object.entries(object)
    .filter(([, value]) => isPlain(value)));

/* The plain values of a state, from which a list can word the game. */
export function outline(state) {
    return {...plain(state), winners: [...state.winners], players: state.players.map(plain),
        ...state.map && {map: plain(state.map)}};
}

/* The outline that is kept with a game, or null. */
export function recall({facts, revision, changed}) {
    const fits = isObject(facts) && facts.version === version() && facts.revision === revision &&
        facts.changed === changed && isObject(facts.state) && isPlain(facts.state.game) &&
        Array.isArray(facts.state.winners) && Array.isArray(facts.state.players) &&
        facts.state.players.every(isObject);
    return fits ? facts.state : null;
}

/* Keeps outlines, [[game, state], …], each if the game is still the one that was read. Nothing else
 * about the games changes, their revisions neither. What cannot be kept is found again. */
async function keep(found) {
    try {
        await transact('readwrite', ['games'], async (shelf) => {
            for (const [{id, revision, changed}, state] of found) {
                const item = await ask(shelf.get(id));
                if (item?.changed !== changed || (item.revision ?? 0) !== revision) continue;
                const facts = {version: version(), revision, changed, state};
                await ask(shelf.put({...item, facts}));
            }
        });
    } catch (error) {
        console.info('facts', error);
    }
}

/* Lets the browser handle input and paint first. */
const breathe = () => new Promise((resolve) => setTimeout(resolve, 0));

/* Reads games one after the other and keeps what is found. Calls found(game, outline) for each,
 * with null for one that cannot be read, and paused() after each piece of work; stops when
 * `signal` is aborted. */
export async function findFacts(games, {found, paused, signal}) {
    engine ??= await loadEngine();
    let fresh = [];
    for (const [i, game] of games.entries()) {
        if (i % AT_ONCE === 0) await breathe();
        if (signal.aborted) break;
        let state = null;
        try {
            engine.map(game.map);
            engine.open(game.record);
            state = outline(engine.state(0));
            fresh.push([game, state]);
        } catch (error) {
            if (!error.status) {
                engine = null;
                throw error; /* not about this game */
            }
        }
        found(game, state);
        if (fresh.length < KEPT_AT_ONCE && i + 1 < games.length) continue;
        await keep(fresh);
        fresh = [];
        if (!signal.aborted) paused();
    }
    await keep(fresh);
}
