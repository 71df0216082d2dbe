/* Adding up on paper sheets: what each player has written down, and what C makes of it.
 *
 *     adder(place, engine, kept, edit)
 *
 * engine has a game open on the sheet in question. `kept` is {people: [name, …], sums: [sum, …],
 * plain}; whatever is entered becomes edit(change), where change(kept) changes it in place, as
 * often as it is called. take(kept) shows what comes from elsewhere, without moving the focus. A
 * sum is {won: {A: 'first'}, lines, transfers, empty}. A plain sheet is one whose values we do not
 * know: people count the points of their lines themselves, and its lines A … G stand for 1, 2, 4 …
 * 64 of them. */
import {button, dialog, fill, h, icon, toast} from '../../ui/dom.js';
import {settings} from '../../store/store.js';
import {number, t} from '../../app/texts.js';
import {full, points, reason, result} from '../../ui/words.js';
import {gradeName} from './face.js';

const LINES_MAX = 127;
const TRANSFERS_MAX = 200;
const NAME_MAX = 30;

export const emptySum = () => ({won: {}, lines: 0, transfers: 0, empty: 0});

/* A number with a button on either side. show(value) changes it from outside, but not a word of
 * what is being typed if that is the same number. */
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
    const show = (wanted) => {
        value = wanted;
        if (Number(input.value) !== value) input.value = value;
    };
    return Object.assign(h('div', {class: 'stepper'},
        step(-1, t('{what}: one less', {what: label}), 'minus'), input,
        step(1, t('{what}: one more', {what: label}), 'plus')), {show});
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

/* What a line has brought; `how` is '', 'later' or 'first', as for change(how) and show(how). */
function lineChoice(line, player, players, how, change) {
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
    const radios = choices.map((value) => h('input', {type: 'radio', 'aria-label': names[value],
        name: `tally-${player}-${line.letter}`, checked: value === how,
        onchange: () => change(value)}));
    const show = (now) => radios.forEach((radio, i) => {
        radio.checked = choices[i] === now;
    });
    return Object.assign(h('div', {class: 'tally-row', role: 'radiogroup',
        'aria-label': t('Line {line}', {line: line.letter})}, letter,
    h('div', {class: 'segments'}, choices.map((value, i) => h('label', {}, radios[i],
        h('span', {'aria-hidden': 'true'}, value ? `${shapes[value]} ${line[value]}` : '–'))))),
    {show});
}

/* The next form to add up, or new game, proposes the same names. */
function rememberName(index, name) {
    const people = [...settings.get('people')];
    while (people.length <= index) people.push('');
    people[index] = name.trim();
    settings.set('people', people);
}

class Adder {
    constructor(place, engine, kept, edit) {
        Object.assign(this, {place, engine, kept, edit, map: engine.state(0).map});
        this.totals = [];
        this.fields = []; // functions that show in a field what is kept
        this.table = h('div', {class: 'scroll', tabindex: 0, role: 'region',
            'aria-label': t('All scores')});
        this.verdict = h('div', {});
        this.results = h('section', {class: 'panel tally-results', 'aria-label': t('Result')},
            h('h2', {}, t('Result')), this.table, this.verdict, h('div', {class: 'row'},
                button(t('Copy as text'), {onclick: () => copy(this.text())})));
        fill(place, h('div', {class: 'tally'}, h('div', {class: 'tally-people'},
            kept.people.map((name, index) => this.form(index))), this.results));
        this.update();
    }

    name(index) {
        return this.kept.people[index].trim() || t('Player {n}', {n: index + 1});
    }

    change(change) {
        this.edit(change);
        this.update();
    }

    /* What is kept now, entered elsewhere. */
    take(kept) {
        this.kept = kept;
        for (const show of this.fields) show();
        this.update();
    }

    form(index) {
        const {people, plain, sums} = this.kept;
        const kept = () => this.kept.sums[index];
        const count = (label, field, max) => {
            const counter = stepper({label, value: sums[index][field], max,
                change: (value) => this.change((now) => {
                    now.sums[index][field] = value;
                })});
            this.fields.push(() => counter.show(kept()[field]));
            return row(label, counter);
        };
        const line = (one) => {
            const choice = lineChoice(one, index, people.length, sums[index].won[one.letter] ?? '',
                (how) => this.change((now) => {
                    if (how) now.sums[index].won[one.letter] = how;
                    else delete now.sums[index].won[one.letter];
                }));
            this.fields.push(() => choice.show(kept().won[one.letter] ?? ''));
            return choice;
        };
        const name = h('input', {type: 'text', maxlength: NAME_MAX, autocomplete: 'off',
            'aria-label': t('Name of player {n}', {n: index + 1}),
            placeholder: t('Player {n}', {n: index + 1}), value: people[index],
            oninput: () => {
                const {value} = name;
                this.change((now) => {
                    now.people[index] = value;
                });
            },
            onchange: () => rememberName(index, name.value)});
        this.fields.push(() => {
            if (name.value !== this.kept.people[index]) name.value = this.kept.people[index];
        });
        this.totals[index] = h('output', {class: 'tally-total'});
        return h('fieldset', {class: 'panel tally-person'},
            h('legend', {class: 'visually-hidden'}, t('Player {n}', {n: index + 1})),
            h('div', {class: 'tally-head'}, name, this.totals[index]),
            plain ? count(t('Points for lines'), 'lines', LINES_MAX) : this.map.lines.map(line),
            count(t('Sum of framed numbers'), 'transfers', TRANSFERS_MAX),
            count(t('Empty stations'), 'empty', this.map.stations));
    }

    /* {sheets: [{lines, transfers, penalty, total, grade}], winners, tied}; throws a Fault. */
    tally() {
        const {sums, plain} = this.kept;
        return this.engine.ask(sums.map((sum) => wordsOf(sum, plain)).join(' '));
    }

    /* Who has won, in words; a solo game has a grade. */
    sentences({sheets, winners, tied}) {
        const players = sheets.map(({total}, index) => ({name: this.name(index), bot: '',
            score: total}));
        const sentences = [full(result({game: 'verplant', players, tied}, winners))];
        if (sheets.length === 1) sentences.push(gradeName(sheets[0].grade));
        return sentences;
    }

    /* Shows the sums; what has the focus stays. */
    update() {
        let all;
        try {
            all = this.tally();
        } catch (fault) {
            this.text = () => '';
            fill(this.table);
            fill(this.verdict, h('p', {role: 'alert'}, reason(fault.sentence)));
            return;
        }
        const rows = all.sheets.map((sheet, index) => ({name: this.name(index), ...sheet}));
        rows.forEach(({total}, index) => fill(this.totals[index], number(total)));
        const begun = this.kept.sums.some(({won, lines, transfers, empty}) =>
            Object.keys(won).length + lines + transfers + empty > 0);
        const sentences = begun ? this.sentences(all) : [];
        const winners = begun ? all.winners : [];
        const cells = ({lines, transfers, penalty, total}) => [number(lines), number(transfers),
            number(penalty && -penalty), number(total)];
        const sum = (one) => t('{name}: {lines} + {transfers} − {penalty} = {total}', one);
        const titles = [t('Lines'), t('2 × transfers'), t('Empty stations'), t('Total')];
        this.text = () => [...rows.map(sum), ...sentences].join('\n');
        fill(this.table, h('table', {},
            h('thead', {}, h('tr', {}, h('td', {}),
                titles.map((title) => h('th', {scope: 'col', class: 'number'}, title)))),
            h('tbody', {}, rows.map((one, index) => h('tr',
                {class: winners.includes(index + 1) && 'tally-winner'},
                h('th', {scope: 'row'}, one.name),
                cells(one).map((cell) => h('td', {class: 'number'}, cell)))))));
        fill(this.verdict, begun && h('p', {class: 'tally-verdict'}, sentences.join(' ')));
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

export function adder(place, engine, kept, edit) {
    return new Adder(place, engine, kept, edit);
}
