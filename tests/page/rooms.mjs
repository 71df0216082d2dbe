// Tests of playing online, with the program's own server and a browser profile for everybody: three
// people play both games to the end, while one comes back on another device, one is cut off with a
// chosen move, one is replaced by a bot, and somebody watches. All records are the same and verify.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { arrived, axe, program, serve, storedGame, until, visit } from './browser.mjs';
import { pass, PATIENCE } from './control.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

// Runs in the page, before anything else there: a network that can be cut. What is sent then is
// lost without a word, as on a train; sockets that are opened come to nothing.
function cuttableNetwork() {
    const Real = window.WebSocket;
    window.testNetwork = { isCut: false };
    window.WebSocket = class extends Real {
        constructor(...words) {
            super(...words);
            if (window.testNetwork.isCut) this.close();
            const listen = this.addEventListener.bind(this);
            this.addEventListener = (type, act) => listen(type, (event) => {
                if (!window.testNetwork.isCut || type === 'close') act(event);
            });
        }

        send(text) {
            if (!window.testNetwork.isCut) super.send(text);
        }
    };
}

const cut = (page, isCut) => page.evaluate((is) => (window.testNetwork.isCut = is), isCut);
const prepare = (context) => context.addInitScript(cuttableNetwork);
/* A socket that is closed before it is open is an error for the console. */
const tolerate = [/WebSocket is closed before the connection is established/,
    /WebSocket connection to .* failed/];

const person = (t, address, options = {}) => visit(t, `${server.url}/${address}`,
    { prepare, tolerate, ...options });

const linkState = (page, state) => page.locator(`.link-state[data-state=${state}]`).waitFor();

// Says who one is, where the page asks.
async function introduce(page, name) {
    await page.locator('dialog #who-name').fill(name);
    await page.locator('dialog button[type=submit]').click();
}

async function makeRoom(page, name, game, choose = async () => {}) {
    await arrived(page, 'online');
    await linkState(page, 'connected');
    await page.locator('#who-name').fill(name);
    await page.locator(`a[href="#host=${game}"]`).click();
    await arrived(page, 'host');
    await choose(page);
    await page.locator('button[type=submit]').click();
    await page.locator('.room-seat .tag.good').waitFor(); // and has sat down
    return page.locator('.link-field input').first().inputValue();
}

async function sitDown(page, seat, name) {
    await page.locator(`[data-key=sit-${seat}]`).click();
    await introduce(page, name);
    await page.locator(`[data-seat="${seat}"] .tag.good`).waitFor();
}

const address = (link) => new URL(link).hash;
const roomOf = (link) => /#room=([a-z0-9]+)/.exec(link)[1];
const isOver = async (page) => await page.locator('.table-over').count() > 0;

// Waits until it is the viewer's turn, which the title says, or the game is over.
const turn = (page) => page.waitForFunction(() => document.title.startsWith('●') ||
    document.querySelector('.table-over'));

// Plans any legal move.
async function plan(page) {
    if (await page.locator('.table-metro').count()) {
        await page.keyboard.press('ArrowRight');
    } else {
        await page.locator('.chip:not(:disabled)').first().focus();
        await page.locator('.chip:not(:disabled)').first().click();
    }
    await page.locator('button[data-key=confirm]:not([aria-disabled])').waitFor();
}

const log = (page) => page.locator('.log-region').textContent();

// Makes a move when it is the viewer's turn; returns whether the game goes on.
async function move(page) {
    await turn(page);
    if (await isOver(page)) return false;
    const before = await log(page);
    await plan(page);
    await page.locator('button[data-key=confirm]:not([aria-disabled])').click();
    await page.waitForFunction((text) => document.querySelector('.table-over') ||
        document.querySelector('.log-region')?.textContent !== text, before);
    return true;
}

const rounds = (pages, count) => Promise.all(pages.map(async (page) => {
    for (let i = 0; i < count; i++) await move(page);
}));

// Waits until it is the turn of `page`, while others move when it is theirs.
async function reach(page, others) {
    const isDue = async (one) => (await one.title()).startsWith('●');
    while (!await isDue(page))
        for (const other of others) if (await isDue(other)) await move(other);
}

async function toTheEnd(page) {
    while (await move(page));
}

async function start(page, others) {
    await page.locator('[data-key=start]:not([aria-disabled])').click();
    await Promise.all([page, ...others].map((one) => one.locator('.room-bar').waitFor()));
}

// The link by which another device becomes the same person.
async function ticket(page) {
    await page.locator('[data-key=about]').click();
    await page.locator('dialog').getByRole('button', { name: 'Make a link' }).click();
    const link = await page.locator('dialog .link-field input').nth(1).inputValue();
    await page.keyboard.press('Escape');
    return link;
}

// The record that this browser keeps of the room.
const recordOf = (page, room) => until(async () => (await storedGame(page, room))?.record);

function verify(record, commit) {
    const { status, stdout, stderr } = spawnSync(program, ['verify', '-', '--commit', commit],
        { input: record, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
}

const keptOf = (page, room) => page.evaluate((id) =>
    JSON.parse(localStorage.getItem(`endstation.room.${id}`)), room);

const choices = {
    verplant: async (page) => {
        // A seat stays open, and disappears at the start.
        assert.equal(await page.locator('select[data-seat]').count(), 4);
    },
    metro: async (page) => {
        await page.locator('.segments label', { hasText: 'Open to all' }).click();
    },
};

for (const game of ['verplant', 'metro'])
    test(`${game}: three people play to the end, with breaks`, { timeout: 10 * PATIENCE },
        async (t) => {
            const ada = await person(t, '#online');
            const link = await makeRoom(ada, 'Ada', game, choices[game]);
            const room = roomOf(link);
            const bo = await person(t, address(link));
            await sitDown(bo, 2, 'Bo');
            const cy = await person(t, address(link));
            await sitDown(cy, 3, 'Cy');
            const watcher = await person(t, address(link));
            await watcher.locator('.room-seats').waitFor();
            await start(ada, [bo, cy, watcher]);
            await watcher.locator('.table').waitFor();
            assert.equal(await ada.locator('button[data-key=hint]').count(), 0, 'no hints here');
            assert.equal(await watcher.locator('button[data-key=confirm]').count(), 0);
            await rounds([ada, bo, cy], 2);

            // Bo leaves in mid-round and comes back on a phone.
            const other = await ticket(bo);
            await reach(bo, [ada, cy]);
            await plan(bo);
            await bo.close();
            const phone = await visit(t, `${server.url}/${address(other)}`,
                { prepare, tolerate, size: 'phone' });
            await arrived(phone, 'device');
            assert.ok(!phone.url().includes(address(other)), 'the ticket has left the address');
            await phone.getByRole('button', { name: 'Continue here' }).click();
            await phone.locator('.room-player', { hasText: 'You' }).waitFor();
            await rounds([ada, phone, cy], 1);

            // Cy is cut off for a minute with a chosen move, and loads the page again.
            await reach(cy, [ada, phone]);
            await cut(cy, true);
            await plan(cy);
            await cy.locator('button[data-key=confirm]').click();
            const chosen = await until(async () => (await keptOf(cy, room)).move);
            await pass(cy, 60000);
            await cy.locator('.link-state', { hasText: 'Your move is kept' }).waitFor();
            await cy.reload(); // and the network is there again
            await until(async () => (await keptOf(cy, room)).move === null, 'it is acknowledged');
            await rounds([ada, phone], 1);
            await move(cy);

            // Ada gives the seat to a bot, and takes it back.
            await ada.locator('[data-key=about]').click();
            await ada.locator('dialog select').selectOption('random');
            await ada.locator('dialog').getByRole('button', { name: 'Let it play' }).click();
            await ada.locator('.room-note', { hasText: 'A bot plays for you' }).waitFor();
            await phone.locator('.room-player', { hasText: 'a bot plays' }).waitFor();
            const before = await log(ada);
            await rounds([phone, cy], 1);
            await until(async () => await log(ada) !== before, 'the bot has moved');
            await ada.locator('[data-key=take]').click();
            await ada.locator('[data-key=take]').waitFor({ state: 'detached' });

            await Promise.all([ada, phone, cy].map(toTheEnd));
            const pages = [ada, phone, cy, watcher];
            await Promise.all(pages.map((page) => page.locator('.ending').waitFor()));
            const records = await Promise.all(pages.map((page) => recordOf(page, room)));
            for (const record of records) assert.equal(record, records[0]);
            assert.match(records[0], /^note takeover 1 random/m);
            assert.ok(records[0].split('\n').includes(chosen.event), 'the chosen move was made');
            verify(records[0], (await keptOf(ada, room)).commit);
            for (const page of pages)
                await page.locator('.room-note', { hasText: 'shuffled fairly' }).waitFor();

            // Once more.
            await ada.getByRole('button', { name: 'Rematch' }).click();
            await ada.locator('.room-seat .tag.good').waitFor();
            await phone.locator('[data-key=next]').click();
            await phone.locator('[data-key=sit-2]').click();
            await phone.locator('[data-seat="2"] .tag.good').waitFor();
            assert.notEqual(roomOf(ada.url()), room);
        });
