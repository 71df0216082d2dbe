/* Metro analysed (analysis.js): tiles, and why another move is better. */
import {t, tn} from '../../texts.js';
import {tileDrawn, tileInWords} from './parts.js';

/* 'deal 1 aacb' brings aacb. */
const tileOf = (event) => event.split(' ').at(-1);

export function reason() {
    return '';
}

export const analysis = {
    reason,
    bare: true,
    came: (engine, event) => tileInWords(engine, tileOf(event)),
    piece: (engine, event) => tileDrawn(engine, tileOf(event), 'analysis-tile'),
};
