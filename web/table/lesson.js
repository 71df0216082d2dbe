/* Lessons: a first game on the real table, with a bubble that says what to do next. What counts is
 * what has really happened: the bubble advances when the plan or move is there, and other moves are
 * not made. The reader cannot get stuck: the lesson can be left at any step, and the game continues
 * without it.
 *
 * What is taught is the part `lesson` of a game's face (faces.js):
 *
 *     record       a game with a seed, so that everyone gets the same cards and tiles
 *     title        what the game is kept as
 *     steps()      the steps through it
 *     doors()      labels of the last two buttons: start a game, continue this one
 *
 * A step is
 *
 *     text         what to do or to know; a function, since the language may change
 *     at           what it speaks of: a selector in the table
 *     clear        selectors of what else must not be covered
 *     keys         how to do it by keyboard
 *     done(now)    whether it has been done, of {state, plan}; without it the reader says so
 *     may          the move that may be made meanwhile, or true for any; without it none
 *     wrong(now)   a friendly word when something else was chosen, or '' */
import {announce, button, fill, h} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {gameNames, loadPart, Nowhere} from '../games/faces.js';
import {beginAtOnce, once} from './newgame.js';
import * as lessons from './lessonstate.js';
import {staying} from '../ui/stay.js';
import {games} from '../store/store.js';
import {t} from '../app/texts.js';
import {show as showTable} from './table.js';
import {isSwitchedOff, keyName} from '../ui/words.js';

const GAP = 12; // pixels between the bubble and its target
const EDGE = 8;
const STEP = 20; // pixels between the places that are tried
const ALWAYS_CLEAR = ['[data-guide=confirm]', '[data-guide=undo]', '[data-guide=hint]'];

/* ---- The place of the bubble ---------------------------------------------------------------- */

const overlap = (a, b) =>
    Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
    Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

const between = (low, value, high) => Math.max(low, Math.min(value, high));

/* The place for a box of that size near `target` that covers least of `avoid`. `space` is where it
 * may be. */
function bubblePlace(size, target, avoid, space) {
    const middle = (target.left + target.right) / 2 - size.width / 2;
    const level = (target.top + target.bottom) / 2 - size.height / 2;
    const wanted = [
        [middle, target.top - GAP - size.height], [middle, target.bottom + GAP],
        [target.right + GAP, level], [target.left - GAP - size.width, level],
    ];
    for (let y = space.top; y <= space.bottom - size.height; y += STEP) {
        for (let x = space.left; x <= space.right - size.width; x += 2 * STEP) wanted.push([x, y]);
    }
    let best = null;
    for (const [x, y] of wanted) {
        const left = between(space.left, x, Math.max(space.left, space.right - size.width));
        const top = between(space.top, y, Math.max(space.top, space.bottom - size.height));
        const box = {left, top, right: left + size.width, bottom: top + size.height};
        const covers = 4 * overlap(box, target) +
            avoid.reduce((sum, other) => sum + overlap(box, other), 0);
        const far = Math.hypot(left - middle, top - level);
        const cost = 100 * covers + far;
        if (!best || cost < best.cost) best = {left, top, cost};
    }
    return best;
}

/* ---- The guide ------------------------------------------------------------------------------ */

class Guide {
    constructor(place, kind, lesson, game, reached) {
        Object.assign(this, {place, kind, lesson, id: game.id, now: null, nudge: ''});
        this.steps = lesson.steps();
        this.reached = this.at = this.resumed(between(0, reached, this.steps.length), game.record);
        this.stop = new AbortController();
        this.bubble = h('section', {class: 'bubble', 'aria-label': t('Lesson')});
        this.ring = h('div', {class: 'bubble-ring', 'aria-hidden': 'true'});
        const {signal} = this.stop;
        const follow = () => this.follow();
        addEventListener('resize', follow, {signal});
        addEventListener('scroll', follow, {signal, capture: true, passive: true});
        /* A hint that appears moves what is below it without a scroll event. */
        const grows = new ResizeObserver(follow);
        grows.observe(place);
        signal.addEventListener('abort', () => grows.disconnect());
    }

    end() {
        this.stop.abort();
        cancelAnimationFrame(this.due);
    }

    /* The step to resume at: after the latest move of the record, which is saved before the step.
     * Plans do not survive a reload, so it is the step where planning began. */
    resumed(reached, record) {
        const events = new Set(record.split('\n'));
        const planned = ({done, may}) => done && !may;
        let step = Math.max(reached, 1 + this.steps.findLastIndex(({may}) => events.has(may)));
        while (step > 0 && step < this.steps.length && planned(this.steps[step - 1])) step--;
        return step;
    }

    get step() {
        return this.steps[this.at];
    }

    get over() {
        return this.at >= this.steps.length;
    }

    /* ---- What the table asks and tells ---- */

    may(event) {
        const {may} = this.steps[this.reached] ?? {may: true};
        if (may === true || may === event) return true;
        this.nudge = may ? t('Not quite. Follow this step first, then confirm.')
            : t('Not yet. Finish this step first.');
        return false;
    }

    changed(now) {
        this.now = now;
        const before = this.reached;
        while (this.steps[this.reached]?.done?.(now)) this.reached++;
        if (this.reached !== before) {
            this.nudge = '';
            this.go(this.reached);
            this.keep();
        } else {
            this.nudge ||= this.steps[this.reached]?.wrong?.(now) ?? '';
            this.showNudge();
            this.follow();
        }
    }

    keep() {
        lessons.note(this.kind, this.id, this.reached);
    }

    /* ---- What is shown ---- */

    go(step) {
        this.at = between(0, step, this.steps.length);
        this.reached = Math.max(this.reached, this.at);
        this.show();
    }

    next() {
        this.nudge = '';
        this.go(this.at + 1);
        // the next may have been done before it was asked for
        if (this.now) this.changed(this.now);
        this.keep();
    }

    show() {
        const focused = this.bubble.contains(document.activeElement);
        fill(this.bubble, this.over ? this.ending() : this.content());
        const said = this.over ? t('You know all there is to know.') : this.step.text();
        if (said !== this.said) announce(this.said = said);
        this.nudged = '';
        this.showNudge();
        const onward = this.bubble.querySelector('.primary');
        if (onward) onward.focus({preventScroll: true});
        else if (focused) document.activeElement?.blur();
        this.scroll();
        this.follow();
    }

    content() {
        const {step} = this;
        const waits = step.done && this.at === this.reached;
        return [
            h('p', {class: 'bubble-text'}, step.text()),
            h('p', {class: 'bubble-nudge'}),
            h('div', {class: 'bubble-foot'},
                waits && step.keys && !step.keys.some(isSwitchedOff) && h('span', {
                    class: 'bubble-keys', 'aria-label':
                        t('Keys: {keys}', {keys: step.keys.map(keyName).join(' ')})},
                step.keys.map((key) => h('kbd', {}, keyName(key)))),
                h('span', {class: 'bubble-count'}, t('{n} of {all}',
                    {n: this.at + 1, all: this.steps.length})),
                button(t('Skip'), {class: 'quiet', 'aria-label': t('Skip the lesson'),
                    onclick: () => this.leave()}),
                this.at > 0 && button(t('Back'), {class: 'quiet',
                    onclick: () => this.go(this.at - 1)}),
                !waits && button(t('Next'), {class: 'primary', onclick: () => this.next()})),
        ];
    }

    ending() {
        const [label, rest] = this.lesson.doors();
        return [
            h('p', {class: 'bubble-text'}, h('strong', {}, t('You know all there is to know.'))),
            h('div', {class: 'bubble-foot'},
                button(t('Back'), {class: 'quiet', onclick: () => this.go(this.at - 1)}),
                h('a', {class: 'button', href: `#problems=${this.kind}`}, t('Solve problems')),
                button(rest, {onclick: () => this.leave()}),
                button(label, {class: 'primary', onclick: once(() => beginAtOnce(this.kind))})),
        ];
    }

    showNudge() {
        const line = this.bubble.querySelector('.bubble-nudge');
        if (!line) return;
        line.textContent = this.nudge;
        line.hidden = !this.nudge;
        if (this.nudge && this.nudge !== this.nudged) announce(this.nudge);
        this.nudged = this.nudge;
        this.nudge = '';
    }

    /* Ends the lesson; the game continues as any other. */
    async leave() {
        await lessons.forget(this.id);
        location.hash = `#game=${this.id}`;
    }

    /* ---- Where it is shown ---- */

    find(selector) {
        const all = selector ? [...this.place.querySelectorAll(selector)] : [];
        return all.find((element) => element.getClientRects().length > 0);
    }

    scroll() {
        const target = this.find(this.step?.at);
        if (!target) return;
        const {top, bottom} = target.getBoundingClientRect();
        if (top < 60 || bottom > innerHeight) target.scrollIntoView({block: 'center'});
    }

    follow() {
        if (this.stop.signal.aborted) return;
        cancelAnimationFrame(this.due);
        this.due = requestAnimationFrame(() => this.put());
    }

    put() {
        const target = this.find(this.step?.at);
        const box = target?.getBoundingClientRect();
        const bar = document.getElementById('bar')?.getBoundingClientRect().bottom ?? 0;
        const space = {left: EDGE, top: Math.max(bar, 0) + EDGE, right: innerWidth - EDGE,
            bottom: innerHeight - EDGE};
        const whole = !box || box.width * box.height > innerWidth * innerHeight / 5;
        this.ring.hidden = !box || whole;
        if (!this.ring.hidden) {
            const {style} = this.ring;
            style.left = `${box.left - 6}px`;
            style.top = `${box.top - 6}px`;
            style.width = `${box.width + 12}px`;
            style.height = `${box.height + 12}px`;
        }
        const size = {width: this.bubble.offsetWidth, height: this.bubble.offsetHeight};
        const avoid = [...ALWAYS_CLEAR, ...this.step?.clear ?? []]
            .map((selector) => this.find(selector)).filter(Boolean)
            .map((element) => element.getBoundingClientRect());
        const middle = {left: innerWidth / 2, right: innerWidth / 2, top: innerHeight, bottom:
            innerHeight};
        const {left, top} = whole && !box ? bubblePlace(size, middle, avoid, space)
            : bubblePlace(size, whole ? edgeOf(box, space) : box, avoid, space);
        this.bubble.style.left = `${left}px`;
        this.bubble.style.top = `${top}px`;
    }
}

/* For a large target, its lower edge: the bubble points there. */
function edgeOf(box, space) {
    const bottom = Math.min(box.bottom, space.bottom);
    return {left: box.left, right: box.right, top: bottom, bottom};
}

/* ---- The screen ----------------------------------------------------------------------------- */

const lockOf = (id) => `endstation lesson ${id}`;

/* Says to other tabs that this one shows the lesson; the function that it returns ends that, also
 * if the lock comes only later. */
function showsLesson(id) {
    let end;
    const ended = new Promise((resolve) => (end = resolve));
    navigator.locks?.request(lockOf(id), {mode: 'shared'}, () => ended).catch(() => {});
    return end;
}

/* Whether only this tab shows the lesson. Where tabs cannot tell, another one may. */
async function isAlone(id) {
    try {
        const {held} = await navigator.locks.query();
        return held.filter(({name}) => name === lockOf(id)).length < 2;
    } catch {
        return false;
    }
}

/* Ends a lesson that is not to be continued. Its game goes with it, so that these do not pile up;
 * but not a game that somebody may want: one that was finished or is shown in another tab. (One
 * that is continued as any other is no lesson any more: table.js.) */
async function discard(kind, id) {
    const isWanted = !await isAlone(id); /* asked for at once, while this tab counts */
    const game = await games.get(id);
    if (!game || game.over || isWanted || (await lessons.lessonOf(kind))?.id !== id) return;
    await lessons.forget(id);
    await games.remove([id]);
}

/* The lesson that was under way, if its game is still there. */
async function begun(kind) {
    const lesson = await lessons.lessonOf(kind);
    const game = lesson && await games.get(lesson.id);
    return game && !game.over ? {game, reached: lesson.reached} : null;
}

/* A game of its own for a lesson. */
async function beginLesson({record, title}) {
    const engine = await loadEngine();
    engine.open(record);
    return {game: await games.create({record: engine.record(), title}), reached: 0};
}

export async function show(place, kind) {
    const lesson = gameNames().includes(kind) && await loadPart(kind, 'lesson');
    if (!lesson) throw new Nowhere();
    const {game, reached} = await begun(kind) ?? await beginLesson(lesson);
    const endShowing = showsLesson(game.id);
    const inner = h('div', {class: 'lesson-table'});
    const guide = new Guide(inner, kind, lesson, game, reached);
    lessons.begin(kind, game.id, reached);
    fill(place, guide.bubble, inner, guide.ring);
    const endTable = await showTable(inner, game.id, {guide});
    guide.show();
    const again = () => staying(place, () => {
        guide.steps = lesson.steps();
        guide.bubble.setAttribute('aria-label', t('Lesson'));
        endTable.again?.();
        guide.show();
    });
    return Object.assign((aside) => {
        guide.end();
        if (typeof endTable === 'function') endTable();
        const isLeft = !aside && location.hash !== `#learn=${kind}`; /* else it may be resumed */
        Promise.resolve(isLeft && discard(kind, game.id)).finally(endShowing);
    }, {again});
}
