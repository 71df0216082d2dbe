/* Metro looked at again: tile by tile; a station that is pointed at lights up its line. Hands are
 * open once the game is over. */
import {h} from '../../ui/dom.js';
import {runLight} from '../../ui/lights.js';
import {t} from '../../app/texts.js';
import {playerName, tell} from '../../ui/words.js';
import {stationLine} from './face.js';
import {tileDrawn, tilePicture, wagon} from './parts.js';

/* The wagon, points, and the hand where it may be seen. */
function player(at, one, seat) {
    const {engine, last, state} = at;
    const seen = last.over ? engine.state(seat).players[seat - 1] : one;
    return h('div', {class: 'replay-rider'}, wagon(engine, seat, 'replay-wagon'),
        h('span', {class: 'replay-name'}, h('strong', {}, playerName(state, seat)),
            at.score(one, state.winners.includes(seat))),
        h('span', {class: 'replay-hand'}, seen.hand.map((tile) =>
            tilePicture(engine, tile, 'replay-tile'))));
}

export const replay = {
    begins: 'lay',
    early: 'draw', /* the tile that is laid then was drawn for it */
    bare: true,
    head: ({engine, last}, fact, n) => [tileDrawn(engine, fact.tile, 'replay-tile', fact.turns),
        t('{n}: {what}', {n, what: tell(fact, last)})],
    where: (n, all) => t('Tile {n} of {all}', {n, all}),
    player,
    lit: (element) => Number(element.closest?.('.station')?.dataset.station ?? 0),
    litWords: (lit, state) => stationLine(state.stations[lit - 1], state),
    after: (at, facts) => facts.filter(({what}) => what === 'finish').forEach(({station}) =>
        runLight(at.inner, at.picture({lit: station, bare: true, prefix: 'light-'}))),
};
