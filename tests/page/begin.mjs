// Tests that every place where a game is begun leaves the optional rules off, until somebody turns
// them on; that the choice is remembered; and that the forms name the rule for special stations
// where the sheet has some. The conductor's form is in companion.mjs, the program in cli.sh.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { arrived, go, keptGame, newRecord, pack, played, program, serve, storedGame, storedGames,
    visit } from './browser.mjs';
import { introduce, linkState } from './room.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const harbour = spawnSync(program, ['maps', 'paris'], { encoding: 'utf8' }).stdout
    .replace(/^id .*/m, 'id harbour').replace(/^title .*/m, 'title Harbour');
const SHEETS = { Amsterdam: false, Berlin: false, Paris: true, Madrid: true, Practice: true,
    Harbour: true }; // whether they have special stations
const rules = (record) => (/^rules (.*)/m.exec(record) ?? ['', 'none'])[1];
const rule = (page) => page.getByRole('switch', { name: 'Special stations' });
const choose = (page, sheet) => page.locator('.choice', { hasText: sheet }).first().click();

// The record of the game whose table is shown.
async function begun(page) {
    await page.locator('.screen-game .table, .screen-game .handover, .screen-learn .table').first()
        .waitFor();
    const id = /^#game=(\w+)/.exec(new URL(page.url()).hash)?.[1];
    return (id ? await storedGame(page, id) : (await storedGames(page))[0]).record;
}

test('quick starts and lessons have no optional rules', async (t) => {
    for (const kind of ['verplant', 'metro']) {
        const page = await visit(t, server.url);
        await page.locator(`.start-${kind}`).getByRole('button', { name: 'Play' }).click();
        assert.equal(rules(await begun(page)), 'none', kind);
        const pupil = await visit(t, `${server.url}/#learn=${kind}`);
        assert.equal(rules(await begun(pupil)), 'none', `lesson of ${kind}`);
    }
});

test('the form for a new game names the rule where it matters, and has it off', async (t) => {
    const page = await visit(t, server.url, { kept: { 'map.h': { text: harbour } } });
    for (const [sheet, has] of Object.entries(SHEETS)) {
        await go(page, 'new=verplant');
        await choose(page, sheet);
        assert.equal(await rule(page).isVisible(), has, sheet);
        if (has) {
            assert.equal(await rule(page).isChecked(), false, sheet);
            await page.locator('.switch', { hasText: 'Optional, for experienced players' })
                .waitFor();
        }
        await page.getByRole('button', { name: 'Start the game' }).click();
        assert.equal(rules(await begun(page)), 'none', sheet);
    }
    await go(page, 'new=metro');
    for (const one of await page.getByRole('switch').all())
        assert.equal(await one.isChecked(), false);
    await page.getByRole('button', { name: 'Start the game' }).click();
    assert.equal(rules(await begun(page)), 'none');
});

test('the rule counts when it is turned on, and is remembered', async (t) => {
    const page = await visit(t, `${server.url}/#new=verplant`);
    await choose(page, 'Madrid');
    await rule(page).check();
    await page.getByRole('button', { name: 'Start the game' }).click();
    assert.equal(rules(await begun(page)), 'special');
    await go(page, 'new=verplant');
    assert.ok(await rule(page).isChecked());
    await choose(page, 'Berlin'); // which has none
    await page.getByRole('button', { name: 'Start the game' }).click();
    assert.equal(rules(await begun(page)), 'none');
    await page.locator('.start-verplant').waitFor({ state: 'detached' });
    await go(page, '');
    await page.locator('.start-verplant').getByRole('button', { name: 'Play' }).click();
    assert.equal(rules(await begun(page)), 'none', 'a quick start does not ask');
});

// Earlier versions kept `special: true` as soon as anything was chosen.
test('what earlier versions kept without being asked turns no rule on', async (t) => {
    const setup = { verplant: { map: 'paris', deck15: false, special: true, seats: [''] } };
    const page = await visit(t, `${server.url}/#new=verplant`, { kept: { settings: { setup } } });
    await page.locator('.choice:has(:checked)', { hasText: 'Paris' }).waitFor();
    assert.equal(await rule(page).isChecked(), false);
});

test('another game like one that is kept has its rules, and no others', async (t) => {
    const page = await visit(t, server.url, { kept: Object.fromEntries(await Promise.all(
        [['off', ''], ['on', 'special']].map(async ([id, chosen]) => [`game.${id}`,
            keptGame(id, await played(newRecord({ map: 'paris', rules: chosen })),
                { over: true })]))) });
    for (const [id, wanted] of [['off', 'none'], ['on', 'special']]) {
        await go(page, `game=${id}`);
        await page.getByRole('button', { name: 'Play again' }).click();
        await page.waitForFunction((old) => location.hash !== `#game=${old}`, id);
        await page.locator('.table:not(.table-over)').waitFor();
        assert.equal(rules(await begun(page)), wanted, `again: ${id}`);
        const { record } = await storedGame(page, id);
        await go(page, `challenge=${pack(record)}`);
        await page.getByRole('button', { name: 'Play' }).click();
        assert.equal(rules(await begun(page)), wanted, `challenge: ${id}`);
    }
});

test('rooms have no optional rules unless the host turns them on', async (t) => {
    const page = await visit(t, `${server.url}/#online`);
    const made = [];
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => {
        const { t: what, setup } = JSON.parse(payload);
        if (what === 'make') made.push(rules(setup));
    }));
    await page.reload(); // so that its connection is heard
    for (const kind of ['Verplant', 'Metro']) {
        await go(page, 'online');
        await linkState(page, 'connected');
        await page.getByRole('button', { name: `Make a room: ${kind}` }).click();
        if (kind === 'Verplant') await introduce(page, 'Ada'); // the first time
        await page.locator('.room-seat .tag.good').waitFor();
    }
    for (const [sheet, has] of [['Paris', true], ['Madrid', true], ['Amsterdam', false]]) {
        await go(page, 'host=verplant');
        await linkState(page, 'connected');
        await choose(page, sheet);
        assert.equal(await rule(page).isVisible(), has, sheet);
        if (has) assert.equal(await rule(page).isChecked(), false, sheet);
        await page.getByRole('button', { name: 'Make the room' }).click();
        await page.locator('.room-seat .tag.good').waitFor();
    }
    assert.deepEqual(made, Array(5).fill('none'));
    await go(page, 'host=verplant');
    await linkState(page, 'connected');
    await choose(page, 'Paris');
    await rule(page).check();
    await page.getByRole('button', { name: 'Make the room' }).click();
    await page.locator('.room-seat .tag.good').waitFor();
    assert.equal(made.at(-1), 'special');
});
