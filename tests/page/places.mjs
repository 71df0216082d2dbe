// A list of all screens and of everything that can be opened on them. The tests of layout and
// texts visit one place after the other.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { axe, go, keptGame, newRecord, played, program, turn, visit } from './browser.mjs';
import { answer, hold } from './control.mjs';

export const people = ['Ada', 'Bea'];
const withBot = ['Ada', { bot: 'greedy' }];

export const ownMap = spawnSync(program, ['maps', 'practice'], { encoding: 'utf8' }).stdout
    .replace(/^id .*/m, 'id harbour').replace(/^title .*/m, 'title Harbour');

const game = async (id, choices, events) => {
    const record = await played(newRecord(choices), events);
    return [`game.${id}`, keptGame(id, record, { title: '', over: events === undefined })];
};

// What is in the browser when the walk begins.
export const kept = Object.fromEntries([
    await game('v', { map: 'amsterdam', seats: withBot }, 18),
    await game('m', { game: 'metro', seats: withBot, rules: 'rotate hand2' }, 44),
    await game('vo', {}),
    await game('vo2', { seats: withBot }),
    await game('v4', { map: 'paris', rules: 'special',
        seats: ['Ada', { bot: 'greedy' }, { bot: 'greedy' }, { bot: 'casual' }] }, 20),
    await game('mo', { game: 'metro', seats: withBot }),
    await game('vh', { seats: people, rules: 'special' }, 8),
    await game('mh', { game: 'metro', seats: people }, 20),
    ['map.harbour', { id: 'harbour', title: 'Harbour', text: ownMap }],
]);

async function closeDialog(page) {
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
}

// Pictures of games are drawn one after the other, once they are visible.
const drawn = (page) => page.waitForFunction(() => [...document.querySelectorAll('.picture')]
    .every((picture) => {
        const { top, bottom } = picture.getBoundingClientRect();
        return picture.querySelector('svg') || bottom < 0 || top > innerHeight;
    }));

// Waits until it is the viewer's turn.
async function ready(page) {
    await turn(page);
    await page.waitForFunction(() => !document.querySelector('.others .other:not(.ready)'));
}

async function table(page, see, id, plan) {
    const opened = async (name, open) => {
        await open();
        await page.locator('dialog[open]').waitFor();
        await see(`table of ${id}: ${name}`);
        await closeDialog(page);
    };
    await go(page, `game=${id}`);
    await ready(page);
    await see(`table of ${id}`);
    await plan();
    await see(`table of ${id}: planned`);
    await page.locator('button[data-key=hint]').click();
    await page.locator('.hint-list li').first().waitFor();
    await see(`table of ${id}: hint`);
    await opened('keys', () => page.keyboard.press('?')); // on a phone there is no button for it
    await opened('text', () => page.locator('.tool-text').click());
    if (id === 'v') await opened('a sheet enlarged', () => page.locator('.other').click());
}

async function tables(page, see) {
    await table(page, see, 'v', () => page.locator('.chip:not(:disabled)').first().click());
    await table(page, see, 'm', async () => {
        await page.locator('button[data-key=stock]').click();
        await page.locator('button[data-key=lines]').click();
        await page.keyboard.press('ArrowRight');
    });
    await go(page, 'game=v4');
    await ready(page);
    await see('table of four');
    for (const id of ['vo', 'vo2', 'mo']) {
        await hold(page);
        await go(page, `game=${id}`);
        await page.locator('.rivals button').waitFor();
        await see(`end of ${id}, bots at it`);
        await answer(page);
        await page.locator('.rivals li').first().waitFor();
        await hold(page);
        await see(`end of ${id}, points of bots`);
        await answer(page);
    }
    for (const id of ['vh', 'mh']) {
        await go(page, `game=${id}`);
        await page.locator('.handover').waitFor();
        await see(`hand-over of ${id}`);
        await page.locator('.take').click();
        await turn(page);
        await see(`table of ${id}`);
    }
}

async function replays(page, see) {
    for (const hash of ['replay=vo2@9', 'replay=mo@50', 'replay=m']) {
        await go(page, hash);
        await page.locator('.replay-inner svg').waitFor();
        await see(hash);
    }
}

async function analyses(page, see) {
    for (const [hash, place] of [['analysis=vo@1', 'a decision'], ['analysis=vo2@2', 'a card']]) {
        await go(page, hash);
        await page.waitForFunction(() => !document.querySelector('.analysis-status .progress'));
        await see(`${hash}: ${place}`);
    }
}

async function statistics(page, see) {
    await go(page, 'statistics');
    await page.locator('.statistics-all summary').click();
    await page.locator('.statistics-results').waitFor();
    await see('statistics');
}

async function lessons(page, see) {
    for (const kind of ['verplant', 'metro']) {
        await go(page, `learn=${kind}`);
        await page.locator('.bubble-text').waitFor();
        await see(`lesson of ${kind}`);
        await page.locator('.bubble .primary').click();
        await see(`lesson of ${kind}, on`);
    }
}

async function conductor(page, see) {
    await go(page, 'companion');
    await see('conductor');
    await page.locator('.screen-companion button[type=submit]').click();
    await page.locator('.companion-card').waitFor();
    await see('conductor: ready');
    await page.locator('.companion-next').click();
    await page.locator('.companion-card[data-what=card]').waitFor();
    await see('conductor: a card');
    await page.locator('.companion-more button').nth(-2).click();
    await page.locator('.tally-results').waitFor();
    await page.locator('.tally-row input[type=radio]').nth(2).check({ force: true });
    await page.locator('.tally-verdict').waitFor();
    await see('conductor: sums');
    await page.locator('.companion-sum button').last().click();
    await page.locator('.companion-last').waitFor();
    await page.locator('.choice', { hasText: 'Paris' }).click();
    await see('conductor: another game');
    await page.locator('.screen-companion .switch').click();
    await page.locator('.screen-companion button[type=submit]').click();
    await page.locator('.companion-card').waitFor();
    await page.locator('.companion-next').click();
    await page.locator('.companion-card[data-what=card]').waitFor();
    await see('conductor: special stations');
}

async function messages(page, see) {
    for (const hash of ['nowhere', 'new=depot', 'learn=depot', 'print=depot', 'game=none',
        'replay=none', 'record=AAAA', 'analysis=none', 'analysis=vh']) {
        await go(page, hash);
        await page.locator('.message').waitFor();
        await see(hash);
    }
}

async function others(page, see) {
    await go(page, '');
    await drawn(page);
    await see('start');
    for (const kind of ['verplant', 'metro']) {
        await go(page, `new=${kind}`);
        await page.locator('.route-end').waitFor();
        if (kind === 'verplant') await page.locator('details summary').first().click();
        await page.locator('[data-seat="1"]').selectOption('casual');
        await see(`new ${kind}`);
    }
    await go(page, 'games');
    await page.locator('.drop input').setInputFiles([
        { name: 'bad.record', mimeType: 'text/plain', buffer: Buffer.from('no record') },
        { name: 'wanting.record', mimeType: 'text/plain',
            buffer: Buffer.from(newRecord({ map: 'far-away' })) }]);
    await page.locator('.faults').first().waitFor();
    await page.locator('[data-game=vh] .kept-doors button').last().click();
    await page.locator('.notice').first().waitFor();
    await drawn(page);
    await see('games, with complaints and a notice');
    await page.locator('.notice button').first().click(); // not deleted, after all
    await go(page, 'settings');
    await see('settings');
    await page.locator('.settings .danger').click();
    await page.locator('dialog[open]').waitFor();
    await see('settings: delete everything?');
    await closeDialog(page);
    await go(page, 'help');
    await see('help');
    for (const screen of ['accessibility', 'privacy']) {
        await go(page, screen);
        await see(screen);
    }
    for (const kind of ['verplant', 'metro']) {
        await go(page, `print=${kind}`);
        await page.locator(`.route-${kind} .print-pages svg`).first().waitFor();
        await page.getByRole('switch').nth(1).click();
        await see(`print ${kind}`);
    }
}

async function problems(page, see) {
    await go(page, 'problems');
    await see('problems');
    for (const kind of ['verplant', 'metro']) {
        await go(page, `problems=${kind}`);
        await see(`problems of ${kind}`);
        await go(page, `problems=${kind}/100`);
        await page.locator('.problem-table .confirm').waitFor();
        await see(`a problem of ${kind}`);
        if (kind === 'metro') await page.keyboard.press('ArrowRight');
        else await page.locator('.chip:not(:disabled)').first().click();
        await page.locator('[data-key=confirm]:not([aria-disabled])').waitFor();
        await page.keyboard.press('Enter');
        await page.locator('.problem-verdict').waitFor();
        await see(`a problem of ${kind}, a move chosen`);
        // Shown together with the verdict, unless the move happens to be the best one.
        const reveal = page.locator('[data-key=reveal]');
        if (await reveal.count()) await reveal.click();
        await page.locator('.problem-moves').waitFor();
        await see(`a problem of ${kind}, the answer`);
    }
}

const PARTS = { others, tables, replays, analyses, statistics, lessons, problems, conductor,
    messages };

// Walks through a part of the page, or all of it; see(name) is awaited at each place.
export async function walk(page, see, parts = Object.keys(PARTS)) {
    for (const part of parts) await PARTS[part](page, see);
}

// Checks each place with axe-core.
export async function inspect(t, url, size, theme, parts) {
    const page = await visit(t, url, { size, theme, kept });
    const wrong = [];
    await walk(page, async (place) => wrong.push(...await axe(page, place)), parts);
    assert.deepEqual(wrong, []);
}
