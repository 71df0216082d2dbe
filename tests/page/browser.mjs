// What the tests of the page share: a server of their own, Debian's Chromium, and pages that
// tolerate nothing: no error in the console, no request to another host, no failed request.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';

const modules = process.env.ES_NODE_MODULES ?? new URL('node_modules', import.meta.url).pathname;
const require = createRequire(`${modules}/x.js`);
const { chromium } = require('playwright-core');
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const program = process.env.ES_PROGRAM ?? 'build/endstation';
export const sizes = {
    phone: { width: 390, height: 844 },
    tablet: { width: 820, height: 1180 },
    desktop: { width: 1440, height: 900 },
};

// Starts `endstation serve`; resolves when it has said where.
export function serve(...options) {
    const server = spawn(program, ['serve', '--no-open', ...options]);
    let said = '';
    server.stderr.on('data', (text) => process.stderr.write(text));
    return new Promise((resolve, reject) => {
        server.on('exit', (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
        server.stdout.on('data', (text) => {
            said += text;
            const url = said.match(/http:\/\/[^\s/]+/);
            if (url) resolve({ url: url[0], stop: () => stop(server) });
        });
    });
}

function stop(server) {
    return new Promise((resolve) => {
        server.removeAllListeners('exit');
        server.on('exit', resolve);
        server.kill('SIGTERM');
    });
}

const chromiums = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
export const browser = await chromium.launch({
    executablePath: chromiums.find((path) => path && existsSync(path)),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
after(() => browser.close());

// A page in a browser profile of its own. `options` are those of a browser context, with `size` and
// `theme` for short; `kept` is what was kept in the browser before. At the end of the test the page
// must have been without fault.
export async function visit(t, url, { size = 'desktop', theme = 'light', ...options } = {}) {
    const context = await browser.newContext({
        viewport: sizes[size],
        colorScheme: theme,
        locale: 'en-GB',
        hasTouch: size === 'phone',
        isMobile: size === 'phone',
        reducedMotion: 'reduce',
        ...options,
    });
    context.setDefaultTimeout(15000);
    const page = await context.newPage();
    const faults = watch(page, url);
    t.after(async () => {
        await context.close();
        assert.deepEqual(faults, []);
    });
    await page.goto(url);
    return page;
}

// Collects what should not happen on a page.
export function watch(page, url) {
    const faults = [];
    const own = new URL(url).origin;
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error.stack)));
    page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== own) faults.push(request.url());
    });
    return faults;
}

// No violation of what axe-core knows about WCAG 2.2 AA and good practice.
export async function axe(page, where) {
    await page.evaluate(axeSource);
    const found = await page.evaluate(() =>
        axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
            violations.map(({ id, nodes }) => ({
                id,
                nodes: nodes.slice(0, 3).map((node) => `${node.html} ${node.failureSummary}`),
            })),
        ),
    );
    assert.deepEqual(found, [], `axe-core on ${where}`);
}
