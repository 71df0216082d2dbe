// What people can reach, and what reaches them: notices over dialogs, names of dialogs, text that
// is selected; a screen that is left while the next one is being loaded; letters that can be
// switched off; sounds after a touch; where a click on a notification leads; pictures in another
// theme.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, go, keptGame, newRecord, open, serve, settled, storedGame, turn, until, visit }
    from './browser.mjs';
import { becomes, middle } from './play.mjs';
import { changing } from './front.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const solo = newRecord({ seats: ['Ada'] });
const record = async (page) => (await storedGame(page, 'x')).record;
const sit = (t, options = {}) => visit(t, `${server.url}/#game=x`,
    { ...options, kept: { 'game.x': keptGame('x', solo), ...options.kept } });

// ---- Dialogs ----

const askToDelete = async (page) => {
    await page.locator('.settings .danger').first().click();
    await page.locator('dialog[open]').waitFor();
};

// Offers a new version, as the service worker does: a notice that stays.
const notify = (page) => page.evaluate(() => navigator.serviceWorker.dispatchEvent(
    new MessageEvent('message', { data: { active: 'another' } })));

test('a notice that comes while a dialog is open can be reached, and is announced', async (t) => {
    const page = await visit(t, `${server.url}/#settings`);
    await arrived(page, 'settings');
    await askToDelete(page);
    await notify(page);
    const notice = page.locator('.notice');
    await notice.waitFor();
    const heard = () => page.evaluate(() => ['notices', 'live', 'live-now'].map((id) =>
        document.getElementById(id).closest('dialog') ===
            [...document.querySelectorAll('dialog[open]')].at(-1)));
    assert.deepEqual(await heard(), [true, true, true], 'nothing else is heard');
    await page.locator('#live', { hasText: 'There is a new version' }).waitFor({
        state: 'attached' });
    await notice.locator('button').last().focus();
    assert.equal(await page.evaluate(() => document.activeElement.closest('.notice') !== null),
        true);
    await notice.locator('button').last().click(); // really: nothing lies over it
    await notice.waitFor({ state: 'detached' });
    assert.equal(await page.locator('dialog[open]').count(), 1);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(await page.evaluate(() => ['notices', 'live', 'live-now'].map((id) =>
        document.getElementById(id).parentElement.tagName)), ['BODY', 'BODY', 'BODY']);
});

test('a dialog over a dialog has a name of its own', async (t) => {
    const page = await visit(t, `${server.url}/#game=x`, { kept: {
        'game.x': keptGame('x', newRecord({ seats: [{ bot: 'nobody' }, 'Ada'] })) },
    tolerate: [/./] });
    await page.getByRole('dialog', { name: 'Who takes seat 1?' }).waitFor();
    await page.evaluate(() => document.querySelector('.tool-text').click());
    await page.getByRole('dialog', { name: 'The game as text' }).waitFor();
    assert.equal(await page.getByRole('dialog', { name: 'The game as text' }).count(), 1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Who takes seat 1?' }).waitFor();
    const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')]
        .map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length);
});

test('selecting text out of a dialog leaves it open; a click beside it closes it', async (t) => {
    const page = await visit(t, `${server.url}/#settings`);
    await arrived(page, 'settings');
    await askToDelete(page);
    const { x, y } = await middle(page, 'dialog h2');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(10, 10);
    await page.mouse.up();
    await page.mouse.move(10, 10);
    await page.mouse.down();
    await page.mouse.move(x, y);
    await page.mouse.up();
    assert.equal(await page.locator('dialog[open]').count(), 1);
    await page.mouse.click(10, 10);
    await page.locator('dialog').waitFor({ state: 'detached' });
});

test('a right click beside a dialog takes nothing from what is pressed in it then', async (t) => {
    const page = await visit(t, `${server.url}/#settings`, { kept: {
        'game.x': keptGame('x', solo) } });
    await arrived(page, 'settings');
    await askToDelete(page);
    await page.mouse.click(10, 10, { button: 'right' });
    await page.locator('dialog .danger').focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.getByText('0 games are saved').waitFor();
});

// ---- A slow next screen ----

test('while the next screen is being loaded, the page says so and takes no move', async (t) => {
    const front = await changing(t, server);
    front.held = /later-\w+\.js$|sw\.js$/;
    const page = await visit(t, `${front.url}/#game=x`, { kept: {
        'game.x': keptGame('x', solo) } });
    await turn(page);
    await page.locator('.chip:not(:disabled)').first().click();
    await page.locator('button[data-key=confirm]:not([aria-disabled])').waitFor();
    const before = await record(page);
    await page.evaluate(() => (location.hash = '#settings'));
    await page.locator('.loading', { hasText: 'Loading' }).waitFor();
    // By mouse, by keys, and by what was pressed just before.
    const { x, y } = await middle(page, 'button[data-key=confirm]');
    await page.mouse.click(x, y);
    await page.keyboard.press('Enter');
    await page.evaluate(() => document.querySelector('button[data-key=confirm]').click());
    front.release();
    await arrived(page, 'settings');
    await page.locator('.loading').waitFor({ state: 'detached' });
    assert.equal(await record(page), before);
    await page.locator('.back-to-game a').click();
    await arrived(page, 'game');
    await page.locator('button[data-key=confirm]:not([aria-disabled])').click(); // still planned
    await until(async () => await record(page) !== before);
});

// ---- Keys ----

test('letters, digits and ? can be switched off, and stay so', async (t) => {
    const page = await sit(t);
    await turn(page);
    const planned = () => page.locator('.pane .planned').count();
    await page.keyboard.press('a');
    await until(planned);
    await page.keyboard.press('?');
    await page.locator('dialog', { hasText: 'can be turned off in the settings' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await becomes(planned, 0);

    await go(page, 'settings');
    await page.getByRole('switch', { name: 'Letter and digit keys' }).uncheck();
    await page.reload();
    await arrived(page, 'settings');
    assert.equal(await page.getByRole('switch', { name: 'Letter and digit keys' }).isChecked(),
        false);
    await go(page, 'game=x');
    await turn(page);
    for (const key of ['a', 'B', '1', '?']) await page.keyboard.press(key);
    assert.equal(await page.locator('dialog').count(), 0);
    assert.equal(await planned(), 0);
    const before = await record(page);
    await page.locator('.chip:not(:disabled)').first().click();
    await until(planned);
    await page.keyboard.press('Backspace'); // as ever
    await becomes(planned, 0);
    await page.locator('.chip:not(:disabled)').first().click();
    await page.keyboard.press('Enter');
    await until(async () => await record(page) !== before);
    await page.locator('.tool-keys').click();
    await page.locator('dialog', { hasText: 'are turned off in the settings' }).waitFor();
    await page.keyboard.press('Escape');

    await go(page, 'learn=verplant'); // its bubble names no key that does nothing
    for (let i = 0; i < 3; i++) {
        assert.equal(await page.locator('.bubble kbd').count(), 0);
        const onward = page.locator('.bubble .primary');
        if (await onward.count()) await onward.click();
    }
});

test('where keys are listed, it is said that they can be switched off', async (t) => {
    const page = await visit(t, `${server.url}/#help`);
    for (const screen of ['help', 'accessibility']) {
        await go(page, screen);
        await page.getByText('The letter, digit and ? keys can be turned off in the settings.')
            .waitFor();
    }
});

// ---- Sounds ----

// Runs in the page, before anything else there: a browser in which a finger that goes down is no
// reason for sounds, as in WebKit.
function hearStrictly() {
    window.heard = [];
    window.AudioContext = class {
        state = 'suspended';

        currentTime = 0;

        sampleRate = 8000;

        destination = {};

        resume() {
            if (['pointerup', 'touchend', 'click', 'keydown'].includes(window.event?.type))
                this.state = 'running';
        }

        createBuffer() {
            return { getChannelData: () => [] };
        }

        part() {
            window.heard.push(this.state);
            const one = { connect: () => one, start() {}, stop() {}, frequency: {}, gain: {
                setValueAtTime() {}, exponentialRampToValueAtTime() {} } };
            return one;
        }

        createGain = () => this.part();

        createBufferSource = () => this.part();

        createBiquadFilter = () => this.part();

        createOscillator = () => this.part();
    };
}

test('the first touch makes sounds possible', async (t) => {
    const page = await sit(t, { size: 'phone', kept: { settings: { sound: true } },
        prepare: (context) => context.addInitScript(hearStrictly) });
    await turn(page);
    await page.locator('.chip:not(:disabled)').first().tap();
    await page.locator('button[data-key=confirm]:not([aria-disabled])').tap();
    await until(() => page.evaluate(() => window.heard.includes('running')));
});

// ---- Thumbnails ----

test('a picture that was filtered away comes back in the theme of now', async (t) => {
    const kept = Object.fromEntries(['Ada', 'Bea', 'Cleo', 'Dora', 'Eva', 'Fay', 'Gil'].map(
        (name, i) => [`game.g${i}`, keptGame(`g${i}`, newRecord({ seats: [name] }))]));
    const page = await visit(t, `${server.url}/#games`, { kept });
    const paper = (id) => page.locator(`[data-game=${id}] .picture svg .paper`)
        .getAttribute('fill');
    const light = await paper('g0');
    assert.equal(await paper('g1'), light);
    await page.locator('#kept-search').fill('Bea');
    await page.locator('[data-game=g0]').waitFor({ state: 'detached' });
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(async () => await paper('g1') !== light);
    const dark = await paper('g1');
    await page.locator('#kept-search').fill('');
    await page.locator('[data-game=g0]').waitFor();
    await becomes(() => paper('g0'), dark);
});

// Runs in the page: nothing is drawn before window.letGo(), and window.drawn has how often each
// picture was.
function holdDrawing() {
    const { replaceChildren } = Element.prototype;
    const { setTimeout } = window;
    const held = [];
    window.drawn = new Map();
    Element.prototype.replaceChildren = function replace(...children) {
        if (this.matches('.picture'))
            window.drawn.set(this, (window.drawn.get(this) ?? 0) + 1);
        return replaceChildren.apply(this, children);
    };
    window.setTimeout = (act, time, ...more) =>
        (time === 0 ? held.push(act) : setTimeout(act, time, ...more));
    window.letGo = () => {
        window.setTimeout = setTimeout;
        for (const act of held) act();
    };
}

// Runs in the page: takes the list out of view and puts it back.
async function hideAndShow() {
    const list = document.querySelector('.kept-list');
    const { parentNode, nextSibling } = list;
    const becomes = (isInView) => new Promise((resolve) => {
        const observer = new IntersectionObserver((all) => {
            if (all.at(-1).isIntersecting !== isInView) return;
            observer.disconnect();
            resolve();
        });
        observer.observe(list.querySelector('.picture'));
    });
    await becomes(true);
    list.remove();
    await becomes(false);
    parentNode.insertBefore(list, nextSibling);
    await becomes(true);
}

test('a picture that comes into view again before it is drawn is drawn once', async (t) => {
    const page = await visit(t, `${server.url}/#help`, { kept: {
        'game.x': keptGame('x', solo) } });
    await arrived(page, 'help');
    await page.evaluate(holdDrawing);
    await page.evaluate(() => (location.hash = '#games'));
    await page.locator('.kept .picture').waitFor({ state: 'attached' });
    await page.evaluate(hideAndShow);
    await page.evaluate(() => window.letGo());
    await page.locator('.kept .picture svg').waitFor();
    await go(page, 'new=verplant'); // its pictures are drawn after that
    await page.locator('.picture svg').first().waitFor();
    assert.equal(await page.evaluate(() => Math.max(...window.drawn.values())), 1);
});

// ---- Notifications ----

// Runs in the service worker: as if somebody clicked on a notification about a room.
const click = (hash) => {
    const event = new Event('notificationclick');
    event.notification = { data: { hash }, close() {} };
    const waited = [];
    event.waitUntil = (promise) => waited.push(promise);
    self.dispatchEvent(event);
    return Promise.allSettled(waited).then((all) => all.length);
};

test('a click on a notification leads to the room, in the page that shows it', async (t) => {
    const front = await changing(t, server); // a busy page may take long to say what it shows
    const missing = [/./]; // there is no such room
    const page = await visit(t, `${front.url}/#help`, { clock: 'real', tolerate: missing });
    await page.waitForFunction(async () => {
        await navigator.serviceWorker.ready;
        return navigator.serviceWorker.controller !== null;
    });
    const [worker] = page.context().serviceWorkers();
    assert.equal(await worker.evaluate(click, '#room=abc'), 1);
    await page.waitForFunction(() => location.hash === '#room=abc');
    const other = await open(t, page.context(), `${front.url}/#room=def.K7RM2Q4X9DHT`, missing);
    await settled(other);
    await worker.evaluate(click, '#room=def');
    assert.match(await other.evaluate(() => location.hash), /^#room=def/);
    assert.equal(await page.evaluate(() => location.hash), '#room=abc');
});
