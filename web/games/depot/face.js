/* The face of depot (faces.js), a small game that only tests know: the template for a new face. po/
 * has no texts of such games: they are in English whatever the page speaks. */
import {h} from '../../ui/dom.js';
import {replay, table} from '../defaultface.js';
import {addFace} from '../faces.js';
import {t, tn} from '../../app/texts.js';
import {full, said} from '../../ui/words.js';

const parked = ({number, place, gain}) => tn('Wagon {number} on {place}: {n} point',
    'Wagon {number} on {place}: {n} points', gain, {number, place});

const where = ({parked: n, places: all}) => t('{n} of {all} wagons', {n, all});

/* What was rolled, as large as a card. */
const rolled = ({state}) => (state.rolled
    ? [h('p', {class: 'depot-rolled'}, t('Rolled'), h('strong', {}, String(state.rolled)))] : []);

function say(at) {
    if (at.plan?.plan) return full(parked(at.plan));
    return at.acting ? t('Park wagon {n} on any free place.', {n: at.state.rolled}) : '';
}

/* A game in play, for the first screen. */
const SHOWN = 'roll 3;1 c3;roll 4;2 c2;roll 3;1 d3;roll 1;2 a5;roll 4;1 d2;roll 2;2 b3;roll 5;' +
    '1 e2;roll 1;2 b4;roll 3;1 d4;roll 6;2 e1;roll 2';

addFace('depot', {
    name: () => t('Depot'),
    place: where,
    sentences: {
        deal: ({player, number}, state) => said(state, player, t('Rolls {number}', {number})),
        park: (fact, state) => said(state, fact.player, parked(fact)),
    },
    move: ({number, place}) => t('Wagon {number} on {place}', {number, place}),
    planned: parked,
    rule: () => [t('Corners count'), t('Wagons corner to corner are neighbours, too.')],
    card: () => ({
        shown: {setup: {seats: [{}, {}]}, events: SHOWN.split(';')},
        text: t('Park wagon after wagon. Neighbours with the same number bring two points, those ' +
            'with the next one a point.'),
        tags: [t('2 to 4 players'), t('5 minutes'), t('A die and a yard')],
        play: t('At once: you and a bot that plays at random.'),
    }),
    parts: {
        table: () => ({table: {
            ...table, pause: 500, now: rolled, say,
            controls: () => [], /* a tap on a place and arrows do */
            status: ({state}) => where(state),
            keys: () => [[t('Arrow keys'), t('Move between the free places')]],
        }}),
        replay: () => ({replay: {...replay, begins: 'park', where: (n, all) =>
            t('Wagon {n} of {all}', {n, all}), now: rolled}}),
    },
});
