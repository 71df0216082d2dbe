// Tests of the screen to print: what it offers, by mouse, touch and keys, and what a printer gets:
// as many pages as it says, in their true size, white in every theme.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, axe, go, keptGame, newRecord, serve, turn, visit } from './browser.mjs';
import { kept, ownMap } from './places.mjs';
import { becomes } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const A4 = [210, 297];
const LETTER = [215.9, 279.4];
const across = ([width, height]) => [height, width];

// Runs in the page, before anything else there: the dialog to print, which no test can close.
function countPrints() {
    window.prints = 0;
    window.print = () => window.prints++;
}

async function open(t, hash, options = {}) {
    const page = await visit(t, `${server.url}/#${hash}`, {
        prepare: (context) => context.addInitScript(countPrints), ...options });
    await arrived(page, 'print');
    return page;
}

// The sizes of the pages in millimetres, as a printer gets them. A browser rounds them to pixels.
async function printed(page) {
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const boxes = pdf.matchAll(/\/Type\s*\/Page\b[^]*?\/MediaBox\s*\[([^\]]*)\]/g);
    return [...boxes].map(([, box]) => box.trim().split(/\s+/).slice(2)
        .map((points) => points * 25.4 / 72));
}

async function assertPages(page, expected) {
    const sizes = await printed(page);
    assert.equal(sizes.length, expected.length);
    for (const [i, size] of sizes.entries())
        for (const side of [0, 1])
            assert(Math.abs(size[side] - expected[i][side]) < 0.5, `page ${i + 1}: ${size} mm`);
    await page.getByText(expected.length === 1 ? '1 page' : `${expected.length} pages`,
        { exact: true }).waitFor();
}

const captions = (page) => page.locator('.print-pages li > span').allInnerTexts();

test('the board in halves, tiles and trains, on both papers', async (t) => {
    const page = await open(t, 'print=metro');
    const all = (paper) => [across(paper), across(paper), paper, paper];
    assert.deepEqual(await captions(page), ['Board', 'Board', 'Tiles', 'Trains']);
    await assertPages(page, all(A4));
    await page.getByRole('radio', { name: 'US Letter' }).click();
    await assertPages(page, all(LETTER));
    assert.equal(await page.locator('.print-pages li:nth-child(3) svg svg').count(), 60);
    await page.getByRole('switch', { name: 'Trains' }).click();
    await page.getByRole('switch', { name: 'Board' }).click();
    await assertPages(page, [LETTER]);
    await page.reload(); // the paper is remembered
    await arrived(page, 'print');
    await assertPages(page, all(LETTER));
    await page.getByRole('button', { name: 'Print' }).click();
    assert.equal(await page.evaluate(() => window.prints), 1);
});

test('things are printed in their true size', async (t) => {
    const page = await open(t, 'print=metro');
    await page.emulateMedia({ media: 'print' });
    const [tile, wide] = await page.evaluate(() => {
        const [board, , tiles] = document.querySelectorAll('.print-paper > div > svg');
        const mm = 25.4 / 96;
        return [tiles.querySelector('svg').width.baseVal.value * tiles.getScreenCTM().a * mm,
            board.getBoundingClientRect().width * mm];
    });
    assert(Math.abs(tile - 25.4) < 0.02, `a tile is ${tile} mm wide`);
    assert(Math.abs(wide - 297) < 0.05, `a page is ${wide} mm wide`);
});

test('sheets and cards, by touch', async (t) => {
    const page = await open(t, 'print=verplant', { size: 'phone' });
    await assertPages(page, [across(A4)]);
    assert.deepEqual(await captions(page), ['Amsterdam']);
    await page.getByRole('radio', { name: /Berlin/ }).tap();
    for (let i = 0; i < 2; i++)
        await page.getByRole('button', { name: 'Copies: one more' }).tap();
    await page.getByRole('switch', { name: 'Cards' }).tap();
    await assertPages(page, Array.from({ length: 5 }, () => across(A4)));
    assert.deepEqual(await captions(page), ['Berlin × 3', 'Cards', 'Cards']);
    const cards = page.locator('.print-pages li:nth-child(n + 2) svg svg');
    assert.equal(await cards.count(), 14);
    await page.getByRole('radio', { name: '15 cards' }).tap();
    await becomes(() => cards.count(), 15);
    const named = page.locator('.print-pages li').first().getByText('Alexanderplatz');
    assert(await named.count() > 0);
    await page.getByRole('switch', { name: 'Station names' }).tap();
    await becomes(() => named.count(), 0);
    await page.getByRole('switch', { name: 'Sheets' }).tap();
    await assertPages(page, [across(A4), across(A4)]);
    assert(await page.locator('.route-stop').getByText('Station names').isHidden());
    await page.getByRole('switch', { name: 'Cards' }).tap();
    await page.getByText('Choose at least one thing').waitFor();
    assert(await page.getByRole('button', { name: 'Print' }).isDisabled());
});

// Presses Tab until this has the focus.
async function tabTo(page, target) {
    for (let i = 0; i < 40; i++) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press('Tab');
    }
    assert.fail(`Tab never comes to ${target}`);
}

test('the screen to print can be used by keys', async (t) => {
    const page = await open(t, 'print');
    await tabTo(page, page.getByRole('link', { name: 'Metro', exact: true }));
    await page.keyboard.press('Enter');
    await page.locator('.route-metro').waitFor();
    await tabTo(page, page.getByRole('switch', { name: 'Board' }));
    await page.keyboard.press('Space');
    await assertPages(page, [A4, A4]);
    await tabTo(page, page.getByRole('radio', { name: 'A4' }));
    await page.keyboard.press('ArrowRight');
    await assertPages(page, [LETTER, LETTER]);
    await tabTo(page, page.getByRole('button', { name: 'Print' }));
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => window.prints), 1);
});

test('sheets of one’s own are printed, from the form for a new game', async (t) => {
    const page = await visit(t, `${server.url}/#new=verplant`, { kept });
    await page.getByText('Your own sheets').click();
    await page.getByRole('link', { name: 'Print the sheet Harbour' }).click();
    await arrived(page, 'print');
    assert.deepEqual(await captions(page), ['Harbour']);
    assert.equal(await page.locator('.print-paper svg svg > title').textContent(), 'Harbour');
    await assertPages(page, [across(A4)]);
    assert(ownMap.includes('title Harbour'));
    assert(await page.getByRole('radio', { name: /Harbour/ }).isChecked());
});

test('links on other screens lead to printing the chosen sheet', async (t) => {
    const page = await visit(t, server.url);
    await page.getByRole('link', { name: 'Print and play' }).click();
    await arrived(page, 'print');
    assert.deepEqual(await captions(page), ['Amsterdam']);
    await go(page, 'new=verplant');
    await page.getByRole('radio', { name: /Paris/ }).click();
    await page.getByRole('link', { name: 'Print this sheet' }).click();
    await arrived(page, 'print');
    assert.deepEqual(await captions(page), ['Paris']);
    await go(page, 'companion');
    await page.getByRole('radio', { name: /Madrid/ }).click();
    await page.getByRole('link', { name: 'Print this sheet' }).click();
    await arrived(page, 'print');
    assert.deepEqual(await captions(page), ['Madrid × 2']); // players
    await go(page, 'print=nothing');
    await page.locator('.message').waitFor();
});

test('from a game to the help, to print, and back', async (t) => {
    const page = await visit(t, `${server.url}/#game=x`,
        { kept: { 'game.x': keptGame('x', newRecord()) } });
    await turn(page);
    await page.getByRole('link', { name: 'Help' }).first().click();
    await page.getByRole('link', { name: 'Print what you need' }).click();
    await arrived(page, 'print');
    await assertPages(page, [across(A4)]);
    await page.getByRole('link', { name: 'Back to the game' }).click();
    await turn(page);
});

for (const region of ['en-US', 'es-MX', 'fr-CA'])
    test(`the paper is that of the region (${region})`, async (t) => {
        const page = await open(t, 'print=metro', { locale: region });
        assert(await page.locator('input[value=letter]').isChecked());
    });

test('sheets are printed in black on white in the dark theme, too', async (t) => {
    const page = await open(t, 'print=metro', { theme: 'dark' });
    const back = (selector) => page.locator(selector).first().evaluate((element) =>
        getComputedStyle(element).backgroundColor);
    assert.equal(await back('.print-pages svg'), 'rgb(255, 255, 255)');
    assert.notEqual(await back('html'), 'rgb(255, 255, 255)');
    const light = await (await open(t, 'print=metro')).locator('.print-paper').innerHTML();
    assert.equal(await page.locator('.print-paper').innerHTML(), light);
    await page.emulateMedia({ media: 'print' });
    for (const selector of ['html', 'body']) assert.equal(await back(selector),
        'rgb(255, 255, 255)', selector);
    const seen = page.locator('body :visible:not(.print-paper, .print-paper *)');
    assert.deepEqual(await seen.evaluateAll((all) => all.map(({ tagName }) => tagName)
        .filter((name) => !['MAIN', 'DIV'].includes(name))), []);
});

test('the size of paper depends on the region, not on the language', async (t) => {
    for (const [locale, paper] of [['ca', A4], ['sv', A4], ['de-AT', A4], ['es-MX', LETTER],
        ['en-US', LETTER]]) {
        const page = await open(t, 'print=metro', { locale });
        const [, , tiles] = await printed(page);
        assert(Math.abs(tiles[0] - paper[0]) < 0.5, `${locale}: ${tiles} mm`);
        await page.context().close();
    }
});

test('the address of an unknown sheet shows “No stop here”', async (t) => {
    const page = await visit(t, `${server.url}/#print=verplant/${'0'.repeat(32)}`);
    await page.getByRole('heading', { name: 'No stop here' }).waitFor();
    await go(page, 'print=verplant/berlin');
    await page.locator('.print-pages span', { hasText: 'Berlin' }).waitFor();
});

// The styles of the screen to print set the size of pages, and must not affect a game.
test('after a visit to the screen to print, a game is printed on one page', async (t) => {
    const page = await open(t, 'print=metro', { kept });
    await go(page, 'game=vo');
    await page.locator('.table-over').waitFor();
    assert.equal((await printed(page)).length, 1);
});

for (const theme of ['light', 'dark'])
    for (const size of ['phone', 'desktop'])
        test(`axe finds nothing on the screen to print (${size}, ${theme})`, async (t) => {
            const page = await open(t, 'print=verplant', { size, theme, kept });
            assert.deepEqual(await axe(page, 'print'), []);
            await go(page, 'print=metro');
            await page.locator('.route-metro').waitFor();
            assert.deepEqual(await axe(page, 'print'), []);
            assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        });
