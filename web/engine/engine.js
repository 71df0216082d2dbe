// The WebAssembly module as an object: one Engine is one game, with everything that C knows about
// it. Input and output are text; errors of C are thrown as a Fault.

/** An error reported by C about a text, a move or a picture; t(fault.sentence) translates it. */
export class Fault extends Error {
    constructor({ status, line, words, sentence }) {
        super(words ? `'${words}': ${sentence}` : sentence);
        this.name = 'Fault';
        this.status = status;
        this.line = line;
        this.words = words;
        this.sentence = sentence;
    }
}

/** This browser cannot run the module: it is too old, or it is not allowed to. */
export class Unsupported extends Error {
    constructor(cause) {
        super('WebAssembly with SIMD is missing', { cause });
        this.name = 'Unsupported';
    }
}

const FLAGS = { dark: 1, bare: 4, patterns: 8, print: 16, fresh: 32, latest: 64 };
const NO_NAMES = 2;

/** The look of a picture as C takes it. */
export function flagsOf(names, look) {
    let flags = names ? 0 : NO_NAMES;
    for (const [name, flag] of Object.entries(FLAGS)) {
        flags |= look[name] ? flag : 0;
    }
    return flags;
}

/** Exports that change nothing; whatever the others do, answers are asked for anew after them. */
const READS = new Set(['input', 'needs', 'info', 'state', 'log', 'view', 'report', 'record',
    'moves', 'ask', 'choose', 'draw', 'piece', 'piece_facts', 'print']);

/** A number of events as C takes it: Infinity means all. */
const clamp = (n) => Math.min(Math.max(0, n), 0x7fffffff);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

let compiled = null;

/** The compiled module: from `source`, or else fetched from beside this file, once. */
export function loadModule(source) {
    if (typeof WebAssembly === 'undefined') {
        return Promise.reject(new Unsupported());
    }
    if (source instanceof WebAssembly.Module) {
        return Promise.resolve(source);
    }
    if (source) {
        return WebAssembly.compile(source);
    }
    compiled ??= fetchModule('endstation.wasm').catch((error) => {
        compiled = null; // the next call tries again
        throw error;
    });
    return compiled;
}

/** Compiles a module that lies beside this file. */
export async function fetchModule(file) {
    const answer = await fetch(new URL(`../${file}`, import.meta.url));
    if (!answer.ok) {
        throw new Error(`${file}: ${answer.status}`);
    }
    return WebAssembly.compile(await answer.arrayBuffer()).catch((error) => {
        throw error instanceof WebAssembly.CompileError ? new Unsupported(error) : error;
    });
}

/** An engine of its own; `source` (bytes or a module) is for workers and node. */
export async function loadEngine(source) {
    const module = await loadModule(source);
    return new Engine(module, await WebAssembly.instantiate(module));
}

export class Engine {
    #module;
    #instance;
    #replacing = null;
    #open = false;
    #mapText = '';
    #words = {};
    #states = new Map(); // viewer: the state, until something changes

    constructor(module, instance) {
        this.#module = module;
        this.#instance = instance;
    }

    // ---- The game ----------------------------------------------------------------------------

    /** Reads a player's own sheet, for records that name it: `{ id, title, hash, built_in }`; ''
     * for none. */
    map(text) {
        const facts = JSON.parse(this.#ask('map', [this.#put(text)]));
        this.#mapText = text;
        return facts;
    }

    /** The sheet that a record names, without opening it: `{ game, map, hash, built_in }`. */
    needs(text) {
        return JSON.parse(this.#ask('needs', [this.#put(text)]));
    }

    open(text) {
        this.#ask('open', [this.#put(text)]);
        this.#open = true;
    }

    /** A new game from its choices, a line each; see es_page_begin in src/page/page.h. */
    begin(text) {
        this.#ask('begin', [this.#put(text)]);
        this.#open = true;
    }

    /** The open game from its start, with the lines `date D` and `seed HEX`. */
    rematch(text) {
        this.#needGame();
        this.#ask('rematch', [this.#put(text)]);
    }

    /** Gives a seat to a bot of that level, or ('') to a person. */
    seat(player, level) {
        this.#needGame();
        this.#ask('seat', [player, this.#put(level)]);
    }

    /** Marks the bots that earlier versions recorded by name only; returns their number. */
    upgrade() {
        this.#needGame();
        return this.#call('upgrade');
    }

    apply(event) {
        this.#needGame();
        this.#ask('apply', [this.#put(event)]);
    }

    /** Deals the cards or tiles that are due; returns their number. */
    deal() {
        this.#needGame();
        const entropy = crypto.getRandomValues(new Uint32Array(2));
        return this.#call('deal', ...entropy);
    }

    takeBack(player) {
        this.#needGame();
        this.#ask('take_back', [player]);
    }

    /** Notes in the record that somebody had help. */
    aid() {
        this.#needGame();
        this.#ask('aid', []);
    }

    /** Takes back the only person's last move and all that followed; notes that as help. */
    goBack(player) {
        this.#needGame();
        this.#ask('go_back', [player]);
    }

    /** Shows the game as when the viewer's view first had n events. */
    seek(viewer, n) {
        this.#needGame();
        this.#ask('seek', [viewer, clamp(n)]);
    }

    /** Makes that moment the game. */
    fork(viewer, n) {
        this.#needGame();
        this.#ask('fork', [viewer, clamp(n)]);
    }

    record() {
        return this.#text('record');
    }

    view(player) {
        return this.#text('view', player);
    }

    report() {
        return this.#text('report');
    }

    moves() {
        return this.#text('moves');
    }

    // ---- Games and pieces: objects, see src/page/page.h ---------------------------------------

    info() {
        return JSON.parse(this.#ask('info', []));
    }

    /** The facts about a card or tile. */
    pieceFacts(game, name) {
        return JSON.parse(this.#ask('piece_facts', [this.#put(`${game} ${name}`)]));
    }

    // ---- Facts and plans: objects, see src/page/page.h ---------------------------------------

    /** The same object until something changes: not to be written to. */
    state(viewer) {
        if (!this.#states.has(viewer)) {
            this.#states.set(viewer, JSON.parse(this.#text('state', viewer)));
        }
        return this.#states.get(viewer);
    }

    log(viewer, from = 0) {
        return JSON.parse(this.#text('log', viewer, from));
    }

    ask(words) {
        this.#needGame();
        return JSON.parse(this.#ask('ask', [this.#put(words)]));
    }

    /** What a player plans by a tap, a key or a move. `pick`, of an earlier answer, says what is in
     * hand; '' or one that is out of date: nothing. */
    choose(player, pick, words) {
        this.#needGame();
        const size = this.#put(pick + words);
        return JSON.parse(this.#ask('choose', [player, pick.length, size]));
    }

    // ---- Pictures: SVG as text ---------------------------------------------------------------

    draw({ viewer = 0, sheet = viewer || 1, names = true, lit = 0, prefix = '', pick = '',
        ...look } = {}) {
        this.#needGame();
        const size = this.#put(pick + prefix);
        return this.#ask('draw', [viewer, sheet, flagsOf(names, look), lit, pick.length, size]);
    }

    /** A single card or tile of a game. */
    piece(game, name, dark = false) {
        return this.#ask('piece', [this.#put(`${game} ${name}`), dark ? 1 : 0]);
    }

    /** The pages of something that the open game's setup can print, as SVG texts of true size. */
    print(thing, { paper = 'a4', names = true } = {}) {
        this.#needGame();
        const numbers = [this.#put(thing), paper === 'letter' ? 1 : 0, names ? 0 : 1];
        return this.#ask('print', numbers).trimEnd().split('\n');
    }

    /** The words of titles in another language, {English: translation}; none: English. */
    words(translation) {
        this.#ask('words', [this.#put(Object.entries(translation).flat().join('\n'))]);
        this.#words = translation;
    }

    // ---- Thinking: long; for the worker ------------------------------------------------------

    think(player, level, seed = 0) {
        this.#needGame();
        return JSON.parse(this.#ask('think', [player, seed, this.#put(level)]));
    }

    /** Cuts the game to its start, to replay it with a bot; returns the number of its events. */
    again() {
        this.#needGame();
        return this.#call('again');
    }

    /** Plays one event of that replay; false when it is over. */
    againStep(player, level) {
        this.#needGame();
        const answer = this.#call('again_step', player, this.#put(level));
        if (answer < 0) {
            throw new Fault(JSON.parse(this.#answer()));
        }
        return answer > 0;
    }

    // ---- Memory ------------------------------------------------------------------------------

    /** Calls an export that other modules have (analysisengine.js): numbers, then the size of a
     * text. Returns the answer. */
    askFor(name, text, ...numbers) {
        this.#needGame();
        return this.askAny(name, text, ...numbers);
    }

    /** The same for an export that needs no open game. */
    askAny(name, text, ...numbers) {
        return this.#ask(name, [...numbers, this.#put(text)]);
    }

    #needGame() {
        if (!this.#open) {
            throw new Error('No game is open.');
        }
    }

    #text(name, ...numbers) {
        this.#needGame();
        return this.#ask(name, numbers);
    }

    /** Puts a text (or its bytes, as they came from a file) where the next call finds it; returns
     * its size. */
    #put(text) {
        const bytes = typeof text === 'string' ? encoder.encode(text) : text;
        const at = this.#call('input', bytes.length);
        if (at === 0) {
            throw new Fault(JSON.parse(this.#answer()));
        }
        new Uint8Array(this.#instance.exports.memory.buffer, at, bytes.length).set(bytes);
        return bytes.length;
    }

    #answer() {
        const { memory, output, output_size: size } = this.#instance.exports;
        return decoder.decode(new Uint8Array(memory.buffer, output(), size()));
    }

    #ask(name, numbers) {
        const status = this.#call(name, ...numbers);
        if (status !== 0) {
            throw new Fault(JSON.parse(this.#answer()));
        }
        return this.#answer();
    }

    /** Calls an export. A trap is a bug: it is thrown, and the game continues in a new instance. */
    #call(name, ...numbers) {
        if (this.#replacing) {
            throw new Error('The engine is starting again.');
        }
        if (!READS.has(name)) {
            this.#states.clear();
        }
        try {
            return this.#instance.exports[name](...numbers);
        } catch (error) {
            this.#replace();
            throw new Error(`The engine failed in ${name}: ${error.message}`, { cause: error });
        }
    }

    #replace() {
        const record = this.#rescue();
        this.#states.clear();
        const begin = (instance) => {
            this.#instance = instance;
            this.#replacing = null;
            this.#open = false;
            try {
                this.words(this.#words);
                if (this.#mapText) {
                    this.map(this.#mapText);
                }
                if (record) {
                    this.open(record);
                }
            } catch (error) {
                console.error(error);
            }
        };
        try {
            begin(new WebAssembly.Instance(this.#module));
        } catch { // some browsers only instantiate asynchronously
            this.#replacing = WebAssembly.instantiate(this.#module).then(begin);
        }
    }

    /** The game of an instance that has failed: its events are still there. */
    #rescue() {
        try {
            return this.#open && this.#instance.exports.record() === 0 ? this.#answer() : '';
        } catch {
            return '';
        }
    }
}
