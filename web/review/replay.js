/* Replay of a game: a slider over its rounds or tiles, step by step or as a film, the log
 * beside it. The game is kept here (#replay=ID@17) or carried by the link itself (#record=DATA@17);
 * the address follows, so that it always leads to this very moment.
 *
 * The viewer is a spectator, so that a game in progress keeps its secrets; once it is over, faces
 * show what was hidden (`last.over`).
 *
 * What is different about a game is its `face`: the part `replay` of it (faces.js), of which all
 * but `begins` may be left out:
 *
 *     begins              the fact (`what`) with which a step begins: a card, a tile that is laid
 *     early               a fact that belongs to the step that begins next
 *     bare                whether the picture has no title
 *     head(replay, fact, n)   children: the heading of step n, of the fact with which it begins
 *                         (its number and the fact)
 *     where(n, all)       'Round 3 of 12' (the number of the step)
 *     now(replay)         elements: what is open
 *     player(replay, player, seat)   a player's element (name and points)
 *     lit(element)        what the picture lights up while the pointer is on that element of it;
 *                         0: nothing
 *     litWords(lit, state)    … and in words
 *     after(replay, facts)    a step forward is drawn: light up what happened in it
 *
 * A replay has
 *
 *     engine, state       the game, and engine.state(0) at this moment; `last`: at its end
 *     step, steps         the number of the step that is shown; all of them, as {n, from, facts}
 *     sheet               whose picture is the large one
 *     inner               the element whose first child is the large picture
 *     picture(look)       an <svg> element
 *     score(player, won)  an element with the points
 *     choose(seat)        makes that player's picture the large one */
import {announce, button, fill, h, icon, isDark, onTheme, svg, toast} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {faceOf, loadPart} from '../games/faces.js';
import {canCheck, check, tellCheck} from '../engine/shufflecheck.js';
import {once} from '../table/newgame.js';
import {fromLink, openRecord, shareGame} from '../share/share.js';
import {staying} from '../ui/stay.js';
import {games, settings} from '../store/store.js';
import {number, t, tn, words} from '../app/texts.js';
import {full, gameName, playerName, reason, result, tell, tellAll} from '../ui/words.js';
import {zoomable} from '../ui/zoom.js';

const SPEEDS = [0.5, 1, 2, 4];
const STEP_MS = 1400;
const ADDRESS_MS = 400; /* browsers limit how often the address may change */

/* An error whose message is a sentence for the reader. */
class ReplayError extends Error {}

/* ---- Opening -------------------------------------------------------------------------------- */

async function find(kind, data) {
    if (kind === 'record') return {id: `~${data}`, ...await fromLink(data)};
    const game = await games.get(data);
    if (!game) throw new ReplayError(t('This game isn’t saved in this browser.'));
    return game;
}

async function open(kind, parameter) {
    const [, data, at] = /^([^@]*)(?:@(\d{1,6}))?/.exec(parameter);
    const source = await find(kind, data);
    const engine = await loadEngine();
    engine.words(words());
    source.map = await openRecord(engine, source.record, source.map);
    source.record = engine.record();
    const {game} = engine.state(0);
    const face = await loadPart(game, 'replay');
    const canBeChecked = canCheck(source.record) && Boolean(await loadPart(game, 'fair'));
    return {engine, source, face, canBeChecked, at: at === undefined ? Infinity : Number(at)};
}

function whyNot(error) {
    if (error instanceof ReplayError || error.name === 'ShareFault') return error.message;
    if (error.status) {
        const why = reason(error.sentence);
        return error.line ? t('Record file, line {line}: {why}', {line: error.line, why}) : why;
    }
    console.error(error);
    return t('The page didn’t load completely. Reload it to try again.');
}

function refuse(place, error) {
    fill(place, h('section', {class: 'panel message'},
        h('h1', {}, t('This game can’t be shown')), h('p', {role: 'alert'}, whyNot(error)),
        h('div', {class: 'row'}, h('a', {class: 'button', href: '#games'}, t('All games')))));
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* What people think of as one step: a round with all its entries, or a tile with what led to it and
 * the one taken for it. A step is {n, from, facts}: it is the current step from event `from` on,
 * and complete after `n` events. */
function stepsOf(log, face) {
    const steps = [{n: 0, from: 0, facts: []}];
    let early = []; /* what belongs to the next step */
    for (const fact of log) {
        const last = steps[steps.length - 1];
        if (fact.what === 'deal') {
            if (!early.length) last.n = fact.n;
        } else if (fact.what === face.early) {
            early.push(fact);
        } else if (face.begins ? fact.what === face.begins : fact.player > 0) {
            steps.push({n: fact.n, from: early[0]?.n ?? fact.n, facts: [...early, fact]});
            early = [];
        } else {
            last.facts.push(fact);
            last.n = Math.max(last.n, fact.n);
        }
    }
    if (early.length)
        steps.push({n: early[early.length - 1].n, from: early[0].n, facts: early});
    return steps;
}

/* ---- The screen ----------------------------------------------------------------------------- */

class Replay {
    constructor(place, kind, hash, {engine, source, face, canBeChecked, at}) {
        Object.assign(this, {place, kind, hash, engine, source, face, canBeChecked});
        this.last = engine.state(0);
        this.steps = stepsOf(engine.log(0, 0), face);
        this.total = this.last.events;
        this.sheet = 1;
        this.speed = 1;
        this.timer = 0;
        this.address = 0;
        this.build();
        this.keys = (event) => this.key(event);
        document.addEventListener('keydown', this.keys);
        this.untheme = onTheme(() => this.rebuild());
        this.go(at, false);
    }

    end() {
        this.pause();
        clearTimeout(this.address);
        document.removeEventListener('keydown', this.keys);
        this.untheme();
        this.zoom.end();
    }

    get title() {
        return gameName(this.last);
    }

    /* -- Building -- */

    build() {
        const inner = h('div', {class: 'replay-inner'});
        const frame = h('div', {class: 'replay-frame'}, inner);
        this.inner = inner;
        this.lit = 0;
        if (this.face.lit) {
            inner.addEventListener('pointerover', (event) => this.light(event));
            inner.addEventListener('pointerleave', (event) => this.light(event));
        }
        this.zoom = zoomable(frame, inner);
        this.status = h('p', {class: 'replay-status'});
        this.now = h('div', {class: 'replay-now'});
        this.board = h('ul', {class: 'replay-players'});
        this.log = h('ol', {class: 'replay-log'});
        fill(this.place, h('div', {class: `replay ${this.last.game}`},
            h('div', {class: 'replay-head'}, h('h1', {}, this.title), this.status,
                this.zoom.buttons),
            h('div', {class: 'replay-main'}, frame, this.bar()),
            h('div', {class: 'replay-side'},
                h('section', {class: 'panel', 'aria-label': t('Players')}, this.now, this.board),
                h('section', {class: 'panel replay-story'}, h('h2', {}, t('Log')), this.log),
                this.actions())));
        this.fillLog();
    }

    /* The same in another theme or language. */
    rebuild() {
        const zoomed = this.zoom.place();
        this.engine.words(words());
        staying(this.place, () => {
            this.zoom.end();
            this.build();
            this.show();
        });
        this.zoom.goTo(zoomed);
    }

    bar() {
        const at = (label, picture, step) => h('button', {type: 'button',
            class: 'button quiet square', 'aria-label': label, title: label, onclick: step},
        icon(picture));
        this.first = at(t('To the beginning'), 'first', () => this.toStep(0));
        this.back = at(t('Step back'), 'back', () => this.by(-1));
        this.next = at(t('Step forward'), 'next', () => this.by(1));
        this.lastButton = at(t('To the end'), 'last', () => this.toStep(this.steps.length - 1));
        this.playButton = h('button', {type: 'button', class: 'button primary square',
            onclick: () => (this.timer ? this.pause() : this.play())});
        this.slider = h('input', {type: 'range', min: 0, max: this.steps.length - 1, step: 1,
            class: 'replay-slider', 'aria-label': t('Position in the game'),
            oninput: () => this.toStep(Number(this.slider.value))});
        const speeds = h('select', {'aria-label': t('Speed'), class: 'replay-speed',
            onchange: () => this.setSpeed(Number(speeds.value))},
        SPEEDS.map((speed) => h('option', {value: speed},
            t('× {n}', {n: number(speed, speed < 1 ? 1 : 0)}))));
        speeds.value = String(this.speed);
        this.showPlaying();
        return h('div', {class: 'replay-bar', role: 'group', 'aria-label': t('Replay')},
            this.slider, h('div', {class: 'replay-buttons'}, this.first, this.back,
                this.playButton, this.next, this.lastButton, speeds));
    }

    actions() {
        const kept = this.kind === 'replay';
        const playOn = once(() => this.playOn());
        this.onward = button(t('Continue from here'), {onclick: () => (this.state.over
            ? toast(t('Here the game is over. Go back to an earlier moment to continue from it.'))
            : playOn())}, 'play');
        this.keep = !kept && button(t('Save a copy'), {onclick: () => this.keepCopy()}, 'keep');
        return h('div', {class: 'replay-actions'},
            button(t('Copy a link to this moment'), {
                onclick: () => shareGame(this.source, this.title, this.n)}, 'share'),
            this.onward, this.keep,
            faceOf(this.last.game).parts.analysis && h('a', {class: 'button',
                href: `#analysis=${this.source.id}`}, icon('chart'), t('Analysis')),
            this.canBeChecked && button(t('Check the shuffle'), {'data-key': 'check',
                onclick: () => this.checkShuffle()}, 'proof'),
            kept && !this.last.over && h('a', {class: 'button', href: `#game=${this.source.id}`},
                icon('back'), h('span', {}, t('Back to the game'))));
    }

    fillLog() {
        this.items = this.steps.map((step, i) => h('li', {}, h('button', {type: 'button',
            class: 'replay-step', onclick: () => this.toStep(i)}, this.stepHead(step, i),
        step.facts.filter((fact) => !this.isHead(fact)).map((fact) =>
            h('span', {class: `replay-fact ${fact.what}`}, tell(fact, this.last))))));
        fill(this.log, this.items);
    }

    isHead(fact) {
        return fact.what === this.face.begins;
    }

    stepHead(step, i) {
        const fact = step.facts.find((one) => this.isHead(one));
        if (i === 0) return h('strong', {}, t('Start'));
        if (!fact) return h('strong', {}, t('Now'));
        return h('strong', {}, this.face.head?.(this, fact, i) ??
            t('{n}: {what}', {n: i, what: tell(fact, this.last)}));
    }

    /* -- Moving -- */

    /* The number of the step that is current after n events. */
    stepAt(n) {
        let i = this.steps.length - 1;
        while (i > 0 && this.steps[i].from > n) i--;
        return i;
    }

    by(steps) {
        const i = this.stepAt(this.n);
        const whole = this.n >= this.steps[i].n;
        this.toStep(steps > 0 && !whole ? i : i + steps);
    }

    toStep(i) {
        const step = Math.max(0, Math.min(i, this.steps.length - 1));
        this.pauseAtEnd(step);
        this.go(step === this.steps.length - 1 ? this.total : this.steps[step].n, true);
    }

    /* Goes to the first moment at which a spectator knew n events; that is never in the middle of a
     * round in which all play at once. */
    go(n, say) {
        this.engine.seek(0, n);
        this.state = this.engine.state(0);
        this.n = this.state.cursor;
        const before = this.step;
        this.step = this.stepAt(this.n);
        this.lit = 0;
        this.inner.querySelectorAll('.lights').forEach((light) => light.remove());
        this.show();
        this.follow();
        if (this.step === before + 1) this.face.after?.(this, this.steps[this.step].facts);
        if (say && !this.timer)
            announce(this.step ? tellAll(this.steps[this.step].facts, this.state) : t('Start'));
    }

    play() {
        if (this.step === this.steps.length - 1) this.toStep(0);
        const tick = () => {
            this.timer = setTimeout(tick, STEP_MS / this.speed);
            this.by(1);
        };
        this.timer = setTimeout(tick, STEP_MS / this.speed / 2);
        this.showPlaying();
    }

    pause() {
        clearTimeout(this.timer);
        this.timer = 0;
        this.showPlaying();
    }

    pauseAtEnd(step) {
        if (this.timer && step === this.steps.length - 1) this.pause();
    }

    setSpeed(speed) {
        this.speed = speed;
    }

    key(event) {
        const of = event.target;
        if (event.ctrlKey || event.altKey || event.metaKey ||
            document.querySelector('dialog[open]'))
            return;
        if (of.closest?.('select, textarea, input:not([type=range])')) return;
        const space = event.key === ' ' && !of.closest?.('button, a, summary');
        const done = {
            ArrowLeft: () => this.by(-1),
            ArrowRight: () => this.by(1),
            Home: () => this.toStep(0),
            End: () => this.toStep(this.steps.length - 1),
            ' ': () => (this.timer ? this.pause() : this.play()),
        }[event.key];
        if (!done || (event.key === ' ' && !space)) return;
        event.preventDefault();
        done();
    }

    /* -- Showing -- */

    showPlaying() {
        const label = this.timer ? t('Pause') : t('Start playback');
        fill(this.playButton, icon(this.timer ? 'pause' : 'play'));
        this.playButton.setAttribute('aria-label', label);
        this.playButton.title = label;
    }

    show() {
        this.slider.value = this.step;
        this.slider.setAttribute('aria-valuetext', this.where());
        this.status.textContent = this.standing();
        this.first.disabled = this.back.disabled = this.n === 0;
        this.next.disabled = this.lastButton.disabled = this.n === this.total;
        this.onward.setAttribute('aria-disabled', String(this.state.over));
        this.items.forEach((item, i) => {
            item.classList.toggle('ahead', i > this.step);
            item.firstChild.setAttribute('aria-current', i === this.step ? 'step' : 'false');
        });
        this.draw();
        this.scrollLog(this.items[this.step]);
    }

    /* Only the log moves, never the page. */
    scrollLog(item) {
        const {top, bottom} = this.log.getBoundingClientRect();
        const box = item.getBoundingClientRect();
        if (box.top < top) this.log.scrollTop += box.top - top;
        if (box.bottom > bottom) this.log.scrollTop += box.bottom - bottom;
    }

    standing() {
        return this.state.over ? full(result(this.state)) : this.where();
    }

    where() {
        const all = this.steps.length - 1;
        if (this.step === 0) return t('Before the first move');
        return this.face.where?.(this.step, all) ?? t('{n} of {all}', {n: this.step, all});
    }

    light(event) {
        const lit = event.type === 'pointerleave' ? 0 : this.face.lit(event.target);
        if (lit === this.lit) return;
        this.lit = lit;
        this.drawLarge();
        this.status.textContent = lit ? full(this.face.litWords(lit, this.state))
            : this.standing();
    }

    drawLarge() {
        const picture = this.picture({sheet: this.sheet, fresh: true, lit: this.lit,
            names: settings.get('names')});
        if (this.inner.firstChild) this.inner.firstChild.replaceWith(picture);
        else this.inner.append(picture);
    }

    draw() {
        this.drawLarge();
        fill(this.now, this.face.now?.(this) ?? []);
        const players = this.state.players.map((player, i) => h('li', {},
            this.face.player?.(this, player, i + 1) ?? this.player(player, i + 1)));
        fill(this.board, players);
    }

    picture(look) {
        return svg(this.engine.draw({viewer: 0, dark: isDark(), bare: this.face.bare ?? false,
            patterns: settings.get('patterns'), lit: 0, prefix: 'replay-', ...look}));
    }

    player(player, seat) {
        return h('p', {class: 'replay-name'}, h('strong', {}, playerName(this.state, seat)),
            this.score(player, this.state.winners.includes(seat)));
    }

    choose(seat) {
        this.sheet = seat;
        this.draw();
        this.board.children[seat - 1].querySelector('button')?.focus();
    }

    score(player, won) {
        return h('span', {class: won ? 'replay-score won' : 'replay-score'},
            tn('{n} point', '{n} points', player.score));
    }

    /* -- Taking it along -- */

    /* The address follows. If it is no longer the one set here, it leads elsewhere, and the screen
     * is about to change. */
    follow() {
        clearTimeout(this.address);
        this.address = setTimeout(() => {
            if (location.hash !== this.hash) return;
            const at = this.n === this.total ? '' : `@${this.n}`;
            this.hash = this.hash.replace(/(@.*)?$/, at);
            if (location.hash !== this.hash) history.replaceState(history.state, '', this.hash);
        }, ADDRESS_MS);
    }

    /* Starts another game from this moment; this one stays open. C makes sure that a copy of a game
     * in progress does not reveal its future cards. */
    async playOn() {
        const {engine, source, title} = this;
        engine.fork(0, this.n);
        const record = engine.record();
        engine.open(source.record);
        engine.seek(0, this.n);
        const game = await games.create({record, map: source.map, title});
        location.hash = `#game=${game.id}`;
    }

    /* Says whether the cards or tiles are those of the seed; bad news stays until it is closed. */
    async checkShuffle() {
        const found = await check(this.source.record);
        toast(tellCheck(found, this.last), {stay: !found.ok, warn: !found.ok});
    }

    async keepCopy() {
        const {record, map} = this.source;
        this.keep.disabled = true;
        await games.create({record, map, title: this.title, over: this.last.over});
        toast(t('Saved in this browser.'), {label: t('All games'),
            action: () => (location.hash = '#games')});
    }
}

export async function show(place, parameter) {
    const {hash} = location;
    const kind = hash.startsWith('#record=') ? 'record' : 'replay';
    fill(place, h('p', {class: 'muted'}, t('Loading…')));
    try {
        const replay = new Replay(place, kind, hash, await open(kind, parameter));
        return Object.assign(() => replay.end(), {again: () => replay.rebuild()});
    } catch (error) {
        if (error.name === 'Unsupported') throw error; // app.js shows it
        refuse(place, error);
        return null;
    }
}
