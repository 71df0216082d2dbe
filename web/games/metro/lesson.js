/* The first game of metro (web/table/lesson.js): six tiles lie, and player 1 can take the line of
 * station 3 to the centre. */
import {t} from '../../app/texts.js';

export const RECORD = `endstation-record 1
game metro
players 2
bot 2 casual
seed ${'608'.padStart(64, '0')}

deal 1 ddbc
deal 2 acba
1 ddbc g8
deal 1 cddb
2 acba e1
deal 2 aaaa
1 draw
deal 1 aacb
1 aacb f1
2 aaaa g1
deal 2 cbaa
1 cddb f2
deal 1 accd
2 cbaa e2
deal 2 aacb
`;

const mine = (state) => state.turn.includes(1);
const laidMore = (n) => ({state}) => state.placed >= n && mine(state);

const steps = () => [
    {
        text: () => t('Everyone builds on this board. The stations with a yellow train are yours.'),
        at: '[data-guide=picture]',
    },
    {
        text: () => t('A line starts at each station. Make yours long: every tile is a point.'),
        at: '#station-3', clear: ['#square-f1', '#square-f2', '#square-e2'],
    },
    {
        text: () => t('This is your tile. It can go on any glowing square: tap one.'),
        at: '[data-guide=hand]', clear: ['#square-d2', '#square-f3', '#square-e3'],
        keys: ['←', '→'], done: ({plan}) => Boolean(plan?.square),
    },
    {
        text: () => t('Nothing is final yet. Now tap e3, next to the central station.'),
        at: '#square-e3', clear: ['#centre'], keys: ['←', '↑', '↓', '→'],
        done: ({plan}) => plan?.square === 'e3',
    },
    {
        text: () => t('Your line from station 3: four tiles, doubled at the centre. Confirm it.'),
        at: '#square-e3', clear: ['#centre', '#square-f1', '#square-f2', '#station-3'],
        keys: ['Enter'], may: '1 accd e3', done: ({state}) => state.placed > 6,
        wrong: ({plan}) => plan?.square && plan.square !== 'e3'
            ? t('Square e3 is worth 8 points; don’t miss out.') : '',
    },
    {
        text: () => t('8 points. The train is turned sideways: its line is done. Now the bot ' +
            'lays a tile.'),
        at: '[data-guide=picture]', done: laidMore(8),
    },
    {
        text: () => t('You have a new tile. You may draw another instead: draw and confirm.'),
        at: '[data-guide=draw]', clear: ['[data-guide=hand]'],
        keys: ['D', 'Enter'], may: true,
        done: ({state}) => state.drawn !== '' || state.placed > 8,
    },
    {
        text: () => t('You must lay the tile you drew. Extend one of your lines, or end one of ' +
            'blue’s early.'),
        at: '[data-guide=hand]', clear: ['[data-guide=picture]'],
        keys: ['←', '→', 'Enter'], may: true, done: ({state}) => state.placed > 8,
    },
    {
        text: () => t('Tap a station to light up its line. When all tiles are laid, the highest ' +
            'score wins.'),
        at: '#station-7',
    },
];

export const lesson = {
    record: RECORD, title: 'Metro', steps,
    doors: () => [t('Play against a bot'), t('Finish this game')],
};
