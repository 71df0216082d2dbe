/* Building blocks for the panels of the table and of its faces. */
import {fill, h, svg} from './dom.js';
import {t} from './texts.js';
import {full, tell} from './words.js';

/* Where elements are scrolled to. Asking them would make the browser lay out the page each time. */
const scrolled = new WeakMap();

function watchScrolling(element) {
    const place = {left: element.scrollLeft, top: element.scrollTop};
    element.addEventListener('scroll', () => {
        place.left = element.scrollLeft;
        place.top = element.scrollTop;
    }, {passive: true});
    scrolled.set(element, place);
}

/* Replaces the children of an element. The element with the same data-key keeps the focus, and
 * scroll positions are kept. */
export function refill(element, ...children) {
    const active = document.activeElement;
    const key = element.contains(active) ? active.dataset.key : '';
    if (!scrolled.has(element)) {
        watchScrolling(element);
    }
    const {left, top} = scrolled.get(element);
    fill(element, ...children);
    if (left || top) {
        element.scrollTo(left, top);
    }
    if (key) {
        const next = element.querySelector(`[data-key="${CSS.escape(key)}"]`);
        (next && !next.disabled ? next : element.querySelector('button:enabled'))
            ?.focus({preventScroll: true});
    }
}

/* A picture that C drew, small among words: `label` says what it shows, where they do not. */
export function drawn(text, name, label = '') {
    const picture = svg(text);
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
    const items = facts.filter(({what}) => what !== 'deal').map((fact) => {
        const text = full(tell(fact, state));
        return text && h('li', {class: `log-${fact.what}`}, line(fact, text));
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
