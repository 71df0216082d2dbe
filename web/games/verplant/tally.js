/* Adding up on paper sheets: what each player has written down, and what C makes of it.
 *
 *     adder(place, engine, kept, changed)
 *
 * engine has a game open on the sheet in question. `kept` is {people: [name, …], sums: [sum, …],
 * plain}; it is changed in place, and changed() is called then. A sum is {won: {A: 'first'},
 * lines, transfers, empty}. A plain sheet is one whose values we do not know: people count the
 * points of their lines themselves, and its lines A … G stand for 1, 2, 4 … 64 of them. */
import {button, dialog, fill, h, icon, toast} from '../../dom.js';
import {number, t} from '../../texts.js';
import {full, points, reason, result} from '../../words.js';
import {gradeName} from '../verplant.js';

const LINES_MAX = 127;
const TRANSFERS_MAX = 200;
const NAME_MAX = 30;

export const emptySum = () => ({won: {}, lines: 0, transfers: 0, empty: 0});

/* A number with a button on either side. */
export function stepper({label, value, min = 0, max, change}) {
    const set = (wanted, shown) => {
        const next = Math.min(max, Math.max(min, Math.trunc(wanted) || 0));
        if (shown) input.value = next;
        if (next === value) return;
        value = next;
        change(value);
    };
    const input = h('input', {type: 'number', inputmode: 'numeric', min, max, value,
        class: 'stepper-value', 'aria-label': label, onfocus: () => input.select(),
        oninput: () => set(Number(input.value), false),
        onblur: () => set(Number(input.value), true)});
    const step = (by, name, picture) => h('button', {type: 'button', class: 'button square',
        'aria-label': name, onclick: () => set(value + by, true)}, icon(picture));
    return h('div', {class: 'stepper'},
        step(-1, t('{what}: one less', {what: label}), 'minus'), input,
        step(1, t('{what}: one more', {what: label}), 'plus'));
}

/* A sum in the words of engine.ask. */
function wordsOf(sum, plain) {
    const of = (how) => Object.keys(sum.won).filter((letter) => sum.won[letter] === how);
    const bits = [...'ABCDEFG'].filter((letter, bit) => sum.lines >> bit & 1);
    const first = plain ? bits : of('first');
    const later = plain ? [] : of('later');
    return ['sheet', 'first', ...first, 'later', ...later,
        'transfers', sum.transfers, 'empty', sum.empty].join(' ');
}

/* A row of the form: a label, and what is chosen. */
const row = (label, choice) => h('div', {class: 'tally-row'}, h('span', {}, label), choice);

/* ◆ 7 and ■ 4, as on the sheet. */
const shapes = {first: '◆', later: '■'};

function lineChoice(line, player, players, sum, change) {
    const choices = players > 1 ? ['', 'later', 'first'] : ['', 'first'];
    const names = {
        '': t('Line {line}: not completed', {line: line.letter}),
        first: t('Line {line}: completed first, {points}',
            {line: line.letter, points: points(line.first)}),
        later: t('Line {line}: completed later, {points}',
            {line: line.letter, points: points(line.later)}),
    };
    const letter = h('span', {class: 'tally-letter', 'aria-hidden': 'true'}, line.letter);
    letter.style.setProperty('--line-colour', `#${line.colour}`);
    return h('div', {class: 'tally-row', role: 'radiogroup',
        'aria-label': t('Line {line}', {line: line.letter})}, letter,
    h('div', {class: 'segments'}, choices.map((how) => h('label', {},
        h('input', {type: 'radio', name: `tally-${player}-${line.letter}`, 'aria-label': names[how],
            checked: (sum.won[line.letter] ?? '') === how,
            onchange: () => {
                if (how) sum.won[line.letter] = how;
                else delete sum.won[line.letter];
                change();
            }}),
        h('span', {'aria-hidden': 'true'}, how ? `${shapes[how]} ${line[how]}` : '–')))));
}

class Adder {
    constructor(place, engine, kept, changed) {
        Object.assign(this, {place, engine, kept, changed, map: engine.state(0).map});
        this.totals = [];
        this.results = h('section', {class: 'panel tally-results', 'aria-label': t('Result')});
        fill(place, h('div', {class: 'tally'}, h('div', {class: 'tally-people'},
            kept.people.map((name, index) => this.form(index))), this.results));
        this.update();
    }

    name(index) {
        return this.kept.people[index].trim() || t('Player {n}', {n: index + 1});
    }

    change() {
        this.changed();
        this.update();
    }

    form(index) {
        const {kept, map} = this;
        const sum = kept.sums[index];
        const change = () => this.change();
        const count = (label, field, max) => row(label, stepper({label, value: sum[field], max,
            change: (value) => {
                sum[field] = value;
                change();
            }}));
        this.totals[index] = h('output', {class: 'tally-total'});
        return h('fieldset', {class: 'panel tally-person'},
            h('legend', {class: 'visually-hidden'}, t('Player {n}', {n: index + 1})),
            h('div', {class: 'tally-head'},
                h('input', {type: 'text', maxlength: NAME_MAX, autocomplete: 'off',
                    'aria-label': t('Name of player {n}', {n: index + 1}),
                    placeholder: t('Player {n}', {n: index + 1}), value: kept.people[index],
                    oninput: ({target}) => {
                        kept.people[index] = target.value;
                        change();
                    }}), this.totals[index]),
            kept.plain ? count(t('Points for lines'), 'lines', LINES_MAX)
                : map.lines.map((line) => lineChoice(line, index, kept.people.length, sum, change)),
            count(t('Sum of framed numbers'), 'transfers', TRANSFERS_MAX),
            count(t('Empty stations'), 'empty', map.stations));
    }

    /* {sheets: [{lines, transfers, penalty, total, grade}], winners, tied}; throws a Fault. */
    tally() {
        const {sums, plain} = this.kept;
        return this.engine.ask(sums.map((sum) => wordsOf(sum, plain)).join(' '));
    }

    /* Who has won, in words; a solo game has a grade. */
    verdict({sheets, winners, tied}) {
        const players = sheets.map(({total}, index) => ({name: this.name(index), bot: '',
            score: total}));
        const sentences = [full(result({game: 'verplant', players, tied}, winners))];
        if (sheets.length === 1) sentences.push(gradeName(sheets[0].grade));
        return sentences;
    }

    update() {
        let all;
        try {
            all = this.tally();
        } catch (fault) {
            fill(this.results, h('p', {role: 'alert'}, reason(fault.sentence)));
            return;
        }
        const rows = all.sheets.map((sheet, index) => ({name: this.name(index), ...sheet}));
        rows.forEach(({total}, index) => fill(this.totals[index], number(total)));
        const begun = this.kept.sums.some(({won, lines, transfers, empty}) =>
            Object.keys(won).length + lines + transfers + empty > 0);
        const sentences = begun ? this.verdict(all) : [];
        const winners = begun ? all.winners : [];
        const cells = ({lines, transfers, penalty, total}) => [number(lines), number(transfers),
            number(penalty && -penalty), number(total)];
        const sum = (one) => t('{name}: {lines} + {transfers} − {penalty} = {total}', one);
        const text = () => [...rows.map(sum), ...sentences].join('\n');
        const titles = [t('Lines'), t('2 × transfers'), t('Empty stations'), t('Total')];
        fill(this.results,
            h('h2', {}, t('Result')),
            h('div', {class: 'scroll', tabindex: 0, role: 'region',
                'aria-label': t('All scores')}, h('table', {},
                h('thead', {}, h('tr', {}, h('td', {}),
                    titles.map((title) => h('th', {scope: 'col', class: 'number'}, title)))),
                h('tbody', {}, rows.map((one, index) => h('tr',
                    {class: winners.includes(index + 1) && 'tally-winner'},
                    h('th', {scope: 'row'}, one.name),
                    cells(one).map((cell) => h('td', {class: 'number'}, cell))))))),
            begun && h('p', {class: 'tally-verdict'}, sentences.join(' ')),
            h('div', {class: 'row'}, button(t('Copy as text'),
                {onclick: () => copy(text())})));
    }
}

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        toast(t('Copied.'));
    } catch {
        dialog({title: t('Copy this text'), body: [h('textarea', {readonly: true, rows: 8,
            class: 'tally-text', 'aria-label': t('Result')}, text)],
        opened: (element) => element.querySelector('textarea').select()});
    }
}

export function adder(place, engine, kept, changed) {
    return new Adder(place, engine, kept, changed);
}
