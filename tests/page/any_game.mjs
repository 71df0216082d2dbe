// Plays every game of a page at its table: by keys on a desktop, from the first screen to the
// replay, and by taps on a phone. The program is the one that also has the games for tests: one has
// nothing but rules, so that all of its page is the default.
//
// What a key or a tap means is asked of C, never known here. With ES_GAME only that game is played.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, axe, engine, go, serve, storedGames, turn, visit } from './browser.mjs';
import { middle, moves, record, replay } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());
const judge = await engine(); // knows the rules
const games = judge.info().games.filter(({ name }) => [name, undefined]
    .includes(process.env.ES_GAME));
assert.ok(games.length > 0);

// ---- Moves ----

const ready = 'button[data-key=confirm]:not([aria-disabled])';

// Moves by arrows and Enter alone, wherever the focus is.
async function byKeys(page) {
    await page.keyboard.press('ArrowRight');
    await page.locator(ready).waitFor();
    await page.keyboard.press('Enter');
}

// Moves by a tap on a part of the picture that C takes for a move, or else on a button. What is on
// top there, or within reach of a finger, may be another part, which may mean nothing: then the
// next one is tried.
async function byTaps(page) {
    judge.open(await record(page));
    const player = Number(judge.moves()[0]);
    for (const id of await partsOnTop(page)) {
        if (!judge.choose(player, '', `tap ${id}`).plan) continue;
        const { x, y } = await middle(page, `.pane-inner [id="${id}"]`);
        await page.touchscreen.tap(x, y);
        await heard(page);
        if (await page.locator(ready).count()) break;
    }
    if (!await page.locator(ready).count())
        await page.locator('.controls-region button:enabled').first().tap();
    await page.locator(ready).tap();
}

// Waits until the page has done what a tap means: it may wait for a click that belongs to it.
const heard = (page) => page.evaluate(() => new Promise((resolve) => {
    setTimeout(() => setTimeout(resolve, 0), 0);
}));

// The parts of the picture that can be seen in their middle, by their ids.
const partsOnTop = (page) => page.locator('.pane-inner svg [id]').evaluateAll((parts) => parts
    .filter((part) => {
        const { x, y, width, height } = part.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[id]') === part;
    }).map(({ id }) => id));

// Makes `most` moves, or plays to the end; takes the device when asked to.
async function playOn(page, makeMove, most = Infinity) {
    const open = page.locator('.table-over, .table button[data-key=hint]:not([aria-disabled])');
    const take = page.locator('.take:enabled');
    for (let i = 0; i < most; i++) {
        await open.or(take).first().waitFor();
        if (await take.count()) {
            await take.click();
            await open.first().waitFor();
        }
        if (await page.locator('.table-over').count()) return;
        await makeMove(page);
        await page.locator(`.table-over, .take, .table:not(:has(${ready}))`).first().waitFor();
    }
}

// ---- Screens ----

// Checks that axe finds nothing, and that nothing is wider than the screen.
async function look(page, where) {
    assert.deepEqual(await axe(page, where), []);
    const [wide, most] = await page.evaluate(() =>
        [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(wide <= most, `${where} is ${wide} wide, of ${most}`);
}

// Begins a new game of at least two with the form. `level` is that of the others, '' for people;
// `on`: every switch of the form is on, which the record must show.
async function begin(page, { name, players: [least], rules }, level, on = false) {
    await go(page, `new=${name}`);
    if (least < 2) await page.locator('.seats + button').click();
    for (let n = 2; n <= Math.max(2, least); n++)
        await page.locator(`[data-seat="${n}"]`).selectOption(level);
    const switches = on ? await page.locator('form [role=switch]:visible').all() : [];
    for (const one of switches) await one.check();
    await look(page, `the form of ${name}`);
    await page.locator('form button[type=submit]').click();
    await arrived(page, 'game');
    const [header] = (await record(page)).split('\n\n');
    assert.equal(/^(rules|deck) /m.test(header), switches.length > 0, header);
    const [, chosen = ''] = /^rules (.*)$/m.exec(header) ?? [];
    assert.ok(chosen.split(' ').every((rule) => !rule || rules.includes(rule)), chosen);
}

// Compares the result with the program's: the winners, and everyone's points.
async function checkEnd(page, { name }) {
    const kept = await record(page);
    judge.open(kept);
    assert.ok(judge.state(0).over);
    assert.equal(judge.record(), kept);
    assert.deepEqual(moves(kept), []);
    assert.equal(replay(kept).game, name);
    const heading = await page.locator('.end-region h2').textContent();
    const { players, winners } = judge.state(0);
    const best = String(players[(winners[0] || 1) - 1].score);
    assert.ok(heading.replaceAll('−', '-').includes(best), heading);
    await look(page, `the end of ${name}`);
}

// Goes through the replay step by step, forwards and back; a moment of it is an address.
async function checkReplay(page, { name }) {
    const [{ id }] = await storedGames(page);
    await page.locator('.ending-next a[href^="#replay"]').click();
    await arrived(page, 'replay');
    const status = page.locator('.replay-status');
    const end = await status.textContent();
    await look(page, `the replay of ${name}`);
    await page.keyboard.press('Home');
    await page.locator('.replay-step[aria-current=step]').first().waitFor();
    assert.notEqual(await status.textContent(), end);
    const steps = await page.locator('.replay-step').count();
    assert.ok(steps > 1);
    for (let i = 1; i < steps; i++) await page.keyboard.press('ArrowRight');
    assert.equal(await status.textContent(), end);
    await go(page, `replay=${id}@1`);
    assert.notEqual(await status.textContent(), end);
}

// An address of a lesson that the first screen does not offer shows “No stop here”, and so does
// that of an analysis that the replay does not; the help is always there.
async function checkAddresses(page, { name }) {
    await go(page, '');
    const offered = await page.locator(`a[href="#learn=${name}"]`).count();
    await go(page, `learn=${name}`);
    const isNowhere = await page.getByRole('heading', { name: 'No stop here' }).count();
    assert.equal(isNowhere, offered ? 0 : 1);
    const [{ id }] = await storedGames(page);
    await go(page, `replay=${id}`);
    const analysed = await page.locator(`a[href="#analysis=${id}"]`).count();
    await go(page, `analysis=${id}`);
    assert.equal(await page.getByRole('heading', { name: 'No stop here' }).count(),
        analysed ? 0 : 1);
    await go(page, 'help');
    await look(page, `the help, with ${name}`);
    await go(page, `new=${name}s`);
    await page.getByRole('heading', { name: 'No stop here' }).waitFor();
}

for (const game of games) {
    test(`${game.name} is played with bots on a desktop, by keys`, async (t) => {
        const page = await visit(t, server.url, { chance: 7 });
        await arrived(page, 'start');
        await page.locator(`.start-${game.name} h2`).first().waitFor();
        await look(page, 'the first screen');
        await begin(page, game, 'random');
        await turn(page);
        await look(page, `the table of ${game.name}`);
        await playOn(page, byKeys);
        await checkEnd(page, game);
        await checkReplay(page, game);
        await checkAddresses(page, game);
    });

    test(`${game.name} is played by people with one phone, by taps`, async (t) => {
        const page = await visit(t, server.url, { size: 'phone', chance: 8 });
        await arrived(page, 'start');
        await page.locator(`.start-${game.name} h2`).first().waitFor();
        await begin(page, game, '', true);
        await page.evaluate(() => {
            window.announced = 0;
            new MutationObserver((changes) => {
                for (const { addedNodes } of changes) window.announced += addedNodes.length;
            }).observe(document.getElementById('live'), { childList: true });
        });
        await playOn(page, byTaps, 12);
        const kept = await record(page);
        judge.open(kept);
        const { over, players } = judge.state(0);
        const made = kept.split('\n').filter((line) => /^\d /.test(line)).length;
        assert.ok(over || made >= players.length, kept);
        if (!game.secrets) // nobody had to look away: each move is announced
            assert.ok(await page.evaluate(() => window.announced) >= made);
        await look(page, `${game.name} on a phone`);
    });
}
