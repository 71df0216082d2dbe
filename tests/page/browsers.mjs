// Whole games in Firefox ESR or in WebKit, the engine of Safari, as ES_BROWSER says: verplant alone
// on a desktop, by mouse and keys, and metro against a bot on a phone, by taps, keys and halfway
// without the server; then their analysis, and a problem of each; dialogs, and what stays when
// theme, width or language change. The results are those that `endstation replay` and `endstation
// analyse` print for the exported records. All other tests of the page use Chromium.
//
// If the browser is not installed the test is skipped: exit status 77. With ES_PICTURES=FOLDER
// screenshots are kept there.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pass, until } from './control.mjs';
import { changing } from './front.mjs';
import { analysis, becomes, dice, events, moves, numbers, replay, said, stations }
    from './play.mjs';
import { findProblem, keysOf, squareOf } from './problemlist.mjs';
import { serve } from './program.mjs';
import { storedGame } from './stored.mjs';
import { chosenBrowser, DESKTOP, launch, PHONE } from './webdriver.mjs';

const name = chosenBrowser();
const CONFIRM = 'button[data-key=confirm]';

const server = await serve('--port', '0');
test.after(() => server.stop());
const page = await launch(name);
test.after(() => page.close());
const roll = dice(5);
const solvedByKeys = findProblem('verplant', keysOf);
const solvedByTaps = findProblem('metro', squareOf);

// ---- The page ----

const arrived = (screen) => page.arrived(screen);

// Nothing is wider than the screen, and pictures are there; notes have disappeared.
async function look(where, isPhotographed = true) {
    await pass(page, 10000);
    const { wide, most, boxes } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        most: document.documentElement.clientWidth,
        boxes: [...document.querySelectorAll('main svg:has(.station, .square)')].map((picture) => {
            const drawn = picture.getBBox();
            const { width, height } = picture.getBoundingClientRect();
            return Math.min(drawn.width, drawn.height, width, height);
        }),
    }));
    assert.ok(wide <= most, `${where} is ${wide} wide, of ${most}`);
    assert.ok(boxes.length > 0 && boxes.every((least) => least > 20), `${where}: ${boxes}`);
    if (!process.env.ES_PICTURES || !isPhotographed) return;
    mkdirSync(process.env.ES_PICTURES, { recursive: true });
    const file = `${name} ${where}.png`.replaceAll(' ', '-');
    await page.screenshot(join(process.env.ES_PICTURES, file));
}

async function lookAtBoth(where) {
    for (const [size, one] of [['phone', PHONE], ['desktop', DESKTOP]]) {
        await page.resize(one);
        await look(`${where} ${size}`);
    }
}

const record = async () => {
    const id = await page.evaluate(() => /^#game=(\w+)/.exec(location.hash)?.[1]);
    return (await storedGame(page, id)).record;
};

// What “Save as a file” saves; nothing is downloaded.
async function exported() {
    await page.evaluate(() => {
        window.addEventListener('click', (event) => {
            if (event.target.matches('a[download]')) event.preventDefault();
        });
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => {
            blob.text().then((text) => {
                window.exported = text;
            });
            return make.call(URL, blob);
        };
    });
    await page.press('.ending-next button', 'Save as a file');
    return page.until(() => window.exported);
}

// The record whenever it is the viewer's turn, or the game is over.
function turn() {
    return until(async () => {
        if (!await page.count('.table-over, button[data-key=hint]:not([aria-disabled])'))
            return '';
        const text = await record();
        return (replay(text).over === 'yes' || moves(text)[0]?.startsWith('1 ')) && text;
    }, 'it is never the turn of player 1');
}

// Plays until the game has `most` events or is over: each of the `ways` in turn plans a move.
async function playOn(ways, agrees, most = Infinity) {
    for (let i = 0; ; i++) {
        const text = await turn();
        await becomes(...agrees(text));
        if (replay(text).over === 'yes' || events(text).length >= most) return text;
        await ways[i % ways.length](text);
        await until(async () => events(await record()).length > events(text).length,
            `no move was made after\n${text}`);
        assert.ok((await record()).startsWith(text));
    }
}

// ---- verplant ----

const any = (all) => all[roll(all.length)];

// One of the moves that mark the most: {line} or {station}.
function pick(text) {
    const all = moves(text).map((event) => {
        const [, station, line, n] = /^1 (?:@(.+)|([A-Z])[<>]?(\d+))$/.exec(event);
        return { station, line, n: Number(n ?? (station === '-' ? 0 : 1)) };
    });
    return any(all.filter(({ n }) => n === Math.max(...all.map((one) => one.n))));
}

const verplantWays = [
    async (text) => { // on the picture
        const { station, line } = pick(text);
        await page.press(station ? `#station-${station}` : `#wagon-${line}`);
        await page.press(CONFIRM);
    },
    async (text) => { // with keys
        await page.key(pick(text).line?.toLowerCase() ?? 'ArrowRight');
        await page.there(`${CONFIRM}:not([aria-disabled])`);
        await page.key('Enter');
    },
    async () => { // with buttons
        await page.press('.chip:not(:disabled)');
        await page.press(CONFIRM);
    },
];

const marked = () => page.evaluate(() =>
    [...document.querySelectorAll('.pane .mark:not(.planned)')].map((mark) =>
        mark.closest('.station').dataset.station).sort());

// ---- metro ----

const metroWays = [
    async () => { // on the board; the square under the mouse shows the tile and glows no longer
        const square = await page.until(() =>
            document.querySelector('.pane .square.legal')?.dataset.square);
        await page.tap(`.pane .square[data-square="${square}"]`);
        await page.tap(CONFIRM);
    },
    async () => { // with keys
        await page.key('ArrowRight');
        await page.there(`${CONFIRM}:not([aria-disabled])`);
        await page.key('Enter');
    },
];

const totals = (text) => Object.entries(replay(text)).filter(([key]) => /^player \d/.test(key))
    .map(([, words]) => numbers(words).total);

// ---- Tests ----

test(`${page.version} has what the page needs`, async () => {
    await page.resize(DESKTOP);
    await page.open(server.url);
    await arrived('start');
    // Adds four numbers at once: (module (func (drop (i8x16.splat (i32.const 0)))))
    assert.ok(await page.evaluate(() => WebAssembly.validate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0,
        0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11))));
    assert.deepEqual(await page.evaluate(unknownStyles), []);
    await page.until(() => [...document.querySelectorAll('.start-picture')].every((one) =>
        one.querySelector('svg')));
    await lookAtBoth('first screen');
});

// Runs in the page: selectors and declarations of its style sheets that the browser does not know.
// Those of one browser only are left out, and some that a page or paper can do without.
async function unknownStyles() {
    const unknown = new Set();
    const hear = (text, isKnown) => isKnown ||
        /-webkit-|-moz-|^text-size-adjust:|^text-wrap: ?pretty$|^size:/.test(text) ||
        unknown.add(text);
    for (const { href } of document.querySelectorAll('link[rel=stylesheet]')) {
        const text = (await (await fetch(href)).text()).replaceAll(/\/\*[^]*?\*\//g, '');
        for (const [, before, inside] of text.matchAll(/([^{};]*)\{([^{}]*)\}/g)) {
            const all = before.split(/,(?![^(]*\))/).map((one) => one.trim());
            for (const one of all)
                hear(one, /^(@|from|to|\d)/.test(one) || CSS.supports(`selector(${one})`));
            for (const one of inside.split(';').map((line) => line.trim()).filter(Boolean))
                hear(one, one.startsWith('--') || CSS.supports(one));
        }
    }
    return [...unknown];
}

// Stop and a reload interrupt what a page is loading. If that is a file that a worker imports,
// Firefox tells the page that the worker has failed; WebKit does not.
for (const how of ['Stop', 'a reload'])
    test(`${how} while the worker of the bots is being loaded`, { skip: name !== 'firefox' },
        (t) => interrupted(t, how));

async function interrupted(t, how) {
    const front = await changing(t, server);
    const address = `${front.url}/v/${front.version}/engine/botworker.js`;
    const worker = await (await fetch(address)).text();
    const [, file] = /from"\.\.\/([^"]*)"/.exec(worker);
    const loads = () => front.asked.filter((path) => path.endsWith(file)).length;
    front.uncached = RegExp(`${file}$`);
    front.held = /sw\.js$/; // the service worker would have the file
    await page.open(`${front.url}/#new=metro`);
    await arrived('new');
    await page.select('[data-seat="2"]', 'greedy');
    await page.press('form button[type=submit]');
    await arrived('game');
    const text = await turn();
    const before = loads();
    front.held = RegExp(`${file}$|sw\\.js$`);
    await metroWays[1](text);
    await until(() => loads() > before);
    if (how === 'Stop') {
        await page.evaluate(() => window.stop());
        front.release();
    } else {
        await page.evaluate(() => {
            window.isLeft = true;
        });
        const reloaded = page.reload();
        await until(() => page.evaluate(() => !window.isLeft).catch(() => false));
        front.release();
        await reloaded;
        await arrived('game');
    }
    const hasAnswered = async () => events(await record()).length > events(text).length + 1;
    await until(async () => await hasAnswered() || page.count('.notice'));
    assert.deepEqual(await page.texts('.notice'), []);
    await page.open(server.url);
    await arrived('start');
}

test('verplant alone, on a desktop', async (t) => {
    const agrees = (text) => [marked, stations(text, 1).sort(), text];
    let text;
    await t.test('the table', async () => {
        await page.press('.start-verplant button.primary');
        await arrived('game');
        text = await playOn(verplantWays, agrees, 12);
        await lookAtBoth('verplant');
        await page.press('.tool-text');
        await page.there('dialog[open] table');
        await page.key('Escape');
        await page.until(() => !document.querySelector('dialog[open]'));
    });
    await t.test('a reload in the middle', async () => {
        await page.reload();
        await arrived('game');
        assert.equal(await turn(), text);
    });
    await t.test('the end', async () => {
        text = await playOn(verplantWays, agrees);
        await sumIs(text);
        await lookAtBoth('end of verplant');
        assert.equal(await exported(), text);
    });
    await t.test('the same after a reload, and its replay', async () => {
        await page.reload();
        await arrived('game');
        assert.equal(await turn(), text);
        await sumIs(text);
        await replayed();
    });
    await t.test('its analysis', () => analysed(text));
    await t.test('the list of games, and statistics', async () => {
        await page.press('a.bar-link', 'Games');
        await arrived('games');
        await page.until(() => document.querySelector('.kept svg .station'));
        await look('games');
        await page.press('.kept-head a', 'Statistics');
        await arrived('statistics');
        await page.there('.statistics-plot svg');
        assert.match((await page.texts('.statistics-lead'))[0], /^1 finished game: 1 alone/);
    });
    await t.test('a problem, by keys', async () => {
        await page.open(`${server.url}/#problems=verplant/${solvedByKeys.n}`);
        await arrived('problems');
        await page.there('.problem-table .confirm');
        for (const key of keysOf(solvedByKeys.best)) await page.key(key.toLowerCase());
        await page.there(`${CONFIRM}:not([aria-disabled])`);
        await page.key('Enter');
        await page.there('.problem-verdict.right');
        await look('problem of verplant', name !== 'webkit');
        await page.open(server.url);
        await arrived('start');
    });
});

async function sumIs(text) {
    const { lines, transfers, penalty, total } = numbers(replay(text)['player 1']);
    await page.there('.ending h2');
    assert.deepEqual((await page.texts('.ending h2')).map(said), [total]);
    assert.deepEqual((await page.texts('.ending .sum td')).map(said),
        [lines, transfers, -penalty, total]);
}

// Opens the replay from the end of a game, and goes through it.
async function replayed() {
    await page.press('.ending-next a', 'Replay');
    await arrived('replay');
    await look('replay');
    const status = () => page.texts('.replay-status');
    const end = await status();
    await page.key('Home');
    await until(async () => (await status())[0] !== end[0]);
    const steps = await page.count('.replay-step');
    assert.ok(steps > 10);
    for (let i = 1; i < steps; i++) await page.key('ArrowRight');
    await becomes(status, end);
}

// Opens the analysis from the replay; its mistakes are those that the program finds. Then selects
// points by keys, and by mouse or finger.
async function analysed(text) {
    const { nodes, worst } = analysis(text);
    await page.press('.replay-actions a', 'Analysis');
    await arrived('analysis');
    await page.until(() => document.querySelector('.analysis-status p') &&
        !document.querySelector('.analysis-status .progress'));
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.analysis-wrong')]
        .map((one) => Number(one.dataset.key.replace('wrong-', '')))), worst);
    await page.there('.analysis-sum-table');
    const selected = () => page.evaluate(() =>
        Number(document.querySelector('.analysis-chart').ariaValueNow) - 1);
    await page.key('Home');
    await becomes(selected, 0);
    await page.key('ArrowRight');
    await becomes(selected, 1);
    await page.press(`.analysis-chart [data-node="${nodes.length - 1}"]`);
    await becomes(selected, nodes.length - 1);
    await page.press('.analysis-wrong');
    await becomes(selected, worst[0]);
    await lookAtBoth(`analysis of ${/^game (\w+)/m.exec(text)[1]}`);
}

test('dialogs, their notices, and what stays in another theme, width or language', async (t) => {
    const focused = () => page.evaluate(() => document.activeElement.dataset.key ?? '');
    const isOpen = () => page.count('dialog[open]');
    await page.resize(DESKTOP);
    await t.test('a notice over a dialog, and a click beside one', async () => {
        await page.press('a.bar-link', 'Settings');
        await arrived('settings');
        await page.press('.settings .danger');
        await page.there('dialog[open]');
        await page.evaluate(() => navigator.serviceWorker.dispatchEvent(
            new MessageEvent('message', { data: { active: 'another' } })));
        await page.press('dialog .notice button:last-child');
        await page.until(() => !document.querySelector('.notice'));
        assert.equal(await isOpen(), 1);
        await page.drag('dialog h2', { x: 5, y: 5 });
        assert.equal(await isOpen(), 1);
        await page.drag({ x: 5, y: 5 }, { x: 5, y: 5 });
        await becomes(isOpen, 0);
    });
    await t.test('the focus, the move and the hint stay', async () => {
        await page.press('a.brand');
        await arrived('start');
        await page.press('.start-verplant button.primary');
        await arrived('game');
        await turn();
        await page.press('.chip:not(:disabled)');
        await page.press('button[data-key=hint]');
        await page.there('.hint-move');
        await page.evaluate(() => document.querySelector('.hint [data-key=close]').focus());
        const planned = () => page.count('.pane .planned');
        const marks = await planned();
        assert.ok(marks > 0);
        const stays = async () => {
            await page.there('.hint-move');
            await becomes(focused, 'close');
            await becomes(planned, marks);
        };
        for (const theme of ['light', 'dark', 'auto']) {
            await page.evaluate(() => document.getElementById('bar-theme').click());
            await stays(theme);
        }
        for (const size of [PHONE, DESKTOP]) {
            await page.resize(size);
            await page.until((width) => innerWidth === width, size.width);
            await stays();
        }
        for (const code of ['de', 'en']) {
            await page.evaluate((chosen) => {
                const choice = document.getElementById('bar-language');
                choice.value = chosen;
                choice.dispatchEvent(new Event('change'));
            }, code);
            await page.there(`html[lang=${code}]`);
            await stays();
        }
    });
});

test('metro against a bot, on a phone, from the middle without the server', async (t) => {
    const scores = async () => (await page.texts('.metro-players .metro-score')).map(said);
    const agrees = (text) => [scores, totals(text), text];
    let text;
    await t.test('the table', async () => {
        await page.resize(PHONE);
        await page.press('a.brand');
        await arrived('start');
        await page.tap('.start-metro a', 'Set up…');
        await arrived('new');
        await page.select('[data-seat="2"]', 'greedy');
        await page.tap('form button[type=submit]');
        await arrived('game');
        text = await playOn(metroWays, agrees, 30);
        assert.match(text, /^bot 2 greedy$/m);
        await lookAtBoth('metro');
    });
    await t.test('a reload without the server', async () => {
        await page.until(async () => Boolean((await navigator.serviceWorker.ready).active &&
            navigator.serviceWorker.controller));
        await server.stop();
        await page.resize(PHONE);
        await page.reload();
        await arrived('game');
        assert.equal(await turn(), text);
    });
    await t.test('the end', async () => {
        text = await playOn(metroWays, agrees);
        await becomes(async () => (await page.texts('.ending .metro-sum summary .metro-score'))
            .map(said).sort(), totals(text).sort());
        await lookAtBoth('end of metro');
        assert.equal(await exported(), text);
    });
    await t.test('the same after a reload, and its replay', async () => {
        await page.resize(PHONE);
        await page.reload();
        await arrived('game');
        assert.equal(await turn(), text);
        await replayed();
    });
    await t.test('its analysis', () => analysed(text));
    await t.test('a problem, by taps', async () => {
        await page.resize(PHONE);
        await page.evaluate((n) => {
            location.hash = `#problems=metro/${n}`;
        }, solvedByTaps.n);
        await arrived('problems');
        await page.tap(`.pane .square[data-square="${squareOf(solvedByTaps.best)}"]`);
        await page.tap(CONFIRM);
        await page.there('.problem-verdict.right');
        await look('problem of metro');
    });
});

test('no request failed or went elsewhere, and the console is empty', async () => {
    const foreign = await page.evaluate(() => performance.getEntriesByType('resource')
        .filter(({ name: address, responseStatus = 200 }) =>
            new URL(address).origin !== location.origin || responseStatus >= 400)
        .map(({ name: address }) => address));
    assert.deepEqual(foreign, []);
    assert.deepEqual(await page.said(), []);
    await page.evaluate(() => {
        console.warn('one');
        console.error('two');
        Promise.resolve().then(() => window.three());
    });
    await until(async () => (await page.said()).length >= 3, 'what the console says is heard');
});
