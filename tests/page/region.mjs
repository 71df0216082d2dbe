// Tests of dates and of the browser's languages: a day is the reader's, wherever the reader is, and
// a language tag that Intl does not take breaks no screen.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { go, keptGame, newRecord, pack, played, serve, storedGame, storedGames, visit }
    from './browser.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const over = await played(newRecord());

// Half past eight in the evening of 17 March in Los Angeles, and half past seven in the morning of
// the 18th in Auckland, are on other days in Greenwich.
const READERS = [['America/Los_Angeles', '2026-03-17T20:30:00-07:00', '2026-03-17', '17 Mar 2026'],
    ['Pacific/Auckland', '2026-03-18T07:30:00+13:00', '2026-03-18', '18 Mar 2026']];

const dateOf = (record) => /^date (.*)/m.exec(record)[1];
const begun = async (page) => {
    await page.locator('.screen-game .table').waitFor();
    return storedGame(page, /^#game=(\w+)/.exec(new URL(page.url()).hash)[1]);
};

async function download(page, click) {
    const [file] = await Promise.all([page.waitForEvent('download'), click()]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

for (const [timezoneId, date, today, written] of READERS) {
    test(`a day is the reader’s: ${timezoneId}`, async (t) => {
        const page = await visit(t, server.url, { timezoneId, date, kept: {
            'game.o': keptGame('o', over, { over: true, created: Date.parse(date),
                changed: Date.parse(date), title: 'Old' }) } });
        // records
        await page.locator('.start-verplant').getByRole('button', { name: 'Play' }).click();
        assert.equal(dateOf((await begun(page)).record), today, 'quick start');
        await go(page, 'new=metro');
        await page.getByRole('button', { name: 'Start the game' }).click();
        assert.equal(dateOf((await begun(page)).record), today, 'the form');
        await go(page, 'game=o');
        await page.getByRole('button', { name: 'Play again' }).click();
        await page.locator('.table:not(.table-over)').waitFor();
        assert.equal(dateOf((await begun(page)).record), today, 'again');
        await go(page, `challenge=${pack(over)}`);
        await page.getByRole('button', { name: 'Play' }).click();
        assert.equal(dateOf((await begun(page)).record), today, 'a challenge');
        // lists, and names of files
        await go(page, 'games');
        const row = page.locator('[data-game=o]');
        await row.locator('time', { hasText: written }).waitFor();
        const saved = await download(page, () =>
            row.getByRole('button', { name: 'Save as a file' }).click());
        assert.equal(saved.name, `old-${today}.record`);
        await go(page, 'settings');
        const all = await download(page, () =>
            page.getByRole('button', { name: 'Save everything as a file' }).click());
        assert.equal(all.name, `endstation-${today}.json`);
        // a game that comes from elsewhere keeps the day that it names
        const text = await played(newRecord({ seats: ['Bea'] }));
        await go(page, 'games');
        await page.locator('.drop input').setInputFiles({ name: 'a.record', mimeType: 'text/plain',
            buffer: Buffer.from(text) });
        await page.locator('.good', { hasText: '1 game imported' }).waitFor();
        const brought = (await storedGames(page)).find(({ id, record }) =>
            id !== 'o' && dateOf(record) === '2025-06-30');
        await page.locator(`[data-game="${brought.id}"] time`, { hasText: '30 Jun 2025' })
            .waitFor();
        await go(page, 'statistics');
        await page.locator('.statistics-all summary').first().click();
        await page.locator('.statistics-all td, .statistics-all th', { hasText: '30 Jun 2025' })
            .first().waitFor();
    });
}

test('a language tag that Intl does not take breaks no screen', async (t) => {
    for (const [tags, paper, lang] of [[['en-US@posix'], 'US Letter', 'en'],
        [['de_AT.UTF-8', 'en'], 'A4', 'de'], [['C'], 'A4', 'en'], [[], 'A4', 'en'],
        [['x'.repeat(99), 'es-MX'], 'Carta (EE. UU.)', 'es']]) {
        const prepare = (context) => context.addInitScript((all) => {
            Object.defineProperty(navigator, 'languages', { get: () => all });
            Object.defineProperty(navigator, 'language', { get: () => all[0] ?? '' });
        }, tags);
        const page = await visit(t, server.url, { prepare, kept: {
            'game.o': keptGame('o', over, { over: true }) } });
        await page.locator(`html[lang=${lang}]`).waitFor({ state: 'attached' });
        await go(page, 'games');
        await page.locator('[data-game=o] time').waitFor();
        await go(page, 'statistics');
        await page.locator('.statistics-all').waitFor();
        await go(page, 'print=verplant');
        await page.locator('.print-pages svg').first().waitFor();
        const size = page.locator('.segments label:has(:checked)').last();
        assert.equal(await size.textContent(), paper);
    }
});
