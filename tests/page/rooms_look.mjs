// Accessibility and layout of rooms: axe-core finds nothing wrong, and nothing is wider than the
// screen, in both themes, on a phone and on a desktop.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, axe, serve } from './browser.mjs';
import { address, made, person, sitDown, start } from './room.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

for (const theme of ['light', 'dark'])
    for (const size of ['phone', 'desktop'])
        test(`axe finds nothing in rooms, and all fits: ${size}, ${theme}`, async (t) => {
            const seeForm = async (page) => assert.deepEqual(await axe(page, 'host'), []);
            const { ada, link } = await made(t, server, 'verplant', seeForm, { theme, size });
            const see = async (where) => {
                await ada.locator('html[data-ready=yes]').waitFor({ state: 'attached' });
                assert.deepEqual(await axe(ada, where), []);
                assert.equal(await ada.evaluate(() => document.documentElement.scrollWidth <=
                    innerWidth), true, `${where} is as wide as the screen`);
            };
            await see('waiting');
            const bo = await person(t, server, address(link));
            await sitDown(bo, 2, 'Bo, whose name is rather long, as names go');
            await bo.locator('.chat-form input').fill('Hello, and so on, and so forth');
            await bo.keyboard.press('Enter');
            await ada.locator('.chat-about').waitFor();
            await see('seated');
            await ada.locator('[data-key=person-2]').click();
            await ada.locator('dialog [data-key=remove]').waitFor();
            await see('person');
            await ada.keyboard.press('Escape');
            await start(ada, [bo]);
            await ada.locator('.table .confirm').waitFor();
            await see('table');
            await ada.locator('[data-key=say]').click();
            await see('say');
            await ada.keyboard.press('Escape');
            await ada.locator('[data-key=about]').click();
            await see('about');
            await ada.keyboard.press('Escape');
            await ada.locator('[data-key=chat]').click();
            await see('chat');
            await ada.evaluate(() => (location.hash = 'online'));
            await arrived(ada, 'online');
            await see('lobby');
            await ada.evaluate(() => (location.hash = 'settings'));
            await arrived(ada, 'settings');
            await ada.locator('.devices li').waitFor();
            await see('settings');
            await ada.evaluate(() => (location.hash = 'device=x'));
            await arrived(ada, 'device');
            await see('device');
        });
