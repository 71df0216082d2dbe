// Tests of the lessons, to their end: by mouse, with keys only, by touch on a phone. Other moves
// get an explanation, nobody gets stuck, and games of lessons do not pile up.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, axe, go, move, open, serve, store, storedGame, storedGames, storedValue, turn,
    until, visit } from './browser.mjs';
import { answer, asked } from './control.mjs';
import { becomes, events, middle, moves, record } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const CONFIRM = '[data-key=confirm]';
const bubble = (page) => page.locator('.bubble');

// What every step asks for: parts of the table to point at one after the other, and keys. Steps
// without are read.
const verplant = [
    {}, {},
    { at: ['#wagon-D'], keys: ['d'] },
    { at: ['#station-a2'], keys: ['2'] },
    { at: ['#station-a3'], keys: ['4'] },
    { at: ['[data-key=undo]'], keys: ['Backspace'] },
    { at: ['#wagon-D', CONFIRM], keys: ['d', 'Enter'] },
    {},
    { at: ['#wagon-D'], keys: ['d'] },
    { at: [CONFIRM], keys: ['Enter'] },
    { at: ['#wagon-D', CONFIRM], keys: ['d', 'Enter'] },
    {},
    { at: ['#wagon-B', CONFIRM], keys: ['b', 'Enter'] },
    { at: ['#station-s1', CONFIRM], keys: ['b', 'Enter'] },
    {}, {},
    { at: ['#wagon-C', CONFIRM], keys: ['c', 'Enter'] },
    {},
];
const metro = [
    {}, {},
    { at: ['#square-d2'], keys: ['ArrowRight'] },
    { at: ['#square-e3'], keys: ['reach e3'] },
    { at: [CONFIRM], keys: ['Enter'] },
    { waits: true },
    { at: ['[data-guide=draw]', CONFIRM], keys: ['d', 'Enter'] },
    { at: ['any square', CONFIRM], keys: ['ArrowRight', 'Enter'] },
    {},
];
const lessons = { verplant, metro };
const made = {
    verplant: ['1 D4', '1 D1', '1 D3', '1 B3', '1 @s1'],
    metro: ['1 accd e3', '1 draw'],
};

// Waits until the bubble shows this step, and no longer another.
async function reached(page, n, all) {
    const there = () => page.evaluate(([count, last]) => (count > last
        ? Boolean(document.querySelector('.bubble strong'))
        : document.querySelector('.bubble-count')?.textContent === `${count} of ${last}`),
    [n, all]);
    await until(there).catch(async () => assert.fail(`step ${n} is not reached: ${
        await page.locator('.bubble, .say, .notice').allTextContents()}; the focus is on ${
        await page.evaluate(() => document.activeElement.outerHTML.slice(0, 200))}; ${
        JSON.stringify(await asked(page))}; ${await record(page)}`));
}

// Arrows walk over the squares that are allowed, in some order.
async function reach(page, square) {
    const planned = () => page.locator('.say').textContent();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft'])
        for (let i = 0; i < 8; i++) {
            if ((await planned()).includes(square)) return;
            await page.keyboard.press(key);
        }
    assert.ok((await planned()).includes(square), `keys do not lead to ${square}`);
}

// The first square on which a tile may be laid now.
async function anySquare(page) {
    const move = moves(await record(page)).find((event) => / [a-h][1-8]$/.test(event));
    return `#square-${move.split(' ').at(-1)}`;
}

// Presses one part of the table after the other.
async function point(page, { at }, press) {
    for (const part of at) {
        const target = part === 'any square' ? await anySquare(page) : part;
        await press(await middle(page, `.table ${target}`));
    }
}

// How a reader does things.
const ways = {
    mouse: {
        step: (page, step) => point(page, step, ({ x, y }) => page.mouse.click(x, y)),
        next: (page) => bubble(page).getByRole('button', { name: 'Next' }).click(),
    },
    finger: {
        size: 'phone',
        step: (page, step) => point(page, step, ({ x, y }) => page.touchscreen.tap(x, y)),
        next: (page) => bubble(page).getByRole('button', { name: 'Next' }).tap(),
    },
    keys: {
        async step(page, { keys }) {
            for (const key of keys) {
                if (key.startsWith('reach ')) await reach(page, key.slice(6));
                else await page.keyboard.press(key);
            }
        },
        async next(page) {
            await page.locator('.bubble .primary:focus').waitFor();
            await page.keyboard.press('Enter');
        },
    },
};

const lessonOf = async (page) => (await storedValue(page, 'lesson')).verplant;
const gamesKept = async (page) => (await storedGames(page)).length;

for (const [kind, steps] of Object.entries(lessons))
    for (const [name, way] of Object.entries(ways))
        test(`${kind}: ${name}`, async (t) => {
            const page = await visit(t, `${server.url}/#learn=${kind}`, {
                size: way.size, workers: 'held' });
            await arrived(page, 'learn');
            await reached(page, 1, steps.length);
            const given = events(await record(page)).length;
            for (const [i, step] of steps.entries()) {
                await reached(page, i + 1, steps.length);
                if (step.at) await way.step(page, step);
                else if (step.waits) await answer(page); // the bot's
                else await way.next(page);
            }
            await reached(page, steps.length + 1, steps.length);
            const done = events(await record(page)).slice(given)
                .filter((event) => event.startsWith('1 '));
            assert.deepEqual(done.slice(0, made[kind].length), made[kind]);
            assert.equal(done.length, made[kind].length + 1, 'and one move as the reader likes');
            if (name === 'mouse') await axe(page, 'the end of the lesson');
            // on to a game of one's own; that of the lesson is gone
            await page.keyboard.press('Enter');
            await arrived(page, 'game');
            await until(async () => await gamesKept(page) === 1 &&
                !(await record(page)).includes('map practice'), 'only the new game is kept');
            await until(async () => await storedValue(page, 'lesson') === null);
        });

const nudge = (page) => page.locator('.bubble-nudge');

test('another choice gets an explanation and changes nothing', async (t) => {
    const page = await visit(t, `${server.url}/#learn=verplant`);
    await arrived(page, 'learn');
    await ways.keys.next(page);
    await ways.keys.next(page);
    await reached(page, 3, verplant.length);
    assert.equal(await nudge(page).isVisible(), false);
    await page.keyboard.press('a');
    await nudge(page).waitFor();
    assert.match(await nudge(page).textContent(), /That is line A.* line D/);
    const before = await record(page);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
        document.querySelector('.bubble-nudge').textContent.startsWith('Not yet'));
    assert.equal(await record(page), before, 'the move is not made');
    assert.equal(await page.locator('.bubble-count').textContent(), `3 of ${verplant.length}`);
    await page.keyboard.press('d');
    await reached(page, 4, verplant.length);
    assert.equal(await nudge(page).isVisible(), false);
    // back to read again, and on
    await bubble(page).getByRole('button', { name: 'Back' }).click();
    await reached(page, 3, verplant.length);
    await bubble(page).getByRole('button', { name: 'Next' }).click();
    await reached(page, 4, verplant.length);
    await axe(page, 'a lesson');
});

test('a reload resumes; leaving deletes the game; skipping keeps it', async (t) => {
    const page = await visit(t, `${server.url}/#learn=verplant`);
    await arrived(page, 'learn');
    for (const [i, step] of verplant.slice(0, 7).entries()) {
        await reached(page, i + 1, verplant.length);
        await (step.keys ? ways.keys.step(page, step) : ways.keys.next(page));
    }
    await reached(page, 8, verplant.length);
    const before = await record(page);
    await page.reload();
    await reached(page, 8, verplant.length);
    assert.equal(await record(page), before);
    // the move was kept, but not yet that the step is done
    await until(async () => (await lessonOf(page)).reached === 7);
    await store(page, 'value.lesson', { verplant: { ...await lessonOf(page), reached: 6 } });
    await page.reload();
    await reached(page, 8, verplant.length);

    await go(page, 'games');
    await until(async () => await gamesKept(page) === 0, 'the game of the lesson goes');
    await go(page, 'learn=verplant');
    await reached(page, 1, verplant.length);

    await bubble(page).getByRole('button', { name: 'Skip' }).click();
    await arrived(page, 'game');
    await bubble(page).waitFor({ state: 'detached' });
    await until(async () => await gamesKept(page) === 1);
    await turn(page);
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await until(async () => (await record(page)).includes('\n1 A'));
});

// Does the first steps of the lesson in verplant.
async function take(page, count) {
    for (const [i, step] of verplant.slice(0, count).entries()) {
        await reached(page, i + 1, verplant.length);
        await (step.keys ? ways.keys.step(page, step) : ways.keys.next(page));
    }
    await reached(page, count + 1, verplant.length);
}

test('after a look at the rules the lesson goes on where it was', async (t) => {
    const page = await visit(t, `${server.url}/#learn=verplant`);
    await arrived(page, 'learn');
    await take(page, 7);
    const before = await record(page);
    for (const screen of ['help', 'settings', 'privacy']) {
        await go(page, screen);
        await page.locator('.back-to-game a').click();
        await arrived(page, 'learn');
        await reached(page, 8, verplant.length);
        assert.equal(await record(page), before);
    }
});

// Runs in the page: locks are asked for only when letGo(words in their name) is called. Names of
// those that have ended are in window.ended.
function holdLocks() {
    const { request } = LockManager.prototype;
    window.waiting = [];
    window.ended = [];
    LockManager.prototype.request = function ask(name, ...more) {
        return new Promise((resolve, reject) => window.waiting.push({ name, act: () =>
            request.call(this, name, ...more).finally(() => window.ended.push(name))
                .then(resolve, reject) }));
    };
    window.letGo = (words) => window.waiting.filter(({ name }) => name.includes(words))
        .forEach(({ act }) => act());
    window.giveBack = () => (LockManager.prototype.request = request);
}

test('a lesson that is left for the rules while it is being opened goes on', async (t) => {
    const page = await visit(t, `${server.url}/#learn=verplant`);
    await arrived(page, 'learn');
    await take(page, 7);
    await go(page, 'help');
    await page.evaluate(holdLocks);
    await page.locator('.back-to-game a').click();
    await page.waitForFunction(() => window.waiting.length === 2);
    await go(page, 'help');
    await page.evaluate(() => window.letGo(' game '));
    await page.waitForFunction(() => window.ended.length === 1);
    await page.evaluate(() => window.letGo(' lesson ')); // late: nobody shows it any more
    await page.waitForFunction(() => window.ended.length === 2);
    await page.evaluate(() => window.giveBack());
    await page.locator('.back-to-game a').click();
    await arrived(page, 'learn');
    await reached(page, 8, verplant.length);
});

test('a lesson’s game that was played to its end stays, and its replay with it', async (t) => {
    const page = await visit(t, `${server.url}/#learn=verplant`);
    await arrived(page, 'learn');
    await take(page, verplant.length);
    while (await move(page));
    const text = await record(page);
    await page.getByRole('link', { name: 'Replay', exact: true }).click();
    await arrived(page, 'replay');
    await page.locator('.replay-status').waitFor();
    await page.reload();
    await arrived(page, 'replay');
    await page.locator('.replay-status').waitFor();
    await go(page, 'learn=metro'); // nor does another lesson delete it
    await go(page, 'learn=verplant');
    await reached(page, 1, verplant.length);
    assert.ok((await storedGames(page)).some((game) => game.record === text));
});

test('a lesson in one tab leaves those of other tabs alone', async (t) => {
    const one = await visit(t, `${server.url}/#learn=verplant`);
    await arrived(one, 'learn');
    await take(one, 7);
    const [{ id, record: text }] = await storedGames(one);
    const two = await open(t, one.context(), `${server.url}/#learn=metro`);
    await arrived(two, 'learn');
    await go(two, 'learn=verplant');
    await go(two, '');
    await until(async () => (await storedGames(two)).every(({ record: other }) =>
        !other.includes('game metro') || other === text));
    assert.equal((await storedGame(one, id)).record, text);
    assert.equal(await one.getByText('deleted in another window').count(), 0);
    for (const step of verplant.slice(7, 10))
        await (step.keys ? ways.keys.step(one, step) : ways.keys.next(one));
    await reached(one, 11, verplant.length);
});

test('a lesson that was skipped in another tab is a game as any other here, too', async (t) => {
    const one = await visit(t, `${server.url}/#learn=verplant`);
    await arrived(one, 'learn');
    await take(one, 2);
    const two = await open(t, one.context(), `${server.url}/#learn=verplant`);
    await arrived(two, 'learn');
    await bubble(two).getByRole('button', { name: 'Skip' }).click();
    await arrived(two, 'game');
    await ways.keys.step(one, verplant[2]);
    await reached(one, 4, verplant.length);
    await go(one, 'games');
    await one.locator('[data-game]').waitFor();
    assert.equal(await storedValue(one, 'lesson'), null);
    assert.equal(await gamesKept(one), 1);
    await turn(two);
});

// Where a part of the page is, in whole pixels.
const boxOf = (page, selector) => page.locator(selector).evaluate((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
});

test('the frame follows its target when a hint moves it', async (t) => {
    const page = await visit(t, `${server.url}/#learn=verplant`, { size: 'phone' });
    await arrived(page, 'learn');
    for (const [i, step] of verplant.slice(0, 15).entries()) {
        await reached(page, i + 1, verplant.length);
        await (step.keys ? ways.keys.step(page, step) : ways.keys.next(page));
    }
    await reached(page, 16, verplant.length);
    const framed = async () => {
        const [x, y, width, height] = await boxOf(page, '[data-guide=hint]');
        return [x - 6, y - 6, width + 12, height + 12];
    };
    const frame = () => boxOf(page, '.bubble-ring');
    await becomes(async () => String(await frame()) === String(await framed()), true);
    await page.evaluate(() => scrollTo(0, 10000));
    const before = await framed();
    await page.locator('[data-guide=hint]').click();
    await page.locator('.hint-list').waitFor();
    assert.notDeepEqual(await framed(), before, 'the hint moves the button');
    await becomes(async () => String(await frame()) === String(await framed()), true);
});
