/* What is taught: a game with a seed, so that the same cards and tiles come to everybody, and steps
 * through it. The seeds were searched for: each brings what there is to learn in a good order.
 *
 * A step is
 *
 *     text         what to do or to know; a function, since the language may change
 *     at           what it speaks of: a selector in the table
 *     clear        selectors of what else must not be covered
 *     keys         how to do it by keyboard
 *     done(now)    whether it has been done, of {state, plan}; without it the reader says so
 *     may          the move that may be made meanwhile, or true for any; without it none
 *     wrong(now)   a friendly word when something else was chosen, or '' */
import {t} from './texts.js';

const seed = (last) => `seed ${last.padStart(64, '0')}`;

/* ---- verplant: cards 4 + 3 x3 o 6, then 3 x2 4 5 -------------------------------------------- */

const VERPLANT = `endstation-record 1
game verplant
map practice
players 1
${seed('18af7')}

`;

const line = (state, letter) => state.players[0].lines.find((one) => one.letter === letter);
const round = (state, n) => state.round > n;
const marks = (plan, letter) => plan?.line === letter ? plan.marks.length : -1;
const other = (letter) => ({plan}) => plan?.line && plan.line !== letter
    ? t('That is line {line}. You can choose it later; now take line {wanted}.',
        {line: plan.line, wanted: letter}) : '';

const verplantSteps = () => [
    {
        text: () => t('This is your sheet: five metro lines. Mark stations, and complete lines.'),
        at: '[data-guide=picture]',
    },
    {
        text: () => t('Each round a card is turned up. A 4 marks up to four stations of one line.'),
        at: '[data-guide=card]',
    },
    {
        text: () => t('A line begins at its wagon. Tap the wagon of line D.'),
        at: '#wagon-D', clear: ['#station-a1', '#station-a2', '#station-r1', '#station-a3'],
        keys: ['D'], done: ({plan}) => marks(plan, 'D') >= 0, wrong: other('D'),
    },
    {
        text: () => t('These four marks are only planned. Tap Windy Hill to make fewer.'),
        at: '#station-a2', clear: ['#station-a1', '#station-r1', '#station-a3', '#wagon-D'],
        keys: ['2'], done: ({plan}) => marks(plan, 'D') >= 0 && marks(plan, 'D') < 4,
        wrong: other('D'),
    },
    {
        text: () => t('Marks that you leave out are lost. Tap Guildhall to make all four.'),
        at: '#station-a3', clear: ['#station-a1', '#station-a2', '#station-r1', '#wagon-D'],
        keys: ['4'], done: ({plan}) => marks(plan, 'D') === 4, wrong: other('D'),
    },
    {
        text: () => t('Changed your mind? Undo takes back what is not confirmed. Try it.'),
        at: '[data-guide=undo]',
        keys: ['Backspace'], done: ({plan}) => plan?.plan === '',
    },
    {
        text: () => t('Now choose line D once more, all four marks, and press Confirm.'),
        at: '[data-guide=confirm]', clear: ['#wagon-D', '#station-a3'],
        keys: ['D', 'Enter'], may: '1 D4', done: ({state}) => round(state, 1), wrong: other('D'),
    },
    {
        text: () => t('The 4 stands in a window of the wagon. A line with full windows is closed.'),
        at: '#wagon-D', clear: ['#station-a1', '#station-a2', '#station-r1', '#station-a3'],
    },
    {
        text: () => t('A transfer marks one station and counts its lines. Choose line D again.'),
        at: '#wagon-D', clear: ['#station-ce'], keys: ['D'],
        done: ({plan}) => marks(plan, 'D') === 1, wrong: other('D'),
    },
    {
        text: () => t('Four lines meet at Central: a framed 4, and it counts double. Confirm it.'),
        at: '#station-ce', clear: ['#wagon-D'], keys: ['Enter'],
        may: '1 D1', done: ({state}) => round(state, 2), wrong: other('D'),
    },
    {
        text: () => t('A 3, and line D lacks three stations. Choose it, and confirm.'),
        at: '#wagon-D', clear: ['#station-r1', '#station-a3', '#station-a4', '#station-a5'],
        keys: ['D', 'Enter'], may: '1 D3', done: ({state}) => line(state, 'D').done,
        wrong: other('D'),
    },
    {
        text: () => t('Line D is complete: 5 points. With others, only the first get the diamond.'),
        at: '#value-D',
    },
    {
        text: () => t('A number stops at a marked station. An express jumps it. Put it on line B.'),
        at: '#wagon-B', clear: ['#station-n1', '#station-r2', '#station-ce', '#station-r6'],
        keys: ['B', 'Enter'], may: '1 B3', done: ({state}) => round(state, 4), wrong: other('B'),
    },
    {
        text: () => t('A free ride marks any station, no window: now Botanic Garden, on line B.'),
        at: '#station-s1', keys: ['B', 'Enter'], may: '1 @s1',
        done: ({state}) => round(state, 5),
        wrong: ({plan}) => plan?.plan && plan.plan !== '1 @s1'
            ? t('One more mark completes line B: Botanic Garden, at its end.') : '',
    },
    {
        text: () => t('Here stands what is left in the pile. After a 6 all cards are shuffled.'),
        at: '[data-guide=pile]',
    },
    {
        text: () => t('Not sure? The hint says what the best bot would do. Try it, or go on.'),
        at: '[data-guide=hint]',
    },
    {
        text: () => t('The 6 is yours: any line you like. C is a ring: it can go either way.'),
        at: '#wagon-C', clear: ['#wagon-A', '#wagon-E'],
        keys: ['A', 'C', 'E', 'Enter'], may: true, done: ({state}) => round(state, 6),
    },
    {
        text: () => t('It ends when all windows are full. Alone, an empty station costs a point.'),
        at: '[data-guide=picture]',
    },
];

/* ---- metro: six tiles lie, and player 1 can take the line of station 3 to the centre -------- */

const METRO = `endstation-record 1
game metro
players 2
bot 2 casual
${seed('608')}

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

const metroSteps = () => [
    {
        text: () => t('Everybody builds on this board. Yellow wagons are your stations.'),
        at: '[data-guide=picture]',
    },
    {
        text: () => t('At each a line begins. Make yours long: every tile is a point.'),
        at: '#station-3', clear: ['#square-f1', '#square-f2', '#square-e2'],
    },
    {
        text: () => t('This is your tile. It fits on all squares that glow: tap any of them.'),
        at: '[data-guide=hand]', clear: ['#square-d2', '#square-f3', '#square-e3'],
        keys: ['←', '→'], done: ({plan}) => Boolean(plan?.square),
    },
    {
        text: () => t('That is only a plan. Now tap e3, next to the central station.'),
        at: '#square-e3', clear: ['#centre'], keys: ['←', '↑', '↓', '→'],
        done: ({plan}) => plan?.square === 'e3',
    },
    {
        text: () => t('Your line from station 3: four tiles, doubled at the centre. Confirm it.'),
        at: '#square-e3', clear: ['#centre', '#square-f1', '#square-f2', '#station-3'],
        keys: ['Enter'], may: '1 accd e3', done: ({state}) => state.placed > 6,
        wrong: ({plan}) => plan?.square && plan.square !== 'e3'
            ? t('Square e3 brings 8 points; do not miss them.') : '',
    },
    {
        text: () => t('8 points; the wagon is turned, its line is done. Now the bot lays a tile.'),
        at: '[data-guide=picture]', done: laidMore(8),
    },
    {
        text: () => t('You hold a new tile. You may draw another instead: draw, and confirm.'),
        at: '[data-guide=draw]', clear: ['[data-guide=hand]'],
        keys: ['D', 'Enter'], may: true,
        done: ({state}) => state.drawn !== '' || state.placed > 8,
    },
    {
        text: () => t('It must be laid. Lengthen a line of yours, or end one of blue’s early.'),
        at: '[data-guide=hand]', clear: ['[data-guide=picture]'],
        keys: ['←', '→', 'Enter'], may: true, done: ({state}) => state.placed > 8,
    },
    {
        text: () => t('A tap on a station lights up its line. Most points win when all tiles lie.'),
        at: '#station-7',
    },
];

export const LESSONS = {
    verplant: {record: VERPLANT, title: 'Practice', steps: verplantSteps},
    metro: {record: METRO, title: 'Metro', steps: metroSteps},
};

/* For help: what is drawn, on which sheet, for whom, what is lit, a move that is only planned, and
 * which parts of the picture matter, whose ids begin with `help-`. */
const CROSSING = `endstation-map 1
id crossing
title Crossing
paper f4f1e6
station d1 1 2
station d2 2 2
station d3 3 2
station d4 4 2
station ce 5 2
station d5 6 2
station a1 4.2 1.2
station a2 5.8 2.8
station b1 5 1
station b2 5 3
station c1 5.8 1.2
station c2 4.2 2.8
line A b82a1c windows 2 points 4 2 wagon 3.4 0.4 : a1 ce a2
line B 1f74d6 windows 2 points 3 2 wagon 5 0.2 : b1 ce b2
line C 1f9a6e windows 2 points 6 4 wagon 6.6 0.4 : c1 ce c2
line D b37e08 windows 3 points 5 3 wagon 0.2 2 : d1 d2 d3 d4 ce d5
`;
const played = 'card 4\n1 D4\ncard +\n1 D1\n';
export const VERPLANT_EXAMPLE = {map: CROSSING,
    record: VERPLANT.replace('practice', 'crossing') + played, viewer: 1,
    parts: '.wagon, .station'};
export const METRO_EXAMPLE = {record: METRO, viewer: 1, lit: 3, plan: '1 accd e3',
    parts: '#help-station-6, #help-station-2, #help-centre'};
