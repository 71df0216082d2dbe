// Players see what happened: marks of the others' moves, the log as a way to look back, lights
// and notes, the pace of bots, previews, points on every screen.
import assert from 'node:assert/strict';
import test from 'node:test';
import { engine, go, keptGame, newRecord, played, serve, settled, sizes, store, storedGame,
    storedGames, turn, until, visit } from './browser.mjs';
import { answer, asked, isAsked, pass } from './control.mjs';
import { becomes, middle } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());
const judge = await engine(); // knows the rules

const CONFIRM = 'button[data-key=confirm]:not([aria-disabled])';
const BOT = { bot: 'random' };

async function sit(t, record, { kept = {}, ...options } = {}) {
    const page = await visit(t, `${server.url}/#game=x`,
        { ...options, kept: { 'game.x': keptGame('x', record), ...kept } });
    await page.locator('.table').waitFor();
    return page;
}

const record = async (page) => (await storedGame(page, 'x')).record;
const metro = (...seats) => newRecord({ game: 'metro', seats });

// The squares of the tiles laid in a record, with who laid them: [['d8', 1], …].
const laid = (text) => [...text.matchAll(/^(\d) [a-d]{4}\S* (\w\d)$/gm)]
    .map(([, player, square]) => [square, Number(player)]);

// A game of player 1 against bots, just before a move of player 1 that finishes lines: the
// record, and that move.
async function beforeFinish(...seats) {
    for (let events = 20; ; events++) {
        const text = await played(metro(...seats), events);
        judge.open(text);
        const lays = judge.moves().split('\n').filter((event) => /^1 [a-d]/.test(event));
        const move = lays.find((event) => judge.choose(1, '', `move ${event}`).finish
            .some(({ points }) => points > 0));
        if (move) return { text, move };
        assert.ok(events < 120, 'some tile finishes a line');
    }
}

// ---- What the others did ----

const marked = (page) => page.locator('.pane .square.fresh').evaluateAll((all) => all.map((part) =>
    ({ square: part.dataset.square, title: part.querySelector('title').textContent,
        number: [...part.querySelectorAll('text')].at(-1)?.textContent })));

test('the tiles of the others stay marked and numbered until I have laid mine', async (t) => {
    const text = await played(metro('Ada', BOT, BOT), 20);
    const page = await sit(t, text);
    await turn(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await until(async () => laid(await record(page)).length >= laid(text).length + 3);
    await turn(page);
    const others = laid(await record(page)).slice(-2);
    assert.deepEqual(others.map(([, player]) => player), [2, 3]);
    const seen = await marked(page);
    assert.deepEqual(new Set(seen.map(({ square }) => square)),
        new Set(others.map(([square]) => square)));
    for (const { square, title, number } of seen) {
        const n = others.findIndex(([one]) => one === square);
        assert.equal(number, String(n + 1));
        assert.match(title, RegExp(`player ${n + 2}`));
    }
    await page.keyboard.press('d'); // drawing shows nothing new
    await page.keyboard.press('Enter');
    await page.locator('.metro-kept').waitFor();
    assert.equal((await marked(page)).length, 2);
});

test('after “Draw instead” the tile kept in hand stays in sight', async (t) => {
    const page = await sit(t, await played(metro('Ada', BOT), 10));
    await turn(page);
    const hand = await page.locator('.metro-hand-tile [data-tile]').getAttribute('data-tile');
    await page.locator('[data-key=draw]').click();
    await page.locator(CONFIRM).click();
    await page.locator('.metro-kept').waitFor();
    assert.equal(await page.locator('.metro-kept [data-tile]').getAttribute('data-tile'), hand);
    judge.open(await record(page));
    assert.equal(await page.locator('.metro-hand-tile [data-tile]').getAttribute('data-tile'),
        judge.state(1).drawn);
});

// ---- The log ----

const past = (page) => page.locator('.pane.past').count();
const place = (page, selector) => page.locator(selector).first().evaluate((element) =>
    JSON.stringify(element.getBoundingClientRect()));

for (const [name, text, fact, target] of [
    ['verplant', newRecord({ map: 'amsterdam', seats: ['Ada', BOT] }), '.log-entry',
        '.pane #wagon-A'],
    ['metro', metro('Ada', BOT), '.log-lay', '.pane .square:not([data-tile])']])
    test(`a line of the log shows how it came about, during the game (${name})`, async (t) => {
        const page = await sit(t, await played(text, 16));
        await turn(page);
        const line = page.locator(`${fact} .log-line`).nth(1);
        const now = await page.locator('.pane-inner').innerHTML();
        const words = await line.textContent();
        const before = await place(page, `${fact} .log-line`);
        await line.hover();
        await page.locator('.pane-caption', { hasText: words }).waitFor();
        assert.notEqual(await page.locator('.pane-inner').innerHTML(), now);
        assert.equal(await place(page, `${fact} .log-line`), before, 'nothing moves');
        await page.mouse.move(2, 2);
        await becomes(() => past(page), 0);
        assert.equal(await page.locator('.pane-inner').innerHTML(), now);
        await line.click(); // and it stays
        await page.mouse.move(2, 2);
        await page.locator('.pane-caption', { hasText: words }).waitFor();
        const { x, y } = await middle(page, target);
        await page.mouse.click(x, y); // back, without a move
        await becomes(() => past(page), 0);
        await page.mouse.move(2, 2);
        await becomes(() => page.locator('.pane .planned').count(), 0);
        await page.locator('.log-region').focus();
        await page.keyboard.press('ArrowDown');
        await becomes(() => past(page), 1);
        const first = await page.locator('.pane-caption').textContent();
        await page.keyboard.press('ArrowDown');
        await until(async () => await page.locator('.pane-caption').textContent() !== first);
        await page.keyboard.press('Escape');
        await becomes(() => past(page), 0);
    });

test('a line of the log is shown by a finger, and a tap on the picture ends that', async (t) => {
    const page = await sit(t, await played(metro('Ada', BOT), 16), { size: 'phone',
        kept: { settings: { confirm: true } } }); // where a tap on a square is a move
    await turn(page);
    const before = await record(page);
    const { x, y } = await middle(page, '.pane .square.legal');
    const line = page.locator('.log-lay .log-line');
    await line.nth(1).tap();
    await becomes(() => past(page), 1);
    await line.nth(2).tap();
    await becomes(() => past(page), 1);
    await line.nth(2).tap(); // once more
    await becomes(() => past(page), 0);
    await line.nth(1).tap();
    await becomes(() => past(page), 1);
    await page.touchscreen.tap(x, y);
    await becomes(() => past(page), 0);
    assert.equal(await record(page), before);
    await page.touchscreen.tap(x, y);
    await until(async () => await record(page) !== before);
});

test('what is shown of the past ends with a plan, and for the next player', async (t) => {
    const page = await sit(t, newRecord({ map: 'amsterdam', seats: ['Ada', 'Ben'] }));
    await page.locator('.take:enabled').click();
    await turn(page);
    await page.locator('.chip:not(:disabled)').first().click();
    await page.locator(CONFIRM).click();
    await page.locator('.take:enabled').click();
    await turn(page);
    await page.locator('.chip:not(:disabled)').first().click();
    await page.locator(CONFIRM).click(); // the round is over: there is something to look back at
    await page.locator('.log-entry .log-line').first().waitFor();
    await turn(page);
    await page.locator('.log-line').nth(1).click();
    await becomes(() => past(page), 1);
    await page.keyboard.press('a'); // a plan ends it, and a move hands the device on
    await becomes(() => past(page), 0);
    await page.locator('.log-line').nth(1).click();
    await page.locator(CONFIRM).click();
    await page.locator('.take:enabled').click();
    await turn(page);
    assert.equal(await past(page), 0);
});

// ---- Lights and notes ----

test('a light and its points last, whatever is drawn meanwhile', async (t) => {
    const { text, move } = await beforeFinish('Ada', BOT);
    const page = await sit(t, text, { workers: 'held' });
    await turn(page);
    judge.open(text);
    const { finish } = judge.choose(1, '', `move ${move}`);
    const [[square]] = laid(move);
    await page.locator(`#square-${square}`).click();
    await page.locator(CONFIRM).click();
    const lights = page.locator('.lights .line.lit');
    await becomes(() => lights.evaluateAll((all) => all.map(({ dataset }) =>
        Number(dataset.station)).sort()), finish.map(({ station }) => station).sort());
    await isAsked(page);
    for (const station of ['#station-1', '#station-9']) { // the board is drawn again
        const { x, y } = await middle(page, `.pane ${station}`);
        await page.mouse.move(x, y);
        await page.locator('.pane-inner > svg:first-child .line.lit').waitFor({
            state: 'attached' });
    }
    assert.equal(await lights.count(), finish.length);
    const sums = new Map();
    for (const { owner, points } of finish)
        if (owner) sums.set(owner, (sums.get(owner) ?? 0) + points);
    const notes = await page.locator('.pane-notes p').allTextContents();
    assert.deepEqual(notes.map((note) => Number(/\+(\d+)$/.exec(note)[1])).sort(),
        [...sums.values()].sort());
    await pass(page, 5000);
    await becomes(() => lights.count(), 0);
    await becomes(() => page.locator('.pane-notes p').count(), 0);
});

// A game in which a greedy bot is about to be the first to complete a line, whatever Ada does and
// whatever it chooses among equals: the record, an entry of hers, and that line.
async function beforeDiamond() {
    const seats = ['Ada', { bot: 'greedy' }];
    for (let events = 3; ; events += 3) {
        const text = await played(newRecord({ seats }), events, { level: ['random', 'greedy'] });
        judge.open(text);
        assert.equal(judge.state(0).over, false, 'some line is completed');
        const entry = judge.moves().split('\n').find((event) => /^1 [A-E][1-9]$/.test(event));
        if (!entry || judge.state(0).turn.length < 2) continue;
        const done = Array.from({ length: 20 }, (_, seed) => {
            judge.open(text);
            const { event } = judge.think(2, 'greedy', seed);
            const before = judge.state(1).events;
            judge.apply(entry);
            judge.apply(event);
            return judge.log(1, before).filter(({ what }) => what === 'done')
                .map(({ player, first, line }) => player === 2 && first && line).join();
        });
        if (/^[A-E]$/.test(done[0]) && new Set(done).size === 1)
            return { text, entry, line: done[0] };
    }
}

test('a note says when somebody else gets a diamond', async (t) => {
    const { text, entry, line } = await beforeDiamond();
    const page = await sit(t, text);
    await turn(page);
    for (const key of [...entry.slice(2), 'Enter']) await page.keyboard.press(key);
    await page.locator('.pane-notes p', { hasText: `Line ${line}: Greedy (bot) has the diamond` })
        .waitFor();
    await pass(page, 5000);
    await becomes(() => page.locator('.pane-notes p').count(), 0);
});

// ---- Pace ----

const laidNow = async (page) => laid(await record(page)).length;

// Ada lays a tile; the bot's answer is ready, and waits.
async function layAndWait(page) {
    await turn(page);
    const before = await laidNow(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await until(async () => await laidNow(page) > before);
    await isAsked(page);
    await answer(page);
    return before + 1;
}

// Whether a bot moves before that much time has passed.
async function waits(page, laidBefore, time) {
    await pass(page, time);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    assert.equal(await laidNow(page), laidBefore, `nothing after ${time} ms`);
}

for (const [pace, early, late] of [['slow', 2000, 300], ['usual', 900, 300], ['fast', 300, 200]])
    test(`bots play at the pace that is set: ${pace}`, async (t) => {
        const page = await sit(t, metro('Ada', BOT), { clock: 'held', workers: 'held',
            kept: { settings: { pace } } });
        const before = await layAndWait(page);
        await waits(page, before, early);
        await pass(page, late);
        await until(async () => await laidNow(page) > before);
    });

test('at the pace “none” bots do not wait', async (t) => {
    const page = await sit(t, metro('Ada', BOT), { clock: 'held', workers: 'held',
        kept: { settings: { pace: 'none' } } });
    const before = await layAndWait(page);
    await until(async () => await laidNow(page) > before);
});

for (const [how, skip] of [['a tap', async (page) => {
    const { x, y } = await middle(page, '.pane-frame');
    await page.mouse.click(x, y);
    await pass(page, 400); // it is not a double one
}], ['Enter', (page) => page.keyboard.press('Enter')]])
    test(`${how} ends the waiting for a bot`, async (t) => {
        const page = await sit(t, metro('Ada', BOT), { clock: 'held', workers: 'held' });
        const before = await layAndWait(page);
        await waits(page, before, 100);
        await skip(page);
        await until(async () => await laidNow(page) > before);
    });

test('a screen reader hears which tile was drawn', async (t) => {
    const page = await sit(t, metro('Ada', BOT), { clock: 'held', workers: 'held' });
    await turn(page);
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    const heard = () => page.locator('#live').innerText();
    await until(async () => /Takes a tile/.test(await heard()));
    const [, tile] = /^1 draw\ndeal 1 (\w+)$/m.exec(await record(page));
    const sides = ['top', 'right', 'bottom', 'left'];
    const tracks = judge.pieceFacts('metro', tile).tracks.map((to, from) =>
        `${sides[from]} to ${sides[to]}`);
    await until(async () => (await heard()).includes(`Tile: ${tracks.join(', ')}.`));
    assert.doesNotMatch(await heard(), /\b[a-d]{4}\b/);
});

test('bots that play alone can be paused', async (t) => {
    const page = await sit(t, metro(BOT, BOT), { clock: 'held' });
    await until(async () => (await asked(page)).length > 0);
    await page.getByRole('button', { name: 'Pause' }).click();
    const before = await laidNow(page);
    await waits(page, before, 10000);
    await page.getByRole('button', { name: 'Continue' }).click();
    await pass(page, 10000);
    await until(async () => await laidNow(page) > before);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
});

test('bots that play alone stay paused after a look at the help', async (t) => {
    const page = await sit(t, metro(BOT, BOT), { clock: 'held' });
    await until(async () => (await asked(page)).length > 0);
    await page.getByRole('button', { name: 'Pause' }).click();
    for (const where of ['help', 'settings']) {
        await go(page, where);
        await go(page, 'game=x');
        await page.getByRole('button', { name: 'Continue' }).waitFor();
    }
    const before = await laidNow(page);
    await waits(page, before, 10000);
    await page.getByRole('button', { name: 'Continue' }).click();
    await pass(page, 10000);
    await until(async () => await laidNow(page) > before);
});

// ---- verplant ----

test('the chosen line is lit up', async (t) => {
    const page = await sit(t, newRecord({ map: 'amsterdam' }));
    await turn(page);
    assert.equal(await page.locator('.pane .line.lit').count(), 0);
    await page.locator('.chip[data-line=C]').click();
    assert.deepEqual(await page.locator('.pane .line.lit').evaluateAll((all) =>
        all.map(({ id }) => id)), ['line-C']);
    await page.locator('[data-key=undo]').click();
    await becomes(() => page.locator('.pane .line.lit').count(), 0);
});

test('a touch says what the signs on a chip mean, and makes no move', async (t) => {
    const page = await sit(t, newRecord({ map: 'amsterdam', seats: ['Ada', BOT] }),
        { size: 'phone' });
    await turn(page);
    await page.locator('.chip[data-line=A]').tap();
    const tip = page.locator('.tip.shown');
    await tip.waitFor();
    const [marks, worth] = await page.locator('.chip[data-line=A] .chip-facts span')
        .allTextContents();
    const words = await tip.textContent();
    assert.ok(words.includes(`${marks}:`) && words.includes(`${worth}:`), words);
    const { x, y, width } = await tip.boundingBox();
    assert.ok(x >= 0 && y >= 0 && x + width <= sizes.phone.width, 'it is on the screen');
    await pass(page, 5000);
    await becomes(() => tip.count(), 0);
});

// ---- Points ----

const sideways = { width: 844, height: 390 };

for (const [name, viewport] of [...Object.entries(sizes), ['sideways', sideways]])
    test(`points are in sight without scrolling: ${name}`, async (t) => {
        const small = name === 'phone' || name === 'sideways';
        const six = Array.from({ length: 5 }, () => BOT);
        const page = await sit(t, await played(metro('Ada', ...six), 60),
            { viewport, hasTouch: small, isMobile: small });
        await turn(page);
        judge.open(await record(page));
        const scores = judge.state(1).players.map(({ score }) => String(score));
        const seen = await page.evaluate(() => {
            const inSight = (element) => {
                const { top, bottom, left, right, width } = element.getBoundingClientRect();
                return width > 0 && top >= 0 && left >= 0 && bottom <= innerHeight &&
                    right <= innerWidth;
            };
            const points = (selector) => [...document.querySelectorAll(selector)].filter(inSight)
                .map((element) => element.textContent.match(/\d+/)[0]);
            return [points('.metro-standing li > span[aria-hidden]'),
                points('.metro-players .metro-score')];
        });
        assert.deepEqual(seen.find(({ length }) => length === scores.length), scores);
    });

// In a first game the table says how to confirm; there must be room for a row of lines as well.
test('sideways, the advice of a first game leaves room for what can be chosen', async (t) => {
    const room = (page, selector) => page.evaluate((wanted) => {
        const { bottom } = document.querySelector(wanted).getBoundingClientRect();
        return document.querySelector('.act-region').getBoundingClientRect().top - bottom;
    }, selector);
    for (const locale of ['en', 'de', 'nl', 'fr', 'es']) {
        const options = { size: 'phone', viewport: sideways, locale };
        const page = await sit(t, newRecord({ map: 'amsterdam', seats: ['Ada', BOT] }), options);
        await turn(page);
        assert.ok(await page.locator('.how').isVisible());
        assert.ok(await room(page, '.chip') >= 0, `${locale}: chips, ${await room(page, '.chip')}`);
        await page.locator('.chip').first().click();
        await page.locator(CONFIRM).waitFor();
        assert.ok(await page.locator('.say').isVisible());
        assert.ok(await room(page, '.chip') >= 0, `${locale}: chips, with a plan`);
        const board = await sit(t, metro('Ada', BOT), options);
        await turn(board);
        assert.ok(await room(board, '[data-key=draw]') >= 0, `${locale}: drawing instead`);
    }
});

test('verplant’s own points are in sight, and why they begin below zero', async (t) => {
    for (const viewport of [...Object.values(sizes), sideways]) {
        const page = await sit(t, newRecord({ map: 'amsterdam', seats: ['Ada', BOT] }),
            { viewport, kept: { settings: { confirmed: true } } });
        await turn(page);
        judge.open(await record(page));
        const score = `−${-judge.state(1).players[0].score}`;
        assert.match(await page.locator('.how').textContent(), RegExp(`You are at ${score} `));
        const shown = page.locator('.standing strong, .pane svg text').filter({ hasText: score });
        assert.ok(await shown.evaluateAll((all) => all.some((element) => {
            const { top, bottom, width } = element.getBoundingClientRect();
            return width > 0 && top >= 0 && bottom <= innerHeight;
        })));
    }
});

test('no code of a tile is shown to players', async (t) => {
    const codes = (page) => page.evaluate(() => {
        const said = [document.body.innerText];
        for (const element of document.querySelectorAll('[aria-label], [title], title'))
            said.push(element.getAttribute('aria-label') ?? '', element.getAttribute('title') ?? '',
                element.tagName === 'title' ? element.textContent : '');
        return said.flatMap((text) => text.match(/\b[abcd]{4}\b/gi) ?? [])
            .filter((word) => !/^[A-D]+$/.test(word));
    });
    const text = await played(newRecord({ game: 'metro', rules: 'hand2 rotate',
        seats: ['Ada', BOT] }), 30);
    const page = await sit(t, text);
    await turn(page);
    await page.locator('[data-key=stock]').click();
    await page.locator('[data-key=hint]').click();
    await page.locator('.hint-move').first().waitFor();
    assert.deepEqual(await codes(page), []);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'As text' }).click();
    await page.locator('.as-text').waitFor();
    assert.deepEqual(await codes(page), []);
    await page.keyboard.press('Escape');
    await page.goto(`${server.url}/#replay=x`);
    await page.locator('.replay-log').waitFor();
    assert.deepEqual(await codes(page), []);
});

// ---- At the end ----

const cards = (text) => text.match(/^(card|deal) .*$/gm) ?? [];

test('“Same cards again” deals the same cards and shows the earlier result', async (t) => {
    const over = await played(newRecord());
    const page = await visit(t, `${server.url}/#game=x`, { kept: {
        'game.x': keptGame('x', over, { over: true }) } });
    await page.getByRole('button', { name: 'Same cards again' }).click();
    await page.locator('.table:not(.table-over)').waitFor();
    await turn(page);
    const [again] = (await storedGames(page)).filter(({ id }) => id !== 'x');
    const end = await played(again.record);
    assert.deepEqual(cards(end), cards(over));
    await page.evaluate(() => (location.hash = '#games'));
    await page.locator('.screen-games h1').waitFor();
    await store(page, `game.${again.id}`, { ...again, record: end, over: true });
    await page.evaluate((id) => (location.hash = `#game=${id}`), again.id);
    judge.open(over);
    await page.locator('.verdict', { hasText:
        `Your result before: ${judge.state(0).players[0].score} points` }).waitFor();
});

test('a challenge is played with the same cards by somebody else', async (t) => {
    const over = await played(newRecord({ seats: ['Ada', { bot: 'greedy' }] }));
    const page = await visit(t, `${server.url}/#game=x`, { permissions: ['clipboard-read',
        'clipboard-write'], kept: { 'game.x': keptGame('x', over, { over: true }) } });
    await page.getByRole('button', { name: 'Challenge a friend' }).click();
    await page.locator('.notice', { hasText: 'plays this game from its start' }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const friend = await visit(t, link);
    judge.open(over);
    const { score } = judge.state(0).players[0];
    await friend.getByText(`Ada got ${String(score).replace('-', '−')} points`).waitFor();
    await friend.getByText('You play against Greedy (bot).').waitFor();
    await friend.getByRole('button', { name: 'Play' }).click();
    await turn(friend);
    const [game] = await storedGames(friend);
    assert.doesNotMatch(game.record, /^player 1/m, 'the seat is theirs');
    assert.deepEqual(cards(game.record), cards(over).slice(0, 1));
    const damaged = await visit(t, link.slice(0, -9));
    await damaged.getByText('The link is damaged').waitFor();
});

test('a bot’s game with the same cards can be looked at', async (t) => {
    const page = await visit(t, `${server.url}/#game=x`, { kept: {
        'game.x': keptGame('x', await played(newRecord()), { over: true }) } });
    const row = page.locator('.rivals li').filter({ hasText: 'Greedy' });
    const points = await row.locator('span').last().textContent();
    await row.locator('a').evaluate((link) => link.click()); // others are still playing
    await page.locator('.screen-record .replay-status', { hasText: points }).waitFor();
});

test('where a game cannot be continued, the replay says why', async (t) => {
    const page = await visit(t, `${server.url}/#replay=x`, { kept: {
        'game.x': keptGame('x', await played(newRecord()), { over: true }) } });
    const onward = page.getByRole('button', { name: 'Continue from here' });
    await onward.click({ force: true }); // it is disabled, and says so
    await page.locator('.notice', { hasText: 'Here the game is over.' }).waitFor();
    await page.keyboard.press('Home');
    await onward.click();
    await page.locator('.table:not(.table-over)').waitFor();
});

test('one tap leads back to the game from the help and the settings', async (t) => {
    const page = await sit(t, newRecord(), { size: 'phone' });
    for (const name of ['Help', 'Settings']) {
        await turn(page);
        await page.getByRole('link', { name }).first().tap();
        await page.getByRole('link', { name: 'Back to the game' }).tap();
    }
    await turn(page);
    await page.evaluate(() => (location.hash = '#games'));
    await page.locator('.screen-games h1').waitFor();
    await page.getByRole('link', { name: 'Help' }).first().tap();
    await page.locator('.screen-help h1').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Back to the game' }).count(), 0);
});

// ---- Sounds ----

// Runs in the page, before anything else there: counts what is played and how it vibrates.
function listen() {
    window.heard = { sounds: 0, vibrations: 0 };
    const start = AudioScheduledSourceNode.prototype.start;
    AudioScheduledSourceNode.prototype.start = function heard(...words) {
        window.heard.sounds++;
        return start.apply(this, words);
    };
    Navigator.prototype.vibrate = () => {
        window.heard.vibrations++;
        return true;
    };
}

for (const on of [false, true])
    test(`sounds and vibration are ${on ? 'there when switched on' : 'off at first'}`,
        async (t) => {
            const page = await sit(t, newRecord({ game: 'metro', seats: ['Ada', BOT] }), {
                prepare: (context) => context.addInitScript(listen),
                kept: { settings: { sound: on, vibration: on } } });
            const heard = () => page.evaluate(() => window.heard);
            const isHeard = async () => (await heard()).sounds > 2 &&
                (await heard()).vibrations > 0;
            // the browser may take its time before it plays anything
            for (let tiles = 2; tiles <= 20 && !(on && await isHeard()); tiles += 2) {
                await turn(page);
                await page.keyboard.press('ArrowRight');
                await page.keyboard.press('Enter');
                await until(async () => laid(await record(page)).length >= tiles);
            }
            await turn(page);
            if (on) await until(isHeard, 'something is heard');
            else assert.deepEqual(await heard(), { sounds: 0, vibrations: 0 });
        });

// A solo game just before an entry that completes a line: the record, and that entry.
async function beforeLine() {
    for (let events = 1; ; events += 2) {
        const text = await played(newRecord(), events);
        judge.open(text);
        assert.equal(judge.state(0).over, false, 'some line is completed');
        const move = judge.moves().split('\n').filter((event) => /^1 [A-E][1-9]$/.test(event))
            .find((event) => {
                judge.open(text);
                judge.apply(event);
                return judge.log(1, events).some(({ what }) => what === 'done');
            });
        if (move) return { text, move };
    }
}

test('a line that is complete is lit up, with its points', async (t) => {
    const { text, move } = await beforeLine();
    const page = await sit(t, text);
    await turn(page);
    for (const key of [...move.slice(2), 'Enter']) await page.keyboard.press(key);
    await page.locator('.lights .line.lit').first().waitFor({ state: 'attached' });
    assert.match(await page.locator('.pane-notes p').first().textContent(), /^Line [A-E]: \+\d+$/);
    await pass(page, 5000);
    await becomes(() => page.locator('.lights').count(), 0);
});

// ---- On paper ----

for (const [name, text] of [['verplant', newRecord({ map: 'madrid', seats: ['Ada', BOT] })],
    ['metro', metro('Ada', BOT, BOT)]])
    test(`a finished game is printed on one page, in black on white (${name})`, async (t) => {
        const record = await played(text);
        for (const theme of ['light', 'dark']) {
            const page = await visit(t, `${server.url}/#game=x`, { theme, kept: {
                'game.x': keptGame('x', record, { over: true }) } });
            await page.locator('.table-over').waitFor();
            const before = await page.locator('.pane-inner').innerHTML();
            const paper = () => page.locator('.pane-inner .paper').getAttribute('fill');
            await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
            assert.match(await paper(), /^#f{3,6}$/);
            await page.emulateMedia({ media: 'print' });
            assert.equal(await page.evaluate(() => getComputedStyle(document.body).color),
                'rgb(0, 0, 0)');
            const pages = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
                .match(/\/Type\s*\/Page\b/g);
            assert.equal(pages.length, 1);
            await page.emulateMedia({ media: 'screen' });
            await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
            assert.equal(await page.locator('.pane-inner').innerHTML(), before);
        }
    });

// ---- Nothing jumps, and nothing is drawn in vain ----

const GAMES = [['verplant', newRecord({ map: 'madrid', seats: ['Ada', BOT] }), [...'abcdefghij']],
    ['metro', metro('Ada', BOT, BOT), ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowRight',
        'ArrowUp', 'ArrowLeft']]];
const SIDEWAYS = { width: 844, height: 390 };

const VIEWS = [sizes.phone, SIDEWAYS, sizes.tablet, sizes.desktop];
const cases = GAMES.flatMap((game) => ['en', 'de', 'fr'].flatMap((language) =>
    VIEWS.map((viewport) => [...game, language, viewport])));

// Each in a page that has that size from the start, since a page notices a new size at the next
// frame.
for (const [name, text, keys, language, viewport] of cases)
    test(`Confirm and chips stay where they are (${name}, ${language}, ${viewport.width} px)`,
        async (t) => {
            const page = await sit(t, await played(text, 18), { viewport,
                kept: { settings: { language } } });
            await turn(page);
            const places = () => page.locator('.confirm, .chip').evaluateAll((all) =>
                all.map((one) => one.getBoundingClientRect()).map(({ x, y }) => [x, y]));
            const before = await places();
            for (const key of keys) {
                await page.keyboard.press(key);
                assert.deepEqual(await places(), before, key);
            }
            const events = (await record(page)).split('\n').length;
            await page.keyboard.press('Enter');
            await until(async () => (await record(page)).split('\n').length > events);
            await turn(page);
            assert.deepEqual((await places())[0], before[0], 'Confirm');
        });

// A laptop at 200 and 400 %, and a smaller one.
for (const [width, height] of [[720, 450], [640, 360], [360, 225], [320, 180]])
    test(`the picture takes more than half of the height (${width} × ${height})`, async (t) => {
        for (const [name, text] of GAMES) {
            const page = await sit(t, await played(text, 18), { viewport: { width, height } });
            await turn(page);
            const seen = await page.evaluate(() => {
                const { left, right } = document.querySelector('.pane-frame')
                    .getBoundingClientRect();
                return Array.from({ length: innerHeight }, (_, y) => document.elementFromPoint(
                    (left + right) / 2, y)).filter((one) => one?.closest('.pane')).length;
            });
            assert(seen > height / 2, `${name}: ${seen} of ${height}`);
            assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        }
    });

// A finger, pointer or screen reader may be on an element, which must not be replaced then.
for (const [name, text, [first, second]] of GAMES)
    test(`elements that a plan does not change are not replaced (${name})`, async (t) => {
        const page = await sit(t, await played(text, 18));
        await turn(page);
        await page.keyboard.press(first);
        await page.evaluate(() => {
            window.seen = [...document.querySelectorAll('.pane-inner [id], .table button')]
                .map((one) => [one, one.outerHTML]);
        });
        await page.keyboard.press(second);
        const gone = await page.evaluate(() => window.seen.filter(([one, was]) =>
            !one.isConnected && [...document.querySelectorAll(one.tagName)].some((other) =>
                other.outerHTML === was)).map(([, was]) => was));
        assert.deepEqual(gone, []);
        const drawing = () => page.locator('.pane-inner').innerHTML();
        const before = await drawing();
        await page.keyboard.press('Escape');
        assert.notEqual(await drawing(), before);
        await page.keyboard.press(first);
        await page.keyboard.press(second);
        assert(await drawing() === before, 'the same by whichever way');
    });

test('a chip keeps the focus, and does what it says', async (t) => {
    const page = await sit(t, await played(GAMES[0][1], 18));
    await turn(page);
    const chips = page.locator('.chip:not(:disabled)');
    const letters = await chips.evaluateAll((all) => all.map((one) => one.dataset.line));
    for (const i of [0, 1, 0]) {
        await chips.nth(i).focus();
        await page.keyboard.press('Space');
        assert.deepEqual(await page.locator('.chip[aria-pressed=true]').evaluateAll((all) =>
            all.map((one) => one.dataset.line)), [letters[i]]);
        assert.equal(await page.evaluate(() => document.activeElement.dataset.line), letters[i]);
    }
});

// ---- One icon, one meaning ----

// Names of buttons and links that mean the same.
const MEANINGS = ['Play|Play again|Continue|Continue from here|Start the game|Start playback|Pause',
    'Games|Games.+', 'Help|Help.+', 'Print|Print .+', 'Share|Share as a link|Copy a link.+',
    'Save as a file|Save everything as a file|Export', 'Delete|Delete everything',
    'Close|Stop selecting',
    'Choose files|Add a .map file', 'Add a player|.+: one more', '.+: one less',
    'Step back|Previous card|Back to the game', 'Add up scores|View result',
    'Next opponent.+|\\dPerson.+', 'Same cards again|Start over'];

test('an icon means the same on every screen', async (t) => {
    const over = await played(newRecord({ map: 'amsterdam', seats: ['Ada', BOT] }));
    const page = await visit(t, server.url, { kept: {
        'game.v': keptGame('v', over, { over: true }),
        'game.m': keptGame('m', await played(metro('Ada', BOT), 18)) } });
    const names = new Map();
    for (const screen of ['', 'game=v', 'game=m', 'games', 'replay=v', 'settings', 'help',
        'new=verplant', 'new=metro', 'companion', 'print=verplant', 'print=metro']) {
        await go(page, screen);
        await settled(page);
        const icons = await page.locator('.icon path').evaluateAll((all) => all.map((path) => {
            const owner = path.closest('button, a, label, li');
            return [path.getAttribute('d'), (owner?.ariaLabel || owner?.textContent || '').trim()];
        }));
        for (const [path, name] of icons) names.set(path, names.get(path)?.add(name) ??
            new Set([name]));
    }
    assert(names.size > 20);
    const meaning = (name) => MEANINGS.find((one) => new RegExp(`^(${one})$`).test(name)) ?? name;
    for (const all of names.values())
        assert.equal(new Set([...all].map(meaning)).size, 1, [...all].join(', '));
});
