/* What a title says at a touch: browsers show titles only to a mouse. */
import {h} from './dom.js';

const SHOWN_MS = 4000;

/* Shows the titles of what is touched within `place`. Returns a function that ends it. */
export function touchTitles(place) {
    const tip = h('div', {class: 'tip', 'aria-hidden': 'true', hidden: true});
    let timer = 0;
    const hide = () => {
        tip.hidden = true;
    };
    const touch = ({pointerType, target}) => {
        const titled = target.closest('[title]');
        hide();
        if (pointerType === 'mouse' || !titled) {
            return;
        }
        const {left, top, bottom, width} = titled.getBoundingClientRect();
        tip.textContent = titled.title;
        tip.hidden = false;
        const {offsetWidth: wide, offsetHeight: high} = tip;
        const most = document.documentElement.clientWidth - wide;
        tip.style.left = `${Math.max(0, Math.min(left + width / 2 - wide / 2, most))}px`;
        tip.style.top = `${top >= high ? top - high : bottom}px`;
        clearTimeout(timer);
        timer = setTimeout(hide, SHOWN_MS);
    };
    document.body.append(tip);
    place.addEventListener('pointerdown', touch);
    window.addEventListener('scroll', hide, {passive: true});
    return () => {
        clearTimeout(timer);
        tip.remove();
        place.removeEventListener('pointerdown', touch);
        window.removeEventListener('scroll', hide);
    };
}
