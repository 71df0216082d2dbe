// Tests of the table and its sources, with every game of the program for tests. A source controlled
// by the test delays, refuses and vanishes, as a distant server may: the table says so, makes no
// move twice and loses none. And the source of games kept in this browser tells the table nothing
// that its viewer may not know.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { arrived, engine, keptGame, newRecord, program, serve, storedGame, turn, until,
    visit } from './browser.mjs';
import { becomes } from './play.mjs';

// The page as it is in the folder, not joined to a few files: its modules can be had one by one.
const web = new URL('../../web', import.meta.url).pathname;
const server = await serve('--port', '0', '--web', web);
test.after(() => server.stop());

// Runs in the page: sits down at a table whose source is `window.far`.
async function sitDown({ record, here, byItself }) {
    const base = document.querySelector('script[src$="/app.js"]').src;
    const load = (name) => import(new URL(`../${name}`, base));
    const [{ sit }, { loadEngine }] =
        await Promise.all(['table/table.js', 'engine/engine.js'].map(load));
    const truth = await loadEngine();
    truth.open(record);
    truth.deal();

    class Far {
        viewer = 0;
        map = '';
        kind = truth.state(0).game;
        game = { id: 'far', record, map: '', title: '' };
        asked = []; // moves that wait for an answer
        told = '';

        get seats() {
            return truth.state(0).players.map(({ player }) => ({ player,
                here: player === here, due: truth.state(player).turn.includes(player),
                undo: false }));
        }

        async start(table, viewer) {
            this.table = table;
            this.viewer = viewer;
            this.reset();
        }

        look(viewer) {
            throw new Error(`the view of ${viewer} is asked for: it is not ours`);
        }

        reset() {
            this.told = truth.view(this.viewer);
            this.table.reset(this.told, this.seats);
        }

        append() {
            const view = truth.view(this.viewer);
            if (!view.startsWith(this.told)) throw new Error('a view only grows');
            const lines = view.slice(this.told.length).split('\n').filter(Boolean);
            this.told = view;
            this.game.record = truth.record();
            this.table.append(lines, this.seats);
        }

        submit(event, decision) {
            return new Promise((resolve) => {
                this.asked.push({ event, decision, resolve });
                if (byItself) this.accept();
            });
        }

        // Makes the pending move; `late`: the answer comes before the view has grown.
        accept({ late = false } = {}) {
            const { event, decision, resolve } = this.asked.shift();
            if (truth.state(here).decisions !== decision) throw new Error('another decision');
            truth.apply(event);
            truth.deal();
            if (late) resolve({ done: true });
            if (late) setTimeout(() => this.others(), 0);
            else this.others();
            if (!late) resolve({ done: true });
        }

        // Lets the weakest bot act for everybody else; then tells the viewer.
        others() {
            for (let due; (due = this.seats.find((seat) => seat.due && seat.player !== here));) {
                truth.apply(truth.think(due.player, 'random', 1).event);
                truth.deal();
            }
            this.append();
        }

        end() {}
    }

    window.far = new Far();
    const place = document.createElement('div');
    place.className = 'screen screen-far';
    document.querySelector('main').replaceChildren(place);
    window.leave = await sit(place, 'far', async () => window.far);
}

// A game of every kind, with as many bots as there can be, but no more than two.
const seats = ['Ada', { bot: 'random' }, { bot: 'random' }];
const games = Object.fromEntries((await engine()).info().games.map(({ name, players: [, most] }) =>
    [name, newRecord({ game: name, seats: seats.slice(0, most) })]));

async function table(t, record, { byItself = false, ...options } = {}) {
    const page = await visit(t, `${server.url}/#settings`, options);
    await arrived(page, 'settings');
    await page.evaluate(sitDown, { record, here: 1, byItself });
    await turn(page);
    return page;
}

const far = (page, act) => page.evaluate(act);
const asked = (page) => page.evaluate(() => window.far.asked.map(({ event, decision }) =>
    ({ event, decision })));
const made = (page) => page.evaluate(() => window.far.told.split('\n')
    .filter((line) => line.startsWith('1 ')));
const confirm = (page) => page.locator('button[data-key=confirm]');
const enabled = (page) => page.locator('button[data-key=confirm]:not([aria-disabled])');
const said = (page) => page.locator('.say').textContent();

async function plan(page) {
    await page.keyboard.press('ArrowRight');
    await enabled(page).waitFor();
    return said(page);
}

for (const [name, record] of Object.entries(games)) {
    test(`${name}: a move is made once, when the source has confirmed it`, async (t) => {
        const page = await table(t, record);
        await plan(page);
        await enabled(page).click();
        await becomes(async () => (await asked(page)).length, 1);
        // nothing else can be done meanwhile, and nothing is done twice
        const [{ decision }] = await asked(page);
        assert.equal(decision, 0);
        await page.keyboard.press('Enter');
        await page.keyboard.press('Backspace');
        await confirm(page).click({ force: true });
        assert.equal((await asked(page)).length, 1);
        assert.deepEqual(await made(page), []);
        await far(page, () => window.far.accept());
        await turn(page);
        assert.equal((await made(page)).length, 1);
        assert.equal(await page.locator('.notice').count(), 0);
    });

    test(`${name}: the answer may come before the view has grown`, async (t) => {
        const page = await table(t, record);
        await plan(page);
        await enabled(page).click();
        await becomes(async () => (await asked(page)).length, 1);
        await far(page, () => window.far.accept({ late: true }));
        await until(async () => (await made(page)).length === 1);
        await turn(page);
        assert.equal(await page.locator('.notice').count(), 0);
    });

    test(`${name}: a refused move stays planned, and the reason is shown`, async (t) => {
        const page = await table(t, record);
        const before = await plan(page);
        await enabled(page).click();
        await becomes(async () => (await asked(page)).length, 1);
        await far(page, () => window.far.asked.shift().resolve({ refused: 'NOT_YOUR_TURN',
            sentence: 'it is not this player’s turn' }));
        await page.locator('.notice', { hasText: 'wasn’t accepted' }).waitFor();
        await enabled(page).waitFor();
        assert.equal(await said(page), before);
        assert.deepEqual(await made(page), []);
        // a move made elsewhere needs no message: the view shows it
        await enabled(page).click();
        await becomes(async () => (await asked(page)).length, 1);
        await far(page, () => window.far.asked[0].resolve({ refused: 'DECISION_MADE',
            sentence: '' }));
        await far(page, () => window.far.accept());
        await turn(page);
        assert.equal((await made(page)).length, 1);
        assert.equal(await page.locator('.notice').count(), 1);
    });

    test(`${name}: without an answer the move stays planned, and can be made later`, async (t) => {
        const page = await table(t, record);
        const before = await plan(page);
        await enabled(page).click();
        await becomes(async () => (await asked(page)).length, 1);
        await far(page, () => window.far.asked.shift().resolve({ away: true }));
        await page.locator('.notice', { hasText: 'No connection' }).waitFor();
        assert.equal(await said(page), before);
        await enabled(page).click();
        await becomes(async () => (await asked(page)).length, 1);
        assert.equal((await asked(page))[0].decision, 0, 'it is the same decision');
        await far(page, () => window.far.accept());
        await turn(page);
        assert.equal((await made(page)).length, 1);
    });

    test(`${name}: an answer that never comes does not stop the table`, async (t) => {
        const page = await table(t, record);
        await plan(page);
        await enabled(page).click();
        await becomes(async () => (await asked(page)).length, 1);
        // the connection is back with a reset: the move was not made
        await far(page, () => {
            window.far.asked = [];
            window.far.reset();
        });
        await turn(page);
        assert.deepEqual(await made(page), []);
        await plan(page);
        await enabled(page).click();
        await becomes(async () => (await asked(page)).length, 1);
        // leaving the table does not wait for an answer
        await far(page, () => window.leave());
        await far(page, () => window.far.accept());
        await page.evaluate(() => (location.hash = 'help'));
        await arrived(page, 'help');
    });

    test(`${name}: a whole game is played with the viewer’s view alone`, async (t) => {
        const page = await table(t, record, { byItself: true });
        for (let moves = 1; !await page.locator('.table-over').count(); moves++) {
            await plan(page);
            await page.keyboard.press('Enter');
            await until(async () => (await made(page)).length === moves);
            await turn(page);
        }
        await page.locator('.ending').waitFor();
        const { over, record: whole } = await page.evaluate(() => ({ over:
            window.far.told, record: window.far.game.record }));
        const { status, stdout } = spawnSync(program, ['view', '--player', '1', '-'],
            { input: whole, encoding: 'utf8' });
        assert.equal(status, 0);
        assert.equal(over, stdout);
    });
}

test('events of other players leave the plan as it is', async (t) => {
    const page = await table(t, games.verplant);
    const before = await plan(page);
    await far(page, () => window.far.others()); // hidden until the round is closed
    await page.locator('.other.ready').nth(1).waitFor();
    assert.equal(await said(page), before);
    await enabled(page).click();
    await becomes(async () => (await asked(page)).length, 1);
    await far(page, () => window.far.accept());
    await turn(page);
    assert.equal((await made(page)).length, 1);
});

// ---- A game that is kept here ----

// Runs in the page: hears what the source of a kept game tells a viewer, without a table.
async function listen({ id, viewer }) {
    const base = document.querySelector('script[src$="/app.js"]').src;
    const { LocalSource } = await import(new URL('../table/localsource.js', base));
    const source = await LocalSource.open(id);
    window.heard = { text: '', resets: 0, source };
    await source.start({
        reset(view) {
            window.heard.text = view;
            window.heard.resets++;
        },
        append: (lines) => (window.heard.text += lines.map((line) => `${line}\n`).join('')),
        gone() {},
        failed(error) {
            throw error;
        },
    }, viewer);
}

const viewOf = (record, player) => spawnSync(program, ['view', '--player', String(player), '-'],
    { input: record, encoding: 'utf8' }).stdout;

const rules = { verplant: 'special', metro: 'hand2' };
for (const name of Object.keys(games))
    test(`${name}: the source of a kept game gives a viewer only their own view`, async (t) => {
        const page = await visit(t, `${server.url}/#settings`, { kept: { 'game.x': keptGame('x',
            newRecord({ game: name, rules: rules[name], seats: ['Ada', 'Ben'] })) } });
        await arrived(page, 'settings');
        await page.evaluate(listen, { id: 'x', viewer: 1 });
        const record = async () => (await storedGame(page, 'x')).record;
        const heard = () => page.evaluate(() => window.heard.text);
        const same = async (player) => assert.equal(await heard(), viewOf(await record(), player));
        const look = (player) => page.evaluate((one) => window.heard.source.look(one), player);
        const submit = (event, decision) => page.evaluate((words) =>
            window.heard.source.submit(...words), [event, decision]);
        const moveOf = async (player) => spawnSync(program, ['moves', '-'], { encoding: 'utf8',
            input: viewOf(await record(), player) }).stdout.split('\n')
            .find((line) => line.startsWith(`${player} `));
        await same(1);
        const one = await moveOf(1);
        assert.deepEqual(await submit(one, 0), { done: true });
        assert.ok((await heard()).includes(`\n${one}\n`));
        await same(1);
        assert.equal((await submit(one, 0)).refused, 'DECISION_MADE');
        await look(0);
        await same(0);
        await look(2);
        await same(2);
        if (name === 'verplant')
            assert.ok(!(await heard()).includes(`\n${one}\n`), 'the round is open');
        assert.match((await submit('2 nonsense', 0)).refused, /_BAD$/);
        await same(2);
        assert.deepEqual(await submit(await moveOf(2), 0), { done: true });
        await same(2);
        const late = await page.evaluate(() => window.heard.source.takeBack(1));
        assert.equal(late.refused, 'NOTHING_TO_UNDO'); // others have seen it
        await same(2);
        await page.evaluate(() => window.heard.source.end());
    });
