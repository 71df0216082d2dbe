/* The words of the page. Texts are English in the code and come from po/ in other languages:
 *
 *     t('Round {n}', {n: 5})                       a text, with values
 *     tn('{n} mark', '{n} marks', 3)               the same with a number that decides the form
 *     const ALL = [english('Light'), english('Dark')];   texts kept for later: t(ALL[0]) // text
 *
 * When the language changes, `language` is fired at the document, and all texts are shown again. A
 * text without a translation is shown in English.
 */
import {settings} from '../store/store.js';

/* In the order in which they are offered, each by its own name. */
export const languages = {
    en: 'English',
    de: 'Deutsch',
    nl: 'Nederlands',
    fr: 'Français',
    es: 'Español',
};

let current = 'en';
let catalogue = {};
let numbers = new Intl.NumberFormat('en');
let plurals = new Intl.PluralRules('en');
let latest = 0;

/* The code of the language that the page speaks. */
export function language() {
    return current;
}

/* A number as readers of the language write it, with `digits` decimals if given. */
export function number(value, digits) {
    const format = digits === undefined ? numbers : new Intl.NumberFormat(current,
        {minimumFractionDigits: digits, maximumFractionDigits: digits});
    return format.format(value).replace('-', '−');
}

/* Letters that are written from right to left. */
const RIGHT_TO_LEFT = new RegExp(`[${['Hebrew', 'Arabic', 'Syriac', 'Thaana', 'Nko', 'Adlam']
    .map((script) => `\\p{Script=${script}}`).join('')}]`, 'u');

/* A value for the middle of a sentence. One that is written from right to left is isolated, so that
 * it does not turn around the numbers beside it. */
function isolated(value) {
    return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}

function filled(text, values) {
    return text.replace(/\{(\w+)\}/g, (all, name) => {
        const value = values?.[name];
        if (value === undefined) {
            return all;
        }
        return typeof value === 'number' ? number(value) : isolated(String(value));
    });
}

/* The translation of an English text, with {name} filled in from `values`; numbers are written in
 * the way of the language. */
export function t(text, values) {
    const said = Object.hasOwn(catalogue, text) ? catalogue[text] : text;
    return filled(typeof said === 'string' ? said : text, values);
}

/* … of a text that depends on the number `n`, which is {n} in it. */
export function tn(one, many, n, values) {
    const said = Object.hasOwn(catalogue, one) ? catalogue[one] : null;
    const forms = Array.isArray(said) ? said : [one, many];
    return filled(forms[plurals.select(n) === 'one' ? 0 : 1], {n, ...values});
}

/* Marks a text for the translators where it is not said yet. */
export function english(text) {
    return text;
}

/* The words of the pictures' titles for engine.words(): {English: translation}, empty for English.
 */
export function words() {
    return catalogue[''] ?? {};
}

/* A tag as Intl takes it. Systems also have 'en-US@posix', 'de_AT.UTF-8' and 'C'; what cannot be
 * read is ''. */
function validTag(tag) {
    try {
        return Intl.getCanonicalLocales(String(tag).split(/[@.]/)[0].replaceAll('_', '-'))[0] ?? '';
    } catch {
        return '';
    }
}

/* The browser's languages as such tags, the preferred one first. */
export const locales = () => [...navigator.languages ?? [], navigator.language].map(validTag)
    .filter(Boolean);

/* What the reader chose before, else the first of the browser's languages that we speak. */
function wanted(chosen = settings.get('language')) {
    const codes = [chosen, ...locales()].map((code) => String(code).split('-')[0]);
    return codes.find((code) => Object.hasOwn(languages, code)) ?? 'en';
}

async function load(code) {
    if (code === 'en') {
        return {};
    }
    const answer = await fetch(new URL(`../lang/${code}.json`, import.meta.url));
    if (!answer.ok) {
        throw new Error(`${answer.status} ${answer.url}`);
    }
    return answer.json();
}

/* Elements of index.html say what they are for in English, until somebody knows better. */
const marked = new Map();

function translateMarked() {
    for (const element of document.querySelectorAll('[data-t]')) {
        if (!marked.has(element)) {
            marked.set(element, element.textContent.trim());
        }
        element.textContent = t(marked.get(element)); // text
    }
}

/* Changes the language and remembers it ('': that of the browser); without a code it is the one
 * chosen before. False: it could not be loaded, and nothing has changed. If another language is
 * chosen while one is being loaded, the later choice counts, and the earlier one is no failure. */
export async function setLanguage(code) {
    const ticket = ++latest;
    const next = Object.hasOwn(languages, code ?? '') ? code : wanted(code);
    let loaded = null;
    try {
        loaded = await load(next);
    } catch (error) {
        console.warn('language', next, error);
    }
    if (ticket !== latest) {
        return true;
    }
    if (!loaded) {
        return false;
    }
    current = next;
    catalogue = loaded;
    numbers = new Intl.NumberFormat(next);
    plurals = new Intl.PluralRules(next);
    document.documentElement.lang = next;
    if (code !== undefined) {
        settings.set('language', code);
    }
    translateMarked();
    document.dispatchEvent(new Event('language'));
    return true;
}
