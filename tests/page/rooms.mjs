// Tests of playing online, with the program's own server and a browser profile for everybody: three
// people play both games to the end, while one comes back on another device, one is cut off with a
// chosen move, one is replaced by a bot, and somebody watches. All records are the same and verify.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, serve, until, visit } from './browser.mjs';
import { pass, PATIENCE } from './control.mjs';
import { address, choices, cut, keptOf, log, makeRoom, move, person, plan, prepare, reach, recordOf,
    roomOf, rounds, sitDown, start, ticket, tolerate, toTheEnd, turn, verify } from './room.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

for (const game of ['verplant', 'metro'])
    test(`${game}: three people play to the end, with breaks`, { timeout: 10 * PATIENCE },
        async (t) => {
            const ada = await person(t, server, '#online');
            const link = await makeRoom(ada, 'Ada', game, choices[game]);
            const room = roomOf(link);
            const bo = await person(t, server, address(link));
            await sitDown(bo, 2, 'Bo');
            const cy = await person(t, server, address(link));
            await sitDown(cy, 3, 'Cy');
            const watcher = await person(t, server, address(link));
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
            await cy.reload(); // which restores the network
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

            // A rematch.
            await ada.getByRole('button', { name: 'Rematch' }).click();
            await ada.locator('.room-seat .tag.good').waitFor();
            await phone.locator('[data-key=next]').click();
            await phone.locator('[data-seat="2"] .tag.good').waitFor();
            assert.notEqual(roomOf(ada.url()), room);
        });
