// Puts time on a page under the control of its test: the clock, and the workers in which bots
// think. Nothing then depends on how busy the machine is.
//
// The clock, which events are dated by as well. Timers of 0 ms run at once, and so do frames.
// Longer ones are pauses for people: between the moves of bots, while a device changes hands. By
// default ('quick') they end at once, and the clock moves on by as much, and by SLOW for every tap,
// click and key, so that two of them are never a double one; with 'held' all of this lasts until
// pass() lets time pass. Timers of FADES and more, such as notices that disappear automatically,
// only end by pass(). With 'real' nothing is changed. `date` sets the day on which a page is
// loaded, if it matters.
//
// Workers think as always, but their answers are held from hold(page) on, or from the start with
// `workers: 'held'`, until answer(page). So a bot thinks for as long as a test needs.
import assert from 'node:assert/strict';

// Milliseconds that a test waits for what should come at once. It is never a measurement: it only
// ends tests that would wait forever. A busy machine needs more, by the factor ES_PATIENCE.
export const PATIENCE = 60000 * (Number(process.env.ES_PATIENCE) || 1);

// Calls look() again and again until it returns something true, and returns that.
export async function until(look, message = 'it never came to that') {
    const end = performance.now() + PATIENCE;
    for (;;) {
        const found = await look();
        if (found) return found;
        assert.ok(performance.now() < end, message);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

const FADES = 2000;
const SLOW = 1000;

// Runs in the page, before anything else there.
function takeTheClock({ held, fades, slow, date }) {
    const { setTimeout, clearTimeout } = window;
    const timers = new Map(); // by id: {due, act, every}
    let now = 60000; // as if the page had been open for a while
    let last = 1e9; // beyond the browser's own ids
    const call = (act, more) => (typeof act === 'function' ? act(...more) : undefined);
    const start = (act, time, more, every) => {
        timers.set(++last, { due: now + time, act: () => call(act, more), every });
        return last;
    };
    const pass = (time) => {
        const end = now + time;
        for (;;) {
            const [id, next] = [...timers].reduce((first, one) =>
                (one[1].due < first[1].due ? one : first), [0, { due: Infinity }]);
            if (!(next.due <= end)) break;
            now = Math.max(now, next.due);
            if (next.every) next.due += next.every;
            else timers.delete(id);
            next.act();
        }
        now = end;
    };
    performance.now = () => now;
    Object.defineProperty(Event.prototype, 'timeStamp', { get: () => now });
    for (const press of held ? [] : ['pointerdown', 'keydown'])
        window.addEventListener(press, () => {
            now += slow;
        }, true);
    window.setTimeout = (act, time = 0, ...more) => {
        if (!(time > 0)) return setTimeout(act, 0, ...more);
        if (held || time >= fades) return start(act, time, more, 0);
        return setTimeout(() => {
            now += time;
            call(act, more);
        }, 0);
    };
    window.setInterval = (act, time, ...more) => start(act, Math.max(1, time), more, time);
    window.clearTimeout = window.clearInterval = (id) => timers.delete(id) || clearTimeout(id);
    if (date) {
        const today = () => Math.floor(date + now);
        window.Date = class extends Date {
            constructor(...words) {
                super(...words.length ? words : [today()]);
            }

            static now() {
                return today();
            }
        };
    }
    window.testClock = { pass };
}

// Runs in the page, before anything else there.
function takeTheWorkers(held) {
    const control = { held, waiting: [], asked: [] };
    const passed = new WeakSet();
    const give = ({ worker, data }) => {
        const event = new MessageEvent('message', { data });
        passed.add(event);
        worker.dispatchEvent(event);
    };
    window.Worker = class extends Worker {
        constructor(...words) {
            super(...words);
            // Before any listener of the page hears it.
            this.addEventListener('message', (event) => {
                if (passed.has(event) || (!control.held && !control.waiting.length)) return;
                event.stopImmediatePropagation();
                control.waiting.push({ worker: this, data: event.data });
            });
        }

        postMessage(message, ...more) {
            if (message.id) control.asked.push(message);
            super.postMessage(message, ...more);
        }

        terminate() {
            control.waiting = control.waiting.filter(({ worker }) => worker !== this);
            super.terminate();
        }
    };
    control.answer = () => {
        control.held = false;
        while (control.waiting.length > 0) give(control.waiting.shift());
    };
    window.testWorkers = control;
}

// Runs in the page before anything else: makes its random numbers the same every time.
export function knownChance(seed) {
    let state = seed;
    crypto.getRandomValues = (array) => {
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        for (let i = 0; i < bytes.length; i++) {
            state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
            bytes[i] = state >>> 24;
        }
        return array;
    };
}

// Installs both in every page of a context.
export async function takeControl(context, { clock = 'quick', date, workers = 'free' }) {
    if (clock !== 'real') await context.addInitScript(takeTheClock,
        { held: clock === 'held', fades: FADES, slow: SLOW, date: Date.parse(date) });
    await context.addInitScript(takeTheWorkers, workers === 'held');
}

// Lets that many milliseconds pass, and runs the timers that fall due.
export const pass = (page, time) => page.evaluate((ms) => window.testClock.pass(ms), time);

// From now on no answer of a worker reaches the page.
export const hold = (page) => page.evaluate(() => {
    window.testWorkers.held = true;
});

// Releases the answers held back so far; later ones reach the page at once.
export const answer = (page) => page.evaluate(() => window.testWorkers.answer());

// What workers were asked since the page was loaded: [{think: {player, level}}, {rival}, …].
export const asked = (page) => page.evaluate(() => window.testWorkers.asked);

// Waits until workers were asked `times` times, while answers are held: then a bot is thinking.
export const isAsked = (page, times = 1) => until(async () => (await asked(page)).length >= times,
    `no ${times} questions for a bot`);
