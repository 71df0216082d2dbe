/* The conductor: for people at a table with paper sheets. It turns up the cards of verplant, large
 * enough to be read from across the table, and adds up in the end.
 *
 * It is an ordinary solo game whose entries mark nothing, so that cards, pile and end come from C.
 * It is kept as the value `conductor`, apart from the games: {record, map, at, top, adding, ended,
 * people, sums, plain}.
 * `at` is what is shown, counted over everything that was shown before, and `top` the furthest that
 * it has been: going back shows earlier cards again and draws no new ones. A game that has `ended`
 * can be gone back to until another begins.
 *
 * With the rule for special stations some players fill their windows sooner than others. The cards
 * then last as long as for a player who marks none of these stations, the longest that a game can
 * take; the players see for themselves when everyone's windows are full. */
import {loadEngine} from '../../engine/engine.js';
import {routeStop} from '../../ui/forms.js';
import {announce, button, fill, h, icon, onTheme, toast} from '../../ui/dom.js';
import {infoOf} from '../faces.js';
import {cleanName, newRecord, once} from '../../table/newgame.js';
import {ChangedElsewhere, settings, sheets, values} from '../../store/store.js';
import {language, t, tn, words} from '../../app/texts.js';
import {reason} from '../../ui/words.js';
import {cardName, cardRule} from './face.js';
import {cardPicture} from './parts.js';
import {CITIES, deckChoice, deckOptions, hasSpecial, printAddress, printLink, sheetChoices,
    sheetName, specialChoice} from './sheets.js';
import {adder, emptySum, stepper} from './tally.js';

const OTHER = ''; // a sheet that the page does not know
const PLAYERS = {min: 1, usual: 2, max: 6};
const WINDOWS = {min: 7, usual: 24, max: 56};
const TEXT_MAX = 1 << 20;
const PAUSE_MS = 350; // taps closer together count as one
const KEPT_AS = 'verplant conductor'; // the latest choices, among the settings

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
    const {record, map, at, top, adding, ended, people, sums, plain} = value ?? {};
    const isText = (text) => typeof text === 'string' && text.length <= TEXT_MAX;
    if (!isText(record) || !isText(map) || !isCount(at, 10000) || !isCount(top, 10000)) return null;
    if (!Array.isArray(people) || people.length < 1 || people.length > PLAYERS.max) return null;
    if (!people.every((name) => typeof name === 'string' && name.length <= 60)) return null;
    const sound = Array.isArray(sums) ? sums.map(soundSum) : [];
    if (sound.length !== people.length || sound.includes(null)) return null;
    return {record, map, at, top, adding: adding === true, ended: ended === true,
        people: [...people], sums: sound, plain: plain === true};
}

/* The latest choices, as far as they are still valid; `own`: the sheets that are kept here. */
function rememberedChoices(own) {
    const {sheet, deck, players, windows, rules} = settings.get('setup')[KEPT_AS] ?? {};
    const within = (value, {min, usual, max}) =>
        (isCount(value, max) && value >= min ? value : usual);
    return {sheet: [...CITIES, ...own.map(sheetName), OTHER].includes(sheet) ? sheet : 'amsterdam',
        deck: deck === '15' ? '15' : '14', players: within(players, PLAYERS),
        windows: within(windows, WINDOWS),
        rules: rules?.includes?.('special') ? ['special'] : []};
}

/* What two states of one game have in common. */
const headerOf = ({record}) => record.split('\n\n')[0];

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
        this.shows = ''; // which screen, of which game
        this.turn = Promise.resolve();
        this.entered = new Set(); // changes that are not kept yet: {header, change}
        this.last = 0;
    }

    async start() {
        this.own = await sheets.list();
        this.choices = rememberedChoices(this.own);
        await this.resume();
        this.endings.push(onTheme(() => this.conducting && this.show()),
            values.watch('conductor', async () => {
                await this.resume();
                this.last = performance.now(); /* a press now was for the card before */
            }));
        const {signal} = this.stop;
        document.addEventListener('keydown', (event) => this.key(event), {signal});
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

    /* ---- What is kept: one thing after the other ---- */

    inTurn(act) {
        const done = this.turn.then(act);
        this.turn = done.catch(() => {});
        return done;
    }

    /* Reads what is kept. What was entered meanwhile, and waits to be kept, stays. */
    async read() {
        this.item = await values.get('conductor');
        this.game = soundRound(this.item.value);
        for (const {header, change} of this.entered) if (this.isOf(header)) change(this.game);
    }

    isOf(header) {
        return this.game && headerOf(this.game) === header;
    }

    /* Writes the game. False: another tab was first. What the browser refuses to keep lives on in
     * this page (store.js). */
    async write(game) {
        const item = {...this.item, value: structuredClone(game)};
        try {
            await values.put(item);
        } catch (error) {
            if (!(error instanceof ChangedElsewhere)) throw error;
            return false;
        }
        Object.assign(this, {item, game});
        return true;
    }

    /* Shows what is kept, and writes nothing. */
    resume() {
        return this.inTurn(async () => {
            await this.read();
            if (!this.stop.signal.aborted) this.open();
        });
    }

    /* Keeps the game as change() makes it of the one that is kept, before anybody sees what has
     * come; null: as it is. False: that, or another tab was first, and what it kept is shown. */
    save(change) {
        return this.inTurn(async () => {
            const game = change(this.game);
            if (!game) return false;
            if (await this.write(game)) return true;
            await this.read();
            this.open();
            toast(t('This game was continued in another window. This is how it stands now.'));
            return false;
        });
    }

    /* Makes a change of what was entered, at once, and keeps it. If another tab has changed other
     * things meanwhile, both stay. */
    edit(change) {
        const header = headerOf(this.game);
        const entry = {header, change};
        change(this.game);
        this.entered.add(entry);
        return this.inTurn(async () => {
            try {
                while (this.isOf(header) && !await this.write(this.game)) {
                    await this.read();
                    this.open();
                }
            } finally {
                this.entered.delete(entry);
            }
        });
    }

    /* Shows the game as it is. A screen that is there already stays, with its focus and whatever is
     * being typed. */
    open() {
        try {
            if (this.game && !this.game.ended) this.openGame();
            else this.showOnce(`form ${Boolean(this.game)}`, () => this.setUp());
        } catch (error) {
            console.warn('conductor', error);
            this.game = null;
            this.showOnce('form false', () => this.setUp());
        }
    }

    openGame() {
        const {adding, map, people, record} = this.game;
        if (map) this.engine.map(map);
        this.engine.open(record);
        const what = `${people.length} ${headerOf(this.game)}`;
        if (adding)
            this.showOnce(`sums ${what}`, () => this.addUp(), () => this.sums.take(this.game));
        else this.showOnce(`cards ${what}`, () => this.conduct(), () => this.show());
    }

    showOnce(what, show, again = () => {}) {
        if (this.shows === what) again();
        else show();
        this.shows = what;
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
            settings.set('setup', {...settings.get('setup'), [KEPT_AS]: {...choices}});
            follow();
        };
        const begin = once((adding) => this.begin(adding));
        const label = t('Windows on the sheet');
        const windows = h('div', {class: 'companion-count'}, h('span', {}, label),
            stepper({label, ...WINDOWS, value: choices.windows, change: keep('windows')}));
        const special = specialChoice(choices.rules, keep('rules'));
        const paper = printLink();
        const follow = () => {
            const {players, sheet} = choices;
            windows.hidden = sheet !== OTHER;
            special.hidden = !this.mayBeSpecial();
            paper.hidden = sheet === OTHER;
            paper.href = printAddress(sheet, players);
        };
        follow();
        fill(this.place, h('div', {class: 'stack tight'},
            h('h1', {tabindex: -1}, t('The conductor')),
            h('p', {class: 'lead'}, t('Play Verplant on paper; this page flips the cards and ' +
                'adds up the scores.')),
            this.game && h('div', {class: 'row'}, button(t('Back to the last game'),
                {class: 'companion-last', onclick: () => this.goOn({ended: false})}, 'back')),
            fault && h('p', {class: 'companion-fault', role: 'alert'}, fault)),
        h('form', {class: 'route route-verplant', onsubmit: (event) => {
            event.preventDefault();
            begin(false);
        }},
        routeStop(t('Sheet'), this.sheets(keep('sheet')), paper, windows),
        routeStop(t('Players'), stepper({label: t('Players'), ...PLAYERS, value: choices.players,
            change: keep('players')})),
        routeStop(t('Rules'), deckChoice(choices.deck, keep('deck')), special),
        h('div', {class: 'route-end'},
            h('button', {type: 'submit', class: 'button primary large'}, t('Flip cards')),
            button(t('Just add up scores'), {class: 'large', onclick: () => begin(true)}))));
    }

    /* Whether the sheet that was chosen has special stations; of another one nobody knows. */
    mayBeSpecial() {
        const {sheet} = this.choices;
        return sheet === OTHER || hasSpecial(this.engine, sheet, this.chosenSheet().text);
    }

    /* The sheet that was chosen: what a record calls it, and its text if it is not built in. */
    chosenSheet() {
        const {sheet, windows} = this.choices;
        if (sheet === OTHER) return {name: 'sheet', text: plainSheet(windows)};
        return {name: sheet, text: this.own.find((one) => sheetName(one) === sheet)?.text ?? ''};
    }

    async begin(adding) {
        const {deck, players, rules, sheet} = this.choices;
        const {name, text} = this.chosenSheet();
        try {
            const record = await newRecord({game: 'verplant', map: name,
                rules: this.mayBeSpecial() ? rules : [],
                options: deckOptions(infoOf(this.engine, 'verplant'), deck), seats: [{}]}, text);
            const game = {record, map: text, at: 0, top: 0, adding, ended: false,
                people: Array.from({length: players}, (_, i) =>
                    cleanName(settings.get('people')[i])),
                sums: Array.from({length: players}, emptySum), plain: sheet === OTHER};
            if (await this.save(() => game)) this.open();
        } catch (error) {
            this.setUp(reason(error.sentence ?? ''));
        }
    }

    /* Keeps the game with these changes, and shows it from its top. */
    async goOn(changes) {
        if (!await this.save((game) => game && {...game, ...changes})) return;
        this.open();
        this.place.querySelector('h1').focus({preventScroll: true});
        scrollTo(0, 0);
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
        const part = (name, tag, ...inside) =>
            (this[name] = h(tag, {class: `companion-${name}`}, inside));
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
            h('h1', {class: 'visually-hidden', tabindex: -1}, t('The conductor')),
            part('status', 'p'), this.card,
            h('div', {class: 'companion-side'}, part('rule', 'p'),
                h('div', {class: 'companion-steps'}, this.back, this.on),
                this.isSpecial() && h('p', {class: 'muted small'}, t('Players with no free ' +
                    'window sit out. When no one has one left, add up the scores.')),
                part('pile', 'div', this.pileHead(), h('ul', {class: 'companion-cards'})),
                part('history', 'div',
                    h('div', {class: 'companion-head'}, h('h2', {}, t('Cards so far'))),
                    h('ol', {class: 'companion-cards', tabindex: 0,
                        'aria-label': t('Cards so far')})),
                h('div', {class: 'row companion-more'}, canSpeak() && say,
                    document.fullscreenEnabled && button(t('Full screen'), {class: 'quiet',
                        onclick: () => this.fullScreen()}),
                    button(t('Add up scores'),
                        {class: 'quiet', onclick: () => this.goOn({adding: true})}, 'sum'),
                    button(t('Start over'), {class: 'quiet',
                        onclick: () => this.goOn({ended: true})}, 'again')))));
        scrollTo(0, 0);
        this.show();
    }

    async fullScreen() {
        try {
            if (document.fullscreenElement) await document.exitFullscreen();
            else await this.place.requestFullscreen();
            this.on.focus({preventScroll: true}); // Space and Enter turn cards again
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

    isSpecial() {
        return this.engine.state(1).rules.includes('special');
    }

    /* What a view says, large and small. */
    words({what, card}) {
        switch (what) {
        case 'start': return [t('Everyone ready?'), t('Tap for the first card.')];
        case 'shuffle': return [t('All cards are shuffled.'),
            t('After the 6, all cards go back into the pile.')];
        case 'end': return [t('That was the last card.'), t('All windows are full.')];
        default: return [cardName(card), this.ruleOf(card)];
        }
    }

    ruleOf(card) {
        if (!this.isSpecial() || card.kind === 'ride') return cardRule(card);
        return `${cardRule(card)} ${
            t('For each special station marked, use the card once more.')}`;
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
        const {free} = state.players[0];
        const left = what === 'end' ? ''
            : this.isSpecial()
                ? tn('At most {n} window is free', 'At most {n} windows are free', free)
                : tn('{n} window is free', '{n} windows are free', free);
        if (!latest) return [h('strong', {}, t('Looking back')), ' ', left];
        return [state.round > 0 && h('strong', {}, t('Round {n}', {n: state.round})), ' ', left];
    }

    /* A small card, with how many there are. */
    smallCard(card, attributes = {}) {
        return h('li', {'aria-label': cardName(card), ...attributes},
            cardPicture(this.engine, card));
    }

    /* What stays in the panel of the pile, and can have the focus. */
    pileHead() {
        const hide = h('button', {type: 'button', class: 'button quiet small', onclick: () => {
            settings.set('pile', !settings.get('pile'));
            this.show();
        }});
        return h('div', {class: 'companion-head'}, h('h2', {}), hide);
    }

    showPile(state) {
        const shown = settings.get('pile');
        const [title, hide] = this.pile.querySelectorAll('h2, button');
        fill(title, tn('{n} card in the pile', '{n} cards in the pile', state.left));
        fill(hide, shown ? t('Hide the pile') : t('Show the pile'));
        hide.setAttribute('aria-pressed', String(shown));
        fill(this.pile.querySelector('ul'), shown && state.deck.map(({card, left}) => {
            const item = this.smallCard(card, {class: left ? '' : 'gone',
                'aria-label': t('{card}: {n} left', {card: cardName(card), n: left})});
            item.append(h('span', {class: 'companion-left', 'aria-hidden': 'true'}, `${left}×`));
            return item;
        }));
        this.pile.querySelector('ul').hidden = !shown;
    }

    showHistory(views) {
        const list = this.history.querySelector('ol');
        fill(list, views.slice(0, this.game.at + 1).map((view) => {
            if (view.what === 'card') return this.smallCard(view.card);
            return view.what === 'shuffle' && h('li', {class: 'companion-shuffled',
                'aria-label': t('All cards are shuffled.')}, '⟳');
        }));
        this.history.hidden = !list.childElementCount;
        list.scrollLeft = list.scrollWidth;
    }

    /* ---- Going on ---- */

    async step(by) {
        const {at: from} = this.game;
        const changed = await this.save((game) => {
            if (!this.conducting || game?.at !== from) return null; /* another tab went on */
            const views = this.views();
            if (by > 0 && views[game.at].what === 'end') return null;
            if (game.at + by === views.length) this.draw();
            const at = Math.max(0, game.at + by);
            return {...game, at, top: Math.max(game.top, at), record: this.engine.record()};
        });
        if (!changed || !this.conducting) return;
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
        const {at} = this.game;
        await this.turn;
        if (!this.conducting || this.game?.at !== at) return; /* another tab has turned it */
        if (this.view().what === 'end') await this.goOn({adding: true});
        else await this.step(1);
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

    addUp() {
        this.conducting = false;
        this.mayGoDark();
        const form = h('div', {});
        fill(this.place, h('div', {class: 'companion-sum'},
            h('h1', {tabindex: -1}, t('Add up scores')),
            h('p', {}, t('For each sheet: completed lines, framed numbers, empty stations.')),
            form, h('div', {class: 'row'},
                button(t('Back to the cards'), {onclick: () => this.goOn({adding: false})}, 'back'),
                button(t('Start over'), {class: 'quiet', onclick: () => this.goOn({ended: true})},
                    'again'))));
        this.sums = adder(form, this.engine, this.game, (change) => this.edit(change));
    }
}

export async function show(place) {
    const engine = await loadEngine();
    engine.words(words());
    const companion = new Companion(place, engine);
    await companion.start();
    return () => companion.end();
}
