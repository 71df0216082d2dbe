// Functions that the tests of the page share: a server of their own, a Chromium, and pages that
// tolerate nothing: no error in the console, no request to another host, no failed request.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { knownChance, PATIENCE, takeControl, until } from './control.mjs';
import { engine } from './program.mjs';

export { until };
export * from './program.mjs';
export * from './stored.mjs';

const modules = process.env.ES_NODE_MODULES ?? new URL('node_modules', import.meta.url).pathname;
const require = createRequire(`${modules}/x.js`);
const { chromium } = require('playwright-core');
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const sizes = {
    phone: { width: 390, height: 844 },
    tablet: { width: 820, height: 1180 },
    desktop: { width: 1440, height: 900 },
};

// CTest passes the browser in; a file that is run alone finds the same one.
const finder = new URL('../../scripts/browser.sh', import.meta.url).pathname;
const launch = {
    executablePath: process.env.CHROMIUM ??
        execFileSync('sh', [finder], { encoding: 'utf8' }).trim(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
};
export const browser = await chromium.launch(launch);
after(() => browser.close());

function contextOptions({ size = 'desktop', theme = 'light', ...options }) {
    return {
        viewport: sizes[size],
        colorScheme: theme,
        locale: 'en-GB',
        hasTouch: size === 'phone',
        isMobile: size === 'phone',
        reducedMotion: 'reduce',
        ...options,
    };
}

// A page in a browser profile of its own. `options` are those of a browser context, with `size` and
// `theme` for short; `kept` is what was kept in the browser before: {settings: {...}, 'game.x':
// keptGame('x', record), 'map.y': {text}, 'value.z': …}; `old` is what earlier versions kept, in
// localStorage, {'game.x': {…}}, a text where something else than an object is kept;
// `tolerate` is what the console may say; with `chance`, a number, whatever the page draws by
// chance is the same every time; `clock`, `date` and `workers` as in control.mjs;
// `prepare(context)` is called before it is opened. At the end of the test the page must have been
// without fault.
export async function visit(t, url, { kept = {}, old = {}, tolerate = [], chance = 0, clock, date,
    workers, prepare, ...options } = {}) {
    const { origin } = new URL(url);
    const { settings, ...items } = kept;
    const before = { items: await itemsOf(items),
        texts: textsOf({ ...settings && { settings }, ...old }) };
    const context = await browser.newContext(contextOptions(options));
    if (chance) await context.addInitScript(knownChance, chance);
    await takeControl(context, { clock, date, workers });
    await prepare?.(context);
    try {
        return await open(t, context, url, tolerate, (page) => keepBefore(page, origin, before));
    } finally {
        t.after(() => context.close());
    }
}

// The same in a profile kept in a folder, so that the next browser finds it; `args` are more words
// for its command line.
export async function profile(folder, { args = [], ...options } = {}) {
    const context = await chromium.launchPersistentContext(folder,
        { ...launch, args: [...launch.args, ...args], ...contextOptions(options) });
    await takeControl(context, {});
    return context;
}

// Another page in a context; it must be without fault, too. `prepare(page)` is called before it is
// opened.
export async function open(t, context, url, tolerate = [], prepare = () => {}) {
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    await prepare(page);
    const faults = watch(page, url, tolerate);
    t.after(async () => {
        if (t.passed === false) await tellAbout(t, page, faults);
        assert.deepEqual(faults, []);
    });
    await page.goto(url);
    return page;
}

// Prints what a page showed when its test failed, for the log.
async function tellAbout(t, page, faults) {
    const text = await page.locator('body').innerText().catch(String);
    const where = page.url().replace(/^[^#]*/, '');
    t.diagnostic(`the page ${where} shows: ${text.replaceAll(/\s+/g, ' ').slice(0, 1000)}`);
    for (const fault of faults) t.diagnostic(`it said: ${fault.slice(0, 500)}`);
}

// Collects what should not happen on a page.
export function watch(page, url, tolerate = []) {
    const faults = [];
    const own = new URL(url).origin;
    const hear = (text) => tolerate.some((pattern) => pattern.test(text)) || faults.push(text);
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) hear(message.text());
    });
    page.on('pageerror', (error) => hear(String(error.stack)));
    page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== own) faults.push(request.url());
    });
    return faults;
}

// Returns what axe-core finds on a page, by WCAG 2.2 AA and good practice.
export async function axe(page, where) {
    if (await page.evaluate(() => !window.axe)) await page.evaluate(axeSource);
    const found = await page.evaluate(() =>
        axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
            violations.map(({ id, nodes }) => ({
                id,
                nodes: nodes.slice(0, 3).map((node) => `${node.html} ${node.failureSummary}`),
            })),
        ),
    );
    return found.map((violation) => ({ where, ...violation }));
}

// Returns the longest task of the page's main thread during `act`, in milliseconds of processor
// time: what it used, not what it waited for on a busy machine.
export async function longestTask(page, act) {
    await browser.startTracing(page, { categories: ['-*', 'disabled-by-default-devtools.timeline',
        'toplevel'] });
    await act();
    const { traceEvents } = JSON.parse(await browser.stopTracing());
    const mains = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' &&
        args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
    const tasks = traceEvents.filter(({ name, pid, tid, tdur }) => name === 'RunTask' &&
        tdur !== undefined && mains.has(`${pid} ${tid}`));
    assert.ok(tasks.length > 0, 'the page has done something');
    return Math.max(...tasks.map(({ tdur }) => tdur / 1000));
}

// ---- Where a page is ----

// Goes to the address after the #, and waits until its screen is there: by the class of the screen,
// so that the one before is not taken for it.
export async function go(page, hash) {
    const before = await page.evaluate(() => {
        const screen = document.querySelector('main > .screen');
        if (screen) screen.dataset.left = 'yes';
        return location.hash.slice(1);
    });
    if (before === hash) await page.evaluate(() => delete document.querySelector('main > .screen')
        ?.dataset.left);
    else await page.evaluate((to) => (location.hash = to), hash);
    await arrived(page, hash.split('=')[0] || 'start');
}

// Waits until a screen is shown, with its heading.
export async function arrived(page, screen) {
    await page.locator(`main > .screen-${screen}:not([data-left]) h1`).first()
        .waitFor({ state: 'attached' });
    await settled(page);
}

// Waits until the page has finished showing the screen that it goes to.
export const settled = (page) =>
    page.locator('html[data-ready=yes]').waitFor({ state: 'attached' });

// Waits until it is the viewer's turn, or the game is over.
export const turn = (page) => page.locator(
    '.table-over, .table button[data-key=hint]:not([aria-disabled])').first().waitFor();

// ---- What a browser keeps ----
//
// Only this part and stored.mjs, which reads it, know where and by which names.

const STORES = { games: 'id', sheets: 'hash', values: 'name' };

// What a game is in the store.
export function keptGame(id, record, more = {}) {
    return { id, record, map: '', created: 1, changed: 1, over: false, title: id, revision: 1,
        ...more };
}

function sheetItem(table, text) {
    const { id, title, hash } = table.map(text);
    return { id, title, hash, text, revision: 1 };
}

// {'game.x': …, 'map.y': {text}, 'value.z': …} as items of the database.
async function itemsOf(kept) {
    const items = { games: [], sheets: [], values: [] };
    const table = await engine();
    for (const [name, item] of Object.entries(kept)) {
        const [kind, key] = name.split('.');
        if (kind === 'game') items.games.push(item);
        if (kind === 'map') items.sheets.push(item.text ? sheetItem(table, item.text) : item);
        if (kind === 'value') items.values.push({ name: key, value: item, revision: 1 });
    }
    return items;
}

// For localStorage: names and texts.
const textsOf = (kept) => Object.entries(kept).map(([name, value]) =>
    [`endstation.${name}`, typeof value === 'string' ? value : JSON.stringify(value)]);

// Runs on an empty page, and resolves when all of it is kept.
async function writeBefore({ stores, items, texts }) {
    for (const [name, text] of texts) localStorage.setItem(name, text);
    if (!Object.values(items).flat().length) return; // and no database
    const opening = indexedDB.open('endstation', 1);
    opening.onupgradeneeded = () => {
        for (const [name, keyPath] of Object.entries(stores))
            opening.result.createObjectStore(name, { keyPath });
    };
    await new Promise((resolve, reject) => {
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
            const write = opening.result.transaction(Object.keys(stores), 'readwrite');
            for (const name of Object.keys(stores))
                for (const item of items[name]) write.objectStore(name).put(item);
            write.oncomplete = resolve;
            write.onabort = () => reject(write.error);
        };
    });
    opening.result.close();
}

// Playwright's storageState does not wait until it is kept, and writes from another page: on a busy
// machine the first page found nothing.
async function keepBefore(page, origin, before) {
    if (!before.texts.length && !Object.values(before.items).flat().length) return;
    const empty = `${origin}/empty`;
    const body = '<!doctype html><link rel="icon" href="data:,">'; // else it is asked for
    await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(empty);
    await page.evaluate(writeBefore, { stores: STORES, ...before });
    await page.unroute(empty);
}

// Stores a game, a sheet or a value without the page noticing; a page loaded later finds it.
// Other tabs are told as if a tab had done it.
export async function store(page, name, value) {
    const items = await itemsOf({ [name]: value });
    await page.locator('html[data-ready=yes]').waitFor({ state: 'attached' });
    await page.evaluate(async (all) => {
        const ask = (request) => new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
        });
        const database = await ask(indexedDB.open('endstation'));
        for (const [store, [item]] of Object.entries(all).filter(([, list]) => list.length)) {
            const shelf = database.transaction(store, 'readwrite').objectStore(store);
            const key = item[shelf.keyPath];
            const kept = await ask(shelf.get(key));
            await ask(shelf.put({ ...item, revision: (kept?.revision ?? 0) + 1 }));
            const channel = new BroadcastChannel('endstation');
            channel.postMessage({ store, keys: [key] });
            channel.close();
        }
        database.close();
    }, items);
}

// As if nothing had ever been kept.
export async function clearStore(page) {
    await page.evaluate(async () => {
        for (const name of Object.keys(localStorage))
            if (name.startsWith('endstation.')) localStorage.removeItem(name);
        await new Promise((resolve, reject) => {
            const request = indexedDB.deleteDatabase('endstation');
            request.onsuccess = resolve;
            request.onerror = () => reject(request.error);
        });
    });
}

// Leaves no room until the function that it returns is called: whatever is written is refused, as
// by a full disk. (The browser's own quota is not enforced before some megabytes are written.)
export async function fillStore(page) {
    await page.evaluate(() => {
        window.realPut = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function put(...words) {
            const request = window.realPut.apply(this, words);
            this.transaction.abort();
            return request;
        };
    });
    return () => page.evaluate(() => {
        IDBObjectStore.prototype.put = window.realPut;
    });
}

// Runs in the page, before anything else there: it never hears what other tabs have kept.
export function hearsNothing() {
    BroadcastChannel.prototype.addEventListener = () => {};
}

// ---- Games ----

const SEED = '5a'.repeat(32);

// Who sits where, as lines of a record: people by their names, bots as {bot: 'greedy'}.
function seatLines(seats) {
    return seats.map((seat, i) => (seat.bot ? `bot ${i + 1} ${seat.bot}`
        : `player ${i + 1} ${seat}`));
}

// A record as links carry it.
export const pack = (text) => deflateRawSync(text).toString('base64url');

// Returns the record of a new game; `seats` are names of people, or {bot: 'greedy'}. Without a
// `seed` the record must contain what is dealt, or it comes by chance.
export function newRecord({ game = 'verplant', map = 'practice', rules = '', seats = ['Ada'],
    seed = SEED } = {}) {
    return ['endstation-record 1', `game ${game}`, ...game === 'verplant' ? [`map ${map}`] : [],
        `players ${seats.length}`, ...rules ? [`rules ${rules}`] : [], ...seatLines(seats),
        'date 2025-06-30', ...seed ? [`seed ${seed}`] : [], '', ''].join('\n');
}

// Returns the record of a game continued by bots of one level, or of one each, until it has
// `events` events or is over.
export async function played(record, events = Infinity, { map = '', level = [] } = {}) {
    const table = await engine();
    if (map) table.map(map);
    table.open(record);
    table.deal();
    while (table.state(0).events < events && !table.state(0).over) {
        const player = Number(table.moves()[0]);
        table.apply(table.think(player, [level].flat().at(player - 1) ?? 'greedy', 1).event);
        table.deal();
    }
    return table.record();
}

// Makes any legal move when it is the viewer's turn; returns false when the game is over.
export async function move(page) {
    await turn(page);
    if (await page.locator('.table-over').count()) return false;
    const before = await page.locator('.log-region').textContent();
    if (await page.locator('.table-metro').count()) {
        await page.keyboard.press('ArrowRight');
    } else {
        await page.locator('.chip:not(:disabled)').first().focus();
        await page.locator('.chip:not(:disabled)').first().click();
    }
    await page.locator('button[data-key=confirm]:not([aria-disabled])').click();
    await page.waitForFunction((text) => document.querySelector('.table-over') ||
        document.querySelector('.log-region')?.textContent !== text, before);
    return true;
}
