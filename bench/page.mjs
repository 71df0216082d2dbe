// Measures how fast the page feels; run by `make bench`. Nothing is checked, since times differ
// between machines and minutes; docs/performance.md has figures of a quiet machine.
import test from 'node:test';
import { keptGame, newRecord, played, serve, turn, visit } from '../tests/page/browser.mjs';

const VISITS = 5;
const server = await serve('--port', '0');
test.after(() => server.stop());

const sorted = (list) => [...list].sort((a, b) => a - b);
const median = (list) => sorted(list)[list.length >> 1];
const ms = (time) => `${time.toFixed(0)} ms`;
const tell = (what, times) => console.log(`${what}: ${ms(median(times))}, worst ${
    ms(Math.max(...times))} of ${times.length}`);
const clock = 'real';

// Runs in the page, before anything else there.
function noteShown() {
    const look = () => {
        if (document.documentElement?.dataset.ready) window.shown = performance.now();
        else requestAnimationFrame(look);
    };
    look();
}

// The time from the click on Play to a table where marks can be made: the picture is there, and on
// the screen.
const play = (page) => page.evaluate(() => new Promise((resolve) => {
    const before = performance.now();
    document.querySelector('.start-verplant button').click();
    const look = () => {
        if (document.querySelector('.chip:not(:disabled)') &&
            document.querySelector('.pane-inner svg .station'))
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - before)));
        else requestAnimationFrame(look);
    };
    look();
}));

// With nothing in any cache, to the first game.
test('a first visit', async (t) => {
    const paints = [];
    const ready = [];
    for (let i = 0; i < VISITS; i++) {
        const page = await visit(t, server.url, { clock,
            prepare: (context) => context.addInitScript(noteShown) });
        await page.waitForFunction(() => window.shown &&
            performance.getEntriesByName('first-contentful-paint').length);
        const { paint, shown } = await page.evaluate(() => ({ shown: window.shown,
            paint: performance.getEntriesByName('first-contentful-paint')[0].startTime }));
        paints.push(paint);
        ready.push(shown + await play(page));
        await page.context().close();
    }
    tell('first contentful paint', paints);
    tell('ready to play, by one click', ready);
});

// Times keys that plan a move: from the key to the frame that shows the marks.
async function keyTimes(page, keys, shown) {
    const times = [];
    for (const key of keys) {
        await page.evaluate((selector) => {
            window.answered = new Promise((resolve) => {
                document.addEventListener('keydown', (event) => {
                    const before = document.querySelector(selector)?.outerHTML;
                    const look = () => {
                        if (document.querySelector(selector)?.outerHTML !== before)
                            setTimeout(() => resolve(performance.now() - event.timeStamp));
                        else requestAnimationFrame(look);
                    };
                    requestAnimationFrame(look);
                }, { once: true, capture: true });
            });
        }, shown);
        await page.keyboard.press(key);
        times.push(await page.evaluate(() => window.answered));
    }
    return times;
}

// Returns the milliseconds that the page's main thread has been at work; other processes do not
// count.
async function workOf(wire) {
    const { metrics } = await wire.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
}

const ARROWS = ['ArrowDown', 'ArrowRight'];

test('a key is answered', async (t) => {
    const games = {
        sheet: await played(newRecord({ map: 'madrid' }), 20),
        board: await played(newRecord({ game: 'metro', seats: ['Ada', { bot: 'greedy' }] }), 90),
    };
    for (const [what, record] of Object.entries(games))
        for (const size of ['phone', 'desktop']) {
            const page = await visit(t, `${server.url}/#game=g`, { size, clock,
                kept: { 'game.g': keptGame('g', record) } });
            const wire = await page.context().newCDPSession(page);
            await wire.send('Performance.enable', { timeDomain: 'threadTicks' });
            await turn(page);
            const lines = await page.locator('.chip:not(:disabled)').evaluateAll((all) =>
                all.map((chip) => chip.dataset.line));
            const keys = Array.from({ length: 20 }, (_, i) => what === 'sheet'
                ? lines[i % lines.length] : ARROWS[i % 2]);
            const before = await workOf(wire);
            const times = await keyTimes(page, keys, '.pane-inner svg');
            const work = (await workOf(wire) - before) / keys.length;
            tell(`${what}, ${size}: from a key to the marks on the screen`, times);
            console.log(`${what}, ${size}: at work for it: ${work.toFixed(1)} ms`);
        }
});
