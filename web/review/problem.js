/* One problem: first the table, on which the reader chooses a move as in any game; then what the
 * move is worth, and, when it was right or the reader wants to know, all moves that come close. */
import {announce, button, fill, h, icon, isDark, onTheme, svg} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {explain} from './explain.js';
import {faceOf} from '../games/faces.js';
import {note, SOLVED, TRIED} from '../store/solved.js';
import {staying} from '../ui/stay.js';
import {settings} from '../store/store.js';
import {sit} from '../table/table.js';
import {number, t, words} from '../app/texts.js';

const SMALL = '(max-width: 699px)';

/* ---- The table ------------------------------------------------------------------------------- */

/* A position as a source of a table (localsource.js): nothing ever happens in it. */
class ProblemSource {
    map = '';
    hints = false;
    aided = false;
    seeded = false;
    challenge = {};

    constructor(kind, {record, player, key}, players) {
        this.kind = kind;
        this.game = {id: `problem-${key}`, record, map: '', title: ''};
        this.viewer = player;
        this.seats = players.map((one) => ({player: one.player, here: one.player === player,
            due: one.player === player, undo: false, back: false}));
    }

    start(table, viewer) {
        this.viewer = viewer;
        table.reset(this.game.record, this.seats, false);
    }

    look() {}

    async submit() {
        return {refused: 'DECISION_MADE', sentence: ''}; /* the guide lets none through */
    }

    end() {}
}

/* ---- The answer ------------------------------------------------------------------------------ */

class Problem {
    constructor(place, kind, problem, engine, onwards) {
        Object.assign(this, {place, kind, problem, engine, onwards});
        this.state = engine.state(problem.player);
        this.chosen = '';
        this.revealed = false;
        this.endTable = () => {};
        const redraw = () => this.chosen && this.showPicture();
        this.small = matchMedia(SMALL);
        this.small.addEventListener('change', redraw);
        const untheme = onTheme(redraw);
        this.unwatch = () => {
            untheme();
            this.small.removeEventListener('change', redraw);
        };
    }

    end() {
        this.ended = true;
        this.endTable();
        this.unwatch();
    }

    /* The position, to choose a move in. */
    async play() {
        this.chosen = '';
        const {place, kind, problem} = this;
        const guide = {changed: () => {}, may: (event) => {
            this.answer(event);
            return false;
        }};
        const inner = h('div', {class: 'problem-table'});
        fill(place, inner);
        this.endTable = await sit(inner, `problem-${problem.key}`,
            () => new ProblemSource(kind, problem, this.state.players), guide);
        if (this.ended) this.endTable();
    }

    /* The same in another language. */
    again() {
        this.engine.words(words());
        if (this.chosen) staying(this.place, () => this.show(this.shown));
        else this.endTable.again?.();
    }

    isRight(event) {
        return event === this.problem.best || this.problem.same.includes(event);
    }

    /* A move is chosen. Once the answer was shown, finding it is no art. */
    async answer(event) {
        if (this.chosen) return;
        this.chosen = event;
        const right = this.isRight(event);
        const {key} = this.problem;
        if (!right || !this.revealed) await note(this.kind, key, right ? SOLVED : TRIED);
        if (this.ended) return;
        this.revealed ||= right;
        this.endTable();
        this.endTable = () => {};
        this.show();
        announce(`${this.place.querySelector('h2').textContent} ${this.verdict()}`);
    }

    reveal() {
        this.revealed = true;
        this.show();
        announce(this.best());
    }

    /* ---- In words ---- */

    words(event) {
        const {engine, kind, problem: {player}, state} = this;
        return faceOf(kind).move(engine.choose(player, '', `move ${event}`), state);
    }

    amount(behind) {
        return this.state.players.length > 1
            ? t('{percent}% chance of winning', {percent: number(behind, 1)})
            : t('{points} points', {points: number(behind, 1)});
    }

    best() {
        const {best, others: [next]} = this.problem;
        return t('Best: {move}. The next best move gives away {amount}.',
            {move: this.words(best), amount: this.amount(next.behind)});
    }

    /* What the chosen move is worth. */
    verdict() {
        const {chosen, problem} = this;
        if (this.isRight(chosen)) return this.best();
        const found = problem.others.find(({event}) => event === chosen);
        return found ? t('Your move gives away {amount}.', {amount: this.amount(found.behind)})
            : t('Your move gives away more than {amount}.', {amount: this.amount(problem.rest)});
    }

    /* ---- What is shown ---- */

    /* `shown` is what is drawn: at first the chosen move, beside the best one when that is known.
     */
    show(shown = this.chosen) {
        const right = this.isRight(this.chosen);
        const {revealed} = this;
        this.shown = shown;
        this.frame = h('div', {class: 'problem-frame'});
        this.caption = h('p', {class: 'problem-caption muted small'});
        this.why = h('p', {class: 'problem-why'});
        const again = button(t('Try again'), {class: right || revealed ? '' : 'primary',
            'data-key': 'again', onclick: () => this.play()}, 'again');
        const next = button(t('Next problem'), {class: right || revealed ? 'primary' : '',
            'data-key': 'next', onclick: () => this.onwards()}, 'next');
        fill(this.place, h('div', {class: `problem-answer table-${this.kind}`},
            h('section', {class: 'problem-picture', 'aria-label': t('Picture of the game')},
                this.frame, this.caption),
            h('div', {class: 'problem-side'},
                h('section', {class: `panel problem-verdict ${right ? 'right' : 'wrong'}`},
                    h('h2', {}, icon(right ? 'check' : 'close'),
                        right ? t('That’s right.') : t('Not the best move')),
                    h('p', {}, this.verdict()),
                    revealed && !right && h('p', {}, this.best()),
                    this.why,
                    h('div', {class: 'row'}, right || revealed ? [next, again] : [again, button(
                        t('Show the answer'), {'data-key': 'reveal',
                            onclick: () => this.reveal()}, 'hint'), next])),
                revealed && this.moves())));
        this.showPicture();
        const first = this.place.querySelector('.primary');
        first.addEventListener('keydown', (event) => event.repeat && event.preventDefault());
        first.focus({preventScroll: true});
        this.place.closest('.screen')?.scrollIntoView({block: 'start'});
    }

    /* The moves that come close, each as a button that shows it. */
    moves() {
        const {best, others, rest, samples} = this.problem;
        const row = (event, behind) => h('li', {}, h('button', {type: 'button',
            class: 'button problem-move', 'aria-pressed': 'false', data: {event},
            onclick: () => this.look(event)},
        h('span', {}, this.words(event), event === this.chosen &&
            h('span', {class: 'muted small'}, ` · ${t('your move')}`)),
        h('span', {class: 'number'}, behind)));
        const close = others.map(({event, behind, error}) => row(event,
            t('−{n} ± {error}', {n: number(behind, 1), error: number(error, 1)})));
        const missing = !this.isRight(this.chosen) &&
            !others.some(({event}) => event === this.chosen);
        return h('section', {class: 'panel', 'aria-labelledby': 'problem-moves'},
            h('h2', {id: 'problem-moves'}, t('The moves compared')),
            h('ol', {class: 'problem-moves'},
                row(this.isRight(this.chosen) ? this.chosen : best, t('best')), close,
                missing && row(this.chosen, t('−{n} or worse', {n: number(rest, 1)}))),
            h('p', {class: 'muted small'}, this.state.players.length > 1
                ? t('How far behind, in per cent of the win, with the standard error: measured ' +
                    'on {n} samples.', {n: samples})
                : t('How far behind, in points, with the standard error: measured on {n} ' +
                    'samples.', {n: samples})));
    }

    look(event) {
        this.shown = event;
        this.showPicture();
        this.frame.scrollIntoView({block: 'nearest'});
    }

    showPicture() {
        const {engine, problem, revealed, shown} = this;
        const right = this.isRight(shown);
        const both = revealed && !right;
        const look = {viewer: problem.player, dark: isDark(), names: settings.get('names'),
            patterns: settings.get('patterns'), bare: this.small.matches};
        const drawn = both && this.explain?.draw({...look, played: shown, better: problem.best});
        if (revealed && !this.explain) this.loadExplanation();
        fill(this.frame, svg(drawn || engine.draw({...look,
            pick: engine.choose(problem.player, '', `move ${shown}`).pick})));
        this.caption.textContent = drawn
            ? t('{better}, and instead: {played}', {better: this.words(problem.best),
                played: this.words(shown)})
            : this.words(shown);
        for (const one of this.place.querySelectorAll('.problem-move'))
            one.setAttribute('aria-pressed', String(one.dataset.event === shown));
        this.showWhy();
    }

    /* Why the best move is better than the one shown; of the best one, than the next best. */
    showWhy() {
        const {problem: {best, others}, shown, state} = this;
        const right = this.isRight(shown);
        const other = right ? others[0].event : shown;
        const why = this.revealed && this.explain?.why(best, other, state) || '';
        this.why.textContent = why && right ? t('If you had played “{move}” instead: {why}',
            {move: this.words(other), why}) : why;
    }

    /* Without it the picture has one move, and no reason is given. */
    async loadExplanation() {
        if (this.loading) return;
        this.loading = true;
        try {
            this.explain = await explain(this.kind, this.problem);
        } catch (error) {
            console.warn('explain', error);
            return;
        }
        if (this.chosen && !this.ended) this.showPicture();
    }
}

/* Asks a problem; resolves with what ends it, whose again() shows it in another language. Then
 * onwards() leads to the next one. */
export async function ask(place, kind, problem, onwards) {
    const engine = await loadEngine();
    engine.words(words());
    engine.open(problem.record);
    const one = new Problem(place, kind, problem, engine, onwards);
    await one.play();
    return Object.assign(() => one.end(), {again: () => one.again()});
}
