/* The first screen: choose a game. */
import {button, fill, h} from './dom.js';
import {beginAtOnce} from './newgame.js';
import {t} from './texts.js';

export function show(place) {
    fill(place, h('h1', {}, t('Two games about metro lines')),
        button(t('Play'), {class: 'primary', onclick: () => beginAtOnce('verplant')}));
}
