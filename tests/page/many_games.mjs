// Tests of the list of saved games when it is long: searching, filtering, sorting, several at once,
// and that only what is needed is read and drawn.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { arrived, axe, engine, fillStore, go, keptGame, move, newRecord, open, played, program,
    serve, store, storedAll, storedFacts, storedGame, storedGames, until, visit }
    from './browser.mjs';
import { becomes } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const seed = (n) => n.toString(16).padStart(64, '0');
const ownMap = spawnSync(program, ['maps', 'practice'], { encoding: 'utf8' }).stdout
    .replace(/^id .*/m, 'id harbour').replace(/^title .*/m, 'title Zürich harbour');

// By id, the latest first: what a game is, how far it was played, and when it was begun.
const SETUPS = [
    ['alone', { map: 'amsterdam', seats: ['Ada'], seed: seed(1) }, Infinity, 3],
    ['berlin', { map: 'berlin', seats: ['José', { bot: 'greedy' }], seed: seed(2) }, Infinity, 1],
    ['metro', { game: 'metro', seats: ['Ada', { bot: 'strong' }], seed: seed(3) }, 25, 2],
    ['both', { game: 'metro', seats: ['Ada', 'Bea'], seed: seed(4) }, Infinity, 6],
    ['later', { map: 'amsterdam', seats: ['Bea'], seed: seed(5) }, 9, 5],
    ['harbour', { map: 'harbour', seats: ['Cleo'], seed: seed(6) }, 6, 4],
    ['harbour2', { map: 'harbour', seats: ['Dora'], seed: seed(7) }, 6, 7],
];
const games = {};
const scores = {};
for (const [i, [id, setup, events, created]] of SETUPS.entries()) {
    const map = setup.map === 'harbour' ? ownMap : '';
    const record = await played(newRecord(setup), events, { map });
    const table = await engine();
    if (map) table.map(map);
    table.open(record);
    const { over, players } = table.state(0);
    scores[id] = Math.max(...players.filter(({ bot }) => !bot).map(({ score }) => score));
    games[`game.${id}`] = keptGame(id, record, { map, over, created, changed: 1000 - i });
}
const IDS = SETUPS.map(([id]) => id);

const shown = (page) => page.locator('.kept').evaluateAll((all) =>
    all.map((item) => item.dataset.game));
const status = (page) => page.locator('.kept-line [role=status]').textContent();
// Everything about the games is known: who played, and what.
const known = (page) => page.locator('.kept-line .kept-count:not([data-reading])')
    .waitFor({ state: 'attached' });
const search = (page) => page.getByRole('searchbox', { name: 'Search' });
const choose = (page, name, label) => page.getByLabel(name, { exact: true })
    .selectOption({ label });

async function list(t, options) {
    const page = await visit(t, `${server.url}/#games`, { kept: games, ...options });
    await arrived(page, 'games');
    await known(page);
    return page;
}

// ---- Finding ----

test('games are found by players, games and sheets, without accents and case', async (t) => {
    const page = await list(t);
    assert.deepEqual(await shown(page), IDS);
    assert.equal(await status(page), '7 games');
    for (const [words, ids] of [['bea', ['both', 'later']], ['jose', ['berlin']],
        ['AMSTERDAM', ['alone', 'later']], ['ada metro', ['metro', 'both']],
        ['zurich', ['harbour', 'harbour2']], ['strong', ['metro']], ['nobody', []]]) {
        await search(page).fill(words);
        await becomes(() => shown(page), ids, words);
        assert.equal(await status(page), `${ids.length} of 7 games`);
    }
    assert.deepEqual(await axe(page, 'nothing found'), []);
    await page.getByRole('button', { name: 'Show all games' }).click();
    await becomes(() => shown(page), IDS);
    assert.equal(await search(page).inputValue(), '');
    assert.ok(await search(page).evaluate((field) => field === document.activeElement));
});

test('games are filtered by game, sheet, state and players, together with words', async (t) => {
    const page = await list(t);
    await choose(page, 'Game or sheet', 'Metro');
    await becomes(() => shown(page), ['metro', 'both']);
    await choose(page, 'Players', 'With other people');
    await becomes(() => shown(page), ['both']);
    await choose(page, 'Players', 'Against bots');
    await becomes(() => shown(page), ['metro']);
    await choose(page, 'Game or sheet', 'Verplant');
    await becomes(() => shown(page), ['berlin']);
    await choose(page, 'Players', 'Solo');
    await choose(page, 'Game or sheet', 'Verplant: Amsterdam');
    await becomes(() => shown(page), ['alone', 'later']);
    await choose(page, 'State', 'Finished');
    await becomes(() => shown(page), ['alone']);
    await choose(page, 'State', 'In progress');
    await becomes(() => shown(page), ['later']);
    await search(page).fill('ada');
    await becomes(() => shown(page), []);
    assert.deepEqual(await page.getByLabel('Game or sheet').locator('option').allTextContents(),
        ['All games', 'Metro', 'Verplant', 'Verplant: Amsterdam', 'Verplant: Berlin',
            'Verplant: Zürich harbour']);
});

test('games are sorted by change, beginning, score and name', async (t) => {
    const page = await list(t);
    const by = (value) => [...IDS].sort((a, b) => value(b) - value(a) ||
        IDS.indexOf(a) - IDS.indexOf(b));
    const created = (id) => games[`game.${id}`].created;
    for (const [label, ids] of [['Newest game', by(created)],
        ['Oldest game', by((id) => -created(id))], ['Highest score', by((id) => scores[id])],
        ['Name', ['alone', 'later', 'berlin', 'metro', 'both', 'harbour', 'harbour2']],
        ['Last change', IDS]]) {
        await choose(page, 'Sort by', label);
        await becomes(() => shown(page), ids, label);
    }
});

test('what was chosen stays on the way to a game and back, and over a reload', async (t) => {
    const page = await list(t);
    await search(page).fill('ada');
    await choose(page, 'State', 'In progress');
    await becomes(() => shown(page), ['metro']);
    await page.locator('.kept a', { hasText: 'Continue' }).click();
    await arrived(page, 'game');
    await page.goBack();
    for (let i = 0; i < 2; i++) {
        await arrived(page, 'games');
        await becomes(() => shown(page), ['metro']);
        assert.equal(await search(page).inputValue(), 'ada');
        assert.equal(await status(page), '1 of 7 games');
        await page.reload();
    }
});

test('names are found in the language of the reader', async (t) => {
    const page = await list(t, { kept: { ...games, settings: { language: 'de' } } });
    await page.getByRole('searchbox').fill('stark');
    await becomes(() => shown(page), ['metro']);
    await page.locator('#kept-played').selectOption({ label: 'Verplant: Zürich harbour' });
    await page.getByRole('searchbox').fill('cleo');
    await becomes(() => shown(page), ['harbour']);
});

test('a few games are listed without search, and can be selected', async (t) => {
    const page = await list(t, { kept: { 'game.alone': games['game.alone'],
        'game.both': games['game.both'] } });
    await becomes(() => shown(page), ['alone', 'both']);
    assert.equal(await search(page).count(), 0);
    await page.getByRole('button', { name: 'Select several' }).waitFor();
});

// ---- Several at once ----

const select = async (page, ...ids) => {
    for (const id of ids) await page.locator(`[data-game=${id}] input`).check();
};
const bar = (page) => page.getByRole('group', { name: 'Selected games' });

test('several games are deleted at once, and one tap brings all back', async (t) => {
    const page = await list(t);
    const before = await storedAll(page);
    await page.getByRole('button', { name: 'Select several' }).click();
    assert.deepEqual(await axe(page, 'selecting'), []);
    assert.ok(await bar(page).getByRole('button', { name: 'Delete' }).isDisabled());
    await select(page, 'berlin', 'later', 'harbour');
    await bar(page).getByText('3 of 7 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Delete' }).click();
    const rest = ['alone', 'metro', 'both', 'harbour2'];
    await becomes(() => shown(page), rest);
    await page.locator('.notice', { hasText: '3 games deleted.' }).waitFor();
    assert.deepEqual((await storedGames(page)).map(({ id }) => id).sort(), [...rest].sort());
    await bar(page).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Restore' }).click();
    await becomes(() => shown(page), IDS);
    assert.deepEqual(await storedAll(page), before);
});

test('after the last game of a sheet is deleted, all others are shown', async (t) => {
    const page = await list(t);
    await choose(page, 'Game or sheet', 'Verplant: Berlin');
    await becomes(() => shown(page), ['berlin']);
    await page.getByRole('button', { name: 'Delete' }).click();
    await becomes(() => shown(page), IDS.filter((id) => id !== 'berlin'));
    assert.equal(await page.getByLabel('Game or sheet').inputValue(), '');
    await page.reload();
    await arrived(page, 'games');
    await becomes(() => shown(page), IDS.filter((id) => id !== 'berlin'));
});

test('the notice that brings several games back outlives others', async (t) => {
    const page = await list(t);
    await page.getByRole('button', { name: 'Select several' }).click();
    await select(page, 'alone', 'both');
    await bar(page).getByRole('button', { name: 'Delete' }).click();
    for (const id of ['metro', 'berlin', 'later'])
        await page.locator(`[data-game="${id}"]`).getByRole('button', { name: 'Delete' }).click();
    await becomes(() => shown(page), ['harbour', 'harbour2']);
    await page.locator('.notice', { hasText: '2 games deleted.' })
        .getByRole('button', { name: 'Restore' }).click();
    await becomes(() => shown(page), ['alone', 'both', 'harbour', 'harbour2']);
});

// Either all of them are deleted or none: one transaction.
test('a deletion that fails deletes nothing', async (t) => {
    const page = await list(t, { tolerate: [/the disk is gone/] });
    await page.getByRole('button', { name: 'Select several' }).click();
    await select(page, 'alone', 'both');
    await page.evaluate(() => {
        const remove = IDBObjectStore.prototype.delete;
        let count = 0;
        IDBObjectStore.prototype.delete = function fail(key) {
            if (++count === 2) throw new Error('the disk is gone');
            return remove.call(this, key);
        };
    });
    await bar(page).getByRole('button', { name: 'Delete' }).click();
    await page.locator('.notice.warn').waitFor();
    assert.equal((await storedGames(page)).length, 7);
});

test('all games that are found are selected, and a filter lets others go', async (t) => {
    const page = await list(t);
    await search(page).fill('verplant');
    await becomes(() => shown(page), ['alone', 'berlin', 'later', 'harbour', 'harbour2']);
    await page.getByRole('button', { name: 'Select several' }).click();
    await page.keyboard.press('Enter'); // the focus is on “Select all”
    await bar(page).getByText('5 of 5 selected').waitFor();
    await search(page).fill('amsterdam');
    await bar(page).getByText('2 of 2 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Select none' }).click();
    await bar(page).getByText('0 of 2 selected').waitFor();
    await search(page).fill('nothing like that');
    await bar(page).getByText('0 of 0 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Select all' }).waitFor();
    await search(page).fill('amsterdam');
    await bar(page).getByText('0 of 2 selected').waitFor();
    await select(page, 'later');
    await bar(page).getByRole('button', { name: 'Delete' }).click();
    await becomes(async () => (await storedGames(page)).map(({ id }) => id).sort(),
        IDS.filter((id) => id !== 'later').sort());
});

async function download(page, click) {
    const [file] = await Promise.all([page.waitForEvent('download'), click()]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

test('several games are exported to one file, which is imported again', async (t) => {
    const page = await list(t);
    await page.getByRole('button', { name: 'Select several' }).click();
    const ids = ['berlin', 'harbour', 'both', 'harbour2']; // the oldest first
    await select(page, ...ids);
    const file = await download(page,
        () => bar(page).getByRole('button', { name: 'Export' }).click());
    assert.match(file.name, /^endstation-games-\d{4}-\d\d-\d\d\.record$/);
    const records = ids.map((id) => games[`game.${id}`].record);
    assert.deepEqual(file.text.split('---\n'), [...records, ownMap], 'a sheet comes once');
    await page.locator('.notice', { hasText: '4 games saved in one file.' }).waitFor();

    const other = await visit(t, `${server.url}/#games`);
    await arrived(other, 'games');
    await other.locator('.drop input').setInputFiles({ name: file.name, mimeType: 'text/plain',
        buffer: Buffer.from(file.text) });
    await other.getByText('4 games imported.').waitFor();
    await other.getByText('1 sheet imported.').waitFor();
    assert.deepEqual((await storedGames(other)).map(({ record }) => record).sort(),
        [...records].sort());
    await becomes(async () => (await shown(other)).length, 4);
});

// ---- Many ----

const MANY = 130;
const many = Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`game.g${i}`, keptGame(
    `g${i}`, newRecord({ map: i % 2 ? 'berlin' : 'paris', seats: [`P${i}`], seed: seed(i) }),
    { changed: 1000 - i, created: i })]));

// Runs in the page, before anything else there: counts the records that C is given to read.
function countOpened() {
    window.opened = 0;
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...words) => {
        const { exports } = await instantiate(...words);
        const open = (size) => {
            window.opened++;
            return exports.open(size);
        };
        return { exports: { ...exports, open } };
    };
}

test('many games: a part is in the document, and what is kept is not read again', async (t) => {
    const page = await visit(t, `${server.url}/#games`, { kept: many,
        prepare: (context) => context.addInitScript(countOpened) });
    await arrived(page, 'games');
    await known(page);
    const drawn = () => page.locator('.kept .picture svg').count();
    await becomes(async () => (await shown(page)).length, 50);
    assert.equal(await status(page), `${MANY} games`);
    await until(async () => await drawn() > 0);
    assert.ok(await drawn() < 20, 'pictures are drawn in view only');
    assert.ok(await page.evaluate(() => window.opened) >= MANY);
    await until(async () => Object.values(await storedFacts(page)).every(Boolean));
    const facts = await storedFacts(page);
    assert.equal(facts.g7.state.players[0].name, 'P7');
    assert.equal(facts.g7.revision, 1);

    await page.reload();
    await arrived(page, 'games');
    await known(page);
    await search(page).fill('p12');
    await becomes(() => shown(page), [12, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129]
        .map((n) => `g${n}`));
    const opened = await page.evaluate(() => window.opened);
    assert.ok(opened <= 40, `${opened} records, for pictures only`);
    await search(page).fill('');
    const more = page.getByRole('button', { name: 'Show 50 more games' });
    await more.click();
    await becomes(async () => (await shown(page)).length, 100);
    assert.equal(await page.evaluate(() =>
        document.activeElement.closest('[data-game]').dataset.game), 'g50');
    await page.getByRole('button', { name: 'Show 30 more games' }).click();
    await becomes(async () => (await shown(page)).length, MANY);
    await more.waitFor({ state: 'hidden' });
});

test('after a look at a game, the list is where it was left', async (t) => {
    const page = await list(t, { kept: many });
    const row = page.locator('[data-game=g93]');
    const isThere = async () => {
        await arrived(page, 'games');
        await becomes(() => page.evaluate(() => document.activeElement.closest('.kept')?.dataset
            .game), 'g93');
        const { y, height } = await row.boundingBox();
        assert.ok(y > 0 && y + height < page.viewportSize().height, `at ${y}`);
    };
    await page.getByRole('button', { name: 'Show 50 more games' }).click();
    for (const back of [() => page.goBack(), () => go(page, 'games')]) {
        await row.getByRole('link', { name: 'Replay' }).click();
        await arrived(page, 'replay');
        await back();
        await isThere();
        assert.equal((await shown(page)).indexOf('g93'), 93);
    }
    // The first card is dealt: the game is the latest.
    await row.getByRole('link', { name: 'Continue' }).click();
    await arrived(page, 'game');
    await until(async () => (await storedGame(page, 'g93')).changed > 1000);
    await page.goBack();
    await isThere();
    assert.equal((await shown(page)).indexOf('g93'), 0);
    // A game that is no longer in the list, and a screen without one: from the beginning.
    await search(page).fill('berlin');
    for (const [name, address] of [['replay', 'replay=g94'], ['help', 'help']]) {
        await go(page, address);
        await arrived(page, name);
        await page.evaluate(() => scrollTo(0, 2000));
        await go(page, 'games');
        await arrived(page, 'games');
        await becomes(() => page.evaluate(() => document.activeElement.tagName), 'H1');
        assert.equal(await page.evaluate(() => scrollY), 0);
    }
});

test('all of many games are selected and deleted, and come back', async (t) => {
    const page = await list(t, { kept: many });
    await page.getByRole('button', { name: 'Select several' }).click();
    await bar(page).getByRole('button', { name: 'Select all' }).click();
    await bar(page).getByText(`${MANY} of ${MANY} selected`).waitFor();
    await bar(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No saved games yet.').waitFor();
    await becomes(async () => (await storedGames(page)).length, 0);
    await go(page, 'help'); // the notice stays
    await page.getByRole('button', { name: 'Restore' }).click();
    await becomes(async () => (await storedGames(page)).length, MANY);
    await go(page, 'games');
    await becomes(async () => (await shown(page)).length, 50);
});

test('facts serve one state of a game only, and are not believed if they are odd', async (t) => {
    const page = await list(t);
    const { facts } = await page.evaluate(() => new Promise((resolve) => {
        indexedDB.open('endstation').onsuccess = ({ target }) => {
            target.result.transaction('games').objectStore('games').get('alone').onsuccess =
                (event) => resolve(event.target.result);
            target.result.close();
        };
    }));
    const words = (id) => page.locator(`[data-game=${id}] .kept-words p`).first();
    await words('alone').filter({ hasText: 'Ada' }).waitFor();
    // Another tab plays on: the old facts are still in the item.
    const renamed = games['game.alone'].record.replace('player 1 Ada', 'player 1 Zoe');
    await go(page, 'help');
    await store(page, 'game.alone', { ...games['game.alone'], record: renamed, facts });
    await store(page, 'game.berlin', { ...games['game.berlin'], facts: { version: facts.version,
        revision: 2, changed: games['game.berlin'].changed, state: { game: 7 } } });
    await go(page, 'games');
    await words('alone').filter({ hasText: 'Zoe' }).waitFor();
    await words('berlin').filter({ hasText: 'José' }).waitFor();
});

test('facts that the browser refuses to keep are found all the same', async (t) => {
    const page = await visit(t, server.url, { kept: games });
    await arrived(page, 'start');
    await fillStore(page);
    await go(page, 'games');
    await known(page);
    await search(page).fill('cleo');
    await becomes(() => shown(page), ['harbour']);
    assert.deepEqual(Object.values(await storedFacts(page)).filter(Boolean), []);
});

// Runs in the page: counts in window.readings how often all games are read.
function countReadings() {
    const { getAll } = IDBObjectStore.prototype;
    window.readings = 0;
    IDBObjectStore.prototype.getAll = function read(...words) {
        if (this.name === 'games') window.readings++;
        return getAll.apply(this, words);
    };
}

test('all games are read for a list of all, not for one of them or their number', async (t) => {
    const page = await visit(t, `${server.url}/#help`, { kept: games });
    await arrived(page, 'help');
    await page.evaluate(countReadings);
    const readings = () => page.evaluate(() => window.readings);
    const latest = page.locator('.start-last a[href^="#game="]');
    const isLatest = async (id) => {
        await go(page, 'help');
        await go(page, '');
        await becomes(() => latest.getAttribute('href'), `#game=${id}`);
    };
    await isLatest('metro');
    assert.equal(await readings(), 1, 'the first time');
    await go(page, 'settings');
    await page.getByText('7 games are saved').waitFor();
    await go(page, 'game=later');
    await move(page);
    await isLatest('later');
    const other = await open(t, page.context(), `${server.url}/#game=harbour2`);
    await move(other);
    await isLatest('harbour2');
    assert.equal(await readings(), 1);
    await go(other, 'games');
    await other.locator('[data-game=harbour2]').getByRole('button', { name: 'Delete' }).click();
    await other.locator('[data-game=harbour2]').waitFor({ state: 'detached' });
    await isLatest('later');
    assert.equal(await readings(), 2, 'it is looked for again');
    await go(page, 'game=later');
    while (await move(page));
    await isLatest('metro');
});

test('what happens in a game in another tab has not all games read or counted', async (t) => {
    const page = await list(t);
    const other = await open(t, page.context(), `${server.url}/#game=later`);
    await page.evaluate(countReadings);
    await move(other);
    await becomes(async () => (await shown(page))[0], 'later');
    await go(page, 'statistics');
    await page.locator('.statistics-lead', { hasText: '2 finished games' }).waitFor();
    assert.equal(await page.evaluate(() => window.readings), 1, 'for the statistics');
    while (await move(other));
    await page.locator('.statistics-lead', { hasText: '3 finished games' }).waitFor();
    assert.equal(await page.evaluate(() => window.readings), 2, 'when the game is over');
});

// Runs in the page: the games cannot be read before window.isFree.
function holdGames() {
    return new Promise((resolve) => {
        indexedDB.open('endstation').onsuccess = ({ target }) => {
            const shelf = target.result.transaction('games', 'readwrite').objectStore('games');
            const wait = () => {
                resolve();
                if (!window.isFree) shelf.get('').onsuccess = wait;
            };
            shelf.get('').onsuccess = wait;
        };
    });
}

test('a list that comes in another language after it was left scrolls nothing', async (t) => {
    const page = await list(t, { size: 'phone' });
    await page.evaluate(() => window.scrollTo(0, 300));
    await page.evaluate(holdGames);
    await page.selectOption('#bar-language', 'de');
    await page.locator('html[lang=de]').waitFor({ state: 'attached' });
    await go(page, 'help');
    assert.equal(await page.evaluate(() => window.scrollY), 0);
    await page.evaluate(() => (window.isFree = true));
    await storedGames(page); // they can be read
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    assert.equal(await page.evaluate(() => window.scrollY), 0);
});

// ---- Other tabs ----

test('what another tab does appears in the list, with search, focus and selection', async (t) => {
    const page = await list(t);
    await search(page).fill('verplant');
    await becomes(() => shown(page), ['alone', 'berlin', 'later', 'harbour', 'harbour2']);
    await page.locator('[data-game=later] a').first().focus();
    const other = await open(t, page.context(), `${server.url}/#help`);
    await arrived(other, 'help');
    await store(other, 'game.berlin', { ...games['game.berlin'], changed: 2000 });
    await becomes(() => shown(page), ['berlin', 'alone', 'later', 'harbour', 'harbour2']);
    const focused = () => page.evaluate(() =>
        document.activeElement.closest('[data-game]')?.dataset.game);
    assert.equal(await focused(), 'later');
    await store(other, 'game.later', { ...games['game.later'], changed: 3000 });
    await becomes(async () => (await shown(page))[0], 'later');
    await becomes(focused, 'later');
    await page.getByRole('button', { name: 'Select several' }).click();
    await select(page, 'alone', 'berlin');
    await go(other, 'games');
    await other.locator('[data-game=alone]').getByRole('button', { name: 'Delete' }).click();
    await bar(page).getByText('1 of 4 selected').waitFor();
});
