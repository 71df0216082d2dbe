// A picture that can be looked at closely: two fingers, a wheel with Ctrl, or the buttons make it
// larger, one finger then moves it. Taps and clicks reach the picture as ever.
import {h} from './dom.js';
import {t} from '../app/texts.js';

const LARGEST = 4;
const STILL = 8; // pixels: a longer movement is a drag, not a tap

const between = (low, value, high) => Math.max(low, Math.min(value, high));

// Makes `inner`, the only child of `frame`, zoomable. Returns {zoom, reset, place, goTo, buttons,
// end}: place() is what is seen of it, for goTo() of one made anew;
// `buttons` is an element for use with a mouse or one finger, to be placed by the caller.
export function zoomable(frame, inner) {
    const fingers = new Map(); // pointerId: {x, y}
    let scale = 1, x = 0, y = 0;
    let moved = 0, pinched = false;

    frame.classList.add('zoom');
    inner.classList.add('zoom-inner');

    function show() {
        const {clientWidth: width, clientHeight: height} = frame;
        x = between(width * (1 - scale), x, 0);
        y = between(height * (1 - scale), y, 0);
        inner.style.transform = scale === 1 ? '' : `translate(${x}px, ${y}px) scale(${scale})`;
        frame.classList.toggle('zoomed', scale > 1);
        smaller.disabled = scale === 1;
        larger.disabled = scale === LARGEST;
    }

    // The point (px, py) of the frame stays where it is.
    function zoom(factor, px = frame.clientWidth / 2, py = frame.clientHeight / 2) {
        const next = between(1, scale * factor, LARGEST);
        const by = next / scale;
        x = px - (px - x) * by;
        y = py - (py - y) * by;
        scale = next;
        show();
    }

    function reset() {
        scale = 1;
        show();
    }

    const place = () => ({scale, x, y});

    function goTo(where) {
        if (!where || where.scale === scale)
            return;
        ({scale, x, y} = where);
        show();
    }

    function middle() {
        const box = frame.getBoundingClientRect();
        const spots = [...fingers.values()];
        const sum = (of) => spots.reduce((all, spot) => all + of(spot), 0) / spots.length;
        const spread = spots.length < 2 ? 0
            : Math.hypot(spots[0].x - spots[1].x, spots[0].y - spots[1].y);
        return {x: sum((spot) => spot.x) - box.left, y: sum((spot) => spot.y) - box.top, spread};
    }

    function down(event) {
        if (event.pointerType === 'mouse' && event.button !== 0)
            return;
        if (fingers.size === 0) {
            moved = 0;
            pinched = false;
        }
        fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
        pinched ||= fingers.size > 1;
    }

    function move(event) {
        const finger = fingers.get(event.pointerId);
        if (!finger || fingers.size > 2)
            return;
        const before = middle();
        moved += Math.hypot(event.clientX - finger.x, event.clientY - finger.y);
        fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
        if (scale === 1 && fingers.size < 2)
            return;
        const after = middle();
        if (moved < STILL)
            return;
        x += after.x - before.x;
        y += after.y - before.y;
        if (before.spread && after.spread)
            zoom(after.spread / before.spread, after.x, after.y);
        else
            show();
    }

    function up(event) {
        fingers.delete(event.pointerId);
        if (fingers.size === 0 && scale > 1 && scale < 1.05) reset(); // hardly meant
    }

    // What was a drag is not a click.
    function click(event) {
        if (pinched || (scale > 1 && moved >= STILL)) {
            event.stopPropagation();
            event.preventDefault();
        }
        moved = 0;
        pinched = false;
    }

    function wheel(event) {
        if (!event.ctrlKey)
            return;
        event.preventDefault();
        const box = frame.getBoundingClientRect();
        zoom(Math.exp(-event.deltaY / 200), event.clientX - box.left, event.clientY - box.top);
    }

    // Else the browser would scroll or zoom the page.
    function touch(event) {
        if (event.cancelable && (event.touches.length > 1 || scale > 1))
            event.preventDefault();
    }

    const smaller = h('button', {type: 'button', class: 'button quiet',
        'aria-label': t('Zoom out')}, '−');
    const larger = h('button', {type: 'button', class: 'button quiet',
        'aria-label': t('Zoom in')}, '+');
    smaller.addEventListener('click', () => zoom(1 / 1.6));
    larger.addEventListener('click', () => zoom(1.6));
    const buttons = h('div', { class: 'zoom-buttons', role: 'group',
        'aria-label': t('Zoom')}, smaller, larger);

    frame.addEventListener('pointerdown', down);
    frame.addEventListener('click', click, true);
    frame.addEventListener('wheel', wheel, {passive: false});
    frame.addEventListener('touchmove', touch, {passive: false});
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', up);
    const size = new ResizeObserver(show);
    size.observe(frame);
    show();

    function end() {
        size.disconnect();
        window.removeEventListener('pointermove', move);
        window.removeEventListener('pointerup', up);
        window.removeEventListener('pointercancel', up);
    }

    return {zoom, reset, place, goTo, buttons, end};
}
