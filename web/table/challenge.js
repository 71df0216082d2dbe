/* A challenge: a game that somebody has played, for others to play with the same cards or tiles.
 * The link itself carries it (#challenge=DATA). */
import {button, fill, h, icon} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {beginWith, challengeFrom, cleanName, once} from './newgame.js';
import {fromLink, openRecord} from '../share/share.js';
import {t} from '../app/texts.js';
import {full, gameName, playerNames, points, reason} from '../ui/words.js';

function refuse(place, error) {
    if (!error.status && error.name !== 'ShareFault') throw error;
    fill(place, h('section', {class: 'panel message'},
        h('h1', {}, t('This game can’t be shown')),
        h('p', {role: 'alert'}, error.status ? reason(error.sentence) : error.message),
        h('div', {class: 'row'}, h('a', {class: 'button', href: '#'}, t('Home')))));
}

function invite(place, state, play) {
    const {challenge: {points: n, name}, players} = state;
    const bots = players.filter(({bot}) => bot).map(({player}) => player);
    fill(place, h('section', {class: 'panel message'},
        h('h1', {}, t('A challenge: {game}', {game: gameName(state)})),
        h('p', {}, n === undefined ? t('Play with the same cards or tiles as a friend.')
            : full(t('{name} got {points} with the same cards or tiles. Can you do better?',
                {name: name ? cleanName(name) : t('your challenger'), points: points(n)}))),
        bots.length > 0 && h('p', {class: 'muted'}, t('You play against {players}.',
            {players: playerNames(state, bots)})),
        h('div', {class: 'row'},
            button(t('Play'), {class: 'primary large', onclick: once(play)}, 'play'),
            h('a', {class: 'button', href: '#help'}, icon('help'), t('Help')))));
}

export async function show(place, parameter) {
    try {
        const {record, map: own} = await fromLink(parameter);
        const engine = await loadEngine();
        const map = await openRecord(engine, record, own);
        challengeFrom(engine);
        const state = engine.state(0);
        invite(place, state, () => beginWith(engine.record(), map, gameName(state)));
    } catch (error) {
        refuse(place, error);
    }
}
