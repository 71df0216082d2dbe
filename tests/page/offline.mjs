// After the first visit no server is needed; when it has a new version, an open page gets it with
// one reload, and games continue.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, go, keptGame, move, newRecord, open, played, serve, storedGame, turn,
    until, visit } from './browser.mjs';
import { changing } from './front.mjs';

// What browsers report about a server that is not there.
const tolerate = [/ERR_CONNECTION_REFUSED/, /^offline .*(script|fetch)/, /status of 50[23]/];

// This is between the browser and its service worker, whose clock is real.
const clock = 'real';

const seats = ['Ada', { bot: 'greedy' }];
const fresh = newRecord({ seats });
const half = await played(newRecord({ game: 'metro', seats }), 30);

// The page is kept in full: a worker controls it, and it has every file.
const isKept = (page) => page.waitForFunction(async () => {
    await navigator.serviceWorker.ready;
    return navigator.serviceWorker.controller && (await caches.keys()).length > 0;
});

test('everything works without the server', async (t) => {
    const server = await serve('--port', '0');
    const page = await visit(t, server.url, { clock, tolerate, kept: {
        'game.v': keptGame('v', fresh), 'game.m': keptGame('m', half) } });
    await isKept(page);
    await server.stop();
    await assert.rejects(fetch(server.url));

    await t.test('a reload', async () => {
        await page.reload();
        await arrived(page, 'start');
    });
    await t.test('a whole game with a bot', async () => {
        await go(page, 'game=v');
        while (await move(page));
        await page.locator('.ending .rivals li').first().waitFor(); // the bots' own games
        await page.locator('.ending').getByRole('button', { name: 'Play again' }).click();
        await page.locator('.table:not(.table-over)').waitFor();
        await move(page);
    });
    await t.test('every screen after a reload', async () => {
        for (const hash of ['new=verplant', 'new=metro', 'games', 'settings', 'help', 'game=m',
            'replay=m@9', 'learn=verplant', 'learn=metro', 'companion', 'print=metro', 'nowhere']) {
            await page.goto(`${server.url}/#${hash}`);
            await page.reload();
            await arrived(page, hash.split('=')[0]);
            assert.equal(await page.getByText('didn’t work').count(), 0, hash);
        }
    });
    await t.test('every language', async () => {
        for (const code of ['de', 'nl', 'fr', 'es', 'en']) {
            await page.locator('#bar-language').selectOption(code);
            await page.locator(`html[lang=${code}]`).waitFor({ state: 'attached' });
        }
    });
    await t.test('the module of the analysis', async () => {
        const names = await page.evaluate(async () => {
            const version = document.querySelector('meta[name=version]').content;
            const answer = await fetch(`/v/${version}/analysis.wasm`);
            const module = await WebAssembly.compile(await answer.arrayBuffer());
            return WebAssembly.Module.exports(module).map(({ name }) => name);
        });
        assert(names.includes('chart'));
    });
    await t.test('a hint', async () => {
        await go(page, 'game=m');
        await turn(page);
        await page.locator('button[data-key=hint]').click();
        await page.locator('.hint-list li').first().waitFor();
    });
    await t.test('the conductor', async () => {
        await go(page, 'companion');
        await page.getByRole('button', { name: 'Flip cards' }).click();
        await page.locator('.companion-next').click();
        await page.locator('.companion-card[data-what=card]').waitFor();
        await page.getByRole('button', { name: 'Add up scores' }).click();
        await page.locator('.tally-results').waitFor();
    });
    await t.test('a lesson', async () => {
        await go(page, 'learn=verplant');
        const text = page.locator('.bubble-text');
        const first = await text.textContent();
        await page.locator('.bubble .primary').click();
        await until(async () => await text.textContent() !== first);
    });
    await t.test('another tab', async () => {
        const tab = await open(t, page.context(), `${server.url}/#game=m`, tolerate);
        await turn(tab);
    });
});

// A server with another version from some moment on (front.mjs).
async function upgradable(t, patience) {
    const server = await serve('--port', '0');
    const front = await changing(t, server, patience);
    t.after(() => server.stop());
    return front;
}

const versionOf = (page) => page.locator('meta[name=version]').getAttribute('content');
const cachesOf = (page) => page.evaluate(() => caches.keys());

test('a new version is there after one reload, and the game continues', async (t) => {
    const front = await upgradable(t);
    const page = await visit(t, front.url, { clock, kept: { 'game.m': keptGame('m', half) } });
    await isKept(page);
    assert.equal(await versionOf(page), front.version);
    await go(page, 'game=m');
    await move(page);
    await turn(page);
    const { record } = await storedGame(page, 'm');
    front.mode = 'second';
    await page.reload();
    assert.equal(await versionOf(page), front.other);
    await turn(page);
    assert.equal((await storedGame(page, 'm')).record, record);
    await move(page);
    await go(page, '');
    await page.locator('h1', { hasText: 'Where to now?' }).waitFor();
    await page.waitForFunction(async (name) => // the old one is gone, the new one is complete
        (await caches.keys()).join() === name, `endstation-${front.other}`);
    assert.equal(await page.locator('.notice').count(), 0, 'nothing to tell: it is here');
});

test('a page that stays open keeps working and announces the new version', async (t) => {
    const front = await upgradable(t);
    const page = await visit(t, `${front.url}/#game=m`,
        { clock, kept: { 'game.m': keptGame('m', half) } });
    await isKept(page);
    await turn(page);
    front.mode = 'second';
    // As browsers do from time to time, and the page whenever it becomes visible.
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    const notice = page.locator('.notice', { hasText: 'new version' });
    await notice.waitFor();
    assert.equal(await versionOf(page), front.version);
    await go(page, 'help'); // what the server no longer has
    await go(page, 'companion');
    await page.locator('#bar-language').selectOption('fr');
    await page.locator('html[lang=fr]').waitFor({ state: 'attached' });
    await go(page, 'game=m');
    await move(page);
    await turn(page);
    assert.deepEqual((await cachesOf(page)).sort(),
        [`endstation-${front.version}`, `endstation-${front.other}`].sort());
    const { record } = await storedGame(page, 'm');
    await Promise.all([page.waitForEvent('load'), notice.locator('button').first().click()]);
    await turn(page);
    assert.equal(await versionOf(page), front.other);
    assert.equal((await storedGame(page, 'm')).record, record);
});

test('a page that does not answer keeps one old cache, not all of them', async (t) => {
    const front = await upgradable(t, 100);
    const page = await visit(t, front.url, { clock });
    await isKept(page);
    await open(t, page.context(), `${front.url}/healthz`); // no script there
    await page.evaluate(async () => {
        for (const name of ['endstation-a', 'endstation-b', 'other']) await caches.open(name);
    });
    await page.reload();
    const expected = ['endstation-b', `endstation-${front.version}`, 'other'].sort();
    await until(async () => (await cachesOf(page)).sort().join() === expected.join());
});

test('a failing or hanging server counts as offline', async (t) => {
    const front = await upgradable(t, 100);
    const page = await visit(t, front.url, { clock, tolerate });
    await isKept(page);
    for (front.mode of ['ill', 'stuck']) {
        await page.reload();
        await arrived(page, 'start');
        await go(page, 'help');
        await go(page, '');
    }
});

test('the page can be installed', async (t) => {
    const server = await serve('--port', '0');
    t.after(() => server.stop());
    const page = await visit(t, server.url, { clock });
    await isKept(page);
    const client = await page.context().newCDPSession(page);
    const { url, data, errors } = await client.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await client.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []);
    const manifest = JSON.parse(data);
    assert.equal(manifest.name, 'Endstation');
    assert.equal(manifest.display, 'standalone');
    assert.equal(new URL(manifest.start_url, url).href, `${server.url}/`);
    assert.equal(new URL(manifest.scope, url).href, `${server.url}/`);
    const found = [];
    for (const { src, sizes, type, purpose = 'any' } of manifest.icons) {
        const icon = await page.evaluate(async (address) => {
            const answer = await fetch(address);
            const image = new Image();
            image.src = URL.createObjectURL(await answer.clone().blob());
            await image.decode();
            return { type: answer.headers.get('content-type'), ok: answer.ok,
                size: `${image.naturalWidth}x${image.naturalHeight}` };
        }, new URL(src, url).href);
        assert(icon.ok, src);
        assert.equal(icon.type, type);
        if (sizes !== 'any') assert.equal(icon.size, sizes, src);
        found.push(`${sizes} ${purpose}`);
    }
    for (const one of ['192x192 any', '512x512 any', '512x512 maskable'])
        assert(found.includes(one), one);
});
