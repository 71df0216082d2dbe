/* Metro analysed (analysis.js): tiles, and why another move is better. */
import {t, tn} from '../../texts.js';
import {playerName} from '../../words.js';
import {tileDrawn, tileInWords} from './parts.js';

/* 'deal 1 aacb' brings aacb. */
const tileOf = (event) => event.split(' ').at(-1);

/* ---- Reasons (src/games/metro/table.h lists the facts) --------------------------------------- */

const REASONS = {
    /* Lines that are finished. */
    finish: ({station, points}) => tn('The better move finishes the own line {station}: {n} point',
        'The better move finishes the own line {station}: {n} points', points, {station}),
    cut: ({station, points}) => tn(
        'The move played ends the own line {station} for only {n} point',
        'The move played ends the own line {station} for only {n} points', points, {station}),
    give: ({station, points}, player) => tn(
        'The move played finishes line {station} of {player}: {n} point',
        'The move played finishes line {station} of {player}: {n} points', points,
        {station, player}),
    stop: ({station, points}, player) => tn(
        'The better move ends line {station} of {player} for only {n} point',
        'The better move ends line {station} of {player} for only {n} points', points,
        {station, player}),
    /* Lines that go on. */
    longer: ({station, tiles, playedTiles}) => tn(
        'The own line {station} then has {n} tile, instead of {played}',
        'The own line {station} then has {n} tiles, instead of {played}', tiles,
        {station, played: playedTiles}),
    lengthen: ({station, tiles, betterTiles}, player) => tn(
        'The move played makes line {station} of {player} {n} tile long; the better one {better}',
        'The move played makes line {station} of {player} {n} tiles long; the better one {better}',
        tiles, {station, player, better: betterTiles}),
    exposed: ({station, ways, betterWays, unseen, points}) => tn(
        'After the move played, {n} of {unseen} unseen tiles could end the own line {station} for ' +
            'at most {points} points; after the better one {better}',
        'After the move played, {n} of {unseen} unseen tiles could end the own line {station} for ' +
            'at most {points} points; after the better one {better}', ways,
        {station, unseen, points, better: betterWays}),
    threat: ({station, ways, playedWays, unseen, points}, player) => tn(
        'Then {n} of {unseen} unseen tiles could end line {station} of {player} for at most ' +
            '{points} points, instead of {played}',
        'Then {n} of {unseen} unseen tiles could end line {station} of {player} for at most ' +
            '{points} points, instead of {played}', ways,
        {station, player, unseen, points, played: playedWays}),
    aim: ({station, ways, playedWays, unseen, points}) => tn(
        'Then {n} of {unseen} unseen tiles could take the own line {station} to the centre, for ' +
            'up to {points} points, instead of {played}',
        'Then {n} of {unseen} unseen tiles could take the own line {station} to the centre, for ' +
            'up to {points} points, instead of {played}', ways,
        {station, unseen, points, played: playedWays}),
    aim_other: ({station, ways, betterWays, unseen, points}, player) => tn(
        'After the move played, {n} of {unseen} unseen tiles could take line {station} of ' +
            '{player} to the centre, for up to {points} points; after the better one {better}',
        'After the move played, {n} of {unseen} unseen tiles could take line {station} of ' +
            '{player} to the centre, for up to {points} points; after the better one {better}',
        ways, {station, player, unseen, points, better: betterWays}),
    ahead: ({station, most, playedMost}) => t('One more tile can then make the own line ' +
        '{station} up to {most} tiles long; after the move played up to {played}',
    {station, most, played: playedMost}),
    ahead_other: ({station, most, betterMost}, player) => t('After the move played, one more ' +
        'tile can make line {station} of {player} up to {most} tiles long; after the better one ' +
        'up to {better}', {station, player, most, better: betterMost}),
    /* Drawing. */
    keep: () => t('Drawing a tile keeps the one in hand for later'),
    blind: () => t('What is drawn must be laid, wherever it fits'),
};

/* Why another move is better, of a fact; '' for one that is not known here. */
export function reason(fact, state) {
    return Object.hasOwn(REASONS, fact.what)
        ? REASONS[fact.what](fact, fact.owner ? playerName(state, fact.owner) : '') : '';
}

export const analysis = {
    reason,
    bare: true,
    came: (engine, event) => tileInWords(engine, tileOf(event)),
    piece: (engine, event) => tileDrawn(engine, tileOf(event), 'analysis-tile'),
};
