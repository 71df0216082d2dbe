/* How far a game has come, or who has won, in a few words: for lists of games. */
import {faceOf} from '../games/faces.js';
import {t} from '../app/texts.js';
import {gameName, list, playerName, points} from './words.js';

function place(state) {
    if (state.over && state.players.length === 1) return points(state.players[0].score);
    if (state.over && state.winners.length > 0)
        return t('Won by {names}', {names: list(state.winners.map((p) => playerName(state, p)))});
    if (state.events === 0) return t('Not started');
    return faceOf(state.game).place(state);
}

/* {name, players, place}: 'Amsterdam', 'Ada: 12, Strong (bot): 9', 'Round 5'. */
export function standing(state) {
    const players = state.players.map(({player, score}) => (state.events === 0
        ? playerName(state, player)
        : t('{name}: {score}', {name: playerName(state, player), score})));
    return {
        name: gameName(state),
        players: players.join(', '),
        place: place(state),
    };
}
