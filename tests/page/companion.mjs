// Tests of the conductor, for people with paper sheets: the cards of its record and no others, read
// aloud, kept over a reload; and the form that adds up as the rules do.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, axe, engine, newRecord, serve, store, storedValue, until, visit }
    from './browser.mjs';
import { pass } from './control.mjs';
import { becomes, events, list, numbers, replay, said } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const SEED = 0x5a;
const DECK = { 3: 3, 4: 2, 5: 2, 6: 1, x2: 2, x3: 1, '+': 2, o: 1 };
const rules = await engine();
const nameOf = (card) => ({ '+': 'Transfer', o: 'Free ride' })[card] ??
    (card.startsWith('x') ? `Express ${card[1]}` : `Number ${card}`);
const SHUFFLED = 'All cards are shuffled.';

// The cards that the seed brings, until all windows of a sheet are full: nothing but the rules.
function dealt(map) {
    rules.open(newRecord({ map, seed: SEED.toString(16).repeat(32) }));
    rules.deal();
    while (!rules.state(1).over) {
        rules.apply(rules.choose(1, '', 'blank').plan);
        rules.deal();
    }
    return events(rules.record()).filter((event) => event.startsWith('card '))
        .map((event) => event.slice(5));
}

const cards = dealt('practice');

// What is shown one after the other: the cards, and after each 6 except the last that all are
// shuffled.
const shown = cards.flatMap((card, i) =>
    card === '6' && i + 1 < cards.length ? [card, 'shuffle'] : [card]);

// A page with the conductor: it draws the same seed each time, and what it says aloud is written
// down.
async function conductor(t, options) {
    const prepare = (context) => context.addInitScript((seed) => {
        crypto.getRandomValues = (bytes) => bytes.fill(seed);
        window.spoken = [];
        Object.defineProperty(window, 'SpeechSynthesisUtterance', {
            value: function SpeechSynthesisUtterance(text) {
                this.text = text;
            },
        });
        Object.defineProperty(window, 'speechSynthesis', {
            value: { speak: (one) => window.spoken.push([one.lang, one.text]), cancel() {} },
        });
    }, SEED);
    const page = await visit(t, `${server.url}/#companion`, { prepare, ...options });
    await arrived(page, 'companion');
    return page;
}

// Chooses a sheet by its name and the number of players, and begins.
async function choose(page, { sheet = 'Practice', players = 2, button = 'Flip cards' } = {}) {
    await page.getByRole('radio', { name: sheet }).check();
    await page.getByRole('spinbutton').last().fill(String(players));
    await page.getByRole('button', { name: button }).click();
}

const card = (page) => page.locator('.companion-card');
const onward = (page) => page.locator('.companion-next');
const kept = (page) => until(() => storedValue(page, 'conductor'), 'no game of the conductor');
const labels = (page, part) => page.locator(`.companion-${part} li`).evaluateAll((all) =>
    all.map((one) => one.getAttribute('aria-label')));

// Advances by `act`, and waits until that is kept, and then shown.
async function forth(page, act = () => onward(page).click()) {
    const { at } = await kept(page);
    await card(page).evaluate((one) => one.firstChild.setAttribute('data-old', 'yes'));
    await pass(page, 1000); // two quick taps are one
    await act();
    await until(async () => (await kept(page)).at > at);
    await card(page).locator(':scope > :not([data-old])').first().waitFor();
}

// Waits until this card is shown.
const is = (page, name) => page.locator(`.companion-card[aria-label="${name}"]`).waitFor();

const labelOf = (view) => (view === 'shuffle' ? SHUFFLED : nameOf(view));

// Returns what is in the pile after those cards: all that came since the latest 6 are out.
function pile(views) {
    const since = views.slice(views.lastIndexOf('shuffle') + 1);
    return Object.entries(DECK).map(([one, count]) =>
        `${nameOf(one)}: ${count - since.filter((view) => view === one).length} left`).sort();
}

// The whole screen agrees: the large card, the words, the history, the pile.
async function check(page, count) {
    const views = shown.slice(0, count);
    const view = views.at(-1);
    await becomes(() => labels(page, 'history'), views.map(labelOf));
    assert.equal(await card(page).getAttribute('aria-label'), labelOf(view));
    assert.ok((await page.locator('.companion-rule').textContent()).startsWith(labelOf(view)));
    if (view === 'shuffle') return;
    assert.deepEqual((await labels(page, 'pile')).sort(), pile(views));
    assert.ok(await card(page).locator('svg').evaluate((svg, text) => {
        const drawn = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
        return svg.innerHTML === document.importNode(drawn, true).innerHTML;
    }, rules.piece('verplant', view, false)), `the picture of ${view}`);
}

const drawn = async (page) => events((await kept(page)).record)
    .filter((event) => event.startsWith('card ')).map((event) => event.slice(5));

test('the conductor shows the cards of its seed, from the first to the last', async (t) => {
    assert.ok(shown.filter((view) => view === 'shuffle').length >= 2, 'the seed shuffles twice');
    const page = await conductor(t);
    await choose(page, { players: 3 });
    await is(page, 'Everyone ready?');
    assert.deepEqual(await drawn(page), [], 'no card before it is asked for');
    for (let count = 1; count <= shown.length; count++) {
        await forth(page);
        await check(page, count);
    }
    assert.deepEqual(await drawn(page), cards);
    replay((await kept(page)).record);
    await forth(page);
    await is(page, 'That was the last card.');
    await axe(page, 'the last card');
    await pass(page, 1000); // two quick taps are one
    await onward(page).click();
    await page.getByRole('heading', { name: 'Add up scores' }).waitFor();
    assert.equal(await page.locator('.tally-person').count(), 3);
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
});

test('going back and reloading draw no new cards', async (t) => {
    const page = await conductor(t);
    await choose(page);
    const six = shown.indexOf('shuffle') + 2;
    for (let count = 1; count <= six; count++) await forth(page);
    const before = await drawn(page);
    for (let count = six - 1; count > 0; count--) {
        await page.getByRole('button', { name: 'Previous card' }).click();
        await check(page, count);
    }
    assert.ok((await page.locator('.companion-status').textContent()).includes('Looking back'));
    await page.reload();
    await card(page).waitFor();
    await check(page, 1);
    for (let count = 2; count <= six; count++) {
        await forth(page);
        await check(page, count);
        assert.deepEqual(await drawn(page), before);
    }
    await page.reload();
    await card(page).waitFor();
    await check(page, six);
    await forth(page);
    assert.deepEqual(await drawn(page), cards.slice(0, before.length + 1));
    // two taps at once are one
    const { at } = await kept(page);
    await pass(page, 1000); // two quick taps are one
    await page.evaluate(() => {
        document.querySelector('.companion-next').click();
        document.querySelector('.companion-next').click();
    });
    await until(async () => (await kept(page)).at > at);
    await becomes(() => labels(page, 'history').then(({ length }) => length), at + 1);
    assert.equal((await kept(page)).at, at + 1);
});

test('every card is read aloud in the language of the page', async (t) => {
    const page = await conductor(t, { kept: { settings: { language: 'de', speech: true } } });
    await choose(page, { sheet: 'Übung', button: 'Karten aufdecken' });
    await page.evaluate(() => window.spoken.splice(0));
    const six = shown.indexOf('shuffle') + 2;
    for (let count = 1; count <= six; count++) {
        await forth(page);
        const heard = await until(() => page.evaluate(() =>
            window.spoken.length > 0 && window.spoken.splice(0)), 'nothing is said');
        const name = await card(page).getAttribute('aria-label');
        assert.deepEqual(heard.map(([lang]) => lang), ['de']);
        assert.ok(heard[0][1].startsWith(name), `${heard[0][1]} for ${name}`);
        const view = shown[count - 1];
        if (/^\d$/.test(view)) assert.equal(name, `Zahl ${view}`);
        if (view === 'shuffle') assert.match(heard[0][1], /gemischt.*6/);
    }
    const aloud = page.getByRole('button', { name: 'Vorlesen' });
    assert.equal(await aloud.getAttribute('aria-pressed'), 'true');
    await aloud.click();
    await page.locator('[aria-pressed=false]', { hasText: 'Vorlesen' }).waitFor();
    await forth(page);
    await becomes(async () => (await labels(page, 'history')).length, six + 1);
    assert.deepEqual(await page.evaluate(() => window.spoken), []);
});

test('a tap on the card, Space and arrow keys turn cards', async (t) => {
    const page = await conductor(t, { size: 'phone' });
    await choose(page);
    await forth(page, () => card(page).tap());
    await check(page, 1);
    await page.locator('body').press('Home'); // not a key of the page
    await page.evaluate(() => document.activeElement.blur());
    await forth(page, () => page.keyboard.press('Space'));
    await forth(page, () => page.keyboard.press('ArrowRight'));
    await check(page, 3);
    await page.keyboard.press('ArrowLeft');
    await check(page, 2);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.equal(wide, 0, 'nothing is wider than the phone');
});

// ---- Adding up ----

const person = (page, index) => page.locator('.tally-person').nth(index);
const total = async (page, index) => said(await person(page, index).locator('output')
    .textContent());

// Fills in a sheet: {A: 'first', C: 'later'}, the framed numbers, what is empty.
async function enter(page, index, { won = {}, transfers = 0, empty = 0, lines }) {
    const form = person(page, index);
    for (const [letter, how] of Object.entries(won))
        await form.getByRole('radio', { name: `Line ${letter}: completed ${how}` }).check();
    if (lines !== undefined)
        await form.getByRole('spinbutton', { name: 'Points for lines' }).fill(String(lines));
    await form.getByRole('spinbutton', { name: 'Sum of framed numbers' }).fill(String(transfers));
    await form.getByRole('spinbutton', { name: 'Empty stations' }).fill(String(empty));
}

// A game of three who play in different ways: its record.
function threePlay() {
    const levels = ['random', 'greedy', 'casual'];
    rules.open(newRecord({ seats: ['Ada', 'Bea', 'Cy'] }));
    rules.deal();
    for (let seed = 1; !rules.state(0).over; seed++) {
        const player = Number(rules.moves()[0]);
        rules.apply(rules.think(player, levels[player - 1], seed).event);
        rules.deal();
    }
    return rules.record();
}

test('the form adds up as the rules do', async (t) => {
    const game = replay(threePlay());
    rules.open(newRecord());
    const first = Object.fromEntries(rules.state(0).map.lines.map((line) =>
        [line.letter, line.first]));
    const page = await conductor(t);
    await choose(page, { players: 3, button: 'Just add up scores' });
    assert.equal(await page.locator('.tally-verdict').count(), 0, 'nobody has won yet');
    const totals = [];
    for (const player of [1, 2, 3]) {
        const { empty, transfers, total: points } = numbers(game[`player ${player}`]);
        const won = Object.fromEntries(list(game[`done ${player}`]).map((done) => {
            const [letter, worth] = done.split('=');
            return [letter, Number(worth) === first[letter] ? 'first' : 'later'];
        }));
        await enter(page, player - 1, { won, transfers: transfers / 2, empty });
        assert.equal(await total(page, player - 1), points);
        totals.push(points);
    }
    const winner = Number(game.winner);
    assert.ok(winner > 0, 'an example with one winner');
    await person(page, winner - 1).getByRole('textbox').fill('Grace');
    assert.ok((await page.locator('.tally-verdict').textContent()).includes('Grace'));
    assert.deepEqual(await page.locator('.tally-winner th').allTextContents(), ['Grace']);
    await axe(page, 'the form');
    await page.reload();
    await page.getByRole('heading', { name: 'Add up scores' }).waitFor();
    for (const index of [0, 1, 2]) assert.equal(await total(page, index), totals[index]);
});

test('scores are added up by hand: three players with a tie, one alone, any sheet', async (t) => {
    const page = await conductor(t);
    await choose(page, { sheet: 'Amsterdam', players: 3, button: 'Just add up scores' });
    // 7 empty stations cost 3; a framed 5 counts 10
    await enter(page, 0, { transfers: 5, empty: 7 });
    await enter(page, 1, { transfers: 5, empty: 6 });
    await enter(page, 2, { transfers: 4, empty: 0 });
    assert.deepEqual([await total(page, 0), await total(page, 1), await total(page, 2)], [7, 7, 8]);
    assert.deepEqual(await page.locator('.tally-winner th').allTextContents(), ['Player 3']);
    // as many points, but fewer empty stations
    await enter(page, 2, { transfers: 4, empty: 2 });
    assert.equal(await total(page, 2), 7);
    assert.deepEqual(await page.locator('.tally-winner th').allTextContents(), ['Player 3']);
    await enter(page, 0, { transfers: 5, empty: 6 });
    await enter(page, 2, { transfers: 5, empty: 6 });
    assert.deepEqual(await page.locator('.tally-winner th').allTextContents(),
        ['Player 1', 'Player 2', 'Player 3']);

    // alone every empty station costs one, and there is a grade
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('radio', { name: 'Another sheet' }).check();
    await page.getByRole('spinbutton', { name: 'Windows on the sheet' }).fill('20');
    await choose(page, { sheet: 'Another sheet', players: 1, button: 'Just add up scores' });
    await enter(page, 0, { lines: 30, transfers: 4, empty: 5 });
    assert.equal(await total(page, 0), 33);
    assert.match(await page.locator('.tally-verdict').textContent(), /33 points\. \S/);

    // the cards are still there to be turned up
    await page.getByRole('button', { name: 'Back to the cards' }).click();
    await forth(page);
    assert.match(await page.locator('.companion-status').textContent(), /Round 1.*20 windows/);
});

test('saved values are validated before use', async (t) => {
    const sound = { record: newRecord(), map: '', at: 0, top: 0, people: ['A'],
        sums: [{ won: {}, lines: 0, transfers: 0, empty: 0 }] };
    const page = await visit(t, server.url, { tolerate: [/^conductor/] });
    const opens = async (companion) => {
        await store(page, 'value.conductor', companion);
        await page.goto(`${server.url}/#companion`);
        await page.reload();
        await arrived(page, 'companion');
        await page.locator('.companion-next, .route-end').first().waitFor();
        return page.locator('.companion-next').isVisible();
    };
    assert.equal(await opens(sound), true);
    for (const change of [{ record: sound.record.slice(0, 40) }, { map: 'x' }, { at: -1 },
        { people: [] }, { sums: [{}] }])
        assert.equal(await opens({ ...sound, ...change }), false, Object.keys(change)[0]);
});
