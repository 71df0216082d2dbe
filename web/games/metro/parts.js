/* Tiles and wagons of metro, small and in words, and the lights that run along finished lines. */
import {isDark, animationsAllowed} from '../../dom.js';
import {drawn} from '../../parts.js';
import {t} from '../../texts.js';

export const LIGHT_MS = 900; /* the light that runs along a line */
const GLOW_MS = 2600; /* … and how long the line stays lit */

/* ---- Tiles ---------------------------------------------------------------------------------- */

function tileName(tile, turns = 0) {
    if (!tile || tile === '?')
        return t('a hidden tile');
    return turns ? t('tile {tile}, turned by {degrees}°', {tile, degrees: 90 * turns})
        : t('tile {tile}', {tile});
}

/* Where the tracks of a tile lead, for those who do not see it: 'top to bottom, …'. */
export function tileTracks(engine, tile, turns = 0) {
    const sides = [t('top'), t('right'), t('bottom'), t('left')];
    return engine.pieceFacts('metro', `${tile}/${turns}`).tracks.map((to, side) =>
        t('{from} to {to}', {from: sides[side], to: sides[to]})).join(', ');
}

/* Both: 'tile aacb: top to bottom, …'. */
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
    return drawn(engine.piece('metro', tile === '?' ? '?' : `${tile}/${turns}`, isDark()), name,
        tileInWords(engine, tile, turns));
}

export function wagon(engine, player, name) {
    return drawn(engine.piece('metro', `wagon-${player}`, isDark()), name);
}

/* ---- Lights --------------------------------------------------------------------------------- */

/* A light runs along each line that was finished just now. C draws lit lines, by draw(look); they
 * lie over the board for a moment. */
export function runLights(board, facts, draw) {
    const moving = animationsAllowed();
    for (const {station} of facts.filter(({what}) => what === 'finish')) {
        const line = draw({lit: station, bare: true, prefix: 'light-'})
            .querySelector('.line.lit');
        if (!line) continue;
        line.removeAttribute('id');
        line.classList.add('metro-light', moving ? 'moving' : 'still');
        for (const path of line.querySelectorAll('path')) path.setAttribute('pathLength', '1');
        board.append(line);
        setTimeout(() => line.remove(), moving ? LIGHT_MS + GLOW_MS : GLOW_MS);
    }
}
