// Metro with bots: whole games by mouse and with keys, compared with what `endstation moves` and
// `replay` print for the record; and a page that stays responsive while a master thinks.
import assert from 'node:assert/strict';
import test from 'node:test';
import { engine, go, keptGame, longestTask, newRecord, serve, turn, until, visit }
    from './browser.mjs';
import { answer, asked, hold, isAsked, pass } from './control.mjs';
import { becomes, dice, events, list, middle, moves, numbers, record, replay, said }
    from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const judge = await engine(); // knows the rules
const LIGHT = 4000; // milliseconds after which no line that was finished is lit any more

// '1 aacb/1 d8' as {tile: 'aacb', turns: 1, square: 'd8'}, '1 draw' as {draw: true}.
function parse(event) {
    const [, tile, turns, square] = /^\d (?:draw|([abcd]{4})(?:\/(\d))? (\w\d))$/.exec(event);
    return { event, draw: !tile, tile, turns: Number(turns ?? 0), square };
}

// Returns the moves of player 1; with a drawn tile only those of that tile.
const own = (text) => moves(text).filter((event) => event.startsWith('1 ')).map(parse);

// Lines that a report has scored: {5: {owner: '1', points: 12, …}}.
function scored(text) {
    const found = {};
    for (const [name, words] of Object.entries(replay(text)))
        if (name.startsWith('line ')) found[name.slice(5)] = numbers(words);
    return found;
}

// Lines that a move finishes.
function finished(text, event) {
    const before = scored(text);
    return Object.entries(scored(`${text}${event}\n`)).filter(([station]) => !before[station]);
}

const parts = (page, selector) => page.locator(`.pane ${selector}`).evaluateAll((all) =>
    all.map((part) => part.dataset.square).sort());

// The tile that is picked up, and its turns.
async function picked(page) {
    const { tile, turns } = await page.locator('.metro-hand-tile.picked svg')
        .evaluate((picture) => ({ ...picture.dataset }));
    return { tile, turns: Number(turns) };
}

// Glowing squares are those that the program allows for the tile as it is held.
async function glows(page, text) {
    const { tile, turns } = await picked(page);
    const allowed = own(text).filter((move) => move.tile === tile && move.turns === turns);
    const shown = [...await parts(page, '.square.legal'), ...await parts(page, '.square.planned')];
    assert.deepEqual(shown.sort(), allowed.map(({ square }) => square).sort());
    return allowed;
}

// What is said about the plan names every line that the move finishes, with its points, and every
// line that it makes longer, with where it leads; the picture shows them too.
async function tells(page, text, move) {
    const words = await page.locator('.say').textContent();
    assert.ok(words.includes(move.square), words);
    const lines = finished(text, move.event);
    judge.open(text);
    const { longer } = judge.choose(1, '', `move ${move.event}`);
    assert.equal([...words.matchAll(/Line \d+/g)].length, lines.length + longer.length, words);
    for (const { station, more, to } of longer)
        assert.match(words,
            RegExp(`Line ${station}\\b[^;]* ${more} tiles? longer, on to ${to}\\b`));
    assert.deepEqual(await page.locator('.pane .line.longer').evaluateAll((all) =>
        all.map(({ dataset }) => Number(dataset.station))), longer.map(({ station }) => station));
    for (const [station, { points }] of lines)
        assert.match(words, RegExp(`Line ${station}\\b.*(\\b${points} point|nobody)`));
}

// Points and places are those of the record.
async function agrees(page, text) {
    const report = replay(text);
    const players = Object.keys(report).filter((name) => name.startsWith('player '));
    await becomes(async () => (await page.locator('.metro-players .metro-score')
        .allTextContents()).map(said), players.map((name) => numbers(report[name]).total));
}

// The end shows everybody's lines, which make up their points, and who has won.
async function ended(page, text) {
    const report = replay(text);
    assert.equal(report.over, 'yes');
    const names = await page.locator('.metro-players .metro-name').allTextContents();
    assert.equal(new Set(names).size, Number(/^players (\d)$/m.exec(text)[1]), 'all named apart');
    for (const sum of await page.locator('.ending .metro-sum').all()) {
        const name = await sum.locator('.metro-name').textContent();
        const player = String(names.indexOf(name) + 1);
        const { total } = numbers(report[`player ${player}`]);
        assert.equal(said(await sum.locator('summary .metro-score').textContent()), total);
        const points = await sum.locator('tbody td:last-child').allTextContents();
        assert.equal(points.reduce((all, one) => all + Number(one), 0), total);
        assert.equal(await sum.evaluate((one) => one.matches('.won')),
            list(report.winner).includes(player));
    }
}

// Calls play(text) whenever it is the viewer's turn, until the game is over.
async function playOn(page, play) {
    for (;;) {
        const text = await until(async () => {
            const kept = await record(page);
            return (replay(kept).over === 'yes' || own(kept).length > 0) && kept;
        }, 'it is never the turn of player 1');
        await turn(page);
        if (replay(text).over === 'yes') return text;
        await agrees(page, text);
        const event = await play(text);
        await becomes(async () => events(await record(page))[events(text).length], event);
    }
}

/* ---- By mouse ---- */

const click = async (page, selector) => {
    const { x, y } = await middle(page, selector);
    await page.mouse.click(x, y);
};

// Points at something until `shown` is there; while a light runs along a line, nothing else is.
async function point(page, selector, shown) {
    await pass(page, LIGHT);
    const { x, y } = await middle(page, selector);
    await page.mouse.move(x + 1, y);
    await page.mouse.move(x, y);
    await shown.first().waitFor({ state: 'attached' });
}

async function pickUp(page, { tile, turns }) {
    const tiles = page.locator('.metro-hand-tile');
    if ((await picked(page)).tile !== tile)
        await tiles.filter({ has: page.locator(`[data-tile=${tile}]`) }).first().click();
    for (let i = 0; (await picked(page)).turns !== turns; i++) {
        assert.ok(i < 4, 'turning comes round');
        if (i === 0) await page.locator('[data-key=turn]').click();
        else if (i === 1) await tiles.and(page.locator('.picked')).click();
        else await page.locator('.pane-frame').click({ button: 'right', position: { x: 5, y: 5 } });
    }
}

// Whether a square is open: on the rim, or beside a tile.
function isBeside(laid, [column, row]) {
    const near = (c, r) => laid.has(String.fromCharCode(column.charCodeAt(0) + c) + (+row + r));
    return 'ah'.includes(column) || '18'.includes(row) ||
        near(-1, 0) || near(1, 0) || near(0, -1) || near(0, 1);
}

// Pointing at a forbidden empty square shows why, and plans nothing; returns the reasons.
async function refuses(page, text, allowed) {
    const laid = new Set(events(text).map((event) => event.split(' ')[2]));
    const not = (await parts(page, '.square')).filter((square) => !laid.has(square) &&
        !allowed.some((move) => move.square === square));
    const reasons = { true: /from station to station/, false: /neither at the edge of/ };
    const found = new Set();
    for (const square of not) {
        const why = isBeside(laid, square);
        if (found.has(why)) continue;
        found.add(why);
        await point(page, `#square-${square}`, page.locator('.say', { hasText: reasons[why] }));
        await click(page, `#square-${square}`);
        assert.deepEqual(await parts(page, '.square.planned'), []);
        assert.equal(await record(page), text);
    }
    return [...found].map((why) => `why ${why}`);
}

// Pointing at a station lights its line up and says what it is worth.
async function lights(page, text) {
    const [station, line] = Object.entries(scored(text)).at(-1) ?? [];
    if (!station) return false;
    const said = page.locator('.say', { hasText: RegExp(`^Line ${station}\\b`) });
    await point(page, `#station-${station}`, said);
    assert.equal(await page.locator('.pane .line.lit:not(.light)').count(), 1);
    const words = await page.locator('.say').textContent();
    assert.ok(words.includes(`${line.points} point`) || /nobody/.test(words), words);
    await page.mouse.move(2, 2);
    await said.waitFor({ state: 'detached' });
    return true;
}

const MEETING = ['draw', 'finish', 'lit', 'undo', 'why false', 'why true'];

test('by mouse: two players, tiles turned, two in hand', async (t) => {
    const page = await visit(t, server.url, { chance: 5 });
    const roll = dice(4);
    const met = new Set();
    await page.locator('.start-metro').getByText('Set up…').click();
    await page.getByLabel('Two').check();
    await page.getByLabel('Tiles may be turned').check();
    await page.getByLabel('Who plays seat 2').selectOption('greedy');
    await page.getByRole('button', { name: 'Start the game' }).click();
    const text = await playOn(page, async (now) => {
        const all = own(now);
        const draw = all.find((move) => move.draw && !met.has('draw') && events(now).length > 20);
        if (draw) {
            met.add('draw');
            await page.locator('[data-key=draw]').click();
            await page.locator('[data-key=confirm]').click();
            return draw.event;
        }
        const places = all.filter((move) => !move.draw);
        const gain = (move) => finished(now, move.event).length;
        const some = Array.from({ length: 4 }, () => places[roll(places.length)]);
        const move = (!met.has('finish') && some.find(gain)) || some[0];
        await pickUp(page, move);
        if (MEETING.every((what) => met.has(what))) { // the rest is play
            await click(page, `#square-${move.square}`);
            await click(page, `#square-${move.square}`);
            return move.event;
        }
        const allowed = await glows(page, now);
        if (!met.has('why true') || !met.has('why false'))
            for (const why of await refuses(page, now, allowed)) met.add(why);
        if (!met.has('lit') && await lights(page, now)) met.add('lit');
        await point(page, `#square-${move.square}`,
            page.locator(`.pane #square-${move.square}.planned`));
        await tells(page, now, move);
        if (gain(move)) met.add('finish');
        if (!met.has('undo')) {
            met.add('undo');
            await click(page, `#square-${move.square}`);
            await page.locator('[data-key=undo]').click();
            assert.deepEqual(await parts(page, '.square.planned'), []);
            assert.equal(await record(page), now);
        }
        await click(page, `#square-${move.square}`);
        assert.equal(await record(page), now, 'the first click only plans');
        await click(page, `#square-${move.square}`);
        return move.event;
    });
    assert.match(text, /^rules rotate hand2$/m);
    assert.match(text, /^1 [abcd]{4}\/\d /m);
    assert.deepEqual([...met].sort(), MEETING);
    await ended(page, text);
});

// When a bot lays a tile, or the pointer shows something, the picture may be redrawn while a button
// is down.
test('a click counts even if the picture changes under it', async (t) => {
    const page = await visit(t, `${server.url}/#game=x`, { chance: 6, kept: {
        'game.x': keptGame('x', newRecord({ game: 'metro',
            seats: ['Ada', { bot: 'greedy' }] })) } });
    await turn(page);
    const text = await record(page);
    const { square, event } = own(text).find(({ draw }) => !draw);
    const { x, y } = await middle(page, `#square-${square}`);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.locator('.pane svg').evaluate((picture) => (picture.dataset.old = 'yes'));
    await page.keyboard.press('Escape');
    await page.locator('.pane svg:not([data-old])').waitFor();
    await page.mouse.up();
    await page.locator(`.pane #square-${square}.planned`).waitFor();
    await page.mouse.click(x, y);
    await becomes(async () => events(await record(page))[events(text).length], event);
});

/* ---- With keys only ---- */

// Walks to a square by arrows: row by row over those that are allowed, or column by column, on or
// back, whichever is nearer.
async function walk(page, allowed, square) {
    const rows = ([column, row]) => row + column;
    const columns = ([column, row]) => column + row;
    const sorted = (by) => allowed.map((move) => move.square)
        .sort((one, other) => (by(one) < by(other) ? -1 : 1));
    const [first] = sorted(rows);
    const steps = (by, sign) => {
        const way = sorted(by);
        return (sign * (way.indexOf(square) - way.indexOf(first)) + way.length) % way.length;
    };
    const ways = [['ArrowRight', steps(rows, 1)], ['ArrowLeft', steps(rows, -1)],
        ['ArrowDown', steps(columns, 1)], ['ArrowUp', steps(columns, -1)]];
    const [key, times] = ways.sort(([, one], [, other]) => one - other)[0];
    await page.keyboard.press(key); // to the first
    for (let i = 0; i < times; i++) await page.keyboard.press(key);
    assert.deepEqual(await parts(page, '.square.planned'), [square]);
}

test('with keys only: four players, tiles turned, two in hand', async (t) => {
    const seats = ['Ada', { bot: 'greedy' }, { bot: 'random' }, { bot: 'greedy' }];
    const text = newRecord({ game: 'metro', rules: 'rotate hand2', seats });
    const page = await visit(t, `${server.url}/#game=x`, { chance: 6,
        kept: { 'game.x': keptGame('x', text) } });
    const roll = dice(8);
    let drawn = 0;
    const last = await playOn(page, async (now) => {
        const all = own(now);
        if (all.some(({ draw }) => draw) && drawn < 1) {
            drawn++;
            await page.keyboard.press('d');
            await page.keyboard.press('Backspace');
            await page.locator('[data-key=confirm][aria-disabled]').waitFor();
            await page.keyboard.press('d');
            await page.keyboard.press('Enter');
            return '1 draw';
        }
        const places = all.filter(({ draw }) => !draw);
        const wanted = places[roll(places.length)];
        for (const key of ['1', '2'])
            if ((await picked(page)).tile !== wanted.tile) await page.keyboard.press(key);
        for (let i = 0; i < 3 && (await picked(page)).turns !== wanted.turns; i++)
            await page.keyboard.press('Space');
        assert.deepEqual(await picked(page), { tile: wanted.tile, turns: wanted.turns });
        const allowed = await glows(page, now);
        await walk(page, allowed, wanted.square);
        await tells(page, now, wanted);
        await page.keyboard.press('Enter');
        return wanted.event;
    });
    await ended(page, last);
});

/* ---- While a master thinks ---- */

const master = newRecord({ game: 'metro', seats: ['Ada', { bot: 'master' }] });
const thinks = (page) => page.locator('.metro-player.turn', { hasText: 'Master' }).waitFor();

async function layAnything(page) {
    await turn(page);
    await page.keyboard.press('ArrowRight');
    await page.locator('[data-key=confirm]:not([aria-disabled])').waitFor();
    await page.keyboard.press('Enter');
    await thinks(page);
}

test('no task over 50 ms while a master thinks', async (t) => {
    const page = await visit(t, `${server.url}/#game=x`, { workers: 'held',
        kept: { 'game.x': keptGame('x', master) } });
    await layAnything(page); // everything is loaded then
    await answer(page);
    await turn(page);
    await hold(page);
    const longest = await longestTask(page, async () => {
        await layAnything(page);
        for (let station = 1; station <= 6; station++) {
            const { x, y } = await middle(page, `.pane #station-${station}`);
            await page.mouse.move(x, y); // there is something to show meanwhile
            await page.locator('.pane .line.lit').first().waitFor({ state: 'attached' });
        }
        await answer(page);
        await turn(page);
    });
    t.diagnostic(`longest task of the page: ${longest} ms`);
    assert.deepEqual((await asked(page)).map(({ think }) => think.level), ['master', 'master'],
        'a worker has thought, not the page');
    assert.ok(longest < 50, `a task of ${longest} ms`);
});

test('leaving the table does not wait for the bot', async (t) => {
    const page = await visit(t, `${server.url}/#game=x`, { workers: 'held',
        kept: { 'game.x': keptGame('x', master) } });
    await layAnything(page);
    await isAsked(page);
    await until(() => page.workers().length === 1, 'it thinks in a worker');
    const before = await record(page);
    await go(page, '');
    await until(() => page.workers().length === 0, 'the worker goes');
    assert.equal(await record(page), before, 'nothing was laid meanwhile');
    await go(page, 'game=x');
    await isAsked(page, 2);
    await answer(page);
    await turn(page);
    const after = await record(page);
    assert.ok(after.startsWith(before) && after.length > before.length);
    await hold(page);
    await page.locator('[data-key=hint]').click();
    await page.locator('.hint [data-key=cancel]').click();
    await page.locator('.hint-region > *').waitFor({ state: 'detached' }); // it can be cancelled
});
