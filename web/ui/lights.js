/* Lights that run along lines which are complete. */
import {animationsAllowed} from './dom.js';

export const LIGHT_MS = 900; /* the light that runs along a line */
export const GLOW_MS = 2600; /* … and how long the line stays lit */

/* A light runs along the lit line of a picture that C drew, over the picture in `place`: for as
 * long as it takes, whatever is drawn there meanwhile. */
export function runLight(place, picture) {
    const moving = animationsAllowed();
    const line = picture.querySelector('.line.lit');
    if (!line) {
        return;
    }
    line.classList.add('light', moving ? 'moving' : 'still');
    for (const path of line.querySelectorAll('path')) {
        path.setAttribute('pathLength', '1');
    }
    picture.replaceChildren(line);
    picture.setAttribute('class', 'lights');
    picture.setAttribute('aria-hidden', 'true');
    place.append(picture);
    setTimeout(() => picture.remove(), moving ? LIGHT_MS + GLOW_MS : GLOW_MS);
}
