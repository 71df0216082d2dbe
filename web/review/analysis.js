/* The analysis of a game (docs/analysis.md): a chart over the game, what was luck and what was
 * given away, and at every point the move played, a better one, and why. Workers find it
 * (analyser.js), C draws and words the facts, the game's face says them.
 *
 *     #analysis=ID        for the only person at the table, else the first
 *     #analysis=ID@12     with node 12 selected
 *     #analysis=ID.2@12   for player 2
 *     #analysis=~DATA     of a game that the link itself contains; nothing of it is kept
 *
 * Only the player's own view is opened here: what they did not know is neither shown nor used.
 *
 * What is different about a game is the part `analysis` of its face (faces.js); a game without it
 * has no analysis:
 *
 *     reason(fact, state)     why a move is better than the one played: a sentence for a fact
 *                             (`compare`, in the game's table.h)
 *     came(engine, event)     what a chance event has brought, in words
 *     piece(engine, event)    … as a small picture: an element
 *     where(state)            the place of a node in the game (`place` of the face)
 *     bare                    whether the picture has no title */
import {keep, recall} from '../store/keptanalysis.js';
import {Analyser} from '../engine/analyser.js';
import {loadAnalysisEngine} from '../engine/analysisengine.js';
import {betterBy, counts, error as margin, fine, isMistake, isShown, labelName, luckOf, shape,
    signed, sumTable} from './analysisparts.js';
import {announce, button, fill, h, icon, isDark, onTheme, svg} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {faceOf, loadPart, Nowhere} from '../games/faces.js';
import {progress, refill} from '../ui/parts.js';
import {fromLink, openRecord} from '../share/share.js';
import {staying} from '../ui/stay.js';
import {games, settings} from '../store/store.js';
import {loadStyle} from '../app/stylesheets.js';
import {t, words} from '../app/texts.js';
import {full, gameName, playerName, reason as why} from '../ui/words.js';
import {zoomable} from '../ui/zoom.js';

const ADDRESS_MS = 400; /* browsers limit how often the address may change */
const DRAW_MS = 250; /* between two pictures of results that come */
const WORST = 3;

/* Pictures differ on paper, and on a phone, where they show the most important things only. */

/* An error whose message is a sentence for the reader. */
class AnalysisError extends Error {}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Results of the latest analysis that was not finished: the reader may come back. */
let unfinished = {key: '', lines: []};

const isLink = (id) => id.startsWith('~');

async function find(id) {
    if (isLink(id)) return {id, ...await fromLink(id.slice(1))};
    const game = await games.get(id);
    if (!game) throw new AnalysisError(t('This game isn’t saved in this browser.'));
    return game;
}

/* The replay of such a game. */
const replayOf = (id) => (isLink(id) ? `#record=${id.slice(1)}` : `#replay=${id}`);

async function open(parameter) {
    const [, id, seat, at] = /^([^@.]*)(?:\.(\d))?(?:@(\d{1,6}))?/.exec(parameter);
    const game = await find(id);
    const [engine, teller] = await Promise.all([loadAnalysisEngine(), loadEngine(),
        loadStyle('review/analysis.css')]);
    engine.words(words());
    const map = await openRecord(engine, game.record, game.map);
    teller.map(map);
    const state = engine.state(0);
    const face = await loadPart(state.game, 'analysis');
    if (!face) throw new Nowhere();
    const people = state.players.filter(({bot}) => !bot).map(({player}) => player);
    if (!state.over && people.length > 1)
        throw new AnalysisError(t('Several people are playing. The analysis is possible once the ' +
            'game is over.'));
    const usual = people[0] ?? 1;
    const seats = state.over ? state.players.map(({player}) => player) : [usual];
    const player = seats.includes(Number(seat)) ? Number(seat) : usual;
    return {engine, teller, game, map, face, people, usual, seats, player,
        at: at === undefined ? -1 : Number(at)};
}

function whyNot(error) {
    if (error instanceof AnalysisError || error.name === 'ShareFault') return error.message;
    if (error.status) return why(error.sentence);
    console.error(error);
    return t('The page didn’t load completely. Reload it to try again.');
}

function refuse(place, error, id) {
    fill(place, h('section', {class: 'panel message'},
        h('h1', {}, t('This game can’t be analysed')), h('p', {role: 'alert'}, whyNot(error)),
        h('div', {class: 'row'},
            h('a', {class: 'button', href: replayOf(id)}, icon('replay'), t('Replay')),
            h('a', {class: 'button', href: '#games'}, t('All games')))));
}

/* ---- The screen ------------------------------------------------------------------------------ */

class Analysis {
    constructor(place, opened) {
        Object.assign(this, opened);
        this.place = place;
        this.address = 0;
        this.timer = 0;
        this.paper = matchMedia('print');
        this.narrow = matchMedia('(max-width: 599px)');
        this.redraw = () => {
            this.drawChart();
            this.showPoint();
        };
        this.keys = (event) => this.key(event);
        this.begin(this.player, this.at);
        document.addEventListener('keydown', this.keys);
        for (const medium of [this.paper, this.narrow])
            medium.addEventListener('change', this.redraw);
        this.untheme = onTheme(this.redraw);
    }

    end() {
        this.stop();
        clearTimeout(this.address);
        document.removeEventListener('keydown', this.keys);
        for (const medium of [this.paper, this.narrow])
            medium.removeEventListener('change', this.redraw);
        this.untheme();
        this.zoom.end();
    }

    /* The same in another language. */
    again() {
        const zoomed = this.zoom.place();
        this.engine.words(words());
        this.moments.clear();
        this.shown = '';
        staying(this.place, () => {
            this.build();
            this.showResults();
        });
        this.zoom.goTo(zoomed);
    }

    stop() {
        this.analyser?.cancel();
        clearTimeout(this.timer);
        this.timer = 0;
    }

    /* Shows the analysis for a player. */
    begin(player, at) {
        const {engine, game, map} = this;
        this.stop();
        engine.open(game.record);
        const record = engine.view(player);
        engine.open(record);
        this.player = player;
        this.view = {record, map, player};
        this.last = engine.state(player);
        Object.assign(this, engine.nodes(player)); /* unit and nodes */
        if (this.nodes.length === 0) throw new AnalysisError(t('Nothing has been played yet.'));
        this.leaveOpen();
        this.failure = '';
        this.shown = '';
        this.told = -1; /* the node at which the teller is */
        this.moments = new Map(); /* by node: what it was, in words */
        this.lines = this.nodes.map(() => '');
        this.hindsight = null;
        this.chosen = at >= 0 && at < this.nodes.length; /* by the reader, not by the screen */
        this.selected = this.chosen ? at : Math.max(0, this.nodes.findLastIndex((node) =>
            node.kind === 'decision' && !node.open));
        this.recall();
        this.analyse();
        const [worst] = this.result.worst;
        if (!this.chosen && this.wanted.length === 0 && worst !== undefined) this.selected = worst;
        this.build();
        this.showResults();
        if (this.wanted.length > 0) this.work();
    }

    /* A move that can still be taken back counts as open: the analysis would be a hint. */
    leaveOpen() {
        if (this.last.over || !this.last.undo) return;
        const since = this.nodes.findLastIndex(({kind, open}) => kind === 'chance' && !open);
        for (const node of this.nodes.slice(since + 1)) node.open = true;
    }

    /* ---- Results ---- */

    get subject() {
        return `${this.game.id} ${this.player} ${this.view.record}`;
    }

    recall() {
        const kept = recall(this.game, this.player, this.last.events, this.nodes.length);
        const found = kept ?? (unfinished.key === this.subject ? unfinished : null);
        if (!found) return;
        this.lines = found.lines;
        this.hindsight = found.hindsight;
        try {
            this.engine.analysis(this.player, this.lines);
        } catch { /* somebody has changed them */
            this.lines = this.nodes.map(() => '');
            this.hindsight = null;
        }
    }

    /* What is not known yet, in the order in which it is found: the point that the reader looks at,
     * all decisions, then what chance brought. It goes backwards, because late points take the
     * least time: so there is something to see at once. An open decision is left to the player. */
    get wanted() {
        const isOpen = (i) => this.lines[i] === '' && !this.nodes[i].open;
        const rank = (i) => (i === this.selected ? 0 : this.nodes[i].kind === 'decision' ? 1 : 2);
        const nodes = this.nodes.map((_, i) => i).filter(isOpen)
            .sort((a, b) => rank(a) - rank(b) || b - a);
        const late = this.hindsight || !this.canLookBack ? [] : [{hindsight: true}];
        return [...nodes.map((node) => ({node})), ...late];
    }

    get canLookBack() {
        return this.last.over && this.last.players.length === 1;
    }

    work() {
        this.failure = '';
        this.analyser = new Analyser(this.view, {
            result: (ask, found) => this.hear(ask, found),
            done: () => this.done(),
            failed: (error) => this.fail(error),
        });
        this.analyser.start(this.wanted);
        this.showStatus();
    }

    hear({node}, found) {
        if (node === undefined) this.hindsight = found;
        else this.lines[node] = found;
        unfinished = {key: this.subject, lines: this.lines, hindsight: this.hindsight};
        this.timer ||= setTimeout(() => this.showNews(), this.drawn ? DRAW_MS : 0);
    }

    showNews() {
        clearTimeout(this.timer);
        this.timer = 0;
        this.drawn = true;
        this.analyse();
        this.showResults();
    }

    done() {
        const {game, player, lines, hindsight, last} = this;
        keep(game, player, {events: last.events, lines: [...lines], hindsight});
        this.showNews();
        if (!this.chosen && this.result.worst.length > 0) this.select(this.result.worst[0], false);
        announce(this.summary());
    }

    fail(error) {
        console.error(error);
        this.failure = whyNot(error);
        this.showStatus();
    }

    analyse() {
        this.result = this.engine.analysis(this.player, this.lines);
    }

    /* ---- Building ---- */

    /* The only person here reads this; of anybody else it speaks by name. */
    get isReader() {
        return this.people.length === 1 && this.people[0] === this.player;
    }

    get name() {
        return playerName(this.last, this.player);
    }

    build() {
        const title = t('Analysis: {game}', {game: gameName(this.last)});
        this.zoom?.end();
        this.status = h('div', {class: 'analysis-status'});
        this.chart = h('div', {class: 'analysis-chart', role: 'slider', tabindex: 0,
            id: 'analysis-chart', 'aria-label': t('Point in the game'), 'aria-valuemin': 1,
            'aria-valuemax': this.nodes.length, onclick: (event) => this.click(event)});
        this.where = h('p', {class: 'analysis-where'});
        this.point = h('section', {class: 'panel analysis-point', 'aria-labelledby':
            'analysis-point'});
        this.mistakes = h('ol', {class: 'analysis-worst'});
        this.sum = h('section', {class: 'panel analysis-sum', 'aria-label': t('Sum')});
        this.inner = h('div', {class: 'analysis-inner'});
        const frame = h('div', {class: 'analysis-frame'}, this.inner);
        this.zoom = zoomable(frame, this.inner);
        this.styles = h('figcaption', {class: 'analysis-styles'});
        this.later = h('div', {class: 'analysis-actions'});
        fill(this.place, h('div', {class: `analysis ${this.last.game}`},
            h('div', {class: 'analysis-head'}, h('h1', {}, title), this.who(), this.status),
            h('div', {class: 'analysis-main'},
                h('section', {class: 'panel analysis-course', 'aria-label': t('Chart')},
                    this.chart, this.chartLegend(), this.bar()),
                h('figure', {class: 'analysis-picture'}, frame, h('div',
                    {class: 'analysis-under'}, this.styles, this.zoom.buttons))),
            h('div', {class: 'analysis-side'},
                h('section', {class: 'panel analysis-mistakes', 'aria-labelledby':
                    'analysis-mistakes'}, h('h2', {id: 'analysis-mistakes'}, this.isReader
                    ? t('Your biggest mistakes')
                    : t('The biggest mistakes of {name}', {name: this.name})), this.mistakes),
                this.point, this.sum, this.later)));
    }

    /* Whose game it is: a choice, or on paper the name. */
    who() {
        const name = (kind) => h('p', {class: kind}, t('Player: {name}', {name: this.name}));
        if (this.seats.length < 2) return this.last.players.length > 1 && name('muted');
        const select = h('select', {id: 'analysis-who', onchange: () => {
            this.begin(Number(select.value), -1);
            this.follow();
            this.place.querySelector('#analysis-who').focus();
        }}, this.seats.map((seat) => h('option', {value: seat}, playerName(this.last, seat))));
        select.value = String(this.player);
        return [h('div', {class: 'analysis-who'},
            h('label', {for: 'analysis-who'}, t('Player')), select), name('analysis-printed')];
    }

    /* What the colours and shapes of the chart are. */
    chartLegend() {
        const entry = (sample, name) => h('li', {}, sample, name);
        const line = (kind) => h('span', {class: `analysis-sample ${kind}`,
            'aria-hidden': 'true'});
        return h('ul', {class: 'analysis-legend', 'aria-label': t('Legend')},
            entry(line('expected'), this.unit === 'win' ? t('Chance of winning')
                : t('Expected points')),
            entry(line('luck'), t('Luck')), entry(line('loss'), t('Loss')),
            ['inaccuracy', 'mistake', 'blunder', 'good'].map((label) =>
                entry(shape(label), labelName(label))));
    }

    bar() {
        const at = (label, picture, act) => h('button', {type: 'button',
            class: 'button quiet square', 'aria-label': label, title: label, onclick: act},
        icon(picture));
        this.toMistake = [at(t('Previous mistake'), 'first', () => this.jump(-1)),
            at(t('Next mistake'), 'last', () => this.jump(1))];
        this.toPoint = [at(t('Step back'), 'back', () => this.select(this.selected - 1)),
            at(t('Step forward'), 'next', () => this.select(this.selected + 1))];
        return h('div', {class: 'analysis-bar', role: 'group',
            'aria-label': t('Point in the game')},
        this.toMistake[0], this.toPoint[0], this.where, this.toPoint[1], this.toMistake[1]);
    }

    /* ---- Selecting ---- */

    select(i, byReader = true) {
        const next = Math.max(0, Math.min(i, this.nodes.length - 1));
        if (byReader) this.chosen = true;
        if (next === this.selected && byReader) return;
        this.selected = next;
        this.drawChart();
        this.showPoint();
        this.showMistakes();
        if (!byReader) return;
        this.follow();
        announce(this.pointInWords());
    }

    /* The points at which something was given away, in order. */
    get wrong() {
        return this.result.nodes.map((_, i) => i).filter((i) => isMistake(this.result.nodes[i]));
    }

    jump(way) {
        const next = way < 0 ? this.wrong.findLast((i) => i < this.selected)
            : this.wrong.find((i) => i > this.selected);
        if (next !== undefined) this.select(next);
    }

    /* The node whose place in the chart is nearest. */
    click(event) {
        const own = event.target.closest?.('[data-node]');
        const middle = (part) => {
            const {left, right} = part.getBoundingClientRect();
            return Math.abs((left + right) / 2 - event.clientX);
        };
        const near = own ?? [...this.chart.querySelectorAll('[data-node]')]
            .sort((a, b) => middle(a) - middle(b))[0];
        if (near) this.select(Number(near.dataset.node));
    }

    key(event) {
        const of = event.target;
        if (event.ctrlKey || event.altKey || event.metaKey ||
            document.querySelector('dialog[open]') ||
            of.closest?.('select, textarea, input'))
            return;
        const last = this.nodes.length - 1;
        const done = {
            ArrowLeft: () => this.select(this.selected - 1),
            ArrowRight: () => this.select(this.selected + 1),
            Home: () => this.select(0),
            End: () => this.select(last),
            /* Elsewhere these scroll. */
            ...of === this.chart && {ArrowUp: () => this.jump(-1), ArrowDown: () => this.jump(1)},
        }[event.key];
        if (!done) return;
        event.preventDefault();
        done();
    }

    /* The address follows, unless it leads elsewhere by now. */
    follow() {
        clearTimeout(this.address);
        const {id} = this.game;
        const own = new RegExp(`^#analysis=${id}(\\.\\d)?(@\\d+)?$`);
        const seat = this.player === this.usual ? '' : `.${this.player}`;
        const at = this.chosen ? `@${this.selected}` : '';
        this.address = setTimeout(() => {
            const hash = `#analysis=${id}${seat}${at}`;
            if (own.test(location.hash) && location.hash !== hash)
                history.replaceState(history.state, '', hash);
        }, ADDRESS_MS);
    }

    /* ---- What was played ---- */

    /* The moment of a node: {state, where, event, best}, the latter two in words. For what chance
     * has brought it is the moment after. */
    moment(i) {
        const {at, kind, event} = this.nodes[i];
        const {best} = this.result.nodes[i];
        this.engine.seek(this.player, kind === 'chance' ? at + 1 : at);
        if (!this.moments.has(i)) {
            const state = this.engine.state(this.player);
            this.moments.set(i, {state, where: (this.face.where ?? faceOf(state.game).place)(state),
                said: new Map()});
        }
        const found = this.moments.get(i);
        const say = (move) => {
            if (move && !found.said.has(move))
                found.said.set(move, kind === 'chance' ? this.face.came(this.engine, move)
                    : this.moveInWords(i, move, found.state));
            return found.said.get(move) ?? '';
        };
        return {...found, say, event: say(event), best: kind === 'chance' ? '' : say(best)};
    }

    /* Moves are only planned at the end of a game, so the teller has it cut there. */
    moveInWords(i, event, state) {
        const {player, teller} = this;
        if (this.told !== i) {
            teller.open(this.view.record);
            teller.fork(player, this.nodes[i].at);
            this.told = i;
        }
        return faceOf(state.game).move(teller.choose(player, '', `move ${event}`), state);
    }

    /* How a decision compares with the best one: 'best', 'better' (there was a better one), 'equal'
     * (no difference was found that would be shown), or '' while it is not known. */
    verdict(i) {
        const {event, best, loss, lossError} = this.result.nodes[i];
        if (loss === undefined) return '';
        if (event === best) return 'best';
        return loss > 2 * lossError && isShown(this.unit, loss) ? 'better' : 'equal';
    }

    /* The sentences about a point: [what happened, …]. */
    sentences(i) {
        const node = this.result.nodes[i];
        const {event, best, state} = this.moment(i);
        if (node.open ?? this.nodes[i].open) return [this.nodes[i].kind === 'chance'
            ? t('This is still to come') : t('This move is still open. The analysis says nothing ' +
                'about it until it is made')];
        if (node.kind === 'chance') return [event, node.luck !== undefined &&
            luckOf(this.unit, node.luck, node.luckError)];
        const played = t('Played: {move}', {move: event});
        switch (this.verdict(i)) {
        case 'best': return [played, t('Nothing better was found')];
        case 'equal': return [played, t('Nothing clearly better was found')];
        case 'better': return [played, t('Better: {move}', {move: best}),
            betterBy(this.unit, node.loss, node.lossError), ...this.reasons(node, state)];
        default: return [played];
        }
    }

    reasons({why: facts = []}, state) {
        return facts.map((fact) => this.face.reason(fact, state)).filter(Boolean);
    }

    pointInWords() {
        const i = this.selected;
        const {where} = this.moment(i);
        return [where, labelName(this.result.nodes[i].label), ...this.sentences(i)]
            .filter(Boolean).map(full).join(' ');
    }

    /* ---- Showing ---- */

    showResults() {
        this.showStatus();
        this.drawChart();
        if (this.shown === `${this.selected} ${this.lines[this.selected]}`) this.showBar();
        else this.showPoint();
        this.showMistakes();
        this.showSum();
    }

    showStatus() {
        const all = this.nodes.filter(({open}) => !open).length;
        const n = this.lines.filter(Boolean).length;
        const again = (label) => button(label, {'data-key': 'again', onclick: () => this.work()},
            'play');
        if (this.analyser?.busy) {
            refill(this.status, progress(t('Analysing: {n} of {all}', {n, all}), n / all, () => {
                this.stop();
                this.showNews();
            }));
        } else if (this.failure) {
            refill(this.status, h('p', {class: 'warn-text', role: 'alert'}, this.failure),
                again(t('Try again')));
        } else if (this.wanted.length > 0) {
            refill(this.status, h('p', {}, t('Stopped at {n} of {all}.', {n, all})),
                again(t('Continue the analysis')));
        } else {
            refill(this.status, h('p', {class: 'muted'}, this.summary()));
        }
    }

    summary() {
        return this.result.complete ? full(counts(this.result))
            : t('The analysis goes as far as the game has come.');
    }

    drawChart() {
        const print = this.paper.matches;
        fill(this.chart, svg(this.engine.chart(this.player, this.lines, {selected: this.selected,
            dark: isDark(), print, narrow: this.narrow.matches && !print})));
    }

    showPoint() {
        const i = this.selected;
        const {where} = this.moment(i);
        const {label} = this.result.nodes[i];
        this.shown = `${i} ${this.lines[i]}`;
        this.showBar();
        refill(this.point, h('h2', {id: 'analysis-point'}, label && shape(label),
            label ? t('{where}: {what}', {where, what: labelName(label)}) : where),
        this.nodes[i].kind === 'chance' ? this.chance(i) : this.decision(i));
        this.drawPicture();
        this.showLinks();
    }

    /* Where the reader is, and where else they can go. */
    showBar() {
        const i = this.selected;
        const n = i + 1;
        const {where} = this.moment(i);
        this.chart.setAttribute('aria-valuenow', n);
        this.chart.setAttribute('aria-valuetext', t('{n}: {what}', {n, what: where}));
        refill(this.where, h('strong', {}, where), h('small', {class: 'muted'},
            t('{n} of {all}', {n, all: this.nodes.length})));
        const disable = (one, off) => one.setAttribute('aria-disabled', String(off));
        disable(this.toPoint[0], i === 0);
        disable(this.toPoint[1], n === this.nodes.length);
        disable(this.toMistake[0], !this.wrong.some((one) => one < i));
        disable(this.toMistake[1], !this.wrong.some((one) => one > i));
    }

    decision(i) {
        const {why: facts, events = [], event: played, best: better} = this.result.nodes[i];
        const {event, best, say, state} = this.moment(i);
        const verdict = this.verdict(i);
        const [first, ...rest] = this.sentences(i);
        if (this.nodes[i].open) return [h('p', {}, full(first))];
        const move = (kind, name, words) => h('div', {class: `analysis-move ${kind}`},
            h('dt', {}, shape(kind), name), h('dd', {}, words));
        const others = events.filter((one) => ![played, better].includes(one.event));
        return [
            h('dl', {class: 'analysis-moves'}, move('played', t('Played'), event),
                verdict === 'better' && move('better', t('Better'), best)),
            verdict === '' && h('p', {class: 'muted'}, t('Not analysed yet.')),
            verdict === 'better' && h('p', {class: 'analysis-by'}, full(rest[1])),
            ['best', 'equal'].includes(verdict) && h('p', {}, full(rest[0])),
            verdict === 'better' && facts?.length > 0 && h('ul', {class: 'analysis-why'},
                this.reasons({why: facts}, state).map((text) => h('li', {}, full(text)))),
            others.length > 0 && h('div', {class: 'analysis-others'},
                h('h3', {}, t('Other moves, compared with the best')),
                h('ul', {}, others.map((one) => h('li', {}, h('span', {}, say(one.event)),
                    h('span', {class: 'number'}, signed(this.unit, -one.behind)))))),
        ];
    }

    /* What came, and what could have come instead, the best first. */
    chance(i) {
        const {kinds = [], luck, luckError, event} = this.result.nodes[i];
        if (this.nodes[i].open) return [h('p', {}, full(this.sentences(i)[0]))];
        const {event: came, say} = this.moment(i);
        const sorted = [...kinds].sort((a, b) => b.value - a.value);
        const low = Math.min(...kinds.map((kind) => kind.value));
        const span = Math.max(...kinds.map((kind) => kind.value)) - low || 1;
        return [
            h('p', {class: 'analysis-came'}, this.face.piece(this.engine, this.nodes[i].event),
                h('span', {}, full(came))),
            luck === undefined ? h('p', {class: 'muted'}, t('Not analysed yet.'))
                : h('p', {class: 'analysis-by'}, full(luckOf(this.unit, luck, luckError))),
            kinds.length > 0 && h('div', {class: 'analysis-others'},
                h('h3', {}, this.unit === 'win'
                    ? t('What could have come, with the chance of winning then')
                    : t('What could have come, with the points expected then')),
                h('ul', {class: 'analysis-kinds'}, sorted.map((kind) => {
                    const bar = h('meter', {'aria-hidden': 'true', min: 0, max: 1,
                        value: 0.08 + 0.92 * (kind.value - low) / span});
                    return h('li', {class: kind.event === event && 'came',
                        'aria-current': kind.event === event && 'true'},
                    this.face.piece(this.engine, kind.event),
                    h('span', {class: 'visually-hidden'}, say(kind.event)), bar,
                    h('span', {class: 'number'}, fine(this.unit, kind.value)));
                }))),
        ];
    }

    drawPicture() {
        const i = this.selected;
        const {event, best} = this.result.nodes[i];
        const {kind} = this.nodes[i];
        this.moment(i); /* goes there */
        const look = {viewer: this.player, sheet: this.player, dark: isDark(),
            names: settings.get('names'), patterns: settings.get('patterns'),
            bare: this.face.bare || this.narrow.matches, print: this.paper.matches,
            prefix: 'analysis-'};
        const verdict = kind === 'decision' && !this.nodes[i].open ? this.verdict(i) || 'open' : '';
        const better = verdict === 'better' ? best : '';
        const picture = svg(verdict ? this.engine.drawMoves({...look, played: event, better})
            : this.engine.draw(look));
        if (this.inner.firstChild) this.inner.firstChild.replaceWith(picture);
        else this.inner.append(picture);
        const entry = (style, name) => h('span', {class: 'analysis-style'}, shape(style), name);
        refill(this.styles, verdict && entry('played', t('Played')),
            better && entry('better', t('Better')));
    }

    showMistakes() {
        const {worst} = this.result;
        const isOpen = this.wanted.some(({node}) => this.nodes[node]?.kind === 'decision');
        refill(this.mistakes, worst.slice(0, WORST).map((i) => {
            const {label, loss, lossError} = this.result.nodes[i];
            const {where, event, best} = this.moment(i);
            return h('li', {'data-key': `worst-${i}`}, h('button', {type: 'button',
                class: 'analysis-wrong', 'data-key': `wrong-${i}`, 'aria-current':
                String(i === this.selected), onclick: () => this.select(i)},
            shape(label), h('span', {class: 'analysis-wrong-words'},
                h('strong', {}, t('{where}: {what}', {where, what: labelName(label)})),
                h('span', {}, t('{move} instead of {played}', {move: best, played: event}))),
            h('span', {class: 'number'}, signed(this.unit, -loss),
                h('small', {}, margin(this.unit, lossError)))));
        }), worst.length === 0 && h('li', {class: 'muted'}, isOpen ? t('None found so far.')
            : t('No mistakes were found.')));
    }

    showSum() {
        const {over, players} = this.last;
        const sum = this.result.complete ? this.result : null;
        refill(this.sum, over || sum ? sumTable(this.unit === 'win'
            ? t('How the result came about: chance of winning')
            : t('How the result came about: points'), {unit: this.unit, over, sum,
            alone: players.length === 1, hindsight: this.possible()})
            : h('p', {class: 'muted'}, t('The sum is shown when the game is over.')));
    }

    /* What hindsight could have made of it, {points} or {} while that is not known; null: nothing
     * is said about it. */
    possible() {
        if (!this.canLookBack) return null;
        return this.hindsight && this.hindsight.points === undefined ? null : this.hindsight ?? {};
    }

    /* To the same moment in the replay, and to the game if that goes on. */
    showLinks() {
        const {id} = this.game;
        this.moment(this.selected);
        const {cursor} = this.engine.state(0);
        refill(this.later, h('a', {class: 'button', href: `${replayOf(id)}@${cursor}`},
            icon('replay'), t('Show in the replay')),
        !this.last.over && !isLink(id) && h('a', {class: 'button', href: `#game=${id}`},
            icon('back'), h('span', {}, t('Back to the game'))));
    }
}

export async function show(place, parameter) {
    fill(place, h('p', {class: 'muted'}, t('Loading…')));
    try {
        const analysis = new Analysis(place, await open(parameter));
        return Object.assign(() => analysis.end(), {again: () => analysis.again()});
    } catch (error) {
        if (['Unsupported', 'Nowhere'].includes(error.name)) throw error; /* app.js shows it */
        refuse(place, error, parameter.replace(/[.@].*/, ''));
        return null;
    }
}
