// No move is made by accident, on a phone or a desktop, and a mistaken one can be taken back.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, go, keptGame, move, newRecord, played, serve, storedGame, turn, until,
    visit } from './browser.mjs';
import { pass } from './control.mjs';
import { becomes, middle } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const CONFIRM = 'button[data-key=confirm]:not([aria-disabled])';
const UNDO = 'button[data-key=undo]:not([aria-disabled])';
const TAP_AGAIN_MS = 400; // sooner, it is a double tap

async function sit(t, record, options = {}) {
    const page = await visit(t, `${server.url}/#game=x`,
        { ...options, kept: { 'game.x': keptGame('x', record), ...options.kept } });
    await turn(page);
    return page;
}

const record = async (page) => (await storedGame(page, 'x')).record;
const moves = async (page) => ((await record(page)).match(/^1 /gm) ?? []).length;
const zoomed = (page) => page.locator('.pane-frame.zoomed').count();

// ---- Double taps ----

const tapAt = {
    desktop: (page, { x, y }) => page.mouse.click(x, y),
    phone: (page, { x, y }) => page.touchscreen.tap(x, y),
};

const boards = {
    'a station': [newRecord(), '#station-a1'],
    'a train': [newRecord(), '#wagon-A'],
    'a square': [newRecord({ game: 'metro', seats: ['Ada', { bot: 'random' }] }),
        '.square.legal'],
};

for (const [what, [text, selector]] of Object.entries(boards))
    for (const size of ['desktop', 'phone'])
        test(`a double tap on ${what} zooms, and makes no move (${size})`, async (t) => {
            const page = await sit(t, text, { size, clock: 'held' });
            const spot = await middle(page, selector);
            const tap = () => tapAt[size](page, spot);
            await tap();
            await page.locator(CONFIRM).waitFor();
            await tap(); // no time passes: a double tap
            await becomes(() => zoomed(page), 1);
            // nothing is planned by it; a mouse shows what the square under it would bring
            if (size === 'phone' || what !== 'a square')
                await becomes(() => page.locator(CONFIRM).count(), 0);
            await pass(page, TAP_AGAIN_MS);
            await tap(); // once more: all of it can be seen again
            await tap();
            await becomes(() => zoomed(page), 0);
            assert.equal(await moves(page), 0);
            // two taps that are no double tap make the move
            await pass(page, TAP_AGAIN_MS);
            await tap();
            await page.locator(CONFIRM).waitFor();
            // a double tap on what is planned makes no move, either
            await pass(page, TAP_AGAIN_MS);
            await tap();
            await tap();
            await becomes(() => zoomed(page), 1);
            await pass(page, TAP_AGAIN_MS);
            await page.locator(CONFIRM).waitFor();
            await tap();
            await tap();
            await becomes(() => zoomed(page), 0);
            await pass(page, TAP_AGAIN_MS);
            assert.equal(await moves(page), 0);
            await tap();
            await pass(page, TAP_AGAIN_MS);
            await until(async () => await moves(page) === 1);
        });

for (const size of ['desktop', 'phone'])
    test(`a double tap on a chip makes no move, a second tap later does (${size})`, async (t) => {
        const page = await sit(t, newRecord(), { size, clock: 'held' });
        const chip = page.locator('.chip:not(:disabled)').first();
        const press = () => (size === 'phone' ? chip.tap() : chip.click());
        await press();
        await page.locator(CONFIRM).waitFor();
        await press();
        await press();
        assert.equal(await moves(page), 0);
        await pass(page, TAP_AGAIN_MS);
        await press();
        await until(async () => await moves(page) === 1);
    });

test('a key held down on a chip makes no move', async (t) => {
    const page = await sit(t, newRecord(), { clock: 'held' });
    await page.locator('.chip:not(:disabled)').first().focus();
    await page.keyboard.down('Enter');
    await page.locator(CONFIRM).waitFor();
    for (let i = 0; i < 3; i++) {
        await pass(page, TAP_AGAIN_MS);
        await page.keyboard.down('Enter'); // it repeats
    }
    await page.keyboard.up('Enter');
    assert.equal(await moves(page), 0);
    await page.keyboard.press('Enter');
    await until(async () => await moves(page) === 1);
});

test('the first time, the table says how to confirm', async (t) => {
    const page = await sit(t, newRecord());
    await page.locator('.how', { hasText: 'Tap again, or press Confirm' }).waitFor();
    await move(page);
    await turn(page);
    const said = page.locator('.how', { hasText: 'Tap again' });
    assert.equal(await said.count(), 0);
    await page.reload();
    await turn(page);
    assert.equal(await said.count(), 0);
});

// ---- Taking back ----

const cards = (text) => text.match(/^card .*$/gm) ?? [];
const answerWith = (page, name) => page.locator('dialog').getByRole('button', { name }).click();

for (const [game, seats] of [['verplant', ['Ada']], ['verplant', ['Ada', { bot: 'greedy' }]],
    ['metro', ['Ada', { bot: 'greedy' }]]])
    test(`${game}, ${seats.length}: the last move can be taken back, and the same comes again`,
        async (t) => {
            const page = await sit(t, newRecord({ game, seats }));
            assert.equal(await page.locator(UNDO).count(), 0);
            await move(page);
            await turn(page);
            const once = await record(page);
            // people may think better of it
            await page.locator(UNDO).click();
            await answerWith(page, 'Keep it');
            assert.equal(await record(page), once);
            await page.keyboard.press('Backspace');
            await answerWith(page, 'Take it back');
            await until(async () => await moves(page) === 0);
            await turn(page);
            assert.match(await record(page), /^note aided$/m);
            await move(page);
            await turn(page);
            const twice = await record(page);
            assert.deepEqual(cards(twice), cards(once));
            assert.equal(twice.replace('note aided\n', ''), once, 'bots do not change their minds');
            // it was said once
            await page.locator(UNDO).click();
            await until(async () => await moves(page) === 0);
        });

test('a double tap on Undo, or its key held down, goes one step back', async (t) => {
    const page = await sit(t, newRecord(), { clock: 'held' });
    for (let i = 0; i < 3; i++) {
        await move(page);
        await turn(page);
    }
    await page.locator(UNDO).click();
    await answerWith(page, 'Take it back');
    await until(async () => await moves(page) === 2);
    await turn(page);
    await page.keyboard.press('ArrowRight');
    await page.locator(CONFIRM).waitFor();
    await pass(page, TAP_AGAIN_MS);
    await page.locator(UNDO).dblclick(); // only what is planned
    await becomes(() => page.locator(CONFIRM).count(), 0);
    assert.equal(await moves(page), 2);
    await page.keyboard.down('Backspace');
    await until(async () => await moves(page) === 1);
    await turn(page);
    await page.keyboard.down('Backspace'); // it repeats
    await page.keyboard.up('Backspace');
    await page.keyboard.press('ArrowRight');
    await page.locator(CONFIRM).waitFor();
    assert.equal(await moves(page), 1);
});

test('after the first game moves are taken back only where people want it', async (t) => {
    const page = await sit(t, newRecord(), { kept: { settings: { finished: true } } });
    await move(page);
    await turn(page);
    assert.equal(await page.locator(UNDO).count(), 0);
    await go(page, 'settings');
    await page.getByLabel('Take back moves').click();
    await go(page, 'game=x');
    await page.locator(UNDO).click();
    await answerWith(page, 'Take it back');
    await until(async () => await moves(page) === 0);
});

test('whether moves are taken back is remembered', async (t) => {
    const page = await visit(t, `${server.url}/#settings`);
    for (const isOn of [false, true]) {
        await arrived(page, 'settings');
        await page.getByLabel('Take back moves').setChecked(isOn);
        await page.getByLabel('Line patterns').click(); // another setting
        await page.reload();
        await arrived(page, 'settings');
        assert.equal(await page.getByLabel('Take back moves').isChecked(), isOn);
    }
});

test('the end says that somebody had help', async (t) => {
    const nearly = await played(newRecord(), 24);
    const page = await sit(t, nearly);
    await page.locator('button[data-key=hint]').click();
    await until(async () => /^note aided$/m.test(await record(page)));
    while (await move(page));
    await page.locator('.ending .aided').waitFor();
    assert.match(await record(page), /^note aided$/m);
    const other = await sit(t, nearly);
    while (await move(other));
    await other.locator('.ending').waitFor();
    assert.equal(await other.locator('.ending .aided').count(), 0);
    await go(other, 'settings');
    await arrived(other, 'settings');
    assert.equal(await other.getByLabel('Take back moves').isChecked(), false);
});

// ---- Levels ----

for (const [result, level, next] of [['won', 'greedy', 'casual'], ['lost', 'casual', 'greedy']])
    test(`a player who has ${result} is offered the next level`, async (t) => {
        // the bots play the person's moves as well, so well or so badly that it is clear
        const seats = ['Ada', { bot: level }, { bot: level }];
        const over = await played(newRecord({ game: 'metro', seats }), Infinity,
            { level: [result === 'won' ? 'strong' : 'random', level, level] });
        const page = await visit(t, `${server.url}/#game=x`, { kept: {
            'game.x': keptGame('x', over, { over: true }) } });
        await page.locator('.ending button[data-key=level]').click();
        await page.waitForFunction(() => location.hash.startsWith('#game=') &&
            location.hash !== '#game=x');
        const id = await page.evaluate(() => location.hash.slice('#game='.length));
        await page.locator('.table:not(.table-over)').waitFor();
        const lines = (await storedGame(page, id)).record.match(/^(player|bot) .*$/gm);
        assert.deepEqual(lines, ['player 1 Ada', `bot 2 ${next}`, `bot 3 ${next}`]);
    });

test('alone, with the best or with different bots there is no next level', async (t) => {
    const seats = { alone: ['Ada'], best: ['Ada', { bot: 'master' }],
        mixed: ['Ada', { bot: 'greedy' }, { bot: 'casual' }] };
    for (const [name, all] of Object.entries(seats)) {
        const over = await played(newRecord({ seats: all }), Infinity,
            { level: ['strong', 'random', 'random'] });
        const page = await visit(t, `${server.url}/#game=${name}`, { kept: {
            [`game.${name}`]: keptGame(name, over, { over: true }) } });
        await page.locator('.ending').waitFor();
        assert.equal(await page.locator('.ending button[data-key=level]').count(), 0, name);
    }
});
