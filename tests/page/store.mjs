// Tests of what a browser keeps: moved over from earlier versions, shared by tabs, told apart by
// content, exported and imported completely.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { arrived, engine, fillStore, go, keptGame, move, newRecord, open, played, profile, program,
    serve, storedAll, storedGame, storedGames, turn, until, visit } from './browser.mjs';
import { answer, isAsked, pass } from './control.mjs';
import { becomes } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const practice = spawnSync(program, ['maps', 'practice'], { encoding: 'utf8' }).stdout;
const sheetNamed = (title, id = 'harbour') => practice.replace(/^id .*/m, `id ${id}`)
    .replace(/^title .*/m, `title ${title}`);
const harbour = sheetNamed('Harbour');
const canal = sheetNamed('Canal'); // the same id, another content
const rules = await engine();
const hashOf = (text) => rules.map(text).hash;

const seats = ['Ada', { bot: 'greedy' }];
const metro = await played(newRecord({ game: 'metro', seats }), 25);
const over = await played(newRecord({ seats: ['Bea'] }));

const native = (words, input) => spawnSync(program, words, { input, encoding: 'utf8' });

async function download(page, click) {
    const [file] = await Promise.all([page.waitForEvent('download'), click()]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

// Gives files ({name, text}) to the field on the page; answers with what it says about them.
async function bring(page, ...files) {
    await page.locator('.drop + div').evaluate((said) => said.replaceChildren());
    await page.locator('.drop input').setInputFiles(files.map(({ name, text }) =>
        ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })));
    await page.locator('.drop + div:not([aria-busy]) > *').first().waitFor();
    return page.locator('.drop + div').evaluate((said) => [...said.querySelectorAll('li, p')]
        .map((line) => line.textContent));
}

// ---- Earlier versions ----

// A record as they wrote it: bots by name, no hash.
const asBefore = (record) => record.replace(/^map (\S+) \S+$/m, 'map $1')
    .replace(/^bot (\d) (.*)$/mg, 'player $1 $2 (bot)');

const oldGame = (id, record, more = {}) => {
    const { revision, ...game } = keptGame(id, asBefore(record), more);
    return game;
};

test('data of earlier versions is moved without loss', async (t) => {
    const own = await played(newRecord({ map: 'harbour', seats }), 6, { map: harbour });
    const three = await played(newRecord({ game: 'metro', seats: [...seats, { bot: 'greedy' }] }),
        30);
    const old = {
        'game.m': oldGame('m', metro, { created: 5, changed: 7, title: 'Metro' }),
        'game.o': oldGame('o', over, { over: true }),
        'game.own': oldGame('own', own, { map: harbour }),
        'game.three': { ...oldGame('three', three), record: asBefore(three)
            .replace('player 3 greedy (bot)', 'player 3 greedy (bot 2)') },
        'game.person': oldGame('person', newRecord({ seats: ['Nobody (bot)'] })),
        'game.moon': oldGame('moon', 'endstation-record 1\ngame verplant\nmap moon\nplayers 1\n\n'),
        'game.bad': '{',
        'map.harbour': { id: 'harbour', title: 'Harbour', text: harbour },
        settings: { language: 'de', people: ['Ada'], later: 'yes',
            seen: { lesson: { kind: 'metro', id: 'm', reached: 2 } },
            companion: { record: asBefore(newRecord()), map: '', at: 0, top: 0, adding: false,
                people: ['A'], sums: [{ won: {}, lines: 0, transfers: 0, empty: 0 }] } },
    };
    const page = await visit(t, `${server.url}/#games`, { old, tolerate: [/Fault/] });
    await arrived(page, 'games');
    await becomes(() => page.locator('.kept').count(), 6);
    const kept = await storedAll(page);
    assert.equal(kept['game.m'].record, metro);
    assert.deepEqual([kept['game.m'].created, kept['game.m'].changed, kept['game.m'].title],
        [5, 7, 'Metro']);
    assert.equal(kept['game.o'].record, over);
    assert.equal(kept['game.o'].over, true);
    assert.equal(kept['game.own'].record, own);
    assert.equal(kept['game.own'].map, harbour);
    assert.equal(kept['game.three'].record, three);
    assert.match(kept['game.person'].record, /^player 1 Nobody \(bot\)$/m, 'no level, no bot');
    assert.equal(kept['game.moon'].record, old['game.moon'].record, 'as it was');
    assert.equal(kept[`map.${hashOf(harbour)}`].text, harbour);
    assert.equal(kept['value.lesson'].reached, 2);
    assert.equal(kept['value.conductor'].people[0], 'A');
    assert.deepEqual(kept.settings, { language: 'de', people: ['Ada'], later: 'yes' });
    assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).sort()),
        ['endstation.game.bad', 'endstation.settings'], 'what is no game stays where it is');
    await page.reload();
    await arrived(page, 'games');
    const { settings, ...rest } = kept;
    const { settings: later, ...again } = await storedAll(page);
    assert.deepEqual(again, rest, 'once');
    await go(page, 'game=m');
    await move(page);
});

test('fields of a newer version survive', async (t) => {
    const page = await visit(t, `${server.url}/#game=m`, { kept: {
        'game.m': keptGame('m', metro, { stars: 3 }), settings: { sounds: { loud: true } } } });
    await move(page);
    await becomes(async () => (await storedGame(page, 'm')).stars, 3);
    assert.ok((await storedGame(page, 'm')).revision > 1);
    await page.locator('#bar-theme').click();
    await becomes(async () => (await storedAll(page)).settings.sounds, { loud: true });
});

// ---- Tabs ----

const without = (what) => (context) => context.addInitScript((name) => {
    if (name === 'locks') Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
    else delete window[name];
}, what);

for (const [what, prepare] of [['with locks', undefined], ['without locks', without('locks')],
    ['without hearing of each other', without('BroadcastChannel')]])
    test(`two tabs play one game ${what}`, async (t) => {
        const one = await visit(t, `${server.url}/#game=m`, { prepare,
            kept: { 'game.m': keptGame('m', metro) } });
        await turn(one);
        const two = await open(t, one.context(), `${server.url}/#game=m`);
        await turn(two);
        const pages = what.includes('hearing') ? [two] : [one, two, one];
        let before = metro;
        for (const page of pages) {
            await move(page);
            await turn(page);
            const { record } = await storedGame(page, 'm');
            assert.ok(record.startsWith(before) && record.length > before.length);
            assert.equal(native(['replay', '-'], record).status, 0);
            assert.equal(await page.locator('.notice').count(), 0,
                'a tab that moved is not told that another one did');
            before = record;
            if (pages.length === 1) break;
            const other = page === one ? two : one;
            await turn(other);
            await becomes(() => other.locator('.log-region').textContent(),
                await page.locator('.log-region').textContent());
            await other.locator('.notice', { hasText: 'another window' })
                .getByRole('button', { name: 'Close' }).click();
            // the notice comes again after a while
            await one.evaluate(() => window.testClock.pass(60000));
            await two.evaluate(() => window.testClock.pass(60000));
        }
    });

test('a bot thinks in one tab only: the one in which people play', async (t) => {
    const one = await visit(t, `${server.url}/#game=m`, { workers: 'held',
        kept: { 'game.m': keptGame('m', metro) } });
    await turn(one);
    const two = await open(t, one.context(), `${server.url}/#game=m`);
    await turn(two);
    await one.keyboard.press('ArrowRight');
    await one.keyboard.press('Enter');
    await isAsked(one);
    await two.locator('.log li', { hasText: 'Ada' }).first().waitFor();
    assert.deepEqual(await two.evaluate(() => window.testWorkers.asked), []);
    await two.bringToFront();
    await two.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await isAsked(two);
    await answer(two);
    await turn(two);
    await answer(one);
    await turn(one);
    assert.equal(native(['replay', '-'], (await storedGame(one, 'm')).record).status, 0);
});

// Plain http from another machine: no locks, no clipboard, no promise to keep anything.
test('everything works without a secure context', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'endstation-'));
    const context = await profile(folder,
        { args: ['--host-resolver-rules=MAP club.test 127.0.0.1'] });
    t.after(async () => {
        await context.close();
        rmSync(folder, { recursive: true });
    });
    const url = server.url.replace('localhost', 'club.test');
    const page = await open(t, context, url, [/Cross-Origin-Opener-Policy/]);
    await arrived(page, 'start');
    assert.equal(await page.evaluate(() => isSecureContext || 'locks' in navigator), false);
    await page.locator('.start-metro button').click();
    await arrived(page, 'game');
    await move(page);
    await turn(page);
    const before = await page.locator('.log-region').textContent();
    await page.reload();
    await turn(page);
    assert.equal(await page.locator('.log-region').textContent(), before);
    await go(page, 'settings');
    await page.getByText('Save a backup from time to time').waitFor();
});

// ---- Nothing is shown that is not kept ----

test('a card is not shown before it is saved', async (t) => {
    const page = await visit(t, `${server.url}/#game=v`, { kept: {
        'game.v': keptGame('v', newRecord()) } });
    await turn(page);
    const log = await page.locator('.log-region').textContent();
    await page.evaluate(() => { // whatever is written waits
        const put = IDBObjectStore.prototype.put;
        window.writing = 0;
        IDBObjectStore.prototype.put = function wait(...words) {
            window.writing++;
            const busy = () => window.writing && (this.get('v').onsuccess = busy);
            busy();
            return put.apply(this, words);
        };
    });
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.writing === 1);
    await page.keyboard.press('Enter');
    await page.locator('#bar-theme').click(); // redraws everything
    await page.locator('html[data-theme=light]').waitFor({ state: 'attached' });
    assert.equal(await page.locator('.log-region').textContent(), log);
    await page.evaluate(() => (window.writing = 0));
    await until(async () => await page.locator('.log-region').textContent() !== log);
    const { record } = await storedGame(page, 'v');
    assert.equal(record.match(/^1 /mg).length, 1, 'a second Enter was no second move');
});

test('a warning is shown as long as something is unsaved', async (t) => {
    const page = await visit(t, `${server.url}/#game=v`, { tolerate: [/^IndexedDB/], kept: {
        'game.v': keptGame('v', newRecord()) } });
    await turn(page);
    const warning = page.locator('#unsaved', { hasText: 'Not saved' });
    const empty = await fillStore(page);
    await move(page);
    await warning.waitFor();
    await go(page, 'games');
    await page.locator('[data-game=v]').waitFor();
    await warning.waitFor();
    await go(page, 'game=v');
    assert.ok(await move(page), 'it goes on where it was');
    await warning.waitFor();
    await empty();
    await move(page);
    await warning.waitFor({ state: 'hidden' });
    assert.equal((await storedGame(page, 'v')).record.match(/^1 /mg).length, 3);
});

// ---- A database that fails ----

// Runs in the page, before anything else there: the database does not open before
// window.answer().
function neverOpen() {
    const { open } = IDBFactory.prototype;
    const waiting = [];
    IDBFactory.prototype.open = (...words) => {
        const request = {};
        waiting.push(() => {
            const real = open.apply(indexedDB, words);
            real.onsuccess = () => {
                request.result = real.result;
                request.onsuccess();
            };
        });
        return request;
    };
    window.answer = () => {
        IDBFactory.prototype.open = open;
        for (const act of waiting) act();
    };
}

test('a database that does not open delays the page, but not for ever', async (t) => {
    const page = await visit(t, `${server.url}/#help`, { tolerate: [/^IndexedDB/], kept: {
        'game.v': keptGame('v', newRecord()) } });
    await arrived(page, 'help');
    await page.addInitScript(neverOpen);
    await page.goto(`${server.url}/?again#`);
    await page.waitForFunction(() => window.testClock);
    const warning = page.locator('#unsaved', { hasText: 'can’t read or save games' });
    await until(async () => { // however far the page is
        await pass(page, 4000);
        return warning.isVisible();
    });
    await arrived(page, 'start');
    await page.locator('.start-verplant').waitFor();
    assert.equal(await page.locator('.start-last').count(), 0);
    await page.evaluate(() => window.answer());
    await until(async () => { // when the attempt before has ended
        await pass(page, 3000);
        return !await warning.isVisible();
    });
    await page.locator('.start-last').waitFor();
    await go(page, 'game=v');
    await move(page);
    assert.match((await storedGame(page, 'v')).record, /^1 /m);
});

// Runs in the page: the next `count` attempts to read fail as in Safari when it has lost its
// database.
function failToRead(count) {
    for (const name of ['get', 'getAll', 'count']) {
        const real = IDBObjectStore.prototype[name];
        IDBObjectStore.prototype[name] = function read(...words) {
            if (this.transaction.mode === 'readonly' && count-- > 0)
                throw new DOMException('Connection to Indexed Database server lost.',
                    'UnknownError');
            return real.apply(this, words);
        };
    }
}

test('one failed reading is made again; after more of them the warning ends with them',
    async (t) => {
        const page = await visit(t, `${server.url}/#help`, { tolerate: [/^IndexedDB/], kept: {
            'game.v': keptGame('v', newRecord()) } });
        await arrived(page, 'help');
        const warning = page.locator('#unsaved', { hasText: 'can’t read or save games' });
        await page.evaluate(failToRead, 1);
        await go(page, 'games');
        await page.locator('[data-game=v]').waitFor();
        assert.equal(await warning.isVisible(), false);
        await go(page, 'help');
        await page.evaluate(failToRead, 4);
        await go(page, 'games');
        await warning.waitFor();
        await page.getByText('No saved games yet').waitFor();
        await until(async () => {
            await pass(page, 3000);
            return !await warning.isVisible();
        });
        await page.locator('[data-game=v]').waitFor();
        await go(page, 'game=v');
        await move(page);
    });

// ---- Sheets ----

test('two sheets of one id live side by side', async (t) => {
    const onHarbour = await played(newRecord({ map: 'harbour' }), 6, { map: harbour });
    const onCanal = await played(newRecord({ map: 'harbour' }), 6, { map: canal });
    const page = await visit(t, `${server.url}/#games`);
    await arrived(page, 'games');
    assert.deepEqual(await bring(page, { name: 'a.record', text: `${onHarbour}---\n${harbour}` }),
        ['1 game imported.', '1 sheet imported.']);
    assert.deepEqual(await bring(page, { name: 'b.record', text: `${onCanal}---\n${canal}` }),
        ['1 game imported.', '1 sheet imported.']);
    assert.deepEqual(await bring(page, { name: 'b.record', text: `${onCanal}---\n${canal}` }),
        ['1 game was already here.', '1 sheet was already here.']);
    for (const [text, title] of [[harbour, 'Harbour'], [canal, 'Canal']]) {
        const { map, record } = (await storedGames(page)).find((game) => game.map === text);
        assert.match(record, RegExp(`^map harbour ${hashOf(text)}$`, 'm'));
        assert.equal(rules.map(map).title, title);
    }
    await becomes(async () => (await page.locator('.kept h2').allTextContents()).sort(),
        ['Canal', 'Harbour']);
    await go(page, 'new=verplant');
    for (const title of ['Canal', 'Harbour'])
        await page.getByRole('radio', { name: title }).waitFor({ state: 'attached' });
    await page.getByRole('radio', { name: 'Canal' }).check();
    await page.getByRole('button', { name: 'Start the game' }).click();
    await arrived(page, 'game');
    await turn(page);
    assert.equal(await page.locator('.table h1').textContent(), 'Canal');
    // A game that does not say which sheet it is: the reader is asked.
    await go(page, 'games');
    const unclear = onCanal.replace(/^map .*/m, 'map harbour').replace('Ada', 'Zoe');
    const said = bring(page, { name: 'c.record', text: unclear });
    await page.locator('dialog').getByRole('button', { name: 'Canal' }).click();
    assert.deepEqual(await said, ['1 game imported.']);
    const asked = (await storedGames(page)).find(({ record }) => record.includes('Zoe'));
    assert.equal(asked.map, canal);
});

test('a sheet with the id of a city is another sheet', async (t) => {
    const other = sheetNamed('My Berlin', 'berlin');
    const record = await played(newRecord({ map: 'berlin' }), 6, { map: other });
    const page = await visit(t, `${server.url}/#games`);
    await arrived(page, 'games');
    assert.deepEqual(await bring(page, { name: 'x.record', text: record }), [
        'x.record was played on another version of the sheet “berlin”. Add its .map file too.']);
    assert.deepEqual(await bring(page, { name: 'x.map', text: other }),
        ['1 game imported.', '1 sheet imported.']);
    await becomes(() => page.locator('.kept h2').textContent(), 'My Berlin');
    await go(page, `game=${(await storedGames(page))[0].id}`);
    await move(page);
});

// ---- Export and import ----

test('a backup brings everything back as it was', async (t) => {
    const kept = {
        settings: { language: 'en', patterns: true, confirmed: true, people: ['Ada', 'Bea'],
            setup: {}, later: 1 },
        'game.m': keptGame('m', metro, { created: 1e12, changed: 2e12, title: 'Metro', stars: 4 }),
        'game.copy': keptGame('copy', metro, { created: 3e11, changed: 4e11, title: 'Copy' }),
        'game.o': keptGame('o', over, { over: true, created: 5e11, changed: 6e11 }),
        'game.own': keptGame('own', await played(newRecord({ map: 'harbour' }), 6,
            { map: harbour }), { map: harbour }),
        'map.a': { text: harbour }, 'map.b': { text: canal },
        'value.lesson': { kind: 'metro', id: 'm', reached: 3 },
    };
    const page = await visit(t, `${server.url}/#settings`, { kept });
    await arrived(page, 'settings');
    const plain = async () => Object.fromEntries(Object.entries(await storedAll(page))
        .map(([name, { revision, ...item }]) => [name, item]));
    const before = await plain();
    const file = await download(page, () =>
        page.getByRole('button', { name: 'Save everything' }).click());
    assert.match(file.name, /^endstation-\d{4}-\d\d-\d\d\.json$/);
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Delete everything' }).click();
    await page.getByText('0 games are saved').waitFor();
    assert.deepEqual(await storedAll(page), {});
    await go(page, 'games');
    assert.deepEqual(await bring(page, file), ['4 games imported.', '2 sheets imported.',
        'Settings restored.']);
    const { settings, ...items } = await plain();
    const { settings: settingsBefore, ...itemsBefore } = before;
    assert.deepEqual(items, itemsBefore);
    for (const [name, value] of Object.entries(settingsBefore))
        assert.deepEqual(settings[name], value, name);
    assert.deepEqual(await bring(page, file), ['4 games were already here.',
        '2 sheets were already here.']);
    assert.equal((await storedGames(page)).length, 4);
    await page.locator('.drop input').setInputFiles({ name: 'fr.json', mimeType: 'text/plain',
        buffer: Buffer.from(file.text.replace('"language": "en"', '"language": "fr"')) });
    await page.locator('html[lang=fr]').waitFor({ state: 'attached' });
    await page.selectOption('#bar-language', 'en');
    await page.locator('html[lang=en]').waitFor({ state: 'attached' });
    await arrived(page, 'games');
    // A game that has been continued since is not set back.
    await go(page, 'game=own');
    await move(page);
    await turn(page);
    const { record } = await storedGame(page, 'own');
    await go(page, 'games');
    assert.deepEqual(await bring(page, file), ['1 game imported.', '3 games were already here.',
        '2 sheets were already here.']);
    assert.equal((await storedGame(page, 'own')).record, record);
    for (const text of ['{', '{"endstation-backup":2}', '[]',
        '{"endstation-backup":1,"games":[{}]}'])
        assert.match((await bring(page, { name: 'x.json', text }))[0], /^x\.json.*\.$/);
});

test('a form forgets its names when another tab deletes everything', async (t) => {
    const page = await visit(t, `${server.url}/#new=verplant`);
    await arrived(page, 'new');
    const name = page.getByRole('textbox', { name: 'Name of player 1' });
    await name.fill('Ada');
    const other = await open(t, page.context(), `${server.url}/#settings`);
    await arrived(other, 'settings');
    await other.getByRole('button', { name: 'Delete everything' }).click();
    await other.locator('dialog').getByRole('button', { name: 'Delete everything' }).click();
    await name.waitFor({ state: 'detached' });
    await go(page, 'new=verplant');
    await arrived(page, 'new');
    assert.notEqual(await name.inputValue(), 'Ada');
});

test('an imported game keeps its date', async (t) => {
    const page = await visit(t, `${server.url}/#games`);
    await arrived(page, 'games');
    await bring(page, { name: 'x.record', text: over });
    const [{ created, changed }] = await storedGames(page);
    assert.match(over, /^date 2025-06-30$/m);
    for (const time of [created, changed])
        assert.equal(new Date(time).toISOString().slice(0, 10), '2025-06-30');
});

test('after a game the browser is asked to keep the data, and its answer shown', async (t) => {
    const last = await played(newRecord(), over.split('\n\n')[1].split('\n').length - 2);
    const page = await visit(t, `${server.url}/#settings`, {
        kept: { 'game.a': keptGame('a', last) }, prepare: (context) => context.addInitScript(() => {
            let promised = false;
            window.asked = 0;
            Object.assign(StorageManager.prototype, {
                persisted: async () => promised,
                persist: async () => {
                    window.asked++;
                    promised = true;
                    return true;
                },
            });
        }) });
    await page.getByText('unless it promises').waitFor();
    await go(page, 'game=a');
    while (await move(page));
    await page.waitForFunction(() => window.asked === 1);
    await go(page, 'settings');
    await page.getByText('has promised to keep').waitFor();
});

test('a page that Safari may empty says so, and offers a file', async (t) => {
    const page = await visit(t, `${server.url}/#settings`, {
        kept: { 'game.o': keptGame('o', over, { over: true }) },
        prepare: (context) => context.addInitScript(() => {
            navigator.standalone = false; // as on a phone or tablet of Apple
            StorageManager.prototype.persisted = async () => false;
        }) });
    await page.getByText('deletes this after seven days').waitFor();
    const beside = page.locator('.panel', { hasText: 'The installed page starts without' });
    const file = await download(page, () =>
        beside.getByRole('button', { name: 'Save everything as a file' }).click());
    assert.deepEqual(JSON.parse(file.text).games.map(({ id }) => id), ['o']);
});

// ---- One click ----

test('a double click starts one game', async (t) => {
    const page = await visit(t, server.url);
    await arrived(page, 'start');
    await page.locator('.start-verplant button').dblclick();
    await turn(page);
    assert.equal((await storedGames(page)).length, 1, 'Play');
    await go(page, 'new=metro');
    await page.getByRole('button', { name: 'Start the game' }).dblclick();
    await turn(page);
    assert.equal((await storedGames(page)).length, 2, 'Start');
    const [{ id }] = await storedGames(page);
    await go(page, '');
    await go(page, `game=${id}`);
    await turn(page);
});

test('a double click on Play again starts one game', async (t) => {
    const page = await visit(t, `${server.url}/#game=o`, { kept: {
        'game.o': keptGame('o', over, { over: true }) } });
    await page.getByRole('button', { name: 'Play again' }).dblclick();
    await page.waitForFunction(() => location.hash !== '#game=o');
    await turn(page);
    const games = await storedGames(page);
    assert.equal(games.length, 2);
    const again = games.find(({ id }) => id !== 'o').record;
    assert.match(again, /^player 1 Bea$/m);
    assert.notEqual(/^seed (.*)$/m.exec(again)[1], /^seed (.*)$/m.exec(over)[1]);
});

// ---- Names ----

test('names keep letters and emoji, but no marks that change the direction', async (t) => {
    const page = await visit(t, `${server.url}/#new=verplant`);
    await arrived(page, 'new');
    const names = ['👩‍🚀 Ada', 'نوروز‌گل', '\u202eevil\u202c', '\u200b\u200d', 'שלום',
        'strong (bot)'];
    for (const [i, name] of names.entries()) {
        if (i > 0) {
            await page.getByRole('button', { name: 'Add a player' }).click();
            await page.getByLabel(`Who plays seat ${i + 1}`).selectOption('');
        }
        await page.getByLabel(`Name of player ${i + 1}`).fill(name);
        await page.getByLabel(`Name of player ${i + 1}`).blur();
    }
    await page.getByRole('button', { name: 'Start the game' }).click();
    await arrived(page, 'game');
    const [{ record }] = await storedGames(page);
    assert.deepEqual([...record.matchAll(/^player (\d) (.*)$/mg)].map(([, , name]) => name),
        [names[0], names[1], 'evil', names[4], names[5]]);
    assert.doesNotMatch(record, /^bot /m, 'people may be called anything');
    await go(page, 'games');
    const line = page.locator('.kept-words .small').first();
    await line.filter({ hasText: 'שלום' }).waitFor();
    assert.match(await line.textContent(), /\u2068שלום\u2069/u, 'isolated');
});

test('two players with the same name are told apart', async (t) => {
    const page = await visit(t, `${server.url}/#games`, { kept: { 'game.a': keptGame('a',
        newRecord({ game: 'metro', seats: ['Ada', 'Ada', { bot: 'greedy' }, { bot: 'greedy' }] }))
    } });
    const line = page.locator('.kept-words .small').first();
    await line.filter({ hasText: 'Ada' }).waitFor();
    assert.match(await line.textContent(),
        /Ada \(1\), Ada \(2\), Greedy \(bot\), Greedy \(bot 2\)/);
});

// ---- Bots that are not here ----

test('a seat whose bot is not here goes to another, or to a person', async (t) => {
    const unknown = newRecord({ seats: ['Ada', { bot: 'exec' }] });
    for (const [choice, level] of [['Greedy', 'greedy'], ['Person on this device', '']]) {
        const page = await visit(t, `${server.url}/#game=a`, { kept: {
            'game.a': keptGame('a', unknown) } });
        const dialog = page.locator('dialog', { hasText: '“exec”' });
        await dialog.waitFor();
        await page.keyboard.press('Escape'); // the notice then offers it again
        await page.locator('.notice').getByRole('button', { name: 'Choose a bot' }).click();
        await dialog.getByRole('button', { name: choice, exact: true }).click();
        await until(async () => !(await storedGame(page, 'a')).record.includes('exec'));
        const { record } = await storedGame(page, 'a');
        if (level) assert.match(record, /^bot 2 greedy$/m);
        else assert.doesNotMatch(record, /^bot /m);
        await turn(page);
        await page.keyboard.press('d');
        await page.keyboard.press('Enter');
        if (level) await until(async () => (await storedGame(page, 'a')).record.includes('\n2 '));
        else await page.locator('.handover').waitFor();
    }
});

// ---- Found by trying to break it ----

const twoBackups = (...lists) => lists.map((games, i) => ({ name: `${i}.json`,
    text: JSON.stringify({ 'endstation-backup': 1, games, sheets: [], values: [] }) }));

test('backups that overlap, are old, or contain invalid items are imported safely', async (t) => {
    const page = await visit(t, `${server.url}/#games`,
        { kept: { 'game.m': keptGame('m', metro) } });
    await arrived(page, 'games');
    const o = keptGame('o', over, { over: true });
    assert.deepEqual(await bring(page, ...twoBackups([o], [o])),
        ['1 game imported.', '1 game was already here.']);
    const earlier = keptGame('m', newRecord({ game: 'metro', seats }));
    assert.deepEqual(await bring(page, ...twoBackups([earlier])), ['1 game imported.']);
    assert.deepEqual(await bring(page, ...twoBackups([earlier])), ['1 game was already here.'],
        'a copy comes in once');
    const odd = { 'endstation-backup': 1, sheets: [null, { text: { toString: 1 } }],
        games: [null, keptGame('good', newRecord({ seats: ['Cleo'] }))], settings: 7,
        values: [null, { name: 'schema', value: 9 }, { name: 'lesson', value: { kind: 'metro',
            id: 'm', reached: 1 } }] };
    const said = await bring(page, { name: 'odd.json', text: JSON.stringify(odd) });
    assert.equal(said.at(-1), '1 game imported.');
    for (const line of said) assert.match(line, /\.$/);
    await go(page, 'learn=verplant');
    assert.ok(await storedGame(page, 'm'), 'no lesson takes a game that is played here');
});

test('a question that is not answered saves nothing', async (t) => {
    const onCanal = await played(newRecord({ map: 'harbour' }), 6, { map: canal });
    const unclear = onCanal.replace(/^map .*/m, 'map harbour').replace('Ada', 'Zoe');
    const page = await visit(t, `${server.url}/#games`, { kept: {
        'map.a': { text: harbour }, 'map.b': { text: canal } } });
    await arrived(page, 'games');
    const said = bring(page, { name: 'x.record', text: `${onCanal}---\n${unclear}` });
    await page.locator('dialog', { hasText: 'Which sheet' }).waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(await said, [
        'x.record was played on the sheet “harbour”, which isn’t saved here. ' +
            'Add its .map file too.',
        '1 game imported.']);
    assert.equal((await storedGames(page)).length, 1);
});

test('the last move of a game alone can be taken back, and made again', async (t) => {
    const page = await visit(t, `${server.url}/#game=a`, { kept: { 'game.a': keptGame('a',
        await played(newRecord(), over.split('\n\n')[1].split('\n').length - 2)) } });
    while (await move(page));
    await page.locator('.ending h2').waitFor();
    await page.keyboard.press('Backspace');
    await page.locator('.table:not(.table-over)').waitFor();
    await move(page);
    await page.locator('.ending h2').waitFor();
});

test('two tabs of the conductor agree and then stop writing', async (t) => {
    const one = await visit(t, `${server.url}/#companion`);
    await arrived(one, 'companion');
    await one.getByRole('button', { name: 'Just add up scores' }).click();
    await one.getByRole('heading', { name: 'Add up scores' }).waitFor();
    const two = await open(t, one.context(), `${server.url}/#companion`);
    await two.getByRole('heading', { name: 'Add up scores' }).waitFor();
    await two.getByRole('button', { name: 'Back to the cards' }).click();
    for (const page of [one, two]) await page.locator('.companion-card').waitFor();
    const kept = JSON.stringify(await storedAll(one));
    await one.evaluate(() => new Promise((done) => {
        const channel = new BroadcastChannel('endstation');
        channel.onmessage = () => done('somebody wrote');
        requestAnimationFrame(() => requestAnimationFrame(done));
    }));
    assert.equal(JSON.stringify(await storedAll(one)), kept);
});

test('a tab told twice to lead still leads, and outdated messages change nothing', async (t) => {
    const page = await visit(t, `${server.url}/#game=m`,
        { kept: { 'game.m': keptGame('m', metro) } });
    await turn(page);
    await page.evaluate(() => {
        document.dispatchEvent(new Event('visibilitychange'));
        document.dispatchEvent(new Event('visibilitychange'));
        const channel = new BroadcastChannel('endstation');
        channel.postMessage({ store: 'games', keys: ['m'] });
        channel.postMessage({ store: 'games', keys: ['m'] });
    });
    assert.ok(await move(page));
    await turn(page); // the bot has moved
    const { record } = await storedGame(page, 'm');
    assert.ok(record.match(/^2 /mg).length > (metro.match(/^2 /mg) ?? []).length);
    assert.equal(await page.locator('.notice').count(), 0);
});

test('a hint survives hidden moves of a bot', async (t) => {
    const page = await visit(t, `${server.url}/#game=v`, { workers: 'held', kept: {
        'game.v': keptGame('v', newRecord({ seats })) } });
    await turn(page);
    await isAsked(page, 1);
    await page.locator('button[data-key=hint]').click();
    await isAsked(page, 2);
    await answer(page);
    await page.locator('.hint-list').waitFor();
    await until(async () => (await storedGame(page, 'v')).record.includes('\n2 '));
    assert.equal(await page.locator('.hint-list').count(), 1);
});
