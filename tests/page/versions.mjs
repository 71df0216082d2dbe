// The server is upgraded while a page is open, and has no files of its version any more. What the
// page has not loaded yet is gone then; it reloads itself, in the new version, and shows what was
// asked for. In a room a chosen move is kept. No service worker has kept the files here, as in a
// browser that has none, or on plain http in one's own network.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, go, keptGame, move, newRecord, played, serve, turn, until } from './browser.mjs';
import { changing } from './front.mjs';
import { address, cut, keptOf, makeRoom, person, plan, reach, roomOf, rounds, sitDown, start,
    tolerate } from './room.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());
const options = { serviceWorkers: 'block', tolerate: [...tolerate, /status of 404/,
    /dynamically imported module/, /^language /] };
const versionOf = (page) => page.locator('meta[name=version]').getAttribute('content')
    .catch(() => ''); // while it is being loaded

// A page whose server can be upgraded: `front.mode = 'second'`.
async function upgradable(t, hash = '', more = {}) {
    const front = await changing(t, server);
    const page = await person(t, front, hash, { ...options, ...more });
    const upgraded = () => until(async () => await versionOf(page) === front.other);
    return { front, page, upgraded };
}

const loads = (page) => page.evaluate(() => performance.timeOrigin);

test('a screen whose file is gone is shown in the new version', async (t) => {
    const { front, page, upgraded } = await upgradable(t);
    await arrived(page, 'start');
    const first = await loads(page);
    front.mode = 'second';
    await page.evaluate(() => (location.hash = 'help'));
    await upgraded();
    await arrived(page, 'help');
    assert.notEqual(await loads(page), first);
    await go(page, 'settings');
    assert.equal(await page.locator('.notice').count(), 0, 'there is nothing to tell');
});

test('a game whose table is gone is shown in the new version', async (t) => {
    const seats = ['Ada', { bot: 'greedy' }];
    const record = await played(newRecord({ game: 'metro', seats }), 30);
    const { front, page, upgraded } = await upgradable(t, '',
        { kept: { 'game.m': keptGame('m', record) } });
    await arrived(page, 'start');
    front.mode = 'second';
    await page.evaluate(() => (location.hash = 'game=m'));
    await upgraded();
    await move(page);
});

test('a language that is gone is shown in the new version', async (t) => {
    const { front, page, upgraded } = await upgradable(t);
    await arrived(page, 'start');
    front.mode = 'second';
    await page.locator('#bar-language').selectOption('de');
    await upgraded();
    await page.locator('html[lang=de]').waitFor({ state: 'attached' });
});

// The part of the page with most screens is missing.
const lose = (page) => page.route('**/v/**/later*', (route) => route.fulfill({ status: 404 }));
const failed = (page) => page.locator('h1', { hasText: 'That didn’t work' }).waitFor();

test('a page reloads itself once for a version, and then says what happened', async (t) => {
    const { front, page, upgraded } = await upgradable(t);
    await arrived(page, 'start');
    const first = await loads(page);
    front.mode = 'second';
    await lose(page); // in the new version, too
    await page.evaluate(() => (location.hash = 'help'));
    await upgraded();
    await failed(page);
    assert.notEqual(await loads(page), first);
    const second = await loads(page);
    await go(page, ''); // with everything that it loads
    front.mode = 'first'; // back, as on a server of which a part has the old version
    await page.evaluate(() => (location.hash = 'settings'));
    await until(async () => await versionOf(page) === front.version);
    assert.notEqual(await loads(page), second);
    const third = await loads(page);
    await failed(page);
    await go(page, '');
    front.mode = 'second';
    await page.evaluate(() => (location.hash = 'games'));
    await failed(page);
    await page.getByRole('button', { name: 'Reload' }).waitFor();
    assert.equal(await loads(page), third);
});

test('a page stays as it is if the server has its version, or does not answer', async (t) => {
    const { front, page } = await upgradable(t, '', { tolerate: [...options.tolerate, /of 503/] });
    await arrived(page, 'start');
    const first = await loads(page);
    await lose(page);
    await page.evaluate(() => (location.hash = 'help'));
    await failed(page);
    front.mode = 'ill';
    await go(page, '');
    await page.evaluate(() => (location.hash = 'settings'));
    await failed(page);
    assert.equal(await loads(page), first);
});

test('if the bots are gone, the page says that it should be reloaded', async (t) => {
    const record = newRecord({ game: 'metro', seats: ['Ada', { bot: 'greedy' }] });
    const { front, page } = await upgradable(t, '#game=m', {
        kept: { 'game.m': keptGame('m', record) },
        tolerate: [...options.tolerate, /worker of the bots/] });
    await turn(page);
    front.mode = 'second';
    await page.keyboard.press('ArrowRight');
    await page.locator('button[data-key=confirm]:not([aria-disabled])').click();
    const notice = page.locator('.notice', { hasText: 'Reload the page' });
    await Promise.all([page.waitForEvent('load'), notice.locator('button').first().click()]);
    assert.equal(await versionOf(page), front.other);
    await move(page);
});

test('somebody who waits in a room gets to the table in the new version', async (t) => {
    const ada = await person(t, server, '#online', options);
    const link = await makeRoom(ada, 'Ada', 'metro');
    const { front, page: bo, upgraded } = await upgradable(t, address(link));
    await sitDown(bo, 2, 'Bo');
    front.mode = 'second';
    await start(ada, [bo]);
    await upgraded();
    await rounds([ada, bo], 2);
    assert.equal(await versionOf(ada), front.version);
});

test('a chosen move survives that the page reloads itself', async (t) => {
    const ada = await person(t, server, '#online', options);
    const link = await makeRoom(ada, 'Ada', 'metro');
    const room = roomOf(link);
    const { front, page: bo, upgraded } = await upgradable(t, address(link));
    await sitDown(bo, 2, 'Bo');
    await start(ada, [bo]);
    await reach(bo, [ada]);
    await cut(bo, true);
    await plan(bo);
    await bo.locator('button[data-key=confirm]').click();
    const chosen = await until(async () => (await keptOf(bo, room)).move);
    front.mode = 'second';
    await bo.evaluate(() => (location.hash = 'help')); // a part of it is not loaded yet
    await upgraded();
    await arrived(bo, 'help');
    assert.deepEqual((await keptOf(bo, room)).move, chosen);
    await bo.evaluate((hash) => (location.hash = hash), address(link));
    await until(async () => (await keptOf(bo, room)).move === null, 'it is acknowledged');
    await rounds([ada, bo], 2);
});
