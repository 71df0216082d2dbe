/* Keeps the state of a part of the page while it is rebuilt in another language, theme or width:
 * the focus, what was typed, chosen and opened, and how far it was scrolled. */

/* Those in an element with data-follows only show what is kept already. */
const FIELDS = ['input:not([type=file])', 'select', 'textarea']
    .map((field) => `${field}:not([data-follows] *)`).join();
const FOCUSABLE = 'button, a[href], input, select, textarea, summary, [tabindex]';
const NAMES = ['id', 'data-key', 'data-game', 'data-seat', 'data-event'];

/* A selector that finds the counterpart of `element` in `root` after that was rebuilt: a path from
 * the nearest unique name, by positions among elements of the same type. */
function addressOf(root, element) {
    const steps = [];
    for (let one = element; one !== root; one = one.parentElement) {
        const names = NAMES.filter((name) => one.hasAttribute(name))
            .map((name) => `[${name}="${CSS.escape(one.getAttribute(name))}"]`);
        const unique = names.find((name) => root.querySelectorAll(name).length === 1);
        if (unique) return [unique, ...steps].join(' > ');
        const alike = [...one.parentElement.children].filter(({tagName}) =>
            tagName === one.tagName);
        steps.unshift(`${one.tagName.toLowerCase()}:nth-of-type(${alike.indexOf(one) + 1})`);
    }
    return [':scope', ...steps].join(' > ');
}

const isTicked = ({type}) => type === 'checkbox' || type === 'radio';

/* Fills in a field as a reader would. */
function putField(field, {value, checked, selection}) {
    const [name, kept] = isTicked(field) ? ['checked', checked] : ['value', value];
    const canBe = !field.options || [...field.options].some((one) => one.value === value);
    if (field[name] !== kept && canBe) {
        field[name] = kept;
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type,
            {bubbles: true}));
    }
    if (selection) field.setSelectionRange(...selection);
}

function readField(field) {
    const hasText = field.selectionStart !== null && field.selectionStart !== undefined;
    return {value: field.value, checked: field.checked, selection: hasText &&
        [field.selectionStart, field.selectionEnd, field.selectionDirection]};
}

/* Functions that put back what there is in `root` now, each of which is false if its element is not
 * there yet. The focus comes last, because filling in a field may move it; when it is put back
 * later, it is not taken from where the reader or the screen has put it meanwhile. */
function remember(root) {
    const put = [];
    const note = (element, act) => {
        const address = addressOf(root, element);
        put.push((isLate) => {
            const found = root.querySelector(address);
            if (found) act(found, isLate);
            return Boolean(found);
        });
    };
    for (const field of root.querySelectorAll(FIELDS)) {
        const kept = readField(field);
        if (field.type !== 'radio' || kept.checked) note(field, (one) => putField(one, kept));
    }
    for (const one of root.querySelectorAll('details')) {
        const {open} = one;
        note(one, (found) => {
            found.open = open;
        });
    }
    for (const one of root.querySelectorAll(':not(svg, svg *)')) {
        const {scrollLeft: left, scrollTop: top} = one;
        if (left || top) note(one, (found) => found.scrollTo({left, top, behavior: 'instant'}));
    }
    const {scrollX: left, scrollY: top} = window;
    put.push(() => {
        window.scrollTo({left, top, behavior: 'instant'});
        return true;
    });
    const focused = document.activeElement;
    if (root.contains(focused) && focused !== root) note(focused, (found, isLate) => {
        if (isLate && !isFree()) return;
        if (document.activeElement !== found) found.focus({preventScroll: true});
    });
    return put;
}

const isFree = () => document.activeElement === null || document.activeElement === document.body;

/* Focuses what is nearest to an element that is gone or cannot have the focus any more: `places`
 * are the addresses of what it was in, from the inside out. */
function focusNear(root, places) {
    for (const place of places) {
        for (const one of root.querySelector(place)?.querySelectorAll(FOCUSABLE) ?? []) {
            one.focus({preventScroll: true});
            if (!isFree()) return;
        }
    }
}

/* Calls make(), which rebuilds what is in `root`, and restores its state. */
export function staying(root, make) {
    const put = remember(root);
    const places = [];
    let one = root.contains(document.activeElement) && document.activeElement;
    for (; one && one !== root; one = one.parentElement) places.push(addressOf(root, one));
    make();
    for (const act of put) act();
    if (places.length > 0 && isFree()) focusNear(root, places);
}

/* The same where make() resolves when most of it is there; with false if something else is. What
 * comes later, such as an answer of a server, is waited for until the reader does something. If
 * `root` has been left meanwhile, nothing is put back. */
export async function stayingLater(root, make) {
    const put = remember(root);
    if (await make() === false || !root.isConnected) return;
    let left = put.filter((act) => !act());
    if (left.length === 0) return;
    const waiting = new MutationObserver(() => {
        left = left.filter((act) => !act(true));
        if (left.length === 0) stop();
    });
    const stop = () => {
        waiting.disconnect();
        for (const type of ['pointerdown', 'keydown', 'hashchange'])
            window.removeEventListener(type, stop, true);
    };
    for (const type of ['pointerdown', 'keydown', 'hashchange'])
        window.addEventListener(type, stop, true);
    waiting.observe(root, {childList: true, subtree: true});
}
