// A language, a theme or a width that changes in the middle of everything loses nothing: on every
// screen, with everything that can be opened on it, the focus stays where it is, and so does what
// was typed, chosen, planned, opened and scrolled.
import assert from 'node:assert/strict';
import test from 'node:test';
import { keptGame, newRecord, played, serve, settled, sizes, turn, until, visit }
    from './browser.mjs';
import { answer, hold, isAsked } from './control.mjs';
import { kept, ownMap, walk } from './places.mjs';
import { becomes } from './play.mjs';
import { address, linkState, makeRoom, person, sitDown, start, turn as due } from './room.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

// ---- What there is to lose ----

// Runs in the page. Elements are named by their keys, or their places among their like, which
// neither a language nor a theme changes.
function inHand(isWhole) {
    const scope = document.querySelector('dialog[open]:last-of-type') ??
        document.getElementById('main');
    const isShown = (one) => one.getClientRects().length > 0;
    const all = (selector) => [...scope.querySelectorAll(selector)];
    const place = (one) => {
        const steps = [];
        for (let at = one; at && at !== document.body; at = at.parentElement) {
            const alike = [...at.parentElement.children].filter(({ tagName }) =>
                tagName === at.tagName);
            steps.unshift(`${at.tagName.toLowerCase()} ${at.dataset.key ?? at.dataset.game ??
                alike.indexOf(at)}`);
        }
        return steps.join(' ');
    };
    const states = ['aria-pressed', 'aria-current', 'aria-expanded', 'aria-valuenow'];
    const focused = document.activeElement;
    const common = {
        hash: location.hash,
        focus: focused === document.body ? 'nothing' : place(focused),
        dialogs: document.querySelectorAll('dialog[open]').length,
        fields: all('input:not([type=file]), select:not(#language), textarea').map((one) =>
            (['radio', 'checkbox'].includes(one.type) ? one.checked : one.value)),
        selection: focused.selectionStart ?? null,
        open: all('details').map(({ open }) => open),
        hints: all('.hint-move').length,
        waits: all('.hint .progress').length,
        planned: all('.planned').length > 0,
        past: all('.pane.past').length,
        rows: all('.kept').length,
        selecting: all('.kept-list.selecting').length,
        said: all('.faults li, p.faults, .good').length,
    };
    return isWhole ? {
        ...common,
        states: all(states.map((name) => `[${name}]`).join()).filter(isShown).map((one) =>
            `${place(one)} ${states.map((name) => one.getAttribute(name))}`),
        scrolled: all(':not(svg, svg *)').filter((one) => one.scrollTop || one.scrollLeft)
            .map((one) => `${place(one)} ${one.scrollTop} ${one.scrollLeft}`),
        page: Math.round(scrollY),
        enlarged: all('.zoom-inner').map(({ style }) => style.transform),
    } : common;
}

// Runs in the page: focuses one of what can have the focus, and scrolls a little. `share` of them
// come before it.
function takeHold(share) {
    const scope = document.querySelector('dialog[open]:last-of-type') ??
        document.getElementById('main');
    const all = [...scope.querySelectorAll('button, a[href], input, select, summary, [tabindex]')]
        .filter((one) => one.getClientRects().length > 0 && one.tabIndex >= 0 && !one.disabled);
    all[Math.round(share * (all.length - 1))]?.focus({ preventScroll: true });
    window.scrollTo(0, 40);
    for (const one of scope.querySelectorAll('.log-region, .replay-log, .chat-list'))
        one.scrollTop = 30;
}

// Runs in the page: pictures in sight that are in the other theme's colours. What is to be printed
// is white in both.
function strayPictures(isDark) {
    const isLight = (colour) => colour.match(/\d+/g).slice(0, 3)
        .reduce((sum, part) => sum + Number(part), 0) > 384;
    return [...document.querySelectorAll('svg .paper')].filter((paper) => {
        const { top, bottom, width } = paper.getBoundingClientRect();
        const { fill } = getComputedStyle(paper);
        return fill.startsWith('rgb') && width > 0 && bottom > 0 && top < innerHeight &&
            !paper.closest('.print-pages') && isLight(fill) === isDark;
    }).map((paper) => paper.closest('svg').parentElement.className);
}

// ---- Changes ----

const painted = (page) => page.evaluate(() => new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(resolve))));

async function toTheme(page, theme) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
    await painted(page);
    await becomes(() => page.evaluate(strayPictures, theme === 'dark'), []);
}

async function toWidth(page, size) {
    await page.setViewportSize(sizes[size]);
    await page.waitForFunction((wide) => innerWidth === wide, sizes[size].width);
    await painted(page);
}

async function toLanguage(page, code) {
    await page.evaluate((chosen) => {
        const choice = document.getElementById('bar-language');
        choice.value = chosen;
        choice.dispatchEvent(new Event('change', { bubbles: true }));
    }, code);
    await page.locator(`html[lang=${code}]`).waitFor({ state: 'attached' });
    await settled(page);
    await painted(page);
}

// Changes there and back, and nothing is lost. A dialog is asked in one language: while it is open
// nothing else can be reached.
async function changes(page, where) {
    const both = async (share, isWhole, there, back) => {
        await page.evaluate(takeHold, share);
        await painted(page);
        const before = await page.evaluate(inHand, isWhole);
        await there();
        await becomes(() => page.evaluate(inHand, isWhole), before, `${where}: ${there}`);
        await back();
        await becomes(() => page.evaluate(inHand, isWhole), before, `${where}: ${back}`);
    };
    await both(0.5, true, () => toTheme(page, 'dark'), () => toTheme(page, 'light'));
    await both(0.1, false, () => toWidth(page, 'phone'), () => toWidth(page, 'desktop'));
    if (await page.locator('dialog[open]').count()) return;
    await both(0.9, true, () => toLanguage(page, 'de'), () => toLanguage(page, 'en'));
    await both(0.3, true, () => toLanguage(page, 'fr'), () => toLanguage(page, 'en'));
}

// ---- Every screen ----

for (const parts of [['others'], ['tables'], ['replays', 'analyses', 'statistics'],
    ['lessons', 'problems'], ['conductor', 'messages']])
    test(`all screens: ${parts.join(', ')}`, async (t) => {
        const page = await visit(t, server.url, { kept });
        await walk(page, (where) => changes(page, where), parts);
    });

test('a list that is searched, and games that are being selected', async (t) => {
    const page = await visit(t, `${server.url}/#games`, { kept });
    await page.locator('#kept-search').fill('ada');
    await page.locator('#kept-order').selectOption('newest');
    await changes(page, 'games, searched');
    await page.getByRole('button', { name: 'Select several' }).click();
    await page.locator('.kept-check input').nth(1).check();
    await page.locator('.kept-check input').nth(3).check();
    await changes(page, 'games, selected');
});

test('a file that waits for its sheet, and what is wrong with others', async (t) => {
    const page = await visit(t, `${server.url}/#games`, { kept });
    const bring = (...files) => page.locator('.drop input').setInputFiles(files.map(
        ([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })));
    await bring(['bad.record', 'no record'], ['bad.json', '{'],
        ['pier.record', newRecord({ map: 'pier' })]);
    await page.locator('p.faults').waitFor();
    await changes(page, 'games, imported');
    assert.deepEqual(await page.locator('.faults li').allTextContents(),
        ['bad.json: This isn’t a backup of this page, or it was saved by a newer version.',
            'bad.record:1: A record begins with the line “endstation-record 1”.']);
    const language = page.locator('#bar-language');
    await language.selectOption('de');
    await page.getByText('bad.json: Das ist keine Sicherung').waitFor();
    await bring(['pier.map', ownMap.replace('id harbour', 'id pier')]);
    await page.getByText('1 Spiel importiert.').waitFor();
    await language.selectOption('en');
    await page.getByText('1 game imported.').waitFor();
    await page.goto(`${server.url}/#new=verplant`);
    await page.locator('details summary').first().click();
    await bring(['bad.map', 'endstation-map 1\nstation']);
    await page.locator('.faults li').waitFor();
    await changes(page, 'a form, with a bad sheet');
});

test('a form for a game like another one, with other choices', async (t) => {
    const page = await visit(t, `${server.url}/#new=verplant@v4`, { kept });
    await page.locator('[data-seat="2"]').selectOption('random');
    await page.locator('[data-seat="3"]').selectOption('');
    await page.locator('.seat input').last().fill('Bea');
    await page.locator('.choice input').nth(2).check({ force: true });
    await page.getByRole('button', { name: 'Add a player' }).click();
    await changes(page, 'a form');
    assert.equal(await page.locator('.seat').count(), 5);
    assert.equal(await page.locator('.seat input').last().inputValue(), 'Bea');
});

test('a table that is looked at closely, a bot that thinks, and a look back', async (t) => {
    const page = await visit(t, `${server.url}/#game=v`, { kept });
    await turn(page);
    await page.locator('.chip:not(:disabled)').first().click();
    await page.locator('.zoom-buttons button').last().click();
    await changes(page, 'enlarged');
    await page.locator('.zoom-buttons button').first().click();
    await hold(page);
    await page.locator('button[data-key=hint]').click();
    await isAsked(page);
    await page.locator('.hint .progress').waitFor();
    await changes(page, 'thinking');
    await answer(page);
    await page.locator('.hint-move').first().waitFor(); // it was not asked in vain
    await page.locator('.hint [data-key=close]').click();
    await page.locator('.log-line').nth(2).click();
    await page.mouse.move(2, 2);
    await changes(page, 'a look back');
});

test('whoever has the device keeps it, and sees their plan', async (t) => {
    const page = await visit(t, `${server.url}/#game=vh`, { kept });
    await page.locator('.take:enabled').click();
    await turn(page);
    await page.locator('.chip:not(:disabled)').first().click();
    await changes(page, 'two people');
    assert.equal(await page.locator('.handover').count(), 0);
});

test('a move that is taken back leaves the focus on its button', async (t) => {
    const page = await visit(t, `${server.url}/#game=x`, { kept: {
        'game.x': keptGame('x', await played(newRecord({ seats: ['Ada', 'Bea'] }), 6)) } });
    const undo = page.locator('button[data-key=undo]');
    await page.locator('.take:enabled').click();
    await turn(page);
    await page.locator('.chip:not(:disabled)').first().click();
    await page.locator('button[data-key=confirm]').click();
    await page.locator('[data-key=back]').click();
    await undo.waitFor();
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY');
    const alone = await visit(t, `${server.url}/#game=y`, { kept: {
        settings: { takeBack: true, confirmed: true },
        'game.y': keptGame('y', newRecord({ seats: ['Ada'] })) } });
    await turn(alone);
    await alone.locator('.chip:not(:disabled)').first().click();
    await alone.locator('button[data-key=confirm]').click();
    await alone.locator('.log-entry').first().waitFor();
    await alone.locator('button[data-key=undo]').focus();
    await alone.keyboard.press('Enter');
    await alone.locator('dialog .primary').click();
    await alone.locator('.log-entry').waitFor({ state: 'detached' });
    assert.equal(await alone.evaluate(() => document.activeElement.dataset.key), 'undo');
});

// ---- Rooms ----

test('the lobby, the form for a room, a room before the start, and its table', async (t) => {
    const ada = await person(t, server, '#online');
    await linkState(ada, 'connected');
    await ada.locator('#code').fill('K7RM');
    await changes(ada, 'lobby');
    const link = await makeRoom(ada, 'Ada', 'metro', async (page) => {
        await page.locator('#clock').selectOption('3600');
        await page.getByRole('switch', { name: 'Hints allowed' }).check();
        await changes(page, 'the form');
    });
    await ada.locator('.chat-form input').fill('Hello');
    await ada.locator('details.shuffle summary').click();
    await ada.getByText('Your word (secret until the start)').waitFor();
    await changes(ada, 'before the start');
    const bo = await person(t, server, address(link));
    await sitDown(bo, 2, 'Bo');
    await start(ada, [bo]);
    await due(ada);
    await ada.keyboard.press('ArrowRight');
    await ada.locator('.pane .planned').first().waitFor({ state: 'attached' });
    await changes(ada, 'a table');
    await until(async () => (await ada.title()).startsWith('●'));
    await ada.locator('[data-key=hint]').click();
    await ada.locator('.hint-move').first().waitFor();
    await ada.locator('[data-key=chat]').click();
    await ada.locator('.chat-form input').fill('Wait');
    await changes(ada, 'a hint, and a message');
    await linkState(ada, 'connected');
    await ada.locator('[data-key=about]').click();
    await ada.locator('dialog[open]').waitFor();
    await changes(ada, 'about the room');
});
