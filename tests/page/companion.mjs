// Tests of the conductor, for people with paper sheets: the cards of its record and no others, read
// aloud, kept over a reload; and the form that adds up as the rules do.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, axe, engine, fillStore, go, hearsNothing, newRecord, open, serve, store,
    storedValue, until, visit } from './browser.mjs';
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

// Runs in the page, before anything else there.
function knownAndSpoken(seed) {
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
}

// A page with the conductor: it draws the same seed each time, and what it says aloud is written
// down; first(context) comes before.
async function conductor(t, { first, ...options } = {}) {
    const prepare = async (context) => {
        await first?.(context);
        await context.addInitScript(knownAndSpoken, SEED);
    };
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

test('“Start over” loses nothing before another game begins', async (t) => {
    const page = await conductor(t);
    await choose(page, { players: 2, button: 'Just add up scores' });
    await person(page, 0).getByRole('textbox').fill('Ada');
    await enter(page, 0, { won: { A: 'first' }, transfers: 5, empty: 7 });
    const entered = await until(async () => {
        const { people, sums } = await kept(page);
        return sums[0].empty === 7 && { people, sums };
    });
    const back = page.getByRole('button', { name: 'Back to the last game' });
    const again = async () => {
        await page.getByRole('button', { name: 'Start over' }).click();
        await back.waitFor();
    };
    await again();
    await page.reload();
    await back.click();
    assert.equal(await person(page, 0).getByRole('textbox').inputValue(), 'Ada');
    assert.ok(await person(page, 0).getByRole('radio', { name: 'Line A: completed first' })
        .isChecked());
    const { people, sums } = await kept(page);
    assert.deepEqual({ people, sums }, entered);
    // nor does it in the middle of the cards
    await page.getByRole('button', { name: 'Back to the cards' }).click();
    await forth(page);
    await check(page, 1);
    await again();
    await back.click();
    await check(page, 1);
    // another game begins with the same names, and without scores
    await again();
    await choose(page, { players: 2, button: 'Just add up scores' });
    assert.equal(await person(page, 0).getByRole('textbox').inputValue(), 'Ada');
    assert.deepEqual((await kept(page)).sums[0], { won: {}, lines: 0, transfers: 0, empty: 0 });
});

test('what was chosen stays on the way to printing and back', async (t) => {
    const page = await conductor(t);
    const copies = page.getByRole('spinbutton', { name: 'Copies' });
    const chosen = async () => ({
        sheet: await page.locator('.choice:has(:checked) .choice-name').textContent(),
        players: await page.getByRole('spinbutton', { name: 'Players' }).inputValue(),
        deck: await page.getByRole('radio', { name: '15 cards' }).isChecked(),
        special: await page.getByRole('switch', { name: 'Special stations' }).isChecked(),
    });
    await page.getByRole('radio', { name: 'Paris' }).check();
    await page.getByRole('spinbutton', { name: 'Players' }).fill('4');
    await page.getByRole('radio', { name: '15 cards' }).check();
    await page.getByRole('switch', { name: 'Special stations' }).check();
    const before = await chosen();
    await page.getByRole('link', { name: 'Print this sheet' }).click();
    await arrived(page, 'print');
    assert.equal(await copies.inputValue(), '4', 'a sheet for everyone');
    await page.locator('.print-pages', { hasText: 'Paris × 4' }).waitFor();
    // nor does the screen to print forget
    await copies.fill('6');
    await page.getByRole('switch', { name: 'Station names' }).uncheck();
    await page.locator('.print-pages', { hasText: 'Paris × 6' }).waitFor();
    await page.reload();
    await page.locator('.print-pages', { hasText: 'Paris × 6' }).waitFor();
    assert.equal(await copies.inputValue(), '6');
    assert.equal(await page.getByRole('switch', { name: 'Station names' }).isChecked(), false);
    await page.goBack();
    await arrived(page, 'companion');
    assert.deepEqual(await chosen(), before);
    assert.equal(before.players, '4');
    await go(page, 'print=verplant/paris/0');
    await page.getByRole('heading', { name: 'No stop here' }).waitFor();
});

test('after “Full screen” the keys turn cards', async (t) => {
    const page = await conductor(t);
    await choose(page);
    await page.getByRole('button', { name: 'Full screen' }).click();
    await page.waitForFunction(() => document.fullscreenElement);
    await onward(page).and(page.locator(':focus')).waitFor();
    await forth(page, () => page.keyboard.press('Space'));
    await forth(page, () => page.keyboard.press('Enter'));
    await check(page, 2);
    assert.ok(await page.evaluate(() => Boolean(document.fullscreenElement)));
});

test('the conductor goes on while nothing can be saved', async (t) => {
    const page = await conductor(t, { tolerate: [/IndexedDB/] });
    await choose(page);
    await is(page, 'Everyone ready?');
    const empty = await fillStore(page);
    for (let count = 1; count <= 4; count++) {
        await pass(page, 1000); // two quick taps are one
        await onward(page).click();
        await is(page, labelOf(shown[count - 1]));
    }
    await page.locator('#unsaved', { hasText: 'Not saved' }).waitFor();
    assert.equal(await page.locator('.notice').count(), 0, 'nobody else went on');
    await empty();
    await forth(page);
    await page.locator('#unsaved').waitFor({ state: 'hidden' });
    await check(page, 5);
    assert.deepEqual(await drawn(page), shown.slice(0, 5).filter((view) => view !== 'shuffle'));
});

// Two tabs with the conductor, and the same game in both.
async function twoTabs(t, options, first) {
    const one = await conductor(t, { first });
    await choose(one, options);
    await one.locator('.companion, .companion-sum').waitFor();
    const two = await open(t, one.context(), `${server.url}/#companion`);
    await two.locator('.companion, .companion-sum').waitFor();
    return [one, two];
}

test('typing in two tabs at once loses neither focus nor what was entered', async (t) => {
    const [one, two] = await twoTabs(t, { players: 2, button: 'Just add up scores' });
    const count = (page, index) => person(page, index)
        .getByRole('spinbutton', { name: 'Sum of framed numbers' });
    const name = person(two, 1).getByRole('textbox');
    await two.bringToFront();
    await name.focus();
    await two.keyboard.type('Gra');
    await one.evaluate(() => document.querySelector('.tally-row input[type=number]').focus());
    await count(one, 0).fill('12');
    await until(async () => await total(two, 0) === 24, 'the other tab shows it');
    await name.and(two.locator(':focus')).waitFor();
    await two.keyboard.type('ce');
    assert.equal(await name.inputValue(), 'Grace');
    await person(one, 0).getByRole('radio', { name: 'Line A: completed first' }).check();
    await becomes(async () => {
        const { people, sums } = await kept(one);
        return [people[1], sums[0].transfers, sums[0].won.A];
    }, ['Grace', 12, 'first']);
    await becomes(() => person(one, 1).getByRole('textbox').inputValue(), 'Grace');
    assert.ok(await person(two, 0).getByRole('radio', { name: 'Line A: completed first' })
        .isChecked());
    for (const page of [one, two]) assert.equal(await page.locator('.notice').count(), 0);
});

test('what two tabs enter before they hear of each other both stays', async (t) => {
    const deaf = (context) => context.addInitScript(hearsNothing);
    const one = await conductor(t, { first: deaf });
    await choose(one, { players: 2, button: 'Just add up scores' });
    await one.locator('.companion-sum').waitFor();
    const two = await open(t, one.context(), `${server.url}/#companion`);
    await two.locator('.companion-sum').waitFor();
    await enter(one, 0, { won: { A: 'first' }, transfers: 12, empty: 1 });
    await enter(two, 1, { won: { B: 'later' }, transfers: 7, empty: 2 });
    await becomes(async () => (await kept(one)).sums.map(({ won, transfers, empty }) =>
        [won, transfers, empty]), [[{ A: 'first' }, 12, 1], [{ B: 'later' }, 7, 2]]);
    await becomes(() => total(two, 0), await total(one, 0));
});

// Runs in the page, before anything else there: what window.atNews holds happens once, as soon as
// the page hears that another tab has kept something, and before it has read that.
function actsAtNews() {
    const listen = BroadcastChannel.prototype.addEventListener;
    BroadcastChannel.prototype.addEventListener = function listenAndAct(type, hear) {
        listen.call(this, type, (event) => {
            hear(event);
            const act = window.atNews;
            delete window.atNews;
            act?.();
        });
    };
}

test('what is entered while news of another tab come stays, in the form, too', async (t) => {
    const [one, two] = await twoTabs(t, { players: 2, button: 'Just add up scores' },
        (context) => context.addInitScript(actsAtNews));
    const name = 'Line A: completed first';
    await one.evaluate((label) => {
        window.atNews = () => document.querySelector(`[aria-label^="${label}"]`).click();
    }, name);
    await person(two, 1).getByRole('textbox').fill('Grace');
    await becomes(() => person(one, 1).getByRole('textbox').inputValue(), 'Grace');
    await becomes(async () => {
        const { people, sums } = await kept(one);
        return [people[1], sums[0].won.A];
    }, ['Grace', 'first']);
    assert.ok(await person(one, 0).getByRole('radio', { name }).isChecked());
    await becomes(() => person(two, 0).getByRole('radio', { name }).isChecked(), true);
});

test('cards turned in two tabs at once are turned once', async (t) => {
    const [one, two] = await twoTabs(t);
    for (const page of [one, two]) await pass(page, 1000);
    await two.getByRole('button', { name: 'Hide the pile' }).focus();
    await Promise.all([one, two].map((page) =>
        page.evaluate(() => document.querySelector('.companion-next').click())));
    for (const page of [one, two]) await is(page, labelOf(shown[0]));
    await forth(one);
    for (const page of [one, two]) await check(page, 2);
    await two.getByRole('button', { name: 'Hide the pile' }).and(two.locator(':focus')).waitFor();
});

// ---- The rule for special stations ----

test('the conductor offers the rule for special stations', async (t) => {
    const page = await conductor(t);
    const rule = page.getByRole('switch', { name: 'Special stations' });
    const status = () => page.locator('.companion-status').textContent();
    const says = () => page.locator('.companion-rule').textContent();
    const begin = async (sheet, special) => {
        await page.getByRole('radio', { name: sheet }).check();
        assert.equal(await rule.isChecked(), false, 'off unless somebody turns it on');
        if (special) await rule.check();
        await page.getByRole('button', { name: 'Flip cards' }).click();
        await is(page, 'Everyone ready?');
    };
    const over = async () => {
        await page.getByRole('button', { name: 'Start over' }).click();
        await page.getByRole('button', { name: 'Back to the last game' }).waitFor();
    };
    for (const [sheet, has] of [['Amsterdam', false], ['Berlin', false], ['Paris', true],
        ['Madrid', true], ['Another sheet', true]]) {
        await page.getByRole('radio', { name: sheet }).check();
        assert.equal(await rule.isVisible(), has, sheet);
    }
    await begin('Paris', false);
    assert.doesNotMatch((await kept(page)).record, /^rules/m);
    await forth(page);
    assert.doesNotMatch(await status(), /At most/);
    assert.doesNotMatch(await says(), /special/);
    await over();
    await begin('Madrid', true);
    assert.match((await kept(page)).record, /^rules special$/m);
    await page.getByText('When no one has one left, add up the scores.').waitFor();
    assert.match(await status(), /At most 22 windows are free/);
    const views = dealt('madrid');
    for (const one of views.slice(0, 3)) {
        await forth(page);
        await is(page, nameOf(one));
        assert.equal(/special/.test(await says()), one !== 'o', one);
    }
    await axe(page, 'with the rule');
    await over();
    assert.ok(await rule.isChecked(), 'it is remembered');
    await rule.uncheck();
    await begin('Another sheet', true);
    await forth(page);
    assert.match(await status(), /At most/);
});

test('with the rule for special stations the cards last for the slowest player', async (t) => {
    const map = ['endstation-map 1', 'id brief', 'title Brief', 'paper ffffff',
        'station a 0 0 special', 'station b 1 0', 'station c 1 1',
        'line A 112233 windows 2 points 2 1 wagon -1 0 : a b',
        'line B 332211 windows 1 points 2 1 wagon 1 -1 : b c', ''].join('\n');
    const page = await conductor(t, { kept: { 'map.b': { text: map } } });
    await page.getByRole('radio', { name: 'Brief' }).check();
    await page.getByRole('switch', { name: 'Special stations' }).check();
    await page.getByRole('button', { name: 'Flip cards' }).click();
    await is(page, 'Everyone ready?');
    let windows = 0;
    while (windows < 3) {
        await forth(page);
        windows += (await drawn(page)).at(-1) === 'o' ? 0 : 1;
        const shuffled = (await drawn(page)).at(-1) === '6' && windows < 3;
        if (shuffled) await forth(page);
    }
    await forth(page);
    await is(page, 'That was the last card.');
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
        { people: [] }, { sums: [{}] }, { ended: true }])
        assert.equal(await opens({ ...sound, ...change }), false, Object.keys(change)[0]);
});
