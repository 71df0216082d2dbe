/* Small pictures of verplant. */
import {isDark} from '../../ui/dom.js';
import {drawn} from '../../ui/parts.js';

/* A card on the screen (none: the back), without the margin at which a printed one is cut. */
export function cardPicture(engine, card) {
    const picture = drawn(engine.piece('verplant', card?.code ?? 'back', isDark()), 'card-picture');
    picture.setAttribute('viewBox', '2.5 2.5 58 83');
    return picture;
}
