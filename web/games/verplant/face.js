/* The face of verplant (faces.js): its names, its words and its card on the first screen. What is
 * larger is loaded when it is asked for. */
import {addFace} from '../faces.js';
import {t, tn} from '../../app/texts.js';
import {points, said} from '../../ui/words.js';

// A sheet that is built in.
export function cityName(id) {
    switch (id) {
    case 'amsterdam': return t('Amsterdam');
    case 'berlin': return t('Berlin');
    case 'paris': return t('Paris');
    case 'madrid': return t('Madrid');
    default: return t('Practice');
    }
}

/* ---- Cards ---- */

export function cardName({kind, marks}) {
    switch (kind) {
    case 'transfer': return t('Transfer');
    case 'ride': return t('Free ride');
    case 'express': return t('Express {n}', {n: marks});
    default: return t('Number {n}', {n: marks});
    }
}

// What a card lets one do.
export function cardRule({kind, marks}) {
    switch (kind) {
    case 'transfer':
        return t('One line: write in its first empty station how many lines stop there.');
    case 'ride':
        return t('One mark in any empty station. No window is filled.');
    case 'express':
        return tn('One line: {n} mark, skipping marked stations.',
            'One line: up to {n} marks, skipping marked stations.', marks);
    default:
        return tn('One line: {n} mark.', 'One line: up to {n} marks in a row.', marks);
    }
}

/* ---- Entries ---- */

function marked(line, marks) {
    if (marks.length === 0)
        return t('Line {line}: no mark', {line});
    return tn('Line {line}: {n} mark, {station}', 'Line {line}: {n} marks, up to {station}',
        marks.length, {line, station: marks[marks.length - 1]});
}

function framed(line, station, n) {
    return n ? t('Line {line}: transfer {n} at {station}', {line, n, station})
        : t('Line {line}: transfer at {station}', {line, station});
}

function ride(station) {
    return station ? t('Free ride to {station}', {station}) : t('The free ride is not used');
}

function lineDone(fact, alone) {
    const {line, points: n, first} = fact;
    if (alone)
        return tn('Line {line} is complete: {n} point', 'Line {line} is complete: {n} points', n,
            {line});
    return first
        ? tn('First to complete line {line}: {n} point',
            'First to complete line {line}: {n} points', n, {line})
        : tn('Also completes line {line}: {n} point',
            'Also completes line {line}: {n} points', n, {line});
}

/* ---- Plans ---- */

function move(plan, {card}) {
    const {line, marks} = plan;
    if (!line || card.kind === 'ride')
        return ride(marks[0]);
    if (card.kind === 'transfer' && marks.length)
        return framed(line, marks[0], plan.framed);
    if (plan.direction && marks.length)
        return tn('Ring {line}: {n} mark, {station}', 'Ring {line}: {n} marks, up to {station}',
            marks.length, {line, station: marks[marks.length - 1]});
    return marked(line, marks);
}

function planned(plan, state) {
    const what = move(plan, state);
    return plan.gain ? t('{what} ({gain})', {what, gain: points(plan.gain)}) : what;
}

/* ---- Results ---- */

// The grade of a solo game, 0 (best) to 7.
export function gradeName(grade) {
    return [
        t('The city renames its central station after you.'),
        t('Trains wave at you as they pass, exactly on time.'),
        t('A network that makes commuting a pleasure.'),
        t('Most people arrive, some of them even where they wanted to.'),
        t('The replacement buses get rave reviews.'),
        t('It’s a pretty map. Just don’t ask for a timetable.'),
        t('One train runs. Nobody knows why.'),
        t('Passengers are advised to walk.'),
    ][grade] || '';
}

/* ---- The face ---- */

// A game in play, for the first screen.
const SHOWN =
    'card 3;1 E3;card +;1 H1;card 5;1 C5;card 3;1 C3;card 5;1 E5;card 4;1 B4;card x3;1 G3;' +
    'card o;1 @rok;card 3;1 D3;card 4;1 C4;card x2;1 I2;card 6;1 A6;card 4;1 D4;card 6';

const later = () => import('./later.js');

addFace('verplant', {
    name: () => t('Verplant'),
    // Sheets of one's own keep their names; earlier versions of a city are told apart from it.
    title({map: {title, built_in: builtIn, earlier}}) {
        if (!builtIn) return title;
        const name = t(title); // text
        return earlier ? t('{name} (earlier version)', {name}) : name;
    },
    place: ({round}) => t('Round {n}', {n: round}),
    sentences: {
        card: (fact) => fact.shuffled
            ? t('The cards are shuffled. Card: {card}', {card: cardName(fact.card)})
            : t('Card: {card}', {card: cardName(fact.card)}),
        entry: (fact, state) => said(state, fact.player, fact.framed
            ? framed(fact.line, fact.marks[0], fact.framed) : marked(fact.line, fact.marks)),
        ride: (fact, state) => said(state, fact.player, ride(fact.station)),
        done: (fact, state) => said(state, fact.player,
            lineDone(fact, state.players.length === 1)),
    },
    move, planned,
    same: () => t('Same cards again'),
    tie: (player) => t('{player} wins the tie with fewer empty stations', {player}),
    grade: ({grade}) => gradeName(grade),
    rivals: (name) => (name ? t('Bots in place of {name}, with the same cards', {name})
        : t('Bots with the same cards')),
    card: () => ({
        shown: {setup: {map: 'amsterdam', seats: [{}]}, events: SHOWN.split(';')},
        text: t('Flip a card, write it in the window of a train and cross off stations. ' +
            'Complete lines before the others do.'),
        tags: [t('1 to 6 players'), t('15 minutes'), t('Pencil and paper')],
        play: t('Quick start: solo, Amsterdam.'),
        learn: t('Learn Verplant in two minutes'),
    }),
    atOnce: (me) => ({choices: {map: 'amsterdam', seats: [me]}, title: 'Amsterdam'}),
    ways: () => [['#companion', 'card', t('Conductor'),
        t('Playing on paper? This page flips the cards for you.')]],
    screens: {companion: async () => (await later()).companion},
    parts: {
        analysis: later,
        fair: later,
        help: later,
        lesson: later,
        print: later,
        problems: later,
        replay: later,
        setup: later,
        statistics: later,
        table: () => import('./table.js'),
    },
});
