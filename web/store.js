/* What is kept in this browser: games, maps, settings. Everything read back is checked, since other
 * versions, other tabs and people's hands may have written it. Where the browser refuses to keep
 * something (full, private), it lives on in memory, and `endstation-refused` is told to the window,
 * so that the page can say so and offer a file. */

const PREFIX = 'endstation.';
const TEXT_MAX = 4 << 20;
const TIME_MAX = 8.64e15; /* the last moment that a Date can be */
const memory = new Map(); /* what the browser refused: name to value */

function read(name) {
    if (memory.has(name)) return memory.get(name);
    try {
        return JSON.parse(localStorage.getItem(PREFIX + name));
    } catch {
        return null;
    }
}

function write(name, value) {
    try {
        localStorage.setItem(PREFIX + name, JSON.stringify(value));
        memory.delete(name);
        return true;
    } catch {
        memory.set(name, value);
        window.dispatchEvent(new CustomEvent('endstation-refused', {detail: {name, value}}));
        return false;
    }
}

function erase(name) {
    memory.delete(name);
    try {
        localStorage.removeItem(PREFIX + name);
    } catch {
        /* It was never there. */
    }
}

function names(kind) {
    const found = new Set();
    try {
        for (let i = 0; i < localStorage.length; i++) found.add(localStorage.key(i));
    } catch {
        /* None, then. */
    }
    for (const name of memory.keys()) found.add(PREFIX + name);
    const start = `${PREFIX}${kind}.`;
    return [...found].filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
}

/* How many bytes are used, about: browsers keep two a character, and allow some five millions. */
export function usedBytes() {
    let sum = 0;
    try {
        for (let i = 0; i < localStorage.length; i++) {
            const key = localStorage.key(i);
            if (key.startsWith(PREFIX)) sum += key.length + localStorage.getItem(key).length;
        }
    } catch {
        /* Nothing is kept. */
    }
    return 2 * sum;
}

const isText = (value, max = TEXT_MAX) => typeof value === 'string' && value.length <= max;
const isTime = (value) => Number.isSafeInteger(value) && value >= 0 && value <= TIME_MAX;

/* A short random word, for names. */
function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(10));
    return [...bytes].map((byte) => (byte % 36).toString(36)).join('');
}

/* ---- Games ---------------------------------------------------------------------------------- */

function soundGame(id, value) {
    if (!value || typeof value !== 'object' || value.id !== id || !/^[a-z0-9]{1,32}$/.test(id))
        return null;
    const {record, map = '', created, changed, over = false, title = ''} = value;
    if (!isText(record) || !record || !isText(map) || !isText(title, 200)) return null;
    if (!isTime(created) || !isTime(changed)) return null;
    return {id, record, map, created, changed, over: over === true, title};
}

/* Somebody else, another tab, has changed the game since it was read: `game` is how it is now, or
 * null if it is gone. */
export class Elsewhere extends Error {
    constructor(game) {
        super('the game was changed elsewhere');
        this.name = 'Elsewhere';
        this.game = game;
    }
}

const watchers = new Map(); /* id of a game to a set of functions */

export const games = {
    /* All, the one changed last first. */
    list() {
        return names('game').map((id) => this.get(id)).filter(Boolean)
            .sort((a, b) => b.changed - a.changed);
    },

    /* {id, record, map, created, changed, over, title} or null. */
    get(id) {
        return soundGame(id, read(`game.${id}`));
    },

    /* Keeps a new game; returns it. */
    create({record, map = '', title = '', over = false}) {
        const now = Date.now();
        const game = {id: newId(), record, map, created: now, changed: now, over, title};
        write(`game.${game.id}`, game);
        return game;
    },

    /* Keeps a game that was read by get() and has new contents; its `changed` is set. Throws
     * Elsewhere, and writes nothing, if it is no longer what was read. False: the browser refused,
     * and the game lives only as long as this page. */
    put(game) {
        const kept = this.get(game.id);
        if (!kept || kept.changed !== game.changed) throw new Elsewhere(kept);
        game.changed = Math.min(TIME_MAX, Math.max(Date.now(), kept.changed + 1));
        return write(`game.${game.id}`, game);
    },

    /* Takes it away, and returns it, so that restore() can bring it back. */
    remove(id) {
        const game = this.get(id);
        erase(`game.${id}`);
        return game;
    },

    restore(game) {
        if (game) write(`game.${game.id}`, game);
    },

    /* Calls listener(game or null) whenever another tab changes this game; returns what ends it. */
    watch(id, listener) {
        if (!watchers.has(id)) watchers.set(id, new Set());
        watchers.get(id).add(listener);
        return () => watchers.get(id).delete(listener);
    },
};

/* ---- Maps ----------------------------------------------------------------------------------- */

function soundMap(id, value) {
    if (!value || typeof value !== 'object' || value.id !== id || !/^[a-z0-9-]{1,32}$/.test(id))
        return null;
    return isText(value.title, 200) && isText(value.text) ? {id, title: value.title,
        text: value.text} : null;
}

/* People's own sheets, by the id that the map itself names; engine.map() has read each. */
export const maps = {
    list() {
        return names('map').map((id) => this.get(id)).filter(Boolean)
            .sort((a, b) => a.title.localeCompare(b.title));
    },
    get(id) {
        return soundMap(id, read(`map.${id}`));
    },
    put({id, title, text}) {
        return write(`map.${id}`, {id, title, text});
    },
    remove(id) {
        const map = this.get(id);
        erase(`map.${id}`);
        return map;
    },
};

/* ---- Settings ------------------------------------------------------------------------------- */

const DEFAULTS = {
    language: '', /* the browser's */
    theme: 'auto', /* auto light dark */
    confirm: false, /* a tap is a move */
    pile: true, /* what is left in the pile is shown */
    names: true, /* of stations */
    patterns: false, /* for lines, besides colours */
    speech: false, /* cards are read aloud */
    motion: true,
    setup: {}, /* the latest choices for new games, by game */
    people: [], /* names of people, by seat */
    seen: {}, /* hints that were given once */
    companion: null, /* the conductor's game */
};

function sameKind(a, b) {
    if (b === null) return a === null || typeof a === 'object';
    return typeof a === typeof b && Array.isArray(a) === Array.isArray(b) && a !== null;
}

function readSettings() {
    const kept = read('settings');
    const now = structuredClone(DEFAULTS);
    if (kept && typeof kept === 'object')
        for (const name of Object.keys(DEFAULTS))
            if (name in kept && sameKind(kept[name], DEFAULTS[name])) now[name] = kept[name];
    return now;
}

let current = readSettings();

function tellSettings() {
    window.endstationSettings = current; /* theme.js looks here */
    window.dispatchEvent(new Event('endstation-settings'));
}

export const settings = {
    get(name) {
        return current[name];
    },
    /* Sets one and keeps all. */
    set(name, value) {
        current = {...readSettings(), [name]: value};
        write('settings', current);
        tellSettings();
    },
    /* Calls listener() when one of these settings has changed, here or in another tab; returns what
     * ends it. */
    watch(names, listener) {
        const values = () => JSON.stringify(names.map((name) => current[name]));
        let before = values();
        const hear = () => {
            const now = values();
            if (now === before) return;
            before = now;
            listener();
        };
        window.addEventListener('endstation-settings', hear);
        return () => window.removeEventListener('endstation-settings', hear);
    },
};

/* ---- Everything ----------------------------------------------------------------------------- */

export function eraseAll() {
    for (const id of names('game')) erase(`game.${id}`);
    for (const id of names('map')) erase(`map.${id}`);
    erase('settings');
    current = readSettings();
    tellSettings();
}

window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === `${PREFIX}settings`) {
        current = readSettings();
        tellSettings();
    }
    for (const [id, listeners] of watchers)
        if (event.key === null || event.key === `${PREFIX}game.${id}`)
            for (const listener of listeners) listener(games.get(id));
});
