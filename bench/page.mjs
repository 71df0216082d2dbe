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

// From empty caches to the first game.
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

// Calls act(i) `count` times; each call must cause an event of that type that plans a move. Returns
// `times`, the milliseconds from each event to the frame that shows the marks, and `work`, the
// milliseconds of processor time that the page's main thread needs for one, without the cost of
// waiting for frames.
async function answers(page, wire, type, count, act) {
    const times = [];
    const before = await workOf(wire);
    for (let i = 0; i < count; i++) {
        await page.evaluate((name) => {
            window.answered = new Promise((resolve) => {
                document.addEventListener(name, ({ timeStamp }) => requestAnimationFrame(() =>
                    setTimeout(() => resolve(performance.now() - timeStamp))),
                { once: true, capture: true });
            });
        }, type);
        await act(i);
        times.push(await page.evaluate(() => window.answered));
    }
    const after = await workOf(wire);
    for (let i = 0; i < count; i++)
        await page.evaluate(() => new Promise((resolve) => {
            requestAnimationFrame(() => setTimeout(resolve));
        }));
    const waiting = await workOf(wire) - after;
    return { times, work: (after - before - waiting) / count };
}

// Runs in the page: the lines that can be chosen, and where their chips are.
function chipsInView() {
    const chips = [...document.querySelectorAll('.chip:not(:disabled)')].filter((chip) => {
        const { left, right, top, bottom } = chip.getBoundingClientRect();
        return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    });
    return { lines: chips.map((chip) => chip.dataset.line), middles: chips.map((chip) => {
        const { left, top, width, height } = chip.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    }) };
}

async function workOf(wire) {
    const { metrics } = await wire.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
}

const ARROWS = ['ArrowDown', 'ArrowRight'];
const COUNT = 20;
const SLOW = 6; // times: as slow as a cheap phone

test('a key or a tap is answered', async (t) => {
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
            const ways = { key: ['keydown', (i) => page.keyboard.press(ARROWS[i % 2])] };
            if (what === 'sheet') {
                const { lines, middles } = await page.evaluate(chipsInView);
                const [finger, tap] = size === 'phone' ? [page.touchscreen, 'tap']
                    : [page.mouse, 'click'];
                ways.key[1] = (i) => page.keyboard.press(lines[i % lines.length]);
                ways.tap = ['click', (i) => finger[tap](...middles[i % middles.length])];
            }
            for (const [way, [type, act]] of Object.entries(ways)) {
                const { times, work } = await answers(page, wire, type, COUNT, act);
                tell(`${what}, ${size}: from a ${way} to the marks on the screen`, times);
                console.log(`${what}, ${size}: at work for it: ${work.toFixed(1)} ms`);
                await wire.send('Emulation.setCPUThrottlingRate', { rate: SLOW });
                const slow = await answers(page, wire, type, COUNT, act);
                await wire.send('Emulation.setCPUThrottlingRate', { rate: 1 });
                tell(`${what}, ${size}: from a ${way}, ${SLOW} times slower`, slow.times);
            }
        }
});

// Runs in the page: the milliseconds from a click on “Analysis” at the end of a game until the
// chart is drawn, the first verdict on a move can be read, and everything is there.
const analyse = () => new Promise((resolve) => {
    const before = performance.now();
    const seen = {};
    document.querySelector('.ending-next a[href^="#analysis"]').click();
    const note = (name) => (seen[name] ??= performance.now() - before);
    const look = () => {
        const point = document.querySelector('.analysis-point dl');
        if (document.querySelector('.analysis-chart svg')) note('chart');
        if (point && !point.nextElementSibling?.matches('.muted')) note('first');
        if (document.querySelector('.analysis-sum-table') &&
            document.querySelector('.analysis-status > p')) {
            note('all');
            resolve(seen);
        } else {
            requestAnimationFrame(look);
        }
    };
    look();
});

test('an analysis', async (t) => {
    const bot = { bot: 'greedy' };
    const games = {
        'Berlin, alone': await played(newRecord({ map: 'berlin' })),
        'Paris for two, special': await played(newRecord({ map: 'paris', rules: 'special',
            seats: ['Ada', bot] })),
        'metro for two': await played(newRecord({ game: 'metro', seats: ['Ada', bot] })),
    };
    for (const [what, record] of Object.entries(games)) {
        const times = { chart: [], first: [], all: [] };
        for (let i = 0; i < VISITS; i++) {
            const page = await visit(t, `${server.url}/#game=g`, { clock,
                kept: { 'game.g': keptGame('g', record, { over: true }) } });
            await turn(page);
            for (const [name, time] of Object.entries(await page.evaluate(analyse)))
                times[name].push(time);
            await page.context().close();
        }
        for (const [name, list] of Object.entries(times))
            tell(`analysis, ${what}: ${name}`, list);
    }
});
