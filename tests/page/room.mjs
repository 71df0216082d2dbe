// Functions that tests of rooms share: people in browser profiles of their own, who make a room,
// sit down and play there, over a network that can be cut.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { arrived, program, storedGame, until, visit } from './browser.mjs';

// Runs in the page, before anything else there: a network that can be cut. What is sent then is
// lost without an error, as on a train; sockets that are opened never connect. rewrite(message)
// replaces a message from the server.
export function cuttableNetwork() {
    const Real = window.WebSocket;
    window.testNetwork = { isCut: false, rewrite: (message) => message };
    window.WebSocket = class extends Real {
        constructor(...words) {
            super(...words);
            if (window.testNetwork.isCut) this.close();
            const listen = this.addEventListener.bind(this);
            this.addEventListener = (type, act) => listen(type, (event) => {
                if (type === 'message' && !window.testNetwork.isCut)
                    act({ data: JSON.stringify(window.testNetwork.rewrite(
                        JSON.parse(event.data))) });
                else if (type !== 'message') act(event);
            });
        }

        send(text) {
            if (!window.testNetwork.isCut) super.send(text);
        }
    };
}

export const cut = (page, isCut) => page.evaluate((is) => (window.testNetwork.isCut = is), isCut);
export const prepare = (context) => context.addInitScript(cuttableNetwork);
/* A socket that is closed before it is open is an error for the console. */
export const tolerate = [/WebSocket is closed before the connection is established/,
    /WebSocket connection to .* failed/];

// Opens a page in a browser profile of its own, with a network that can be cut.
export const person = (t, server, hash, options = {}) => visit(t, `${server.url}/${hash}`,
    { prepare, tolerate, ...options });

export const linkState = (page, state) =>
    page.locator(`.link-state[data-state=${state}]`).waitFor();

// Fills in the dialog that asks for a name.
export async function introduce(page, name) {
    await page.locator('dialog .who-name').fill(name);
    await page.locator('dialog button[type=submit]').click();
}

export async function makeRoom(page, name, game, choose = async () => {}) {
    await arrived(page, 'online');
    await linkState(page, 'connected');
    await page.locator('.who-name').fill(name);
    await page.locator(`a[href="#host=${game}"]`).click();
    await arrived(page, 'host');
    await choose(page);
    await page.locator('button[type=submit]').click();
    await page.locator('.room-seat .tag.good').waitFor(); // and has sat down
    return page.locator('.link-field input').first().inputValue();
}

export async function sitDown(page, seat, name) {
    await page.locator(`[data-key=sit-${seat}]`).click();
    await introduce(page, name);
    await page.locator(`[data-seat="${seat}"] .tag.good`).waitFor();
}

export const address = (link) => new URL(link).hash;
export const roomOf = (link) => /#room=([a-z0-9]+)/.exec(link)[1];
export const isOver = async (page) => await page.locator('.table-over').count() > 0;

// Waits until it is the viewer's turn (the title says so before the table is there), or the game is
// over.
export const turn = (page) => page.waitForFunction(() => document.querySelector('.table-over') ||
    (document.title.startsWith('●') && document.querySelector('.table .confirm')));

// Plans any legal move.
export async function plan(page) {
    if (await page.locator('.table-metro').count()) {
        await page.keyboard.press('ArrowRight');
    } else {
        // On a free ride without an empty station there is nothing to do but skip it.
        const choice = page.locator('.chip:not(:disabled), button[data-key=none]').first();
        await choice.focus();
        await choice.click();
    }
    await page.locator('button[data-key=confirm]:not([aria-disabled])').waitFor();
}

export const log = (page) => page.locator('.log-region').textContent();

// Makes a move when it is the viewer's turn; returns false when the game is over.
export async function move(page) {
    await turn(page);
    if (await isOver(page)) return false;
    const before = await log(page);
    await plan(page);
    await page.locator('button[data-key=confirm]:not([aria-disabled])').click();
    await page.waitForFunction((text) => document.querySelector('.table-over') ||
        document.querySelector('.log-region')?.textContent !== text, before);
    return true;
}

export const rounds = (pages, count) => Promise.all(pages.map(async (page) => {
    for (let i = 0; i < count; i++) await move(page);
}));

// Waits until it is the turn of `page`, while others move when it is theirs.
export async function reach(page, others) {
    const isDue = async (one) => (await one.title()).startsWith('●');
    while (!await isDue(page))
        for (const other of others) if (await isDue(other)) await move(other);
}

export async function toTheEnd(page) {
    while (await move(page));
}

export async function start(page, others) {
    await page.locator('[data-key=start]:not([aria-disabled])').click();
    await Promise.all([page, ...others].map((one) => one.locator('.room-bar').waitFor()));
}

// The link by which another device becomes the same person.
export async function ticket(page) {
    await page.locator('[data-key=about]').click();
    await page.locator('dialog').getByRole('button', { name: 'Make a link' }).click();
    const link = await page.locator('dialog .link-field input').nth(1).inputValue();
    await page.keyboard.press('Escape');
    return link;
}

// The record that this browser keeps of the room.
export const recordOf = (page, room) => until(async () => (await storedGame(page, room))?.record);

export function verify(record, commit) {
    const { status, stdout, stderr } = spawnSync(program, ['verify', '-', '--commit', commit],
        { input: record, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
}

export const keptOf = (page, room) => page.evaluate((id) =>
    JSON.parse(localStorage.getItem(`endstation.room.${id}`)), room);

// What is chosen in the form.
export const choices = {
    verplant: async (page) => {
        // A seat stays open, and disappears at the start.
        assert.equal(await page.locator('select[data-seat]').count(), 4);
    },
    metro: async (page) => {
        await page.locator('.segments label', { hasText: 'Open to all' }).click();
    },
};

// Ada has made a room, and sits in it.
export const made = async (t, server, game = 'verplant', choose, options) => {
    const ada = await person(t, server, '#online', options);
    return { ada, link: await makeRoom(ada, 'Ada', game, choose) };
};
