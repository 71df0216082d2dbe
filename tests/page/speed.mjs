// Tests of what the page costs, as far as it is the same every time: bytes, requests, layout
// shifts, and tasks by the processor time that they use. `make bench` measures how long things
// take.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { arrived, keptGame, longestTask, newRecord, played, program, serve, turn, until, visit }
    from './browser.mjs';
import { pass } from './control.mjs';

const KIB = 1024;
const server = await serve('--port', '0');
test.after(() => server.stop());

// Everything that comes over the wire, by request; `open` are those that are not finished.
async function wiretap(page) {
    const wire = await page.context().newCDPSession(page);
    const requests = new Map();
    const open = new Set();
    wire.on('Network.requestWillBeSent', ({ requestId, request }) =>
        request.url.startsWith('http') && open.add(requestId));
    wire.on('Network.responseReceived', ({ requestId, response }) => {
        const { url, headers, fromDiskCache } = response;
        if (!fromDiskCache && url.startsWith('http'))
            requests.set(requestId, { url, encoding: headers['content-encoding'], bytes: 0 });
    });
    wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        open.delete(requestId);
        if (requests.has(requestId)) requests.get(requestId).bytes = encodedDataLength;
    });
    wire.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId));
    await wire.send('Network.enable');
    return { requests, open };
}

// Runs in the page, before anything else there.
function watchShifts() {
    window.shift = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
            if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
}

// Everything that the first visit costs until a game is under way, without what is kept for offline
// use: that comes later, in a worker.
test('a first visit up to the first game keeps to its limits of bytes and requests', async (t) => {
    const page = await visit(t, `${server.url}/nowhere`, { tolerate: [/404/],
        prepare: (context) => context.addInitScript(watchShifts) });
    const { requests, open } = await wiretap(page);
    await page.goto(server.url);
    await arrived(page, 'start');
    await page.evaluate(() => document.querySelector('.start-verplant button').click());
    await arrived(page, 'game');
    await turn(page);
    await page.locator('.pane-inner svg .station').first().waitFor({ state: 'attached' });
    await until(() => open.size === 0, 'everything has come');
    assert(await page.evaluate(() => window.shift) < 0.1, 'the layout stays where it is');

    const list = [...requests.values()];
    const total = list.reduce((all, { bytes }) => all + bytes, 0);
    t.diagnostic(`${list.length} requests, ${(total / KIB).toFixed(1)} KiB until a game is there`);
    assert(total <= 180 * KIB, `${total} bytes`);
    assert(list.length <= 20, `${list.length} requests`);
    const twice = list.map(({ url }) => url).filter((url, i, all) => all.indexOf(url) !== i);
    assert.deepEqual(twice, []);
    for (const { url, encoding, bytes } of list)
        assert(encoding === 'br' || bytes < 6000 || /\.png$/.test(url), `${url} is compressed`);
    const module = list.find(({ url }) => url.endsWith('.wasm'));
    t.diagnostic(`of these the module: ${(module.bytes / KIB).toFixed(1)} KiB`);
    const bytes = readFileSync(join(dirname(program), 'page/endstation.wasm'));
    const gzip = gzipSync(bytes, { level: 9 }).length;
    t.diagnostic(`the module: ${bytes.length} bytes; gzip ${gzip}, brotli ${
        brotliCompressSync(bytes).length}`);
});

// All files that are kept for offline use.
test('all files of the page keep to their limit of bytes', async (t) => {
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

// Up to 100 ms feels immediate.
test('no task over 100 ms while a move is planned and made', async (t) => {
    const games = {
        sheet: [await played(newRecord({ map: 'madrid' }), 20), 'abcdef'],
        board: [await played(newRecord({ game: 'metro', seats: ['Ada', { bot: 'greedy' }] }), 90),
            ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowRight']],
    };
    for (const [what, [record, keys]] of Object.entries(games)) {
        const page = await visit(t, `${server.url}/#game=g`, {
            kept: { 'game.g': keptGame('g', record) } });
        await turn(page);
        const longest = await longestTask(page, async () => {
            for (const key of keys) {
                await page.keyboard.press(key);
                await page.evaluate(() => new Promise(requestAnimationFrame)); // and it is drawn
            }
            await page.keyboard.press('Enter');
            await turn(page);
        });
        t.diagnostic(`${what}: longest task ${longest} ms`);
        assert(longest < 100, `${what}: a task of ${longest} ms`);
    }
});

test('after loading there are no requests', async (t) => {
    const page = await visit(t, server.url, { kept: { 'game.g': keptGame('g',
        await played(newRecord({ map: 'amsterdam' }), 9)) } });
    await arrived(page, 'start');
    await pass(page, 3000); // then it gets ready for offline
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active &&
        navigator.serviceWorker.controller);
    await page.evaluate(() => (location.hash = 'game=g'));
    await arrived(page, 'game');
    await turn(page);
    const asked = [];
    page.context().on('request', (request) => asked.push(request.url()));
    for (const key of ['a', 'b', 'Backspace', 'c', 'Enter']) await page.keyboard.press(key);
    await page.locator('button[data-key=hint]:not([aria-disabled])').click();
    await page.locator('.hint-list li').first().waitFor();
    // The worker of the hint is the page's own file, which is kept: nothing leaves the browser.
    const left = asked.filter((url) => !/\/(botworker|chunk-\w+)\.js$|\.wasm$/.test(url));
    assert.deepEqual(left, []);
});
