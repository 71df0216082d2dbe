// Tests of saved games: a game is the same after a reload, to the byte; files are
// exported and imported completely, and a broken one changes nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { arrived, engine, fillStore, go, hearsNothing, keptGame, move, newRecord, open, played,
    profile, program, serve, store, storedAll, storedGame, storedGames, turn, until,
    visit } from './browser.mjs';
import { answer, asked, hold, isAsked } from './control.mjs';
import { becomes } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());
const folder = mkdtempSync(join(tmpdir(), 'endstation-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

const seats = ['Ada', { bot: 'greedy' }];
const verplant = await played(newRecord({ map: 'amsterdam', seats }), 12);
const metro = await played(newRecord({ game: 'metro', seats }), 25);
const over = await played(newRecord({ seats: ['Bea'] }));
const games = {
    'game.v': keptGame('v', verplant, { changed: 3 }),
    'game.m': keptGame('m', metro, { changed: 2 }),
    'game.o': keptGame('o', over, { changed: 1, over: true }),
};

// A player's own sheet: the small one with another name, with markup where people may write.
const MARKUP = '<img src=x onerror=alert(1)>';
const ownMap = spawnSync(program, ['maps', 'practice'], { encoding: 'utf8' }).stdout
    .replace(/^id .*/m, 'id harbour').replace(/^title .*/m, `title ${MARKUP}`);
const ownRecord = await played(newRecord({ map: 'harbour' }), 8, { map: ownMap });

const engineInfo = (await engine()).info();
const native = (words, input) => spawnSync(program, words, { input, encoding: 'utf8' });

// Everything that a player sees of the table, and what is kept of it.
async function look(page, id) {
    await turn(page);
    const seen = await page.evaluate(() => {
        const picture = document.querySelector('.pane-inner svg').cloneNode(true);
        for (const mark of picture.querySelectorAll('.drawn')) // for the eye only
            mark.classList.remove('drawn');
        for (const path of picture.querySelectorAll('[pathLength]'))
            path.removeAttribute('pathLength');
        const text = (selector) => document.querySelector(selector)?.textContent;
        return {
            picture: picture.outerHTML, title: text('h1'), status: text('.table-status'),
            now: text('.now-region'), log: text('.log-region'), others: text('.others-region'),
            controls: text('.controls-region'), say: text('.say'),
        };
    });
    return { ...seen, record: (await storedGame(page, id)).record };
}

// All bots have entered, as far as they can.
const botsReady = (page) => page.waitForFunction(() =>
    !document.querySelector('.others .other:not(.ready)'));

function isContinued(before, after, least) {
    assert(after.startsWith(before), 'nothing of the past has changed');
    const more = after.slice(before.length).trim().split('\n').length;
    assert(more >= least, `${more} more events`);
    assert.equal(native(['replay', '-'], after).status, 0, 'the program agrees');
}

test('a reload resumes the very same game', async (t) => {
    for (const [id, record] of [['v', verplant], ['m', metro]]) {
        const page = await visit(t, `${server.url}/#game=${id}`, { kept: games });
        await move(page);
        await turn(page);
        await botsReady(page);
        const before = await look(page, id);
        isContinued(record, before.record, 2);
        await page.keyboard.press(id === 'v' ? 'a' : 'ArrowRight'); // a plan is not a move
        await page.reload();
        await turn(page);
        await botsReady(page);
        assert.deepEqual(await look(page, id), before);
        await move(page);
        await turn(page);
        await botsReady(page);
        isContinued(before.record, (await storedGame(page, id)).record, 2);
    }
});

test('a reload while a bot thinks changes nothing about the game', async (t) => {
    const ends = await Promise.all([false, true].map(async (reload) => {
        const page = await visit(t, `${server.url}/#game=m`, { kept: games, workers: 'held' });
        for (let i = 0; i < 2; i++) {
            const before = (await asked(page)).length;
            await turn(page);
            await page.keyboard.press('ArrowRight');
            await page.keyboard.press('Enter');
            await isAsked(page, before + 1);
            const { record } = await storedGame(page, 'm');
            if (reload) {
                await page.reload();
                await isAsked(page);
                assert.equal((await storedGame(page, 'm')).record, record);
            }
            await answer(page);
            await until(async () => (await storedGame(page, 'm')).record.length > record.length);
            await turn(page);
            await hold(page);
        }
        return (await storedGame(page, 'm')).record;
    }));
    isContinued(metro, ends[0], 8);
    assert.equal(ends[1], ends[0]);
});

test('everything is there after the browser was closed and opened again', async (t) => {
    const place = join(folder, 'profile');
    const begin = await profile(place);
    const first = await open(t, begin, server.url);
    await first.locator('.start-verplant button').click();
    await arrived(first, 'game');
    const id = new URL(first.url()).hash.split('=')[1];
    await move(first);
    await first.locator('#bar-language').selectOption('de');
    await first.locator('html[lang=de]').waitFor({ state: 'attached' });
    await move(first);
    await turn(first);
    const before = await look(first, id);
    await begin.close();
    const again = await profile(place);
    t.after(() => again.close());
    const second = await open(t, again, server.url);
    await second.locator(`.start-last a[href="#game=${id}"]`).click();
    await arrived(second, 'game');
    assert.deepEqual(await look(second, id), before);
    assert.equal(await second.locator('html').getAttribute('lang'), 'de');
});

test('games are listed, deleted and restored', async (t) => {
    const page = await visit(t, `${server.url}/#games`, { kept: games });
    const items = page.locator('.kept');
    await page.waitForFunction(() => { // the names come with the pictures
        const titles = [...document.querySelectorAll('.kept h2')];
        return titles.length === 3 && titles.every((title) => title.textContent.length > 1);
    });
    assert.deepEqual(await items.evaluateAll((all) => all.map((item) => item.dataset.game)),
        ['v', 'm', 'o']);
    assert.match(await items.nth(0).textContent(), /Amsterdam.*Ada.*greedy/is);
    assert.match(await items.nth(1).textContent(), /Metro.*Ada.*greedy/is);
    assert.equal(await items.nth(2).locator('a.button').first().textContent(), 'Replay');
    await items.nth(0).getByRole('button', { name: 'Delete' }).click();
    await becomes(() => items.count(), 2);
    await becomes(() => storedGame(page, 'v'), null);
    await page.getByRole('button', { name: 'Restore' }).click();
    await items.nth(2).waitFor();
    await becomes(() => storedGame(page, 'v'), games['game.v']);
    await items.nth(0).locator('a', { hasText: 'Continue' }).click();
    await arrived(page, 'game');
    await turn(page);
});

// ---- Files ----

async function download(page, click) {
    const [file] = await Promise.all([page.waitForEvent('download'), click()]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

const save = (page, id) => download(page, () => page.locator(`[data-game="${id}"]`)
    .getByRole('button', { name: 'Save as a file' }).click());

// Gives files ({name, text} or a path) to the field on the page, and waits until it has said
// something about them.
async function bring(page, ...files) {
    await page.locator('.drop + div').evaluate((said) => said.replaceChildren());
    await page.locator('.drop input').setInputFiles(files.map((file) => file.name
        ? { name: file.name, mimeType: 'text/plain', buffer: Buffer.from(file.text) } : file));
    await page.locator('.drop + div:not([aria-busy]) > *').first().waitFor();
    return page.locator('.drop + div').evaluate((said) => [...said.querySelectorAll('li, p')]
        .map((line) => line.textContent));
}

test('a game is exported as its record and imported again', async (t) => {
    const page = await visit(t, `${server.url}/#games`, { kept: { ...games,
        'game.own': keptGame('own', ownRecord, { map: ownMap }) } });
    await arrived(page, 'games');
    const files = {};
    for (const id of ['v', 'm', 'o', 'own']) files[id] = await save(page, id);
    for (const [id, record] of [['v', verplant], ['m', metro], ['o', over]]) {
        assert.equal(files[id].text, record);
        assert.match(files[id].name, /^[a-z-]+-\d{4}-\d\d-\d\d\.record$/);
        const table = await engine();
        table.open(record);
        assert.equal(native(['replay', '-'], files[id].text).stdout, table.report());
    }
    assert.equal(files.own.text, `${ownRecord}---\n${ownMap}`);

    const other = await visit(t, `${server.url}/#games`);
    await arrived(other, 'games');
    assert.deepEqual(await bring(other, ...Object.values(files)), ['4 games imported.',
        '1 sheet imported.']);
    const came = await storedGames(other);
    assert.deepEqual(came.map(({ record }) => record).sort(),
        [verplant, metro, over, ownRecord].sort());
    assert.equal(came.find(({ record }) => record === ownRecord).map, ownMap);
    assert.equal(came.find(({ record }) => record === over).over, true);
    await bring(other, ...Object.values(files));
    assert.equal((await storedGames(other)).length, 4, 'nothing comes twice');
    const { id } = came.find(({ record }) => record === ownRecord);
    assert.equal((await save(other, id)).text, files.own.text);
    await go(other, `game=${id}`);
    await move(other);
});

// Drops a file on an element; returns whether the page would be replaced by it.
const drop = (page, selector, text) => page.evaluate(([where, content]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'x.record'));
    const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
    return document.querySelector(where).dispatchEvent(event);
}, [selector, text]);

test('a file is imported wherever it is dropped, and replaces no page', async (t) => {
    const page = await visit(t, `${server.url}/#games`);
    await arrived(page, 'games');
    for (const [i, where] of ['h1', '#bar', '.drop'].entries()) {
        const text = newRecord({ seed: String(i).repeat(64) });
        assert.equal(await drop(page, where, text), false);
        await becomes(async () => (await storedGames(page)).length, i + 1);
        await page.locator('.drop + div', { hasText: '1 game imported.' }).waitFor();
    }
    await go(page, 'help');
    assert.equal(await drop(page, 'h1', 'x'), false);
});

test('of many files none is left out', async (t) => {
    const page = await visit(t, `${server.url}/#games`);
    await arrived(page, 'games');
    const files = Array.from({ length: 120 }, (_, i) => ({ name: `${i}.record`,
        text: newRecord({ seed: i.toString(16).padStart(64, '0') }) }));
    assert.deepEqual(await bring(page, ...files), ['120 games imported.']);
    assert.equal((await storedGames(page)).length, 120);
});

test('a new game is what the program would begin', async (t) => {
    const page = await visit(t, server.url);
    await page.locator('.start-verplant button').click();
    await arrived(page, 'game');
    await turn(page);
    const record = await until(async () => (await storedGames(page)).find((game) =>
        game.record.includes('\ncard '))?.record);
    const seed = /^seed (.*)$/m.exec(record)[1];
    assert.match(record, /^date \d{4}-\d\d-\d\d$/m);
    assert.equal(record.replace(/^date .*\n/m, ''),
        native(['new', '--map', 'amsterdam', '--seed', seed]).stdout);
});

const BROKEN = [
    ['binary.record', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0, 0, 1])],
    ['zeros.record', Buffer.alloc(4000)],
    ['empty.record', ''],
    ['cut.record', verplant.slice(0, verplant.indexOf('\n2 E5') + 2)],
    ['head.record', verplant.slice(0, 60)],
    ['line.record', verplant.replace('1 E5', '1 Z5')],
    ['twice.record', `${verplant}${verplant}`],
    ['words.record', 'Dear all,\nthis is not a game.\n'],
    ['page.record', '<!doctype html><script>alert(1)</script>'],
    ['city.record', verplant.replace('map amsterdam', 'map amsterdam berlin')],
    ['sheet.map', ownMap.replace(/^line A .*/m, 'line A 123456 windows 99')],
    ['half.map', ownMap.slice(0, ownMap.length / 2)],
];

test('broken files are refused with their line, and nothing is lost', async (t) => {
    const page = await visit(t, `${server.url}/#games`, { kept: games });
    await arrived(page, 'games');
    const before = await storedAll(page);
    for (const [name, text] of BROKEN) {
        const said = (await bring(page, { name, text })).join('\n');
        const path = join(folder, name);
        writeFileSync(path, text);
        const asked = native(name.endsWith('.map') ? ['maps', path] : ['replay', path]);
        assert.notEqual(asked.status, 0, `${name}: the program refuses it, too`);
        const [, line] = new RegExp(`${name}:(\\d+)`).exec(asked.stderr) ?? [];
        const where = line && !said.includes('as text') ? `${name}:${line}: ` : `${name}: `;
        assert(said.startsWith(where), `${said}: not at ${where}`);
        assert.match(said, /^\S+ .*[a-z].*\.$/s, 'a sentence');
        assert.deepEqual(await storedAll(page), before, name);
    }
    writeFileSync(join(folder, 'huge.record'), Buffer.alloc(20 << 20, '# nothing\n'));
    assert.deepEqual(await bring(page, join(folder, 'huge.record')),
        ['huge.record: The file is larger than 16 MiB.']);
    writeFileSync(join(folder, 'many.record'), Buffer.alloc(3 << 20, '---\n'));
    assert.deepEqual(await bring(page, join(folder, 'many.record')),
        ['many.record: The file holds more than 10,000 games.']);
    assert.deepEqual(await storedAll(page), before);

    const good = { name: 'good.record', text: ownRecord }; // imported despite the broken ones
    const map = { name: 'good.map', text: ownMap };
    const said = await bring(page, { name: 'bad.record', text: 'no' }, good, map);
    assert.match(said[0], /^bad\.record:1: /);
    assert.deepEqual(said.slice(1), ['1 game imported.', '1 sheet imported.']);
    const after = await storedAll(page);
    for (const name of Object.keys(before)) assert.deepEqual(after[name], before[name], name);
});

test('a game whose sheet is missing waits for it', async (t) => {
    const page = await visit(t, `${server.url}/#games`);
    await arrived(page, 'games');
    const before = await storedAll(page);
    const [said] = await bring(page, { name: 'trip.record', text: ownRecord });
    assert.match(said, /^trip\.record .*“harbour”.*map file/);
    assert.deepEqual(await storedAll(page), before);
    assert.deepEqual(await bring(page, { name: 'harbour.map', text: ownMap }),
        ['1 game imported.', '1 sheet imported.']);
    assert.equal((await storedGames(page))[0].record, ownRecord);
});

test('markup in names is text', async (t) => {
    const record = await played(newRecord({ map: 'harbour', seats: [MARKUP] }), 8,
        { map: ownMap });
    const page = await visit(t, `${server.url}/#games`);
    page.on('dialog', () => assert.fail('a script ran'));
    await arrived(page, 'games');
    await bring(page, { name: `${MARKUP}.record`, text: record }, { name: 'x.map', text: ownMap });
    const [{ id }] = await storedGames(page);
    const harmless = async (where) => {
        await page.getByText(MARKUP).first().waitFor({ state: 'attached' });
        assert.equal(await page.locator('img:not([src$="icon.svg"]), script:not([src])').count(), 0,
            where);
    };
    await harmless('list');
    for (const hash of [`game=${id}`, `replay=${id}`, 'new=verplant', '']) {
        await go(page, hash);
        await harmless(hash);
    }
    await go(page, 'games');
    const [said] = await bring(page, { name: 'named.record',
        text: record.replace(/^1 .*$/m, `1 ${MARKUP}`) });
    assert(said.startsWith('named.record:') && said.includes(MARKUP), said);
    await harmless('fault');
});

// ---- Storage that is full or damaged, and other tabs that write ----

test('when storage is full the page says so and the game continues', async (t) => {
    const page = await visit(t, `${server.url}/#game=v`, { kept: games, tolerate: [/^IndexedDB/] });
    await turn(page);
    await botsReady(page);
    const before = (await storedGame(page, 'v')).record;
    const empty = await fillStore(page);
    await move(page);
    const notice = page.locator('#unsaved');
    await notice.getByText('Not saved').waitFor();
    await move(page);
    await turn(page);
    await botsReady(page);
    assert.equal((await storedGame(page, 'v')).record, before, 'what was kept stays');
    const file = await download(page,
        () => notice.getByRole('button', { name: 'Save as a file' }).click());
    isContinued(before, file.text, 4);
    await empty();
    await move(page);
    await turn(page);
    const { record } = await storedGame(page, 'v');
    isContinued(file.text, record, 1);
    await page.reload();
    await turn(page);
    isContinued(record, (await storedGame(page, 'v')).record, 0);
});

test('a damaged item does not hide the others', async (t) => {
    const page = await visit(t, server.url, { tolerate: [/Fault/], kept: {
        ...games, settings: '{"theme":7,"people":"x","setup":null,"language":[]}',
        'game.a': { id: 'a' }, 'game.b': keptGame('b', 7), 'game.c': keptGame('c', verplant,
            { changed: 9e15 }), 'map.d': { hash: 'd' }, 'value.conductor': 'x',
        'value.lesson': [1],
        'game.e': keptGame('e', 'endstation-record 1\ngame verplant\nmap moon\nplayers 1\n\n'),
    } });
    await arrived(page, 'start');
    await go(page, 'games');
    await page.locator('[data-game=e] .warn-text').waitFor();
    await becomes(() => page.locator('.kept').count(), 4);
    assert.equal(await page.locator('[data-game=e] .kept-doors a').count(), 0);
    for (const hash of ['game=e', 'game=a', 'game=nowhere', 'replay=e', 'replay=a']) {
        await go(page, hash);
        await page.locator('.message a.button').waitFor();
        assert.match(await page.locator('.message').textContent(), /can’t be (shown|opened)/);
    }
    await go(page, 'game=v');
    await move(page);
});

test('two tabs show the same game', async (t) => {
    const one = await visit(t, `${server.url}/#game=m`, { kept: games });
    const two = await open(t, one.context(), `${server.url}/#game=m`);
    await Promise.all([turn(one), turn(two)]);
    await move(one);
    await two.locator('.notice', { hasText: 'continued in another window' }).waitFor();
    await Promise.all([turn(one), turn(two)]);
    await move(two);
    const seen = await look(two, 'm');
    await becomes(() => look(one, 'm'), seen);
    isContinued(metro, seen.record, 6);
    const list = await open(t, one.context(), `${server.url}/#games`);
    await list.locator('[data-game=m]').getByRole('button', { name: 'Delete' }).click();
    for (const page of [one, two])
        await page.getByText('deleted in another window').waitFor();
});

test('a tab that missed a change overwrites nothing', async (t) => {
    const one = await visit(t, `${server.url}/#game=v`, { kept: games });
    await turn(one);
    await botsReady(one); // what happens later in this tab, the other does not hear
    const two = await one.context().newPage();
    await two.addInitScript(hearsNothing);
    await two.goto(`${server.url}/#game=v`);
    await turn(two);
    await botsReady(two);
    await move(one);
    await turn(one);
    await botsReady(one);
    const { record } = await storedGame(one, 'v');
    await two.locator('.chip:not(:disabled)').last().click();
    await two.locator('button[data-key=confirm]').click();
    await two.locator('.notice', { hasText: 'continued in another window' }).waitFor();
    await turn(two);
    isContinued(record, (await storedGame(two, 'v')).record, 0);
    await becomes(() => look(two, 'v'), await look(one, 'v'));
});

test('a game that was changed elsewhere, and waits for a card, gets one', async (t) => {
    const before = newRecord({ seats: ['Ada'] });
    const page = await visit(t, `${server.url}/#game=s`, {
        kept: { 'game.s': keptGame('s', before) },
        prepare: (context) => context.addInitScript(hearsNothing) });
    await turn(page);
    const dealt = await storedGame(page, 's');
    await store(page, 'game.s', { ...dealt, record: before });
    await page.locator('.chip:not(:disabled)').last().click();
    await page.locator('button[data-key=confirm]').click();
    await becomes(async () => (await storedGame(page, 's')).record, dealt.record,
        'the same card comes again');
});

// The view has as many facts as before, and none of them is announced.
test('the log is redrawn when another window has made another move', async (t) => {
    const begun = await played(newRecord({ seats: ['Ada'] }), 1);
    const [first, second] = native(['moves', '-'], begun).stdout.split('\n');
    const page = await visit(t, `${server.url}/#game=s`, {
        kept: { 'game.s': keptGame('s', `${begun}${first}\n`) },
        prepare: (context) => context.addInitScript(hearsNothing) });
    await turn(page);
    const before = await look(page, 's');
    const kept = await storedGame(page, 's');
    await store(page, 'game.s', { ...kept, revision: kept.revision + 1,
        record: kept.record.replace(`\n${first}\n`, `\n${second}\n`) });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.locator('.notice', { hasText: 'continued in another window' }).waitFor();
    const after = await look(page, 's');
    assert.notEqual(after.log, before.log);
    await page.reload();
    assert.equal((await look(page, 's')).log, after.log);
});

// Whatever was chosen last for other games, and whether its own sheet is still kept here.
test('“Set up again” sets up the game that has ended', async (t) => {
    const longer = engineInfo.games[0].presets.find(({ name }) => name === '15').text;
    const records = {
        v: newRecord({ map: 'paris', rules: 'special', seats: ['Bea', { bot: 'casual' }, 'Cy'] })
            .replace(/^rules .*$/m, (rules) => `${rules}\ndeck ${longer}`),
        m: newRecord({ game: 'metro', rules: 'rotate hand3', seats: [{ bot: 'random' }, 'Bea'] }),
        h: newRecord({ map: 'harbour', seats: ['Bea'] }),
    };
    const kept = { settings: { people: ['Ada'], setup: {
        verplant: { map: 'berlin', deck15: false, rules: [], seats: ['', 'strong'] },
        metro: { hand: 2, rotate: false, seats: ['', 'master', 'master'] } } } };
    for (const [id, record] of Object.entries(records)) {
        const map = id === 'h' ? ownMap : '';
        kept[`game.${id}`] = keptGame(id, await played(record, Infinity, { map }),
            { map, over: true });
    }
    const header = (record) => record.split('\n\n')[0].split('\n')
        .filter((line) => !/^(seed|date) /.test(line));
    const page = await visit(t, server.url, { kept });
    for (const id of Object.keys(records)) {
        await go(page, `game=${id}`);
        await page.getByRole('link', { name: 'Set up again' }).click();
        await page.getByRole('button', { name: 'Start the game' }).click();
        await page.locator('.screen-game .table, .screen-game .handover').first().waitFor();
        const game = await storedGame(page, new URL(page.url()).hash.replace('#game=', ''));
        assert.notEqual(game.id, id);
        assert.deepEqual(header(game.record), header(kept[`game.${id}`].record));
        assert.equal(game.map, kept[`game.${id}`].map);
    }
});
