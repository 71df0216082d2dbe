/* Metro analysed (analysis.js): tiles, and why another move is better. */
import {t, tn} from '../../app/texts.js';
import {playerName} from '../../ui/words.js';
import {tileDrawn, tileInWords} from './parts.js';

/* 'deal 1 aacb' brings aacb. */
const tileOf = (event) => event.split(' ').at(-1);

/* ---- Reasons (src/games/metro/table.h lists the facts) --------------------------------------- */

/* A line that the better move finishes, or the move played; `other`: the points by the other move,
 * 0 if it leaves the line open. */
function finished({station, points}, player, byBetter, other) {
    const values = {station, player, other};
    if (byBetter)
        return other > 0 ? tn(
            'The better move finishes line {station} of {player} for {n} point, the move played ' +
                'for {other}',
            'The better move finishes line {station} of {player} for {n} points, the move played ' +
                'for {other}', points, values) : tn(
            'The better move finishes line {station} of {player} for {n} point; the move played ' +
                'leaves it open',
            'The better move finishes line {station} of {player} for {n} points; the move played ' +
                'leaves it open', points, values);
    return other > 0 ? tn(
        'The move played finishes line {station} of {player} for {n} point, the better one for ' +
            '{other}',
        'The move played finishes line {station} of {player} for {n} points, the better one for ' +
            '{other}', points, values) : tn(
        'The move played finishes line {station} of {player} for {n} point; the better one ' +
            'leaves it open',
        'The move played finishes line {station} of {player} for {n} points; the better one ' +
            'leaves it open', points, values);
}

/* The rest compares both moves: what there is after each of them. */
const longer = ({station}, player, better, played) => tn(
    'After the better move line {station} of {player} has {n} tile, after the move played {played}',
    'After the better move line {station} of {player} has {n} tiles, after the move played ' +
        '{played}', better, {station, player, played});

const atEdge = ({station, unseen, points}, player, better, played) => t('After the better move ' +
    '{better} of {unseen} unseen tiles could end line {station} of {player} at the edge, for at ' +
    'most {points} points; after the move played {played} could',
{station, player, better, played, unseen, points});

const inCentre = ({station, unseen, points}, player, better, played) => t('After the better move ' +
    '{better} of {unseen} unseen tiles could lead line {station} of {player} to the centre, for ' +
    'up to {points} points; after the move played {played} could',
{station, player, better, played, unseen, points});

const ahead = ({station}, player, better, played) => t('After the better move one more tile can ' +
    'make line {station} of {player} up to {better} tiles long, after the move played up to ' +
    '{played}', {station, player, better, played});

const REASONS = {
    finish: (fact, player) => finished(fact, player, true, fact.playedPoints),
    stop: (fact, player) => finished(fact, player, true, 0),
    give: (fact, player) => finished(fact, player, false, fact.betterPoints),
    cut: (fact, player) => finished(fact, player, false, 0),
    longer: (fact, player) => longer(fact, player, fact.tiles, fact.playedTiles),
    lengthen: (fact, player) => longer(fact, player, fact.betterTiles, fact.tiles),
    threat: (fact, player) => atEdge(fact, player, fact.ways, fact.playedWays),
    exposed: (fact, player) => atEdge(fact, player, fact.betterWays, fact.ways),
    aim: (fact, player) => inCentre(fact, player, fact.ways, fact.playedWays),
    aim_other: (fact, player) => inCentre(fact, player, fact.betterWays, fact.ways),
    ahead: (fact, player) => ahead(fact, player, fact.most, fact.playedMost),
    ahead_other: (fact, player) => ahead(fact, player, fact.betterMost, fact.most),
    keep: () => t('Drawing keeps the tile in hand for later'),
    blind: () => t('A tile that is drawn must be laid at once, whatever it is'),
};

/* Why another move is better, of a fact; '' for one that is not known here. */
export function reason(fact, state) {
    return Object.hasOwn(REASONS, fact.what)
        ? REASONS[fact.what](fact, fact.owner ? playerName(state, fact.owner) : '') : '';
}

export const analysis = {
    reason,
    bare: true,
    where: ({placed, tiles}) => t('Tile {n} of {all}', {n: Math.min(placed + 1, tiles),
        all: tiles}),
    came: (engine, event) => tileInWords(engine, tileOf(event)),
    piece: (engine, event) => tileDrawn(engine, tileOf(event), 'analysis-tile'),
};
