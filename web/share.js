/* Records in and out: as links that carry them, and as files. A file or link may hold several
 * records and maps, with a line `---` between them. Everything that comes in is bounded, and read
 * by C before it is kept. */
import {button, dialog, fill, h, toast} from './dom.js';
import {loadEngine} from './engine.js';
import {games, maps} from './store.js';
import {t, tn} from './texts.js';
import {newRecord} from './newgame.js';
import {gameName, reason} from './words.js';

const BYTES_MAX = 4 << 20;
const LINK_MAX = 1 << 20;
const FILE_MIB = 16; /* … and parts: more than a browser keeps, so that all of it can come back */
const PARTS_MAX = 10000;
const FAULTS_SHOWN = 20;
const SEPARATOR = '---';

/* Something wrong with a link or a file, in a sentence for the reader. */
export class ShareFault extends Error {
    constructor(sentence) {
        super(sentence);
        this.name = 'ShareFault';
        this.sentence = sentence;
    }
}

/* ---- Links ----------------------------------------------------------------------------------- */

function toBase64url(bytes) {
    let text = '';
    for (let i = 0; i < bytes.length; i += 0x8000)
        text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64url(text) {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/* Reads a stream, but never more than we are ready to hold. */
async function readAll(stream, most) {
    const reader = stream.getReader();
    const parts = [];
    let size = 0;
    for (;;) {
        const {done, value} = await reader.read();
        if (done) break;
        size += value.length;
        if (size > most) {
            await reader.cancel();
            throw new ShareFault(t('This is larger than a game can be.'));
        }
        parts.push(value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const through = (bytes, transform) => new Blob([bytes]).stream().pipeThrough(transform);

/* The address of a game that the address itself carries, after `at` events if given. */
async function toLink({record, map = ''}, at) {
    const text = map ? `${record.trimEnd()}\n${SEPARATOR}\n${map}` : record;
    const packed = await readAll(through(new TextEncoder().encode(text),
        new CompressionStream('deflate-raw')), BYTES_MAX);
    const place = at === undefined ? '' : `@${at}`;
    return `${location.origin}${location.pathname}#record=${toBase64url(packed)}${place}`;
}

/* What such an address carries, from behind `record=`: {record, map}. Throws a ShareFault. */
export async function fromLink(data) {
    let bytes;
    if (data.length > LINK_MAX) throw new ShareFault(t('This is larger than a game can be.'));
    try {
        bytes = await readAll(through(fromBase64url(data.replace(/@.*$/, '')),
            new DecompressionStream('deflate-raw')), BYTES_MAX);
        const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
        const [record, map] = split(text).map((part) => part.text);
        return {record, map: map ?? ''};
    } catch (error) {
        if (error instanceof ShareFault) throw error;
        throw new ShareFault(t('The link is damaged: part of it is missing or was changed. ' +
            'Ask for it again.'));
    }
}

/* ---- Files out ------------------------------------------------------------------------------- */

/* Gives the reader a file. */
function exportFile(name, text, type = 'text/plain') {
    const address = URL.createObjectURL(new Blob([text], {type}));
    const link = h('a', {href: address, download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/* 'amsterdam-2025-06-30.record' for a kept game. */
function fileName(game, extension) {
    const title = (game.title || 'game').normalize('NFD').replace(/[\u0300-\u036f]/g, '')
        .toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'game';
    const day = new Date(game.changed ?? Date.now()).toISOString().slice(0, 10);
    return `${title}-${day}.${extension}`;
}

/* A kept game as a file: its record, with the sheet where that is not built in. */
export function exportGame(game) {
    exportFile(fileName(game, 'record'), together([game.record, game.map]));
}

/* Everything that is kept, in one file that can be imported again. */
export function exportAll() {
    const texts = [...maps.list().map((map) => map.text),
        ...games.list().flatMap((game) => [game.record, game.map])];
    exportFile(fileName({title: 'endstation'}, 'txt'), together([...new Set(texts)]));
}

function together(texts) {
    return texts.filter(Boolean).map((text) => `${text.trimEnd()}\n`).join(`${SEPARATOR}\n`);
}

/* ---- Files in -------------------------------------------------------------------------------- */

/* The records and maps in a text, each with the number of the line before it. Throws a ShareFault
 * if there are too many. */
function split(text) {
    const parts = [{before: 0, text: ''}];
    text.replace(/^\ufeff/, '').split(/(?<=\n)/).forEach((line, i) => {
        if (line.trim() === SEPARATOR) parts.push({before: i + 1, text: ''});
        else parts.at(-1).text += line;
    });
    if (parts.length > PARTS_MAX)
        throw new ShareFault(t('The file holds more than {n} games.', {n: PARTS_MAX}));
    return parts;
}

async function readText(file) {
    if (file.size > FILE_MIB << 20)
        throw new ShareFault(t('The file is larger than {n} MiB.', {n: FILE_MIB}));
    try {
        const bytes = await file.arrayBuffer();
        return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
    } catch {
        throw new ShareFault(t('The file cannot be read as text.'));
    }
}

/* 'harbour.map:12: “s9”: No such station.' */
function tellFault(file, error, before = 0) {
    const line = error.line ? before + error.line : 0;
    const what = error.words ? `“${error.words}”: ` : '';
    const where = line ? `${file}:${line}: ` : `${file}: `;
    const why = error.status ? reason(error.sentence) : error.sentence ?? error.message;
    return `${where}${what}${why}`;
}

const isMap = (text) => /^\s*endstation-map\b/.test(text);
const mapId = (text) => /^[ \t]*id[ \t]+([a-z0-9-]{1,32})[ \t]*\r?$/m.exec(text)?.[1] ?? '';
const mapOf = (record) => /^[ \t]*map[ \t]+([a-z0-9-]{1,32})[ \t]*\r?$/m.exec(record)?.[1] ?? '';

/* Reads a map as C does: {id, title, text, builtIn}, or throws a Fault. */
function readMap(engine, text) {
    const id = mapId(text);
    engine.map(text);
    engine.open(newRecord({game: 'verplant', map: id, seats: [{}]}));
    const {title, built_in: builtIn} = engine.state(0).map;
    return {id, title, text, builtIn};
}

/* Opens a record, with an own sheet where it needs one; answers with the text of that sheet, or ''.
 * `offered` are sheets that came with it. Throws a Fault; MAP_ELSEWHERE: the sheet is missing. */
function openRecord(engine, record, offered) {
    try {
        engine.open(record);
        const {map} = engine.state(0);
        if (!map || map.built_in) return '';
    } catch (error) {
        if (error.status !== 'MAP_ELSEWHERE' && error.status !== 'MAP_OTHER') throw error;
    }
    const id = mapOf(record);
    const own = offered.find((map) => map.id === id) ?? maps.get(id);
    if (own) engine.map(own.text);
    engine.open(record);
    return own?.text ?? '';
}

/* Keeps the game that is open, unless it is there: `known` are all games. */
function keepRecord(engine, record, map, known) {
    const kept = known.find((game) => game.record === record && game.map === map);
    if (kept) return kept;
    const state = engine.state(0);
    known.push(games.create({record, map, over: state.over, title: gameName(state)}));
    return known.at(-1);
}

/* Reads files (or anything with name, size, arrayBuffer), and keeps what is sound. Answers with
 * {games, maps, faults: sentences, wanting: [{file, id, part}]}: the last are records whose sheet
 * is not here; give them again with the sheet as `waiting`. */
async function importFiles(files, waiting = []) {
    const engine = await loadEngine();
    const result = {games: [], maps: [], faults: [], wanting: []};
    const records = [...waiting];
    const known = games.list();
    for (const file of files) {
        try {
            for (const part of split(await readText(file))) {
                if (!isMap(part.text)) {
                    records.push({file: file.name, part});
                    continue;
                }
                try {
                    result.maps.push(readMap(engine, part.text));
                } catch (error) {
                    result.faults.push(tellFault(file.name, error, part.before));
                }
            }
        } catch (error) {
            result.faults.push(tellFault(file.name, error));
        }
    }
    for (const {file, part} of records) {
        try {
            const map = openRecord(engine, part.text, result.maps);
            result.games.push(keepRecord(engine, part.text, map, known));
        } catch (error) {
            if (error.status === 'MAP_ELSEWHERE' || error.status === 'MAP_OTHER')
                result.wanting.push({file, part, id: mapOf(part.text)});
            else result.faults.push(tellFault(file, error, part.before));
        }
    }
    for (const map of result.maps)
        if (!map.builtIn) maps.put(map); /* those are here anyway */
    return result;
}

function faultList(faults) {
    const more = faults.length - FAULTS_SHOWN;
    return h('ul', {class: 'faults'},
        faults.slice(0, FAULTS_SHOWN).map((fault) => h('li', {}, fault)),
        more > 0 && h('li', {}, tn('{n} more part is wrong.', '{n} more parts are wrong.', more)));
}

/* A field for files, into which they can also be dropped. `done(result)` is told what came. Faults
 * and what is still wanted are said below it. */
export function importField({label, accept, done}) {
    let waiting = [];
    const said = h('div', {class: 'stack tight', 'aria-live': 'polite'});
    const input = h('input', {type: 'file', multiple: true, accept, class: 'visually-hidden',
        tabindex: -1, 'aria-hidden': 'true', 'aria-label': label,
        onchange: () => take([...input.files])});
    const area = h('div', {class: 'drop'},
        button(label, {onclick: () => input.click()}, 'open'), input,
        h('span', {class: 'muted drop-hint'}, t('or drop files here')));

    async function take(files) {
        if (files.length === 0) return;
        const result = await importFiles(files.slice(0, 100), waiting);
        waiting = result.wanting;
        input.value = '';
        fill(said,
            result.faults.length > 0 && h('div', {role: 'alert'}, faultList(result.faults)),
            waiting.map(({file, id}) => h('p', {class: 'faults', role: 'alert'},
                t('{file} is a game on the sheet “{id}”, which is not here. Add its map file, too.',
                    {file, id}))),
            result.games.length > 0 && h('p', {class: 'good'},
                tn('{n} game came in.', '{n} games came in.', result.games.length)),
            result.maps.length > 0 && h('p', {class: 'good'},
                tn('{n} sheet came in.', '{n} sheets came in.', result.maps.length)));
        done(result);
    }

    area.addEventListener('dragover', (event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        area.classList.add('over');
    });
    area.addEventListener('dragleave', () => area.classList.remove('over'));
    area.addEventListener('drop', (event) => {
        event.preventDefault();
        area.classList.remove('over');
        take([...event.dataTransfer.files]);
    });
    return h('div', {class: 'stack tight'}, area, said);
}

/* ---- Sharing --------------------------------------------------------------------------------- */

/* Hands a link to the device's own way of sharing, or copies it. Answers 'shared', 'copied', ''
 * (the reader thought otherwise), or 'refused'. */
async function passOn(link, title) {
    if (navigator.share && matchMedia('(pointer: coarse)').matches) {
        try {
            await navigator.share({title, url: link});
            return 'shared';
        } catch (error) {
            if (error.name === 'AbortError') return '';
        }
    }
    try {
        await navigator.clipboard.writeText(link);
        return 'copied';
    } catch {
        return 'refused';
    }
}

/* Shares a game {record, map} as a link, after `at` events if given, and says what came of it. */
export async function shareGame(game, title, at) {
    const link = await toLink(game, at);
    const answer = await passOn(link, title);
    if (answer === 'copied') toast(t('The link is copied. It carries the whole game.'));
    if (answer !== 'refused') return;
    const field = h('input', {type: 'text', readonly: true, value: link, 'aria-label': t('Link')});
    dialog({title: t('Copy this link'), body: [field], opened: () => field.select()});
}
