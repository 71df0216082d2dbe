// Tests of a room as the source of a table (web/online/roomsource.js), with a server played by the
// test: it tells wrong hashes, breaks off, answers late or not at all, and ends the game in any
// order.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, keptGame, newRecord, serve, storedGame, until, visit } from './browser.mjs';
import { becomes } from './play.mjs';

// The page as it is in the folder, not joined to a few files: its modules can be had one by one.
const web = new URL('../../web', import.meta.url).pathname;
const server = await serve('--port', '0', '--web', web);
test.after(() => server.stop());

const ROOM = 'abcdefghijklmn27';

// Runs in the page: a room of which `window.far` is the server. `far.link` is the connection that
// the source has; `far.asked` are requests that wait for an answer.
async function enter({ record, room, seat }) {
    const base = document.querySelector('script[src$="/app.js"]').src;
    const load = (name) => import(new URL(`../${name}`, base));
    const [{ sit }, { loadEngine }, { RoomSource }, { hashOfText }] = await Promise.all(
        ['table/table.js', 'engine/engine.js', 'online/roomsource.js', 'engine/shufflecheck.js']
            .map(load));
    const truth = await loadEngine();
    const own = await loadEngine(); // the viewer's view, for its report
    truth.open(record);
    truth.deal();
    const listeners = {};
    const far = (window.far = { asked: [], sent: [], meanwhile: [], failures: 0, truth,
        link: {
            state: 'connected',
            on: (type, act) => ((listeners[type] ??= []).push(act), () => {}),
            request: (message) => new Promise((resolve) => far.asked.push({ message, resolve })),
            send: (message) => far.sent.push(message),
        },
        tell: (type, message) => listeners[type]?.forEach((act) => act({ t: type, ...message })),
        count: () => own.state(0).events,
        room(changes = {}) {
            far.tell('room', { phase: 'playing', seat, hints: false, seats: truth.state(0).players
                .map(() => ({ kind: 'person', name: 'x', colour: 0, here: true })), ...changes });
        },
        facts() {
            const due = truth.state(0).players.map(({ player }) => player)
                .filter((player) => truth.state(player).turn.includes(player));
            return { hash: hashOfText(own.report()).slice(0, 16), due, left: due.map(() => -1) };
        },
        view(changes = {}) {
            own.open(truth.view(seat));
            far.tell('view', { text: truth.view(seat), ...far.facts(), ...changes });
        },
        // Sends the lines that are new since the latest message.
        lines(changes = {}) {
            const from = own.state(0).events;
            own.open(truth.view(seat));
            const all = truth.view(seat).split('\n\n')[1].split('\n').filter(Boolean);
            far.tell('lines', { from, lines: all.slice(from), ...far.facts(), ...changes });
        },
        // Makes the pending move.
        accept() {
            const { message, resolve } = far.asked.shift();
            truth.apply(message.event);
            truth.deal();
            resolve({ t: 'ok', decision: message.decision });
            far.others();
        },
        others() {
            for (let due; (due = truth.state(0).players.find(({ player }) => player !== seat &&
                truth.state(player).turn.includes(player)));) {
                truth.apply(truth.think(due.player, 'random', 1).event);
                truth.deal();
            }
        },
    });
    far.source = new RoomSource(far.link, room, {
        meanwhile: (facts) => far.meanwhile.push(facts.length),
        failed: () => far.failures++ });
    const place = document.createElement('div');
    place.className = 'screen screen-far';
    document.querySelector('main').replaceChildren(place);
    sit(place, room, () => far.source.started).then((leave) => (window.leave = leave));
    far.room();
    far.view();
}

const games = {
    verplant: newRecord({ seats: ['Ada', 'Bo'] }),
    metro: newRecord({ game: 'metro', seats: ['Ada', 'Bo'] }),
};

async function table(t, record) {
    const page = await visit(t, `${server.url}/#settings`);
    await arrived(page, 'settings');
    await page.evaluate(enter, { record, room: ROOM, seat: 1 });
    await page.locator('.table .confirm').waitFor();
    return page;
}

const far = (page, act, words) => page.evaluate(act, words);
const enabled = (page) => page.locator('button[data-key=confirm]:not([aria-disabled])');
const asked = (page) => far(page, () => window.far.asked.map(({ message }) => message));
const sent = (page) => far(page, () => window.far.sent);
const keptMove = (page) => far(page, (room) =>
    JSON.parse(localStorage.getItem(`endstation.room.${room}`)).move ?? null, ROOM);
// What the table's engine knows, by what the page says in words.
const log = (page) => page.locator('.log-region').textContent();

async function choose(page) {
    await page.keyboard.press('ArrowRight');
    await enabled(page).click();
    await becomes(async () => (await asked(page)).length, 1);
}

// Runs in the page: plays to the end, and sends all but the record.
function end() {
    const { truth } = window.far;
    while (!truth.state(0).over) {
        const { player } = truth.state(0).players.find((one) =>
            truth.state(one.player).turn.includes(one.player));
        truth.apply(truth.think(player, 'random', 1).event);
        truth.deal();
    }
    window.far.room({ phase: 'over' });
    window.far.lines();
}

// Runs in the page: when it is about to keep something among the games, another tab has just kept
// this one.
async function beSecond(item) {
    const other = await new Promise((resolve) => {
        indexedDB.open('endstation').onsuccess = ({ target }) => resolve(target.result);
    });
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function begin(names, mode, ...words) {
        if (mode === 'readwrite' && [names].flat().includes('games')) {
            IDBDatabase.prototype.transaction = transaction;
            other.transaction('games', mode).objectStore('games').put(item);
        }
        return transaction.call(this, names, mode, ...words);
    };
}

for (const [name, record] of Object.entries(games)) {
    test(`${name}: the end is shown although another tab has kept the record`, async (t) => {
        const page = await table(t, record);
        await far(page, end);
        await page.waitForFunction(() => window.far.source.state.over);
        const whole = await far(page, () => window.far.truth.record());
        await far(page, beSecond, keptGame(ROOM, whole, { over: true, title: 'the other’s' }));
        await far(page, (text) => window.far.tell('record', { text }), whole);
        await page.locator('.ending').waitFor();
        assert.equal(await far(page, () => window.far.failures), 0);
        assert.equal((await storedGame(page, ROOM)).title, 'the other’s');
    });

    test(`${name}: moves name their decision, and no hint is offered`,
        async (t) => {
            const page = await table(t, record);
            assert.equal(await page.locator('button[data-key=hint]').count(), 0);
            for (let decision = 0; decision < 3; decision++) {
                await choose(page);
                const [move] = await asked(page);
                assert.equal(move.t, 'move');
                assert.equal(move.decision, decision);
                assert.deepEqual(await keptMove(page), { decision, event: move.event });
                await far(page, () => window.far.accept());
                await until(async () => await keptMove(page) === null);
                await far(page, () => window.far.lines());
                await page.waitForFunction(() => window.far.source.seats[0].due);
            }
            assert.deepEqual(await sent(page), [], 'the hashes agree');
            assert.equal(await page.locator('.notice').count(), 0);
        });

    test(`${name}: after a wrong hash or number the page asks for the whole view`, async (t) => {
        const page = await table(t, record);
        await choose(page);
        await far(page, () => window.far.accept());
        await far(page, () => window.far.lines({ hash: '0123456789abcdef' }));
        await becomes(async () => (await sent(page)).length, 1);
        const [{ t: type, have, hash }] = await sent(page);
        assert.equal(type, 'again');
        assert.ok(Number.isInteger(have));
        assert.match(hash, /^[0-9a-f]{16}$/);
        await far(page, () => window.far.view());
        await page.waitForFunction(() => window.far.source.seats[0].due);
        await choose(page);
        await far(page, () => window.far.accept());
        await far(page, () => window.far.lines({ from: 0 }));
        await becomes(async () => (await sent(page)).length, 2);
        await far(page, () => window.far.view());
        await page.waitForFunction(() => window.far.source.seats[0].due);
        assert.match(await log(page), /Bo/);
        // If it never agrees, the page says so instead of asking for ever.
        for (let i = 0; i < 5; i++) await far(page, () => window.far.view({ hash: '0' }));
        await until(() => far(page, () => window.far.failures > 0));
        assert.equal((await sent(page)).length, 5);
    });

    test(`${name}: a move without an answer is sent again after a reload`, async (t) => {
        const page = await table(t, record);
        await choose(page);
        const [move] = await asked(page);
        await page.reload();
        await arrived(page, 'settings');
        await page.evaluate(enter, { record, room: ROOM, seat: 1 });
        await becomes(async () => (await asked(page)).length, 1);
        assert.deepEqual(await asked(page), [move]);
        // Nobody can choose another one meanwhile.
        await page.locator('.table .confirm').waitFor();
        assert.equal(await far(page, () => window.far.source.seats[0].due), false);
        await far(page, () => window.far.accept());
        await far(page, () => window.far.lines());
        await page.waitForFunction(() => window.far.source.seats[0].due);
        assert.equal(await keptMove(page), null);
    });

    test(`${name}: if another answer was made for the decision, it is shown`, async (t) => {
        const page = await table(t, record);
        await choose(page);
        await far(page, () => {
            const { message, resolve } = window.far.asked.shift();
            const { truth } = window.far;
            const event = truth.think(1, 'random', 7).event;
            truth.apply(event);
            truth.deal();
            window.far.others();
            resolve({ t: 'no', code: 'DECISION_MADE', decision: message.decision, event });
        });
        await page.locator('.notice', { hasText: 'Another move was made for you' }).waitFor();
        await until(async () => await keptMove(page) === null);
        await far(page, () => window.far.lines());
        await page.waitForFunction(() => window.far.source.seats[0].due);
        await choose(page);
        assert.equal((await asked(page))[0].decision, 1);
    });

    test(`${name}: after a break the page tells what happened meanwhile`, async (t) => {
        const page = await table(t, record);
        await choose(page);
        await far(page, () => window.far.tell('state', { state: 'offline' }));
        await page.locator('button[data-key=confirm][aria-disabled]').waitFor();
        await far(page, () => window.far.accept());
        await far(page, () => window.far.tell('state', { state: 'connected' }));
        await far(page, () => window.far.lines());
        await until(() => far(page, () => window.far.meanwhile.length === 1));
    });

    test(`${name}: while a bot plays for the viewer, the page asks for no move`, async (t) => {
        const page = await table(t, record);
        await far(page, () => window.far.room({ seats: [{ kind: 'person', bot: 'casual' },
            { kind: 'person' }] }));
        await page.waitForFunction(() => !window.far.source.seats[0].due);
        await page.keyboard.press('ArrowRight');
        assert.equal(await enabled(page).count(), 0);
        await far(page, () => window.far.room());
        await page.waitForFunction(() => window.far.source.seats[0].due);
    });

    test(`${name}: the end is shown when the record is kept`, async (t) => {
        const page = await table(t, record);
        await far(page, end);
        await page.waitForFunction(() => window.far.source.state.over);
        assert.equal(await page.locator('.table-over').count(), 0);
        const whole = await far(page, () => {
            const text = window.far.truth.record();
            window.far.tell('record', { text });
            window.far.tell('record', { text }); // and once more, after a break
            return text;
        });
        await page.locator('.ending').waitFor();
        assert.equal((await storedGame(page, ROOM)).record, whole);
        assert.equal((await storedGame(page, ROOM)).over, true);
        await page.getByRole('link', { name: 'Replay', exact: true }).click();
        await arrived(page, 'replay');
    });
}
