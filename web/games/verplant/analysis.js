/* Verplant analysed (analysis.js): cards, and why another entry is better. */
import {t, tn} from '../../app/texts.js';
import {list} from '../../ui/words.js';
import {cardName} from './face.js';
import {cardPicture} from './parts.js';

const codeOf = (event) => event.replace('card ', '');

/* ---- Reasons (src/games/verplant/table.h lists the facts) ------------------------------------ */

function complete({lines, points, playedPoints}) {
    const values = {lines: list(lines.map((line) => t('line {line}', {line}))),
        played: playedPoints};
    if (playedPoints > 0)
        return tn('The better move completes {lines}: {n} point, instead of {played}',
            'The better move completes {lines}: {n} points, instead of {played}', points, values);
    return tn('The better move completes {lines}: {n} point',
        'The better move completes {lines}: {n} points', points, values);
}

function transfer({name, number: framed, points, playedPoints}) {
    return t('The better move writes a {framed} at {station}: {points} points, instead of {played}',
        {framed, station: name, points, played: playedPoints});
}

function beyond({line, left, windows, most}) {
    if (windows === 0)
        return tn('The move played uses the last window of line {line}, with {n} station still ' +
            'empty', 'The move played uses the last window of line {line}, with {n} stations ' +
            'still empty', left, {line});
    return tn('After the move played, {n} station of line {line} is empty: too many for its ' +
        'windows ({windows}), with at most {most} marks each',
    'After the move played, {n} stations of line {line} are empty: too many for its windows ' +
        '({windows}), with at most {most} marks each', left, {line, windows, most});
}

const REASONS = {
    complete,
    transfer,
    extra: ({entries, playedEntries}) => tn(
        'Special stations then allow {n} more entry with this card, instead of {played}',
        'Special stations then allow {n} more entries with this card, instead of {played}',
        entries, {played: playedEntries}),
    marks: ({marks, playedMarks}) => tn('The better move marks {n} station, instead of {played}',
        'The better move marks {n} stations, instead of {played}', marks, {played: playedMarks}),
    beyond,
    lost: ({stations, playedStations}) => tn(
        'After the move played, {n} empty station is on no line with a free window; after the ' +
            'better one {better}',
        'After the move played, {n} empty stations are on no line with a free window; after the ' +
            'better one {better}', playedStations, {better: stations}),
    run: ({line, marks, playedMarks}) => tn(
        'As the next card, the largest number could mark {n} station of line {line}, instead of ' +
            '{played}',
        'As the next card, the largest number could mark {n} stations of line {line}, instead ' +
            'of {played}', marks, {line, played: playedMarks}),
    next_transfer: ({name, points, playedPoints}) => t('As the next card, a transfer could bring ' +
        '{points} points at {station}, instead of {played}',
    {points, station: name, played: playedPoints}),
    nearer: ({line, points, left, playedLeft}) => tn(
        'Line {line} ({points} points) then has {n} empty station left, instead of {played}',
        'Line {line} ({points} points) then has {n} empty stations left, instead of {played}',
        left, {line, points, played: playedLeft}),
    window: ({line, left, playedWindows}) => t('The move played uses a window of line {line} ' +
        '(windows left: {windows}, empty stations: {left})', {line, windows: playedWindows, left}),
    lines: ({count, playedCount}) => tn(
        'The marks of the better move count for {n} line, instead of {played}',
        'The marks of the better move count for {n} lines, instead of {played}', count,
        {played: playedCount}),
};

/* Why another entry is better, of a fact; '' for one that is not known here. */
export function reason(fact) {
    return Object.hasOwn(REASONS, fact.what) ? REASONS[fact.what](fact) : '';
}

export const analysis = {
    reason,
    came: (engine, event) => cardName(engine.pieceFacts('verplant', codeOf(event))),
    piece: (engine, event) => cardPicture(engine, {code: codeOf(event)}),
};
