// Tests of the two pages about the page, accessibility and privacy: where links lead to them, that
// they are complete in every language, and that what they say about the browser is true.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, axe, go, keptGame, newRecord, serve, storedGames, turn, visit }
    from './browser.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const SCREENS = ['accessibility', 'privacy'];

// A heading for each part, in the order of the page.
const HEADINGS = {
    accessibility: ['What was tested', 'What was not tested', 'What is known not to work',
        'What may help'],
    privacy: ['In this browser', 'In links and files', 'On the server, if you play online',
        'How long the server keeps it'],
};

test('start, help and settings lead to both pages, and they to each other', async (t) => {
    const page = await visit(t, server.url);
    for (const from of ['', 'help', 'settings'])
        for (const screen of SCREENS) {
            await go(page, from);
            await page.locator(`main a[href="#${screen}"]`).click();
            await arrived(page, screen);
            assert.ok(await page.locator('h1').evaluate((one) => one === document.activeElement));
        }
    await page.locator('main a[href="#accessibility"]').click();
    await arrived(page, 'accessibility');
    await page.locator('main a[href="#privacy"]').click();
    await arrived(page, 'privacy');
});

test('from a game, both pages lead back to it', async (t) => {
    const page = await visit(t, `${server.url}/#game=g`, {
        kept: { 'game.g': keptGame('g', newRecord()) } });
    for (const screen of SCREENS) {
        await turn(page);
        await go(page, 'help');
        await page.locator(`main a[href="#${screen}"]`).click();
        await arrived(page, screen);
        await page.getByRole('link', { name: 'Back to the game' }).click();
    }
    await turn(page);
});

test('both pages have their headings, and differ in every language', async (t) => {
    const page = await visit(t, server.url);
    await arrived(page, 'start');
    const seen = Object.fromEntries(SCREENS.map((screen) => [screen, []]));
    for (const code of ['en', 'de', 'nl', 'fr', 'es']) {
        await page.locator('#bar-language').selectOption(code);
        await page.locator(`html[lang=${code}]`).waitFor({ state: 'attached' });
        for (const screen of SCREENS) {
            await go(page, screen);
            seen[screen].push({ headings: await page.locator('main h2').allTextContents(),
                sentences: await page.locator('main article :is(p, li)').allTextContents() });
            assert.deepEqual(await axe(page, `${screen} ${code}`), []);
        }
        await go(page, '');
    }
    for (const screen of SCREENS) {
        const [english, ...others] = seen[screen];
        assert.deepEqual(english.headings, HEADINGS[screen]);
        for (const { headings, sentences } of others) {
            assert.equal(headings.length, english.headings.length);
            assert.deepEqual(headings.filter((text) => english.headings.includes(text)), []);
            assert.deepEqual(sentences.filter((text) => english.sentences.includes(text)), []);
        }
    }
});

// What the page about privacy says of those who do not play online.
test('without playing online there is no cookie, and nothing leaves the browser', async (t) => {
    const page = await visit(t, server.url);
    const posted = [];
    page.on('request', (request) => request.method() !== 'GET' && posted.push(request.url()));
    page.on('websocket', (socket) => posted.push(socket.url()));
    await arrived(page, 'start');
    await page.locator('.start-verplant button').click();
    await turn(page);
    for (const screen of ['games', 'settings', 'help', 'privacy']) await go(page, screen);
    assert.equal((await storedGames(page)).length, 1);
    assert.deepEqual(await page.context().cookies(), []);
    assert.deepEqual(posted, []);
});
