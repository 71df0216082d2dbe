// Tests of web/app/texts.js, under node with the bare necessities of a browser:
//
//     node texts.mjs BUILD
//
// BUILD is the folder of the build, whose page/lang is read.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

const build = process.argv[2];
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/* ---- A browser ---- */

const kept = new Map();
const heard = [];
let network = true;
let waiting = null; // what an answer waits for

globalThis.localStorage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
    key: (i) => [...kept.keys()][i],
    get length() { return kept.size; },
};
globalThis.window = new EventTarget();
const skip = {textContent: ' Skip to content '};
globalThis.document = Object.assign(new EventTarget(), {
    documentElement: {lang: 'en'},
    querySelectorAll: (selector) => (selector === '[data-t]' ? [skip] : []),
});
document.addEventListener('language', () => heard.push(document.documentElement.lang));
const browserLanguages = (...codes) => Object.defineProperty(globalThis, 'navigator',
    {value: {languages: codes}, configurable: true, writable: true});
browserLanguages('en');
globalThis.fetch = async (url) => {
    if (!network) throw new TypeError('no network');
    const name = new URL(url).pathname.split('/').pop();
    if (waiting) await waiting;
    return {ok: true, json: async () => JSON.parse(readFileSync(join(build, 'page/lang', name)))};
};
console.warn = () => {};

const {t, tn, english, number, words, language, languages, setLanguage} =
    await import('../../web/app/texts.js');
const {settings} = await import('../../web/store/store.js');

/* ---- The tests ---- */

test('English needs no catalogue', () => {
    assert.equal(language(), 'en');
    assert.equal(t('Round {n}', {n: 1234}), 'Round 1,234');
    assert.equal(t('{a} {b} {a}', {a: '{b}', b: 0}), '{b} 0 {b}'); // text
    assert.equal(t('Round {n}'), 'Round {n}');
    assert.equal(t('constructor'), 'constructor'); // text
    assert.equal(tn('{n} mark', '{n} marks', 1), '1 mark');
    assert.equal(tn('{n} mark', '{n} marks', 0), '0 marks');
    assert.equal(tn('{n} mark', '{n} marks', -2), '−2 marks');
    assert.equal(english('Dark'), 'Dark');
    assert.equal(number(-1234.5), '−1,234.5');
    assert.equal(number(2, 1) + number(2.25, 1), '2.02.3');
    assert.deepEqual(words(), {});
});

test('every language that is offered is there, and no other', () => {
    const files = readdirSync(join(build, 'page/lang')).map((name) => name.slice(0, -5));
    assert.deepEqual([...files, 'en'].sort(), Object.keys(languages).sort());
});

test('another language changes texts, numbers, plurals and the document', async () => {
    assert.equal(await setLanguage('de'), true);
    assert.equal(language(), 'de');
    assert.deepEqual(heard.splice(0), ['de']);
    assert.equal(settings.get('language'), 'de');
    assert.equal(t('Round {n}', {n: 1234.5}), 'Runde 1.234,5');
    assert.equal(tn('{n} mark', '{n} marks', 1), '1 Kreuz');
    assert.equal(tn('{n} mark', '{n} marks', 2), '2 Kreuze');
    assert.equal(t('Not a text of ours'), 'Not a text of ours');
    assert.equal(skip.textContent, 'Direkt zum Inhalt');
    await setLanguage('en');
    assert.equal(skip.textContent, 'Skip to content');
});

test('0 in French is singular', async () => {
    await setLanguage('fr');
    assert.equal(tn('{n} point', '{n} points', 0), '0 point');
    assert.equal(tn('{n} point', '{n} points', 1), '1 point');
    assert.equal(tn('{n} point', '{n} points', 2), '2 points');
});

test('every language but English has words for pictures', async () => {
    for (const code of Object.keys(languages)) {
        await setLanguage(code);
        const all = Object.entries(words()).flat();
        assert.equal(all.length > 0, code !== 'en', code);
        assert(all.every((word) => word && !word.includes('\n')), code);
    }
    await setLanguage('es');
    assert.equal(words().line, 'línea');
});

test('every language has quotation marks of its own, and no others', async () => {
    const quotes = {de: /„[^„“]*“/g, nl: /‘[^‘’]*’/g, es: /«\S(?:[^«»]*\S)?»/g,
        fr: /«\u00a0\S(?:[^«»]*\S)?\u00a0»/g};
    for (const code of Object.keys(languages).filter((one) => one !== 'en')) {
        const {'': pictures, ...texts} = JSON.parse(readFileSync(join(build,
            `page/lang/${code}.json`)));
        const all = [...Object.values(texts), ...Object.values(pictures)].flat();
        assert(all.filter((text) => text.match(quotes[code])).length > 10, code);
        assert.deepEqual(all.filter((text) => /[„“”‘«»‹›"']/.test(text.replace(quotes[code], ''))),
            [], code);
        if (code === 'fr')
            assert.deepEqual(all.filter((text) => / [:;!%]| \?$/.test(text)), [], 'plain blanks');
    }
});

test('the reader’s choice comes before the browser’s languages', async () => {
    browserLanguages('pt-BR', 'nl-BE', 'de');
    await setLanguage('');
    assert.equal(language(), 'nl');
    assert.equal(settings.get('language'), '');
    await setLanguage('es');
    await setLanguage();
    assert.equal(language(), 'es');
    settings.set('language', 'constructor');
    await setLanguage();
    assert.equal(language(), 'nl');
    browserLanguages('pt');
    await setLanguage();
    assert.equal(language(), 'en');
});

test('without a network the language stays as it was', async () => {
    await setLanguage('de');
    heard.length = 0;
    network = false;
    assert.equal(await setLanguage('fr'), false);
    network = true;
    assert.equal(language(), 'de');
    assert.equal(t('Dark'), 'Dunkel');
    assert.equal(settings.get('language'), 'de');
    assert.deepEqual(heard, []);
});

test('of two choices the later one wins', async () => {
    let go;
    waiting = new Promise((resolve) => { go = resolve; });
    const first = setLanguage('fr');
    waiting = null;
    assert.equal(await setLanguage('nl'), true);
    go();
    assert.equal(await first, true);
    assert.equal(language(), 'nl');
    assert.equal(settings.get('language'), 'nl');
});
