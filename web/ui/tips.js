/* A few words beside what is touched or pointed at: its data-tip. Titles are shown the same way at
 * a touch, since browsers show them only to a mouse; not if they only repeat what can be read. */
import {h} from './dom.js';

const SHOWN_MS = 4000;

export class Tips {
    #tip = h('div', {class: 'tip', 'aria-hidden': 'true'});
    #timer = 0;
    #frame = 0;

    constructor(place) {
        const over = ({pointerType, target}) =>
            pointerType === 'mouse' && this.#touched('[data-tip]', target);
        const touch = ({pointerType, target}) =>
            pointerType !== 'mouse' && this.#touched('[data-tip], [title]', target);
        const hide = () => this.hide();
        document.body.append(this.#tip);
        place.addEventListener('pointerover', over);
        place.addEventListener('pointerup', touch);
        window.addEventListener('scroll', hide, {passive: true, capture: true});
        this.end = () => {
            hide();
            this.#tip.remove();
            place.removeEventListener('pointerover', over);
            place.removeEventListener('pointerup', touch);
            window.removeEventListener('scroll', hide, {capture: true});
        };
    }

    hide() {
        clearTimeout(this.#timer);
        cancelAnimationFrame(this.#frame);
        this.#tip.classList.remove('shown');
    }

    #touched(selector, target) {
        const about = target.closest(selector);
        const text = about?.dataset.tip ?? about?.title ?? '';
        if (text) {
            /* What the touch does comes first, so that the page is laid out once for both. A tip
             * that is shown stays until then: the page would be painted once more without it. */
            cancelAnimationFrame(this.#frame);
            this.#frame = requestAnimationFrame(() => this.#show(about, text));
        } else {
            this.hide();
        }
    }

    #show(about, text) {
        if (!about.isConnected || text === about.innerText.trim()) {
            this.hide();
            return;
        }
        clearTimeout(this.#timer);
        const {left, top, bottom, width} = about.getBoundingClientRect();
        this.#tip.textContent = text;
        const {offsetWidth: wide, offsetHeight: high} = this.#tip;
        const most = document.documentElement.clientWidth - wide;
        const x = Math.max(0, Math.min(left + width / 2 - wide / 2, most));
        this.#tip.style.transform = `translate(${x}px, ${top >= high ? top - high : bottom}px)`;
        this.#tip.classList.add('shown');
        this.#timer = setTimeout(() => this.hide(), SHOWN_MS);
    }
}
