/* Creates and fills elements; dialogs, notices and announcements. Independent of any game. */
import {t} from '../app/texts.js';

export const SVG = 'http://www.w3.org/2000/svg';

/* h('button', {class: 'button', onclick: f, disabled: false}, 'Play'): attributes that are false,
 * null or undefined are left out, true ones are set to ''; on… are listeners; `data` is an
 * object of data-…; value and checked are properties. Children: nodes, texts, numbers, arrays of
 * them; false and null are left out. */
export function h(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === false || value === null || value === undefined) continue;
        if (name.startsWith('on')) listen(element, name.slice(2), value);
        else if (name === 'data') Object.assign(element.dataset, value);
        else if (name === 'value' || name === 'checked') element[name] = value;
        else element.setAttribute(name, value === true ? '' : value);
    }
    add(element, children);
    return element;
}

const listeners = new WeakMap(); /* what h() was given: an element's {type: listener} */

function listen(element, type, act) {
    const own = listeners.get(element) ?? {};
    listeners.set(element, own);
    if (!(type in own)) element.addEventListener(type, (event) => own[type]?.(event));
    own[type] = act;
}

/* Gives an element the listeners of another, for those that it has from h(). */
export function listenAs(element, other) {
    const own = listeners.get(element);
    const theirs = listeners.get(other);
    if (!own && !theirs) return;
    for (const type of Object.keys({...own, ...theirs})) listen(element, type, theirs?.[type]);
}

function add(element, children) {
    for (const child of children) {
        if (Array.isArray(child)) add(element, child);
        else if (child !== null && child !== undefined && child !== false) element.append(child);
    }
}

/* Puts other children into an element. */
export function fill(element, ...children) {
    element.replaceChildren();
    add(element, children);
    return element;
}

/* Returns an SVG drawn by C as an element; text that is not SVG gives an empty one. Screen readers
 * get one image with its title: the names in it, read one by one, would make no sense. */
export function svg(text) {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    if (parsed.nodeName === 'svg') {
        if (parsed.querySelector(':scope > title')) parsed.setAttribute('role', 'img');
        return document.adoptNode(parsed);
    }
    return document.createElementNS(SVG, 'svg');
}

/* The same for some parts of such a picture, in an <svg> that is only there to hold them. That
 * takes half the time, since they need no document of their own. */
export function svgParts(text) {
    const holder = document.createElementNS(SVG, 'svg');
    holder.innerHTML = text;
    return holder;
}

/* Gives an element the attributes of another. The content security policy lets scripts set styles,
 * but not the attribute `style`. */
export function takeAttributes(element, wanted) {
    const names = wanted.getAttributeNames();
    for (const name of names) {
        const value = wanted.getAttribute(name);
        if (element.getAttribute(name) === value) continue;
        if (name === 'style') element.style.cssText = wanted.style.cssText;
        else element.setAttribute(name, value);
    }
    if (element.attributes.length === names.length) return;
    for (const name of element.getAttributeNames())
        if (!wanted.hasAttribute(name)) element.removeAttribute(name);
}

/* Whether the dark theme is on. onTheme calls back after changes and returns a function that stops
 * that. */
export const isDark = () => document.documentElement.dataset.theme === 'dark';

export function onTheme(listener) {
    window.addEventListener('endstation-theme', listener);
    return () => window.removeEventListener('endstation-theme', listener);
}

/* Whether animations are allowed by both the system and the settings. */
export const animationsAllowed = () => document.documentElement.dataset.motion !== 'none' &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches;

/* Announces a text to screen readers; `now` interrupts. A repeated text is announced again. */
export function announce(text, now = false) {
    const live = document.getElementById(now ? 'live-now' : 'live');
    const line = h('p', {}, text);
    live.append(line);
    setTimeout(() => line.remove(), 5000);
}

/* Outlines on a grid of 24 by 24, with a stroke of 2. Each has the same meaning everywhere. */
const ICONS = {
    games: 'M4 6h16M4 12h16M4 18h10',
    help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.2' +
        'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0',
    settings: 'M4 7h8M18 7h2M4 17h2M12 17h8M12 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0' +
        'M6 17a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
    light: 'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 ' +
        '17l1.4 1.4M5.6 18.4l1.4-1.4M17 7l1.4-1.4',
    dark: 'M19.5 14.5a8 8 0 0 1-10-10a8 8 0 1 0 10 10z',
    auto: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 3v18M15.3 4v16M18.3 6.500v11',
    play: 'M7 5l12 7l-12 7z',
    pause: 'M8 5v14M16 5v14',
    first: 'M19 5l-10 7l10 7zM5 5v14',
    last: 'M5 5l10 7l-10 7zM19 5v14',
    setup: 'M5 4v6M5 14v6M12 4v3M12 11v9M19 4v9M19 17v3M3 12h4M10 9h4M17 15h4',
    again: 'M4 11a8 8 0 0 1 14-4l2 2M20 4v5h-5M20 13a8 8 0 0 1-14 4l-2-2M4 20v-5h5',
    stock: 'M8 4h12v12h-12zM4 8v12h12',
    turn: 'M20 12a8 8 0 1 1-3-6.2M17 2.5v4h-4',
    replay: 'M4 12a8 8 0 1 0 3-6.2M7 2.5v4h4',
    share: 'M12 15V4M8 7.5L12 3.5l4 4M6 11H5v9h14v-9h-1',
    save: 'M12 4v11M8 11.5l4 4l4-4M5 20h14',
    open: 'M12 20V9M8 12.5l4-4l4 4M5 4h14',
    print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
    bin: 'M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5',
    plus: 'M12 5v14M5 12h14',
    minus: 'M5 12h14',
    close: 'M6 6l12 12M18 6L6 18',
    back: 'M11 5l-7 7l7 7M4 12h16',
    next: 'M13 5l7 7l-7 7M20 12H4',
    person: 'M8.5 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M5 20c0-4 3-6 7-6s7 2 7 6',
    bot: 'M6 9h12v9h-12zM12 9V5M10 4.5h4M9.5 13v1M14.5 13v1M6 13H3.5M20.5 13H18',
    online: 'M6 8a3 3 0 1 0 6 0a3 3 0 1 0-6 0M3 19c0-3.5 2.5-5 6-5s6 1.5 6 5M15 5.3a3 3 0 0 1 0 ' +
        '5.4M17.5 14.5c2.3.6 3.5 2 3.5 4.5',
    chat: 'M4 5h16v11h-9l-5 4v-4H4z',
    undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4',
    hint: 'M9 17h6M10 20.5h4M12 3a6 6 0 0 0-3.5 10.9V17h7v-3.1A6 6 0 0 0 12 3z',
    sound: 'M4 9.5v5h4l5 4v-13l-5 4zM16.5 9a4 4 0 0 1 0 6M18.8 6.5a8 8 0 0 1 0 11',
    check: 'M5 12.5l5 5l9-10.5',
    proof: 'M12 3l7 3v5c0 5-3 8-7 10c-4-2-7-5-7-10v-5z',
    keys: 'M3 7h18v10h-18zM7 11h.1M11 11h.1M15 11h.1M8 14h8',
    list: 'M9 6h11M9 12h11M9 18h11M4 6h.1M4 12h.1M4 18h.1',
    text: 'M5 8V5h14v3M12 5v14M9 19h6',
    sum: 'M17 7V5H7l6 7l-6 7h10v-2',
    chart: 'M4 20h16M4 15l5-7l5 4l6-8',
    flag: 'M6 21V4M6 5h12l-3 4l3 4H6',
    keep: 'M7 4h10v16l-5-4l-5 4z',
    card: 'M7 3h10v18H7zM10 10l4 4M14 10l-4 4',
    unknown: 'M4 4h16v16H4zM9.8 9.5a2.2 2.2 0 1 1 3.3 1.9c-.8.5-1.1.9-1.1 1.8M12 16.3v.1',
    install: 'M7 3h10v18H7zM12 7v7M9 11.2l3 3l3-3',
    more: 'M5 12h.1M12 12h.1M19 12h.1',
};

/* A decorative icon, hidden from screen readers. */
export function icon(name) {
    const picture = document.createElementNS(SVG, 'svg');
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', ICONS[name] ?? '');
    picture.setAttribute('viewBox', '0 0 24 24');
    picture.setAttribute('class', 'icon');
    picture.setAttribute('aria-hidden', 'true');
    picture.append(path);
    return picture;
}

/* A button with an icon before its words. */
export function button(label, attributes = {}, picture = '') {
    const {class: more = '', ...rest} = attributes;
    return h('button', {type: 'button', class: `button ${more}`.trim(), ...rest},
        picture && icon(picture), h('span', {}, label));
}

let dialogs = 0;

/* Everything outside the topmost dialog can neither be reached nor heard, so notices and
 * announcements are in there while it is open. */
function takeNotices() {
    const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    top.append(...['notices', 'live', 'live-now'].map((id) => document.getElementById(id)));
}

/* Opens a dialog and resolves with the `value` of the button pressed, or null if it was closed
 * in another way:
 *
 *     await dialog({title, body: [nodes or texts], actions: [{label, value, primary, danger}]})
 *
 * `opened(element, close)` is called once it is open; close(value) closes it. */
export function dialog({title, body = [], actions = [], wide = false, opened}) {
    return new Promise((resolve) => {
        const id = `dialog-title-${++dialogs}`; /* one may be open over another */
        let answer = null;
        let isBeside = false; /* whether the latest press began, and ended, beside the dialog */
        const close = (value) => {
            answer = value ?? null;
            element.close();
        };
        const buttons = actions.map(({label, value, primary, danger}) => h('button', {
            type: 'button',
            class: `button${primary ? ' primary' : ''}${danger ? ' danger' : ''}`,
            autofocus: primary,
            onkeydown: (event) => event.repeat && event.preventDefault(),
            onclick: () => close(value),
        }, label));
        const element = h('dialog', {class: wide ? 'dialog wide' : 'dialog',
            'aria-labelledby': id},
        h('div', {class: 'dialog-head'},
            h('h2', {id}, title),
            h('button', {type: 'button', class: 'button quiet square', 'aria-label': t('Close'),
                onclick: () => close(null)}, icon('close'))),
        h('div', {class: 'dialog-body'}, body),
        buttons.length > 0 && h('div', {class: 'dialog-foot'}, buttons));
        /* A click beside it closes it, but not one that only ends there, as when text is selected:
         * its target is the dialog, too. */
        for (const type of ['pointerdown', 'pointerup']) element.addEventListener(type,
            ({target}) => {
                isBeside = target === element && (isBeside || type === 'pointerdown');
            });
        element.addEventListener('click', ({target}) =>
            target === element && isBeside && close(null));
        element.addEventListener('close', () => {
            takeNotices();
            element.remove();
            resolve(answer);
        });
        document.body.append(element);
        element.showModal();
        takeNotices();
        opened?.(element, close);
    });
}

/* Shows a notice at the foot of the page, which disappears automatically unless `stay` is set;
 * `label` and `action` make a button. Returns a function that removes it. */
export function toast(text, {label, action, stay = false, warn = false} = {}) {
    const notices = document.getElementById('notices');
    const remove = () => notice.remove();
    const notice = h('div', {class: warn ? 'notice warn' : 'notice'}, h('p', {}, text),
        label && h('button', {type: 'button', class: 'button quiet', onclick: () => {
            remove();
            action();
        }}, label),
        h('button', {type: 'button', class: 'button quiet square', 'aria-label': t('Close'),
            onclick: remove}, icon('close')));
    if (stay) notice.dataset.stays = '';
    for (const old of [...notices.children].slice(0, -2)) /* an action is not lost unseen */
        if (!('stays' in old.dataset)) old.remove();
    notices.append(notice);
    announce(text, warn);
    if (!stay) setTimeout(remove, label ? 10000 : 6000);
    return remove;
}
