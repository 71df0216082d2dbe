/* The table: one kept game, played here by people and bots. All games are played the same way;
 * what is different about a game is its `face`: the part `table` of it (faces.js).
 *
 * A face is an object of these; all but `look` may be left out. Whatever makes elements makes them
 * anew each time and returns an array; the table puts them in place and keeps the focus on the
 * element with the same data-key.
 *
 *     pause              milliseconds from one bot's move to the next, at least (0)
 *     look(table)        the big picture: more for engine.draw, such as {sheet: 2}
 *     target(table, spot)  a tap on the big picture as words for engine.choose, or ''
 *     point(table, spot) the pointer is here, or nowhere (null); to light something up set
 *                        table.lit and call table.redraw(); to preview, table.choose(words)
 *     key(table, event)  a key as words for choose; undefined: the table's own way (letters,
 *                        digits, arrows; Space and D are passed on)
 *     recall(table)      before a move is made: if something else is shown than what was chosen,
 *                        shows that instead, and answers true
 *     keys(table)        [[keys, what they do], …] for the list of keys, beyond the table's own
 *     status(table)      where the game stands, in a few words: 'Round 5'
 *     now(table)         elements: what is open: the card and the pile; the tile and the stock
 *     controls(table)    elements: buttons as another way to plan; also while the viewer waits
 *     say(table)         the plan in words, or what there is to do
 *     others(table)      elements: the other players; made again only when something has happened
 *     text(table)        elements: the state in words and tables, for those who do not see it
 *     neutral(table)     elements: what everybody may see while the device changes hands; the state
 *                        is then a spectator's
 *     sum(table, state)  elements: the end, player by player
 *     after(table, facts)  something has happened and is drawn: light it up. Facts as in the log
 *
 * A table has
 *
 *     engine             the game; faces only ask it
 *     state              engine.state(viewer), after the latest event
 *     plan               the latest answer of engine.choose, or null while the viewer cannot act
 *     viewer             who looks: a player, or 0
 *     me                 the viewer's entry in state.players, or the first player's
 *     acting             whether the viewer may act now
 *     small              a phone's screen
 *     lit                what the picture lights up, 0: nothing
 *     picture            the <svg> element of the big picture
 *     choose(words)      plans, redraws; the same tap again confirms
 *     confirm()          makes the planned move
 *     draw(options)      an <svg> element; options as for engine.draw, whose viewer, theme, names
 *                        and patterns are given
 *     redraw()           the big picture and the panels again
 *     cached(key, make)  what make() made, until something happens: for small pictures
 *     enlarge(title, element)   shows something in a dialog
 *
 * A spot is where a finger or pointer is: {x, y, touch, part(selector), under(selector)}: the id of
 * the nearest such part of the picture within reach, and of the one that is right there (pane.js).
 */
import {settings, values} from './store.js';
import {announce, button, dialog, fill, h, icon, isDark, onTheme, svg, toast} from './dom.js';
import {Ending} from './ending.js';
import {Fault, loadEngine} from './engine.js';
import {infoOf, loadPart} from './faces.js';
import {Hint} from './hint.js';
import {Pane} from './pane.js';
import {factTable, logList, refill} from './parts.js';
import {LocalSource, question} from './source.js';
import {t, words} from './texts.js';
import {describe, full, gameName, levelName, planned, playerName, playerNames, reason, tellAll}
    from './words.js';

const SMALL = '(max-width: 699px), (max-height: 499px)'; /* a phone, upright or on its side */
const SINCE = 16; /* so much is told to whoever takes the device */
const TWICE = 350; /* milliseconds: where a tap is a move, a double tap is one as well */
const QUIET = 30000; /* milliseconds until people are told the same again */
const HANDS = 500; /* milliseconds that a device needs, at least, to change hands */
const ARROWS = {ArrowLeft: 'Left', ArrowRight: 'Right', ArrowUp: 'Up', ArrowDown: 'Down'};

/* What was planned when a table was left: for a look at the rules, or in another language. */
let left = null;

/* A button that is only an icon. */
function tool(label, name, act) {
    return h('button', {type: 'button', class: `button quiet square tool-${name}`, title: label,
        'aria-label': label, onclick: act}, icon(name));
}

class Table {
    constructor(place, id, guide) {
        this.place = place;
        this.id = id;
        this.guide = guide;
        this.viewer = 0;
        this.next = 0; /* who takes the device next: nobody's view is shown until then */
        this.lit = 0;
        this.plan = null;
        this.acting = false;
        this.submitting = ''; /* the move that is being kept, or 'undo' */
        this.facts = [];
        this.told = new Set(); /* facts that were announced */
        this.seen = new Map(); /* player: what was known when they handed the device on */
        this.cache = new Map();
        this.ended = false;
        this.endings = []; /* what ends with the table */
    }

    /* ---- Opening ---- */

    async open() {
        this.source = await LocalSource.open(this.id);
        if (!this.source) {
            this.fail(t('This game is not kept in this browser. It may have been deleted.'));
            return;
        }
        if (this.ended) {
            this.source.end();
            return;
        }
        const {game} = this.source;
        this.engine = await loadEngine();
        if (game.map) {
            this.engine.map(game.map);
        }
        this.engine.words(words());
        this.engine.open(game.record);
        const {game: name} = this.engine.state(0);
        this.face = await loadPart(name, 'table');
        this.hasSecrets = infoOf(this.engine, name).secrets;
        await this.source.start({
            append: (events, elsewhere) => this.append(events, elsewhere),
            reset: (record, elsewhere) => this.reset(record, elsewhere),
            gone: () => this.gone(),
            thinking: () => this.root && this.showThinking(),
            failed: (error) => this.botFailed(error),
        }, this.face.pause ?? 0);
        if (this.ended || !this.place.isConnected) {
            return;
        }
        this.sitDown();
        this.forgetNews();
        this.planAgain();
        this.listen();
        this.build();
        this.settle();
    }

    /* Who plays here, and who looks first. */
    sitDown() {
        const {players} = this.engine.state(0);
        this.people = players.filter(({bot}) => !bot).map(({player}) => player);
        this.viewer = this.people.length === 1 ? this.people[0] : 0;
        this.next = 0;
    }

    /* Everything that the viewer may know counts as told. */
    forgetNews() {
        this.told = new Set(this.engine.log(this.viewer, 0).map((fact) => JSON.stringify(fact)));
    }

    /* Somebody who plays alone here, and comes back, finds the plan as it was. */
    planAgain() {
        if (this.viewer && left?.id === this.id && left.record === this.source.game.record) {
            this.engine.choose(this.viewer, `move ${left.plan}`);
        }
    }

    listen() {
        const again = () => this.rebuild();
        const small = matchMedia(SMALL);
        const key = (event) => this.key(event);
        document.addEventListener('keydown', key);
        small.addEventListener('change', again);
        this.endings.push(
            () => document.removeEventListener('keydown', key),
            () => small.removeEventListener('change', again),
            onTheme(again), settings.watch(['confirm', 'pile', 'names', 'patterns'], again));
    }

    end() {
        if (!this.ended && this.plan?.plan && !this.guide) {
            left = {id: this.id, record: this.source.game.record, plan: this.plan.plan};
        }
        this.ended = true;
        this.source?.end();
        this.hint?.end();
        this.ending?.end();
        this.pane?.end();
        for (const end of this.endings) {
            end();
        }
    }

    fail(text) {
        fill(this.place, h('section', {class: 'panel message', role: 'alert'},
            h('h1', {}, t('The game cannot be shown')),
            h('p', {}, text),
            h('div', {class: 'row'},
                h('a', {class: 'button primary', href: '#games'}, t('All games')))));
    }

    complain(text, error) {
        console.error(error);
        toast(text, {warn: true, stay: true, label: t('Reload'), action: () => location.reload()});
    }

    /* ---- What the source tells ---- */

    append(events, elsewhere) {
        for (const event of events) {
            this.engine.apply(event);
        }
        if (!this.root) {
            return; /* before the table is shown */
        }
        if (events.includes(this.submitting)) {
            this.submitting = '';
        }
        const {decisions, cursor} = this.state;
        const now = this.engine.state(this.viewer);
        if (now.decisions !== decisions || now.cursor !== cursor) {
            this.hint.close(); /* it was about something else */
        }
        this.settle();
        if (elsewhere) {
            this.warnOfElsewhere(events);
        }
    }

    reset(record, elsewhere) {
        const {viewer} = this;
        this.engine.open(record);
        if (!this.root) {
            return;
        }
        this.sitDown();
        this.viewer ||= viewer;
        this.forgetNews();
        this.submitting = '';
        this.rivals = null;
        this.hint.close();
        if (elsewhere) {
            this.warnOfElsewhere();
        }
        this.build();
        this.settle();
    }

    gone() {
        this.fail(t('This game has been deleted in another window.'));
        this.end();
    }

    /* People are told when another tab has moved for them, or taken a move back; cards and bots'
     * moves come the same way wherever they are made. */
    warnOfElsewhere(events) {
        const people = events?.some((event) => this.people.includes(Number.parseInt(event, 10)));
        if (events && !people) {
            return;
        }
        if (performance.now() - (this.warned ?? -Infinity) > QUIET) {
            this.warned = performance.now();
            toast(t('This game went on in another window. It is shown as it is now.'));
        }
    }

    /* Nobody is stuck because of a bot that is not here. */
    async botFailed(error) {
        if (error.status !== 'BOT_UNKNOWN') {
            this.complain(t('A bot cannot go on. Reload the page to try again.'), error);
            return;
        }
        const {game, players} = this.engine.state(0);
        const {player, bot} = players.find((one) => one.bot === error.words) ?? {};
        if (!player) {
            return;
        }
        const {levels} = infoOf(this.engine, game);
        const level = await dialog({
            title: t('Who takes seat {n}?', {n: player}),
            body: [h('p', {}, t('This page doesn’t have the bot “{level}”. Choose another bot, or ' +
                'let someone here play.', {level: bot}))],
            actions: [...levels.map((name) => ({label: levelName(name), value: name})),
                {label: t('A person here'), value: 'person', primary: true}],
        });
        if (this.ended) {
            return;
        }
        if (level) {
            await this.source.seat(player, level === 'person' ? '' : level);
        } else {
            toast(t('The game waits for a bot that isn’t here.'), {stay: true,
                label: t('Choose …'), action: () => this.botFailed(error)});
        }
    }

    /* ---- The game ---- */

    isBot(player) {
        return !this.people.includes(player);
    }

    /* The players who have to act, in truth: each is asked for what they know themselves. */
    due() {
        return this.engine.state(0).players.map(({player}) => player)
            .filter((player) => this.engine.state(player).turn.includes(player));
    }

    /* Shows where the game stands: to the viewer, or it is on to the next person at this device. */
    settle() {
        if (this.ended) {
            return;
        }
        const {over} = this.engine.state(0);
        const waiting = this.due().filter((player) => !this.isBot(player));
        this.next = 0;
        if (over) {
            this.viewer ||= this.people[0] ?? 0;
        } else if (this.people.length > 1 && waiting.length && !waiting.includes(this.viewer)) {
            const next = waiting.find((player) => player > this.viewer) ?? waiting[0];
            this[this.hasSecrets ? 'next' : 'viewer'] = next; /* nobody has to look away */
        }
        if (this.next) {
            this.handOver();
        } else {
            this.refresh();
        }
    }

    /* ---- People ---- */

    choose(words) {
        const atOnce = settings.get('confirm') && words.startsWith('tap ');
        if (!this.acting || (atOnce && performance.now() - this.moved < TWICE)) {
            return;
        }
        this.plan = this.engine.choose(this.viewer, words);
        if (this.plan.plan && (this.plan.again || atOnce)) {
            this.confirm();
        } else {
            this.redraw();
        }
    }

    confirm() {
        if (this.submitting || (this.acting && this.face.recall?.(this))) {
            return;
        }
        const event = this.acting && this.plan?.plan;
        if (!event || (this.guide && !this.guide.may(event))) {
            this.redraw();
            return;
        }
        this.hint.close();
        this.moved = performance.now();
        this.submit(event, () => this.source.submit(this.viewer, event, this.state.decisions));
    }

    /* Nothing else can be done until what was done is kept. */
    async submit(what, act) {
        let done = false;
        this.submitting = what;
        this.acting = false;
        try {
            done = await act();
        } catch (error) {
            this.complain(t('Something went wrong. Your games are kept; reload the page to go on.'),
                error);
        }
        if (this.submitting === what && !this.ended) { /* it was not made */
            this.submitting = '';
            this.settle();
        }
        return done;
    }

    /* The plan first; then, while nobody has seen anything since, the latest move. */
    undo() {
        if (this.plan?.plan && this.acting) {
            this.choose('clear');
        } else if (this.state.undo && !this.submitting) {
            this.takeBack(this.viewer);
        }
    }

    /* The screen is then that player's again. */
    async takeBack(player) {
        if (this.submitting) {
            return;
        }
        this.viewer = player;
        if (await this.submit('undo', () => this.source.takeBack(player))) {
            announce(t('Your move is taken back.'));
        }
    }

    async askHint() {
        try {
            const {levels} = infoOf(this.engine, this.state.game);
            await this.hint.ask(question(this.engine, this.source.game, this.viewer,
                levels.at(-1)));
        } catch (error) {
            this.complain(t('There is no hint now. Reload the page to try again.'), error);
        }
    }

    /* A move in words, with its stations; the plan stays as it is. */
    words(event) {
        const before = this.plan?.plan;
        const plan = this.engine.choose(this.viewer, `move ${event}`);
        this.engine.choose(this.viewer, before ? `move ${before}` : 'clear');
        return planned({...plan, gain: 0}, this.state) || describe(event, this.state);
    }

    /* ---- Keys ---- */

    /* A planned move is confirmed by Enter, also where a button has the focus that was pressed
     * before: the focus then moves on to the one that confirms. */
    key(event) {
        const {key, target} = event;
        if (this.ended || this.next || event.ctrlKey || event.metaKey || event.altKey ||
            document.querySelector('dialog[open]') ||
            target.closest('input, select, textarea, [contenteditable]')) {
            return;
        }
        const pressing = (key === 'Enter' || key === ' ') && target.closest('button, a, summary');
        const scrolling = key in ARROWS && target.closest('.log-region');
        if (pressing || scrolling) {
            return;
        }
        if (key === '?') {
            this.showKeys();
        } else if (key === 'Enter') {
            this.confirm();
        } else if (key === 'Escape') {
            this.escape();
        } else if (key === 'Backspace' && !this.plan?.plan) {
            this.undo();
        } else {
            const words = this.face.key?.(this, event) ?? this.keyWords(key);
            if (!words || !this.acting) {
                return;
            }
            this.choose(words);
            if (this.plan?.plan && target.closest('button, a, summary')) {
                this.place.querySelector('.confirm')?.focus({preventScroll: true});
            }
        }
        event.preventDefault();
    }

    keyWords(key) {
        if (/^[a-z0-9]$/i.test(key)) {
            return `key ${key.toUpperCase()}`;
        }
        const name = ARROWS[key] ?? {' ': 'Space', Backspace: 'Backspace'}[key];
        return name ? `key ${name}` : '';
    }

    escape() {
        if (this.hint.open) {
            this.hint.close();
        } else {
            this.choose('clear');
        }
    }

    showKeys() {
        const rows = [...(this.face.keys?.(this) ?? []),
            [t('Enter'), t('Confirm')],
            [t('Backspace'), t('Undo')],
            [t('Escape'), t('No plan')],
            ['?', t('This list')]];
        dialog({title: t('Keys'), body: [factTable(t('Keys of the table'),
            [t('Key'), t('What it does')], rows)]});
    }

    /* ---- What is shown ---- */

    build() {
        this.pane?.end();
        this.hint?.end();
        this.ending?.end();
        this.ending = null;
        this.small = matchMedia(SMALL).matches;
        this.cache.clear();
        const {face} = this;
        this.pane = new Pane(t('The picture'), {
            tap: (spot) => this.tapped(spot),
            point: (spot) => !this.next && face.point?.(this, spot),
        });
        const region = (name, label, more = {}) => (this[`${name}Region`] =
            h('section', {class: `${name}-region`, 'aria-label': label, ...more}));
        this.titleText = h('h1', {});
        this.statusText = h('p', {class: 'table-status'});
        this.sayText = h('p', {class: 'say', role: 'status'});
        const hint = region('hint', t('Hint'));
        this.hint = new Hint(hint, {
            choose: (event) => this.choose(`move ${event}`),
            words: (event) => this.words(event),
        });
        this.root = h('div', {class: `table table-${this.engine.state(0).game}`},
            h('header', {class: 'table-head'}, this.titleText, this.statusText,
                h('div', {class: 'table-tools'},
                    this.pane.zoom.buttons,
                    tool(t('As text'), 'list', () => this.showText()),
                    tool(t('Keys'), 'keys', () => this.showKeys()))),
            this.pane.element,
            h('div', {class: 'table-side'},
                region('now', t('Open now')),
                region('end', t('The end')),
                h('section', {class: 'act-region', 'aria-label': t('Your move')},
                    this.sayText, region('buttons', t('What to do with the plan'))),
                region('controls', t('Lines and marks')),
                hint,
                region('others', t('The other players')),
                region('log', t('What has happened'), {tabindex: 0, 'data-guide': 'log'})));
        fill(this.place, this.root);
    }

    rebuild() {
        if (this.ended || !this.root) {
            return;
        }
        this.build();
        if (this.next) {
            this.handOver();
        } else {
            this.refresh();
        }
    }

    tapped(spot) {
        const words = this.face.target?.(this, spot);
        if (words) {
            this.choose(words);
        }
        return Boolean(words);
    }

    draw(options = {}) {
        return svg(this.engine.draw({
            viewer: this.viewer, sheet: this.viewer || 1, dark: isDark(),
            names: settings.get('names'), patterns: settings.get('patterns'), ...options,
        }));
    }

    cached(key, make) {
        if (!this.cache.has(key)) {
            this.cache.set(key, make());
        }
        return this.cache.get(key);
    }

    enlarge(title, element) {
        dialog({title, body: [h('div', {class: 'enlarged'}, element)], wide: true});
    }

    look() {
        this.state = this.engine.state(this.viewer);
        this.me = this.state.players[(this.viewer || 1) - 1];
        this.acting = !this.state.over && !this.submitting && this.viewer > 0 && !this.isBot(this.viewer) &&
            !this.next && this.state.turn.includes(this.viewer);
        this.plan = this.acting ? this.engine.choose(this.viewer, 'look') : null;
    }

    /* After something has happened, if only that somebody else looks. */
    refresh() {
        this.look();
        this.facts = this.engine.log(this.viewer, 0);
        const news = this.facts.filter((fact) => !this.told.has(JSON.stringify(fact)));
        for (const fact of news) {
            this.told.add(JSON.stringify(fact));
        }
        if (news.length) {
            this.cache.clear();
            this.lit = 0;
            announce(tellAll(news, this.state));
        }
        this.titleText.textContent = gameName(this.state);
        refill(this.logRegion, h('h2', {}, t('Log')),
            logList(this.facts, this.state, this.state.over ? this.id : ''));
        this.root.classList.toggle('table-over', this.state.over);
        if (this.state.over) {
            this.ending ??= new Ending(this.endRegion, this);
        }
        this.redraw(news);
        this.showThinking();
        if (this.state.over && news.length) {
            this.arriveAtEnd();
        }
        if (news.length) {
            this.face.after?.(this, news);
        }
    }

    /* The buttons are gone, and the focus with them. */
    arriveAtEnd() {
        const heading = this.endRegion.querySelector('h2');
        heading.tabIndex = -1;
        heading.focus({preventScroll: true});
        this.endRegion.scrollIntoView({block: 'nearest'});
    }

    /* The big picture and the panels that depend on the plan. */
    redraw(news = []) {
        const {face, acting, plan, state} = this;
        this.pane.show(this.draw({plan: acting, fresh: true, bare: this.small, lit: this.lit,
            ...face.look?.(this)}), news.length > 0);
        this.picture = this.pane.picture;
        this.statusText.textContent = face.status?.(this) ?? '';
        refill(this.nowRegion, face.now?.(this, news) ?? []);
        refill(this.controlsRegion, state.over || !this.viewer ? []
            : face.controls?.(this) ?? []);
        const say = this.say();
        if (this.sayText.textContent !== say) {
            this.sayText.textContent = say;
        }
        this.sayText.classList.toggle('why', Boolean(plan?.why));
        refill(this.buttonsRegion, state.over || !this.people.length ? [] : this.buttons());
        this.guide?.changed({engine: this.engine, state, plan});
    }

    say() {
        if (this.acting && this.plan.why) {
            return reason(this.plan.sentence);
        }
        const said = this.face.say?.(this);
        if (said) {
            return said;
        }
        if (this.acting) {
            return this.plan.plan ? full(planned(this.plan, this.state)) : '';
        }
        return this.state.over ? '' : this.waiting();
    }

    waiting() {
        const others = this.state.turn.filter((player) => player !== this.viewer);
        return others.length ? t('Waiting for {players}.', {
            players: playerNames(this.state, others)}) : t('Just a moment.');
    }

    buttons() {
        const {acting, plan, state} = this;
        const undo = Boolean(plan?.plan) || state.undo;
        /* One that cannot be pressed keeps the focus, so that Enter never presses its neighbour. */
        const one = (label, key, name, may, act) => button(label, {
            class: key === 'confirm' ? 'confirm primary' : key, 'data-key': key,
            'data-guide': key, title: label, 'aria-label': label,
            'aria-disabled': may ? null : 'true',
            onclick: () => may && act()}, name);
        return [
            one(t('Confirm'), 'confirm', 'check', acting && plan.plan, () => this.confirm()),
            one(t('Undo'), 'undo', 'undo', undo, () => this.undo()),
            one(t('Hint'), 'hint', 'hint', acting, () => this.askHint()),
        ];
    }

    /* Who thinks, and who is ready. */
    showThinking() {
        if (this.ended || this.next) {
            return;
        }
        refill(this.othersRegion, this.face.others?.(this) ?? []);
        if (!this.acting) {
            this.sayText.textContent = this.say();
        }
    }

    showText() {
        const body = this.face.text?.(this) ?? [];
        dialog({title: t('The game as text'), body: [h('div', {class: 'as-text'}, body)],
            wide: true});
    }

    /* ---- The device changes hands ---- */

    handOver() {
        const from = this.viewer;
        const handing = `${this.next} ${from} ${this.engine.log(0, 0).length}`;
        if (this.handing === handing && this.root.querySelector('.handover')) {
            return; /* a bot has chosen, which nobody sees */
        }
        this.handing = handing;
        const name = playerName(this.engine.state(0), this.next);
        const back = from && !this.isBot(from) && this.engine.state(from).undo;
        const known = this.engine.log(0, 0);
        if (from) {
            this.seen.set(from, new Set(known.map((fact) => JSON.stringify(fact))));
        }
        this.hint.close();
        this.viewer = 0;
        this.look();
        const seen = this.seen.get(this.next);
        const since = known.filter((fact) => fact.what !== 'deal' &&
            !seen?.has(JSON.stringify(fact))).slice(-SINCE);
        const take = this.takeButton(t('I am {name}', {name}));
        fill(this.root, h('section', {class: 'panel handover', 'aria-labelledby': 'handover'},
            h('h1', {id: 'handover', tabindex: -1}, t('Pass the device to {name}', {name})),
            h('p', {}, t('Nothing secret is shown until then.')),
            h('div', {class: 'row'}, take,
                back && button(t('Take back the move of {name}', {
                    name: playerName(this.state, from)}), {
                    'data-key': 'back', onclick: () => this.takeBack(from)}, 'undo')),
            this.face.neutral?.(this) ?? [],
            since.length > 0 && h('div', {class: 'since'}, h('h2', {}, t('Since your last turn')),
                logList(since, this.state))));
        this.viewer = from;
        document.getElementById('live').replaceChildren(); /* of the one before */
        announce(t('Pass the device to {name}', {name}));
        document.getElementById('handover').focus({preventScroll: true});
    }

    /* A second tap, or a key held down, was still meant by the one before: it opens nothing. */
    takeButton(label) {
        const take = button(label, {class: 'primary take', 'data-key': 'take', disabled: true,
            onkeydown: (event) => event.repeat && event.preventDefault(),
            onclick: () => this.take()});
        setTimeout(() => {
            take.disabled = false;
            if (document.activeElement?.id === 'handover') {
                take.focus({preventScroll: true});
            }
        }, HANDS);
        return take;
    }

    take() {
        this.viewer = this.next;
        this.next = 0;
        this.forgetNews();
        this.build();
        this.refresh();
        this.titleText.tabIndex = -1;
        this.titleText.focus({preventScroll: true});
    }
}

/* The game of a lesson that is played on without it is a game as any other. */
async function adopt(id) {
    if ((await values.get('lesson')).value?.id === id) {
        await values.set('lesson', null);
    }
}

/* Shows the kept game `id`. With a guide (docs/page.md) somebody is being taught. */
export async function show(place, id, {guide} = {}) {
    const table = new Table(place, id, guide);
    try {
        if (!guide) {
            await adopt(id);
        }
        await table.open();
    } catch (error) {
        if (error.name === 'Unsupported') {
            throw error; /* the page says it */
        }
        console.error(error);
        table.fail(error instanceof Fault
            ? t('This game cannot be opened: {reason}', {reason: reason(error.sentence)})
            : t('The game could not be started. Reload the page to try again.'));
    }
    return () => table.end();
}
