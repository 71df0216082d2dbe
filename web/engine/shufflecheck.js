/* The page's own check of a shuffle: whether the cards or tiles of a record follow from its seed,
 * and the seed from the secret and the players' words (docs/shuffle.md). It uses none of the C
 * code, so that two implementations must agree, and not the hashes of Web Crypto, which browsers
 * offer only over https. What differs between games is in the part `fair` of their faces
 * (faces.js).
 *
 *     const word = randomWord();            secret until the start; show hashOfWord(word) before
 *     const {ok, faults, missing, checked} = await check(record, {commit, word, player});
 *
 * Secrets, words, hashes and seeds are texts of hex digits. */
import {loadPart} from '../games/faces.js';
import {english, t, tn} from '../app/texts.js';
import {full, playerNames, reason} from '../ui/words.js';

const BYTES = 32; /* of a secret, a word, a hash, a seed */

const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
const isHex = (text) => /^[0-9a-f]{64}$/.test(text);
const textBytes = (text) => new TextEncoder().encode(text);
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/* ---- SHA-256 and HMAC ------------------------------------------------------------------------ */

const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
/* The first 32 bits after the binary point. */
const fraction = (value) => Math.floor((value % 1) * 2 ** 32) | 0;
const STEPS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const right = (value, bits) => value >>> bits | value << 32 - bits;

function addBlock(hash, block) {
    const w = [];
    for (let i = 0; i < 64; i++)
        w[i] = i < 16 ? block.getInt32(4 * i) : w[i - 16] + w[i - 7] +
            (right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >>> 3) +
            (right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >>> 10) | 0;
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
        const one = h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + (e & f ^ ~e & g) +
            STEPS[i] + w[i] | 0;
        const two = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
        [a, b, c, d, e, f, g, h] = [one + two | 0, a, b, c, d + one | 0, e, f, g];
    }
    return [a, b, c, d, e, f, g, h].map((value, i) => value + hash[i] | 0);
}

function sha256(bytes) {
    const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
    const view = new DataView(padded.buffer);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    view.setUint32(padded.length - 4, bytes.length * 8); /* texts here are shorter than 2³² bits */
    let hash = START;
    for (let at = 0; at < padded.length; at += 64)
        hash = addBlock(hash, new DataView(padded.buffer, at, 64));
    hash.forEach((value, i) => view.setInt32(4 * i, value));
    return padded.slice(0, BYTES);
}

function hmac(key, message) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? sha256(key) : key);
    const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
    return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

/* ---- ChaCha20 and shuffles ------------------------------------------------------------------- */

/* The indexes of the four words that each quarter round mixes: columns, then diagonals. */
const QUARTERS = [0, 1, 2, 3].map((i) => [i, i + 4, i + 8, i + 12])
    .concat([0, 1, 2, 3].map((i) => [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]));

function chacha20(start) {
    const x = Int32Array.from(start);
    const mix = (to, from, by, bits) => {
        x[to] += x[from];
        x[by] = right(x[by] ^ x[to], 32 - bits);
    };
    for (let round = 0; round < 10; round++)
        for (const [a, b, c, d] of QUARTERS) {
            mix(a, b, d, 16);
            mix(c, d, b, 12);
            mix(a, b, d, 8);
            mix(c, d, b, 7);
        }
    return x.map((value, i) => value + start[i]);
}

/* The key stream of one shuffle, as numbers below 2³². */
function* stream(seed, shuffle) {
    const view = new DataView(joined(textBytes('expand 32-byte k'), fromHex(seed)).buffer);
    const start = Array.from({length: 12}, (_, i) => view.getInt32(4 * i, true));
    for (let counter = 0; ; counter++)
        for (const value of chacha20([...start, counter, shuffle, 0, 0])) yield value >>> 0;
}

/* The order of `size` things in shuffle number `shuffle` of a seed. */
export function shuffled(seed, shuffle, size) {
    const order = Array.from({length: size}, (_, i) => i);
    const numbers = stream(seed, shuffle);
    for (let n = size; n > 1; n--) {
        let value;
        do value = numbers.next().value; while (value >= Math.floor(2 ** 32 / n) * n);
        [order[n - 1], order[value % n]] = [order[value % n], order[n - 1]];
    }
    return order;
}

/* ---- Words, commit and seed ------------------------------------------------------------------ */

export const randomWord = () => toHex(crypto.getRandomValues(new Uint8Array(BYTES)));

export const hashOfWord = (word) => toHex(sha256(fromHex(word)));

/* SHA-256 of a text. */
export const hashOfText = (text) => toHex(sha256(textBytes(text)));

const idBytes = (id) => joined([id.length], textBytes(id));

export const commitOf = (secret, id) => toHex(sha256(joined(fromHex(secret), idBytes(id))));

/* `seats` has an object for every seat: {bot: true}, {word}, or {} where the word is missing. */
export function seedOf(secret, id, setup, seats) {
    const text = textBytes(setup);
    const length = [24, 16, 8, 0].map((bits) => text.length >>> bits & 255);
    const words = seats.flatMap(({bot, word}) => (!bot && word ? [1, ...fromHex(word)]
        : [bot ? 0 : 2, ...new Uint8Array(BYTES)]));
    return toHex(hmac(fromHex(secret), joined(idBytes(id), length, text, words)));
}

/* ---- Records --------------------------------------------------------------------------------- */

/* Parses a record: all(word) gives the header lines that begin with a word, each as a list of
 * words; one(word) the rest of the first such line; `events` the lines after the header. */
function parse(record) {
    const lines = record.replace(/^\ufeff/, '').split('\n').map((line) => line.trim());
    const end = lines.indexOf('');
    const isText = (line) => line && !line.startsWith('#');
    const header = (end < 0 ? lines : lines.slice(0, end)).slice(1).filter(isText)
        .map((line) => line.split(/[ \t]+/));
    const all = (word) => header.filter(([first]) => first === word);
    return {all, one: (word) => all(word)[0]?.slice(1),
        events: end < 0 ? [] : lines.slice(end).filter(isText)};
}

/* Whether there is something to check in a record. */
export function canCheck(record) {
    const {one} = parse(record);
    return Boolean(one('seed') || one('secret'));
}

const setupOf = ({all, one}, {lines = []}) => ['game', 'map', 'players', 'rules', ...lines]
    .flatMap((word) => all(word).map((words) => `${words.join(' ')}\n`)).join('') +
    `${['bots', ...Array.from({length: Number(one('players'))}, (_, i) => String(i + 1))
        .filter((seat) => all('bot').some((words) => words[1] === seat))].join(' ')}\n`;

/* Reads the words into `seats`, an object for every seat as for seedOf; adds what is wrong with
 * them to `faults`. */
function readWords({all, one}, faults) {
    const seats = Array.from({length: Number(one('players'))}, () => ({}));
    for (const [, player] of all('bot')) if (seats[player - 1]) seats[player - 1].bot = true;
    for (const [, player, word, hash, ...more] of all('word')) {
        const seat = /^[1-9]$/.test(player) && seats[player - 1];
        const isGood = (word === '-' || isHex(word)) && isHex(hash) && !more.length;
        if (!isGood) faults.add('WORD_LINE_BAD');
        else if (!seat) faults.add('PLAYER_UNKNOWN');
        else if (seat.bot) faults.add('WORD_OF_BOT');
        else if (seat.hash) faults.add('TWICE');
        else Object.assign(seat, {hash}, word !== '-' && {word});
    }
    for (const {bot, word, hash} of seats) {
        if (!bot && !hash) faults.add('WORD_LINE_MISSING');
        if (word && hashOfWord(word) !== hash) faults.add('WORD_WRONG');
    }
    return seats;
}

/* Compares the record with what this page knows: the commit that it was shown, and the word that it
 * sent. */
function compare(known, shown, seats, faults) {
    if (known.commit && !shown) faults.add('COMMIT_MISSING');
    else if (known.commit && shown !== known.commit) faults.add('COMMIT_OTHER');
    const mine = seats[known.player - 1];
    if (!known.word || !known.player) return;
    if (!mine?.word) faults.add('OWN_WORD_MISSING');
    else if (mine.word !== known.word) faults.add('OWN_WORD_OTHER');
}

/* Checks commit, secret and seed. Returns the seed, or '' if the record has none and none can be
 * computed. */
function checkSeed(parsed, face, known, seats, faults) {
    const {all, one} = parsed;
    const [secret = ''] = one('secret') ?? [];
    const [shown = '', id = '', ...more] = one('commit') ?? [];
    const [seed = ''] = one('seed') ?? [];
    for (const word of ['commit', 'secret', 'seed'])
        if (all(word).length > 1) faults.add('TWICE');
    compare(known, shown, seats, faults);
    if (!one('secret') && !one('commit')) {
        if (!seed) faults.add('SEED_MISSING');
        return seed;
    }
    if (!one('commit')) faults.add('COMMIT_MISSING');
    else if (!isHex(shown) || !/^[a-z0-9]{1,32}$/.test(id) || more.length) faults.add('COMMIT_BAD');
    if (!one('secret')) faults.add('SECRET_MISSING');
    else if (!isHex(secret) || one('secret').length > 1) faults.add('SECRET_BAD');
    if (!isHex(secret) || !id) return seed;
    if (commitOf(secret, id) !== shown) faults.add('SECRET_WRONG');
    const made = seedOf(secret, id, setupOf(parsed, face), seats);
    if (seed && made !== seed) faults.add('SEED_WRONG');
    return seed || made;
}

/* Compares the chance events with the shuffle; returns the number of those that fit, up to the
 * first that does not. */
function checkEvents(parsed, face, seed, faults) {
    const pile = face.pile(parsed.one);
    let shuffle = 0;
    let order = shuffled(seed, 0, pile.length);
    let checked = 0;
    for (const thing of parsed.events.map(face.dealt).filter(Boolean)) {
        if (thing !== pile[order.shift()]) {
            faults.add('DEAL_WRONG');
            break;
        }
        checked++;
        if (face.again?.(thing)) order = shuffled(seed, ++shuffle, pile.length);
    }
    return checked;
}

/* Checks a record, as the program writes it, and compares it with what this page knows: the commit
 * that was shown before the game, and the word that it sent for a player. Each may be left out.
 * Resolves with {ok, faults, missing, checked, proved}: `faults` are codes (those of status.h,
 * OWN_WORD_MISSING and OWN_WORD_OTHER), `missing` the players whose words are missing, `checked`
 * the number of chance events that fit; `proved`: there is a commit or a secret. */
export async function check(record, known = {}) {
    const parsed = parse(record);
    const face = await loadPart(parsed.one('game')?.[0], 'fair');
    const faults = new Set();
    if (!face) return {ok: false, faults: ['GAME_UNKNOWN'], missing: [], checked: 0, proved: false};
    const proved = Boolean(parsed.one('secret') || parsed.one('commit') || known.commit);
    const words = new Set(); /* faults of word lines, which mean nothing without commit or secret */
    const seats = readWords(parsed, words);
    if (proved) words.forEach((code) => faults.add(code));
    const seed = checkSeed(parsed, face, known, seats, faults);
    if (seed && !isHex(seed)) faults.add('SEED_BAD');
    const checked = isHex(seed) ? checkEvents(parsed, face, seed, faults) : 0;
    const missing = seats.flatMap(({hash, word}, i) => (proved && hash && !word ? [i + 1] : []));
    return {ok: faults.size === 0, faults: [...faults], missing, checked, proved};
}

/* ---- In words -------------------------------------------------------------------------------- */

/* Sentences for the codes: those of status.h, and two more. */
const SENTENCES = {
    COMMIT_BAD: english('a commit is 64 lower-case hex digits and an id, 1 to 32 of a-z and 0-9'),
    COMMIT_MISSING: english('the record has no commit, the hash that is shown before the game'),
    COMMIT_OTHER: english('this is not the commit that was shown before the game'),
    DEAL_WRONG: english('the cards or tiles are not those of the shuffle'),
    OWN_WORD_MISSING: english('your own word is called missing, although this page sent it'),
    OWN_WORD_OTHER: english('your own word is not the one that this page sent'),
    SECRET_BAD: english('a secret is 64 lower-case hex digits'),
    SECRET_MISSING: english('the secret is missing: it is revealed when the game is over'),
    SECRET_WRONG: english('the commit was not made from this secret'),
    SEED_BAD: english('a seed is 64 lower-case hex digits'),
    SEED_MISSING: english('the record has neither seed nor secret: its shuffle cannot be checked'),
    SEED_WRONG: english('the seed was not made from the secret and the words'),
    WORD_WRONG: english('a player’s word does not have the hash that was shown before the game'),
};

/* The result of check() as a text for the reader; `state` has the players. */
export function tellCheck({ok, faults, missing, checked, proved}, state) {
    const whose = missing.length > 0 && t('Missing words: {players}',
        {players: playerNames(state, missing)});
    const why = faults.map((code) => reason(SENTENCES[code]) ||
        t('The lines about the shuffle contradict each other.'));
    const found = ok ? [
        tn('The shuffle is right: {n} card or tile follows from the seed',
            'The shuffle is right: all {n} cards or tiles follow from the seed', checked),
        proved && t('The seed follows from the secret and the players’ words'),
    ] : [t('The shuffle is not right'), ...new Set(why)];
    return [...found, whose].filter(Boolean).map(full).join(' ');
}
