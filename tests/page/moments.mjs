// Things at the wrong moment: two at once, a screen that is left, a library that does not come, and
// what people's hands have done to what is kept.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, clearStore, engine, go, keptGame, move, newRecord, played, serve, storedGame,
    storedSetting, turn, until, visit } from './browser.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const seats = ['Ada', { bot: 'greedy' }];
const over = await played(newRecord());
const notices = (page) => page.locator('.notice p').allTextContents();
const back = (page) => page.locator('.screen-start h1').waitFor();

// A game of metro in which player 1 is to act.
async function metroToPlay() {
    for (let events = 40; ; events++) {
        const record = await played(newRecord({ game: 'metro', seats }), events);
        const table = await engine();
        table.open(record);
        if (table.state(1).turn.includes(1)) return record;
    }
}
const metro = await metroToPlay();

// A page whose requests all reach the tests: without a service worker.
async function bare(t, kept, tolerate) {
    const page = await visit(t, `${server.url}/nowhere`, { kept, tolerate: [/404/, ...tolerate] });
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'serviceWorker',
        { value: undefined }));
    return page;
}

test('a time that no date can be hides only its own game', async (t) => {
    const page = await visit(t, `${server.url}/#games`, { kept: {
        'game.a': keptGame('a', newRecord(), { changed: 9e15 }),
        'game.b': keptGame('b', newRecord()) } });
    await arrived(page, 'games');
    assert.equal(await page.locator('.kept').count(), 1);
});

test('a dialog goes with its screen', async (t) => {
    const page = await visit(t, server.url, { kept: { 'game.a': keptGame('a', newRecord()) } });
    await arrived(page, 'start');
    await go(page, 'game=a');
    await page.locator('.tool-keys').click();
    await page.locator('dialog[open]').waitFor();
    await page.goBack();
    await back(page);
    assert.equal(await page.locator('dialog').count(), 0);
});

test('of two languages at once the later one counts', async (t) => {
    const page = await visit(t, server.url);
    await arrived(page, 'start');
    let answer;
    const wanted = new Promise((resolve) => (answer = resolve));
    await page.route('**/lang/de.json', async (route) => {
        await wanted;
        await route.continue();
    });
    await page.selectOption('#bar-language', 'de');
    await page.selectOption('#bar-language', 'fr');
    await page.locator('html[lang=fr]').waitFor({ state: 'attached' });
    const came = page.waitForResponse('**/lang/de.json');
    answer();
    await came;
    assert.deepEqual(await notices(page), []);
    assert.equal(await page.locator('html').getAttribute('lang'), 'fr');
});

test('without the library the page says so, and gives no game up', async (t) => {
    const page = await bare(t, { 'game.a': keptGame('a', newRecord()) }, [/503/]);
    await page.route('**/*.wasm', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`${server.url}/#games`);
    await page.locator('.kept', { hasText: 'could not be loaded in full' }).waitFor();
    assert.equal(await page.locator('.kept-doors a').count(), 2, 'Continue and Replay');
    for (const [hash, words] of [['help', 'did not work'], ['new=verplant', 'did not work'],
        ['game=a', 'could not be started'], ['replay=a', 'could not be loaded']]) {
        await page.evaluate((to) => (location.hash = to), hash);
        await page.locator('.message', { hasText: words }).waitFor();
    }
    await page.unroute('**/*.wasm');
    await go(page, 'settings');
    await go(page, 'game=a');
    await turn(page);
});

test('the game of a lesson that was played on stays', async (t) => {
    const page = await visit(t, `${server.url}/#learn=verplant`);
    await arrived(page, 'learn');
    const { id } = (await storedSetting(page, 'seen')).lesson;
    await page.goto('about:blank'); // as when the window is closed
    await page.goto(`${server.url}/#game=${id}`);
    await arrived(page, 'game');
    await move(page);
    const { record } = await storedGame(page, id);
    await go(page, 'learn=metro');
    await go(page, 'learn=verplant');
    assert.equal((await storedGame(page, id)).record, record);
});

test('records of other hands: another spacing, other ends of lines', async (t) => {
    const page = await visit(t, server.url, { kept: {
        'game.m': keptGame('m', metro.replace('game metro', 'game  metro')),
        'game.o': keptGame('o', over.replaceAll('\n', '\r\n'), { over: true }) } });
    await arrived(page, 'start');
    await go(page, 'game=m');
    await page.locator('.table-metro').waitFor();
    assert.equal(await move(page), true);
    await go(page, 'game=o');
    await page.getByRole('button', { name: 'Again' }).click();
    await page.waitForFunction(() => location.hash.startsWith('#game=') &&
        location.hash !== '#game=o');
    await turn(page);
    assert.equal(await page.locator('.table-over').count(), 0);
});

test('where a tap is a move, a double click is one move', async (t) => {
    const page = await visit(t, `${server.url}/#game=a`, { kept: {
        'game.a': keptGame('a', newRecord()), settings: { confirm: true } } });
    await turn(page);
    await page.locator('#wagon-D').dblclick();
    await turn(page);
    const { record } = await storedGame(page, 'a');
    assert.equal(record.match(/^1 /gm).length, 1);
});

test('a key that means nothing leaves what the pointer shows as it is', async (t) => {
    const page = await visit(t, `${server.url}/#game=m`, { kept: {
        'game.m': keptGame('m', metro) } });
    await turn(page);
    await page.locator('.square.legal').first().hover();
    await page.locator('button[data-key=confirm]:not([aria-disabled])').waitFor();
    await page.keyboard.press('Shift');
    await page.mouse.move(2, 2);
    await page.locator('button[data-key=confirm][aria-disabled]').waitFor();
});

test('what was tapped is laid, wherever the pointer is then', async (t) => {
    const page = await visit(t, `${server.url}/#game=m`, { kept: {
        'game.m': keptGame('m', metro) } });
    await turn(page);
    const [first, second] = await page.locator('.square.legal').evaluateAll((squares) =>
        squares.map(({ id }) => id.replace('square-', '')));
    await page.locator(`#square-${first}`).click();
    await page.locator('.say', { hasText: `on ${first}` }).waitFor();
    await page.locator(`#square-${second}`).hover();
    await page.locator('.say', { hasText: `on ${second}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.say', { hasText: `on ${first}` }).waitFor();
    assert.equal((await storedGame(page, 'm')).record, metro);
    await page.keyboard.press('Enter');
    await page.locator('.log', { hasText: `on ${first}` }).waitFor();
});

test('a plan outlives another language, and a look at the rules', async (t) => {
    const page = await visit(t, `${server.url}/#game=a`, { kept: {
        'game.a': keptGame('a', newRecord()) } });
    await turn(page);
    await page.keyboard.press('d');
    await page.locator('.say', { hasText: 'Line D' }).waitFor();
    await page.selectOption('#bar-language', 'de');
    await page.locator('.say', { hasText: 'Linie D' }).waitFor();
    await go(page, 'help');
    await go(page, 'game=a');
    await page.locator('.say', { hasText: 'Linie D' }).waitFor();
});

test('the end has the focus; the game as text names every station', async (t) => {
    const page = await visit(t, `${server.url}/#game=a`, { kept: {
        'game.a': keptGame('a', newRecord()) } });
    while (await move(page));
    await page.locator('.ending h2:focus').waitFor();
    await page.locator('.tool-list').click();
    const lists = page.locator('dialog ol');
    assert.equal(await lists.count(), 5);
    assert.match(await lists.first().innerText(), /^Airfield, line A/);
});

test('a bot that cannot think says so; what was played is kept', async (t) => {
    const page = await bare(t, { 'game.m': keptGame('m', metro) }, [/worker of the bots/]);
    await page.route('**/worker.js', (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto(`${server.url}/#game=m`);
    await move(page);
    await page.locator('.notice', { hasText: 'A bot cannot go on' }).waitFor();
    const { record } = await storedGame(page, 'm');
    assert.ok(record.length > metro.length);
    await page.unroute('**/worker.js');
    await page.locator('.notice button', { hasText: 'Reload' }).click();
    await turn(page);
});

test('a bot is interrupted by an undo, another language, another screen', async (t) => {
    const page = await visit(t, `${server.url}/#game=v`, { kept: { 'game.v': keptGame('v',
        newRecord({ map: 'amsterdam', seats: ['Ada', { bot: 'master' }] })) } });
    const events = async () => (await storedGame(page, 'v')).record.split('\n\n')[1];
    const enter = async () => {
        await turn(page);
        await page.locator('.chip:not(:disabled)').first().click();
        await page.locator('button[data-key=confirm]:not([aria-disabled])').click();
    };
    const next = (n) => until(async () => ((await events()).match(/^card/gm) ?? []).length >= n);
    await enter();
    const undo = page.locator('button[data-key=undo]:not([aria-disabled])');
    if (await undo.count()) { // else the bot was quicker
        await undo.click();
        await enter();
    }
    await next(2);
    await enter();
    await page.selectOption('#bar-language', 'de');
    await next(3);
    await enter();
    await go(page, 'settings');
    const left = await events();
    for (let i = 0; page.workers().length > 0 && i < 50; i++) // a worker takes a moment to go
        await page.waitForTimeout(20);
    assert.equal(page.workers().length, 0);
    assert.equal(await events(), left);
    const table = await engine();
    table.open((await storedGame(page, 'v')).record);
    assert.deepEqual(await notices(page), []);
});

test('screens leave nothing behind', async (t) => {
    const page = await visit(t, server.url, { kept: {
        'game.a': keptGame('a', newRecord()), 'game.m': keptGame('m', metro) } });
    await arrived(page, 'start');
    const session = await page.context().newCDPSession(page);
    const count = async () => {
        await session.send('HeapProfiler.collectGarbage');
        return session.send('Memory.getDOMCounters');
    };
    const round = async () => {
        for (const hash of ['games', 'new=verplant', 'game=a', 'game=m', 'replay=m', 'companion',
            'help', '']) await go(page, hash);
    };
    await round();
    await round();
    const before = await count();
    for (let i = 0; i < 3; i++) await round();
    const after = await count();
    assert.ok(after.jsEventListeners <= before.jsEventListeners + 20,
        `${after.jsEventListeners - before.jsEventListeners} more listeners`);
    assert.ok(after.nodes <= before.nodes + 1000, `${after.nodes - before.nodes} more nodes`);
});

test('everything that is kept goes out in one file, and comes back', async (t) => {
    const many = Array.from({ length: 1500 }, (_, i) => [`game.g${i}`,
        keptGame(`g${i}`, newRecord({ seed: i.toString(16).padStart(64, '0') }) + 'card 4\n')]);
    const page = await visit(t, `${server.url}/#settings`, { kept: Object.fromEntries(many) });
    await arrived(page, 'settings');
    const [file] = await Promise.all([page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save everything as a file' }).click()]);
    await clearStore(page);
    await go(page, 'games');
    const input = page.locator('input[type=file]');
    await input.setInputFiles(await file.path());
    await page.getByText('1,500 games came in.').waitFor({ timeout: 60000 });
    await input.setInputFiles({ name: 'x.record', mimeType: 'text/plain',
        buffer: Buffer.from('x\n---\n'.repeat(9000)) });
    await page.getByText('8,981 more parts are wrong.').waitFor({ timeout: 60000 });
    assert.equal(await page.locator('.faults li').count(), 21);
});

test('where C traps, the game goes on in a new instance', async (t) => {
    const page = await visit(t, server.url, { tolerate: [/The engine failed in (choose|draw)/],
        kept: { 'game.m': keptGame('m', metro) } });
    await page.addInitScript(() => {
        const real = WebAssembly.instantiate;
        WebAssembly.instantiate = async (module) => {
            const { exports } = await real(module);
            const broken = (name) => (...numbers) => {
                if (window.trap !== name) return exports[name](...numbers);
                window.trap = '';
                throw new WebAssembly.RuntimeError('unreachable');
            };
            return { exports: { ...exports, choose: broken('choose'), draw: broken('draw') } };
        };
    });
    for (const name of ['choose', 'draw']) {
        await page.goto('about:blank');
        await page.goto(`${server.url}/#game=m`);
        await turn(page);
        await page.evaluate((to) => (window.trap = to), name);
        await page.keyboard.press('ArrowRight');
        await page.locator('.notice', { hasText: 'Something went wrong' }).waitFor();
        const { record } = await storedGame(page, 'm');
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('Enter');
        await turn(page);
        const now = (await storedGame(page, 'm')).record;
        assert.ok(now.startsWith(record) && now.length > record.length, `after ${name}`);
    }
});
