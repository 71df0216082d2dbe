/* Results of analyses, kept with their games: a game's `analysis` is
 *
 *     {1: {version, events, lines, hindsight}}
 *
 * by player: the version of the page that found them, the length of the player's view, a line for
 * each node, and what hindsight would have made of it, {points} or {}. They serve only that
 * version, and only until the game goes on. */
import {ask, transact} from './database.js';
import {version} from '../app/versions.js';

const isText = (value) => typeof value === 'string';

/* What is kept of a game for a player whose view has that many events and nodes; null: nothing. */
export function recall(game, player, events, nodes) {
    const found = game.analysis?.[player];
    const fits = found?.version === version() && found.events === events &&
        Array.isArray(found.lines) && found.lines.length === nodes && found.lines.every(isText);
    const points = found?.hindsight?.points;
    return fits ? {lines: [...found.lines], hindsight: Number.isInteger(points) ? {points}
        : found.hindsight && {}} : null;
}

/* Keeps it, if the game is still the one that was analysed; `game` gets it too. Nothing else about
 * the game changes, its revision neither: other tabs lose nothing by not knowing of it. What cannot
 * be kept is found again. */
export async function keep(game, player, found) {
    const entry = {version: version(), ...found};
    game.analysis = {...game.analysis, [player]: entry};
    try {
        await transact('readwrite', ['games'], async (shelf) => {
            const item = await ask(shelf.get(game.id));
            if (item?.record !== game.record) return;
            await ask(shelf.put({...item, analysis: {...item.analysis, [player]: entry}}));
        });
    } catch (error) {
        console.info('analysis', error);
    }
}
