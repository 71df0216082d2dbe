/* What this browser keeps. Games, sheets and named values are in IndexedDB (database.js); settings,
 * which are needed before the first paint, are in localStorage.
 *
 * Every change is one transaction that compares the item's revision with the one that was read:
 * the later one gets a ChangedElsewhere with the item as it is now, and nothing is overwritten.
 * Fields that this version does not know stay in the items. Tabs tell each other by
 * BroadcastChannel what has changed.
 *
 * Everything read back is validated, since other versions and people's hands may have written it.
 * What the browser refuses to keep (full, private) lives on in memory as long as the page. Whenever
 * that changes, `endstation-unsaved` is dispatched at the window. */
import {ask, KEYS, transact} from './database.js';

const TEXT_MAX = 4 << 20;
const AGAIN_MS = 3000; /* between attempts to read a database that could not be read */
const TIME_MAX = 8.64e15; /* the last moment that a Date can be */

const isText = (value, max = TEXT_MAX) => typeof value === 'string' && value.length <= max;
const isTime = (value) => Number.isSafeInteger(value) && value >= 0 && value <= TIME_MAX;
const isRevision = (value) => Number.isSafeInteger(value) && value >= 0;
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const revisionOf = (item) => (isRevision(item?.revision) ? item.revision : 0);

/* Another tab has changed an item since it was read. `item` is how it is now, or
 * null if it is gone. */
export class ChangedElsewhere extends Error {
    constructor(item) {
        super('the item was changed elsewhere');
        this.name = 'ChangedElsewhere';
        this.item = item;
    }
}

/* ---- Other tabs ----------------------------------------------------------------------------- */

let channel = null;
const listeners = new Set(); /* functions that get {store, keys} */

/* Made when it is first needed: under node a channel keeps the process alive. */
function openChannel() {
    if (!channel && typeof BroadcastChannel === 'function') {
        channel = new BroadcastChannel('endstation');
        channel.addEventListener('message', ({data}) => {
            for (const listener of listeners) {
                listener(data);
            }
        });
    }
    return channel;
}

const tell = (store, keys) => openChannel()?.postMessage({store, keys});

/* Calls listener(keys) when another tab has changed items of a store; returns what ends it. */
function watch(store, listener) {
    const hear = (news) => news?.store === store && Array.isArray(news.keys) && listener(news.keys);
    openChannel();
    listeners.add(hear);
    return () => listeners.delete(hear);
}

/* ---- What could not be written -------------------------------------------------------------- */

const unsaved = new Map(); /* 'games x' to the item, which is read from here meanwhile */
let broken = false; /* nothing could be read either, when that was tried last */

const place = (store, key) => `${store} ${key}`;

function setUnsaved(store, key, item) {
    const before = unsaved.size;
    if (item) {
        unsaved.set(place(store, key), item);
    } else {
        unsaved.delete(place(store, key));
    }
    if (unsaved.size > 0 || before > 0) {
        window.dispatchEvent(new Event('endstation-unsaved'));
    }
}

/* The items that live only in this page. */
export const unsavedItems = () => [...unsaved.values()];

/* Whether the database could not be read: what was kept before is not shown. When that is over,
 * `endstation-unsaved` is dispatched, too. */
export const isUnreadable = () => broken;

/* Tries again to write what could not be written. */
export async function saveUnsaved() {
    for (const [name, item] of [...unsaved]) {
        const [store] = name.split(' ');
        try {
            await swap(store, item);
        } catch (error) {
            if (!(error instanceof ChangedElsewhere)) {
                throw error;
            }
        }
    }
}

/* ---- Items ---------------------------------------------------------------------------------- */

/* What earlier versions kept in localStorage is moved first (upgrade.js). */
const OLD = /^endstation\.(game|map)\./;
let moving = null;

function oldNames() {
    try {
        return Object.keys(localStorage).filter((name) => OLD.test(name) ||
            (name === 'endstation.settings' && 'companion' in readKept()));
    } catch {
        return [];
    }
}

function ready() {
    moving ??= (async () => {
        if (typeof localStorage !== 'undefined' && oldNames().length > 0) {
            const {upgrade} = await import('../app/later.js');
            await upgrade.upgrade();
        }
    })().catch((error) => {
        console.warn('upgrade', error);
        moving = null; /* everything is still there, for the next try */
    });
    return moving;
}

/* The database cannot be read, or can be again. */
function setBroken(now) {
    if (broken !== now) {
        broken = now;
        window.dispatchEvent(new Event('endstation-unsaved'));
    }
}

/* Reads: look(store) in a transaction; undefined if that fails. */
async function readFrom(store, look) {
    await ready();
    try {
        const found = await transact('readonly', [store], look);
        setBroken(false);
        return found;
    } catch (error) {
        if (!broken) {
            console.warn('IndexedDB', error);
            setBroken(true);
            tryAgain();
        }
        return undefined;
    }
}

/* Looks now and then whether the database can be read again. */
let retry = 0; /* the timer */
function tryAgain() {
    clearTimeout(retry);
    retry = setTimeout(() => broken && readFrom('values', (shelf) => ask(shelf.count()))
        .then(tryAgain), AGAIN_MS);
}

async function readAll(store) {
    const items = new Map();
    for (const item of await readFrom(store, (shelf) => ask(shelf.getAll())) ?? []) {
        items.set(item[KEYS[store]], item);
    }
    for (const [name, item] of unsaved) {
        if (name.startsWith(`${store} `)) {
            items.set(item[KEYS[store]], item);
        }
    }
    return [...items.values()];
}

async function read(store, key) {
    await ready();
    return unsaved.get(place(store, key)) ??
        await readFrom(store, (shelf) => ask(shelf.get(key))) ?? null;
}

/* Writes items, each if its revision is still the one that it was read with (0: a new item): all or
 * none. Throws ChangedElsewhere. Returns false if the browser refused: they then live only as long
 * as this page. */
async function swapAll(store, items) {
    const keyOf = (item) => item[KEYS[store]];
    await ready();
    try {
        await transact('readwrite', [store], async (shelf) => {
            for (const item of items) {
                const kept = await ask(shelf.get(keyOf(item)));
                if (revisionOf(kept) !== item.revision) {
                    throw new ChangedElsewhere(kept ?? null);
                }
                await ask(shelf.put({...kept, ...item, revision: item.revision + 1}));
            }
        });
    } catch (error) {
        if (error instanceof ChangedElsewhere) {
            for (const item of items) {
                await settleUnsaved(store, item);
            }
            throw error;
        }
        console.warn('IndexedDB', error);
        for (const item of items) {
            setUnsaved(store, keyOf(item), item);
        }
        return false;
    }
    for (const item of items) {
        item.revision++;
        setUnsaved(store, keyOf(item), null);
    }
    tell(store, items.map(keyOf));
    return true;
}

const swap = (store, item) => swapAll(store, [item]);

/* Writes new items, all or none, but leaves those that are there as they are. Returns what is kept
 * now: those items themselves, as far as they are new. If the browser refused, they live only as
 * long as this page. */
async function addAll(store, items) {
    const keyOf = (item) => item[KEYS[store]];
    if (items.length === 0) {
        return [];
    }
    await ready();
    for (const item of items) {
        item.revision = 1;
    }
    let kept;
    try {
        kept = await transact('readwrite', [store], async (shelf) => {
            const all = [];
            for (const item of items) {
                const there = unsaved.get(place(store, keyOf(item))) ??
                    await ask(shelf.get(keyOf(item)));
                if (!there) {
                    await ask(shelf.put(item));
                }
                all.push(there ?? item);
            }
            return all;
        });
    } catch (error) {
        console.warn('IndexedDB', error);
        for (const item of items) {
            item.revision = 0;
            setUnsaved(store, keyOf(item), item);
        }
        return items;
    }
    tell(store, kept.filter((item) => items.includes(item)).map(keyOf));
    return kept;
}

/* Another tab has gone on with an item that this page could not save. A game with moves that live
 * only here becomes a game of its own. */
async function settleUnsaved(store, item) {
    const lost = unsaved.get(place(store, item[KEYS[store]]));
    if (lost) {
        setUnsaved(store, item[KEYS[store]], null);
        if (store === 'games') {
            await games.create(lost);
        }
    }
}

/* Deletes items, all or none; returns those that were there. */
async function erase(store, keys) {
    await ready();
    const gone = await transact('readwrite', [store], (shelf) => Promise.all(
        keys.map(async (key) => {
            const item = await ask(shelf.get(key));
            await ask(shelf.delete(key));
            return unsaved.get(place(store, key)) ?? item;
        })));
    for (const key of keys) {
        setUnsaved(store, key, null);
    }
    tell(store, keys);
    if (unsaved.size > 0) {
        await saveUnsaved(); /* the deletion may have made room */
    }
    return gone.filter(Boolean);
}

/* ---- Games ---------------------------------------------------------------------------------- */

/* A kept item as a game, or null if it is not sound. */
export function soundGame(item) {
    if (!isObject(item) || !isText(item.id) || !/^[a-z0-9]{1,32}$/.test(item.id)) {
        return null;
    }
    const {record, map = '', created, changed, over = false, title = '', revision = 0} = item;
    if (!isText(record) || !record || !isText(map) || !isText(title, 200) ||
        !isTime(created) || !isTime(changed) || !isRevision(revision)) {
        return null;
    }
    return {...item, record, map, created, changed, over: over === true, title, revision};
}

/* A short random word, for names. */
export function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(10));
    return [...bytes].map((byte) => (byte % 36).toString(36)).join('');
}

/* The id and `changed` of the game that was changed last of those that are not over; the id is ''
 * if there is none. It is in localStorage, so that not all games are read to find that one. What is
 * missing or wrong there costs only time. */
const LATEST = 'endstation.latest';

const latest = {
    get() {
        try {
            const {id, changed} = JSON.parse(localStorage.getItem(LATEST)) ?? {};
            return isText(id, 32) && isTime(changed) ? {id, changed} : null;
        } catch {
            return null;
        }
    },

    set(game) {
        try {
            if (game) {
                const {id, changed} = game;
                localStorage.setItem(LATEST, JSON.stringify({id, changed}));
            } else {
                localStorage.removeItem(LATEST);
            }
        } catch {
            /* It is looked for each time. */
        }
    },

    /* Games have been kept. */
    follow(list) {
        let now = this.get();
        for (const game of now ? list : []) {
            if (!game.over && game.changed >= now.changed) {
                now = game;
                this.set(now);
            } else if (game.id === now.id) {
                this.set(null);
                return;
            }
        }
    },

    /* Games are gone. */
    leave(ids) {
        if (ids.includes(this.get()?.id)) {
            this.set(null);
        }
    },
};

/* A new game that is not kept yet. */
function newGame({record, map = '', title = '', over = false, created, changed}) {
    const now = Date.now();
    return {id: newId(), record, map, created: created ?? now, changed: changed ?? now, over,
        title, revision: 0};
}

/* A game is {id, record, map, created, changed, over, title, revision}; `map` is the text of its
 * sheet where that is not built in. */
export const games = {
    /* All, the one changed last first. */
    async list() {
        return (await readAll('games')).map(soundGame).filter(Boolean)
            .sort((a, b) => b.changed - a.changed);
    },

    async get(id) {
        return soundGame(await read('games', id));
    },

    async count() {
        const fresh = [...unsaved].filter(([name, {revision}]) => name.startsWith('games ') &&
            revision === 0);
        return fresh.length + (await readFrom('games', (shelf) => ask(shelf.count())) ?? 0);
    },

    /* The one that was changed last of those that are not over, or null. */
    async latest() {
        const known = latest.get();
        const game = known?.id ? await this.get(known.id) : null;
        if (known && (game ? !game.over : known.id === '')) {
            return game;
        }
        const all = await this.list();
        const found = all.find(({over}) => !over) ?? null;
        if (!broken) {
            latest.set(all.length > 0 ? found ?? {id: '', changed: 0} : null);
        }
        return found;
    },

    /* Keeps a new game; returns it. */
    async create({id, ...contents}) {
        const [game] = await this.createAll([contents]);
        return game;
    },

    /* Keeps new games, all or none; returns what is kept now. Those that come with an id keep it;
     * where a game of that id is there already, as from another tab, that stays as it is. */
    async createAll(list) {
        const all = list.map((contents) => ({...contents, ...newGame(contents),
            id: contents.id ?? newId()}));
        const kept = await addAll('games', all);
        latest.follow(all);
        return kept.map((item, i) => soundGame(item) ?? all[i]);
    },

    /* Keeps a game that was read by get() and has new contents; sets its `changed` and `revision`.
     * Throws ChangedElsewhere, and writes nothing, if it is no longer what was read. Returns false
     * if the browser refused: the game then lives only as long as this page. */
    async put(game) {
        game.changed = Math.min(TIME_MAX, Math.max(Date.now(), game.changed + 1));
        try {
            const isKept = await swap('games', game);
            latest.follow([game]);
            return isKept;
        } catch (error) {
            if (error instanceof ChangedElsewhere) {
                error.item = soundGame(error.item);
            }
            throw error;
        }
    },

    /* Deletes games, all or none, and returns them, so that restore() can bring them back. */
    async remove(ids) {
        const gone = await erase('games', ids);
        latest.leave(ids);
        return gone.map(soundGame).filter(Boolean);
    },

    /* Brings deleted games back, all or none; those that are there again stay as they are. */
    async restore(list) {
        await addAll('games', list);
        latest.follow(list);
    },

    /* Calls listener() whenever another tab has changed or deleted this game; returns what ends
     * it. */
    watch(id, listener) {
        return watch('games', (keys) => keys.includes(id) && listener());
    },

    /* Calls listener(ids) whenever another tab has changed or deleted games. */
    watchAll(listener) {
        return watch('games', listener);
    },
};

/* ---- Sheets --------------------------------------------------------------------------------- */

function soundSheet(item) {
    if (!isObject(item) || !/^[0-9a-f]{32}$/.test(item.hash) ||
        !/^[a-z0-9-]{1,32}$/.test(item.id) || !isText(item.title, 200) || !isText(item.text)) {
        return null;
    }
    return {...item};
}

/* People's own sheets, by the hash of their content: {hash, id, title, text}, as engine.map() has
 * read them. Two sheets of one id live side by side. */
export const sheets = {
    async list() {
        return (await readAll('sheets')).map(soundSheet).filter(Boolean)
            .sort((a, b) => a.title.localeCompare(b.title) || (a.hash < b.hash ? -1 : 1));
    },

    async get(hash) {
        return soundSheet(await read('sheets', hash));
    },

    /* Keeps sheets; one that is there already stays as it is. Returns how many are new. */
    async add(list) {
        const all = list.map(({hash, id, title, text}) => ({hash, id, title, text}));
        const kept = await addAll('sheets', all);
        return kept.filter((sheet) => all.includes(sheet)).length;
    },

    /* Deletes one, and returns it. */
    async remove(hash) {
        const [sheet] = await erase('sheets', [hash]);
        return soundSheet(sheet);
    },
};

/* ---- Named values --------------------------------------------------------------------------- */

/* Things that are neither games nor sheets: the conductor's game, the lesson under way. An item is
 * {name, value, revision}. */
export const values = {
    /* The item of that name; one with the value null if there is none. */
    async get(name) {
        const item = await read('values', name);
        return isObject(item) ? {value: null, ...item, revision: revisionOf(item)}
            : {name, value: null, revision: 0};
    },

    /* Keeps an item that get() gave and that has another value. Throws ChangedElsewhere. */
    async put(item) {
        return swap('values', item);
    },

    /* Sets a value, whatever it was before. */
    set(name, value) {
        return this.change(name, () => value);
    },

    /* Makes a value what become(value) returns, which is called again if another tab was first; if
     * that is the same, nothing is written. */
    async change(name, become) {
        for (;;) {
            const item = await this.get(name);
            const value = become(item.value);
            if (value === item.value) {
                return true;
            }
            try {
                return await swap('values', {...item, value});
            } catch (error) {
                if (!(error instanceof ChangedElsewhere)) {
                    throw error;
                }
            }
        }
    },

    /* Calls listener() whenever another tab has changed the value of that name. */
    watch(name, listener) {
        return watch('values', (keys) => keys.includes(name) && listener());
    },

    async all() {
        return (await readAll('values')).filter((item) => isObject(item) &&
            isText(item.name, 100) && item.name !== 'schema');
    },
};

/* ---- Settings ------------------------------------------------------------------------------- */

const SETTINGS = 'endstation.settings';
const DEFAULTS = {
    language: '', /* the browser's */
    theme: 'auto', /* auto light dark */
    confirm: false, /* true: a tap makes the move at once, without confirmation */
    confirmed: false, /* somebody has confirmed a move, and knows how */
    takeBack: null, /* whether moves can be taken back; null: in the first game only */
    finished: false, /* somebody has finished a game */
    pace: 'usual', /* of bots: slow usual fast none */
    pile: true, /* what is left in the pile is shown */
    names: true, /* of stations */
    patterns: false, /* for lines, besides colours */
    sound: false,
    vibration: false,
    speech: false, /* cards are read aloud */
    keys: true, /* letters, digits and signs do something, without Ctrl */
    motion: true,
    setup: {}, /* the latest choices for new games, by game */
    people: [], /* names of people, by seat */
    paper: '', /* to print on: a4 letter; '': as usual in the region */
    asked: false, /* whether the browser was asked to keep what is here */
};

let unwritten = null; /* what the browser refused to keep */

/* As it is in the browser, with what other versions put there. */
function readKept() {
    if (unwritten) {
        return unwritten;
    }
    try {
        const kept = JSON.parse(localStorage.getItem(SETTINGS));
        return isObject(kept) ? kept : {};
    } catch {
        return {};
    }
}

/* Whether a value fits a setting with this default. `null` stands for a switch that nobody has
 * touched. */
const sameKind = (a, usual) => (usual === null ? typeof a === 'boolean'
    : a !== null && isObject(a) === isObject(usual) &&
        Array.isArray(a) === Array.isArray(usual) && typeof a === typeof usual);

function readSettings() {
    const kept = readKept();
    const now = {...kept};
    for (const [name, usual] of Object.entries(DEFAULTS)) {
        if (!Object.hasOwn(kept, name) || !sameKind(kept[name], usual)) {
            now[name] = structuredClone(usual);
        }
    }
    return now;
}

let current = readSettings();

function tellSettings() {
    window.endstationSettings = current; /* theme.js looks here */
    window.dispatchEvent(new Event('endstation-settings'));
}

function writeSettings(next) {
    current = next;
    try {
        localStorage.setItem(SETTINGS, JSON.stringify(current));
        unwritten = null;
    } catch {
        unwritten = current;
    }
    tellSettings();
}

export const settings = {
    get(name) {
        return current[name];
    },

    /* Sets one and keeps all. */
    set(name, value) {
        writeSettings({...readSettings(), [name]: value});
    },

    all() {
        return readSettings();
    },

    /* Takes the valid ones over from a backup. Returns whether anything has changed. */
    adopt(others) {
        const before = JSON.stringify(readSettings());
        const sound = Object.entries(isObject(others) ? others : {}).filter(([name, value]) =>
            name !== 'asked' && /* this browser may not have been */
            (!Object.hasOwn(DEFAULTS, name) || sameKind(value, DEFAULTS[name])));
        const next = {...readSettings(), ...Object.fromEntries(sound)};
        if (JSON.stringify(next) === before) {
            return false;
        }
        writeSettings(next);
        return true;
    },

    /* Calls listener() when one of these settings has changed, here or in another tab; returns what
     * ends it. */
    watch(names, listener) {
        const now = () => JSON.stringify(names.map((name) => current[name]));
        let before = now();
        const hear = () => {
            if (now() === before) {
                return;
            }
            before = now();
            listener();
        };
        window.addEventListener('endstation-settings', hear);
        return () => window.removeEventListener('endstation-settings', hear);
    },
};

/* Whether moves can be taken back after something was revealed: what people chose, else in their
 * first game only. */
export const mayGoBack = () => settings.get('takeBack') ?? !settings.get('finished');

window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === SETTINGS) {
        current = readSettings();
        tellSettings();
    }
});

/* ---- Everything ----------------------------------------------------------------------------- */

/* Names in localStorage or sessionStorage. */
function removeNames(storage, isMeant) {
    try {
        for (const name of Object.keys(storage())) {
            if (name.startsWith('endstation.') && isMeant(name)) {
                storage().removeItem(name);
            }
        }
    } catch {
        /* Nothing was ever there. */
    }
}

/* What this page has in memory, and keeps for this tab. */
function forgetAll() {
    unsaved.clear();
    window.dispatchEvent(new Event('endstation-unsaved'));
    removeNames(() => sessionStorage, () => true);
    unwritten = null;
    current = readSettings();
    tellSettings();
}

/* Calls listener() when everything has been deleted in another tab, then deletes what this one has
 * written meanwhile. */
export function onErased(listener) {
    openChannel()?.addEventListener('message', ({data}) => {
        if (data?.erased) {
            listener();
            forgetAll();
            removeNames(() => localStorage, (name) => name !== data.except);
        }
    });
}

/* Everything that this page ever kept here, whatever the version; but not what localStorage has
 * under the name `except`. */
export async function eraseAll({except = ''} = {}) {
    await ready();
    const names = Object.keys(KEYS);
    const erased = await transact('readwrite', names, async (...shelves) => {
        const all = [];
        for (const shelf of shelves) {
            const keys = (await ask(shelf.getAllKeys())).filter((key) => key !== 'schema');
            for (const key of keys) {
                await ask(shelf.delete(key));
            }
            all.push(keys);
        }
        return all;
    });
    removeNames(() => localStorage, (name) => name !== except);
    forgetAll();
    names.forEach((store, i) => tell(store, erased[i]));
    openChannel()?.postMessage({erased: true, except});
}

/* ---- How safe it is ------------------------------------------------------------------------- */

/* Browsers may delete what pages keep when space runs out, unless they have promised not to. Both
 * answer only in a secure context; elsewhere there is nothing to ask. */
export const safety = {
    /* {used, most} in bytes, or null where the browser does not say. */
    async space() {
        try {
            const {usage, quota} = await navigator.storage.estimate();
            return {used: usage, most: quota};
        } catch {
            return null;
        }
    },

    /* Whether the browser has promised: true, false, or null where it cannot be asked. */
    async promised() {
        try {
            return await navigator.storage.persisted();
        } catch {
            return null;
        }
    },

    /* Asks for the promise; the browser may ask the reader. The same answers. */
    async ask() {
        try {
            return await navigator.storage.persist();
        } catch {
            return null;
        }
    },
};
