/* Tiles and wagons of metro, small and in words. */
import {isDark} from '../../ui/dom.js';
import {drawn} from '../../ui/parts.js';
import {t} from '../../app/texts.js';

/* ---- Tiles ---------------------------------------------------------------------------------- */

function tileName(tile, turns = 0) {
    if (!tile || tile === '?')
        return t('a hidden tile');
    return turns ? t('tile turned by {degrees}°', {degrees: 90 * turns}) : t('tile');
}

/* Where the tracks of a tile lead, for those who do not see it: 'top to bottom, …'. */
export function tileTracks(engine, tile, turns = 0) {
    const sides = [t('top'), t('right'), t('bottom'), t('left')];
    return engine.pieceFacts('metro', `${tile}/${turns}`).tracks.map((to, side) =>
        t('{from} to {to}', {from: sides[side], to: sides[to]})).join(', ');
}

/* Both: 'tile: top to bottom, …'. */
export function tileInWords(engine, tile, turns = 0) {
    return tile === '?' ? tileName(tile) : t('{tile}: {tracks}', {tile: tileName(tile, turns),
        tracks: tileTracks(engine, tile, turns)});
}

/* A tile after `turns` quarter turns, beside words that name it. */
export function tileDrawn(engine, tile, name, turns = 0) {
    return drawn(engine.piece('metro', `${tile}/${turns}`, isDark()), name);
}

/* A tile ('?': its back) without words beside it. */
export function tilePicture(engine, tile, name, turns = 0) {
    const picture = drawn(engine.piece('metro', tile === '?' ? '?' : `${tile}/${turns}`, isDark()),
        name, tileInWords(engine, tile, turns));
    Object.assign(picture.dataset, {tile, turns});
    return picture;
}

export function wagon(engine, player, name) {
    return drawn(engine.piece('metro', `wagon-${player}`, isDark()), name);
}
