// Tests of the five languages: chosen by the browser or with one click, and remembered; no English
// is left on any screen, and on a phone nothing is cut off or sticks out.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { arrived, go, program, serve, sizes, visit } from './browser.mjs';
import { kept, people, walk } from './places.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

// Those that the page offers.
const built = (name) => new URL(`page/lang${name}`, `file://${resolve(program)}`);
const languages = ['en', ...readdirSync(built('')).map((name) => name.slice(0, -5))];
const catalogueOf = (code) =>
    code === 'en' ? {} : JSON.parse(readFileSync(built(`/${code}.json`), 'utf8'));

// ---- Choosing ----

const greeting = (code) => catalogueOf(code)['Where to?'] ?? 'Where to?';

async function speaks(page, code) {
    await page.locator(`html[lang=${code}]`).waitFor({ state: 'attached' });
    await page.locator('.screen-start h1', { hasText: greeting(code) }).waitFor();
}

test('the language defaults to the browser’s', async (t) => {
    assert.deepEqual([...languages].sort(), ['de', 'en', 'es', 'fr', 'nl']);
    assert.equal(new Set(languages.map(greeting)).size, languages.length);
    for (const [locale, code] of [['de-CH', 'de'], ['nl-BE', 'nl'], ['fr', 'fr'], ['es-MX', 'es'],
        ['en-US', 'en'], ['ja-JP', 'en']])
        await speaks(await visit(t, server.url, { locale }), code);
});

test('the language changes with one click and is remembered', async (t) => {
    const page = await visit(t, server.url, { locale: 'fr-FR' });
    await speaks(page, 'fr');
    for (const code of ['de', 'nl', 'es', 'en', 'fr']) {
        await page.locator('#bar-language').selectOption(code);
        await speaks(page, code);
        await page.reload();
        await speaks(page, code);
    }
    await go(page, 'settings');
    await page.locator('#language').selectOption('nl');
    await page.locator('html[lang=nl]').waitFor({ state: 'attached' });
    await go(page, '');
    await speaks(page, 'nl');
});

// ---- Quotation marks ----

const QUOTED = {
    en: (text) => `“${text}”: `, de: (text) => `„${text}“: `, nl: (text) => `‘${text}’: `,
    fr: (text) => `«\u00a0${text}\u00a0»\u00a0: `, es: (text) => `«${text}»: `,
};

// What C says of a file has no quotation marks of the page, or those of English on a keyboard.
test('complaints about files have the quotation marks of the language', async (t) => {
    const files = [['a.map', 'endstation-map 1\nid a\nhello\n'], ['b.record', 'no record\n'],
        ['c.record', 'endstation-record 1\nplayers 2\n'],
        ['d.map', 'endstation-map 1\nid Ä\n']].map(([name, text]) =>
        ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) }));
    for (const code of languages) {
        const page = await visit(t, `${server.url}/#games`,
            { kept: { settings: { language: code } } });
        await arrived(page, 'games');
        await page.locator('.drop input').setInputFiles(files);
        const faults = page.locator('.faults').first();
        await faults.waitFor();
        const said = await faults.innerText();
        assert.ok(said.includes(`a.map:3: ${QUOTED[code]('hello')}`), said);
        const inside = QUOTED[code]('endstation-record 1').replace(/\s?:\s$/, '');
        assert.ok(said.includes(inside), said);
        assert.doesNotMatch(said.replaceAll(/\p{L}['’]\p{L}/gu, ''), /['"]/, said);
    }
});

// ---- Texts ----

// Everything that a page says: texts, and what only some people get to hear. The titles of pictures
// are apart: C puts them together from words.
function everythingSaid() {
    const said = new Set([document.title]);
    const titles = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        if (parentElement.closest('svg')) titles.add(data.trim());
        else if (!parentElement.closest('noscript, script, option[lang], .bar-language'))
            said.add(data.trim());
    }
    for (const element of document.querySelectorAll('body *'))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext', 'label'])
            if (element.getAttribute(name)) said.add(element.getAttribute(name).trim());
    said.delete('');
    return { said: [...said], titles: [...titles] };
}

// A text with {name} as a pattern; null where nearly everything would fit it. What stands beside
// two letters, as in “{n} pt”, is a number.
function pattern(text) {
    const letters = text.replace(/\{\w+\}/g, '').replace(/\P{L}/gu, '').length;
    if (letters < 2) return null;
    const anything = letters < 3 ? '[\\d.,]+' : '.+';
    const escape = (part) => part.replace(/[\^$.*+?()[\]{}|\\]/g, '\\$&');
    return new RegExp(`^${text.split(/\{\w+\}/).map(escape).join(anything)}\\.?$`, 'i');
}

// Names are the same everywhere: of games and cities, of people, and what they call their things.
const NAMES = new RegExp(`\\b(Endstation|Metro|Verplant|Amsterdam|Berlin|Paris|Madrid|Harbour|${
    people.join('|')})\\b`, 'g');
const isName = (text) => !/\p{L}{2}/u.test(text.replace(NAMES, ''));

// Returns isEnglish(), which tells whether a text is English: it is if it fits a text of the page
// that has another translation, or if it is also there in English and is no translation. A number
// may come before it. isStrange() does that for titles of pictures.
function judge(code) {
    const catalogue = catalogueOf(code);
    const own = [];
    const foreign = [];
    for (const [text, translation] of Object.entries(catalogue)) {
        if (text === '') continue;
        own.push(...[translation].flat().map(pattern).filter(Boolean));
        if (![translation].flat().includes(text)) foreign.push(pattern(text));
    }
    const fits = (patterns, text) => patterns.some((one) => one?.test(text));
    const pictures = catalogue[''] ?? {};
    const ours = Object.values(pictures).flatMap((one) => one.split(' '));
    const strange = Object.keys(pictures).filter((word) => !ours.includes(word));
    return {
        isEnglish: (text, english) => !isName(text) && !fits(own, text.replace(/^\d+: /, '')) &&
            (fits(foreign, text) || english.has(text)),
        isStrange: (title) => title.split(/[, ]+/).some((word) => strange.includes(word)),
    };
}

// ---- Layout ----

// What does not fit into the width of the page, or into its own box.
function misfits(width) {
    const wrong = [];
    const tell = (what, element) => wrong.push(`${what}: ${element.tagName} ${
        element.className} “${element.textContent.trim().slice(0, 60)}”`);
    const { scrollWidth } = document.scrollingElement;
    if (scrollWidth > width) wrong.push(`the page is ${scrollWidth} wide`);
    const scrolls = (element) => {
        for (let box = element.parentElement; box; box = box.parentElement)
            if (['auto', 'scroll'].includes(getComputedStyle(box).overflowX)) return true;
        return false;
    };
    for (const element of document.querySelectorAll('body :is(button, .button, a, select, input, ' +
        'label, summary, legend, td, th, h1, h2, h3, p, li, span, strong, output)')) {
        const box = element.getBoundingClientRect();
        if (element.closest('.skip, .visually-hidden, svg') || box.width < 2 || box.height < 2)
            continue;
        if ((box.right > width + 1 || box.left < -1) && !scrolls(element))
            tell('beyond the edge', element);
        const { display, textOverflow } = getComputedStyle(element);
        if (display !== 'inline' && textOverflow !== 'ellipsis' &&
            element.scrollWidth > element.clientWidth + 1)
            tell('too wide for its box', element);
    }
    return wrong;
}

// ---- All screens ----

test('every screen is translated and fits on a phone', async (t) => {
    const english = new Map();
    for (const code of languages)
        await t.test(code, async (t2) => {
            const { isEnglish, isStrange } = judge(code);
            const page = await visit(t2, server.url, { size: 'phone', locale: code, kept });
            await arrived(page, 'start');
            const wrong = new Set();
            await walk(page, async (place) => {
                for (const misfit of await page.evaluate(misfits, sizes.phone.width))
                    wrong.add(`${place}: ${misfit}`);
                const { said, titles } = await page.evaluate(everythingSaid);
                assert.equal(await page.locator('html').getAttribute('lang'), code);
                if (code === 'en') {
                    english.set(place, new Set(said));
                    return;
                }
                for (const text of said)
                    if (isEnglish(text, english.get(place) ?? new Set()))
                        wrong.add(`${place}: “${text}” is English`);
                for (const title of titles)
                    if (isStrange(title)) wrong.add(`${place}: “${title}” is English`);
            });
            assert.equal([...wrong].join('\n'), '');
        });
});
