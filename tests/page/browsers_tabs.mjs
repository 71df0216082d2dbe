// Two tabs of one person in Firefox ESR or in WebKit, the engine of Safari, as ES_BROWSER says: at
// the end of a game in a room, in lessons, and when everything is deleted. What is kept stays, and
// what is deleted is gone.
//
// If the browser is not installed the test is skipped: exit status 77.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from './control.mjs';
import { serve } from './program.mjs';
import { storedGame, storedGames, storedValue } from './stored.mjs';
import { chosenBrowser, DESKTOP, launch } from './webdriver.mjs';

const name = chosenBrowser();
const server = await serve('--port', '0');
test.after(() => server.stop());
const page = await launch(name);
test.after(() => page.close());
await page.resize(DESKTOP);
await page.open(server.url);
await page.arrived('start');
const one = await page.tab();
const two = await page.openTab(server.url);
await page.arrived('start');

// Goes to the address after the #, in a tab.
async function go(tab, hash, screen = hash.split('=')[0]) {
    await page.goToTab(tab);
    await page.evaluate((place) => {
        document.querySelector('main > .screen')?.remove();
        location.hash = place;
    }, hash);
    await page.arrived(screen || 'start');
}

const says = (selector, words) => page.until((where, what) =>
    [...document.querySelectorAll(where)].some((each) => each.textContent.includes(what)), selector,
words);

// Makes any move when it is the reader's turn; false: the game is over.
async function move() {
    await page.until(() => document.querySelector('.table-over') ||
        document.title.startsWith('●') && document.querySelector('.chip:not(:disabled)'));
    if (await page.count('.table-over')) return false;
    const log = await page.texts('.log-region');
    await page.press('.chip:not(:disabled), button[data-key=none]');
    await page.press('button[data-key=confirm]:not([aria-disabled])');
    await until(async () => String(await page.texts('.log-region')) !== String(log));
    return true;
}

test(`two tabs in one room at the end of its game, in ${page.version}`, async () => {
    for (let game = 0; game < 3; game++) {
        await go(one, 'online');
        await page.fill('.who-name', 'Ada');
        await page.press('a[href="#host=verplant"]');
        await page.arrived('host');
        await page.press('label:has(input[value=practice])');
        await page.press('button[type=submit]');
        await page.there('.room-seat .tag.good');
        const room = await page.evaluate(() => location.hash.slice(1));
        const id = /room=(\w+)/.exec(room)[1];
        await page.select('[data-key=seat-2]', 'random');
        await says('[data-seat="2"]', 'Random');
        await go(two, room, 'room');
        await page.there('.room-seat .tag.good');
        await page.press('[data-key=start]:not([aria-disabled])');
        await page.there('.table');
        while (await move());
        for (const tab of [two, one]) {
            await page.goToTab(tab);
            await page.there('.ending');
            assert.deepEqual(await page.texts('.notice'), []);
            assert.equal((await storedGame(page, id)).over, true);
        }
    }
});

test('a lesson goes on after a look at the rules, and whatever another tab does', async () => {
    const count = (text) => page.until((wanted) =>
        document.querySelector('.bubble-count')?.textContent === wanted, text);
    await go(one, 'learn=verplant');
    for (const n of [2, 3]) {
        await page.press('.bubble button.primary', 'Next');
        await count(`${n} of 18`);
    }
    const { id } = await until(async () => {
        const { verplant } = await storedValue(page, 'lesson');
        return verplant.reached === 2 && verplant;
    });
    await go(two, 'learn=verplant');
    await count('3 of 18');
    await go(two, '');
    await go(two, 'learn=metro');
    await go(two, 'games');
    await page.there(`[data-game="${id}"]`);
    await go(one, 'help');
    await page.press('.back-to-game a');
    await page.arrived('learn');
    await count('3 of 18');
    assert.ok(await storedGame(page, id));
    assert.deepEqual(await page.texts('.notice'), []);
});

test('when everything is deleted nothing is left, in neither tab', async () => {
    const left = () => page.evaluate(() => [...Object.keys(localStorage),
        ...Object.keys(sessionStorage)].filter((each) => each.startsWith('endstation.')));
    await page.goToTab(one);
    await page.evaluate(async () => { // somebody has played here
        const answer = await fetch('/api/guest', { method: 'POST', headers:
            { 'Content-Type': 'application/json' }, body: '{"name":"Ada","label":"x"}' });
        localStorage.setItem('endstation.guest', await answer.text());
    });
    await go(two, 'online');
    await page.until(() => localStorage.getItem('endstation.guest').includes('Ada')); // it is known
    await go(one, 'settings');
    await page.there('.devices li');
    await page.press('button.danger', 'Delete everything');
    await page.press('dialog button.danger', 'Delete everything');
    await says('.notice', 'Everything was deleted.');
    await says('.panel', 'not played online yet');
    assert.deepEqual(await left(), []);
    await page.goToTab(two);
    await page.until(() => Boolean(document.querySelector('main > .screen-start h1')));
    assert.deepEqual(await left(), []);
    assert.deepEqual(await storedGames(page), []);
    for (const tab of [two, one]) { // the cookie would bring it back
        await go(tab, 'online');
        await page.there('.link-state[data-state=connected]');
        assert.equal(await page.evaluate(() => document.querySelector('.who-name').value), '');
        assert.deepEqual(await left(), []);
    }
});
