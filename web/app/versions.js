/* Versions of the page. The address of a file contains its version, and an upgraded server has only
 * the files of its own: what a page has not loaded by then is gone. (A service worker, where one
 * runs, has kept all files.) The page then reloads itself. */
import {unsavedItems} from '../store/store.js';

/* Whether this tab has reloaded itself for these versions, separated by spaces. */
const MARK = 'endstation.versions';

export const version = () => document.querySelector('meta[name=version]')?.content ?? 'dev';

/* The version that the server has now; '': it does not say. */
async function serverVersion() {
    try {
        const answer = await fetch('/', {cache: 'no-store'});
        const page = answer.ok ? await answer.text() : '';
        const parsed = new DOMParser().parseFromString(page, 'text/html');
        return parsed.querySelector('meta[name=version]')?.content ?? '';
    } catch {
        return '';
    }
}

/* Whether the server has another version than this page. */
export async function isOld() {
    return !['', version()].includes(await serverVersion());
}

/* Notes that this tab reloads itself for a version; false: it has done so before. A page from a
 * cache, or a server that has only a part of a version, would make it reload for ever. */
function mark(name) {
    try {
        const marked = (sessionStorage.getItem(MARK) ?? '').split(' ');
        if (marked.includes(name)) return false;
        sessionStorage.setItem(MARK, [...marked, name].join(' ').trim());
        return true;
    } catch {
        return false;
    }
}

/* Reloads the page if the server has another version, unless something would be lost; returns
 * whether it does. Calls prepare() before. A move that was chosen in a room is kept. */
export async function reloadIfOld(prepare = () => {}) {
    const now = await serverVersion();
    if (['', version()].includes(now) || unsavedItems().length > 0 || !mark(now)) return false;
    prepare();
    location.reload();
    return true;
}

/* Loads another part of the page: load() imports it. If the server does not have it any more, the
 * page is reloaded, and shows in the new version what the part is for. */
export async function loadFile(load) {
    try {
        return await load();
    } catch (error) {
        if (!await reloadIfOld()) throw error;
        return new Promise(() => {}); /* the page is about to go */
    }
}
