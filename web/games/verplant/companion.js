/* The conductor: for people at a table with paper sheets. It turns up the cards of verplant, large
 * enough to be read from across the table, and adds up in the end.
 *
 * It is an ordinary solo game whose entries mark nothing, so that cards, pile and end come from C.
 * It is kept as the value `conductor`, apart from the games: {record, map, at, top, adding, people,
 * sums, plain}.
 * `at` is what is shown, counted over everything that was shown before, and `top` the furthest that
 * it has been: going back shows earlier cards again and draws no new ones. */
import {loadEngine} from '../../engine.js';
import {routeStop} from '../../forms.js';
import {announce, button, dialog, fill, h, icon, onTheme, toast} from '../../dom.js';
import {infoOf} from '../../faces.js';
import {cleanName, newRecord, once} from '../../newgame.js';
import {ChangedElsewhere, settings, sheets, values} from '../../store.js';
import {language, t, tn, words} from '../../texts.js';
import {reason} from '../../words.js';
import {cardName, cardRule} from '../verplant.js';
import {cardPicture} from './parts.js';
import {deckChoice, deckOptions, printAddress, printLink, sheetChoices, sheetName}
    from './sheets.js';
import {adder, emptySum, stepper} from './tally.js';

const OTHER = ''; // a sheet that the page does not know
const PLAYERS_MAX = 6;
const WINDOWS = {min: 7, usual: 24, max: 56};
const TEXT_MAX = 1 << 20;
const PAUSE_MS = 350; // taps closer together count as one

/* ---- The record ------------------------------------------------------------------------------ */

/* A sheet of which only the number of windows is known: seven lines, which have them, whose values
 * are 1, 2, 4 … 64 (see tally.js), and as many stations as a sheet can have. */
function plainSheet(windows) {
    const stations = Array.from({length: 128}, (_, i) => `s${i + 1}`);
    const stops = (letter) => letter === 'A' ? stations.slice(0, 64)
        : letter === 'B' ? stations.slice(64) : stations.slice(0, 2);
    return ['endstation-map 1', 'id sheet', 'title Sheet', 'paper ffffff',
        ...stations.map((id, i) => `station ${id} ${i % 16} ${i >> 4}`),
        ...[...'ABCDEFG'].map((letter, i) => `line ${letter} 444444 windows ${
            Math.floor((windows + i) / 7)} points ${1 << i} 0 wagon -1 ${i} : ${
            stops(letter).join(' ')}`)].join('\n') + '\n';
}

/* ---- What is kept ---------------------------------------------------------------------------- */

const isCount = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;

function soundSum(sum) {
    const {won, lines, transfers, empty} = sum ?? {};
    if (!won || typeof won !== 'object' || ![lines, transfers, empty].every((n) => isCount(n, 999)))
        return null;
    const wins = Object.entries(won).filter(([letter, how]) => /^[A-Z]$/.test(letter) &&
        (how === 'first' || how === 'later'));
    return {won: Object.fromEntries(wins), lines, transfers, empty};
}

/* A kept value as the conductor's game, or null if it is not sound. */
function soundRound(value) {
    const {record, map, at, top, adding, people, sums, plain} = value ?? {};
    const isText = (text) => typeof text === 'string' && text.length <= TEXT_MAX;
    if (!isText(record) || !isText(map) || !isCount(at, 10000) || !isCount(top, 10000)) return null;
    if (!Array.isArray(people) || people.length < 1 || people.length > PLAYERS_MAX) return null;
    if (!people.every((name) => typeof name === 'string' && name.length <= 60)) return null;
    const sound = Array.isArray(sums) ? sums.map(soundSum) : [];
    if (sound.length !== people.length || sound.includes(null)) return null;
    return {record, map, at, top, adding: adding === true, people: [...people], sums: sound,
        plain: plain === true};
}

/* ---- Aloud ----------------------------------------------------------------------------------- */

const canSpeak = () => typeof speechSynthesis !== 'undefined' &&
    typeof SpeechSynthesisUtterance !== 'undefined';

function speak(text) {
    if (!canSpeak() || !settings.get('speech')) return;
    const said = new SpeechSynthesisUtterance(text);
    said.lang = language();
    said.rate = 0.95;
    speechSynthesis.cancel();
    speechSynthesis.speak(said);
}

/* The screen stays on while it is shown; nothing happens where that cannot be. */
function stayAwake() {
    let lock = null;
    let ended = false;
    const ask = async () => {
        if (ended || document.visibilityState !== 'visible') return;
        try {
            lock = await navigator.wakeLock?.request('screen');
            if (ended) lock?.release();
        } catch {
            // refused: low battery, or not allowed
        }
    };
    document.addEventListener('visibilitychange', ask);
    ask();
    return () => {
        ended = true;
        document.removeEventListener('visibilitychange', ask);
        lock?.release().catch(() => {});
    };
}

/* ---- The screen ------------------------------------------------------------------------------ */

class Companion {
    constructor(place, engine) {
        this.place = place;
        this.engine = engine;
        this.stop = new AbortController();
        this.endings = [];
        this.choices = {sheet: 'amsterdam', deck: '14', players: 2, windows: WINDOWS.usual};
        this.last = 0;
    }

    async start() {
        this.own = await sheets.list();
        await this.resume();
        this.endings.push(onTheme(() => this.conducting && this.show()),
            values.watch('conductor', () => this.resume()));
        const {signal} = this.stop;
        document.addEventListener('keydown', (event) => this.key(event), {signal});
    }

    /* Shows what is kept, and writes nothing. */
    async resume() {
        this.item = await values.get('conductor');
        if (this.stop.signal.aborted) return;
        this.game = soundRound(this.item.value);
        try {
            if (this.game) this.open();
            else this.setUp();
        } catch (error) {
            console.warn('conductor', error);
            this.setUp();
        }
    }

    end() {
        this.stop.abort();
        for (const end of this.endings) end();
        this.mayGoDark();
        if (canSpeak()) speechSynthesis.cancel();
    }

    mayGoDark() {
        this.sleep?.();
        this.sleep = null;
    }

    /* Keeps the game with these changes, before anybody sees what has come. One after the other.
     * False: another tab was first, and what it has kept is shown. */
    save(changes = {}) {
        const save = async () => {
            const value = this.game && {...this.game, ...changes};
            try {
                await values.put({...this.item, value: structuredClone(value)});
                this.item.revision++;
                this.game = value;
                return true;
            } catch (error) {
                if (!(error instanceof ChangedElsewhere)) throw error;
                await this.resume();
                toast(t('This game was continued in another window. This is how it stands now.'));
                return false;
            }
        };
        const done = (this.saving ?? Promise.resolve()).then(save);
        this.saving = done.catch(() => false);
        return done;
    }

    open() {
        if (this.game.map) this.engine.map(this.game.map);
        this.engine.open(this.game.record);
        if (this.game.adding) this.addUp();
        else this.conduct();
    }

    /* ---- Setting up ---- */

    sheets(change) {
        return sheetChoices(this.own, this.choices.sheet, change, [{
            value: OTHER, name: t('Another sheet'), text: t('Enter how many windows it has'),
            picture: h('div', {class: 'picture companion-other'}, icon('unknown'))}]);
    }

    setUp(fault = '') {
        const {choices} = this;
        this.conducting = false;
        this.mayGoDark();
        const keep = (name) => (value) => {
            choices[name] = value;
        };
        const begin = once((adding) => this.begin(adding));
        const label = t('Windows on the sheet');
        const windows = h('div', {class: 'companion-count', hidden: choices.sheet !== OTHER},
            h('span', {}, label),
            stepper({label, ...WINDOWS, value: choices.windows, change: keep('windows')}));
        const chooseSheet = (sheet) => {
            choices.sheet = sheet;
            windows.hidden = sheet !== OTHER;
            paper.hidden = sheet === OTHER;
            paper.href = printAddress(sheet);
        };
        const paper = printLink(choices.sheet);
        paper.hidden = choices.sheet === OTHER;
        fill(this.place, h('div', {class: 'stack tight'},
            h('h1', {}, t('The conductor')),
            h('p', {class: 'lead'}, t('Play Verplant on paper; this page flips the cards and ' +
                'adds up the scores.')),
            fault && h('p', {class: 'companion-fault', role: 'alert'}, fault)),
        h('form', {class: 'route route-verplant', onsubmit: (event) => {
            event.preventDefault();
            begin(false);
        }},
        routeStop(t('Sheet'), this.sheets(chooseSheet), paper, windows),
        routeStop(t('Players'), stepper({label: t('Players'), min: 1, max: PLAYERS_MAX,
            value: choices.players, change: keep('players')})),
        routeStop(t('Rules'), deckChoice(choices.deck, keep('deck'))),
        h('div', {class: 'route-end'},
            h('button', {type: 'submit', class: 'button primary large'}, t('Flip cards')),
            button(t('Just add up scores'), {class: 'large', onclick: () => begin(true)}))));
    }

    /* The sheet that was chosen: what a record calls it, and its text if it is not built in. */
    chosenSheet() {
        const {sheet, windows} = this.choices;
        if (sheet === OTHER) return {name: 'sheet', text: plainSheet(windows)};
        return {name: sheet, text: this.own.find((one) => sheetName(one) === sheet)?.text ?? ''};
    }

    async begin(adding) {
        const {deck, players, sheet} = this.choices;
        const {name, text} = this.chosenSheet();
        try {
            const record = await newRecord({game: 'verplant', map: name,
                options: deckOptions(infoOf(this.engine, 'verplant'), deck), seats: [{}]}, text);
            this.game = {record, map: text, at: 0, top: 0, adding,
                people: Array.from({length: players}, (_, i) =>
                    cleanName(settings.get('people')[i])),
                sums: Array.from({length: players}, emptySum), plain: sheet === OTHER};
            if (await this.save()) this.open();
        } catch (error) {
            this.setUp(reason(error.sentence ?? ''));
        }
    }

    async startAnew() {
        const answer = this.engine.state(1).over || this.game.at === 0 ? 'new' : await dialog({
            title: t('End this game?'),
            body: [h('p', {}, t('The cards so far and all scores will be lost.'))],
            actions: [{label: t('Keep playing'), value: null},
                {label: t('End it'), value: 'new', primary: true}]});
        if (answer !== 'new') return;
        this.game = null;
        if (!await this.save()) return;
        this.setUp();
        this.place.querySelector('h1').focus();
    }

    /* ---- Conducting ---- */

    /* Everything there was to see: the start, cards, shuffles between them, the end. `n` is the
     * number of events after which it was so. */
    views() {
        const views = [{what: 'start', n: 0}];
        for (const {what, n, card, shuffled} of this.engine.log(1, 0)) {
            if (what !== 'card') continue;
            if (shuffled && views.length > 1) views.push({what: 'shuffle', n: n - 1});
            views.push({what: 'card', n, card});
        }
        const {over, events} = this.engine.state(1);
        if (over) views.push({what: 'end', n: events});
        return views;
    }

    conduct() {
        this.conducting = true;
        this.sleep ??= stayAwake();
        const part = (name, tag = 'div') => (this[name] = h(tag, {class: `companion-${name}`}));
        const say = button(t('Read aloud'), {class: 'quiet', 'aria-pressed':
            String(settings.get('speech')), onclick: () => {
            settings.set('speech', !settings.get('speech'));
            say.setAttribute('aria-pressed', String(settings.get('speech')));
            if (settings.get('speech')) speak(this.words(this.view()).join(' '));
            else speechSynthesis.cancel();
        }}, 'sound');
        // for fingers; everybody else has the button below
        this.card = h('div', {class: 'companion-card', role: 'img', onclick: () => this.next()});
        this.back = button(t('Previous card'), {class: 'companion-back',
            onclick: () => this.step(-1)}, 'back');
        this.on = button('', {class: 'primary companion-next', onclick: () => this.next()});
        fill(this.place, h('div', {class: 'companion'},
            h('h1', {class: 'visually-hidden'}, t('The conductor')),
            part('status', 'p'), this.card,
            h('div', {class: 'companion-side'}, part('rule', 'p'),
                h('div', {class: 'companion-steps'}, this.back, this.on),
                part('pile'), part('history'),
                h('div', {class: 'row companion-more'}, canSpeak() && say,
                    document.fullscreenEnabled && button(t('Full screen'), {class: 'quiet',
                        onclick: () => this.fullScreen()}),
                    button(t('Add up scores'),
                        {class: 'quiet', onclick: () => this.goAddUp()}, 'sum'),
                    button(t('Start over'), {class: 'quiet', onclick: () => this.startAnew()},
                        'again')))));
        scrollTo(0, 0);
        this.show();
    }

    async fullScreen() {
        try {
            if (document.fullscreenElement) await document.exitFullscreen();
            else await this.place.requestFullscreen();
        } catch {
            // not allowed here
        }
    }

    view() {
        const views = this.views();
        this.game.at = Math.min(this.game.at, views.length - 1);
        return views[this.game.at];
    }

    /* The facts at a view. */
    stateAt({n}) {
        this.engine.seek(1, n);
        const state = this.engine.state(1);
        this.engine.seek(1, Infinity);
        return state;
    }

    /* What a view says, large and small. */
    words({what, card}) {
        switch (what) {
        case 'start': return [t('Everyone ready?'), t('Tap for the first card.')];
        case 'shuffle': return [t('All cards are shuffled.'),
            t('After the 6, all cards go back into the pile.')];
        case 'end': return [t('That was the last card.'), t('All windows are full.')];
        default: return [cardName(card), cardRule(card)];
        }
    }

    show() {
        const view = this.view();
        const views = this.views();
        const state = this.stateAt(view);
        const [title, rule] = this.words(view);
        const latest = this.game.at >= this.game.top;
        fill(this.card, cardPicture(this.engine, view.card),
            view.what !== 'card' && h('span', {class: 'companion-word'}, title));
        this.card.setAttribute('aria-label', title);
        this.card.dataset.what = view.what;
        fill(this.rule, h('strong', {}, title), ' ', rule);
        fill(this.status, this.statusOf(view, state, latest));
        this.back.disabled = this.game.at === 0;
        fill(this.on, h('span', {}, view.what === 'end' ? t('Add up scores')
            : latest ? t('Next card') : t('Forward')));
        this.showPile(state);
        this.showHistory(views);
    }

    statusOf({what}, state, latest) {
        const left = what === 'end' ? '' : tn('{n} window is free', '{n} windows are free',
            state.players[0].free);
        if (!latest) return [h('strong', {}, t('Looking back')), ' ', left];
        return [state.round > 0 && h('strong', {}, t('Round {n}', {n: state.round})), ' ', left];
    }

    /* A small card, with how many there are. */
    smallCard(card, attributes = {}) {
        return h('li', {'aria-label': cardName(card), ...attributes},
            cardPicture(this.engine, card));
    }

    showPile(state) {
        const shown = settings.get('pile');
        const hide = h('button', {type: 'button', class: 'button quiet small', 'aria-pressed':
            String(shown), onclick: () => {
            settings.set('pile', !shown);
            this.show();
            this.pile.querySelector('button').focus();
        }}, shown ? t('Hide the pile') : t('Show the pile'));
        fill(this.pile, h('div', {class: 'companion-head'},
            h('h2', {}, tn('{n} card in the pile', '{n} cards in the pile', state.left)), hide),
        shown && h('ul', {class: 'companion-cards'}, state.deck.map(({card, left}) => {
            const item = this.smallCard(card, {class: left ? '' : 'gone',
                'aria-label': t('{card}: {n} left', {card: cardName(card), n: left})});
            item.append(h('span', {class: 'companion-left', 'aria-hidden': 'true'}, `${left}×`));
            return item;
        })));
    }

    showHistory(views) {
        const cards = views.slice(0, this.game.at + 1);
        const list = h('ol', {class: 'companion-cards', tabindex: 0,
            'aria-label': t('Cards so far')}, cards.map((view) => {
            if (view.what === 'card') return this.smallCard(view.card);
            return view.what === 'shuffle' && h('li', {class: 'companion-shuffled',
                'aria-label': t('All cards are shuffled.')}, '⟳');
        }));
        const head = h('div', {class: 'companion-head'}, h('h2', {}, t('Cards so far')));
        fill(this.history, head, list);
        this.history.hidden = !list.childElementCount;
        list.scrollLeft = list.scrollWidth;
    }

    /* ---- Going on ---- */

    async step(by) {
        const at = Math.max(0, this.game.at + by);
        const top = Math.max(this.game.top, at);
        if (!await this.save({at, top, record: this.engine.record()}) || !this.conducting) return;
        this.show();
        const words = this.words(this.view()).join(' ');
        announce(words);
        speak(this.view().what === 'card' ? this.words(this.view())[0] : words);
    }

    draw() {
        if (!this.engine.state(1).chance)
            this.engine.apply(this.engine.choose(1, '', 'blank').plan);
        this.engine.deal();
    }

    async next() {
        const now = performance.now();
        if (now - this.last < PAUSE_MS) return;
        this.last = now;
        await this.saving;
        if (!this.game || !this.conducting) return; /* another tab went on */
        const views = this.views();
        if (views[this.game.at].what === 'end') {
            await this.goAddUp();
            return;
        }
        if (this.game.at === views.length - 1) this.draw();
        await this.step(1);
    }

    key(event) {
        if (!this.conducting || document.querySelector('dialog[open]')) return;
        if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
        const onControl = event.target.closest?.('button, a, input, select');
        const presses = [' ', 'Enter'].includes(event.key) && !onControl;
        if (presses || event.key === 'ArrowRight') this.next();
        else if (['ArrowLeft', 'Backspace'].includes(event.key) && this.game.at > 0) this.step(-1);
        else return;
        event.preventDefault();
    }

    /* ---- Adding up ---- */

    async goAddUp() {
        if (await this.save({adding: true})) this.addUp();
    }

    addUp() {
        this.conducting = false;
        this.mayGoDark();
        const form = h('div', {});
        fill(this.place, h('div', {class: 'companion-sum'},
            h('h1', {tabindex: -1}, t('Add up scores')),
            h('p', {}, t('For each sheet: completed lines, framed numbers, empty stations.')),
            form, h('div', {class: 'row'},
                button(t('Back to the cards'), {onclick: async () => {
                    if (await this.save({adding: false})) this.conduct();
                }}, 'back'),
                button(t('Start over'), {class: 'quiet', onclick: () => this.startAnew()},
                    'again'))));
        adder(form, this.engine, this.game, () => this.save());
        this.place.querySelector('h1').focus({preventScroll: true});
        scrollTo(0, 0);
    }
}

export async function show(place) {
    const engine = await loadEngine();
    engine.words(words());
    const companion = new Companion(place, engine);
    await companion.start();
    return () => companion.end();
}
