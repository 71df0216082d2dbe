/* The client of the room server (docs/protocol.md): connections that reconnect automatically, the
 * guest that this browser is, and what it remembers about rooms.
 *
 *     const link = new Connection('lobby', {hello: () => ({code, have})});
 *     link.on('state', …)       connecting, connected, offline, old, refused, closed (link.state)
 *     link.on('lobby', …)       a message of that type
 *     await link.request({t: 'sit', key: newKey(), …})   the answer: {t: 'ok', …}, {t: 'no', code},
 *                               or {t: 'away'}: the connection has ended for good without one
 *     link.send({t: 'again'})   without an answer; false: there is no connection now
 *     link.close()
 *
 * As long as a request has no answer, nobody knows whether it arrived. So the same message is sent
 * again after every break; by its key or decision the server sees that it is a repetition. */

const PROTOCOL = 1;
const PING_MS = 20000;
const PONG_MS = 3000; /* if a ping is not answered within this time, the connection is dead */
const WELCOME_MS = 10000; /* the longest time from opening to `welcome` */
const RETRY_MS = 500; /* the pause before the second attempt; it doubles each time … */
const RETRY_MAX_MS = 30000; /* … up to this */
const BUSY_RETRIES = 2; /* while the server says BUSY, the pause doubles only so often */
const SIGNOUT_MS = 10000; /* how long the server may take to sign a device out */
const BUSY_MS = 400; /* the shortest pause before a request that got BUSY is sent again */

/* What a connection needs from its environment; tests replace it. */
const browser = {
    connect: (path) => new WebSocket(
        new URL(`/ws/${path}`, location.href).href.replace(/^http/, 'ws')),
    /* Calls act() later; returns a function that prevents it. */
    later: (ms, act) => {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
    },
    random: Math.random,
    /* Calls act() whenever the page may have been suspended or offline; returns a function that
     * stops that. */
    onWake: (act) => {
        const seen = () => document.visibilityState === 'visible' && act();
        document.addEventListener('visibilitychange', seen);
        for (const name of ['pageshow', 'online', 'offline']) window.addEventListener(name, act);
        return () => {
            document.removeEventListener('visibilitychange', seen);
            for (const name of ['pageshow', 'online', 'offline'])
                window.removeEventListener(name, act);
        };
    },
    token: () => me.get()?.token ?? '',
};

/* A key for something that must not happen twice. */
export function newKey() {
    return [...crypto.getRandomValues(new Uint8Array(16))]
        .map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/* For `hello` in the lobby: we want to be told what changes in the list of open tables. */
export const changes = () => ({changes: true});

export class Connection {
    #path;
    #hello;
    #world;
    #socket = null;
    #listeners = new Map(); /* type: a set of functions */
    #asked = new Map(); /* requests without an answer: id: {message, resolve}, oldest first */
    #number = 0; /* id of the latest request */
    #failures = 0; /* failed attempts since the latest welcome */
    #wait = 0; /* milliseconds to wait at least before the next attempt */
    #timers = {}; /* name: a function that stops the timer */
    #unwake;

    /* `path`: the id of a room, or 'lobby'; hello(): more fields for the message `hello`. */
    constructor(path, {hello = () => ({}), world = browser} = {}) {
        this.#path = path;
        this.#hello = hello;
        this.#world = world;
        this.state = 'connecting';
        this.code = ''; /* why the server has refused */
        this.guest = null; /* from `welcome`: {guest, name, colour}; guest '': none */
        this.#unwake = world.onWake(() => this.#wake());
        this.#open();
    }

    /* Calls act(message) for every message of a type; returns a function that stops that. */
    on(type, act) {
        if (!this.#listeners.has(type)) this.#listeners.set(type, new Set());
        this.#listeners.get(type).add(act);
        return () => this.#listeners.get(type).delete(act);
    }

    request(message) {
        if (this.#hasEnded) return Promise.resolve({t: 'away'});
        const id = ++this.#number;
        return new Promise((resolve) => {
            this.#asked.set(id, {message: {...message, id}, resolve});
            this.#say(id);
        });
    }

    send(message) {
        if (this.state !== 'connected') return false;
        this.#socket.send(JSON.stringify(message));
        return true;
    }

    /* Reconnects immediately: as another guest, or with another code. */
    restart() {
        if (this.state === 'closed') return;
        this.#failures = 0;
        this.#wait = 0;
        this.code = '';
        this.#drop();
        this.#become('connecting');
        this.#open();
    }

    close() {
        this.#drop();
        this.#unwake();
        this.#end('closed');
    }

    /* ---- The socket ---- */

    get #hasEnded() {
        return ['old', 'refused', 'closed'].includes(this.state);
    }

    #open() {
        const socket = (this.#socket = this.#world.connect(this.#path));
        const mine = (act) => (event) => this.#socket === socket && act(event);
        this.#time('welcome', WELCOME_MS, () => this.#lost());
        socket.addEventListener('open', mine(() => socket.send(JSON.stringify({t: 'hello',
            v: PROTOCOL, ...this.#token(), ...this.#hello()}))));
        socket.addEventListener('message', mine(({data}) => this.#hear(data)));
        socket.addEventListener('close', mine(() => this.#lost()));
        socket.addEventListener('error', mine(() => {})); /* `close` follows */
    }

    #token() {
        const token = this.#world.token();
        return token ? {token} : {};
    }

    /* Closes the socket, ignoring whatever still comes from it, and stops all timers. */
    #drop() {
        const socket = this.#socket;
        this.#socket = null;
        for (const stop of Object.values(this.#timers)) stop();
        this.#timers = {};
        socket?.close();
    }

    #lost() {
        this.#drop();
        if (this.#hasEnded) return;
        const pause = Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** this.#failures++);
        const wait = Math.max(this.#wait, pause * (0.5 + this.#world.random() / 2));
        this.#wait = 0;
        this.#time('retry', wait, () => this.#open());
        this.#become('offline');
    }

    /* The page may have been suspended, or the network may have changed: checks the connection. */
    #wake() {
        if (this.state === 'connected') {
            this.#ping();
        } else if (!this.#hasEnded && this.#timers.retry) {
            this.#timers.retry();
            delete this.#timers.retry;
            this.#open();
        }
    }

    #ping() {
        if (this.#timers.pong) return; /* one has been sent already */
        this.#time('pong', PONG_MS, () => this.#lost());
        this.send({t: 'ping'});
    }

    #time(name, ms, act) {
        this.#timers[name]?.();
        this.#timers[name] = this.#world.later(ms, () => {
            delete this.#timers[name];
            act();
        });
    }

    #stop(name) {
        this.#timers[name]?.();
        delete this.#timers[name];
    }

    /* ---- Messages ---- */

    #hear(data) {
        let message;
        try {
            message = JSON.parse(data);
        } catch {
            this.#lost(); /* not a room server */
            return;
        }
        this.#stop('pong');
        this.#time('ping', PING_MS, () => this.#ping());
        if (message.t === 'welcome') this.#welcome(message);
        else if (message.t === 'no' && this.state !== 'connected') this.#refuse(message.code);
        else if (message.id !== undefined) this.#answer(message);
        else if (message.t === 'soon') this.#wait = Math.min(message.ms, RETRY_MAX_MS);
        this.#tell(message.t, message);
    }

    #welcome({guest, name, colour}) {
        this.#stop('welcome');
        this.#failures = 0;
        this.guest = {guest, name, colour};
        this.#become('connected');
        for (const id of [...this.#asked.keys()]) this.#say(id);
    }

    /* The server has refused `hello`. After BUSY and TOO_MANY it closes the connection and we try
     * again; other refusals are final. */
    #refuse(code) {
        if (code === 'BUSY') {
            this.#failures = Math.min(this.#failures, BUSY_RETRIES);
            return;
        }
        this.code = code;
        if (code === 'TOO_MANY') this.#wait = RETRY_MAX_MS;
        else this.#end(code === 'VERSION' ? 'old' : 'refused');
    }

    #say(id) {
        const asked = this.#asked.get(id);
        if (asked) this.send(asked.message);
    }

    #answer(answer) {
        const asked = this.#asked.get(answer.id);
        if (!asked) return; /* sent twice, and answered twice */
        if (answer.t === 'no' && answer.code === 'BUSY') {
            this.#time(`busy ${answer.id}`, BUSY_MS * (1 + this.#world.random()),
                () => this.#say(answer.id));
            return;
        }
        this.#asked.delete(answer.id);
        asked.resolve(answer);
    }

    /* ---- States ---- */

    #end(state) {
        this.#become(state);
        for (const {resolve} of this.#asked.values()) resolve({t: 'away'});
        this.#asked.clear();
    }

    #become(state) {
        if (this.state === state) return;
        this.state = state;
        this.#tell('state', {state});
    }

    #tell(type, message) {
        for (const act of [...this.#listeners.get(type) ?? []]) act(message);
    }
}

/* ---- The guest that this browser is ---------------------------------------------------------- */

const PREFIX = 'endstation.';
const memory = new Map(); /* what the browser refused to store: lost when the page is closed */

/* Small values in the browser's storage; null: there is none. */
export const kept = {
    get(name) {
        if (memory.has(name)) return memory.get(name);
        try {
            return JSON.parse(localStorage.getItem(PREFIX + name));
        } catch {
            return null;
        }
    },

    set(name, value) {
        try {
            if (value === null) localStorage.removeItem(PREFIX + name);
            else localStorage.setItem(PREFIX + name, JSON.stringify(value));
            memory.delete(name);
        } catch {
            memory.set(name, value);
        }
    },

    names: (prefix) => [...new Set([...memory.keys(), ...localNames()])]
        .filter((name) => name.startsWith(prefix) && kept.get(name)),
};

function localNames() {
    try {
        return Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))
            .map((name) => name.slice(PREFIX.length));
    } catch {
        return [];
    }
}

/* The guest that this browser is: {guest, token, device, name, colour}. The token may be missing if
 * only the cookie is left. */
export const me = {
    get: () => kept.get('guest'),
    set: (changes) => kept.set('guest', {...kept.get('guest'), ...changes}),
    clear: () => kept.set('guest', null),
};

/* A request that the server has refused: `code` says why; '' if it cannot be reached. */
export class Refused extends Error {
    constructor(code) {
        super(code || 'no server');
        this.name = 'Refused';
        this.code = code;
    }
}

/* Asks again when the server says so: where many share an address, such as a class, their requests
 * together can be too many at once. Also if a proxy had no answer: one of several servers may just
 * be stopping. */
async function request(address, options) {
    for (let tries = 1;; tries++) {
        const answer = await fetch(address, options);
        const seconds = [502, 504].includes(answer.status) ? 1
            : answer.status === 429 ? Number(answer.headers.get('Retry-After')) : 0;
        if (!seconds || tries === 4) return answer;
        await new Promise((resolve) => setTimeout(resolve, (seconds + Math.random()) * 1000));
    }
}

function bearer() {
    const token = me.get()?.token;
    return token ? {Authorization: `Bearer ${token}`} : {};
}

async function post(address, body, {type = 'application/json', headers, signal} = {}) {
    let answer;
    try {
        answer = await request(address, {method: 'POST', body, signal,
            headers: {'Content-Type': type, ...headers}});
    } catch {
        throw new Refused('');
    }
    const text = await answer.text();
    if (answer.ok) return text;
    let code = '';
    try {
        ({code} = JSON.parse(text));
    } catch {
        /* not a room server */
    }
    throw new Refused(code);
}

/* The name of this device in the list of devices: browser and system, as far as known. */
function deviceLabel() {
    const agent = navigator.userAgent;
    const find = (names) => names.find(([pattern]) => pattern.test(agent))?.[1] ?? '';
    const program = find([[/Firefox\//, 'Firefox'], [/Edg\//, 'Edge'], [/Chrome\//, 'Chrome'],
        [/Safari\//, 'Safari']]);
    const system = find([[/Android/, 'Android'], [/iPhone|iPad/, 'iOS'], [/Windows/, 'Windows'],
        [/Mac OS/, 'macOS'], [/Linux/, 'Linux']]);
    return [program, system].filter(Boolean).join(', ') || '?';
}

/* Makes a new guest on the server and stores it as this browser's. */
export async function makeGuest(name, colour) {
    const {guest, token, device} = JSON.parse(await post('/api/guest',
        JSON.stringify({name, colour, label: deviceLabel()})));
    me.set({guest, token, device, name, colour});
}

/* Makes this browser another device of the guest who made the ticket. */
export async function redeem(ticket) {
    const {guest, token, device} = JSON.parse(await post('/api/device',
        JSON.stringify({ticket, label: deviceLabel()})));
    kept.set('guest', {guest, token, device});
}

/* Signs this device out: the server forgets it, and deletes the cookie, which a page cannot. */
export async function signOut() {
    await post('/api/signout', '{}', {headers: bearer(),
        signal: AbortSignal.timeout(SIGNOUT_MS)});
    memory.clear();
    me.clear();
}

/* Sends a sheet to the server, so that a room's setup can name it. */
export const uploadMap = (text) => post('/api/map', text, {type: 'text/plain'});

/* A QR code as SVG text. By POST, so that the text is in no URL. */
export const qrCode = (text) => post('/api/qr', JSON.stringify({text}));

/* A room's code, where one is needed, is in no address, since logs keep these. */
async function get(address, code = '') {
    const answer = await request(address,
        {headers: code ? {Authorization: `Code ${code}`} : bearer()});
    if (!answer.ok) throw new Refused('');
    return answer;
}

/* The text of a room's sheet; only for sheets that are not built in. */
export const fetchMap = async (room, code) => (await get(`/api/rooms/${room}/map`, code)).text();

/* Everything that the server has about the reader, as one object. It comes in pages, of which there
 * are only so many in a minute. */
export async function everything() {
    const all = {};
    for (let after = '', waits = 0;;) {
        const answer = await request(`/api/me${after && `?after=${after}`}`, {headers: bearer()});
        if (answer.status === 429 && waits++ < 30) {
            await new Promise((resolve) => setTimeout(resolve, 4000));
            continue;
        }
        if (!answer.ok) throw new Refused(answer.status === 429 ? 'TOO_MANY' : '');
        const {after: next, rooms, ...rest} = await answer.json();
        Object.assign(all, rest, {rooms: [...all.rooms ?? [], ...rooms]});
        if (!next) return all;
        after = next;
    }
}

/* The message `room` of a room, by HTTP. */
export const fetchRoom = async (room) => (await get(`/api/rooms/${room}`)).json();

/* ---- Rooms that this browser has been in ----------------------------------------------------- */

const ROOMS_MAX = 40;

/* What this browser remembers about a room:
 *
 *     code     of the invitation          word    for the shuffle
 *     commit   as it was shown first      title   of the game
 *     move     {decision, event}: chosen, but not acknowledged by the server
 *     seen     number of events that the reader has seen
 *     muted    people, by `who`
 *     sit      take a seat on arrival     over    the game is over, or the room closed
 *     time     of the latest change, in milliseconds */
export const rooms = {
    get: (id) => kept.get(`room.${id}`) ?? {},

    set(id, changes) {
        kept.set(`room.${id}`, {...this.get(id), ...changes, time: Date.now()});
        for (const {id: old} of this.list().slice(ROOMS_MAX)) kept.set(`room.${old}`, null);
    },

    remove: (id) => kept.set(`room.${id}`, null),

    /* The latest first. */
    list: () => kept.names('room.').map((name) => ({...kept.get(name), id: name.slice(5)}))
        .sort((a, b) => b.time - a.time),
};
