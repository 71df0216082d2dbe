/* The table: one kept game, played here by people and bots. Both games are played the same way;
 * what is different about a game is its `face` (verplant.js, metro.js).
 *
 * A face is an object of these; all but `look` may be left out. Whatever makes elements makes them
 * anew each time and returns an array; the table puts them in place and keeps the focus on the
 * element with the same data-key.
 *
 *     pause              milliseconds that a bot's move is left alone before the next (0)
 *     secret             true: people hide something from each other between moves (hands)
 *     look(table)        the big picture: more for engine.draw, such as {sheet: 2}
 *     target(table, spot)  a tap on the big picture as words for engine.choose, or ''
 *     point(table, spot) the pointer is here, or nowhere (null); to light something up set
 *                        table.lit and call table.redraw(); to preview, table.choose(words)
 *     key(table, event)  a key as words for choose; undefined: the table's own way (letters,
 *                        digits, arrows; Space and D are passed on for metro)
 *     keys(table)        [[keys, what they do], …] for the list of keys, beyond the table's own
 *     title(table)       what is played, for the heading: 'Amsterdam'
 *     status(table)      where the game stands, in a few words: 'Round 5'
 *     now(table)         elements: what is open: the card and the pile; the tile and the stock
 *     controls(table)    elements: buttons as another way to plan
 *     say(table)         the plan in words, or what there is to do
 *     others(table)      elements: the other players; made again only when something has happened
 *     text(table)        elements: the state in words and tables, for those who do not see it
 *     neutral(table)     elements: what everybody may see while the device changes hands
 *     sum(table, state)  elements: the end, player by player
 *     grade(table)       the end in a sentence, or ''
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
 *     dark, small        the theme; a phone's screen
 *     settings           what people have chosen (store.js)
 *     lit                what the picture lights up, 0: nothing
 *     picture            the <svg> element of the big picture
 *     choose(words)      plans, redraws; the same tap again confirms
 *     confirm()          makes the planned move
 *     draw(options)      an <svg> element; options as for engine.draw, theme and viewer are given
 *     redraw()           the big picture and the panels again
 *     enlarge(title, element)   shows something in a dialog
 *
 * A spot is where a finger or pointer is: {x, y, touch, part(selector)}; part() is the id of the
 * nearest such part of the picture within reach (see pane.js).
 */
import { Fault, loadEngine } from './engine.js';
import { Thinker } from './thinker.js';
import { games, settings } from './store.js';
import { announce, h, svg } from './dom.js';
import { t, words } from './texts.js';
import { full, playerName, planned, reason, tell, tellAll } from './words.js';
import { exportFile } from './share.js';
import { ending } from './ending.js';
import { hint } from './hint.js';
import { Pane } from './pane.js';
import { button, keepingFocus, sheetOf } from './parts.js';

const faces = {
    verplant: () => import('./verplant.js'),
    metro: () => import('./metro.js'),
};

/* A phone, upright or on its side. */
const SMALL = '(max-width: 699px), (max-height: 499px)';

/* The same for the same game, player and round, so that a bot asked again after an undo does not
 * change its mind. */
function seedOf(text) {
    let seed = 2166136261;
    for (const letter of text) {
        seed = Math.imul(seed ^ letter.codePointAt(0), 16777619);
    }
    return seed >>> 0;
}

const wait = (time) => new Promise((done) => setTimeout(done, time));

class Table {
    constructor(place, id, guide) {
        this.place = place;
        this.id = id;
        this.guide = guide;
        this.viewer = 0;
        this.lit = 0;
        this.plan = null;
        this.acting = false;
        this.thinking = 0; // the bot that thinks now
        this.told = new Set(); // facts that have been announced
        this.seen = new Map(); // player: how many events there were when they last looked
        this.ended = false;
        this.stop = new AbortController();
    }

    /* ---- Opening and keeping ---- */

    async open() {
        this.kept = games.get(this.id);
        if (!this.kept) {
            this.fail(t('This game is not kept in this browser. It may have been deleted.'));
            return;
        }
        this.engine = await loadEngine();
        if (this.kept.map) {
            this.engine.map(this.kept.map);
        }
        this.engine.words(words());
        this.engine.open(this.kept.record);
        const state = this.engine.state(0);
        this.face = (await faces[state.game]()).face;
        if (this.ended) {
            return;
        }
        this.people = state.players.filter(({ bot }) => !bot).map(({ player }) => player);
        this.viewer = this.people.length === 1 ? this.people[0] : 0;
        this.thinker = new Thinker();
        this.listen();
        this.build();
        this.tellNothingOld();
        this.advance();
    }

    listen() {
        const { signal } = this.stop;
        const again = () => this.rebuild();
        document.addEventListener('keydown', (event) => this.key(event), { signal });
        document.addEventListener('language', () => {
            this.engine.words(words());
            again();
        }, { signal });
        for (const query of [SMALL, '(prefers-color-scheme: dark)']) {
            matchMedia(query).addEventListener('change', again, { signal });
        }
        this.theme = new MutationObserver(again);
        this.theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    }

    end() {
        this.ended = true;
        this.stop.abort();
        this.theme?.disconnect();
        this.thinker?.cancel();
        this.hinting?.cancel();
        this.ending?.end();
        this.pane?.end();
    }

    /* Writes the game down, before anybody sees what has happened. */
    save() {
        const state = this.engine.state(0);
        this.kept = { ...this.kept, record: this.engine.record(), over: state.over,
            changed: Date.now() };
        try {
            games.put(this.kept);
            this.unkept = false;
        } catch {
            this.unkept = true;
        }
    }

    fail(text) {
        this.place.replaceChildren(h('section', { class: 'panel table-fault', role: 'alert' },
            h('p', {}, text), h('a', { class: 'button', href: '#games' }, t('All games'))));
    }

    /* ---- The game ---- */

    isBot(player) {
        return !this.people.includes(player);
    }

    /* Who has to act, in truth: each is asked for what they know. */
    due() {
        return this.engine.state(0).players.map(({ player }) => player)
            .filter((player) => this.engine.state(player).turn.includes(player));
    }

    /* Everything that happens without people: cards, bots, the device that changes hands. */
    advance() {
        if (this.ended) {
            return;
        }
        if (this.engine.deal()) {
            this.save();
        }
        const over = this.engine.state(0).over;
        const people = this.due().filter((player) => !this.isBot(player));
        if (!over && this.people.length > 1 && people.length && !people.includes(this.viewer)) {
            this.handOver(people.find((player) => player > this.viewer) ?? people[0]);
        } else {
            if (over && !this.viewer) {
                this.viewer = this.people[0] ?? 0;
            }
            this.refresh(true);
        }
        this.letBotsThink();
    }

    /* One after the other; people may act meanwhile. */
    async letBotsThink() {
        if (this.thinking) {
            return;
        }
        const round = (this.bots = {}); // taken back meanwhile: another one
        try {
            for (;;) {
                const player = this.due().find((one) => this.isBot(one));
                if (!player || this.ended) {
                    break;
                }
                this.thinking = player;
                this.showThinking();
                const began = performance.now();
                const { event } = await this.thinker.think(this.question(player));
                const pause = (this.face.pause ?? 0) - (performance.now() - began);
                if (pause > 0 && this.people.length) {
                    await wait(pause);
                }
                if (this.ended || this.bots !== round) {
                    return;
                }
                this.thinking = 0;
                this.engine.apply(event);
                this.engine.deal();
                this.save();
                this.advanceAfterBot();
            }
        } catch (error) {
            if (error.name !== 'Cancelled' && !this.ended) {
                this.complain(t('A bot cannot go on. Reload the page to try again.'), error);
            }
        } finally {
            if (this.bots === round) {
                this.thinking = 0;
                this.showThinking();
            }
        }
    }

    question(player, level = this.engine.state(0).players[player - 1].bot) {
        const { events } = this.engine.state(player);
        return { record: this.engine.view(player), map: this.kept.map, player, level,
            seed: seedOf(`${this.id} ${player} ${events}`) };
    }

    /* Ends what bots think about now. */
    interrupt() {
        this.bots = {};
        this.thinking = 0;
        this.thinker.cancel();
        this.hinting?.cancel();
    }
}

/* Shows the kept game `id`. With a guide (docs/page.md) somebody is being taught. */
export function show(place, id, { guide } = {}) {
    const table = new Table(place, id, guide);
    table.open().catch((error) => {
        console.error(error);
        table.fail(error instanceof Fault
            ? t('This game cannot be opened: {reason}', { reason: reason(error.sentence) })
            : t('The game could not be started. Reload the page to try again.'));
    });
    return () => table.end();
}
