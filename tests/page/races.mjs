// Races and rare events: two actions at once, a screen that is left, a module that does not load,
// and stored data that was edited by hand.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { arrived, clearStore, engine, go, keptGame, move, newRecord, played, serve,
    storedGame, storedGames, storedValue, turn, until, visit } from './browser.mjs';
import { answer, hold, isAsked, pass } from './control.mjs';

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

test('an invalid date hides only its own game', async (t) => {
    const page = await visit(t, `${server.url}/#games`, { kept: {
        'game.a': keptGame('a', newRecord(), { changed: 9e15 }),
        'game.b': keptGame('b', newRecord()) } });
    await arrived(page, 'games');
    await page.locator('.kept[data-game=b]').waitFor();
    assert.equal(await page.locator('.kept').count(), 1);
});

test('a dialog closes with its screen', async (t) => {
    const page = await visit(t, server.url, { kept: { 'game.a': keptGame('a', newRecord()) } });
    await arrived(page, 'start');
    await go(page, 'game=a');
    await page.locator('.tool-keys').click();
    await page.locator('dialog[open]').waitFor();
    await page.goBack();
    await back(page);
    await page.locator('dialog').waitFor({ state: 'detached' });
});

test('of two languages chosen at once the later one wins', async (t) => {
    const page = await visit(t, server.url);
    await arrived(page, 'start');
    let reply;
    const wanted = new Promise((resolve) => (reply = resolve));
    await page.route('**/lang/de.json', async (route) => {
        await wanted;
        await route.continue();
    });
    await page.selectOption('#bar-language', 'de');
    await page.selectOption('#bar-language', 'fr');
    await page.locator('html[lang=fr]').waitFor({ state: 'attached' });
    const came = page.waitForResponse('**/lang/de.json');
    reply();
    await (await came).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve))); // it has been heard
    assert.deepEqual(await notices(page), []);
    assert.equal(await page.locator('html').getAttribute('lang'), 'fr');
});

test('without the module the page says so and loses no game', async (t) => {
    const page = await bare(t, { 'game.a': keptGame('a', newRecord()) }, [/503/]);
    await page.route('**/*.wasm', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`${server.url}/#games`);
    await page.locator('.kept', { hasText: 'didn’t load completely' }).waitFor();
    assert.equal(await page.locator('.kept-doors a').count(), 2, 'Continue and Replay');
    for (const [hash, words] of [['help', 'didn’t work'], ['new=verplant', 'didn’t work'],
        ['game=a', 'couldn’t be started'], ['replay=a', 'didn’t load completely']]) {
        await page.evaluate((to) => (location.hash = to), hash);
        await page.locator('.message', { hasText: words }).waitFor();
    }
    await page.unroute('**/*.wasm');
    await go(page, 'settings');
    await go(page, 'game=a');
    await turn(page);
});

test('the game of a lesson stays if it was continued', async (t) => {
    const page = await visit(t, `${server.url}/#learn=verplant`);
    await arrived(page, 'learn');
    const { verplant: { id } } = await until(() => storedValue(page, 'lesson'));
    await page.goto('about:blank'); // as when the window is closed
    await page.goto(`${server.url}/#game=${id}`);
    await arrived(page, 'game');
    await move(page);
    const { record } = await storedGame(page, id);
    await go(page, 'learn=metro');
    await go(page, 'learn=verplant');
    assert.equal((await storedGame(page, id)).record, record);
});

test('records with unusual spacing or line endings open', async (t) => {
    const page = await visit(t, server.url, { kept: {
        'game.m': keptGame('m', metro.replace('game metro', 'game  metro')),
        'game.o': keptGame('o', over.replaceAll('\n', '\r\n'), { over: true }) } });
    await arrived(page, 'start');
    await go(page, 'game=m');
    await page.locator('.table-metro').waitFor();
    assert.equal(await move(page), true);
    await go(page, 'game=o');
    await page.getByRole('button', { name: 'Play again' }).click();
    await page.waitForFunction(() => location.hash.startsWith('#game=') &&
        location.hash !== '#game=o');
    await page.locator('.table:not(.table-over)').waitFor();
    await turn(page);
});

test('where a tap is a move, a double click is one move', async (t) => {
    const page = await visit(t, `${server.url}/#game=a`, { clock: 'held', kept: {
        'game.a': keptGame('a', newRecord()), settings: { confirm: true } } });
    const moves = async () => ((await storedGame(page, 'a')).record.match(/^1 /gm) ?? []).length;
    await turn(page);
    await page.locator('#wagon-D').dblclick(); // no time passes
    await until(async () => await moves() === 1);
    await pass(page, 1000);
    await page.locator('#wagon-D').click();
    await until(async () => await moves() > 1);
    assert.equal(await moves(), 2);
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

test('a plan survives a change of language and a look at the rules', async (t) => {
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

test('a plan that was cleared does not come back after a look at the rules', async (t) => {
    const page = await visit(t, `${server.url}/#game=a`, { kept: {
        'game.a': keptGame('a', newRecord()) } });
    await turn(page);
    const planned = page.locator('.say', { hasText: 'Line D' });
    await page.keyboard.press('d');
    await planned.waitFor();
    await go(page, 'help');
    await go(page, 'game=a');
    await planned.waitFor();
    await page.keyboard.press('Escape');
    await planned.waitFor({ state: 'detached' });
    await go(page, 'help');
    await go(page, 'game=a');
    await turn(page);
    assert.equal(await planned.count(), 0);
});

test('a square that was only pointed at is not chosen after a look at the rules', async (t) => {
    const page = await visit(t, `${server.url}/#game=m`, { kept: {
        'game.m': keptGame('m', metro) } });
    await turn(page);
    await page.locator('.square.legal').first().hover();
    await page.locator('button[data-key=confirm]:not([aria-disabled])').waitFor();
    await go(page, 'help');
    await page.mouse.move(2, 2);
    await go(page, 'game=m');
    await turn(page);
    assert.equal(await page.locator('button[data-key=confirm][aria-disabled]').count(), 1);
    assert.equal(await page.locator('.square.planned').count(), 0);
});

test('the end has the focus; the game as text names every station', async (t) => {
    const page = await visit(t, `${server.url}/#game=a`, { kept: {
        'game.a': keptGame('a', newRecord()) } });
    while (await move(page));
    await page.locator('.ending h2:focus').waitFor();
    await page.locator('.tool-text').click();
    const lists = page.locator('dialog ol');
    await lists.nth(4).waitFor();
    assert.equal(await lists.count(), 5);
    assert.match(await lists.first().innerText(), /^Airfield, line A/);
});

test('a bot that cannot think says so; what was played is kept', async (t) => {
    const page = await bare(t, { 'game.m': keptGame('m', metro) }, [/worker of the bots/]);
    await page.route('**/botworker.js', (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto(`${server.url}/#game=m`);
    await move(page);
    await page.locator('.notice', { hasText: 'A bot is stuck' }).waitFor();
    await until(async () => (await storedGame(page, 'm')).record.length > metro.length);
    await page.unroute('**/botworker.js');
    await page.locator('.notice button', { hasText: 'Reload' }).click();
    await turn(page);
});

test('a bot plays although loading its worker has failed twice', async (t) => {
    const page = await bare(t, { 'game.m': keptGame('m', metro) }, [/ERR_FAILED/]);
    let failures = 0;
    await page.route('**/botworker.js', (route) => (++failures <= 2 ? route.abort()
        : route.continue()));
    await page.goto(`${server.url}/#game=m`);
    await move(page);
    await turn(page);
    assert.equal(failures, 3);
    assert.deepEqual(await notices(page), []);
});

test('a bot is interrupted by an undo and another screen, not by another language', async (t) => {
    const page = await visit(t, `${server.url}/#game=v`, { workers: 'held', kept: {
        'game.v': keptGame('v', newRecord({ map: 'amsterdam', seats })) } });
    const events = async () => (await storedGame(page, 'v')).record.split('\n\n')[1];
    const entries = async () => (await events()).match(/^\d .*/gm) ?? [];
    const enter = async () => {
        const before = (await entries()).length;
        await turn(page);
        await page.locator('.chip:not(:disabled)').first().click();
        await page.locator('button[data-key=confirm]:not([aria-disabled])').click();
        await until(async () => (await entries()).length > before);
    };
    await isAsked(page, 1);
    await enter();
    await page.locator('button[data-key=undo]:not([aria-disabled])').click();
    await until(async () => (await entries()).length === 0, 'the move is not taken back');
    await isAsked(page, 2); // it was interrupted, and thinks again
    await enter();
    await page.selectOption('#bar-language', 'de');
    await page.locator('html[lang=de]').waitFor({ state: 'attached' });
    assert.equal((await entries()).length, 1, 'the bot has not answered');
    await answer(page);
    await until(async () => (await entries()).length === 3, 'the bot enters, and again');
    await hold(page);
    await enter();
    await isAsked(page, 4);
    await go(page, 'settings');
    const left = await events();
    await until(() => page.workers().length === 0, 'the worker goes');
    await answer(page);
    await go(page, 'games');
    assert.equal(await events(), left);
    const table = await engine();
    table.open((await storedGame(page, 'v')).record);
    assert.deepEqual(await notices(page), []);
});

test('leaving a screen releases its elements and listeners', async (t) => {
    const page = await visit(t, server.url, { // pictures out of view are not drawn
        viewport: { width: 1280, height: 3000 },
        kept: { 'game.a': keptGame('a', newRecord()), 'game.m': keptGame('m', metro) } });
    await arrived(page, 'start');
    const session = await page.context().newCDPSession(page);
    const count = async () => {
        await until(async () => await page.locator('.picture').count() > 0 &&
            await page.locator('.picture:empty').count() === 0, 'a picture is missing');
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
    let more;
    await until(async () => {
        const after = await count();
        more = { listeners: after.jsEventListeners - before.jsEventListeners,
            nodes: after.nodes - before.nodes };
        return more.listeners <= 20 && more.nodes <= 1000;
    }).catch(() => assert.fail(`${more.listeners} more listeners, ${more.nodes} more nodes`));
});

test('everything is exported to one file and imported again', async (t) => {
    const many = Array.from({ length: 1500 }, (_, i) => [`game.g${i}`,
        keptGame(`g${i}`, newRecord({ seed: i.toString(16).padStart(64, '0') }) + 'card 4\n')]);
    const page = await visit(t, `${server.url}/#settings`, { kept: Object.fromEntries(many) });
    await arrived(page, 'settings');
    assert.equal((await storedGames(page)).length, 1500);
    const [file] = await Promise.all([page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save everything as a file' }).click()]);
    const text = readFileSync(await file.path());
    await clearStore(page);
    await go(page, 'games');
    // What the page says to a file, whatever that is.
    const bring = async (buffer) => {
        await page.locator('.drop + div').evaluate((said) => said.replaceChildren());
        await page.locator('.drop input').setInputFiles({ name: 'x.record', mimeType: 'text/plain',
            buffer });
        return page.locator('.drop + div:not([aria-busy]) > *').first().textContent();
    };
    assert.equal(await bring(text), '1,500 games imported.');
    assert.equal((await storedGames(page)).length, 1500);
    assert.match(await bring(Buffer.from('x\n---\n'.repeat(9000))),
        /8,981 more errors\.$/);
    assert.equal(await page.locator('.faults li').count(), 21);
});

test('after a trap in C the game continues in a new instance', async (t) => {
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
        await until(async () => {
            const now = (await storedGame(page, 'm')).record;
            return now.startsWith(record) && now.length > record.length;
        }, `after ${name}`);
        await turn(page);
    }
});
