// How quick the page is, as people feel it. Times are printed, not judged: they differ between
// machines and minutes. What is the same every time is judged: bytes, requests, shifts of the
// layout. docs/performance.md has the figures; `node tests/page/speed.mjs` prints them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { browser, keptGame, newRecord, played, program, serve, sizes, turn, visit }
    from './browser.mjs';

const KIB = 1024;
const VISITS = 5;
const server = await serve('--port', '0');
test.after(() => server.stop());

const sorted = (list) => [...list].sort((a, b) => a - b);
const median = (list) => sorted(list)[list.length >> 1];
const ms = (time) => `${time.toFixed(0)} ms`;
const tell = (t, what, times) => t.diagnostic(`${what}: ${ms(median(times))}, worst ${
    ms(Math.max(...times))} of ${times.length}`);

// A first visit, with nothing in any cache, to the first game: what came over the wire, and when
// things were there.
async function firstVisit(t) {
    const context = await browser.newContext({ viewport: sizes.desktop, locale: 'en-GB' });
    t.after(() => context.close());
    await context.addInitScript(() => {
        window.shift = 0;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
                if (!entry.hadRecentInput) window.shift += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        const look = () => {
            if (document.documentElement?.dataset.ready) window.shown = performance.now();
            else requestAnimationFrame(look);
        };
        look();
    });
    const page = await context.newPage();
    const wire = await context.newCDPSession(page);
    await wire.send('Network.enable');
    const requests = new Map();
    wire.on('Network.responseReceived', ({ requestId, response }) => {
        const { url, headers, fromDiskCache } = response;
        if (!fromDiskCache && url.startsWith('http'))
            requests.set(requestId, { url, encoding: headers['content-encoding'], bytes: 0 });
    });
    wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        if (requests.has(requestId)) requests.get(requestId).bytes = encodedDataLength;
    });
    await page.goto(server.url);
    await page.waitForFunction(() => window.shown &&
        performance.getEntriesByName('first-contentful-paint').length);
    const start = await page.evaluate(() => ({
        paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
        shown: window.shown,
    }));
    return { page, requests, ready: start.shown + await play(page), ...start };
}

// From the click on Play to a table where marks can be made: the picture is there, and presented.
async function play(page) {
    return page.evaluate(() => new Promise((resolve) => {
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
}

const everything = (page) => page.waitForLoadState('networkidle');

test('a first visit', async (t) => {
    const paints = [];
    const ready = [];
    for (let i = 0; i < VISITS; i++) {
        const visited = await firstVisit(t);
        const { page } = visited;
        paints.push(visited.paint);
        ready.push(visited.ready);
        assert(await page.evaluate(() => window.shift) < 0.1, 'the layout stays where it is');
        await page.context().close();
    }
    tell(t, 'first contentful paint', paints);
    tell(t, 'ready to play, by one click', ready);
});

// All that the first visit costs until a game is under way, without what is kept for offline: that
// comes later, in a worker.
test('what is transferred', async (t) => {
    const { page, requests } = await firstVisit(t);
    await everything(page);
    const list = [...requests.values()];
    const total = list.reduce((all, { bytes }) => all + bytes, 0);
    t.diagnostic(`${list.length} requests, ${(total / KIB).toFixed(1)} KiB until a game is there`);
    assert(total < 600 * KIB, `${total} bytes`);
    assert(list.length < 80, `${list.length} requests`);
    const twice = list.map(({ url }) => url).filter((url, i, all) => all.indexOf(url) !== i);
    assert.deepEqual(twice, []);
    for (const { url, encoding, bytes } of list)
        assert(encoding === 'br' || bytes < 6000 || /\.png$/.test(url), `${url} is compressed`);
    const module = list.find(({ url }) => url.endsWith('.wasm'));
    t.diagnostic(`of these the module: ${(module.bytes / KIB).toFixed(1)} KiB`);
    assert(module.bytes < 300 * KIB);
    const bytes = readFileSync(join(dirname(program), 'page/endstation.wasm'));
    const gzip = gzipSync(bytes, { level: 9 }).length;
    t.diagnostic(`the module: ${bytes.length} bytes; gzip ${gzip}, brotli ${
        brotliCompressSync(bytes).length}`);
    assert(gzip < 300 * KIB);
});

// The whole page, all that is kept for offline.
test('the whole page', async (t) => {
    const script = await (await fetch(`${server.url}/sw.js`)).text();
    const files = JSON.parse(/FILES = JSON\.parse\('(.*)'\)/.exec(script)[1]);
    let total = 0;
    for (const file of files) {
        const answer = await fetch(server.url + file, { headers: { 'accept-encoding': 'br' } });
        assert.equal(answer.status, 200, file);
        await answer.arrayBuffer();
        total += Number(answer.headers.get('content-length'));
    }
    t.diagnostic(`all ${files.length} files: ${(total / KIB).toFixed(1)} KiB`);
    assert(total < 600 * KIB, `${total} bytes`);
});

// Keys that plan: from the key to the frame that shows the marks.
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

// Milliseconds that the page's main thread has been at work: others on the machine do not count.
async function workOf(wire) {
    const { metrics } = await wire.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
}

const ARROWS = ['ArrowDown', 'ArrowRight'];

test('a move is answered', async (t) => {
    const games = {
        sheet: await played(newRecord({ map: 'madrid' }), 20),
        board: await played(newRecord({ game: 'metro', seats: ['Ada', { bot: 'greedy' }] }), 90),
    };
    for (const [what, record] of Object.entries(games))
        for (const size of ['phone', 'desktop']) {
            const page = await visit(t, `${server.url}/#game=g`, { size,
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
            tell(t, `${what}, ${size}: from a key to the marks on the screen`, times);
            t.diagnostic(`${what}, ${size}: at work for it: ${work.toFixed(1)} ms`);
        }
});

test('after loading nothing is asked for', async (t) => {
    const page = await visit(t, server.url, { kept: { 'game.g': keptGame('g',
        await played(newRecord({ map: 'amsterdam' }), 9)) } });
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active &&
        navigator.serviceWorker.controller);
    await page.evaluate(() => (location.hash = 'game=g'));
    await turn(page);
    await everything(page);
    const asked = [];
    page.context().on('request', (request) => asked.push(request.url()));
    for (const key of ['a', 'b', 'Backspace', 'c', 'Enter']) await page.keyboard.press(key);
    await page.locator('button[data-key=hint]:not([aria-disabled])').click();
    await page.locator('.hint-list li').first().waitFor();
    // The worker of the hint is the page's own file, which is kept: nothing leaves the browser.
    const left = asked.filter((url) => !/\/v\/\w+\/(thinker|worker|engine)\.js$|\.wasm$/.test(url));
    assert.deepEqual(left, []);
});
