/* The first game of verplant (lesson.js). Its cards are 4 + 3 x3 o 6, then 3 x2 4 5: the seed was
 * searched for, and brings what there is to learn in a good order. */
import {t} from '../../app/texts.js';

export const RECORD = `endstation-record 1
game verplant
map practice
players 1
seed ${'18af7'.padStart(64, '0')}

`;

const line = (state, letter) => state.players[0].lines.find((one) => one.letter === letter);
const round = (state, n) => state.round > n;
const marks = (plan, letter) => plan?.line === letter ? plan.marks.length : -1;
const other = (letter) => ({plan}) => plan?.line && plan.line !== letter
    ? t('That is line {line}. You can choose it later; now take line {wanted}.',
        {line: plan.line, wanted: letter}) : '';

const steps = () => [
    {
        text: () => t('This is your sheet: five metro lines. Mark stations, and complete lines.'),
        at: '[data-guide=picture]',
    },
    {
        text: () => t('Each round, a card is flipped. A 4 marks up to four stations on one line.'),
        at: '[data-guide=card]',
    },
    {
        text: () => t('Each line starts at its train. Tap the train of line D.'),
        at: '#wagon-D', clear: ['#station-a1', '#station-a2', '#station-r1', '#station-a3'],
        keys: ['D'], done: ({plan}) => marks(plan, 'D') >= 0, wrong: other('D'),
    },
    {
        text: () => t('These four marks aren’t final yet. Tap Windy Hill to make fewer.'),
        at: '#station-a2', clear: ['#station-a1', '#station-r1', '#station-a3', '#wagon-D'],
        keys: ['2'], done: ({plan}) => marks(plan, 'D') >= 0 && marks(plan, 'D') < 4,
        wrong: other('D'),
    },
    {
        text: () => t('Marks you leave out are lost. Tap Guildhall to make all four.'),
        at: '#station-a3', clear: ['#station-a1', '#station-a2', '#station-r1', '#wagon-D'],
        keys: ['4'], done: ({plan}) => marks(plan, 'D') === 4, wrong: other('D'),
    },
    {
        text: () => t('Changed your mind? Undo takes back what you haven’t confirmed yet. Try it.'),
        at: '[data-guide=undo]',
        keys: ['Backspace'], done: ({plan}) => plan?.plan === '',
    },
    {
        text: () => t('Now choose line D once more, all four marks, and press Confirm.'),
        at: '[data-guide=confirm]', clear: ['#wagon-D', '#station-a3'],
        keys: ['D', 'Enter'], may: '1 D4', done: ({state}) => round(state, 1), wrong: other('D'),
    },
    {
        text: () => t('The 4 is now in a window of the train. Once its windows are full, a line ' +
            'is closed.'),
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
        text: () => t('A 3, and line D needs just three more stations. Choose it and confirm.'),
        at: '#wagon-D', clear: ['#station-r1', '#station-a3', '#station-a4', '#station-a5'],
        keys: ['D', 'Enter'], may: '1 D3', done: ({state}) => line(state, 'D').done,
        wrong: other('D'),
    },
    {
        text: () => t('Line D is complete: 5 points. With more players, only the first get the ' +
            'diamond’s value.'),
        at: '#value-D',
    },
    {
        text: () => t('A number stops before a marked station; an express skips it. Use this ' +
            'one on line B.'),
        at: '#wagon-B', clear: ['#station-n1', '#station-r2', '#station-ce', '#station-r6'],
        keys: ['B', 'Enter'], may: '1 B3', done: ({state}) => round(state, 4), wrong: other('B'),
    },
    {
        text: () => t('A free ride marks any one station and fills no window. Choose Botanic ' +
            'Garden on line B.'),
        at: '#station-s1', keys: ['B', 'Enter'], may: '1 @s1',
        done: ({state}) => round(state, 5),
        wrong: ({plan}) => plan?.plan && plan.plan !== '1 @s1'
            ? t('One more mark completes line B: Botanic Garden, at its end.') : '',
    },
    {
        text: () => t('Here you see what is left in the pile. After a 6, all cards are ' +
            'reshuffled.'),
        at: '[data-guide=pile]',
    },
    {
        text: () => t('Not sure? Hint shows what the best bot would do. Try it, or move on.'),
        at: '[data-guide=hint]',
    },
    {
        text: () => t('The 6 is yours: any line you like. C is a ring: it can go either way.'),
        at: '#wagon-C', clear: ['#wagon-A', '#wagon-E'],
        keys: ['A', 'C', 'E', 'Enter'], may: true, done: ({state}) => round(state, 6),
    },
    {
        text: () => t('The game ends when all windows are full. Playing solo, each empty ' +
            'station costs a point.'),
        at: '[data-guide=picture]',
    },
];

export const lesson = {
    record: RECORD, title: 'Practice', steps,
    doors: () => [t('Play Amsterdam'), t('Finish this sheet')],
};
