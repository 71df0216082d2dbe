// What people can do about each other in rooms, and the operator of the server about all of them:
// reporting, removing, blocking. (Muting for oneself: rooms_parts.mjs.)
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { program, serve } from './browser.mjs';
import { address, made, person, sitDown } from './room.mjs';

const data = mkdtempSync(join(tmpdir(), 'endstation-people-'));
const server = await serve('--port', '0', '--data', data);
test.after(async () => {
    await server.stop();
    rmSync(data, { recursive: true });
});

// Asks the operator's command; returns what it prints as objects.
const manage = (...words) => execFileSync(program, ['manage', '--data', data, '--json', ...words],
    { encoding: 'utf8' }).split('\n').filter(Boolean).map((line) => JSON.parse(line));

test('messages and names are reported, and the operator deals with them', async (t) => {
    const { ada, link } = await made(t, server);
    const bo = await person(t, server, address(link));
    await sitDown(bo, 2, 'Bo');
    for (const text of ['A rude message', 'A kind one']) {
        await bo.locator('.chat-form input').fill(text);
        await bo.keyboard.press('Enter');
        await ada.locator('.chat-line', { hasText: text }).waitFor();
    }
    assert.equal(await bo.locator('.chat-about').count(), 0); // not of one's own messages
    await ada.getByRole('button', { name: 'About this message from Bo' }).first().click();
    await ada.locator('dialog [data-key=report]', { hasText: 'Report this message' }).click();
    await ada.locator('.notice', { hasText: 'will see it' }).waitFor();
    await ada.locator('[data-key=person-2]').click();
    await ada.locator('dialog [data-key=report]', { hasText: 'Report this name' }).click();
    await ada.locator('dialog').waitFor({ state: 'detached' });
    const reports = manage('reports').map((report) => JSON.parse(report.text));
    const { room, n, text, guest } = reports.find((report) => report.n);
    assert.equal(text, 'A rude message');
    assert.deepEqual(manage('rooms', '--guest', guest).map((one) => one.room), [room]);
    manage('remove', room, String(n));
    for (const page of [ada, bo])
        await page.locator('.chat-line', { hasText: text }).waitFor({ state: 'detached' });
    assert.equal(await ada.locator('.chat-line').count(), 1);
    manage('mute', guest);
    await bo.locator('.chat-form input').fill('One more');
    await bo.keyboard.press('Enter');
    await bo.locator('.notice', { hasText: 'don’t let you write' }).waitFor();
    assert.equal(await bo.locator('.chat-form input').inputValue(), 'One more');
    manage('block', guest);
    await bo.locator('h1', { hasText: 'can’t be shown' }).waitFor();
    await bo.locator('p', { hasText: 'have blocked you' }).first().waitFor();
    await ada.locator('[data-seat="2"]', { hasText: 'Open seat' }).waitFor();
});

test('the host removes somebody from the table for good', async (t) => {
    const { ada, link } = await made(t, server);
    const bo = await person(t, server, address(link));
    await sitDown(bo, 2, 'Bo');
    await ada.locator('[data-key=person-2]').click();
    await ada.locator('dialog [data-key=remove]').click();
    await ada.locator('[data-seat="2"]', { hasText: 'Open seat' }).waitFor();
    await bo.locator('[data-key=sit-2]').click();
    await bo.locator('.notice', { hasText: 'has removed you' }).waitFor();
    await bo.locator('[data-seat="2"]', { hasText: 'Open seat' }).waitFor();
});
