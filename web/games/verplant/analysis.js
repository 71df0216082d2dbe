/* Verplant analysed (analysis.js): cards, and why another entry is better. */
import {t, tn} from '../../texts.js';
import {cardName} from '../verplant.js';
import {cardPicture} from './parts.js';

const codeOf = (event) => event.replace('card ', '');

export function reason() {
    return '';
}

export const analysis = {
    reason,
    came: (engine, event) => cardName(engine.pieceFacts('verplant', codeOf(event))),
    piece: (engine, event) => cardPicture(engine, {code: codeOf(event)}),
};
