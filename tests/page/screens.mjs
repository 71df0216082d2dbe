// Every screen, in both themes, at three sizes: it comes up without fault, and axe-core has nothing
// to say against it.
import test from 'node:test';
import { axe, serve, sizes, visit } from './browser.mjs';

const server = await serve();
test.after(() => server.stop());

const screens = ['', 'new=verplant', 'new=metro', 'games', 'settings', 'help', 'companion'];
for (const size of Object.keys(sizes))
    for (const theme of ['light', 'dark'])
        test(`${size}, ${theme}`, async (t) => {
            const page = await visit(t, server.url, { size, theme });
            for (const screen of screens) {
                await page.goto(`${server.url}/#${screen}`);
                await page.locator('main h1').first().waitFor();
                await axe(page, screen);
            }
        });
