/* Starts the page and shows one screen at a time: the one named after the # of the address. */
import {announce, button, fill, h, icon, toast} from '../ui/dom.js';
import {loadModule} from '../engine/engine.js';
import {findScreen, Nowhere} from '../games/faces.js';
import {showHeader} from './header.js';
import './install.js';
import * as start from '../screens/start.js';
import {stayingLater} from '../ui/stay.js';
import {isUnreadable, onErased, saveUnsaved, unsavedItems} from '../store/store.js';
import * as table from '../table/table.js';
import {setLanguage, t} from './texts.js';
import {isOld, loadFile, reloadIfOld, version} from './versions.js';
import {reason} from '../ui/words.js';

/* The way to a first game is here; the other screens are loaded when one of them is first asked
 * for. Games have more of them (faces.js). */
const later = (name) => async () => (await import('./later.js'))[name];
const SCREENS = {
    '': () => start,
    new: later('setup'),
    game: () => table,
    games: later('gamelist'),
    analysis: later('analysis'),
    replay: later('replay'),
    record: later('replay'),
    challenge: later('challenge'),
    learn: later('lesson'),
    problems: later('problemlist'),
    print: later('print'),
    settings: later('settings'),
    statistics: later('statistics'),
    help: later('help'),
    accessibility: later('accessibility'),
    privacy: later('privacy'),
    online: later('lobby'),
    host: later('host'),
    room: later('room'),
    device: later('account'),
};

const CALM_MS = 2000; /* after loading */
const LOADING_MS = 400; /* before the page says that something loads */

/* Screens for looking something up in the middle of a game: they offer the way back. */
const ASIDE = ['accessibility', 'help', 'print', 'privacy', 'settings'];

let ending = null; /* ends the screen that is shown; ending(true): the reader may come back to it */
let isIncomplete = false; /* the screen could not read what is kept */
let left = ''; /* the address of the table that was left for another of the menu's screens */
let shown = ''; /* the address of the screen before */
let navigation = 0; /* counts navigations: one that is overtaken during an await gives up */

/* '#replay=abc@17' is screen 'replay', parameter 'abc@17'. */
function address() {
    const text = location.hash.slice(1);
    const cut = text.indexOf('=');
    const name = cut < 0 ? text : text.slice(0, cut);
    return {name, parameter: cut < 0 ? '' : text.slice(cut + 1)};
}

function endScreen(aside) {
    const end = ending;
    ending = null;
    for (const open of document.querySelectorAll('dialog[open]')) open.close();
    try {
        if (typeof end === 'function') end(aside);
    } catch (error) {
        console.error(error);
    }
}

const tooOld = () => t('This browser can’t run the games: it’s too old, or WebAssembly is ' +
    'turned off. Update it, or open this page in a recent Firefox, Chrome, Edge or Safari.');

function showFailure(place, error) {
    console.error(error);
    if (error?.name === 'Unsupported') {
        fill(place, h('section', {class: 'panel message'},
            h('h1', {}, t('That didn’t work')), h('p', {}, tooOld())));
        return;
    }
    fill(place, h('section', {class: 'panel message'},
        h('h1', {}, t('That didn’t work')),
        h('p', {}, t('This couldn’t be shown. Your games are safe. Reload the page; if that ' +
            'doesn’t help, go back to the home page.')),
        h('p', {class: 'muted'}, error?.status ? reason(error.sentence)
            : String(error?.sentence ?? error?.message ?? error)),
        h('div', {class: 'row'},
            button(t('Reload'), {class: 'primary', onclick: () => location.reload()}),
            h('a', {class: 'button', href: '#'}, t('Home')))));
}

function showNowhere(place) {
    fill(place, h('section', {class: 'panel message'},
        h('h1', {}, t('No stop here')),
        h('p', {}, t('There is nothing at this address.')),
        h('div', {class: 'row'}, h('a', {class: 'button primary', href: '#'}, t('Home')))));
}

async function loadScreen(name) {
    const load = Object.hasOwn(SCREENS, name) ? SCREENS[name] : findScreen(name);
    if (!load) throw new Nowhere();
    return loadFile(load);
}

/* Makes the old screen inert until the next one is there: it has ended and would not show what
 * input does. If that takes longer, the page says so. Returns a function that ends the waiting. */
function waitForNext(main) {
    for (const old of main.children) old.inert = true;
    const notice = h('p', {class: 'loading', role: 'status'});
    document.body.append(notice);
    const timer = setTimeout(() => {
        notice.textContent = t('Loading…');
    }, LOADING_MS);
    return () => {
        clearTimeout(timer);
        notice.remove();
    };
}

/* Shows the screen of the address. `moved`: by navigation within the page, not by loading it.
 * Resolves with false if another one was asked for meanwhile. */
async function showScreen(moved) {
    const current = ++navigation;
    const {name, parameter} = address();
    const main = document.getElementById('main');
    const place = h('div', {class: `screen screen-${name || 'start'}`});
    const before = shown;
    const arrived = waitForNext(main);
    let end = null;
    isIncomplete = isUnreadable();
    endScreen(ASIDE.includes(name));
    if (!ASIDE.includes(name)) left = '';
    else if (/^#(game|learn|room)=/.test(shown)) left = shown;
    shown = location.hash;
    document.documentElement.dataset.screen = name || 'start';
    delete document.documentElement.dataset.ready;
    try {
        const {show} = await loadScreen(name).finally(arrived);
        if (current !== navigation) return false;
        fill(main, place);
        end = await show(place, parameter, before);
    } catch (error) {
        if (error?.name === 'Nowhere') showNowhere(place);
        else showFailure(place, error);
    }
    if (current !== navigation) {
        if (typeof end === 'function') end(ASIDE.includes(address().name));
        return false;
    }
    ending = end;
    if (place.parentNode !== main) fill(main, place);
    if (left) place.prepend(h('p', {class: 'back-to-game'}, h('a', {class: 'button', href: left},
        icon('back'), h('span', {}, t('Back to the game')))));
    arrive(place, moved);
    return true;
}

/* Shows the screen in another language. Screens with an again() do that themselves; others are
 * rebuilt. */
async function showAgain() {
    if (!ending?.again) {
        await makeAnew();
        return;
    }
    await ending.again();
    arrive(document.getElementById('main').firstElementChild, false);
}

const makeAnew = () => stayingLater(document.getElementById('main'), () => showScreen(false));

/* Title, scroll and focus, as if a page had been loaded; a screen may have moved the focus to where
 * it begins. */
function arrive(place, moved) {
    const heading = place.querySelector('h1');
    const title = heading?.textContent.trim();
    document.title = title && address().name ? `${title} · Endstation` : 'Endstation';
    showHeader();
    document.documentElement.dataset.ready = 'yes'; /* for tests and measurements */
    if (!moved) return;
    const focused = document.activeElement;
    if (focused === heading || !place.contains(focused)) {
        scrollTo(0, 0);
        if (heading) heading.tabIndex = -1;
        heading?.focus({preventScroll: true});
    }
    if (title) announce(title);
}

/* ---- Failures ------------------------------------------------------------------------------ */

let told = false;

async function tellError(error) {
    if (error?.name === 'Cancelled' || error?.name === 'AbortError') return;
    console.error(error);
    if (told) return;
    told = true;
    if (error?.name === 'Unsupported') {
        toast(tooOld(), {stay: true, warn: true});
        return;
    }
    if (await isOld()) { /* a file of this version may be gone, such as the bots' */
        tellNewVersion();
        return;
    }
    toast(t('Something went wrong. Your games are safe; reload the page to continue.'), {
        label: t('Reload'), action: () => location.reload(), stay: true, warn: true,
    });
}

window.addEventListener('error', (event) => event.error && tellError(event.error));
window.addEventListener('unhandledrejection', (event) => tellError(event.reason));

/* Shows a warning while anything is unsaved or the database cannot be read. */
function showUnsaved() {
    const place = document.getElementById('unsaved');
    const unsaved = unsavedItems();
    place.hidden = unsaved.length === 0 && !isUnreadable();
    fill(place, isUnreadable()
        ? h('p', {}, t('This browser can’t read or save games right now. Reload the page, or ' +
            'leave private mode.'))
        : h('p', {}, t('Not saved: this browser’s storage is full, or this is a private window.')),
    unsaved.length > 0 && button(t('Save as a file'), {class: 'quiet', onclick: saveAsFile},
        'save'));
}

/* A screen that could not read what is kept is shown again when that can be read. */
function followUnreadable() {
    if (isUnreadable()) isIncomplete = true;
    else if (isIncomplete) makeAnew();
}

window.addEventListener('endstation-unsaved', showUnsaved);
window.addEventListener('endstation-unsaved', followUnreadable);
document.addEventListener('language', showUnsaved);

/* Tries to save once more; what still fails is offered as a file. */
async function saveAsFile() {
    await saveUnsaved().catch(console.error);
    const [item, ...more] = unsavedItems();
    const {share} = await loadFile(() => import('./later.js'));
    if (more.length > 0 || (item && !item.record)) await share.exportAll();
    else if (item) share.exportGame(item);
}

/* Passes a file dropped elsewhere to the field for files; otherwise the browser would replace the
 * page with it. */
function dropFile(event) {
    const field = document.querySelector('main .drop');
    if (!event.dataTransfer?.types.includes('Files') || event.defaultPrevented) return;
    event.preventDefault();
    if (!field) event.dataTransfer.dropEffect = 'none';
    else if (event.type === 'drop') field.dispatchEvent(new DragEvent('drop',
        {dataTransfer: event.dataTransfer}));
}

for (const name of ['dragover', 'drop']) window.addEventListener(name, dropFile);

/* Closing the page would lose what is unsaved. */
window.addEventListener('beforeunload', (event) => {
    if (unsavedItems().length > 0) event.preventDefault();
});

/* ---- Versions and offline -------------------------------------------------------------------- */

let telling = false;

function tellNewVersion() {
    if (telling) return;
    telling = true;
    toast(t('There is a new version of this page. Your games stay as they are.'), {
        label: t('Reload'), action: () => location.reload(), stay: true,
    });
}

/* The service worker asks every page which version it runs and what it shows, announces a newer
 * version, and says where to go. */
function listenToWorker(workers) {
    workers.addEventListener('message', ({data, ports}) => {
        if (data?.ask === 'version') ports[0]?.postMessage(version());
        if (data?.ask === 'place') ports[0]?.postMessage(location.hash);
        if (data?.go) location.hash = data.go; /* somebody has clicked on a notification */
        if (data?.active && data.active !== version()) tellNewVersion();
    });
    workers.startMessages();
}

async function keepOffline(workers) {
    try {
        const registration = await workers.register('/sw.js', {updateViaCache: 'none'});
        const look = () => document.visibilityState === 'visible' &&
            registration.update().catch(() => {});
        document.addEventListener('visibilitychange', look);
        setInterval(look, 60 * 60 * 1000);
        /* A new worker waits while the old one is busy, and may have to be asked again. */
        setInterval(() => registration.waiting?.postMessage({go: true}), 3000);
        (await workers.ready).active?.postMessage({hello: version()});
    } catch (error) {
        console.warn('offline', error);
    }
}

/* Waits until the page is built and the first moves are over: the worker fetches every file. */
function beReadyForOffline() {
    const workers = navigator.serviceWorker;
    if (!workers || version() === 'dev' || version().startsWith('@')) return;
    listenToWorker(workers);
    const soon = () => setTimeout(() => keepOffline(workers), CALM_MS);
    if (document.readyState === 'complete') soon();
    else window.addEventListener('load', soon);
}

/* ---- Start ----------------------------------------------------------------------------------- */

/* Nearly every screen needs the WebAssembly module, so it is fetched together with the texts and
 * the first screen. The code that needs it reports a failure. */
const loading = loadModule();
loading.catch(() => {});
loadScreen(address().name).catch(() => {});
await setLanguage();
loading.catch((error) => (error.name === 'Unsupported' ? tellError(error) : reloadIfOld()));
/* The skip link points into the page; its # is not the address of a screen. */
document.getElementById('skip').addEventListener('click', (event) => {
    event.preventDefault();
    document.getElementById('main').focus();
});
window.addEventListener('hashchange', () => showScreen(true));
document.addEventListener('language', showAgain);
/* Nothing that was deleted stays in view or is written again. */
onErased(() => {
    endScreen();
    /* At once: a field that goes while it is edited says that it has changed. */
    fill(document.getElementById('main'));
    if (address().name) location.hash = '';
    else showScreen(true);
});
beReadyForOffline();
await showScreen(false);
