/* Where the reader is: the browser's variant of the page's language, and days by its clock. */
import {language, locales} from './texts.js';

/* The browser's variant of the page's language, for dates: British or American English. */
export const locale = () => locales().find((tag) => tag.split('-')[0] === language()) ?? language();

/* The country of the preferred language, 'US'; undefined if it names none. */
export const country = () => new Intl.Locale(locales()[0] ?? 'en').region;

/* The day of a moment, by default of now, as records and names of files have it: '2025-06-30'. */
export function dayOf(time = Date.now()) {
    const date = new Date(time);
    const part = (n, digits) => String(n).padStart(digits, '0');
    return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1, 2)}-${
        part(date.getDate(), 2)}`;
}

/* A moment in the middle of such a day; NaN if it is none. */
export function noonOf(day) {
    return /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T12:00:00`) : NaN;
}
