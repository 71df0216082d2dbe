// Whole games alone: by mouse, with keys only, and with a finger on a phone. Each move is one that
// `endstation moves` allows; the plan on the screen, the saved game and the score at the end are
// compared with what `endstation replay` prints for the record.
import assert from 'node:assert/strict';
import test from 'node:test';
import { serve, storedSetting, until, visit } from './browser.mjs';
import { becomes, dice, events, marks, middle, moves, numbers, record, replay, said, stations }
    from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

const CONFIRM = '[data-key=confirm]';
const UNDO = '[data-key=undo]';

// '1 C>3' as {line: 'C', way: '>', n: 3}, '1 @zoo' as {station: 'zoo'}.
function parse(event) {
    const [, station, line, way, n] = /^1 (?:@(.+)|([A-Z])([<>]?)(\d+))$/.exec(event);
    return { event, station, line, way, n: Number(n) };
}

const write = ({ line, way }, n) => `1 ${line}${n ? way : ''}${n}`;
const isOpen = (text) => replay(text).card !== '-';

// Chooses moves so that everything occurs: moves with something new in this game come first.
class Guide {
    constructor(seed) {
        this.roll = dice(seed);
        this.met = new Set();
    }

    // Returns what is notable about a move. A special station calls for another entry; whether one
    // is marked is only asked until it has happened once.
    features(text, { event, way, n, most }) {
        const special = text.includes('\nrules special\n') && !this.met.has('special');
        return [
            way && n > 1 && `way ${way}`,
            !way && n > 0 && n < most && 'fewer',
            n === 0 && most > 0 && 'none',
            special && n > 0 && n === most && isOpen(`${text}${event}\n`) && 'special',
        ].filter(Boolean);
    }

    pick(text) {
        const { card } = replay(text);
        const all = moves(text).map(parse);
        for (const one of all)
            one.most = Math.max(0, ...all.filter(({ line, way }) => line === one.line &&
                (way === one.way || one.n === 0)).map(({ n }) => n));
        const any = (some) => some[this.roll(some.length)];
        const isNew = (one) => this.features(text, one).some((what) => !this.met.has(what));
        const rides = all.filter(({ station }) => station && station !== '-');
        const best = all.filter(({ n }) => n === Math.max(...all.map((one) => one.n)));
        const one = card === 'o' ? any(rides) : any(all.filter((one) => one.way && isNew(one))) ??
            any(all.filter(isNew)) ?? any(best);
        this.met.add({ o: 'ride', '+': 'transfer' }[card] ?? 'most');
        for (const what of this.features(text, one)) this.met.add(what);
        return one;
    }
}

// The stations that the plan on the screen marks.
const planned = (page) =>
    page.locator('.pane .mark.planned').evaluateAll((all) =>
        all.map((mark) => mark.closest('.station').dataset.station).sort());

const marked = (page) =>
    page.locator('.pane .mark:not(.planned)').evaluateAll((all) =>
        all.map((mark) => mark.closest('.station').dataset.station).sort());

const planIs = (page, text, event) =>
    becomes(() => planned(page), marks(text, 1, event).sort(), event);

// Returns the station where a tap means this very move: the last one that it marks.
function goal(text, move) {
    const before = marks(text, 1, write(move, move.n - 1));
    return marks(text, 1, move.event).find((station) => !before.includes(station));
}

// The move was made as it was meant; on a ring both ways may come to the same.
async function made(page, text, move) {
    const now = await until(async () => { // and the next card is dealt
        const kept = await record(page);
        return events(kept).length > events(text).length &&
            (isOpen(kept) || replay(kept).over === 'yes') && kept;
    }, `${move.event} was not made`);
    const event = events(now)[events(text).length];
    assert.equal(parse(event).line, move.line);
    assert.deepEqual(marks(text, 1, event).sort(), marks(text, 1, move.event).sort());
    assert.equal(now.slice(0, text.length), text);
    await becomes(() => marked(page), stations(now, 1).sort());
    return now;
}

// The sum on the screen is the program's, and bots play with the same cards.
async function ended(page, text) {
    const { over, ...report } = replay(text);
    const { lines, transfers, penalty, total } = numbers(report['player 1']);
    assert.equal(over, 'yes');
    const ending = page.locator('.ending');
    await ending.waitFor();
    assert.equal(said(await ending.locator('h2').textContent()), total);
    const cells = await ending.locator('.sum td').allTextContents();
    assert.deepEqual(cells.map(said), [lines, transfers, -penalty, total]);
    const grades = [50, 40, 30, 20, 10, 5, 1, -Infinity];
    const sentences = [/renames/, /wave/, /pleasure/, /Most people/, /buses/, /timetable/,
        /One train/, /walk/];
    assert.match(await ending.locator('.grade').textContent(),
        sentences[grades.findIndex((least) => total >= least)]);
    const greedy = ending.locator('.rivals li', { hasText: 'Greedy' });
    await greedy.waitFor();
    assert.ok(Number.isInteger(said(await greedy.textContent())));
    assert.equal(await page.locator(CONFIRM).count(), 0);
}

function meets(guide, ...features) {
    for (const what of features) assert.ok(guide.met.has(what), `no ${what} in this game`);
}

// The record once its first card is dealt.
async function dealt(page) {
    await becomes(async () => isOpen(await record(page)), true);
    return record(page);
}

// The table is there, and the page has come to rest at its top.
const atTheTable = (page) => page.locator('.screen-game h1:focus').waitFor();

// Begins a game as people do, on the sheet `city`.
async function begin(page, city, press) {
    await press(page.locator('.start-verplant').getByText('Set up…'));
    await press(page.locator('.choice', { hasText: city }).first());
    const special = page.getByRole('switch', { name: 'Special stations' });
    if (await special.isVisible()) await press(special);
    await press(page.getByRole('button', { name: 'Start the game' }));
    await atTheTable(page);
}

/* ---- By mouse ---- */

async function click(page, selector) {
    const { x, y } = await middle(page, selector);
    await page.mouse.click(x, y);
}

// Plans a move; returns what a second click must hit to confirm it, or '' for the button.
async function planByMouse(page, text, move) {
    if (move.station) {
        await click(page, `#station-${move.station}`);
        return `#station-${move.station}`;
    }
    await click(page, `#wagon-${move.line}`);
    if (!move.way) await planIs(page, text, write(move, move.most));
    if (move.n === move.most && !move.way) return `#wagon-${move.line}`;
    if (move.n === 0) {
        for (let n = (await planned(page)).length; n > 0; n--)
            await page.locator('[data-key=fewer]').click();
        return '';
    }
    const part = `#station-${goal(text, move)}`;
    await click(page, part);
    if (!move.way || move.n < 2) return part;
    await page.locator(`[data-key="way${move.way}"]`).click();
    if ((await planned(page)).length === move.n) return '';
    await page.keyboard.press(String(move.n));
    return '';
}

test('by mouse on a desktop: Berlin, with its ring', async (t) => {
    const page = await visit(t, server.url, { chance: 7 });
    const guide = new Guide(3);
    await begin(page, 'Berlin', (locator) => locator.click());
    let text = await dealt(page);
    let undone = 0;
    while (replay(text).over === 'no') {
        const move = guide.pick(text);
        let again = await planByMouse(page, text, move);
        await planIs(page, text, move.event);
        if (undone < 2) {
            await page.locator(UNDO).click();
            await becomes(() => planned(page), []);
            assert.equal(await record(page), text);
            again = await planByMouse(page, text, move);
            undone++;
        }
        assert.match(await page.locator('.say').textContent(), move.station ? /^Free ride to/
            : new RegExp(`^(Line|Ring) ${move.line}: `));
        await click(page, again || CONFIRM);
        text = await made(page, text, move);
    }
    meets(guide, 'way >', 'way <', 'fewer', 'none', 'most', 'transfer', 'ride');
    await ended(page, text);
    for (const name of ['Replay', 'Play again', 'Share', 'Save as a file'])
        assert.ok(await page.locator('.ending-next').getByText(name).isVisible());
});

/* ---- With keys only ---- */

// The focus must be visible: an outline on the element or on its label. Headings and the
// page itself, which get the focus when a screen appears, are only read from.
async function focusIsSeen(page) {
    const fault = await page.evaluate(() => {
        const at = document.activeElement;
        if (!at || at.matches('body, main, h1')) return '';
        const box = at.closest('label, .bar-language')?.getBoundingClientRect() ??
            at.getBoundingClientRect();
        const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 &&
            box.left < innerWidth;
        const outlined = [at, at.closest('label'), at.closest('.bar-language')].some((one) => {
            const { outlineStyle, outlineWidth } = one ? getComputedStyle(one) : {};
            return outlineStyle && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
        });
        return inside && outlined ? '' : at.outerHTML.slice(0, 200);
    });
    assert.equal(fault, '', 'the focus is not seen');
}

async function press(page, ...keys) {
    for (const key of keys) {
        await page.keyboard.press(key);
        await focusIsSeen(page);
    }
}

// Presses Tab until `selector` has the focus.
async function tabTo(page, selector) {
    for (let i = 0; i < 80; i++) {
        await press(page, 'Tab');
        const there = await page.evaluate((s) => document.activeElement.matches(s), selector);
        if (there) return;
    }
    assert.fail(`no way to ${selector} by Tab`);
}

async function planByKeys(page, text, move, arrows) {
    if (move.station) {
        const lines = await page.locator(`#station-${move.station}`).getAttribute('data-lines');
        await press(page, lines[0].toLowerCase());
        for (let i = 0; i < 60 && (await planned(page))[0] !== move.station; i++)
            await press(page, 'ArrowRight');
        return;
    }
    await press(page, move.line.toLowerCase());
    if (move.way && move.n > 0) await press(page, move.way === '<' ? 'ArrowLeft' : 'ArrowRight');
    const now = (await planned(page)).length;
    if (now === move.n) return;
    if (arrows && !move.way)
        await press(page, ...Array(now - move.n).fill('ArrowLeft'));
    else await press(page, String(move.n));
}

test('with keys only: Madrid, with its ring and special stations', async (t) => {
    const page = await visit(t, server.url, { chance: 11 });
    const guide = new Guide(5);
    await tabTo(page, '.start-verplant a.button');
    await press(page, 'Enter');
    await page.locator('.sheets').waitFor();
    await tabTo(page, '.sheets input');
    for (const city of ['Berlin', 'Paris', 'Madrid']) {
        await press(page, 'ArrowRight');
        assert.match(await page.locator('.choice:has(:checked)').textContent(), RegExp(city));
    }
    await tabTo(page, '.switch:not([hidden]) input');
    await press(page, 'Space');
    await tabTo(page, '[type=submit]');
    await press(page, 'Enter');
    await atTheTable(page);
    let text = await dealt(page);
    let turn = 0;
    let takenBack = 0;
    while (replay(text).over === 'no') {
        const move = guide.pick(text);
        await planByKeys(page, text, move, turn % 2);
        await planIs(page, text, move.event);
        if (turn < 2) {
            await press(page, 'Backspace');
            assert.deepEqual(await planned(page), []);
            await planByKeys(page, text, move, turn % 2);
        }
        if (turn === 2) await tabTo(page, CONFIRM);
        await press(page, 'Enter');
        const next = await made(page, text, move);
        if (takenBack < 2 && events(next).length === events(text).length + 1 &&
            replay(next).over === 'no') {
            await press(page, 'Backspace');
            await becomes(() => record(page), text);
            await becomes(() => marked(page), stations(text, 1).sort());
            await planByKeys(page, text, move, false);
            await press(page, 'Enter');
            await becomes(() => record(page), next);
            takenBack++;
        }
        text = next;
        turn++;
    }
    assert.equal(takenBack, 2);
    meets(guide, 'special', 'way >', 'way <', 'fewer', 'none', 'most', 'transfer', 'ride');
    await ended(page, text);
    await tabTo(page, '.ending-next a[href^="#replay"]');
    await press(page, 'Enter');
    await page.locator('.replay').waitFor();
});

/* ---- With a finger on a phone ---- */

const tap = async (page, selector) => {
    const { x, y } = await middle(page, selector);
    await page.touchscreen.tap(x, y);
};

// Returns a spot beside a station, off its rim, that is still nearer to it than to anything else;
// the station itself where it is crowded.
async function beside(page, station) {
    return page.evaluate((id) => {
        const parts = [...document.querySelectorAll('.pane :is(.station, .wagon)')].map((part) => {
            const { left, top, right, bottom } = part.getBoundingClientRect();
            return { id: part.id, left, top, right, bottom };
        });
        const far = (one, x, y) => Math.hypot(Math.max(one.left - x, 0, x - one.right),
            Math.max(one.top - y, 0, y - one.bottom));
        const own = parts.find((part) => part.id === id);
        const x = (own.left + own.right) / 2;
        const y = (own.top + own.bottom) / 2;
        const spots = Array.from({ length: 16 }, (_, i) => ({
            x: x + 18 * Math.cos(i * Math.PI / 8), y: y + 18 * Math.sin(i * Math.PI / 8),
        }));
        const clear = (spot) => Math.min(...parts.filter((part) => part !== own)
            .map((part) => far(part, spot.x, spot.y))) - far(own, spot.x, spot.y);
        const [best] = spots.sort((a, b) => clear(b) - clear(a));
        return clear(best) > 3 ? { ...best, off: true } : { x, y, off: false };
    }, `station-${station}`);
}

async function planByTouch(page, text, move) {
    if (move.line) {
        await page.locator(`[data-key="line-${move.line}"]`).tap();
        await planIs(page, text, write(move, move.most));
        if (move.n === move.most) return null;
    }
    if (move.n === 0) {
        for (let n = move.most - 1; n >= 0; n--) {
            await page.locator('[data-key=fewer]').tap();
            await planIs(page, text, write(move, n));
        }
        return null;
    }
    await page.locator('.pane').scrollIntoViewIfNeeded();
    const spot = await beside(page, move.station ?? goal(text, move));
    await page.touchscreen.tap(spot.x, spot.y);
    return spot;
}

const scale = (page) => page.locator('.pane-inner').evaluate((inner) =>
    new DOMMatrix(getComputedStyle(inner).transform).a);

// Pinches with two fingers, from one distance between them to another.
async function pinch(page, from, to) {
    const { x, y } = await middle(page, '.pane-frame');
    const session = await page.context().newCDPSession(page);
    const send = (type, apart) => session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: apart ? [{ x: x - apart / 2, y, id: 0 }, { x: x + apart / 2, y, id: 1 }] : [],
    });
    await send('touchStart', from);
    for (let i = 1; i <= 5; i++) await send('touchMove', from + (to - from) * i / 5);
    await send('touchEnd', 0);
    await session.detach();
}

// Everything is big enough for fingers, and the move is at hand wherever one has scrolled to.
async function fitsFingers(page) {
    const targets = ['.chip', ...['buttons-region', 'steps', 'table-tools']
        .map((place) => `.${place} button`)];
    for (const selector of targets)
        for (const box of await page.locator(`${selector}:visible`).evaluateAll((all) =>
            all.map((one) => one.getBoundingClientRect().toJSON())))
            assert.ok(box.width >= 44 && box.height >= 44,
                `${selector}: ${box.width} × ${box.height}`);
    for (const share of [0, 0.5, 1]) {
        const seen = await page.evaluate((s) => {
            scrollTo(0, s * document.documentElement.scrollHeight);
            const box = document.querySelector('[data-key=confirm]').getBoundingClientRect();
            const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return box.top >= 0 && box.bottom <= innerHeight &&
                Boolean(at?.closest('[data-key=confirm]'));
        }, share);
        assert.ok(seen, `Confirm is out of sight at ${share}`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} pixels stand out`);
    await page.evaluate(() => scrollTo(0, 0));
}

async function zooms(page) {
    const before = await planned(page);
    await page.locator('.zoom-buttons button').last().tap();
    await becomes(() => scale(page), 1.6);
    await pinch(page, 80, 160);
    await becomes(async () => (await scale(page)) > 2.5, true, 'two fingers make it larger');
    await pinch(page, 200, 20);
    await becomes(() => scale(page), 1);
    assert.deepEqual(await planned(page), before, 'looking closely plans nothing');
}

// From now on a tap is a move.
async function movesAtOnce(page) {
    const url = page.url();
    await page.goto(`${server.url}/#settings`);
    await page.getByLabel('Skip confirmation').tap();
    await becomes(() => storedSetting(page, 'confirm'), true);
    await page.goto(url);
    await atTheTable(page);
}

test('with a finger on a phone: Paris, with its special stations', async (t) => {
    const page = await visit(t, server.url, { size: 'phone', chance: 13 });
    const guide = new Guide(9);
    await begin(page, 'Paris', (locator) => locator.tap());
    let text = await dealt(page);
    let snapped = 0;
    let turn = 0;
    for (; turn < 12; turn++) {
        const move = guide.pick(text);
        let spot = await planByTouch(page, text, move);
        await planIs(page, text, move.event);
        if (turn === 0) {
            await fitsFingers(page);
            await zooms(page);
            await page.locator(UNDO).tap();
            await becomes(() => planned(page), []);
            spot = await planByTouch(page, text, move);
        }
        if (spot) await page.touchscreen.tap(spot.x, spot.y);
        else await page.locator(CONFIRM).tap();
        snapped += spot?.off ? 1 : 0;
        text = await made(page, text, move);
    }
    assert.ok(snapped > 0, 'a tap beside a station means it');
    await movesAtOnce(page);
    while (replay(text).over === 'no') {
        const move = guide.pick(text);
        if (move.station) await tap(page, `#station-${move.station}`);
        else if (move.n === move.most) await tap(page, `#wagon-${move.line}`);
        else {
            await planByTouch(page, text, { ...move, n: 0 });
            for (let n = 1; n <= move.n; n++) {
                await page.locator('[data-key=more]').tap();
                await planIs(page, text, write(move, n));
            }
            await page.locator(CONFIRM).tap();
        }
        text = await made(page, text, move);
    }
    meets(guide, 'special', 'fewer', 'none', 'most', 'transfer', 'ride');
    await ended(page, text);
});
