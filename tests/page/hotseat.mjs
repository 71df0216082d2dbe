// Several people at one device: what one of them has chosen, or holds, must be hidden from the
// others. Two games that differ only in what is hidden are played side by side: until it is
// revealed, every byte of the page is the same in both, wherever one looks.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arrived, go, keptGame, newRecord, serve, settled, turn, visit } from './browser.mjs';
import { middle } from './play.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

// A page with one kept game, with a clock that does not run.
async function sit(t, text) {
    const page = await visit(t, server.url, {
        kept: { 'game.x': keptGame('x', text) },
        chance: 3,
        date: '2025-07-01T12:00:00Z',
    });
    await arrived(page, 'start');
    await allDrawn(page);
    await go(page, 'game=x');
    return page;
}

// Returns all content of a page: what is drawn, written, announced to screen readers, or marked up.
// Small pictures are renumbered, since their numbers depend on when they were drawn.
const everything = (page) => page.evaluate(() => [
    document.documentElement.outerHTML.replaceAll(/\bp\d+-/g, 'p-'),
    ...[...document.querySelectorAll('input, select, textarea')].map(({ value }) => value),
].join('\n'));

const allDrawn = (page) => page.waitForFunction(() =>
    [...document.querySelectorAll('.picture')].every((picture) => picture.firstChild));

// A tour of a page notes what is seen at each stop.
class Notes {
    constructor(page) {
        this.page = page;
        this.stops = new Map();
    }

    async note(stop) {
        assert.ok(!this.stops.has(stop), stop);
        await settled(this.page);
        this.stops.set(stop, await everything(this.page));
    }
}

// Both tours have seen the same at every stop.
function same(one, other) {
    assert.deepEqual([...one.stops.keys()], [...other.stops.keys()]);
    for (const [stop, seen] of one.stops) {
        const there = other.stops.get(stop);
        let i = 0;
        while (i < seen.length && seen[i] === there[i]) i++;
        if (seen === there) continue;
        const around = (text) => text.slice(Math.max(0, i - 150), i + 150);
        assert.fail(`${stop}: a difference\n${around(seen)}\n----\n${around(there)}`);
    }
}

// The button that `name` presses, once the device had time to change hands.
const taking = (page, name) => page.locator('.take:enabled', { hasText: `I’m ${name}` });

async function take(page, name) {
    await taking(page, name).click();
    await turn(page);
}

async function closeDialog(page) {
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
}

// Chooses by keys, confirms, and waits until the entry is kept: keys pressed before do nothing.
async function enter(page, keys) {
    for (const key of keys.split(' ')) await page.keyboard.press(key);
    await page.locator('[data-key=confirm]').click();
    await page.locator('[data-key=confirm][aria-disabled=true], .handover').first().waitFor();
}

// Wherever one may look while the device changes hands to `name`.
async function lookAround(notes, name, stop) {
    const { page } = notes;
    const at = async (where, ready) => {
        await go(page, where);
        await ready.waitFor();
        await allDrawn(page);
        await notes.note(`${stop}: ${where}`);
    };
    await taking(page, name).waitFor();
    await notes.note(stop);
    await taking(page, name).blur(); // else Enter would press it
    for (const key of ['Backspace', 'a', 'ArrowRight', 'd', 'Escape', '?', 'Space', 'Enter'])
        await page.keyboard.press(key);
    await notes.note(`${stop}, keys pressed`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    await taking(page, name).waitFor();
    await notes.note(`${stop}, in the dark`);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html[data-theme=light]').waitFor();
    await page.reload();
    await taking(page, name).waitFor();
    await notes.note(`${stop}, loaded again`);
    await page.goBack();
    await page.locator('.start-last .muted', { hasText: /./ }).waitFor();
    await allDrawn(page);
    await notes.note(`${stop}, back in the history`);
    await page.goForward();
    await taking(page, name).waitFor();
    await notes.note(`${stop}, and forward again`);
    await at('games', page.locator('.kept .picture svg'));
    await at('replay=x', page.locator('.replay svg').first());
    await at('replay=x@1', page.locator('.replay svg').first());
    await at('replay=x@2', page.locator('.replay svg').first());
    await go(page, 'game=x');
    await taking(page, name).waitFor();
    await notes.note(`${stop}, come back`);
}

// The text of the game, keys, the hint: all that the table of `name` offers.
async function lookAtTable(notes, name) {
    const { page } = notes;
    await notes.note(`${name} at the table`);
    for (const tool of ['As text', 'Keyboard shortcuts']) {
        await page.getByRole('button', { name: tool, exact: true }).click();
        await notes.note(`${name}: ${tool}`);
        await closeDialog(page);
    }
    await page.locator('body').press('Backspace');
    await page.locator('[data-key=undo]').click({ force: true });
    await notes.note(`${name}: nothing to undo`);
    await page.locator('[data-key=hint]').click();
    await page.locator('.hint-list').waitFor();
    await notes.note(`${name}: the hint`);
    await page.locator('.hint [data-key=close]').click();
}

/* ---- Verplant ---- */

async function lookAtSheets(notes, name, others) {
    for (const other of others) {
        await notes.page.locator('.other', { hasText: other }).click();
        await notes.page.locator('.enlarged svg').waitFor();
        await notes.note(`${name} looks at the sheet of ${other}`);
        await closeDialog(notes.page);
    }
}

async function verplantTour(t, text, keys) {
    const page = await sit(t, text);
    const notes = new Notes(page);
    await take(page, 'Ada');
    for (const entry of keys) await enter(page, entry);
    await lookAround(notes, 'Ben', 'to Ben');
    await take(page, 'Ben');
    await lookAtTable(notes, 'Ben');
    await lookAtSheets(notes, 'Ben', ['Ada', 'Eva']);
    await enter(page, 'b 1');
    await taking(page, 'Eva').waitFor();
    await notes.note('to Eva');
    await page.getByRole('button', { name: 'Undo Ben’s move' }).click();
    await turn(page);
    await notes.note('Ben takes it back');
    await enter(page, 'b 1');
    await take(page, 'Eva');
    await notes.note('Eva at the table');
    await lookAtSheets(notes, 'Eva', ['Ada', 'Ben']);
    await enter(page, 'c 1');
    await page.locator('.log li', { hasText: 'Ada: Line' }).first().waitFor();
    const opened = await everything(page);
    return { notes, opened };
}

// Two tours that differ in what Ada enters: it shows in the end, and not before.
async function hides(t, text, one, other) {
    const [first, second] = await Promise.all([one, other].map((keys) =>
        verplantTour(t, text, keys)));
    same(first.notes, second.notes);
    assert.notEqual(first.opened, second.opened);
}

const seats = ['Ada', 'Ben', 'Eva'];

test('verplant: nobody sees an entry before all are in', (t) =>
    hides(t, newRecord({ seats }), ['a 1'], ['c 0']));

// A player who marks a special station enters twice: the others learn neither entry, nor that
// there were two.
test('verplant: further entries for special stations are hidden, too', async (t) => {
    const text = newRecord({ seats, rules: 'special' });
    const tour = async (keys) => {
        const page = await sit(t, text);
        const notes = new Notes(page);
        await take(page, 'Ada');
        for (const entry of keys) await enter(page, entry);
        await taking(page, 'Ben').waitFor();
        await notes.note('to Ben');
        await go(page, 'replay=x');
        await page.locator('.replay svg').first().waitFor();
        await notes.note('the replay');
        await go(page, 'game=x');
        await take(page, 'Ben');
        await lookAtTable(notes, 'Ben');
        return notes;
    };
    same(...await Promise.all([['b 3', 'a 1'], ['d 1']].map(tour)));
});

/* ---- Metro ---- */

// A game without a seed, whose first tiles are dealt.
const dealt = (players, ...tiles) => newRecord({ game: 'metro', rules: 'hand2', seats: players,
    seed: '' }) + tiles.map((tile, i) => `deal ${i % players.length + 1} ${tile}\n`).join('');

async function lay(page, tile, square) {
    await page.locator('.metro-hand-tile', {
        has: page.locator(`[data-tile=${tile}]`) }).click();
    const { x, y } = await middle(page, `#square-${square}`);
    await page.mouse.click(x, y);
    await page.locator(`#square-${square}.planned`).waitFor();
    await page.mouse.click(x, y);
    await page.mouse.move(2, 2);
}

async function metroTour(t, tile) {
    const page = await sit(t, dealt(['Ada', 'Ben'], 'cbcb', 'bcbc', tile, 'badb'));
    const notes = new Notes(page);
    await taking(page, 'Ada').waitFor();
    await notes.note('to Ada');
    await take(page, 'Ada');
    const seen = await everything(page);
    assert.ok(seen.includes(tile));
    await lay(page, 'cbcb', 'd1');
    await lookAround(notes, 'Ben', 'to Ben');
    await take(page, 'Ben');
    await lookAtTable(notes, 'Ben');
    await page.locator('[data-key=stock]').click();
    await page.locator('[data-key=lines]').click();
    await notes.note('Ben looks at what is left');
    const { x, y } = await middle(page, '#square-e1');
    await page.mouse.move(x, y);
    await page.locator('#square-e1.planned').waitFor();
    await notes.note('Ben points');
    await lay(page, 'badb', 'h7');
    await taking(page, 'Ada').waitFor();
    await notes.note('to Ada again');
    return { notes, seen };
}

test('metro: nobody sees another player’s hand', async (t) => {
    const [one, other] = await Promise.all(['bbad', 'aaaa'].map((tile) => metroTour(t, tile)));
    same(one.notes, other.notes);
    assert.notEqual(one.seen, other.seen);
});

// While the bot plays, the player who has laid a tile still sees their hand; then it is gone.
test('metro: a hand is hidden when a bot plays between two people', async (t) => {
    const players = ['Ada', { bot: 'greedy' }, 'Ben'];
    const tour = async (tile) => {
        const page = await sit(t, dealt(players, 'cbcb', 'bcbc', 'accd', tile, 'badb', 'aaaa'));
        const notes = new Notes(page);
        await take(page, 'Ada');
        await page.locator('[data-key=hint]').click();
        await page.locator('.hint-list').waitFor();
        await lay(page, 'cbcb', 'd1');
        await taking(page, 'Ben').waitFor();
        await notes.note('to Ben');
        await take(page, 'Ben');
        await notes.note('Ben at the table');
        return notes;
    };
    same(...await Promise.all(['bbad', 'dddd'].map(tour)));
});

test('a key that is held down does not open what is the next player’s', async (t) => {
    const page = await sit(t, newRecord({ seats }));
    await take(page, 'Ada');
    await page.keyboard.press('a');
    await page.keyboard.down('Enter');
    await taking(page, 'Ben').waitFor();
    await page.locator('.take:focus').waitFor();
    for (let i = 0; i < 3; i++) await page.keyboard.down('Enter'); // repeats
    assert.equal(await taking(page, 'Ben').count(), 1);
    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await turn(page);
});
