// A room in Firefox ESR (or as ES_BROWSER says), each person with a browser of their own: three
// play to the end, while one comes back on another device, one is cut off with a chosen move, one
// is replaced by a bot, and somebody watches. All records are the same and verify.
//
// If the browser is not installed the test is skipped: exit status 77.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pass, PATIENCE, until } from './control.mjs';
import { serve } from './program.mjs';
import { address, cut, cuttableNetwork, keptOf, recordOf, roomOf, verify } from './room.mjs';
import { chosenBrowser, DESKTOP, launch, PHONE } from './webdriver.mjs';

const name = chosenBrowser();
const CONFIRM = 'button[data-key=confirm]:not([aria-disabled])';
const server = await serve('--port', '0');
test.after(() => server.stop());

// Opens a browser for a person, at this screen of the page.
async function person(t, hash, screen, size = DESKTOP) {
    const page = await launch(name);
    t.after(() => page.close());
    await page.resize(size);
    await page.open(server.url);
    await page.arrived('start');
    await page.evaluate(cuttableNetwork); // before the page has opened a socket
    await page.evaluate((place) => {
        location.hash = place;
    }, hash);
    await page.arrived(screen);
    return page;
}

async function sitDown(page, seat, who) {
    await page.press(`[data-key=sit-${seat}]`);
    await page.fill('dialog .who-name', who);
    await page.press('dialog button[type=submit]');
    await page.there(`[data-seat="${seat}"] .tag.good`);
}

const says = (page, selector, words) => page.until((where, what) =>
    [...document.querySelectorAll(where)].some((one) => one.textContent.includes(what)), selector,
words);
const log = (page) => page.texts('.log-region');
// The title may say so before the table is there, after a reload.
const isDue = (page) => page.evaluate(() => document.title.startsWith('●') &&
    Boolean(document.querySelector('.table')));
const isOver = async (page) => await page.count('.table-over') > 0;

// Plans any legal move.
async function plan(page) {
    if (await page.count('.table-metro')) await page.key('ArrowRight');
    else await page.press('.chip:not(:disabled)');
    await page.there(CONFIRM);
}

// Makes a move.
async function move(page) {
    const before = await log(page);
    await plan(page);
    await page.press(CONFIRM);
    await until(async () => await isOver(page) || (await log(page))[0] !== before[0],
        'the move is not in the log');
}

// Everybody moves when it is their turn, until done() returns true.
async function playUntil(pages, done) {
    while (!await done())
        for (const page of pages)
            if (!await isOver(page) && await isDue(page)) await move(page);
}

// Everybody makes that many moves.
async function rounds(pages, count) {
    const left = new Map(pages.map((page) => [page, count]));
    while ([...left.values()].some((moves) => moves > 0))
        for (const page of pages)
            if (left.get(page) > 0 && await isDue(page)) {
                await move(page);
                left.set(page, left.get(page) - 1);
            }
}

for (const game of (process.env.ES_ROOMS ?? 'verplant metro').split(' '))
    test(`${game}: three people in ${name}, with breaks`, { timeout: 10 * PATIENCE }, async (t) => {
        const ada = await person(t, '#online', 'online');
        await ada.fill('.who-name', 'Ada');
        await ada.press(`a[href="#host=${game}"]`);
        await ada.arrived('host');
        await ada.press('button[type=submit]');
        await ada.there('.room-seat .tag.good');
        const link = await ada.evaluate(() => document.querySelector('.link-field input').value);
        const room = roomOf(link);
        const bo = await person(t, address(link), 'room');
        await sitDown(bo, 2, 'Bo');
        const cy = await person(t, address(link), 'room');
        await sitDown(cy, 3, 'Cy');
        const watcher = await person(t, address(link), 'room');
        await watcher.there('.room-seats');
        await ada.press('[data-key=start]:not([aria-disabled])');
        for (const page of [ada, bo, cy, watcher]) await page.there('.table');
        assert.equal(await watcher.count('button[data-key=confirm]'), 0);
        await rounds([ada, bo, cy], 2);

        // Bo leaves in mid-round and comes back on a phone.
        await bo.press('[data-key=about]');
        await bo.press('dialog button', 'Make a link');
        const other = await bo.until(() =>
            document.querySelectorAll('dialog .link-field input')[1]?.value);
        await bo.key('Escape');
        await playUntil([ada, cy], () => isDue(bo));
        await plan(bo);
        const phone = await person(t, address(other), 'device', PHONE);
        assert.ok(!await phone.evaluate((ticket) => location.href.includes(ticket),
            address(other)), 'the ticket has left the address');
        await phone.press('button', 'Continue here');
        await says(phone, '.room-player', 'You');
        await rounds([ada, phone, cy], 1);

        // Cy is cut off for a minute with a chosen move, and loads the page again.
        await playUntil([ada, phone], () => isDue(cy));
        await cut(cy, true);
        await plan(cy);
        await cy.press(CONFIRM);
        const chosen = await until(async () => (await keptOf(cy, room)).move);
        await pass(cy, 60000);
        await says(cy, '.link-state', 'Your move is kept');
        await cy.reload(); // which restores the network
        await until(async () => (await keptOf(cy, room)).move === null, 'it is acknowledged');
        await rounds([ada, phone], 1);

        // Ada gives the seat to a bot, and takes it back.
        await ada.press('[data-key=about]');
        await ada.select('dialog select', 'random');
        await ada.press('dialog button', 'Let it play');
        await says(ada, '.room-note', 'A bot plays for you');
        await says(phone, '.room-player', 'a bot plays');
        const before = await log(ada);
        await rounds([phone, cy], 1); // in metro Bo's turn comes after the bot's
        await until(async () => (await log(ada))[0] !== before[0], 'the bot has moved');
        await ada.press('[data-key=take]');
        await ada.until(() => !document.querySelector('[data-key=take]'));

        const pages = [ada, phone, cy, watcher];
        await playUntil([ada, phone, cy], () => isOver(watcher));
        for (const page of pages) await page.there('.ending');
        const records = await Promise.all(pages.map((page) => recordOf(page, room)));
        for (const record of records) assert.equal(record, records[0]);
        assert.match(records[0], /^note takeover 1 random/m);
        assert.ok(records[0].split('\n').includes(chosen.event), 'the chosen move was made');
        verify(records[0], (await keptOf(ada, room)).commit);
        for (const page of pages) await says(page, '.room-note', 'shuffled fairly');
    });
