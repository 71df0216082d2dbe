/* Where the events of a table come from. A source offers
 *
 *     kind                   which game it is, by its name
 *     map                    the text of the sheet, where it is not built in; else ''
 *     seats                  who sits where (seats.js)
 *     game                   the game as it is kept here: {id, record, map, title, …}
 *     viewer                 whose view it tells; 0: a spectator's
 *     start(table, viewer, pause)  begins to tell; resolves when the first cards are there, if it
 *                            is on this tab to deal them. pause(): the milliseconds from one move
 *                            to the next bot's
 *     hurry()                the next bot's move comes without that pause; a source that cannot
 *                            lacks it
 *     hold(on)               bots make no moves until hold(false); the same
 *     look(viewer)           tells another viewer's view from now on, beginning with a reset
 *     submit(event, decision)  makes the viewer's move, the answer to their decision of that number
 *                            (state.decisions). Resolves when it is known what became of it, with
 *                            {done: true}; {refused: CODE, sentence}; or {away: true}: nobody
 *                            answers, and nothing is made
 *     takeBack(player)       takes that player's latest move back, and resolves like submit; a
 *                            source that cannot lacks it
 *     goBack(player)         the same with all that followed, whatever was revealed: the game is
 *                            aided then
 *     aided                  somebody had help, by this or by a hint
 *     seeded                 the same cards can be dealt again
 *     challenge              what somebody got with the same cards: {points, name, own}, or
 *                            {}; own: it was the same person
 *     aid()                  notes that somebody has help; a source that cannot lacks it
 *     hints                  false: none are offered
 *     rematch()              another game of the same people; a source that lacks it begins one
 *                            here, with the same setup
 *     seat(player, level)    gives a seat to another bot, or (level '') to a person here; the same
 *     end()
 *
 * and tells the table, by these functions of the object given to start():
 *
 *     reset(view, seats, elsewhere)    all of the viewer's view, as text
 *     append(lines, seats, elsewhere)  the view has grown by these lines; none: only seats changed
 *     gone()                           the game was deleted
 *     failed(error)                    a bot could not answer; a Fault BOT_UNKNOWN: there is none
 *
 * elsewhere: another tab did it.
 *
 * roomsource.js has a room on a server as a source.
 *
 * The source here is a game that this browser keeps. It deals cards and tiles, lets bots think, and
 * keeps whatever happens before it tells the table: nothing is shown that a reload could undo. It
 * alone knows the whole game. Of several tabs that show one game, the one that is looked at deals
 * and lets bots think, by a lock. Without locks (no secure context, an older browser) all of them
 * do, and the first to write wins: they deal the same cards and ask the same bots. */
import {ChangedElsewhere, games, isUnreadable} from '../store/store.js';
import {Fault, loadEngine} from '../engine/engine.js';
import {Thinker} from '../engine/thinker.js';

/* The same for the same text, so that a bot asked again does not change its mind. */
function seedOf(text) {
    let seed = 2166136261;
    for (const letter of text) {
        seed = Math.imul(seed ^ letter.codePointAt(0), 16777619);
    }
    return seed >>> 0;
}

/* What a bot is asked: it gets what its player may know, nothing more. */
export function question({id, map}, view, player, level) {
    return {record: view, map, player, level, seed: seedOf(`${id} ${player} ${view}`)};
}

export class LocalSource {
    #engine;
    #table = null;
    #told = null; /* the view that the table has */
    #thinker = new Thinker();
    #queue = Promise.resolve();
    #pause; /* tells the milliseconds from one move to the next bot's */
    #latest = 0; /* when the latest move was made */
    #held = false; /* no bot moves */
    #hurried = false; /* the one that thinks need not wait */
    #wake = () => {}; /* looks whether a bot's pause is over */
    #turn = {}; /* of bots that think; after an interruption it is another one */
    #thinking = 0; /* the bot that thinks now */
    #leads = false;
    #request = null; /* the latest request for the lock */
    #waiting = null; /* aborts it while it waits */
    #stealing = null; /* resolves when a lock that is being taken is there */
    #release = () => {};
    #endings = [];

    /* The kept game of that id, or null. Throws a Fault if its record cannot be read. */
    static async open(id) {
        const game = await games.get(id);
        if (!game) {
            return null;
        }
        const engine = await loadEngine();
        if (game.map) {
            engine.map(game.map);
        }
        engine.open(game.record);
        return new LocalSource(game, engine);
    }

    constructor(game, engine) {
        this.game = game; /* as it is kept */
        this.viewer = 0;
        this.#engine = engine;
        this.ended = false;
    }

    get map() {
        return this.game.map;
    }

    get kind() {
        return this.#engine.state(0).game;
    }

    get seats() {
        return this.#engine.state(0).players.map(({player, bot}) => {
            const {turn, undo, back} = this.#engine.state(player);
            return {player, here: !bot, due: turn.includes(player), undo, back};
        });
    }

    get aided() {
        return this.#engine.state(0).aided;
    }

    get seeded() {
        return this.#engine.state(0).seed;
    }

    get challenge() {
        return this.#engine.state(0).challenge;
    }

    async start(table, viewer, pause = () => 0) {
        this.#table = table;
        this.#pause = pause;
        this.#latest = performance.now();
        this.viewer = viewer;
        this.#tell(false);
        const look = () => {
            if (document.visibilityState === 'visible') {
                this.#lookAgain(); /* a tab that was asleep may have missed something */
                this.#takeLead();
            }
        };
        document.addEventListener('visibilitychange', look);
        this.#endings.push(() => document.removeEventListener('visibilitychange', look),
            games.watch(this.game.id, () => this.#lookAgain()));
        if (document.visibilityState === 'visible') {
            await this.#takeLead();
        } else {
            this.#contend(false);
        }
        await this.#queue;
    }

    end() {
        this.ended = true;
        this.#interrupt();
        this.#thinker.close();
        this.#waiting?.abort();
        this.#release();
        this.#request = null;
        for (const end of this.#endings) {
            end();
        }
    }

    /* ---- What the table wants ---- */

    look(viewer) {
        return this.#enqueue(() => {
            this.viewer = viewer;
            this.#told = null;
            this.#tell(false);
        });
    }

    submit(event, decision) {
        const player = this.viewer;
        return this.#enqueue(async () => {
            if (!this.ended) {
                this.#takeLead(); /* the tab that people play in deals and runs the bots */
            }
            /* What others did while it was being kept may leave the decision open. */
            for (;;) {
                const refusal = this.#apply(player, event, decision);
                if (refusal) {
                    return refusal;
                }
                this.#latest = performance.now();
                this.#engine.deal();
                if (await this.#keep()) {
                    this.#letBotsThink();
                    return {done: true};
                }
            }
        }, {always: true});
    }

    /* Why the move is refused, or null: it is made. */
    #apply(player, event, decision) {
        if (this.#engine.state(player).decisions !== decision) {
            return {refused: 'DECISION_MADE', sentence: ''};
        }
        return this.#refusal(() => this.#engine.apply(event));
    }

    /* Why C refuses to do it, or null: it is done. */
    #refusal(act) {
        try {
            act();
            return null;
        } catch (error) {
            if (error instanceof Fault) {
                return {refused: error.status, sentence: error.sentence};
            }
            throw error;
        }
    }

    /* What others have entered since, unseen, stays. A bot's move that was being kept may have
     * closed the round: then it is refused. */
    takeBack(player) {
        return this.#change(() => this.#engine.takeBack(player));
    }

    goBack(player) {
        return this.#change(() => this.#engine.goBack(player));
    }

    /* Changes what has happened, while no bot thinks about it. */
    #change(act) {
        return this.#enqueue(async () => {
            this.#interrupt();
            try {
                return this.#refusal(act) ??
                    (await this.#keep() ? {done: true} : {refused: 'CHANGED', sentence: ''});
            } finally {
                this.#letBotsThink();
            }
        }, {always: true});
    }

    aid() {
        return this.#enqueue(async () => {
            while (!this.ended && !this.aided && !this.#refusal(() => this.#engine.aid())) {
                await this.#keep(); /* another tab may have been first: then once more */
            }
        });
    }

    seat(player, level) {
        return this.#enqueue(async () => {
            this.#engine.seat(player, level);
            const kept = await this.#keep();
            this.#letBotsThink();
            return kept;
        });
    }

    /* ---- Keeping ---- */

    /* One thing after the other; what fails does not stop the next. What people did is done even if
     * the table has been left meanwhile. */
    #enqueue(work, {always = false} = {}) {
        const done = this.#queue.then(() => (this.ended && !always ? false : work()));
        this.#queue = done.catch(() => {});
        return done;
    }

    /* Keeps the game as the engine has it, then tells the table. False: another tab was first, and
     * its game is the one that is shown now. */
    async #keep() {
        const game = {...this.game, record: this.#engine.record(),
            over: this.#engine.state(0).over};
        try {
            await games.put(game);
        } catch (error) {
            if (!(error instanceof ChangedElsewhere)) {
                this.#engine.open(this.game.record);
                throw error;
            }
            this.#adopt(error.item);
            return false;
        }
        this.game = game;
        this.#tell(false);
        return true;
    }

    /* Reads the game again, after the work that is queued: by then the news may be old. */
    #lookAgain() {
        this.#enqueue(async () => this.#adopt(await games.get(this.game.id)));
    }

    /* Takes over what another tab has saved, and continues from there. */
    #adopt(game) {
        if (!game) {
            if (!this.ended && !isUnreadable()) {
                this.end();
                this.#table.gone();
            }
            return;
        }
        if (game.revision === this.game.revision && game.record === this.game.record) {
            return; /* it is our own */
        }
        this.#interrupt();
        this.#engine.open(game.record);
        this.game = game;
        this.#tell(true);
        if (this.#leads) {
            this.#advance();
        }
    }

    /* Tells the table what its viewer may know of the game. Called when the engine has the game as
     * it is kept, and nothing more. */
    #tell(elsewhere) {
        if (this.ended) {
            return;
        }
        const before = this.#told;
        const view = (this.#told = this.#engine.view(this.viewer));
        if (before !== null && view.startsWith(before)) {
            this.#table.append(view.slice(before.length).split('\n').filter(Boolean), this.seats,
                elsewhere);
        } else {
            this.#table.reset(view, this.seats, elsewhere);
        }
    }

    /* ---- The tab that deals ---- */

    /* Resolves when this tab leads, or cannot. */
    #takeLead() {
        return this.#leads ? Promise.resolve() : (this.#stealing ??= this.#contend(true)
            .finally(() => {
                this.#stealing = null;
            }));
    }

    /* Asks for the lock; with `steal` it is taken from whatever tab has it. Resolves when it is
     * there, or cannot be had. Only the latest request counts: an earlier one that is granted or
     * refused later changes nothing. */
    #contend(steal) {
        const request = (this.#request = {});
        const isLatest = () => this.#request === request;
        this.#waiting?.abort();
        this.#waiting = new AbortController();
        return new Promise((resolve) => {
            const lead = () => {
                this.#leads = true;
                resolve();
                this.#advance();
            };
            if (!navigator.locks) {
                lead();
                return;
            }
            const hold = () => new Promise((release) => {
                if (isLatest()) {
                    this.#release = release;
                    lead();
                } else {
                    release();
                    resolve();
                }
            });
            navigator.locks.request(`endstation game ${this.game.id}`,
                steal ? {steal} : {signal: this.#waiting.signal}, hold).catch((error) => {
                resolve();
                if (!isLatest()) {
                    return;
                }
                if (error.name !== 'AbortError') {
                    lead(); /* there are locks, but they cannot be used here */
                    return;
                }
                this.#leads = false; /* another tab took it */
                this.#interrupt();
                this.#contend(false);
            });
        });
    }

    #advance() {
        this.#enqueue(async () => {
            if (this.#engine.deal() > 0) {
                await this.#keep();
            }
            this.#letBotsThink();
        });
    }

    /* ---- Bots ---- */

    #interrupt() {
        this.#turn = {};
        this.#thinking = 0;
        this.#hurried = false;
        this.#thinker.cancel();
        this.#wake();
    }

    hurry() {
        this.#hurried = this.#thinking > 0;
        this.#wake();
    }

    hold(on) {
        this.#held = on;
        this.#wake();
    }

    /* Resolves when a bot that has thought may move, or gone(). */
    #rest(gone) {
        let timer = 0;
        return new Promise((resolve) => {
            this.#wake = () => {
                const left = this.#latest + this.#pause() - performance.now();
                clearTimeout(timer);
                if (gone() || (!this.#held && (this.#hurried || left <= 0))) {
                    this.#wake = () => {};
                    this.#hurried = false;
                    resolve();
                } else if (!this.#held) {
                    timer = setTimeout(() => this.#wake(), left);
                }
            };
            this.#wake();
        });
    }

    /* The next bot that has to act, as a player's facts, or undefined. */
    #due() {
        return this.#engine.state(0).players.find(({player, bot}) => bot &&
            this.#engine.state(player).turn.includes(player));
    }

    /* Bots think one after the other; people may act meanwhile. */
    async #letBotsThink() {
        if (this.#thinking || !this.#leads) {
            return;
        }
        const turn = (this.#turn = {});
        const gone = () => this.ended || this.#turn !== turn;
        try {
            for (let bot; !gone() && (bot = this.#due());) {
                this.#thinking = bot.player;
                const {event} = await this.#thinker.think(
                    question(this.game, this.#engine.view(bot.player), bot.player, bot.bot));
                await this.#rest(gone);
                await this.#enqueue(async () => {
                    if (!gone()) {
                        this.#latest = performance.now();
                        this.#engine.apply(event);
                        this.#engine.deal();
                        await this.#keep();
                    }
                });
            }
        } catch (error) {
            if (error.name !== 'Cancelled' && !gone()) {
                this.#table.failed(error);
            }
        } finally {
            if (!gone()) {
                this.#thinking = 0;
            }
        }
    }
}
