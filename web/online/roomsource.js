/* A room on a server as the source of a table's events (localsource.js defines sources). The server
 * has the whole game; this source has only the viewer's stream (docs/protocol.md). Moves cannot be
 * taken back, and other views cannot be shown.
 *
 * A chosen move is stored in this browser until the server has acknowledged it, and sent again
 * after a break or a reload. That is safe, because the server takes one answer for each decision.
 *
 * After every message the source compares the hash of its view with the server's, and asks for the
 * whole view if they differ. When the game is over it waits for the record and saves it among this
 * browser's games, before the table shows the end. */
import {loadEngine} from '../engine/engine.js';
import {check, hashOfText} from '../engine/shufflecheck.js';
import {fetchMap, rooms} from './connection.js';
import {games} from '../store/store.js';
import {english} from '../app/texts.js';
import {gameName} from '../ui/words.js';

/* Why a move was refused. (An illegal move cannot be chosen.) */
const REASONS = {
    DECISION_MADE: english('another move was made for you: elsewhere, by a bot, or by the clock'),
    GIVEN: english('a bot plays for you'),
    OVER: english('the game is over'),
    OTHER: english('the server refused it'),
};
const AGAIN_MAX = 3; /* times in a row that the whole view is asked for */

export class RoomSource {
    #link;
    #code;
    #engine;
    #table = null;
    #text = ''; /* the view from the server, with its header; '': none, or not to be relied on */
    #count = 0; /* events in it */
    #due = [];
    #held = []; /* the last lines of a game: the table gets them when the record has come */
    #sending = false; /* a move was sent, and has no answer yet */
    #answered = -1; /* the latest decision that the server has acknowledged */
    #back = false; /* the connection was lost since the latest lines */
    #differs = 0; /* times in a row that the whole view was asked for */
    #queue = Promise.resolve();
    #endings = [];
    #ready;

    /* `id`: the room. changed(): something beside the table may have to be drawn again.
     * meanwhile(facts): what happened while this page was away, as facts of the log.
     * refused(sentence): a move that was chosen before this page was loaded was refused.
     * failed(error): the game cannot be shown. */
    constructor(link, id, {code = '', changed = () => {}, meanwhile = () => {},
        refused = () => {}, failed = () => {}} = {}) {
        this.#link = link;
        this.#code = code;
        this.id = id;
        this.changed = changed;
        this.meanwhile = meanwhile;
        this.refused = refused;
        this.failed = failed;
        this.info = null; /* the latest message `room` */
        this.viewer = 0;
        this.map = '';
        this.game = {id, record: '', map: '', title: ''};
        this.shuffle = null; /* when the game is over: the result of check() in shufflecheck.js */
        this.left = new Map(); /* player: when their time is up, by performance.now() */
        this.aided = false;
        this.challenge = {};
        this.hints = false;
        this.isOver = false; /* the whole record has come */
        this.started = new Promise((resolve) => (this.#ready = resolve));
        for (const type of ['room', 'view', 'lines', 'record'])
            this.#endings.push(link.on(type, (message) => this.#enqueue(type, message)));
        this.#endings.push(link.on('state', ({state}) => {
            this.#back ||= state === 'offline';
            /* The answer to a move will take longer: disables Confirm meanwhile. */
            if (state === 'offline' && this.#sending) this.#table?.append([], this.seats, false);
        }));
    }

    /* For `hello`: the number of events that we have. */
    get have() {
        return this.#text ? {have: this.#count} : {};
    }

    get kind() {
        return this.#engine.state(0).game;
    }

    get seeded() {
        return this.isOver;
    }

    /* The viewer's seat has nothing to do if a bot plays for it, if its move was sent and not
     * answered, or if its move was acknowledged but is not in the view yet. */
    get seats() {
        const given = Boolean(this.info?.seats[this.viewer - 1]?.bot);
        const {decisions, players} = this.#engine.state(this.viewer);
        const waits = given || this.#sending || decisions <= this.#answered;
        return players.map(({player}) => {
            const here = player === this.viewer;
            return {player, here, undo: false, back: false,
                due: this.#due.includes(player) && !(here && waits)};
        });
    }

    get due() {
        return this.#due;
    }

    /* The viewer's state, for texts about players; null: there is none yet. */
    get state() {
        return this.#text ? this.#engine.state(this.viewer) : null;
    }

    async start(table) {
        this.#table = table;
        table.reset(this.#text, this.seats, false);
        this.#see();
        this.#sendKept(); /* not awaited: it may take long */
    }

    look() {
        /* the server sends only the viewer's own view */
    }

    end() {
        this.ended = true;
        for (const end of this.#endings) end();
    }

    /* ---- Moves ---- */

    async submit(event, decision) {
        rooms.set(this.id, {move: {decision, event}});
        this.#sending = true;
        this.changed();
        const answer = await this.#link.request({t: 'move', decision, event});
        this.#sending = false;
        if (answer.t !== 'away') rooms.set(this.id, {move: null});
        if (answer.t === 'ok') this.#answered = decision;
        if (!this.ended) {
            this.#table.append([], this.seats, false);
            this.changed();
        }
        return answer.t === 'away' ? {away: true} : answer.t === 'ok' ? {done: true}
            : {refused: answer.code, sentence: REASONS[answer.code] ?? REASONS.OTHER};
    }

    /* A move was chosen, and the server has not answered yet. */
    get isSending() {
        return this.#sending;
    }

    /* Sends a move that was chosen before this page was loaded. The server knows whether the
     * decision was answered meanwhile. */
    #sendKept() {
        const {move} = rooms.get(this.id);
        if (!move || !this.viewer || this.#sending) return;
        const sent = this.submit(move.event, move.decision);
        this.#table.append([], this.seats, false);
        sent.then(({sentence}) => sentence && !this.ended && this.refused(sentence))
            .catch(this.failed);
    }

    /* ---- Messages from the server ---- */

    #enqueue(type, message) {
        const work = {room: () => this.#takeRoom(message), view: () => this.#takeView(message),
            lines: () => this.#takeLines(message), record: () => this.#takeRecord(message)}[type];
        this.#queue = this.#queue.then(() => !this.ended && work()).catch((error) => {
            if (!this.ended) this.failed(error);
        });
    }

    #takeRoom(info) {
        this.info = info;
        this.hints = info.hints;
        if (this.#table && this.#text) this.#table.append([], this.seats, false);
        this.changed();
    }

    async #takeView({text, hash, due, left}) {
        const before = this.#text ? this.#count : rooms.get(this.id).seen ?? 0;
        await this.#open(text);
        this.viewer = this.info.seat;
        this.#text = text;
        this.#count = this.#engine.state(0).events;
        this.#held = []; /* the view contains them */
        this.#take(due, left);
        if (!this.#agrees(hash)) return;
        this.game = {id: this.id, record: text, map: this.map,
            title: gameName(this.#engine.state(0))};
        if (this.#table) {
            this.#table.reset(text, this.seats, false);
            this.#see();
        }
        this.#tellMeanwhile(before);
        this.#beReady();
        this.changed();
    }

    async #open(text) {
        this.#engine ??= await loadEngine();
        const {built_in: builtIn, map} = this.#engine.needs(text);
        if (map && !builtIn && !this.map) {
            this.map = await fetchMap(this.id, this.#code);
            this.#engine.map(this.map);
        }
        this.#engine.open(text);
    }

    #takeLines({from, lines, hash, due, left}) {
        if (from !== this.#count || !this.#text) {
            this.#again();
            return;
        }
        const before = this.#count;
        try {
            for (const line of lines) this.#engine.apply(line);
        } catch (error) {
            console.error(error);
            this.#again();
            return;
        }
        this.#count += lines.length;
        this.#text += lines.map((line) => `${line}\n`).join('');
        this.#take(due, left);
        if (!this.#agrees(hash)) return;
        if (this.#back) this.#tellMeanwhile(before);
        this.#back = false;
        if (this.#engine.state(this.viewer).over && !this.isOver) this.#held.push(...lines);
        else this.#pass(lines);
        this.changed();
    }

    #take(due, left) {
        this.#due = due;
        this.left = new Map(due.map((player, i) => [player, left[i]])
            .filter(([, ms]) => ms >= 0).map(([player, ms]) => [player, performance.now() + ms]));
    }

    #pass(lines) {
        if (!this.#table) return;
        this.#table.append(lines, this.seats, false);
        this.#see();
    }

    /* Whether this page's view is the server's. If not, asks for the whole view. */
    #agrees(hash) {
        const own = hashOfText(this.#engine.report()).slice(0, 16);
        if (own === hash) this.#differs = 0;
        else this.#again({have: this.#count, hash: own});
        return own === hash;
    }

    /* `view`: what the server compares with its own, if that is why. */
    #again(view) {
        this.#text = ''; /* so that `hello`, if it comes first, asks for the whole view, too */
        if (this.#differs++ < AGAIN_MAX) this.#link.send({t: 'again', ...view});
        else this.failed(new Error('this page and the server know different games'));
    }

    /* Reports what others did while this page was away. */
    #tellMeanwhile(before) {
        if (!before || before >= this.#count) return;
        const facts = this.#engine.log(this.viewer, before)
            .filter(({what, player}) => what !== 'deal' && player !== this.viewer);
        if (facts.length > 0) this.meanwhile(facts);
    }

    #see() {
        rooms.set(this.id, {seen: this.#count});
    }

    /* The game is over: saves the record, checks the shuffle, and shows the last lines. */
    async #takeRecord({text}) {
        if (this.isOver) return;
        const {commit, word} = rooms.get(this.id);
        await this.#open(text);
        const {over} = this.#engine.state(0);
        const title = gameName(this.#engine.state(0));
        /* Another tab may be in this room, too. */
        [this.game] = await games.createAll([{id: this.id, record: text, map: this.map, title,
            over}]);
        this.#engine.open(this.#text || text);
        this.shuffle = await check(text, {commit, word, player: word ? this.viewer : 0});
        this.isOver = true;
        this.#pass(this.#held.splice(0));
        rooms.set(this.id, {over: true, move: null});
        this.#beReady();
        this.changed();
    }

    #beReady() {
        if (this.#text && (this.isOver || !this.#engine.state(this.viewer).over)) this.#ready(this);
    }
}
