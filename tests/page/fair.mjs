// Tests of the page's own check of shuffles (web/engine/shufflecheck.js): under node against node's
// own SHA-256 and HMAC, and against `endstation verify`, which must come to the same result
// whatever is changed in a record; then the button in a replay.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import test from 'node:test';
import { arrived, keptGame, newRecord, played, program, serve, visit } from './browser.mjs';

// The bare necessities of a browser.
globalThis.localStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
globalThis.window = new EventTarget();
globalThis.document = Object.assign(new EventTarget(), { documentElement: { lang: 'en' },
    querySelectorAll: () => [] });
await import('../../web/games/verplant/face.js');
await import('../../web/games/metro/face.js');
const { canCheck, check, commitOf, hashOfWord, randomWord, seedOf, shuffled, tellCheck } =
    await import('../../web/engine/shufflecheck.js');

// ---- Records ----

const bytes = (hex) => Buffer.from(hex, 'hex');
const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest('hex');
// Different for each name, and the same every time.
const fixed = (name) => sha256(Buffer.from(name));

// The lines that a record has about its shuffle, made with node's functions.
function fairLines({ header, bots, players, secret, id, words }) {
    const name = Buffer.concat([Buffer.from([id.length]), Buffer.from(id)]);
    const setup = Buffer.from(`${header.join('\n')}\nbots${bots.map((p) => ` ${p}`).join('')}\n`);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(setup.length);
    const seats = Array.from({ length: players }, (_, i) => [
        Buffer.from([bots.includes(i + 1) ? 0 : words[i + 1] ? 1 : 2]),
        words[i + 1] ? bytes(words[i + 1]) : Buffer.alloc(32)]).flat();
    const seed = createHmac('sha256', bytes(secret))
        .update(Buffer.concat([name, length, setup, ...seats])).digest('hex');
    const people = Array.from({ length: players }, (_, i) => i + 1)
        .filter((p) => !bots.includes(p));
    return [`commit ${sha256(bytes(secret), name)} ${id}`,
        ...people.map((p) => `word ${p} ${words[p] ?? '-'} ${
            sha256(words[p] ? bytes(words[p]) : bytes(fixed(`lost ${p}`)))}`),
        `secret ${secret}`, `seed ${seed}`];
}

// A whole game, by its name in this file, with a secret.
async function fairGame(name, { header, seats, lost = [] }) {
    const bots = seats.flatMap((seat, i) => (seat.bot ? [i + 1] : []));
    const words = Object.fromEntries(seats.flatMap((seat, i) =>
        (seat.bot || lost.includes(i + 1) ? [] : [[i + 1, fixed(`${name} word ${i + 1}`)]])));
    const lines = fairLines({ header, bots, players: seats.length, words,
        secret: fixed(`${name} secret`), id: name });
    const record = ['endstation-record 1', ...header,
        ...seats.map((seat, i) => (seat.bot ? `bot ${i + 1} ${seat.bot}`
            : `player ${i + 1} ${seat}`)),
        'date 2026-05-04', ...lines, '', ''].join('\n');
    return { record: await played(record, Infinity, { level: 'random' }), words,
        commit: lines[0].split(' ')[1] };
}

const PRACTICE = 'map practice 3c88349a7438c422786680fe3c0dc9a6';
const games = {
    sheet: await fairGame('sheet', { seats: ['Ada', 'Ben'],
        header: ['game verplant', PRACTICE, 'players 2', 'rules special'] }),
    deck: await fairGame('deck', { seats: [{ bot: 'random' }, 'Ada', 'Ben'], lost: [3],
        header: ['game verplant', PRACTICE, 'players 3', 'deck 1 3 6 6 9 x1 x6 x9 + o o'] }),
    board: await fairGame('board', { seats: ['Ada', { bot: 'random' }, 'Eve'], lost: [1],
        header: ['game metro', 'players 3', 'rules rotate hand2'] }),
    plain: await fairGame('plain', { seats: [{ bot: 'random' }, { bot: 'random' }],
        header: ['game metro', 'players 2'] }),
};

// What the program says of a record: its exit status, and what it prints.
function run(command, record) {
    const { status, stdout, stderr } = spawnSync(program, [command, '-'], { input: record });
    return { status, said: String(status ? stderr : stdout) };
}

// ---- The functions ----

test('hashes, seeds and shuffles are those of docs/shuffle.md', () => {
    const count = (from) => Buffer.from(Array.from({ length: 32 }, (_, i) => from + i))
        .toString('hex');
    assert.deepEqual(shuffled(count(0), 0, 14), [12, 1, 7, 9, 4, 3, 10, 2, 6, 8, 11, 5, 0, 13]);
    assert.deepEqual(shuffled(count(0), 1, 14), [7, 10, 2, 13, 11, 0, 5, 12, 3, 1, 9, 4, 8, 6]);
    assert.deepEqual(shuffled(count(0), 0, 60).slice(0, 8), [52, 43, 25, 12, 36, 29, 59, 26]);
    assert.equal(commitOf(count(0), 'k7m2x9'),
        '1883d35c3935512588d362d26ab50446494036d8522586915e57f51e94a2b23e');
    assert.equal(hashOfWord(count(0x40)),
        'ca2a4fe727faaecf16ecd130a86e0885c5540c05375340445071c0657555fd42');
    const setup = 'game metro\nplayers 3\nrules rotate hand2\nbots 2\n';
    const seats = [{ word: count(0x40) }, { bot: true }];
    assert.equal(seedOf(count(0), 'k7m2x9', setup, [...seats, { word: count(0x80) }]),
        'd3aea7c4a759225ee78e73319496c584618d5ea0324c48f682d08897503df1c0');
    assert.equal(seedOf(count(0), 'k7m2x9', setup, [...seats, {}]),
        '8229687db22b7d55e6e677f469d9a286b6a2aa5c1da483f4869a6031717e646d');
});

test('words are random', () => {
    const words = new Set(Array.from({ length: 100 }, randomWord));
    assert.equal(words.size, 100);
    for (const word of words) {
        assert.match(word, /^[0-9a-f]{64}$/);
        assert.equal(hashOfWord(word), sha256(bytes(word)));
    }
});

// ---- Whole records ----

test('records with a secret are checked, with all their words or some missing', async () => {
    const missing = { sheet: [], deck: [3], board: [1], plain: [] };
    for (const [name, { record, commit, words }] of Object.entries(games)) {
        const verified = run('verify', record);
        assert.equal(verified.status, 0, verified.said);
        const n = Number(/verified (\d+) of/.exec(verified.said)[1]);
        const good = { ok: true, faults: [], missing: missing[name], checked: n, proved: true };
        assert.deepEqual(await check(record), good, name);
        for (const [player, word] of Object.entries(words))
            assert.deepEqual(await check(record, { commit, word, player: Number(player) }), good);
    }
});

test('records with only a seed are checked without words', async () => {
    for (let i = 0; i < 20; i++) {
        const game = i % 2 ? 'metro' : 'verplant';
        const record = await played(newRecord({ game, seats: ['Ada', { bot: 'greedy' }],
            seed: fixed(`seed ${i}`) }), Infinity, { level: 'random' });
        const { ok, faults, checked, proved } = await check(record);
        assert.deepEqual([ok, faults, proved], [true, [], false]);
        assert(run('verify', record).said.includes(`verified ${checked} of ${checked} `));
        assert(canCheck(record) && !canCheck(record.replace(/^seed.*\n/m, '')));
        assert.deepEqual((await check(record.replace(/^seed.*\n/m, ''))).faults, ['SEED_MISSING']);
    }
});

test('a record must have the commit that was shown and the word that was sent', async () => {
    const { record, commit, words } = games.board;
    const faults = async (known) => (await check(record, known)).faults;
    assert.deepEqual(await faults({ commit: fixed('x') }), ['COMMIT_OTHER']);
    assert.deepEqual(await faults({ commit, word: fixed('x'), player: 1 }), ['OWN_WORD_MISSING']);
    assert.deepEqual(await faults({ commit, word: fixed('x'), player: 2 }), ['OWN_WORD_MISSING']);
    assert.deepEqual(await faults({ commit, word: fixed('x'), player: 3 }), ['OWN_WORD_OTHER']);
    assert.deepEqual(await faults({ commit, word: words[3], player: 3 }), []);
    const local = record.replace(/^(commit|secret|word).*\n/mg, '');
    assert.deepEqual(await check(local).then(({ ok }) => ok), true);
    assert.deepEqual((await check(local, { commit })).faults.includes('COMMIT_MISSING'), true);
});

// ---- Changed records ----

// Other versions of a header line: without it, twice, and with another digit, letter or word.
function* versions(line) {
    yield [];
    yield [line, line];
    const words = line.split(' ');
    for (let i = 1; i < words.length; i++) {
        const other = (word) => [[...words.slice(0, i), word, ...words.slice(i + 1)].join(' ')];
        if (/^[0-9a-f]{64}$/.test(words[i])) {
            yield other(words[i].replace(/.$/, (digit) => (digit === '0' ? '1' : '0')));
            yield other(words[i].slice(1));
            yield other(fixed('other'));
            yield other('-');
        } else if (/^\d$/.test(words[i])) {
            yield other(String(Number(words[i]) % 3 + 1));
            yield other('9');
        } else if (words[0] === 'commit') {
            yield other(`${words[i]}x`);
            yield other('X');
        }
    }
}

// Records with one header line changed, and beginnings of games that end with another chance event.
function* changes(record) {
    const lines = record.split('\n');
    const end = lines.indexOf('');
    for (let at = 1; at < end; at++)
        for (const version of versions(lines[at]))
            yield [...lines.slice(0, at), ...version, ...lines.slice(at + 1)];
    const chances = lines.flatMap((line, at) => (/^(card|deal) /.test(line) ? [at] : []));
    for (const [i, at] of chances.entries()) {
        const others = new Set(chances.map((other) => lines[other].split(' ').at(-1)));
        others.delete(lines[at].split(' ').at(-1));
        const other = [...others][i % others.size];
        yield [...lines.slice(0, at), lines[at].replace(/\S+$/, other)];
    }
}

for (const name of ['deck', 'board'])
    test(`whatever is changed in a record, page and program agree: ${name}`, async (t) => {
        const counts = { fits: 0, refused: 0, illegal: 0 };
        for (const lines of changes(games[name].record)) {
            const text = `${lines.join('\n')}\n`;
            const verified = run('verify', text);
            const found = await check(text);
            const agree = found.ok === (verified.status === 0);
            // Illegal records are refused by the page's engine, before this check.
            assert(agree || run('replay', text).status > 0, `${text}${verified.said}`);
            counts[agree ? found.ok ? 'fits' : 'refused' : 'illegal']++;
        }
        t.diagnostic(JSON.stringify(counts));
        assert(counts.refused > 50 && counts.fits > 5);
    });

// ---- In the page ----

test('the result of a check is told in sentences', async () => {
    const state = { players: [{ name: 'Ada' }, { bot: 'random' }, { name: 'Eve' }] };
    const said = tellCheck(await check(games.board.record), state);
    assert.match(said, /^The shuffle is right: all \d+ cards or tiles follow from the seed\. The /);
    assert.match(said, /Missing words: Ada\.$/);
    assert.match(tellCheck(await check(games.board.record, { word: fixed('x'), player: 1 }), state),
        /^The shuffle is not right\. Your own word is called missing, although/);
});

test('a replay offers the check', async (t) => {
    const server = await serve('--port', '0');
    t.after(() => server.stop());
    const swapped = games.sheet.record.replace(/^seed .*$/m, `seed ${fixed('x')}`);
    const bare = (await played(newRecord(), 8)).replace(/^seed .*\n/m, '');
    const page = await visit(t, `${server.url}/#replay=a`, { kept: {
        'game.a': keptGame('a', await played(newRecord({ game: 'metro',
            seats: ['Ada', { bot: 'greedy' }] }), 12)),
        'game.b': keptGame('b', swapped), 'game.c': keptGame('c', bare) } });
    const button = page.locator('button[data-key=check]');
    await button.click();
    await page.locator('.notice').getByText('The shuffle is right: all').waitFor();
    assert.equal(await page.locator('.notice.warn').count(), 0);
    await page.evaluate(() => (location.hash = '#replay=b'));
    await page.locator('.replay.verplant').waitFor();
    await button.click();
    await page.locator('.notice.warn').getByText('The shuffle is not right. The seed was not ' +
        'made from the secret and the words.').waitFor();
    await page.evaluate(() => (location.hash = '#replay=c'));
    await page.waitForFunction(() => document.querySelector('.replay') &&
        !document.querySelector('button[data-key=check]'));
});
