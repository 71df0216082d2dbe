// Tests of the problems: solved rightly and wrongly, by mouse, finger and keys; progress survives a
// reload; the answer, in another language too; lists and links.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { loadAnalysisEngine } from '../../web/engine/analysisengine.js';
import { arrived, axe, go, program, serve, store, storedGames, storedValue, until, visit }
    from './browser.mjs';
import { middle } from './play.mjs';
import { findProblem, keysOf, problems, squareOf } from './problemlist.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const CONFIRM = '[data-key=confirm]';
const asked = (page) => page.locator('.problem-table .confirm').waitFor();
const answered = (page, kind) => page.locator(`.problem-verdict.${kind}`).waitFor();

async function press(page, keys) {
    for (const key of keys) await page.keyboard.press(key.toLowerCase());
    await page.locator(`${CONFIRM}:not([aria-disabled])`).waitFor();
    await page.keyboard.press('Enter');
}

// Points at a square, and at the button that confirms.
async function lay(page, square, point) {
    await point(await middle(page, `#square-${square}`));
    await page.locator(`${CONFIRM}:not([aria-disabled])`).waitFor();
    await page.locator(CONFIRM).click();
}

const stateOf = async (page, game, { key }) =>
    (await storedValue(page, 'problems'))?.[game]?.[key];

test('keys: a wrong move, what it gives away, the answer, and the right one', async (t) => {
    const one = findProblem('verplant', keysOf);
    const page = await visit(t, `${server.url}/#problems=verplant/${one.n}`);
    await arrived(page, 'problems');
    await asked(page);
    assert.equal(await page.locator('h1').first().textContent(), `Problem ${one.n}`);
    assert.deepEqual(await axe(page, 'a problem'), []);
    await press(page, keysOf(one.others[0].event));
    await answered(page, 'wrong');
    const said = await page.locator('.problem-verdict').textContent();
    assert.ok(said.includes(`gives away ${one.others[0].behind.toFixed(1)} points`), said);
    assert.equal(await page.locator('.problem-moves').count(), 0, 'the answer stays hidden');
    assert.equal(await stateOf(page, 'verplant', one), 1);
    assert.equal((await storedGames(page)).length, 0, 'no game is kept');

    // once more, by the button that has the focus
    await page.locator('[data-key=again]:focus').waitFor();
    await page.keyboard.press('Enter');
    await asked(page);
    await press(page, keysOf(one.best));
    await answered(page, 'right');
    await page.locator('.problem-why', { hasText: /^If you had played “.+” instead: / }).waitFor();
    assert.equal(await stateOf(page, 'verplant', one), 2);
    assert.deepEqual(await axe(page, 'an answer'), []);
    await page.locator('[data-key=next]:focus').waitFor();
    await page.keyboard.press('Enter');
    const next = one.n === 1 ? 2 : 1;
    await page.waitForFunction((hash) => location.hash === hash, `#problems=verplant/${
        one.n < problems.verplant.length ? one.n + 1 : next}`);
});

const analysis = await loadAnalysisEngine(
    readFileSync(join(dirname(program), 'page/analysis.wasm')));

// How many reasons there are for the best move instead of the next best one.
function reasonsFor({ record, player, best, others }) {
    analysis.open(record);
    return analysis.reasons(player, best, others[0].event).length;
}

test('the answer: both moves, a reason, and the other moves; it can be shown once', async (t) => {
    const one = findProblem('verplant', keysOf, problems.verplant.findIndex((problem) =>
        keysOf(problem.best) && keysOf(problem.others[0].event) && reasonsFor(problem) > 0));
    assert.ok(reasonsFor(one) > 0);
    const page = await visit(t, `${server.url}/#problems=verplant/${one.n}`);
    await asked(page);
    await press(page, keysOf(one.others[0].event));
    await page.locator('[data-key=reveal]').click();
    const rows = page.locator('.problem-move');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 1 + one.others.length);
    assert.match(await rows.first().textContent(), /best/);
    assert.match(await rows.nth(1).textContent(), /your move/);
    assert.equal(await rows.nth(1).getAttribute('aria-pressed'), 'true');
    // the module that knows more is loaded by then
    await page.locator('.problem-caption', { hasText: 'and instead' }).waitFor();
    assert.notEqual(await page.locator('.problem-why').textContent(), '');
    const before = await page.locator('.problem-frame').innerHTML();
    await rows.first().click();
    assert.equal(await rows.first().getAttribute('aria-pressed'), 'true');
    assert.notEqual(await page.locator('.problem-frame').innerHTML(), before, 'it is drawn');
    assert.ok(!(await page.locator('.problem-caption').textContent()).includes('and instead'));
    // once it was shown, making the move does not solve the problem
    await page.locator('[data-key=again]').click();
    await asked(page);
    await press(page, keysOf(one.best));
    await answered(page, 'right');
    assert.equal(await stateOf(page, 'verplant', one), 1);
    // at another visit it can be solved
    await page.reload();
    await asked(page);
    await press(page, keysOf(one.best));
    await answered(page, 'right');
    await until(async () => await stateOf(page, 'verplant', one) === 2);
});

for (const [size, point] of Object.entries({
    desktop: (page) => ({ x, y }) => page.mouse.click(x, y),
    phone: (page) => ({ x, y }) => page.touchscreen.tap(x, y),
}))
    test(`${size}: right, kept over a reload, and on to the next unsolved`, async (t) => {
        const one = findProblem('metro', squareOf);
        const two = findProblem('metro', squareOf, one.n);
        const kept = { 'value.problems': { metro: Object.fromEntries(problems.metro
            .slice(one.n, two.n - 1).map(({ key }) => [key, 2])) } };
        const page = await visit(t, `${server.url}/#problems=metro/${one.n}`, { size, kept });
        await asked(page);
        await lay(page, squareOf(one.best), point(page));
        await answered(page, 'right');
        await page.reload();
        await asked(page);
        assert.equal(await stateOf(page, 'metro', one), 2);
        await lay(page, squareOf(one.others[0].event), point(page));
        await answered(page, 'wrong');
        assert.equal(await stateOf(page, 'metro', one), 2, 'what is solved stays solved');
        await page.locator('[data-key=next]').click();
        await page.waitForFunction((n) => location.hash === `#problems=metro/${n}`, two.n);
        await asked(page);
        await lay(page, squareOf(two.others[0].event), point(page));
        await answered(page, 'wrong');
        await page.locator('[data-key=reveal]').click();
        assert.deepEqual(await axe(page, `the answer, ${size}`), []);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, 'nothing sticks out');

        await go(page, 'problems=metro');
        const states = await page.locator('.problem-box').evaluateAll((all) =>
            all.map((box) => /state-(\d)/.exec(box.className)?.[1] ?? ''));
        assert.equal(states.length, problems.metro.length);
        assert.equal(states[one.n - 1], '2');
        assert.equal(states[two.n - 1], '1');
        assert.deepEqual(await axe(page, `the list, ${size}`), []);
        await go(page, 'problems');
        assert.deepEqual(await axe(page, `the lists, ${size}`), []);
        const solved = states.filter((state) => state === '2').length;
        assert.match(await page.locator('.problems-game:has(#problems-metro)').textContent(),
            new RegExp(`${solved} of ${problems.metro.length} solved`));
    });

test('an answer stays when the language changes', async (t) => {
    const one = findProblem('verplant', keysOf);
    const page = await visit(t, `${server.url}/#problems=verplant/${one.n}`);
    await asked(page);
    await press(page, keysOf(one.others[0].event));
    await page.locator('[data-key=reveal]').click();
    await page.locator('.problem-move').first().waitFor();
    await page.locator('#bar-language').selectOption('de');
    await page.locator('.problem-verdict h2', { hasText: 'Nicht der beste Zug' }).waitFor();
    assert.ok(await page.locator('.problem-move').count() > 1);
    const comma = one.others[0].behind.toFixed(1).replace('.', ',');
    assert.match(await page.locator('.problem-verdict').textContent(),
        new RegExp(`verschenkt ${comma} Punkte`));
    // elsewhere and back: the problem is asked again
    await go(page, 'help');
    await go(page, `problems=verplant/${one.n}`);
    await asked(page);
});

test('what was kept by other hands does no harm; addresses that lead nowhere', async (t) => {
    const page = await visit(t, `${server.url}/#problems`,
        { kept: { 'value.problems': 'nonsense' } });
    await arrived(page, 'problems');
    assert.match(await page.locator('.problems-game').first().textContent(),
        /[a-z.]0 of \d+ solved/);
    await store(page, 'value.problems', { verplant: [1, 2], metro: { x: 2 }, other: { y: 1 } });
    const one = findProblem('verplant', keysOf);
    await go(page, `problems=verplant/${one.n}`);
    await asked(page);
    await press(page, keysOf(one.best));
    await answered(page, 'right');
    assert.deepEqual(await storedValue(page, 'problems'),
        { verplant: { [one.key]: 2 }, metro: { x: 2 }, other: { y: 1 } });
    for (const hash of ['problems=verplant/0', 'problems=metro/1000', 'problems=depot',
        'problems=verplant/x']) {
        await go(page, hash);
        await page.locator('.message h1', { hasText: 'No stop here' }).waitFor();
    }
});

test('games and help lead to the problems', async (t) => {
    const page = await visit(t, `${server.url}/#games`);
    for (const from of ['games', 'help']) {
        await go(page, from);
        await page.locator('main a[href="#problems"]').click();
        await arrived(page, 'problems');
        assert.equal(await page.locator('.problems-game').count(), 2);
    }
    await page.locator('.problems-game a.primary').first().click();
    await asked(page);
});
