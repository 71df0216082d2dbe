/* The face of metro (faces.js): its names, its words and its card on the first screen. What is
 * larger is loaded when it is asked for. */
import {addFace} from '../faces.js';
import {t, tn} from '../../app/texts.js';
import {playerName, said} from '../../ui/words.js';

/* ---- Tiles and lines ---- */

// A line that is finished, or would be: 'Line 5: 12 points for Ada'.
function lineFinished(fact, state) {
    const {station, owner, tiles, end, points: n} = fact;
    if (end === 'centre')
        return owner
            ? t('Line {station} reaches the centre: {tiles} × 2 = {n} points for {player}', {
                station, tiles, n, player: playerName(state, owner)})
            : t('Line {station} reaches the centre, but has no owner', {station});
    return owner
        ? tn('Line {station}: {n} point for {player}', 'Line {station}: {n} points for {player}', n,
            {station, player: playerName(state, owner)})
        : t('Line {station} is finished, but has no owner', {station});
}

// A station and its line as it is now (state.stations).
export function stationLine(fact, state) {
    const {station, owner, tiles, end} = fact;
    if (end)
        return lineFinished(fact, state);
    return owner
        ? tn('Line {station} of {player}: {n} tile', 'Line {station} of {player}: {n} tiles', tiles,
            {station, player: playerName(state, owner)})
        : tn('Line {station} (no owner): {n} tile', 'Line {station} (no owner): {n} tiles', tiles,
            {station});
}

// A line that a tile would make longer.
function lineLonger({station, owner, more, to}, state) {
    return owner
        ? tn('Line {station} of {player}: {n} tile longer, on to {square}',
            'Line {station} of {player}: {n} tiles longer, on to {square}', more,
            {station, player: playerName(state, owner), square: to})
        : tn('Line {station} (no owner): {n} tile longer, on to {square}',
            'Line {station} (no owner): {n} tiles longer, on to {square}', more,
            {station, square: to});
}

function laid({turns, square}) {
    return turns
        ? t('Tile turned by {degrees}°, on {square}', {degrees: 90 * turns, square})
        : t('Tile on {square}', {square});
}

/* ---- Plans ---- */

// Which of the tiles in hand it is, if there are several; on what square, and what it does.
function laying(plan, state, effects) {
    const {hand, square} = plan;
    if (!square)
        return t('Draw a tile from the stock');
    const tile = hand && state.hand_size > 1
        ? t('{n}: {what}', {n: hand, what: laid(plan)}) : laid(plan);
    return effects.length ? t('{tile}: {lines}', {tile, lines: effects.join('; ')}) : tile;
}

const finished = ({finish = []}, state) => finish.map((line) => lineFinished(line, state));

function move(plan, state) {
    return laying(plan, state, finished(plan, state));
}

function planned(plan, state) {
    const {longer = []} = plan;
    return laying(plan, state, [...finished(plan, state),
        ...longer.map((line) => lineLonger(line, state))]);
}

/* ---- The face ---- */

// A game in play, for the first screen.
const SHOWN =
    'deal 1 dbcd;deal 2 cdac;deal 3 adbb;1 dbcd h3;deal 1 bbbb;2 cdac f8;deal 2 dada;' +
    '3 adbb f1;deal 3 bcbc;1 draw;deal 1 cbcb;1 cbcb h6;2 dada h4;deal 2 aacb;3 bcbc d8;' +
    'deal 3 dacc;1 bbbb h2;deal 1 accd;2 aacb g4;deal 2 aaaa;3 dacc h7;deal 3 aaaa;1 accd c8;' +
    'deal 1 badb;2 aaaa g1;deal 2 cddb;3 aaaa f4;deal 3 aacb;1 badb g2;deal 1 dbba;2 cddb g7;' +
    'deal 2 bcbc;3 draw;deal 3 badb;3 badb c7;1 dbba f2;deal 1 cbaa;2 bcbc a7;deal 2 aacb;' +
    '3 aacb d1;deal 3 bcbc;1 cbaa a3;deal 1 baac;2 aacb e8;deal 2 aaaa;3 bcbc h5;deal 3 bbbb;' +
    '1 baac f3;deal 1 acba;2 aaaa a1;deal 2 aaaa;3 bbbb e1;deal 3 bbad;1 acba c1;deal 1 ccda;' +
    '2 aaaa h1;deal 2 baac;3 draw;deal 3 cbcb;3 cbcb b7;1 ccda g3;deal 1 accd;2 baac e2;' +
    'deal 2 ddbc;3 bbad b8;deal 3 bcdd;1 draw;deal 1 cccc;1 cccc g6;2 ddbc g5;deal 2 cbcb;' +
    '3 draw;deal 3 cbaa;3 cbaa e7;1 draw;deal 1 dddd;1 dddd e3;2 cbcb f7;deal 2 dbcd;' +
    '3 bcdd f5;deal 3 acba;1 accd c2;deal 1 cdac';

const later = () => import('./later.js');

addFace('metro', {
    name: () => t('Metro'),
    place: ({placed, tiles}) => t('{n} of {all} tiles', {n: placed, all: tiles}),
    sentences: {
        deal: (fact, state) => fact.tile && fact.tile !== '?'
            ? said(state, fact.player, t('Takes a tile')) : '',
        draw: (fact, state) => said(state, fact.player, t('Draws a tile instead')),
        lay: (fact, state) => said(state, fact.player, laid(fact)),
        finish: lineFinished,
    },
    move, planned,
    same: () => t('Same tiles again'),
    rivals: (name) => (name
        ? t('Bots in every seat, with the same tiles: points in the place of {name}', {name})
        : t('Bots in every seat, with the same tiles: points in your place')),
    card: () => ({
        shown: {setup: {seats: [{}, {}, {}]}, events: SHOWN.split(';')},
        text: t('Lay tile after tile and send your trains the long way round. Long lines score ' +
            'more, and double if they end in the centre.'),
        tags: [t('2 to 6 players'), t('20 minutes'), t('Tiles and tracks')],
        play: t('Quick start: you against a casual bot.'),
        learn: t('Learn Metro in two minutes'),
    }),
    atOnce: (me) => ({choices: {seats: [me, {level: 'casual'}]}, title: 'Metro'}),
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
