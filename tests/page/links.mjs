// Tests of links that carry a whole game: a link shows exactly that game at that moment, says what
// is wrong if it is damaged, and no part of it is ever sent anywhere.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import net from 'node:net';
import test from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { arrived, engine, go, keptGame, newRecord, pack, played, program, serve, storedGames, turn,
    until, visit } from './browser.mjs';
import { pass } from './control.mjs';
import { list, replay } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const seats = ['Ada', { bot: 'greedy' }];
const verplant = await played(newRecord({ seats }));
const metro = await played(newRecord({ game: 'metro', seats }), 40);
const ownMap = spawnSync(program, ['maps', 'practice'], { encoding: 'utf8' }).stdout
    .replace(/^id .*/m, 'id harbour').replace(/^title .*/m, 'title Harbour');
const own = await played(newRecord({ map: 'harbour' }), 20, { map: ownMap });

const unpack = (data) => inflateRawSync(Buffer.from(data, 'base64url')).toString('utf8');
const dataOf = (link) => /#record=([^@]*)/.exec(link)[1];

// What a replay shows: the picture, its position, which step of the log is the current one.
function look(page) {
    return page.evaluate(() => {
        const text = (selector) => document.querySelector(selector)?.textContent;
        return {
            picture: document.querySelector('.replay-inner svg').outerHTML,
            status: text('.replay-status'), players: text('.replay-players'),
            log: text('.replay-log'), step: text('[aria-current=step]'),
            slider: document.querySelector('.replay-slider').value,
        };
    });
}

// The ways to a replay in a browser that keeps the game, and to the same one by a link in another.
test('a link shows the same game at the same event', async (t) => {
    const kept = { 'game.v': keptGame('v', verplant, { over: true, title: '' }),
        'game.m': keptGame('m', metro, { title: '' }),
        'game.h': keptGame('h', own, { map: ownMap, title: '' }) };
    const home = await visit(t, server.url, { kept });
    const away = await visit(t, server.url);
    for (const [id, record, map, moments] of [['v', verplant, '', ['', '@0', '@7', '@30']],
        ['m', metro, '', ['@13', '@9999']], ['h', own, ownMap, ['', '@9']]]) {
        const data = pack(map ? `${record.trimEnd()}\n---\n${map}` : record);
        const table = await engine();
        if (map) table.map(map);
        table.open(record);
        for (const at of moments) {
            await go(home, `replay=${id}${at}`);
            await go(away, `record=${data}${at}`);
            const seen = await look(away);
            assert.deepEqual(seen, await look(home), `${id}${at}`);
            table.seek(0, at ? Number(at.slice(1)) : Infinity);
            if (id !== 'v') continue;
            const scores = table.state(0).players.map(({ score }) =>
                `${String(score).replace('-', '−')} point`);
            for (const score of scores)
                assert(seen.players.includes(score), `${id}${at}: ${score}`);
        }
    }
    assert.deepEqual(await storedGames(away), [], 'to look is not to keep');
});

test('a shared game is saved by the recipient and continued', async (t) => {
    const kept = { 'game.h': keptGame('h', own, { map: ownMap }) };
    const permissions = ['clipboard-read', 'clipboard-write'];
    const home = await visit(t, `${server.url}/#games`, { kept, permissions });
    await arrived(home, 'games');
    await home.getByRole('button', { name: 'Share as a link' }).click();
    await home.locator('.notice', { hasText: 'Link copied' }).waitFor();
    const link = await home.evaluate(() => navigator.clipboard.readText());
    assert(link.startsWith(`${server.url}/#record=`));
    assert.equal(unpack(dataOf(link)), `${own}---\n${ownMap}`);
    await go(home, 'replay=h@6');
    await home.getByRole('button', { name: 'Copy a link to this moment' }).click();
    await home.locator('.notice', { hasText: 'Link copied' }).last().waitFor();
    await home.waitForFunction(async (before) => await navigator.clipboard.readText() !== before,
        link);
    const moment = await home.evaluate(() => navigator.clipboard.readText());
    assert.equal(dataOf(moment), dataOf(link));
    assert.match(moment, /@6$/);

    const away = await visit(t, moment);
    await arrived(away, 'record');
    assert.deepEqual(await look(away), await look(home));
    await away.getByRole('button', { name: 'Save a copy' }).click();
    await away.locator('.notice', { hasText: 'Saved in this browser' }).waitFor();
    const [{ record, map }] = await storedGames(away);
    assert.deepEqual({ record, map }, { record: own, map: ownMap });
    await away.getByRole('button', { name: 'Continue from here' }).click();
    await arrived(away, 'game');
    await turn(away);
    const table = await engine();
    table.map(ownMap);
    table.open(own);
    table.fork(0, 6);
    const same = table.record();
    assert.doesNotMatch(same, /^seed/m, 'what comes then is a secret still');
    await until(async () => (await storedGames(away)).some((game) =>
        game.record.startsWith(same)), 'the game up to that moment');
});

// The whole of a record is known once the game is over; before, a replay is a spectator's.
test('a replay shows everybody’s hand at each moment once the game is over', async (t) => {
    const over = await played(newRecord({ game: 'metro', rules: 'hand2', seats }));
    const [head, ...lines] = over.split(/(?<=\n\n)|(?<=\n)(?=deal|\d)/);
    const page = await visit(t, server.url);
    const hands = () => page.locator('.replay-hand').evaluateAll((all) => all.map((hand) =>
        [...hand.children].map(({ dataset }) => dataset.tile)));
    const cut = (n) => head + lines.slice(0, n).join('');
    for (const n of [4, 40, lines.length]) {
        const report = replay(cut(n));
        await go(page, `record=${pack(over)}@${n}`);
        assert.deepEqual(await hands(), [1, 2].map((seat) => list(report[`hand ${seat}`])), `${n}`);
    }
    for (const n of [4, 38]) {
        await go(page, `record=${pack(cut(40))}@${n}`);
        assert.deepEqual(await hands(), [['?', '?'], ['?', '?']]);
    }
});

test('an address opened just after a step is not overwritten', async (t) => {
    const page = await visit(t, `${server.url}/#record=${pack(verplant)}@0`, { clock: 'held' });
    await arrived(page, 'record');
    await page.keyboard.press('End');
    await page.evaluate(() => {
        document.querySelector('main > .screen').dataset.left = 'yes';
        location.hash = location.hash.replace('@0', '@6');
        window.testClock.pass(1000); // before the page hears of it
    });
    await arrived(page, 'record');
    assert.match(await page.evaluate(() => location.hash), /@6$/);
    assert.equal(await page.getByRole('button', { name: 'Step forward' }).isDisabled(), false);
});

test('steps, slider and keys lead through the game', async (t) => {
    const page = await visit(t, `${server.url}/#record=${pack(verplant)}@0`, { clock: 'held' });
    await arrived(page, 'record');
    const steps = Number(await page.locator('.replay-slider').getAttribute('max'));
    const at = (n) => page.waitForFunction((step) => {
        const items = [...document.querySelectorAll('.replay-log li')];
        return document.querySelector('.replay-slider')?.value === String(step) &&
            items.findIndex((item) => item.querySelector('[aria-current=step]')) === step &&
            items.every((item, i) => item.classList.contains('ahead') === i > step);
    }, n);
    const press = (name) => page.locator('.replay-bar').getByRole('button', { name }).click();
    const seen = new Set();
    await at(0);
    await page.keyboard.press('ArrowRight');
    await at(1);
    seen.add((await look(page)).picture);
    await press('Step forward');
    await at(2);
    seen.add((await look(page)).picture);
    await press('Step back');
    await at(1);
    assert(seen.has((await look(page)).picture), 'back to the same picture');
    await press('End');
    await at(steps);
    assert(await page.getByRole('button', { name: 'Step forward' }).isDisabled());
    await page.keyboard.press('ArrowLeft');
    await at(steps - 1);
    await page.keyboard.press('Home');
    await at(0);
    assert(await page.getByRole('button', { name: 'Step back' }).isDisabled());
    await page.locator('.replay-slider').fill('4');
    await at(4);
    seen.add((await look(page)).picture);
    assert.equal(seen.size, 3);
    await page.locator('.replay-slider').focus();
    await page.keyboard.press('ArrowRight');
    await at(5);
    await page.locator('.replay-step').nth(3).click();
    await at(3);
    // The address follows, and leads to the same moment.
    const events = verplant.split('\n\n')[1].split('\n');
    const cards = events.flatMap((event, i) => event.startsWith('card') ? [i] : []);
    await pass(page, 1000);
    await page.waitForFunction((n) => location.hash.endsWith(`@${n}`), cards[3]);
    const before = await look(page);
    await page.reload();
    await at(3);
    assert.deepEqual(await look(page), before);
    // Played automatically to its end.
    await page.locator('.replay-slider').fill(String(steps - 1));
    await page.locator('h1').click();
    await page.keyboard.press(' ');
    await page.locator('.replay-bar').getByRole('button', { name: 'Pause' }).waitFor();
    await at(steps - 1);
    await pass(page, 5000);
    await at(steps);
    await page.locator('.replay-bar').getByRole('button', { name: 'Start playback' }).waitFor();
});

const good = pack(verplant);
const DAMAGED = {
    'nothing': '',
    'cut in the middle': good.slice(0, good.length / 2),
    'one letter short': good.slice(0, -1),
    'two letters changed': good.replace(/^(.{40})(..)/, (all, before, two) =>
        before + (two === 'AA' ? 'BB' : 'AA')),
    'no base64': '!!!%%%***',
    'percent signs': '%E0%A4%A',
    'plain text': Buffer.from(verplant).toString('base64url'),
    'zeros': Buffer.alloc(300).toString('base64url'),
    'no text': pack(Buffer.from([0xff, 0xfe, 0xfd])),
    'a bomb': deflateRawSync(Buffer.alloc(400 << 20), { level: 9 }).toString('base64url'),
    'a bomb of lines': pack(Buffer.alloc(100 << 20, '---\n')),
    'many sheets': pack(Buffer.alloc(3 << 20, '---\n')),
    'too long': 'A'.repeat(2 << 20),
    'a wrong move': pack(verplant.replace(/^1 .*$/m, '1 Z9')),
    'no game': pack('endstation-record 2\ngame chess\n'),
    'an unknown sheet': pack(own),
    'another sheet': pack(`${own}---\n${ownMap.replace('id harbour', 'id port')}`),
    'a broken sheet': pack(`${own}---\n${ownMap.replace(/^line .*/gm, 'line')}`),
    'only a sheet': pack(ownMap),
};

test('damaged links show a sentence', async (t) => {
    const page = await visit(t, server.url);
    await arrived(page, 'start');
    for (const [what, data] of Object.entries(DAMAGED)) {
        await go(page, `record=${data}`);
        const said = page.locator('.message [role=alert]');
        await said.waitFor().catch(() => assert.fail(`${what}: nothing is said`));
        assert.match(await said.textContent(), /^[A-ZL].*[a-z].*\.$/, what);
        assert.doesNotMatch(await said.textContent(), /Error|undefined|didn’t load completely/,
            what);
    }
    await go(page, `record=${good}@3`);
    await page.locator('.replay-slider').waitFor();
});

// All bytes that browsers send through it on their way to the server.
function wiretap(url) {
    const heard = [];
    const { hostname, port } = new URL(url);
    const tap = net.createServer((socket) => {
        const onward = net.connect(Number(port), hostname);
        socket.on('data', (bytes) => heard.push(bytes));
        for (const [from, to] of [[socket, onward], [onward, socket]]) {
            from.pipe(to);
            from.on('error', () => to.destroy());
        }
    });
    return new Promise((resolve) => tap.listen(0, 'localhost', () => resolve({
        url: `http://localhost:${tap.address().port}`,
        heard: () => Buffer.concat(heard).toString('latin1'),
        stop: () => tap.close(),
    })));
}

test('no part of a link is sent to the server', async (t) => {
    const tap = await wiretap(server.url);
    t.after(() => tap.stop());
    const data = pack(metro);
    const page = await visit(t, `${tap.url}/#record=${data}@20`);
    await arrived(page, 'record');
    await page.getByRole('button', { name: 'Save a copy' }).click();
    await page.locator('.notice', { hasText: 'Saved in this browser' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await pass(page, 3000); // then it gets ready for offline
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await arrived(page, 'record');
    await go(page, 'games');
    const heard = tap.heard();
    assert.match(heard, /GET \/ HTTP/);
    assert.match(heard, /GET \/v\/\w+\/chunks\/later-\w+\.js/);
    for (let i = 0; i + 12 <= data.length; i += 6)
        assert(!heard.includes(data.slice(i, i + 12)), 'a piece of the link');
    assert(!/record=|deal|%23|Ada/.test(heard.replace(/^user-agent:.*$/gim, '')));
    assert.doesNotMatch(heard, /^(POST|PUT) /m);
});
