// Tests of the analysis screen: what it shows is what the program finds (`endstation analyse`), by
// mouse, touch and keys; workers can be cancelled and can fail; results are kept with the game;
// nobody learns what they could not know.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { arrived, axe, clearStore, engine, go, keptGame, newRecord, pack, played, program,
    serve, store, storedGame, storedGames, turn, until, visit } from './browser.mjs';
import { answer, asked, hold, isAsked } from './control.mjs';
import { analysis, becomes } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const withBot = ['Ada', { bot: 'greedy' }];
const solo = await played(newRecord());
const lateChoice = await played(newRecord(), Infinity, { level: 'casual' });
const metro = await played(newRecord({ game: 'metro', seats: withBot }));
const begun = await played(newRecord(), 9); // Ada is to move

// Adds an entry of player 1; the bot has not entered anything yet.
async function entered(record) {
    const table = await engine();
    table.open(record);
    table.apply(table.moves().split('\n').find((event) => event.startsWith('1 ')));
    return table.record();
}
const undoable = await entered(await played(newRecord({ seats: withBot }), 7));
const metroBegun = await played(newRecord({ game: 'metro', seats: withBot }), 42);
const people = await played(newRecord({ seats: ['Ada', 'Bea'] }), 9);

const kept = {
    'game.s': keptGame('s', solo, { over: true, changed: 5, revision: 3 }),
    'game.m': keptGame('m', metro, { over: true }),
    'game.b': keptGame('b', begun),
    'game.u': keptGame('u', undoable),
    'game.l': keptGame('l', lateChoice, { over: true }),
    'game.mb': keptGame('mb', metroBegun),
    'game.p': keptGame('p', people),
};

const soloFound = analysis(solo);
const metroFound = analysis(metro);

// As a number is written in English.
const written = (value, digits) => value.toFixed(digits).replace('-', '−').replace(/^−(0\.?0*)$/,
    '$1');
const signed = (value) => `${Number(value.toFixed(1)) > 0 ? '+' : ''}${written(value, 1)}`;

// Waits until nothing is left to analyse.
const done = (page) => page.waitForFunction(() => document.querySelector('.analysis-status p') &&
    !document.querySelector('.analysis-status .progress'));

async function open(t, hash, options = {}) {
    const page = await visit(t, `${server.url}/#${hash}`, { kept, ...options });
    await arrived(page, 'analysis');
    return page;
}

const selected = async (page) => Number(await page.locator('.analysis-chart')
    .getAttribute('aria-valuenow')) - 1;
const address = (page) => page.evaluate(() => location.hash);
const texts = (page, selector) => page.locator(selector).allInnerTexts();
const shown = async (page) => (await texts(page, '.analysis'))[0];

// ---- What is shown ----

test('chart, mistakes and sum are those of the program', async (t) => {
    for (const [id, found, scale] of [['s', soloFound, 1], ['m', metroFound, 100]]) {
        const page = await open(t, `analysis=${id}`);
        await done(page);
        const nodes = await page.locator('.analysis-chart [data-node]').evaluateAll((parts) =>
            parts.map((part) => [Number(part.dataset.node), part.getAttribute('class')])
                .sort((a, b) => a[0] - b[0]));
        assert.deepEqual(nodes.map(([i]) => i), found.nodes.map((_, i) => i));
        for (const [i, kinds] of nodes) {
            const { kind, label } = found.nodes[i];
            assert.ok(kinds.split(' ').includes(kind), `node ${i}: ${kinds}`);
            assert.equal(kinds.includes(label ?? 'none'), Boolean(label), `node ${i}: ${kinds}`);
        }
        const losses = found.worst.map((i) => found.nodes[i].loss);
        assert.ok(losses.length === 3 && losses[0] >= losses[1] && losses[1] >= losses[2]);
        assert.deepEqual(await page.locator('.analysis-wrong').evaluateAll((list) =>
            list.map((one) => one.dataset.key)), found.worst.map((i) => `wrong-${i}`));
        assert.equal(await selected(page), found.worst[0], 'the biggest is shown');
        const numbers = await texts(page, '.analysis-wrong .number');
        const unit = scale > 1 ? '%' : '';
        for (const [k, i] of found.worst.entries())
            assert.ok(numbers[k].startsWith(`${signed(-found.nodes[i].loss * scale)}${unit}`));
        const sum = await texts(page, '.analysis-sum-table td');
        const amount = (value) => `${written(value * scale, 1)}${unit}`;
        const change = (value) => `${signed(value * scale)}${unit}`;
        assert.deepEqual(sum.map((text) => text.replaceAll('\u00a0', ' ')), [
            amount(found.start), change(found.luck),
            `${change(-found.loss)} ± ${written(found.lossError * scale, 1)}`,
            ...scale > 1 ? [change(found.others)] : [], change(found.correction),
            `${written(found.result * scale, 0)}${unit}`, amount(found.withoutLuck),
            ...found.hindsight === undefined ? [] : [String(found.hindsight)]]);
        assert.equal(found.hindsight !== undefined, id === 's');
        assert.match(await page.locator('.analysis-status').innerText(),
            new RegExp(`^${found.decisions} decisions: `));
    }
});

// Words of a fact that its sentence must have.
function wordsOf({ what, ...fact }) {
    const names = {
        complete: ['points'], transfer: ['name', 'number', 'points', 'playedPoints'],
        extra: ['entries', 'playedEntries'], marks: ['marks', 'playedMarks'],
        beyond: fact.windows ? ['line', 'left', 'windows', 'most'] : ['line', 'left'],
        lost: ['stations', 'playedStations'], run: ['line', 'marks', 'playedMarks'],
        next_transfer: ['name', 'points', 'playedPoints'],
        nearer: ['line', 'points', 'left', 'playedLeft'], window: ['line', 'left', 'playedWindows'],
        lines: ['count', 'playedCount'], finish: ['station', 'points'], give: ['station', 'points'],
        cut: ['station', 'points'], stop: ['station', 'points'],
        longer: ['station', 'tiles', 'playedTiles'], lengthen: ['station', 'tiles', 'betterTiles'],
        exposed: ['station', 'ways', 'betterWays', 'unseen', 'points'],
        threat: ['station', 'ways', 'playedWays', 'unseen', 'points'],
        aim: ['station', 'ways', 'playedWays', 'unseen', 'points'],
        aim_other: ['station', 'ways', 'betterWays', 'unseen', 'points'],
        ahead: ['station', 'most', 'playedMost'], ahead_other: ['station', 'most', 'betterMost'],
        keep: [], blind: [],
    }[what];
    assert.ok(names, `a sentence for ${what}`);
    const owner = fact.owner ? [['Ada', 'Greedy (bot)'][fact.owner - 1]] : [];
    return [...names.map((name) => String(fact[name])), ...owner, ...fact.lines ?? []];
}

test('reasons say what the facts are; two moves are drawn', async (t) => {
    const kinds = new Set();
    for (const [id, found, scale] of [['s', soloFound, 1], ['m', metroFound, 100]]) {
        const page = await open(t, `analysis=${id}@0`);
        await done(page);
        for (const [i, { kind, event, best, loss, lossError, why }] of found.nodes.entries()) {
            if (i > 0) await page.keyboard.press('ArrowRight');
            await becomes(() => selected(page), i);
            const reasons = await texts(page, '.analysis-why li');
            const better = kind === 'decision' && event !== best && loss > 2 * lossError &&
                Number((loss * scale).toFixed(1)) > 0;
            assert.equal(reasons.length, better ? (why ?? []).length : 0, `node ${i}`);
            assert.equal(await page.locator('.analysis-inner .played').count() > 0,
                kind === 'decision' && !/draw$/.test(event), `the move played at node ${i}`);
            assert.equal(await page.locator('.analysis-inner .planned').count() > 0,
                better && !/draw$|[<>A-Z]0$|-$/.test(best), `the better move at node ${i}`);
            assert.deepEqual(await texts(page, '.analysis-styles span:not(:empty)'),
                [...kind === 'decision' ? ['Played'] : [], ...better ? ['Better'] : []]);
            if (!better) continue;
            const by = await page.locator('.analysis-by').innerText();
            for (const value of [loss, lossError])
                assert.ok(by.includes(written(value * scale, 1)), `${by}: ${value * scale}`);
            for (const [k, fact] of (why ?? []).entries()) {
                kinds.add(fact.what);
                for (const word of wordsOf(fact))
                    assert.match(reasons[k], new RegExp(`(^|\\W)${word.replace(/[()]/g, '\\$&')
                    }(\\W|$)`), `${reasons[k]} ${JSON.stringify(fact)}`);
            }
        }
    }
    assert.ok(kinds.size >= 6, [...kinds].join(' '));
});

test('a card is compared with what could have come', async (t) => {
    const i = soloFound.nodes.findIndex(({ kind, luck }) => kind === 'chance' && luck < -0.5);
    const { kinds, luck, luckError, event } = soloFound.nodes[i];
    const page = await open(t, `analysis=s@${i}`);
    await done(page);
    const by = await page.locator('.analysis-by').innerText();
    assert.equal(by.replaceAll('\u00a0', ' '),
        `Bad luck: ${written(-luck, 1)} points less (± ${written(luckError, 1)}).`);
    const values = kinds.map(({ value }) => value).sort((a, b) => b - a);
    assert.deepEqual(await texts(page, '.analysis-kinds .number'),
        values.map((value) => written(value, 1)));
    const came = page.locator('.analysis-kinds [aria-current]');
    assert.equal(await came.count(), 1);
    assert.equal(await came.locator('.number').innerText(),
        written(kinds.find((kind) => kind.event === event).value, 1));
});

// ---- Selecting ----

test('points are selected by mouse and keys; the address follows', async (t) => {
    const page = await open(t, 'analysis=s');
    await done(page);
    assert.equal(await address(page), '#analysis=s', 'not before the reader selects something');
    const last = soloFound.nodes.length - 1;
    const wrong = soloFound.nodes.map((_, i) => i).filter((i) =>
        !['good', undefined].includes(soloFound.nodes[i].label));
    const at = async (i) => {
        await becomes(() => selected(page), i);
        await becomes(() => address(page), `#analysis=s@${i}`);
        assert.equal(await page.locator('.analysis-chart .selected').getAttribute('data-node'),
            String(i));
    };
    await page.locator('.analysis-chart [data-node="5"]').click();
    await at(5);
    for (const [key, i] of [['ArrowRight', 6], ['ArrowLeft', 5], ['End', last],
        ['ArrowRight', last], ['Home', 0]]) {
        await page.keyboard.press(key);
        await at(i);
    }
    await page.locator('.analysis-chart').focus();
    for (const i of wrong) {
        await page.keyboard.press('ArrowDown');
        await at(i);
    }
    await page.keyboard.press('ArrowUp');
    await at(wrong.at(-2));
    await page.getByRole('button', { name: 'Next mistake' }).click();
    await at(wrong.at(-1));
    await page.getByRole('button', { name: 'Previous mistake' }).click();
    await at(wrong.at(-2));
    for (const [k, i] of soloFound.worst.entries()) {
        await page.locator('.analysis-wrong').nth(k).click();
        await at(i);
        assert.equal(await page.locator('.analysis-wrong').nth(k).getAttribute('aria-current'),
            'true');
        await page.locator('#live p', { hasText: 'Better: ' }).last().waitFor();
    }
    await page.reload();
    await done(page);
    assert.equal(await selected(page), soloFound.worst[2]);
});

test('a touch selects the nearest point, on a phone', async (t) => {
    const page = await open(t, 'analysis=s@0', { size: 'phone' });
    await done(page);
    const box = await page.locator('.analysis-chart [data-node="7"]').boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await becomes(() => selected(page), 7);
});

test('the analysis, the replay and the table lead to each other', async (t) => {
    const page = await open(t, 'analysis=s@6');
    const { at } = soloFound.nodes[6];
    await page.getByRole('link', { name: 'Show in the replay' }).click();
    await arrived(page, 'replay');
    assert.equal(await address(page), `#replay=s@${at + 1}`); // the card that is node 6
    await page.getByRole('link', { name: 'Analysis' }).click();
    await arrived(page, 'analysis');
    await go(page, 'game=s');
    await turn(page);
    await page.locator('.ending-next').getByRole('link', { name: 'Analysis' }).click();
    await arrived(page, 'analysis');
    await done(page);
});

test('a game that a link contains is analysed without being kept', async (t) => {
    const data = pack(solo);
    const page = await visit(t, `${server.url}/#record=${data}`);
    await arrived(page, 'record');
    await page.getByRole('link', { name: 'Analysis' }).click();
    await arrived(page, 'analysis');
    await done(page);
    assert.deepEqual(await page.locator('.analysis-wrong').evaluateAll((list) =>
        list.map((one) => one.dataset.key)), soloFound.worst.map((i) => `wrong-${i}`));
    await page.locator('.analysis-wrong').last().click();
    const node = soloFound.worst.at(-1);
    await becomes(() => address(page), `#analysis=~${data}@${node}`);
    await page.getByRole('link', { name: 'Show in the replay' }).click();
    await arrived(page, 'record');
    assert.equal(await address(page), `#record=${data}@${soloFound.nodes[node].at}`);
    await page.goBack();
    await arrived(page, 'analysis');
    assert.equal(await selected(page), node);
    assert.deepEqual(await storedGames(page), []);
    await go(page, `analysis=~${data.slice(0, 40)}`);
    await page.getByRole('alert').getByText('The link is damaged').waitFor();
});

test('every player of a finished game can be looked at', async (t) => {
    const page = await open(t, 'analysis=m');
    await done(page);
    await page.getByText('Your biggest mistakes').waitFor();
    await page.selectOption('#analysis-who', '2');
    await page.getByText('The biggest mistakes of Greedy (bot)').waitFor();
    await becomes(() => address(page), '#analysis=m.2');
    await done(page);
    const found = analysis(metro, '--player', '2');
    assert.deepEqual(await page.locator('.analysis-wrong').evaluateAll((list) =>
        list.map((one) => one.dataset.key)), found.worst.map((i) => `wrong-${i}`));
    assert.equal(await page.locator('#analysis-who:focus').count(), 1);
    await page.reload();
    await page.getByText('The biggest mistakes of Greedy (bot)').waitFor();
});

// ---- Workers ----

const cores = (page) => page.evaluate(() => Math.min(navigator.hardwareConcurrency, 8));
const nodesAsked = async (page) => (await asked(page)).map(({ node }) => node);

test('progress is shown; cancelling ends the workers; it goes on from there', async (t) => {
    const page = await open(t, 'analysis=s@3', { workers: 'held' });
    const workers = await cores(page);
    await isAsked(page, workers);
    const all = soloFound.nodes.length;
    await page.getByText(`Analysing: 0 of ${all}`).waitFor();
    assert.equal((await nodesAsked(page))[0], 3, 'first what the reader looks at');
    assert.deepEqual((await nodesAsked(page)).map((i) => soloFound.nodes[i].kind),
        Array.from({ length: workers }, () => 'decision'));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(`Stopped at 0 of ${all}.`).waitFor();
    await until(() => page.workers().length === 0, 'the workers go');
    await page.getByRole('button', { name: 'Continue the analysis' }).click();
    await isAsked(page, 2 * workers);
    await answer(page);
    await done(page);
    assert.equal(new Set(await nodesAsked(page)).size, all + 1, 'every node, and hindsight');
    await until(() => page.workers().length === 0, 'they go when all is done');
});

test('leaving the screen ends the workers; what was found is not lost', async (t) => {
    const page = await open(t, 'analysis=s', { workers: 'held' });
    await isAsked(page);
    await answer(page);
    await page.waitForFunction(() => /Analysing: ([1-9]|\d\d)/
        .test(document.querySelector('.analysis-status').textContent) ||
        !document.querySelector('.analysis-status .progress'));
    await hold(page);
    await go(page, 'settings');
    await until(() => page.workers().length === 0, 'the workers go');
    const before = (await asked(page)).length;
    await answer(page);
    await go(page, 'analysis=s');
    await done(page);
    const again = (await asked(page)).length - before;
    assert.ok(again <= soloFound.nodes.length, `${again} questions more`);
});

test('nothing moves while results come', async (t) => {
    for (const size of ['phone', 'desktop']) {
        const page = await open(t, 'analysis=s@3', { size, workers: 'held' });
        await isAsked(page);
        const places = () => page.evaluate(() => ['.analysis-course', '.analysis-chart',
            '.analysis-mistakes', '.analysis-point'].map((name) =>
            document.querySelector(name).getBoundingClientRect().top));
        const before = await places();
        await answer(page);
        await done(page);
        assert.deepEqual(await places(), before, size);
    }
});

test('one worker finds what many find', async (t) => {
    const lines = [];
    for (const hardwareConcurrency of [1, 7]) {
        const page = await open(t, 'analysis=s', { prepare: (context) => context.addInitScript(
            (value) => Object.defineProperty(navigator, 'hardwareConcurrency', { value }),
            hardwareConcurrency) });
        await done(page);
        lines.push(await until(async () => (await storedGame(page, 's')).analysis?.[1].lines));
    }
    assert.deepEqual(lines[0], lines[1]);
});

test('a worker that cannot be loaded is loaded again; else the page says so', async (t) => {
    let failures = 0;
    const prepare = async (context) => {
        await context.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency',
            { value: 2 }));
        await context.route('**/analysisworker.js', (route) => (++failures <= 2 ? route.abort()
            : route.continue()));
    };
    const page = await open(t, 'analysis=s', { prepare, tolerate: [/ERR_FAILED/] });
    await done(page);
    assert.ok(failures > 2);
    assert.equal(await page.locator('.analysis-sum-table td').first().innerText(),
        written(soloFound.start, 1));

    const other = await open(t, 'analysis=s', { tolerate: [/404/, /analysis has failed/],
        prepare: (context) => context.route('**/analysisworker.js', (route) =>
            route.fulfill({ status: 404, body: '' })) });
    await other.locator('.analysis-status [role=alert]').waitFor();
    await other.context().unroute('**/analysisworker.js');
    await other.getByRole('button', { name: 'Try again' }).click();
    await done(other);
    assert.equal(await other.locator('.analysis-status [role=alert]').count(), 0);
});

// ---- What is kept ----

const keptResults = (page) => until(async () => (await storedGame(page, 's')).analysis?.[1]);

test('results are kept with the game, and are not found again', async (t) => {
    const page = await open(t, 'analysis=s@3');
    await done(page);
    const { version, lines, events } = await keptResults(page);
    assert.ok(version && lines.length === soloFound.nodes.length && events > 0);
    const { changed, revision, record } = await storedGame(page, 's');
    assert.deepEqual([changed, revision, record], [5, 3, solo], 'nothing else has changed');
    const before = await shown(page);
    await page.reload();
    await done(page);
    assert.deepEqual(await asked(page), []);
    assert.equal(await shown(page), before);
});

test('results of another version, or damaged ones, are found again', async (t) => {
    const page = await open(t, 'analysis=s@3');
    await done(page);
    const found = await keptResults(page);
    const before = await shown(page);
    for (const change of [{ version: 'other' }, { events: 3 }, { lines: found.lines.slice(1) },
        { lines: found.lines.map(() => 'nonsense') }, { lines: found.lines.toReversed() }]) {
        const game = await storedGame(page, 's');
        await store(page, 'game.s', { ...game, analysis: { 1: { ...found, ...change } } });
        await page.reload();
        await done(page);
        assert.ok((await asked(page)).length >= found.lines.length, JSON.stringify(change));
        assert.equal(await shown(page), before);
        await until(async () => isDeepStrictEqual(await keptResults(page), found));
    }
});

test('a backup brings results back; a deleted game takes them along', async (t) => {
    const page = await open(t, 'analysis=s');
    await done(page);
    const { lines } = await keptResults(page);
    await go(page, 'settings');
    const [file] = await Promise.all([page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save everything as a file' }).click()]);
    const buffer = readFileSync(await file.path());
    await clearStore(page);
    await page.reload();
    await go(page, 'games');
    await page.locator('.drop input').setInputFiles({ name: 'all.json',
        mimeType: 'application/json', buffer });
    await page.locator('.kept[data-game=s]').waitFor();
    assert.deepEqual((await storedGame(page, 's')).analysis[1].lines, lines);
    const before = (await asked(page)).length;
    await go(page, 'analysis=s');
    await done(page);
    assert.equal((await asked(page)).length, before);
    await go(page, 'games');
    await page.locator('.kept[data-game=s]').getByRole('button', { name: 'Delete' }).click();
    await becomes(async () => await storedGame(page, 's'), null);
});

// ---- What is not shown ----

// Runs in the page, before anything else there: what workers are given.
function keepGiven() {
    window.given = [];
    const base = Object.getPrototypeOf(Worker.prototype);
    const { postMessage } = base;
    base.postMessage = function post(message, ...more) {
        if (message.game) window.given.push(message.game);
        return postMessage.call(this, message, ...more);
    };
}

test('workers get nothing but the player’s view', async (t) => {
    for (const [id, record] of [['m', metro], ['mb', metroBegun]]) {
        const page = await open(t, `analysis=${id}`, { workers: 'held',
            prepare: (context) => context.addInitScript(keepGiven) });
        await isAsked(page);
        const { stdout } = spawnSync(program, ['view', '--player', '1', '-'],
            { input: record, encoding: 'utf8' });
        const given = await page.evaluate(() => window.given);
        assert.ok(given.length > 0);
        for (const one of given) assert.deepEqual(one, { record: stdout, map: '', player: 1 });
        assert.ok(/^deal 2 [a-d]/m.test(record) && !/^deal 2 [a-d]/m.test(stdout));
    }
});

test('an open game is analysed as far as it has come; the open move is not', async (t) => {
    const { nodes } = analysis(begun);
    const last = nodes.length - 1;
    assert.equal(nodes[last].event, undefined, 'Ada is to move');
    const page = await open(t, `analysis=b@${last}`);
    await done(page);
    await page.locator('.analysis-point', { hasText: 'This move is still open' }).waitFor();
    assert.ok(!(await nodesAsked(page)).includes(last), 'nobody was asked about it');
    assert.equal((await nodesAsked(page)).length, last);
    assert.equal(await page.locator('.analysis-inner .planned').count(), 0);
    assert.equal(await page.locator('.analysis-sum-table').count(), 0);
    assert.equal(await page.locator('#analysis-who').count(), 0);
    await page.getByRole('link', { name: 'Back to the game' }).click();
    await arrived(page, 'game');
    await turn(page);
});

test('a move that can still be taken back is not analysed', async (t) => {
    const { nodes } = analysis(undoable);
    const last = nodes.findLastIndex(({ kind }) => kind === 'decision');
    assert.ok(nodes[last].event, 'Ada has entered something');
    const page = await open(t, `analysis=u@${last}`);
    await done(page);
    await page.locator('.analysis-point', { hasText: 'This move is still open' }).waitFor();
    assert.deepEqual((await nodesAsked(page)).sort((a, b) => a - b), [...Array(last).keys()]);
});

test('the last decision of a finished game is analysed', async (t) => {
    const { nodes, result } = analysis(lateChoice);
    assert.equal(nodes.at(-1).kind, 'decision');
    const page = await open(t, 'analysis=l');
    await done(page);
    assert.deepEqual((await nodesAsked(page)).filter((node) => node !== undefined)
        .sort((a, b) => a - b), [...nodes.keys()]);
    assert.equal(await page.locator('.analysis-sum-table .total td').innerText(),
        written(result, 0));
});

test('in an open game no other seat can be looked at', async (t) => {
    const page = await open(t, 'analysis=mb.2');
    await page.getByText('Your biggest mistakes').waitFor();
    assert.equal(await page.locator('#analysis-who').count(), 0);
});

test('games of several people are analysed after their end', async (t) => {
    const page = await visit(t, `${server.url}/#analysis=p`, { kept });
    await page.getByRole('alert').filter({ hasText: 'once the game is over' }).waitFor();
    assert.equal(await page.locator('.analysis').count(), 0);
    assert.deepEqual(await asked(page), []);
    await go(page, 'analysis=none');
    await page.getByRole('alert').filter({ hasText: 'isn’t saved in this browser' }).waitFor();
});

// ---- Languages, paper, accessibility ----

test('another language keeps what was found and selected', async (t) => {
    const page = await open(t, 'analysis=s');
    await done(page);
    await page.locator('.analysis-wrong').nth(1).click();
    await becomes(() => address(page), `#analysis=s@${soloFound.worst[1]}`);
    const before = (await asked(page)).length;
    await page.selectOption('#bar-language', 'de');
    await page.getByRole('heading', { name: 'Deine größten Fehler' }).waitFor();
    await done(page);
    assert.equal((await asked(page)).length, before);
    assert.equal(await selected(page), soloFound.worst[1]);
    const numbers = await texts(page, '.analysis-wrong .number');
    assert.ok(numbers[0].startsWith(signed(-soloFound.nodes[soloFound.worst[0]].loss)
        .replace('.', ',')), numbers[0]);
});

test('on paper: chart, mistakes and sum on at most two pages, without buttons', async (t) => {
    for (const [id, theme] of [['s', 'light'], ['m', 'dark']]) {
        const page = await open(t, `analysis=${id}`, { theme });
        await done(page);
        const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
        const pages = pdf.match(/\/Type\s*\/Page\b/g).length;
        assert.ok(pages <= 2, `${pages} pages`);
        await page.emulateMedia({ media: 'print' });
        for (const name of ['.analysis-chart svg', '.analysis-wrong', '.analysis-sum-table'])
            assert.ok(await page.locator(name).first().isVisible(), name);
        for (const name of ['.analysis-bar', '.analysis-actions', '.zoom-buttons', '.bar'])
            assert.ok(!await page.locator(name).first().isVisible(), name);
        const paper = page.locator('.analysis-chart svg .paper').first();
        await becomes(() => paper.getAttribute('fill'), '#ffffff');
    }
});

test('axe finds nothing, at any size and in both themes', async (t) => {
    const wrong = [];
    for (const size of ['phone', 'tablet', 'desktop'])
        for (const theme of ['light', 'dark']) {
            const page = await open(t, 'analysis=s@3', { size, theme, workers: 'held' });
            const see = async (what) => wrong.push(...await axe(page, `${size} ${theme} ${what}`));
            await isAsked(page);
            await see('begun');
            await answer(page);
            await done(page);
            await see('a decision');
            await page.keyboard.press('ArrowRight');
            await becomes(() => selected(page), 4);
            await see('a card');
            const [wide, most] = await page.evaluate(() => [
                document.documentElement.scrollWidth, document.documentElement.clientWidth]);
            assert.ok(wide <= most, `${size}: ${wide} of ${most}`);
        }
    assert.deepEqual(wrong, []);
});
