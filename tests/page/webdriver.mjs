// Firefox ESR and WebKit, the engine of Safari, as the distribution packages them, for tests. Both
// are driven by the commands of WebDriver (w3.org/TR/webdriver2): WebKit by HTTP, through
// WebKitWebDriver; Firefox through Marionette, its own port for such commands, since Debian has no
// geckodriver, which only translates between the two.
//
//     const driven = await launch('webkit');    // or 'firefox'; see chosenBrowser()
//     await driven.open(url);
//     await driven.evaluate((a, b) => a + b, 1, 2);
//     await driven.press('.chip');              // by mouse; tap() by finger
//     await driven.key('Enter');
//     await driven.said();                      // errors and warnings of the console so far
//     await driven.close();
//
// Every browser has a profile of its own in a folder that close() removes.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownChance, PATIENCE, takeControl, until } from './control.mjs';

// By name: the command of WebDriver and its address, and what Marionette calls it.
const COMMANDS = {
    setTimeouts: ['POST /timeouts', 'WebDriver:SetTimeouts'],
    navigate: ['POST /url', 'WebDriver:Navigate'],
    execute: ['POST /execute/async', 'WebDriver:ExecuteAsyncScript'],
    act: ['POST /actions', 'WebDriver:PerformActions'],
    screenshot: ['GET /screenshot', 'WebDriver:TakeScreenshot'],
    setWindow: ['POST /window/rect', 'WebDriver:SetWindowRect'],
    tab: ['GET /window', 'WebDriver:GetWindowHandle'],
    newTab: ['POST /window/new', 'WebDriver:NewWindow'],
    goToTab: ['POST /window', 'WebDriver:SwitchToWindow'],
};
const KEYS = { Backspace: '\uE003', Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C',
    Home: '\uE011', ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014',
    ArrowDown: '\uE015' };
const finder = new URL('../../scripts/browser.sh', import.meta.url).pathname;

// ---- Processes ----

const running = new Set();
process.on('exit', () => running.forEach(kill)); // after a failure
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

function kill(child) {
    try {
        process.kill(-child.pid, 'SIGKILL');
    } catch {
        // it has ended
    }
}

// Starts a program in a group of its own, so that the processes that it starts end with it. `heard`
// collects what it prints.
function start(command, args, env, heard, more = []) {
    const child = spawn(command, args, { env, detached: true,
        stdio: ['ignore', 'pipe', 'pipe', ...more] });
    child.over = new Promise((resolve) => child.on('exit', resolve).on('error', resolve));
    running.add(child);
    for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => heard.push(text));
    return child;
}

async function stop(child) {
    kill(child);
    await child.over;
    running.delete(child);
}

// Waits for something that a program does when it is ready; fails if it ends instead.
function ready(child, look, heard) {
    return until(async () => {
        assert.equal(child.exitCode ?? child.signalCode, null, `it ended: ${heard.join('')}`);
        return look();
    }, `it never became ready: ${heard.join('')}`);
}

// ---- Firefox ----

// Its preferences. Animations are off, like those of WebKit below; nobody is there to answer the
// question whether games may be kept for good.
const FIREFOX = {
    'marionette.port': 0, // any
    'ui.prefersReducedMotion': 1,
    'ui.useOverlayScrollbars': 1,
    'ui.primaryPointerCapabilities': 6, // a mouse
    'ui.allPointerCapabilities': 6,
    'intl.accept_languages': 'en-GB',
    'browser.dom.window.dump.enabled': true, // errors of scripts
    'devtools.console.stdout.content': true,
    'devtools.console.stdout.chrome': false,
    'dom.storageManager.prompt.testing': true,
    'dom.storageManager.prompt.testing.allow': true,
    'datareporting.policy.dataSubmissionEnabled': false,
    'browser.aboutwelcome.enabled': false,
};

// Messages are written as LENGTH:JSON; an answer is [1, number of the command, error, result].
class Marionette {
    #socket;
    #bytes = Buffer.alloc(0);
    #waiting = new Map();
    #sent = 0;

    constructor(port) {
        this.#socket = net.connect(port, '127.0.0.1');
        this.#socket.on('data', (bytes) => this.#read(bytes));
        this.#socket.on('error', (error) => this.#fail(error));
        this.#socket.on('close', () => this.#fail(new Error('the browser has ended')));
    }

    #fail(error) {
        for (const { reject } of this.#waiting.values()) reject(error);
        this.#waiting.clear();
    }

    #read(bytes) {
        this.#bytes = Buffer.concat([this.#bytes, bytes]);
        for (;;) {
            const colon = this.#bytes.indexOf(':');
            const end = colon + 1 + Number(this.#bytes.subarray(0, Math.max(0, colon)));
            if (colon < 0 || this.#bytes.length < end) return;
            const message = JSON.parse(this.#bytes.subarray(colon + 1, end));
            this.#bytes = this.#bytes.subarray(end);
            if (Array.isArray(message)) this.#answer(message);
        }
    }

    #answer([, number, error, result]) {
        const { resolve, reject } = this.#waiting.get(number);
        this.#waiting.delete(number);
        if (error) reject(new Error(`${error.error}: ${error.message}`));
        else resolve(result?.value !== undefined ? result.value : result);
    }

    send(name, parameters = {}) {
        const text = JSON.stringify([0, ++this.#sent, name, parameters]);
        return new Promise((resolve, reject) => {
            this.#waiting.set(this.#sent, { resolve, reject });
            this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
        });
    }

    end() {
        this.#socket.destroy();
    }
}

async function launchFirefox(folder, heard) {
    const path = find('firefox');
    writeFileSync(join(folder, 'user.js'), Object.entries(FIREFOX).map(([name, value]) =>
        `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
    const child = start(path, ['--headless', '--no-remote', '--marionette',
        '--remote-allow-system-access', '--profile', folder],
    { ...process.env, HOME: folder, MOZ_CRASHREPORTER_DISABLE: '1' }, heard);
    const file = join(folder, 'MarionetteActivePort');
    await ready(child, () => existsSync(file) && readFileSync(file, 'utf8'), heard);
    const port = new Marionette(Number(readFileSync(file, 'utf8')));
    const { capabilities } = await port.send('WebDriver:NewSession', {});
    return {
        version: `Firefox ${capabilities.browserVersion}`,
        call: (name, parameters) => port.send(COMMANDS[name][1], parameters),
        // Its window is never narrower than 500 pixels; so the page gets a size of its own in it,
        // as in Firefox's view of phones.
        resize: async ({ width, height }) => {
            await port.send('WebDriver:SetWindowRect', { width: 1600, height: 1200 });
            await port.send('Marionette:SetContext', { value: 'chrome' });
            await port.send('WebDriver:ExecuteScript', { args: [width, height], script: `
                const { style } = gBrowser.selectedBrowser;
                for (const bound of ['', 'min-', 'max-']) {
                    style.setProperty(bound + 'width', arguments[0] + 'px');
                    style.setProperty(bound + 'height', arguments[1] + 'px');
                }` });
            await port.send('Marionette:SetContext', { value: 'content' });
        },
        hasFinger: true,
        another: 'tab',
        close: async () => {
            port.end();
            await stop(child);
        },
    };
}

// ---- WebKit ----

// Its window is never narrower than its toolbar, so that has no room of its own.
const TOOLBAR = '* { min-width: 0; min-height: 0; padding: 0; margin: 0; border: 0; ' +
    'font-size: 1px; -gtk-icon-style: symbolic; }\n';

// An X server without a screen; it says its number when it is ready.
async function startDisplay(heard) {
    const child = start('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten',
        'tcp'], process.env, heard, ['pipe']);
    let number = '';
    child.stdio[3].setEncoding('utf8').on('data', (text) => {
        number += text;
    });
    await ready(child, () => number.endsWith('\n'), heard);
    return { child, name: `:${number.trim()}` };
}

const freePort = () => new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address();
        server.close(() => resolve(port));
    });
});

// The driver cannot say which port it has chosen. If another program takes the free one first, it
// ends, and another one is tried.
async function startDriver(path, env, heard) {
    for (let attempt = 1; ; attempt++) {
        const port = await freePort();
        const child = start(path, [`--port=${port}`], env, heard);
        const address = `http://127.0.0.1:${port}`;
        const answers = () => fetch(`${address}/status`).then(({ ok }) => ok, () => false);
        try {
            await ready(child, answers, heard);
            return { child, address };
        } catch (error) {
            await stop(child);
            if (attempt === 5) throw error;
        }
    }
}

async function launchWebkit(folder, heard) {
    const [path, binary] = find('webkit').split('\n');
    const display = await startDisplay(heard);
    const settings = join(folder, '.config', 'gtk-3.0');
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
    writeFileSync(join(settings, 'gtk.css'), TOOLBAR);
    const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, DISPLAY: display.name,
        LANG: 'en_GB.UTF-8', NO_AT_BRIDGE: '1', GDK_BACKEND: 'x11',
        WEBKIT_DISABLE_COMPOSITING_MODE: '1', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
    const { child, address } = await startDriver(path, env, heard);
    let session = '';
    const send = async (method, where, body) => {
        const answer = await fetch(`${address}${session}${where}`, { method,
            body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined });
        const { value } = await answer.json();
        if (!answer.ok) throw new Error(`${where}: ${value.error}: ${value.message}`);
        return value;
    };
    const { sessionId, capabilities } = await send('POST', '/session', { capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } } } });
    session = `/session/${sessionId}`;
    const call = (name, parameters) => send(...COMMANDS[name][0].split(' '), parameters);
    return {
        version: `WebKit ${capabilities.browserVersion}`,
        call,
        resize: ({ width, height }) => call('setWindow', { x: 0, y: 0, width, height }),
        hasFinger: false, // WebKitWebDriver makes a mouse of it
        another: 'window', // it draws no tab but the first
        close: async () => {
            await send('DELETE', '').catch(() => {});
            await stop(child);
            await stop(display.child);
        },
    };
}

// ---- Both ----

// The paths that scripts/browser.sh prints, or ''.
function find(name) {
    try {
        return execFileSync('sh', [finder, name], { encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
        return '';
    }
}

// Runs in the page: the middle of an element that can be pressed there, once it has come to rest;
// null until then. `text`: of all such elements, the one that contains it.
//
// The element may still move or be replaced before it is pressed: then the events hit something
// else, which must not hear of them, and window.pressed becomes 'missed'. Parts of a picture act
// when a finger goes down, and everything else when it is clicked.
async function aimAt(selector, text) {
    const frame = () => new Promise(requestAnimationFrame);
    const isIt = (one) => one?.textContent.includes(text);
    const part = [...document.querySelectorAll(selector)].find(isIt);
    if (!part || part.matches(':disabled, [aria-disabled=true]')) return null;
    const middle = () => {
        const { x, y, width, height } = part.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
    };
    const isOn = ({ x, y }) => isIt(document.elementFromPoint(x, y)?.closest(selector));
    if (!isOn(middle())) part.scrollIntoView({ block: 'center', behavior: 'instant' });
    const before = middle();
    await frame();
    await frame();
    const { x, y } = middle();
    if (x !== before.x || y !== before.y || !isOn(before)) return null;
    const last = part instanceof SVGElement ? 'pointerdown' : 'click';
    const types = ['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend',
        'click'];
    const judge = (event) => {
        const isHit = isIt(event.target.closest?.(selector));
        if (!isHit) {
            event.preventDefault();
            event.stopImmediatePropagation();
        }
        if (event.type === last || !isHit) window.pressed ||= isHit ? 'hit' : 'missed';
        if (event.type === last) window.unaim();
    };
    window.unaim?.(); // the one before was missed
    window.unaim = () => types.forEach((type) => window.removeEventListener(type, judge, true));
    window.pressed = '';
    for (const type of types)
        window.addEventListener(type, judge, { capture: true, passive: false });
    return { x, y };
}

// Runs in the page: listens to its console, and returns what that has said since the last call.
function listen() {
    if (!window.consoleSaid) {
        window.consoleSaid = [];
        const hear = (...words) => window.consoleSaid.push(words.join(' '));
        for (const name of ['error', 'warn']) {
            const say = console[name];
            console[name] = (...words) => {
                hear(...words);
                say.apply(console, words);
            };
        }
        window.addEventListener('error', ({ message }) => hear(message));
        window.addEventListener('unhandledrejection', ({ reason }) => hear(reason));
        document.addEventListener('securitypolicyviolation', ({ blockedURI }) => hear(blockedURI));
    }
    return window.consoleSaid.splice(0);
}

let chance = 7; // another one for each page that is loaded

class Driven {
    #browser;
    #said = [];
    #heard;
    #folder;

    constructor(browser, heard, folder) {
        this.#browser = browser;
        this.#heard = heard;
        this.#folder = folder;
        this.version = browser.version;
    }

    open(url) {
        return this.#browser.call('navigate', { url });
    }

    // Waits until a screen is shown. Then chance and clock are the same every time: WebDriver
    // cannot run scripts before those of the page, but nothing has been drawn by chance yet.
    async arrived(screen) {
        await this.until((wanted) => Boolean(document.documentElement.dataset.ready === 'yes' &&
            document.querySelector(`main > .screen-${wanted} h1`)), screen);
        assert.deepEqual(await this.said(), []);
        if (await this.evaluate(() => Boolean(window.testClock))) return;
        await this.evaluate(knownChance, chance++);
        await takeControl({ addInitScript: (script, value) => this.evaluate(script, value) }, {});
    }

    // The tab in front. All other functions are about that.
    tab() {
        return this.#browser.call('tab');
    }

    async goToTab(handle) {
        await this.#browser.call('goToTab', { handle });
    }

    // Opens another tab or window, which is in front then, and returns it.
    async openTab(url) {
        const { handle } = await this.#browser.call('newTab', { type: this.#browser.another });
        await this.goToTab(handle);
        await this.open(url);
        return handle;
    }

    // As people do it. (WebDriver's own command makes Firefox pass over the service worker.)
    async reload() {
        await this.said();
        await this.evaluate(() => {
            window.isOld = true;
            setTimeout(() => location.reload(), 0);
        });
        await until(() => this.evaluate(() => !window.isOld && document.readyState === 'complete')
            .catch(() => false)); // between two documents nothing can be asked
    }

    // Calls a function in the page, and waits for what it returns.
    async evaluate(act, ...args) {
        const script = `const [done, ...args] = [...arguments].reverse();
            Promise.resolve().then(() => (${act})(...args.reverse())).then(
                (value) => done({ value }),
                (error) => done({ error: String(error) + error?.stack }));`;
        const { value, error } = await this.#browser.call('execute', { script, args });
        assert.equal(error, undefined);
        return value;
    }

    // Calls a function in the page until it returns something true.
    until(act, ...args) {
        return until(() => this.evaluate(act, ...args), `never true: ${act} ${args}`);
    }

    // Waits until something is there.
    there(selector) {
        return this.until((wanted) => Boolean(document.querySelector(wanted)), selector);
    }

    count(selector) {
        return this.evaluate((wanted) => document.querySelectorAll(wanted).length, selector);
    }

    texts(selector) {
        return this.evaluate((wanted) => [...document.querySelectorAll(wanted)].map((one) =>
            one.textContent), selector);
    }

    async #point(pointerType, { x, y }) {
        await this.#browser.call('act', { actions: [{ type: 'pointer', id: pointerType,
            parameters: { pointerType }, actions: [
                { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) },
                { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }] }] });
    }

    // Presses an element, again if it has moved away meanwhile.
    async #pressWith(pointerType, selector, text) {
        await until(async () => {
            await this.#point(pointerType, await this.until(aimAt, selector, text));
            return await this.until(() => window.pressed) === 'hit';
        }, `never hit: ${selector} ${text}`);
    }

    // Presses the mouse in one place and lets go in another: {x, y}, or the middle of an element.
    async drag(...places) {
        const [from, to] = await Promise.all(places.map((place) => (typeof place === 'string'
            ? this.evaluate((selector) => {
                const { x, y, width, height } = document.querySelector(selector)
                    .getBoundingClientRect();
                return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
            }, place) : place)));
        const move = (place) => ({ type: 'pointerMove', duration: 0, ...place });
        await this.#browser.call('act', { actions: [{ type: 'pointer', id: 'mouse',
            parameters: { pointerType: 'mouse' }, actions: [
                move(from), { type: 'pointerDown', button: 0 }, move(to),
                { type: 'pointerUp', button: 0 }] }] });
    }

    press(selector, text = '') {
        return this.#pressWith('mouse', selector, text);
    }

    // By finger, where the driver has one.
    tap(selector, text = '') {
        return this.#pressWith(this.#browser.hasFinger ? 'touch' : 'mouse', selector, text);
    }

    async key(name) {
        const value = KEYS[name] ?? name;
        await this.#browser.call('act', { actions: [{ type: 'key', id: 'keys', actions: [
            { type: 'keyDown', value }, { type: 'keyUp', value }] }] });
    }

    // Writes a text into a field, in place of what is there.
    async fill(selector, text) {
        await this.there(selector);
        await this.evaluate((field) => document.querySelector(field).select(), selector);
        for (const letter of text) await this.key(letter);
    }

    // Chooses an option of a list by arrows.
    async select(selector, value) {
        const distance = () => this.evaluate((list, wanted) => {
            const { options, selectedIndex } = document.querySelector(list);
            return [...options].findIndex((one) => one.value === wanted) - selectedIndex;
        }, selector, value);
        await this.evaluate((list) => document.querySelector(list).focus(), selector);
        for (let away = await distance(); away; away = await distance()) {
            await this.key(away < 0 ? 'ArrowUp' : 'ArrowDown');
            await until(async () => await distance() !== away, `${selector} stays as it is`);
        }
    }

    // Gives the page a size. (A toolbar may take some of its height.)
    async resize(size) {
        await this.#browser.resize(size);
        await this.until((width, height) => innerWidth === width && innerHeight <= height &&
            innerHeight > height - 50, size.width, size.height);
    }

    // Writes a PNG. (WebKitWebDriver never answers on the form of a new game, nor on some
    // problems.)
    async screenshot(file) {
        const picture = await this.#browser.call('screenshot', { full: false });
        writeFileSync(file, Buffer.from(picture, 'base64'));
    }

    // Errors and warnings since the page was first opened. Firefox prints them, and its own with a
    // name or another address; WebKit does not, so there a script in the page listens, from the
    // first call on.
    async said() {
        this.#said.push(...await this.evaluate(listen));
        const own = /^console\.(error|warn): \w+: /;
        const faults = [/^console\.(error|warn):/, /^JavaScript (error|warning): http/];
        return [...this.#said, ...this.#heard.join('').split('\n').filter((line) =>
            !own.test(line) && faults.some((fault) => fault.test(line)))];
    }

    async close() {
        await this.#browser.close();
        rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
    }
}

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

// The browser that ES_BROWSER names, or Firefox. If it is not installed the test is skipped.
export function chosenBrowser() {
    const name = process.env.ES_BROWSER ?? 'firefox';
    if (find(name)) return name;
    console.log(`skipped: ${name} is not installed (scripts/browser.sh says what it takes)`);
    return process.exit(77);
}

export async function launch(name) {
    const folder = mkdtempSync(join(tmpdir(), 'endstation-'));
    const heard = [];
    const browser = await { firefox: launchFirefox, webkit: launchWebkit }[name](folder, heard);
    await browser.call('setTimeouts', { script: PATIENCE, pageLoad: PATIENCE });
    return new Driven(browser, heard, folder);
}
