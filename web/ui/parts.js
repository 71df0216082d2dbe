/* Building blocks for the panels of the table and of its faces. */
import {SVG, h, listenAs, svg, takeAttributes} from './dom.js';
import {t} from '../app/texts.js';
import {full, tell} from './words.js';

/* ---- Filling again -------------------------------------------------------------------------- */

const FIELDS = new Set(['INPUT', 'SELECT', 'TEXTAREA']); /* know more than their attributes */

const own = new WeakSet();

/* Marks elements that their owner keeps and shows again: refill() must not change them into others,
 * nor others into them. */
export function keepApart(...nodes) {
    nodes.forEach((node) => own.add(node));
}

/* Whether an element can be changed into another instead of being replaced. */
function alike(node, wanted) {
    return node.nodeName === wanted.nodeName &&
        node.getAttribute?.('data-key') === wanted.getAttribute?.('data-key') &&
        !FIELDS.has(node.nodeName) && !own.has(node) && !own.has(wanted);
}

function childrenOf(node) {
    const children = [];
    for (let child = node.firstChild; child; child = child.nextSibling) {
        children.push(child);
    }
    return children;
}

/* Changes a node into another, touching only what differs. Parts of pictures have no listeners, so
 * equal ones are left as they are. */
export function become(node, wanted) {
    if (node.nodeType === Node.TEXT_NODE) {
        if (node.data !== wanted.data) {
            node.data = wanted.data;
        }
    } else if (node.namespaceURI !== SVG || !node.isEqualNode(wanted)) {
        takeAttributes(node, wanted);
        listenAs(node, wanted);
        takeChildren(node, childrenOf(wanted));
    }
}

function takeChildren(element, wanted) {
    let here = element.firstChild;
    const pass = (act) => {
        const next = here.nextSibling;
        act?.(here);
        here = next;
    };
    for (const child of wanted) {
        if (child.parentNode === element) {
            while (here && here !== child) {
                pass((other) => other.remove());
            }
            if (here) {
                pass();
            } else {
                element.append(child);
            }
        } else if (here && alike(here, child)) {
            pass((node) => become(node, child));
        } else {
            element.insertBefore(child, here);
        }
    }
    while (here) {
        pass((other) => other.remove());
    }
}

/* Gives an element other children: elements, texts, lists of them, or false. What is the same
 * stays, so the browser draws only what has changed, and focus, scrolling and a button that is
 * being pressed are not lost. Elements with different data-keys are never the same. If the one with
 * the focus goes, or is disabled, another button gets it. */
export function refill(element, ...children) {
    const active = document.activeElement;
    const key = element.contains(active) ? active.dataset.key : '';
    takeChildren(element, children.flat(Infinity).filter(Boolean).map((one) =>
        (one instanceof Node ? one : document.createTextNode(one))));
    if (!key) {
        return;
    }
    const next = element.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const found = next && !next.disabled ? next : element.querySelector('button:enabled');
    if (found !== document.activeElement) {
        found?.focus({preventScroll: true});
    }
}

/* ---- Pictures, tables, lists ---------------------------------------------------------------- */

const READ_MOST = 200;
const read = new Map(); /* small pictures, by what C wrote: there are few, and they come again */

/* A picture that C drew, small among words: `label` says what it shows, where they do not. */
export function drawn(text, name, label = '') {
    if (read.size >= READ_MOST) {
        read.clear();
    }
    if (!read.has(text)) {
        read.set(text, svg(text));
    }
    const picture = read.get(text).cloneNode(true);
    picture.setAttribute('class', name);
    if (label) {
        picture.setAttribute('role', 'img');
        picture.setAttribute('aria-label', label);
    } else {
        picture.setAttribute('aria-hidden', 'true');
    }
    return picture;
}

/* A table of facts: headings, then rows whose first cell names them. */
export function factTable(caption, heads, rows) {
    return h('table', {class: 'facts'},
        h('caption', {}, caption),
        heads.length > 0 && h('thead', {}, h('tr', {}, heads.map((text) =>
            text ? h('th', {scope: 'col'}, text) : h('td', {})))),
        h('tbody', {}, rows.map(([first, ...rest]) => h('tr', {}, h('th', {scope: 'row'}, first),
            rest.map((cell) => h('td', {}, cell))))));
}

/* What has happened, the latest first; line(fact, text) makes the content of an entry. */
export function logList(facts, state, line = (fact, text) => text) {
    const items = facts.map((fact, i) => {
        const text = fact.what !== 'deal' && full(tell(fact, state));
        return text && h('li', {class: `log-${fact.what}`, 'data-key': `fact-${i}`},
            line(fact, text));
    });
    return h('ol', {class: 'log', reversed: true}, items.filter(Boolean).reverse());
}

/* Something is being worked on, and can be cancelled. `share`: 0 to 1, or null if unknown. */
export function progress(label, share, cancel) {
    return h('div', {class: 'progress'},
        h('label', {}, label, share === null ? h('progress', {}) :
            h('progress', {value: share, max: 1})),
        cancel && h('button', {type: 'button', class: 'button quiet', 'data-key': 'cancel',
            onclick: cancel}, t('Cancel')));
}
