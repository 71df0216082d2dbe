/* The big picture of a table, with taps, pointing and zoom. Fingers are thick and stations small,
 * so a tap means the nearest part within reach. */
import {h, svg, svgParts} from '../ui/dom.js';
import {become} from '../ui/parts.js';
import {zoomable} from '../ui/zoom.js';

const REACH = {mouse: 16, pen: 20, touch: 34}; /* pixels */
const STILL = 8; /* pixels: more is a drag */
export const NEAR = 24; /* pixels between the taps of a double tap */
export const DOUBLE_TAP_MS = 400; /* between them */

/* How far a point is from a box; inside, the nearer its middle, the nearer. */
function distance(box, x, y) {
    const dx = Math.max(box.left - x, 0, x - box.right);
    const dy = Math.max(box.top - y, 0, y - box.bottom);
    const middle = Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2);
    return Math.hypot(dx, dy) + middle / 1000;
}

function nearest(picture, selector, x, y, reach) {
    let found = null;
    let least = reach;
    for (const part of picture.querySelectorAll(selector)) {
        const far = distance(part.getBoundingClientRect(), x, y);
        if (far < least) {
            least = far;
            found = part;
        }
    }
    return found;
}

const HEAD = 2; /* lines: the size of the picture, and its paper */
const END = '</svg>';

/* The elements of a picture, by the line of its text: [[title], [rect], [g], …]. Line ends go. */
function partsByLine(picture) {
    const lines = [[]];
    for (const node of [...picture.childNodes]) {
        if (node.nodeType === Node.TEXT_NODE) {
            lines.push([]);
            node.remove();
        } else {
            lines.at(-1).push(node);
        }
    }
    return lines;
}

/* A part that is drawn otherwise has the same id, or class: '<g id="station-r4" …'. */
const PART = '<g ';
const nameOf = (line) => (line.startsWith(PART)
    ? line.slice(0, line.indexOf('"', line.indexOf('"') + 1)) : line);

/* For each name where its part was before; undefined: it is new. What is found stays in order. */
function samePlaces(before, names) {
    if (names.length === before.length && names.every((name, i) => name === before[i])) {
        return names.map((_, i) => i);
    }
    const places = new Map();
    before.forEach((name, i) => places.set(name, [...places.get(name) ?? [], i]));
    let next = 0;
    return names.map((name) => {
        const place = places.get(name)?.find((i) => i >= next);
        next = place === undefined ? next : place + 1;
        return place;
    });
}

export class Pane {
    /* tap(spot) returns true if a double tap there is one tap; else it zooms, and untap() undoes
     * what its first tap did. point(spot or null) is called as a mouse moves, at most once a
     * frame. */
    constructor(label, {tap, untap, point}) {
        this.untap = untap;
        this.kind = 'mouse';
        this.inner = h('div', {class: 'pane-inner'});
        this.frame = h('div', {class: 'pane-frame', 'data-guide': 'picture'}, this.inner);
        this.zoom = zoomable(this.frame, this.inner);
        this.notes = h('div', {class: 'pane-notes', 'aria-hidden': 'true'});
        this.captionText = h('p', {class: 'pane-caption', 'aria-hidden': 'true'});
        this.element = h('section', {class: 'pane', 'aria-label': label}, this.frame,
            this.captionText, this.notes);
        this.frame.addEventListener('pointerdown', (event) => {
            this.kind = event.pointerType || 'mouse';
        });
        this.frame.addEventListener('click', (event) => this.tapped(event, tap));
        this.watchPress(tap);
        this.watchPointer(point);
    }

    get picture() {
        return this.inner.firstElementChild;
    }

    /* Shows a picture that C drew, as text. `moved`: there is a new event, whose marks may be
     * animated. */
    show(text, moved) {
        const before = moved && new Set([...this.inner.querySelectorAll('.mark:not(.planned)')]
            .map((mark) => mark.parentNode.id));
        this.inner.classList.toggle('pane-moved', moved);
        if (!this.patch(text)) {
            this.put(svg(text), text);
        }
        if (moved) {
            this.prepareMarks(before);
        }
        if (this.frame.classList.contains('zoomed') && !this.showsPlan()) {
            this.zoom.reset();
        }
    }

    /* Says over the picture what it shows, if that is not what is now. */
    caption(text) {
        this.captionText.textContent = text;
        this.element.classList.toggle('past', text !== '');
    }

    /* Shows a few words over the picture for a while. */
    note(text, time) {
        const line = h('p', {}, text);
        this.notes.append(line);
        setTimeout(() => line.remove(), time);
    }

    /* Whether something of the plan, if there is one, can be seen. */
    showsPlan() {
        const plan = [...this.inner.querySelectorAll('.planned')];
        const frame = this.frame.getBoundingClientRect();
        return plan.length === 0 || plan.some((part) => {
            const {left, right, top, bottom} = part.getBoundingClientRect();
            return right > frame.left && left < frame.right && bottom > frame.top &&
                top < frame.bottom;
        });
    }

    put(picture, text) {
        const {width, height} = picture.viewBox.baseVal;
        this.frame.style.setProperty('--shape', `${width} / ${height}`);
        this.frame.style.background = picture.querySelector('.paper')?.getAttribute('fill') ?? '';
        if (this.picture) {
            this.picture.replaceWith(picture); /* lights that run over it continue */
        } else {
            this.inner.append(picture);
        }
        this.lines = text.split('\n');
        this.names = this.lines.map(nameOf);
        this.parts = partsByLine(picture);
    }

    /* Most pictures differ from the one before in a few parts, and C writes a part a line: only
     * lines that have changed are read, and put into the picture that is there. Returns false if it
     * is quite another picture. */
    patch(text) {
        const lines = text.split('\n');
        const last = lines.length - 1;
        const names = lines.map(nameOf);
        const places = this.lines ? samePlaces(this.names, names) : [];
        const fresh = lines.flatMap((line, i) => (line === this.lines?.[places[i]] ? [] : [i]));
        if (fresh.some((i) => i < HEAD || lines[i].endsWith(END)) || fresh.length > last / 2) {
            return false;
        }
        const read = partsByLine(svgParts(fresh.map((i) => lines[i]).join('\n')));
        const parts = places.map((place) => this.parts[place]);
        fresh.forEach((i, at) => {
            if (parts[i]?.length === 1 && read[at].length === 1) {
                become(parts[i][0], read[at][0]); /* the same name, so it is a <g> too */
            } else {
                parts[i] = read[at];
                places[i] = undefined;
            }
        });
        const stay = new Set(places);
        this.parts.forEach((old, i) => stay.has(i) || old.forEach((part) => part.remove()));
        for (let i = last, next = null; i >= 0; i--) {
            if (places[i] === undefined) {
                parts[i].forEach((part) => this.picture.insertBefore(part, next));
            }
            next = parts[i]?.[0] ?? next;
        }
        this.lines = lines;
        this.names = names;
        this.parts = parts;
        return true;
    }

    /* What C wrote of a part, by its id. */
    written(id) {
        return this.lines?.[this.names.indexOf(`${PART}id="${id}`)] ?? '';
    }

    /* Marks that were not there before are drawn in by a pen, which counts a stroke as 1 long. */
    prepareMarks(before) {
        for (const mark of this.inner.querySelectorAll('.mark.drawn')) {
            mark.classList.remove('drawn');
        }
        for (const mark of this.picture.querySelectorAll('.mark.fresh')) {
            if (!before.has(mark.parentNode.id)) {
                mark.classList.add('drawn');
                mark.querySelectorAll('path').forEach((path) =>
                    path.setAttribute('pathLength', '1'));
            }
        }
    }

    /* Where a finger or the mouse is. part(selector): the id of the nearest such part within reach,
     * or ''; under(selector): of the one that lies right there. */
    spot(event) {
        const {clientX: x, clientY: y, target} = event;
        /* The picture was redrawn since, so the event's target is detached. */
        const there = this.picture?.contains(target) ? target : document.elementFromPoint(x, y);
        const id = (part) => part?.id ?? '';
        return {
            x, y, touch: this.kind === 'touch',
            part: (selector, reach = REACH[this.kind] ?? REACH.touch) =>
                id(nearest(this.picture, selector, x, y, reach)),
            under: (selector) => id(there?.closest(selector)),
        };
    }

    /* If the picture is redrawn between press and release, browsers send no click; this makes up
     * for it. (Touches are handled when the finger is lifted.) */
    watchPress(tap) {
        let press = null;
        this.frame.addEventListener('pointerdown', ({pointerType, button, target, clientX: x,
            clientY: y}) => {
            press = pointerType === 'mouse' && button === 0 ? {target, x, y, clicked: false} : null;
        });
        this.frame.addEventListener('click', () => {
            if (press) {
                press.clicked = true;
            }
        }, true);
        this.frame.addEventListener('pointerup', (event) => {
            const pressed = press;
            if (!pressed || this.picture.contains(pressed.target) ||
                Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) >= STILL) {
                return;
            }
            /* A click comes first. */
            setTimeout(() => pressed.clicked || this.tapped(event, tap), 0);
        });
    }

    tapped(event, tap) {
        const {clientX: x, clientY: y, timeStamp: time} = event;
        const {last} = this;
        if (last && time - last.time < DOUBLE_TAP_MS && Math.hypot(x - last.x, y - last.y) < NEAR) {
            this.last = null;
            this.untap();
            this.double(event);
        } else {
            this.last = tap(this.spot(event)) ? null : {time, x, y};
        }
    }

    double(event) {
        const box = this.frame.getBoundingClientRect();
        if (this.frame.classList.contains('zoomed')) {
            this.zoom.reset();
        } else {
            this.zoom.zoom(2.2, event.clientX - box.left, event.clientY - box.top);
        }
    }

    watchPointer(point) {
        let latest = null;
        let due = 0;
        const tell = (event) => {
            latest = event;
            due ||= requestAnimationFrame(() => {
                due = 0;
                point(latest && this.spot(latest));
            });
        };
        let here = false;
        this.frame.addEventListener('pointermove', (event) => {
            if (event.pointerType === 'mouse' && !event.buttons) {
                this.kind = 'mouse';
                here = true;
                tell(event);
            }
        });
        const leave = () => {
            here = false;
            tell(null);
        };
        /* When what was under the pointer has been replaced, some browsers do not tell that it has
         * left, only where it is. */
        const elsewhere = ({target}) => here && !this.frame.contains(target) && leave();
        this.frame.addEventListener('pointerleave', leave);
        document.addEventListener('pointerover', elsewhere);
        this.unwatch = () => document.removeEventListener('pointerover', elsewhere);
    }

    end() {
        this.unwatch();
        this.zoom.end();
    }
}
