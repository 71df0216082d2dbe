// Every screen in every language, on a phone: no English is left, nothing is cut off or sticks out.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { go, keptGame, newRecord, played, program, serve, turn, visit } from './browser.mjs';

const server = await serve();
test.after(() => server.stop());

// Those that the page offers.
const languages = ['en', ...readdirSync(new URL('page/lang', `file://${resolve(program)}`))
    .map((name) => name.slice(0, -5))];
const file = (name) => readFileSync(new URL(name, `file://${resolve(program)}`), 'utf8');
const header = readFileSync(new URL('../../include/endstation/draw.h', import.meta.url), 'utf8');
const pictureWords = header.split('#define ES_WORDS(X)')[1].split('enum')[0]
    .match(/"[^"]*"/g).map((word) => word.slice(1, -1));

const solo = newRecord({ map: 'practice' });
const four = newRecord({ map: 'paris', rules: 'special',
    names: ['Ada', 'greedy (bot)', 'greedy (bot 2)', 'casual (bot)'] });
const two = newRecord({ map: 'berlin', names: ['Ada', 'Eva'] });
const metro = newRecord({ game: 'metro', names: ['Ada', 'greedy (bot)'] });
// A title that is no word of any language.
const game = (id, record, over = false) => keptGame(id, record, { over, title: 'Xyz' });
const kept = {
    'game.begun': game('begun', await played(solo, 6)),
    'game.done': game('done', await played(solo), true),
    'game.four': game('four', await played(four, 20)),
    'game.two': game('two', await played(two, 8)),
    'game.metro': game('metro', await played(metro, 12)),
    'game.laid': game('laid', await played(metro), true),
};
const screens = ['', 'new=verplant', 'new=metro', 'games', 'settings', 'help', 'companion',
    'game=begun', 'game=done', 'game=four', 'game=two', 'game=metro', 'game=laid', 'replay=done@7',
    'replay=metro@9', 'learn=verplant', 'learn=metro', 'nowhere'];

// A text with {name} as a pattern; null where nearly everything would fit it.
function pattern(text) {
    const plain = text.replace(/\{\w+\}/g, '');
    if (plain.replace(/\P{L}/gu, '').length < 3) return null;
    const escape = (part) => part.replace(/[\^$.*+?()[\]{}|\\]/g, '\\$&');
    return new RegExp(`^${text.split(/\{\w+\}/).map(escape).join('.+')}\\.?$`, 'i');
}

// What is English among the things said, for a language.
function leftovers(said, catalogue) {
    const own = [];
    const foreign = [];
    for (const [text, translation] of Object.entries(catalogue)) {
        if (text === '') continue;
        own.push(...[translation].flat().map(pattern).filter(Boolean));
        if (![translation].flat().includes(text)) foreign.push(pattern(text));
    }
    const fits = (patterns, text) => patterns.some((one) => one?.test(text));
    return said.filter((text) => fits(foreign, text) && !fits(own, text));
}

// Everything that a page says, as it stands there: texts, and what only some people get to hear.
const everythingSaid = () => {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!parent.closest('svg, noscript, script, option[lang]'))
            found.add(walker.currentNode.textContent.trim());
    }
    for (const element of document.querySelectorAll('body *'))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
            if (element.getAttribute(name)) found.add(element.getAttribute(name).trim());
    found.delete('');
    return [...found];
};

const pictureTitles = () =>
    [...document.querySelectorAll('main svg title')].map((title) => title.textContent);

// What does not fit.
const stickingOut = () => {
    const found = [];
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page: ${scrollWidth} > ${clientWidth}`);
    for (const element of document.querySelectorAll(
        'body :is(button, .button, a, select, label, td, th, h1, h2, h3, p)')) {
        if (element.closest('.skip, .visually-hidden, svg')) continue;
        if (getComputedStyle(element).display === 'inline') continue;
        if (element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1)
            found.push(`${element.textContent}: ${element.scrollWidth} > ${element.clientWidth}`);
    }
    return found;
};

// A page as its reader sees it.
async function examine(page, code, where) {
    const catalogue = code === 'en' ? {} : JSON.parse(file(`page/lang/${code}.json`));
    const strange = pictureWords.filter((word) =>
        code !== 'en' && !catalogue[''].some((own) => own.split(' ').includes(word)));
    const said = await page.evaluate(everythingSaid);
    assert.deepEqual(leftovers(said, catalogue), [], `${code} #${where}: English`);
    assert.deepEqual(await page.evaluate(stickingOut), [], `${code} #${where}: too wide`);
    for (const title of await page.evaluate(pictureTitles))
        assert(!title.split(/[, ]+/).some((word) => strange.includes(word)),
            `${code} #${where}: ${title}`);
}

for (const code of languages)
    test(code, async (t) => {
        const page = await visit(t, server.url, { size: 'phone', locale: code, kept });
        await page.locator(`html[lang=${code}]`).waitFor({ state: 'attached' });
        for (const screen of screens) {
            await go(page, screen);
            if (screen === 'game=two') await page.locator('.handover').waitFor();
            else if (screen.startsWith('game=')) await turn(page);
            await examine(page, code, screen);
        }
        for (const screen of ['game=begun', 'game=metro']) {
            await go(page, screen);
            await turn(page);
            await page.keyboard.press('?');
            await page.locator('dialog[open]').waitFor();
            await examine(page, code, `${screen}, keys`);
            await page.keyboard.press('Escape');
            await page.locator('button[data-key=hint]').click();
            await page.locator('.hint li').first().waitFor();
            await examine(page, code, `${screen}, hint`);
        }
        await go(page, 'companion');
        await page.locator('main .button.primary').last().click();
        await page.locator('.companion-next').click();
        await page.locator('.companion-card[data-what=card]').waitFor();
        await examine(page, code, 'companion, a card');
    });
