/* The words and the small parts of the analysis screen: values with their units, labels, the
 * sum. */
import {h, svgParts} from '../ui/dom.js';
import {number, t, tn} from '../app/texts.js';

/* ---- Values ---------------------------------------------------------------------------------- */

/* Values are points alone, shares of the win with others (docs/analysis.md). */
const digits = (unit) => (unit === 'win' ? {scale: 100, most: 0, fine: 1}
    : {scale: 1, most: 1, fine: 1});

const withUnit = (unit, text) => (unit === 'win' ? t('{n}%', {n: text}) : text);

/* '52.3', '55%'. */
export function value(unit, amount) {
    const {scale, most} = digits(unit);
    return withUnit(unit, number(unsigned(amount * scale, most), most));
}

/* The same with a decimal. */
export const fine = (unit, amount) => withUnit(unit, plain(unit, amount));

/* Without the sign of a zero. */
const unsigned = (amount, places) => (Math.abs(amount) < 0.5 * 10 ** -places ? 0 : amount);

/* '1.9', for a sentence that has the unit. */
export function plain(unit, amount) {
    const {scale, fine} = digits(unit);
    return number(unsigned(amount * scale, fine), fine);
}

/* Whether an amount is more than 0 with the digits that are shown. */
export const isShown = (unit, amount) => amount * digits(unit).scale >= 0.05;

/* A result, '44' or '100%'. */
const whole = (unit, amount) => withUnit(unit, number(amount * digits(unit).scale, 0));

/* '+1.9', '−4.2%'. */
export function signed(unit, amount) {
    const {scale, fine} = digits(unit);
    const rounded = unsigned(amount * scale, fine);
    return withUnit(unit, `${rounded > 0 ? '+' : ''}${number(rounded, fine)}`);
}

/* '± 0.3', never broken. */
export const error = (unit, amount) => `±\u00a0${plain(unit, amount)}`;

/* By how much a move is better, as a sentence. */
export function betterBy(unit, loss, lossError) {
    const values = {n: plain(unit, loss), error: error(unit, lossError)};
    return unit === 'win' ? t('The better move raises the chance of winning by {n} ' +
        'percentage points ({error})', values)
        : t('The better move is worth {n} points more ({error})', values);
}

/* What a card or tile has changed, as a sentence. */
export function luckOf(unit, luck, luckError) {
    const values = {n: plain(unit, Math.abs(luck)), error: error(unit, luckError)};
    if (unit === 'win')
        return luck < 0 ? t('Bad luck: the chance of winning falls by {n} percentage ' +
            'points ({error})', values)
            : t('Luck: the chance of winning rises by {n} percentage points ({error})', values);
    return luck < 0 ? t('Bad luck: {n} points less ({error})', values)
        : t('Luck: {n} points more ({error})', values);
}

/* ---- Labels ---------------------------------------------------------------------------------- */

export function labelName(label) {
    switch (label) {
    case 'good': return t('Good move');
    case 'inaccuracy': return t('Inaccuracy');
    case 'mistake': return t('Mistake');
    case 'blunder': return t('Blunder');
    default: return '';
    }
}

/* 'blunder' and the others that have cost something. */
export const isMistake = ({label}) => Boolean(label) && label !== 'good';

/* The same shapes as in the chart (src/draw/chart.c). */
const SHAPES = {
    good: '<circle cx="8" cy="8" r="5"/>',
    inaccuracy: '<path d="M8 0l8 8l-8 8l-8-8z"/>',
    mistake: '<path d="M0 3h16l-8 13z"/>',
    blunder: '<path d="M1 1h14v14h-14z"/><path class="cross" d="M5 5l6 6M11 5l-6 6"/>',
};

/* The signs of both moves in a picture (src/draw/instead.c): round for the better one, with corners
 * for the one played. */
const SIGNS = {
    better: '<circle cx="8" cy="8" r="7"/><path class="cross" d="M4 8l3 3l5-6"/>',
    played: '<path d="M8 0l8 8l-8 8l-8-8z"/><path class="cross" d="M6 6l4 4M10 6l-4 4"/>',
};

/* The shape of a label, or the sign of a move. */
export function shape(name) {
    const picture = svgParts(SHAPES[name] ?? SIGNS[name]);
    picture.setAttribute('viewBox', '0 0 16 16');
    picture.setAttribute('class', `analysis-shape ${name}`);
    picture.setAttribute('aria-hidden', 'true');
    return picture;
}

/* ---- The sum --------------------------------------------------------------------------------- */

/* A row of the sum: [words, value, whether it is a total]. Values that are not known yet are a
 * dash. */
function sumRows({unit, over, hindsight, alone, sum}) {
    const known = (name, write) => (sum?.[name] === undefined ? '–' : write(unit, sum[name]));
    const negative = (_, loss) => signed(unit, -loss);
    const margin = sum?.lossError === undefined ? '' : ` ${error(unit, sum.lossError)}`;
    return [
        [t('Expected at the start'), known('start', fine)],
        [t('Luck'), known('luck', signed)],
        [t('Lost by moves that were not the best'), `${known('loss', negative)}${margin}`],
        !alone && [t('Moves of the others'), known('others', signed)],
        [t('Rest: the estimates are not exact'), known('correction', signed)],
        [over ? t('Result') : t('Expected now'), known('result', over ? whole : fine), true],
        [over ? t('Result without luck') : t('Expected now, without luck'),
            known('withoutLuck', fine)],
        hindsight && [t('Possible, had all cards been known'), hindsight.points === undefined
            ? '–' : number(hindsight.points)],
    ].filter(Boolean);
}

export function sumTable(caption, facts) {
    return h('table', {class: 'facts analysis-sum-table'}, h('caption', {}, caption),
        h('tbody', {}, sumRows(facts).map(([words, amount, total]) =>
            h('tr', {class: total && 'total'}, h('th', {scope: 'row'}, words),
                h('td', {}, amount)))));
}

/* 'In 22 decisions: 2 mistakes, 1 inaccuracy'. */
export function counts({decisions, blunder, mistake, inaccuracy, good}) {
    const all = [
        blunder && tn('{n} blunder', '{n} blunders', blunder),
        mistake && tn('{n} mistake', '{n} mistakes', mistake),
        inaccuracy && tn('{n} inaccuracy', '{n} inaccuracies', inaccuracy),
        good && tn('{n} good move', '{n} good moves', good),
    ].filter(Boolean).join(', ');
    return all ? tn('{n} decision: {all}', '{n} decisions: {all}', decisions, {all})
        : tn('{n} decision', '{n} decisions', decisions);
}
