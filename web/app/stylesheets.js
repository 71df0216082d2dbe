/* Styles that are not part of the page's own, because a first visit does not need them. */
import {h} from '../ui/dom.js';
import {reloadIfOld} from './versions.js';

const loaded = new Map(); /* by name: a promise */

/* Loads a style sheet, 'online/online.css', once. Resolves when it is loaded, or has failed to. */
export function loadStyle(name) {
    if (!loaded.has(name))
        loaded.set(name, new Promise((resolve) => {
            document.head.append(h('link', {rel: 'stylesheet',
                href: new URL(`../${name}`, import.meta.url),
                onload: resolve, onerror: async () => await reloadIfOld() || resolve()}));
        }));
    return loaded.get(name);
}
