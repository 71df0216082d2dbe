/* Verplant in the help: the rules in short, its keys, who made it. */
import {h} from '../../ui/dom.js';
import {figure, keys, list, p} from '../../screens/help.js';
import {t} from '../../app/texts.js';
import {cardName, cardRule} from './face.js';
import {RECORD} from './lesson.js';
import {cardPicture} from './parts.js';

const DECK = ['3', 'x2', '+', 'o'];

/* A sheet on which a line crosses three others. */
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
const EXAMPLE = {map: CROSSING, record: RECORD.replace('practice', 'crossing') + played, viewer: 1,
    parts: '.wagon, .station'};

function cards(engine) {
    return h('ul', {class: 'help-cards'}, DECK.map((code) => {
        const card = engine.pieceFacts('verplant', code);
        return h('li', {}, cardPicture(engine, card),
            h('div', {}, h('strong', {}, cardName(card)), h('p', {}, cardRule(card))));
    }));
}

function rules(engine) {
    return [
        p(t('Everyone plays on the same sheet: a metro map of lines and stations.'),
            t('Mark stations, complete lines, and leave as few stations empty as you can.')),
        p(t('Each round, one card is flipped for everyone.'),
            t('Each player writes it in a free window of one line and marks stations there.')),
        figure(engine, EXAMPLE,
            t('Line D after a 4 and a transfer: four crosses, and a 4 where four lines meet.')),
        cards(engine),
        list(
            t('Marks start at the first empty station after the train.'),
            t('A number stops before a station that is already marked; an express skips it.'),
            t('You may always mark fewer stations, or none, but you must fill a window.'),
            t('A line without a free window cannot be chosen any more.'),
            t('A ring runs both ways from its train; choose the direction each time.'),
            t('If the optional rule for special stations is on, marking one means using the same ' +
                'card again.'),
            t('After a 6, all cards go back into the pile, and it is reshuffled.')),
        h('h3', {}, t('Points')),
        list(
            t('A completed line scores the diamond for whoever finishes it first, the square ' +
                'for everyone later.'),
            t('Players who are first in the same round all get the diamond.'),
            t('Framed numbers count double.'),
            t('Every two empty stations cost one point.'),
            t('When all windows are full, the highest score wins; a tie goes to the player with ' +
                'fewer empty stations. If those are equal too, the win is shared.'),
            t('Playing solo, a completed line always scores the diamond, and each empty station ' +
                'costs a point.')),
    ];
}

export const help = {
    title: () => t('Verplant in brief'),
    rules,
    keys: () => keys(
        [['A', 'B', '…'], t('Choose a line')],
        [['0', '1', '…'], t('Number of marks')],
        [['←', '→'], t('Fewer or more marks; on a ring, the direction')]),
    learn: () => t('Learn Verplant by playing'),
    about: () => t('Verplant is a game by Hisashi Hayashi, sold as Voll verplant, Metrolijn and ' +
        'Metro X.'),
};
