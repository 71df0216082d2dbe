/* The table: a game that people play here. It has three parts: a source of events (localsource.js),
 * the seats at this device (seats.js), and what is shown (view.js). The table's engine only ever
 * has what one viewer may know. All games are played the same way; what is different about a game
 * is its `face`: the part `table` of it (faces.js).
 *
 * A face is an object with these properties; all but `look` may be left out. Functions that return
 * elements return an array of new ones each time; the table puts them in place and keeps the focus
 * on the element with the same data-key.
 *
 *     pause              milliseconds from one bot's move to the next, at the usual pace (0)
 *     look(table)        the big picture: more for engine.draw, such as {sheet: 2}
 *     target(table, spot)  a tap on the big picture as words for engine.choose, or ''
 *     point(table, spot) the pointer is here, or nowhere (null); to light something up set
 *                        table.lit and call table.redraw(); to show what a tap would do,
 *                        table.preview(words)
 *     key(table, event)  a key as words for choose; undefined: the table's own way (letters,
 *                        digits, arrows; Space and D are passed on)
 *     recall(table)      before a move is made: if something else is shown than what was chosen,
 *                        shows that instead, and answers true
 *     keys(table)        [[keys, what they do], …] for the list of keys, beyond the table's own
 *     peek(table, fact)  how to show something that has happened: more for engine.draw, at the
 *                        moment when it had
 *     status(table)      where the game stands, in a few words: 'Round 5'
 *     now(table)         elements: what is open: the card and the pile; the tile and the stock
 *     controls(table)    elements: buttons as another way to plan; also while the viewer waits
 *     say(table)         the plan in words, or what there is to do
 *     how(table)         a sentence for people who have not finished a game yet, or ''
 *     standing(table)    elements: everybody's points, shown where the players are out of sight
 *     others(table)      elements: the other players; made again only when something has happened
 *     text(table)        elements: the state in words and tables, for those who do not see it
 *     neutral(table)     elements: what everybody may see while the device changes hands; the state
 *                        is then a spectator's
 *     sum(table, state)  elements: the end, player by player
 *     sounds             what a fact sounds like: {lay: 'tile'}
 *     after(table, facts)  something has happened and is drawn: light it up, and return the
 *                        milliseconds that it takes. Facts as in the log
 *
 * A table has
 *
 *     engine             the viewer's view; faces only ask it
 *     state              engine.state(viewer), after the latest event, with what the seats say
 *     plan               what is shown as planned: an answer of engine.choose, or null while the
 *                        viewer cannot act
 *     pick               what the viewer has chosen (page.h); the plan is that of a preview
 *                        meanwhile
 *     viewer             who looks: a player, or 0
 *     me                 the viewer's entry in state.players, or the first player's
 *     acting             whether the viewer may act now
 *     small              a phone's screen
 *     lit                what the picture lights up, 0: nothing
 *     picture            the <svg> element of the big picture
 *     choose(words)      plans, redraws; the same tap again confirms
 *     preview(words)     shows what the words would do, and returns that answer; what is chosen
 *                        stays. 'look' ends the preview
 *     adopt()            what is previewed is chosen
 *     confirm()          makes the planned move
 *     draw(options)      an <svg> element; options as for engine.draw, whose viewer, theme, names
 *                        and patterns are given
 *     redraw()           the big picture and the panels again
 *     cached(key, make)  what make() made, until something happens: for small pictures
 *     enlarge(title, make)      shows in a dialog the element that make() returns
 *     note(text, time)   shows a few words over the picture for that many milliseconds
 *
 * A spot is where a finger or pointer is: {x, y, touch, part(selector), under(selector)}: the id of
 * the nearest such part of the picture within reach, and of the one that is right there (pane.js).
 */
import {mayGoBack, settings} from '../store/store.js';
import {announce, dialog, fill, h, onTheme, toast} from '../ui/dom.js';
import {Fault, loadEngine} from '../engine/engine.js';
import {faceOf, infoOf, loadPart} from '../games/faces.js';
import {forget} from './lessonstate.js';
import {keepApart} from '../ui/parts.js';
import {Seats} from './seats.js';
import {LocalSource, question} from './localsource.js';
import {DOUBLE_TAP_MS, NEAR} from './pane.js';
import {staying} from '../ui/stay.js';
import {t, words} from '../app/texts.js';
import {View} from './view.js';
import {isSwitchedOff, levelName, reason, tellAll} from '../ui/words.js';

const CHANGED_NOTICE_MS = 30000; /* between notices that another window has moved */
const PACES = {slow: 2, usual: 1, fast: 0.4, none: 0};
const BOTS_ALONE_MS = 500; /* between their moves, at least */
/* When browsers let a page make sounds. In WebKit a finger that goes down is no such moment. */
const GESTURES = ['pointerup', 'touchend', 'click', 'keydown'];
const ARROWS = {ArrowLeft: 'Left', ArrowRight: 'Right', ArrowUp: 'Up', ArrowDown: 'Down'};

/* The plan of the table that was left last: it is restored after a look at the rules, or in another
 * language. */
let lastPlan = null;

/* Games of bots alone that people have paused: they stay so, whatever is looked at meanwhile. */
const pausedGames = new Set();

const keyOf = (fact) => JSON.stringify(fact);

class Table {
    constructor(place, id, guide) {
        this.place = place;
        this.id = id;
        this.guide = guide;
        this.viewer = 0; /* whose view the engine has */
        this.viewText = ''; /* that view */
        this.lit = 0;
        this.pick = '';
        this.plan = null;
        this.acting = false;
        this.pressed = {time: -Infinity, x: 0, y: 0}; /* where and when the latest tap began */
        this.quick = false; /* it was the second of a double one */
        this.made = false; /* the first of them made a move */
        this.agreed = false; /* people know what taking back means */
        this.holding = 0; /* the timer of a tap that confirms, unless it becomes a double tap */
        this.submitting = ''; /* the move that is being kept, or 'undo' */
        this.facts = [];
        this.peeked = null; /* a fact that is shown as it happened, instead of what is now */
        this.pinned = null; /* … and stays so until somebody wants something else */
        this.looked = false; /* the past was shown when the latest tap began */
        this.audio = null; /* sound.js, where people want sounds */
        this.acted = false; /* whether it was the viewer's turn when something was shown last */
        this.busy = 0; /* milliseconds for which something is lit up after a move */
        this.paused = false; /* a game of bots alone does not move */
        this.told = new Set(); /* facts that were announced */
        this.known = new Map(); /* player: what all knew when they handed the device on */
        this.cache = new Map();
        this.open = false; /* it is shown */
        this.ended = false;
        this.endings = []; /* what ends with the table */
    }

    /* ---- Opening ---- */

    async start(source) {
        this.source = source;
        this.engine = await loadEngine();
        if (source.map) {
            this.engine.map(source.map);
        }
        this.engine.words(words());
        this.face = await loadPart(source.kind, 'table');
        this.info = infoOf(this.engine, source.kind);
        this.seats = new Seats(this.info);
        this.seats.update(source.seats);
        this.paused = pausedGames.has(this.id) && !this.people.length;
        if (this.paused) {
            source.hold(true);
        }
        await source.start(this, this.seats.viewer, () => this.pause());
        if (this.ended || !this.place.isConnected) {
            return;
        }
        if (lastPlan?.id === this.id) {
            this.pick = lastPlan.pick; /* C ignores one that is out of date */
        }
        this.view = new View(this, this.place, () => this.showAnew());
        this.open = true;
        this.listen();
        this.begin();
    }

    listen() {
        const again = () => this.showAnew();
        this.sound([]);
        const key = (event) => this.key(event);
        const press = (event) => this.press(event);
        const prime = () => this.audio?.prime();
        for (const type of GESTURES) {
            document.addEventListener(type, prime, true);
            this.endings.push(() => document.removeEventListener(type, prime, true));
        }
        document.addEventListener('keydown', key);
        this.place.addEventListener('pointerdown', press, true);
        this.place.addEventListener('click', press, true);
        this.endings.push(() => document.removeEventListener('keydown', key),
            () => this.place.removeEventListener('pointerdown', press, true),
            () => this.place.removeEventListener('click', press, true), onTheme(again),
            settings.watch(['confirm', 'pile', 'names', 'patterns', 'takeBack'], again),
            () => this.view.end());
    }

    end() {
        this.release();
        if (!this.ended && this.open && !this.guide) {
            lastPlan = {id: this.id, pick: this.pick};
        }
        this.ended = true;
        this.source?.end();
        for (const end of this.endings) {
            end();
        }
    }

    fail(text) {
        fill(this.place, h('section', {class: 'panel message', role: 'alert'},
            h('h1', {}, t('This game can’t be shown')),
            h('p', {}, text),
            h('div', {class: 'row'},
                h('a', {class: 'button primary', href: '#games'}, t('All games')))));
    }

    complain(text, error) {
        console.error(error);
        toast(text, {warn: true, stay: true, label: t('Reload'), action: () => location.reload()});
    }

    /* How long a bot waits after the latest move: so that people can follow it, and until what it
     * brought was lit up. */
    pause() {
        const pace = PACES[settings.get('pace')] ?? 1;
        const usual = Math.max(this.face.pause ?? 0, this.people.length ? 0 : BOTS_ALONE_MS);
        return pace && Math.max(pace * usual, this.busy);
    }

    /* Pauses a game of bots alone, or lets it continue. */
    setPaused(on) {
        this.paused = on;
        if (on) {
            pausedGames.add(this.id);
        } else {
            pausedGames.delete(this.id);
        }
        this.source.hold(on);
        this.redraw();
    }

    /* ---- What the source tells ---- */

    reset(view, seats, elsewhere) {
        const other = this.viewer !== this.source.viewer;
        const same = this.viewText === view && !this.info.secrets; /* only the player has changed */
        this.viewer = this.source.viewer;
        this.seats.update(seats);
        this.peeked = this.pinned = null;
        if (other && same && this.open && !this.ended && !elsewhere) {
            this.pick = '';
            this.settle();
            return;
        }
        if (other || this.viewText !== view) {
            this.view?.hint.close(); /* it was about something else */
        }
        this.viewText = view;
        this.engine.open(view);
        if (!this.open || this.ended) {
            return;
        }
        this.pick = ''; /* after a move was taken back it would be up to date once more */
        if (!other) {
            this.submitting = '';
            this.rivals = null;
        }
        if (elsewhere) {
            this.warnOfElsewhere();
        }
        this.begin();
    }

    append(lines, seats, elsewhere) {
        for (const line of lines) {
            this.engine.apply(line);
            this.viewText += `${line}\n`;
        }
        this.seats.update(seats);
        if (!this.open || this.ended) {
            return;
        }
        if (lines.includes(this.submitting)) {
            this.submitting = this.pick = '';
        }
        const {decisions, cursor} = this.state;
        const now = this.engine.state(this.viewer);
        if (now.decisions !== decisions || now.cursor !== cursor) {
            this.view.hint.close(); /* it was about something else */
        }
        this.settle();
        if (elsewhere) {
            this.warnOfElsewhere(this.engine.log(this.viewer, cursor));
        }
    }

    gone() {
        this.fail(t('This game has been deleted in another window.'));
        this.end();
    }

    /* People are told when another tab has moved for them, or taken a move back; cards and bots'
     * moves come the same way wherever they are made. */
    warnOfElsewhere(facts) {
        const moved = ({what, player}) => what !== 'deal' && this.people.includes(player);
        if (facts && !facts.some(moved)) {
            return;
        }
        if (performance.now() - (this.warned ?? -Infinity) > CHANGED_NOTICE_MS) {
            this.warned = performance.now();
            toast(t('This game was continued in another window. This is how it stands now.'));
        }
    }

    /* Offers another bot, or a person, for a bot that this page does not have. */
    async failed(error) {
        if (error.status !== 'BOT_UNKNOWN' || !this.source.seat) {
            this.complain(t('A bot is stuck. Reload the page to try again.'), error);
            return;
        }
        const {players} = this.engine.state(0);
        const {player, bot} = players.find((one) => one.bot === error.words) ?? {};
        if (!player) {
            return;
        }
        const {levels} = this.info;
        const level = await dialog({
            title: t('Who takes seat {n}?', {n: player}),
            body: [h('p', {}, t('This page doesn’t have the bot “{level}”. Choose another bot, ' +
                'or let someone here play.', {level: bot}))],
            actions: [...levels.map((name) => ({label: levelName(name), value: name})),
                {label: t('Person on this device'), value: 'person', primary: true}],
        });
        if (this.ended) {
            return;
        }
        if (level) {
            await this.source.seat(player, level === 'person' ? '' : level);
        } else {
            toast(t('The game is waiting for a bot that isn’t available here.'), {stay: true,
                label: t('Choose a bot'), action: () => this.failed(error)});
        }
    }

    /* ---- Whose view is shown ---- */

    get people() {
        return this.seats.people;
    }

    /* Everything is another view now: what it tells counts as known. */
    begin() {
        this.told = new Set(this.engine.log(this.viewer, 0).map(keyOf));
        this.facts = []; /* those were another viewer's, or were taken back */
        this.showAnew();
        if (this.taking && this.taking === this.viewer) {
            this.view.focusTitle();
        }
        this.taking = 0;
    }

    showAnew() {
        if (this.ended || !this.open) {
            return;
        }
        staying(this.place, () => {
            this.cache.clear();
            this.look();
            this.view.build();
            this.settle();
        });
    }

    /* Shows the same in another language. */
    again() {
        this.engine.words(words());
        this.standing = null;
        this.showAnew();
    }

    /* Shows the game to the viewer, or asks to hand the device to the next person. */
    settle() {
        if (this.ended) {
            return;
        }
        const {over} = this.engine.state(this.viewer);
        this.seats.settle(over);
        const {viewer, next} = this.seats;
        if (viewer !== this.viewer) {
            this.acting = false;
            if (this.asked !== viewer) {
                this.asked = viewer;
                this.source.look(viewer); /* it comes as a reset */
            }
            return;
        }
        this.asked = viewer;
        if (next) {
            this.handOver();
        } else {
            this.refresh();
        }
    }

    handOver() {
        const {next, holder} = this.seats;
        this.peeked = this.pinned = null;
        const all = this.engine.log(0, 0);
        const before = this.known.get(next);
        this.known.set(holder, new Set(all.map(keyOf)));
        this.look();
        this.view.handOver({next, holder, back: this.seats.undoer === holder && holder > 0,
            since: all.filter((fact) => fact.what !== 'deal' && !before?.has(keyOf(fact)))});
    }

    /* The next one has the device now. */
    take() {
        this.taking = this.seats.next;
        this.seats.give(this.seats.next);
        this.settle();
    }

    look() {
        const {seats, viewer} = this;
        this.state = {...this.engine.state(viewer), turn: seats.due,
            undo: seats.undoer > 0 && Boolean(this.source.takeBack),
            back: seats.backer > 0 && Boolean(this.source.goBack) && mayGoBack() && !this.guide,
            aided: Boolean(this.source.aided)};
        this.me = this.state.players[(viewer || 1) - 1];
        this.acting = !this.state.over && !this.submitting && !seats.next && viewer > 0 &&
            seats.people.includes(viewer) && seats.due.includes(viewer);
        this.plan = this.acting ? this.engine.choose(viewer, this.pick, 'look') : null;
    }

    /* After something has happened. */
    refresh() {
        this.look();
        const facts = this.engine.log(this.viewer, 0);
        const news = facts.filter((fact) => !this.told.has(keyOf(fact)));
        if (news.length > 0 || facts.length !== this.facts.length) {
            this.facts = facts;
            this.cache.clear();
        }
        for (const fact of news) {
            this.told.add(keyOf(fact));
        }
        if (news.length > 0) {
            this.lit = 0;
            this.peeked = this.pinned = null;
            announce(tellAll(news, this.state));
        }
        this.view.show(news);
        this.sound(news);
        if (news.length > 0) {
            this.busy = this.face.after?.(this, news) ?? 0;
        }
    }

    /* What has happened as sounds, if people want them: of completed lines only the viewer's own,
     * and at last that it is their turn. */
    async sound(news) {
        const was = this.acted;
        this.acted = this.acting;
        if (!settings.get('sound') && !settings.get('vibration')) {
            return;
        }
        const {sounds = {}} = this.face;
        const own = ({player, owner = player}) => owner === this.viewer;
        const names = new Set(news.map((fact) => sounds[fact.what] === 'done' && !own(fact) ? ''
            : sounds[fact.what]).filter(Boolean));
        if (this.acting && !was && this.state.players.length > 1 && news.length > 0) {
            names.add('turn');
        }
        try {
            this.audio ??= (await import('../app/later.js')).sound;
            names.forEach(this.audio.sound);
        } catch (error) {
            console.error(error); /* the game works without sounds */
        }
    }

    /* ---- What faces use of the view ---- */

    get small() {
        return this.view.small;
    }

    get pane() {
        return this.view.pane;
    }

    get picture() {
        return this.view.pane.picture;
    }

    draw(options) {
        return this.view.draw(options);
    }

    redraw() {
        this.view.redraw();
    }

    say() {
        return this.view.say();
    }

    cached(key, make) {
        if (!this.cache.has(key)) {
            const made = make();
            this.cache.set(key, made);
            keepApart(...[made].flat().filter((one) => one instanceof Node));
        }
        return this.cache.get(key);
    }

    note(text, time) {
        this.view.pane.note(text, time);
    }

    async enlarge(title, make) {
        const place = h('div', {class: 'enlarged'}, make());
        const untheme = onTheme(() => fill(place, make()));
        await dialog({title, body: [place], wide: true});
        untheme();
    }

    /* ---- People ---- */

    /* Notes when and where a finger, the mouse, or a key on a button was pressed: the click of a
     * pointer was noted when it went down. */
    press({type, detail, button: which, timeStamp: time, clientX: x, clientY: y}) {
        if (type === 'click' ? detail > 0 : which > 0) {
            return;
        }
        this.looked = Boolean(this.peeked);
        const {pressed} = this;
        const near = type === 'click' || Math.hypot(x - pressed.x, y - pressed.y) < NEAR;
        this.quick = near && time - pressed.time < DOUBLE_TAP_MS;
        this.made = this.quick && this.moved >= pressed.time;
        this.pressed = {time, x, y};
    }

    /* Shows how something came about, while somebody points at it: a fact of the log; null: what
     * was pinned, or what is now. */
    peek(fact) {
        const shown = fact ?? this.pinned;
        if (this.peeked !== shown && !this.seats.next) {
            this.release();
            this.peeked = shown;
            this.view.showPicture();
        }
    }

    /* The same until it is pinned once more (it is not shown then), or something else is wanted. */
    pin(fact) {
        this.pinned = this.pinned === fact ? null : fact;
        this.peek(null);
    }

    /* Returns true if a tap is a move: then the second of a double tap belongs to it. A tap that
     * ends a look back does nothing else. Where there is nothing to do but wait, and nothing to
     * look at, it ends the waiting. */
    tapped(spot) {
        this.before = this.pick;
        if (this.looked) {
            this.pin(null);
            return false;
        }
        const words = this.face.target?.(this, spot);
        if (words) {
            this.choose(words, {picture: true});
        }
        if (!this.acting && !this.lit) {
            this.release();
            this.holding = setTimeout(() => this.source.hurry?.(), DOUBLE_TAP_MS);
        }
        return Boolean(words) && settings.get('confirm');
    }

    /* That tap was the first of a double tap: it planned and confirmed nothing. */
    untap() {
        this.release();
        if (this.acting && this.pick !== this.before) {
            this.pick = this.before;
            this.plan = this.engine.choose(this.viewer, this.pick, 'look');
            this.redraw();
        }
    }

    pointed(spot) {
        if (!this.seats.next && (!spot || !this.peeked)) {
            this.face.point?.(this, spot);
        }
    }

    /* Nobody means a move by a double tap: its second tap confirms nothing, and a tap on the
     * picture confirms only when it is clear that no second one comes. */
    choose(words, {picture = false} = {}) {
        const tap = words.startsWith('tap ');
        const atOnce = settings.get('confirm') && tap;
        const double = this.made || performance.now() - this.moved < DOUBLE_TAP_MS;
        this.release();
        this.peeked = this.pinned = null;
        if (!this.acting || (atOnce && double)) {
            return;
        }
        this.plan = this.engine.choose(this.viewer, this.pick, words);
        this.pick = this.plan.pick;
        const again = this.plan.again && !(tap && this.quick);
        if (this.plan.plan && (atOnce || (again && !picture))) {
            this.confirm();
            return;
        }
        this.redraw();
        if (this.plan.plan && again) {
            const {pick} = this;
            this.view.root.classList.add('confirming');
            this.holding = setTimeout(() => {
                this.release();
                if (this.pick === pick) {
                    this.confirm();
                }
            }, DOUBLE_TAP_MS);
        }
    }

    /* Whatever is about to be confirmed no longer is. */
    release() {
        clearTimeout(this.holding);
        this.view?.root?.classList.remove('confirming');
    }

    preview(words) {
        const answer = this.engine.choose(this.viewer, this.pick, words);
        this.plan = answer.why ? this.engine.choose(this.viewer, this.pick, 'look') : answer;
        this.redraw();
        return answer;
    }

    adopt() {
        this.pick = this.plan?.pick ?? '';
    }

    confirm() {
        this.peeked = this.pinned = null;
        if (this.submitting || (this.acting && this.face.recall?.(this))) {
            return;
        }
        const event = this.acting && this.plan?.plan;
        if (!event || (this.guide && !this.guide.may(event))) {
            this.redraw();
            return;
        }
        this.view.hint.close();
        this.release();
        if (!settings.get('confirmed') && !settings.get('confirm')) {
            settings.set('confirmed', true);
        }
        this.moved = performance.now();
        this.move(event);
    }

    async move(event) {
        const {refused, sentence, away} = await this.submit(event,
            () => this.source.submit(event, this.state.decisions)) ?? {};
        if (away) {
            toast(t('No connection: your move hasn’t been made. Confirm it again.'), {warn: true});
        } else if (refused && sentence) {
            toast(t('Your move wasn’t accepted. {reason}', {reason: reason(sentence)}),
                {warn: true});
        }
    }

    /* Blocks other moves until the source has answered. */
    async submit(what, act) {
        let answer;
        if (this.ended) {
            return answer; /* nobody would see it */
        }
        this.submitting = what;
        this.acting = false;
        try {
            answer = await act();
        } catch (error) {
            this.complain(t('Something went wrong. Your games are safe; reload the page to ' +
                'continue.'),
                error);
        }
        if (this.submitting === what && !this.ended) { /* it was not made */
            this.submitting = '';
            this.settle();
        }
        return answer;
    }

    /* The plan first; then, while nobody has seen anything since, the latest move; then, where
     * people want that, the latest move with all that followed. */
    undo(quick = false) {
        if (this.plan?.plan && this.acting) {
            this.choose('clear');
        } else if (quick) {
            return; /* the second of a double tap takes nothing more back */
        } else if (this.state.undo) {
            this.takeBack(this.seats.undoer);
        } else if (this.state.back) {
            this.goBack(this.seats.backer);
        }
    }

    /* It is then that player's turn again, and their screen. */
    takeBack(player) {
        return this.withdraw(() => this.source.takeBack(player));
    }

    /* Asks first, once at this table. */
    async goBack(player) {
        if (!this.agreed && !await dialog({
            title: t('Take back your last move?'),
            body: [h('p', {}, t('The same cards or tiles come again. At the end, the game says ' +
                'that you had help.'))],
            actions: [{label: t('Keep it'), value: ''},
                {label: t('Take it back'), value: 'back', primary: true}],
        })) {
            return;
        }
        this.agreed = true;
        if (!this.ended && this.state.back) {
            await this.withdraw(() => this.source.goBack(player));
        }
    }

    async withdraw(act) {
        if (this.submitting) {
            return;
        }
        const {done, sentence} = await this.submit('undo', act) ?? {};
        if (done) {
            announce(t('Your move was undone.'));
        } else if (sentence) {
            toast(reason(sentence), {warn: true});
        }
    }

    async askHint() {
        try {
            const shown = await this.view.hint.ask(question({id: this.id, map: this.source.map},
                this.viewText, this.viewer, this.info.levels.at(-1)));
            if (shown && !this.guide) {
                await this.source.aid?.();
            }
        } catch (error) {
            this.complain(t('No hint is available right now. Reload the page to try again.'),
                error);
        }
    }

    /* A legal move in words. */
    words(event) {
        return faceOf(this.state.game).move(this.engine.choose(this.viewer, '', `move ${event}`),
            this.state);
    }

    /* ---- Keys ---- */

    /* A planned move is confirmed by Enter, also where a button has the focus that was pressed
     * before: the focus then moves on to the one that confirms. */
    key(event) {
        const {key, target} = event;
        if (this.ended || this.seats.next || event.ctrlKey || event.metaKey || event.altKey ||
            document.querySelector('dialog[open]') || isSwitchedOff(key) ||
            target.closest('input, select, textarea, [contenteditable]')) {
            return;
        }
        const pressing = (key === 'Enter' || key === ' ') &&
            target.closest('button:not([aria-disabled=true]), a, summary');
        const reading = key in ARROWS && target.closest('.log-region');
        if (pressing || reading) {
            if (pressing && event.repeat) {
                event.preventDefault(); /* a key held down is pressed once */
            }
            return;
        }
        if (key === '?') {
            this.view.showKeys();
        } else if (this.peeked && (key === 'Enter' || key === 'Escape')) {
            this.pin(null);
        } else if (!this.acting && !this.state.over && (key === 'Enter' || key === ' ')) {
            if (!event.repeat) {
                this.source.hurry?.();
            }
        } else if (key === 'Enter') {
            this.confirm();
        } else if (key === 'Escape') {
            this.escape();
        } else if (key === 'Backspace' && !this.plan?.plan) {
            this.undo(event.repeat);
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
        if (this.view.hint.open) {
            this.view.hint.close();
        } else {
            this.choose('clear');
        }
    }
}

/* A table for the game that `openSource()` resolves with: null if there is none. With a guide
 * (docs/page.md) somebody is being taught. */
export async function sit(place, id, openSource, guide) {
    const table = new Table(place, id, guide);
    try {
        const source = await openSource();
        if (source) {
            await table.start(source);
        } else {
            table.fail(t('This game isn’t saved in this browser. It may have been deleted.'));
        }
    } catch (error) {
        if (error.name === 'Unsupported') {
            throw error; /* the page says it */
        }
        console.error(error);
        table.fail(error instanceof Fault
            ? t('This game can’t be opened: {reason}', {reason: reason(error.sentence)})
            : t('The game couldn’t be started. Reload the page to try again.'));
    }
    return Object.assign(() => table.end(), table.open && {again: () => table.again()});
}

/* Shows the kept game `id`. */
export async function show(place, id, {guide} = {}) {
    if (!guide) {
        await forget(id); /* a lesson's that is played on without it is a game as any other */
    }
    return sit(place, id, () => LocalSource.open(id), guide);
}
