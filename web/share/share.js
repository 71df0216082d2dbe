/* Records in and out: as links that carry them, and as files. A file or link may hold several
 * records and maps, with a line `---` between them. A backup of everything is a JSON file.
 * Everything that comes in is bounded, and read by C before it is kept. */
import {button, dialog, fill, h, toast} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {haveGames} from '../table/lessonstate.js';
import {dayOf, noonOf} from '../app/region.js';
import {adopt} from '../store/solved.js';
import {games, settings, sheets, soundGame, values} from '../store/store.js';
import {language, setLanguage, t, tn} from '../app/texts.js';
import {gameName, reason} from '../ui/words.js';

const BYTES_MAX = 4 << 20;
const LINK_MAX = 1 << 20;
const FILE_MIB = 16;
const BACKUP_MIB = 512;
const PARTS_MAX = 10000;
const AT_ONCE = 50; /* games read before the page gets to do something else */
const FAULTS_SHOWN = 20;
const SEPARATOR = '---';
const BACKUP = 'endstation-backup'; /* the field that tells what a JSON file is, and its version */

/* Something wrong with a link or a file; sentence() says what, in the reader's language of now. */
export class ShareFault extends Error {
    constructor(sentence) {
        super(sentence());
        this.name = 'ShareFault';
        Object.defineProperty(this, 'sentence', {get: sentence});
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

/* Reads a stream of at most `most` bytes. */
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
            throw new ShareFault(() => t('This is too large to be a game.'));
        }
        parts.push(value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const through = (bytes, transform) => new Blob([bytes]).stream().pipeThrough(transform);

/* The address of a game that the address itself carries, after `at` events if given; `screen`: what
 * shows it. */
export async function toLink({record, map = ''}, at, screen = 'record') {
    const text = map ? `${record.trimEnd()}\n${SEPARATOR}\n${map}` : record;
    const packed = await readAll(through(new TextEncoder().encode(text),
        new CompressionStream('deflate-raw')), BYTES_MAX);
    const place = at === undefined ? '' : `@${at}`;
    return `${location.origin}${location.pathname}#${screen}=${toBase64url(packed)}${place}`;
}

/* Decodes the part of such an address after the `=`: {record, map}. Throws a ShareFault. */
export async function fromLink(data) {
    let bytes;
    if (data.length > LINK_MAX) throw new ShareFault(() => t('This is too large to be a game.'));
    try {
        bytes = await readAll(through(fromBase64url(data.replace(/@.*$/, '')),
            new DecompressionStream('deflate-raw')), BYTES_MAX);
        const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
        const [record, map] = split(text).map((part) => part.text);
        return {record, map: map ?? ''};
    } catch (error) {
        if (error instanceof ShareFault) throw error;
        throw new ShareFault(() => t('The link is damaged: part of it is missing or was changed. ' +
            'Ask for it again.'));
    }
}

/* ---- Files out ------------------------------------------------------------------------------- */

/* Gives the reader a file. */
export function exportFile(name, text, type = 'text/plain') {
    const address = URL.createObjectURL(new Blob([text], {type}));
    const link = h('a', {href: address, download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/* 'amsterdam-2025-06-30.record' for a kept game. */
export function fileName(game, extension) {
    const title = (game.title || 'game').normalize('NFD').replace(/[\u0300-\u036f]/g, '')
        .toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'game';
    return `${title}-${dayOf(game.changed)}.${extension}`;
}

/* A kept game as a file: its record, with the sheet where that is not built in. */
export function exportGame(game) {
    exportFile(fileName(game, 'record'), together([game.record, game.map]));
}

/* Several kept games in one file, as importFiles reads it: their records, then each of their own
 * sheets once. */
export function exportGames(list) {
    const own = new Set(list.map(({map}) => map));
    exportFile(fileName({title: 'endstation-games'}, 'record'),
        together([...list.map(({record}) => record), ...own]));
}

/* A game without what can be found again at any time (outlines.js). */
const withoutFacts = ({facts, ...game}) => game;

/* Everything that is kept, in one file that brings it all back. */
export async function exportAll() {
    const backup = {[BACKUP]: 1, saved: new Date().toISOString(),
        games: (await games.list()).map(withoutFacts), sheets: await sheets.list(),
        values: await values.all(), settings: settings.all()};
    exportFile(fileName({title: 'endstation'}, 'json'), `${JSON.stringify(backup, null, 1)}\n`,
        'application/json');
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
        throw new ShareFault(() => t('The file holds more than {n} games.', {n: PARTS_MAX}));
    return parts;
}

async function readText(file) {
    const [first] = new Uint8Array(await file.slice(0, 1).arrayBuffer());
    const most = first === 0x7b ? BACKUP_MIB : FILE_MIB; /* { begins a backup */
    if (file.size > most << 20)
        throw new ShareFault(() => t('The file is larger than {n} MiB.', {n: most}));
    try {
        const bytes = await file.arrayBuffer();
        return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
    } catch {
        throw new ShareFault(() => t('The file can’t be read as text.'));
    }
}

/* 'harbour.map:12: “s9”: No such station.' */
function tellFault(file, error, before = 0) {
    const line = error.line ? before + error.line : 0;
    const where = line ? `${file}:${line}: ` : `${file}: `;
    const why = error.status ? reason(error.sentence, error.words)
        : error.sentence ?? t('This couldn’t be read.');
    return `${where}${why}`;
}

const isMap = (text) => /^\s*endstation-map\b/.test(text);
/* The sheet that a record was played on is not here. */
const isMissing = ({status}) => ['MAP_ELSEWHERE', 'MAP_CHANGED', 'MAP_VERSION'].includes(status);

/* Asks the reader which of several sheets is meant. Resolves with one of them, or null. */
function askForSheet(id, found) {
    return dialog({
        title: t('Which sheet?'),
        body: [h('p', {}, t('You have several sheets called “{id}”, and this game doesn’t say ' +
            'which one it was played on.', {id}))],
        actions: found.map((sheet) => ({label: `${sheet.title} (${sheet.hash.slice(0, 6)})`,
            value: sheet})),
    });
}

/* The text of the own sheet that a record needs, or '' if it needs none or none is here. `offered`
 * are sheets that came with it: {id, hash, text}. */
async function findSheet({map, hash, built_in: builtIn}, offered) {
    const fits = (sheet) => sheet.id === map && (!hash || sheet.hash === hash);
    const given = offered.find(fits);
    if (given || builtIn || !map) return given?.text ?? '';
    const found = (await sheets.list()).filter(fits);
    return (found.length > 1 ? await askForSheet(map, found) : found[0])?.text ?? '';
}

/* Opens a record in an engine, with an own sheet where it needs one; answers with the text of that
 * sheet, or ''. `map` is the text of the sheet that came with it. Throws a Fault. */
export async function openRecord(engine, record, map = '', offered = []) {
    const own = map ? [{...engine.map(map), text: map}] : [];
    const text = await findSheet(engine.needs(record), [...own, ...offered]);
    engine.map(text);
    engine.open(record);
    return engine.state(0).map?.built_in ?? true ? '' : text;
}

const pause = () => new Promise((done) => setTimeout(done, 0));

/* The day that a record names, as a time, or undefined. */
function playedOn({date}) {
    const time = noonOf(date);
    return time >= 0 ? Math.min(time, Date.now()) : undefined;
}

/* One import: all files are read first, then everything is saved at once. */
class Import {
    constructor(engine) {
        this.engine = engine;
        this.began = Date.now();
        this.fresh = []; /* games that are new here */
        this.known = 0; /* games that were here already */
        this.sheets = [];
        this.values = [];
        this.settings = null;
        this.faults = []; /* functions that say what is wrong, in the language of now */
        this.wanting = []; /* {file, part, id}: records whose sheet is not here */
    }

    async start() {
        const kept = await games.list();
        this.ids = new Set(kept.map(({id}) => id));
        this.records = new Set(kept.map(({record}) => record));
    }

    addSheet(text) {
        const {id, title, hash, built_in: builtIn} = this.engine.map(text);
        if (!builtIn) this.sheets.push({id, title, hash, text}); /* those are here anyway */
    }

    /* Reads a record, as `contents` of a game; one that is here already is only counted. */
    async addGame(record, map, contents = {}) {
        const {engine} = this;
        const sheet = await openRecord(engine, record, map, this.sheets);
        const state = engine.state(0);
        /* Games of a day stay in the order in which they come. */
        const time = (playedOn(state) ?? this.began) + this.fresh.length;
        const game = {title: gameName(state), created: time, changed: time, ...contents,
            record: engine.record(), map: sheet, over: state.over};
        const same = ({id, record: other}) => id === contents.id && other === game.record;
        if (this.records.has(game.record) || this.fresh.some(same)) {
            this.known++;
            return;
        }
        if (this.ids.has(game.id)) delete game.id; /* the two have diverged: keep both */
        if (game.id) this.ids.add(game.id);
        else this.records.add(game.record);
        this.fresh.push(game);
    }

    async addPart(file, part) {
        try {
            await this.addGame(part.text, '');
        } catch (error) {
            if (isMissing(error))
                this.wanting.push({file, part, id: this.engine.needs(part.text).map,
                    isVersion: error.status !== 'MAP_ELSEWHERE'});
            else this.faults.push(() => tellFault(file, error, part.before));
        }
    }

    async addBackup(file, text) {
        let backup;
        try {
            backup = JSON.parse(text);
        } catch {
            backup = null;
        }
        if (backup?.[BACKUP] !== 1)
            throw new ShareFault(() => t('This isn’t a backup of this page, or it was saved by a ' +
                'newer version.'));
        const list = (name) => (Array.isArray(backup[name]) ? backup[name] : []);
        for (const item of list('sheets')) {
            try {
                this.addSheet(typeof item?.text === 'string' ? item.text : 'x');
            } catch (error) {
                this.faults.push(() => tellFault(file, error));
            }
        }
        for (const [i, item] of list('games').entries()) {
            if (i % AT_ONCE === 0) await pause();
            const game = soundGame(item);
            try {
                if (!game) throw new ShareFault(() => t('Game {n} is damaged.', {n: i + 1}));
                await this.addGame(game.record, game.map, withoutFacts(game));
            } catch (error) {
                this.faults.push(() => tellFault(file, error));
            }
        }
        this.values.push(...list('values').filter((item) => typeof item?.name === 'string' &&
            item.name.length <= 100));
        this.settings = backup.settings;
    }

    async addText(file, text) {
        if (text.trimStart().startsWith('{')) {
            await this.addBackup(file, text);
            return [];
        }
        const records = [];
        for (const part of split(text)) {
            if (!isMap(part.text)) {
                records.push({file, part});
                continue;
            }
            try {
                this.addSheet(part.text);
            } catch (error) {
                this.faults.push(() => tellFault(file, error, part.before));
            }
        }
        return records;
    }

    /* The games of lessons go with the lessons: never one that somebody plays here. */
    fits(name, value) {
        return name !== 'lesson' || haveGames(value, new Set(this.fresh.map(({id}) => id)));
    }

    /* If another tab has just kept another game under the same id, both stay. */
    async keepGames() {
        const kept = await games.createAll(this.fresh);
        const isOurs = ({record}, i) => record === this.fresh[i].record;
        const others = this.fresh.filter((game, i) => !isOurs(kept[i], i))
            .map(({id, ...contents}) => contents);
        return [...kept.filter(isOurs), ...await games.createAll(others)];
    }

    async keep() {
        this.games = await this.keepGames();
        this.newSheets = await sheets.add(this.sheets);
        for (const {name, value} of this.values)
            if (name === 'problems') await adopt(value);
            else if (this.fits(name, value))
                await values.change(name, (now) => now ?? value);
        this.newSettings = this.settings !== null && settings.adopt(this.settings);
        this.newLanguage = this.newSettings && ![language(), ''].includes(settings.get('language'));
    }
}

/* Reads files (or anything with name, size, slice, arrayBuffer) and saves what is valid. Records in
 * `wanting` lack their sheet; pass them again as `waiting`, together with the sheet. */
async function importFiles(files, waiting = []) {
    const result = new Import(await loadEngine());
    const records = [...waiting];
    await result.start();
    for (const file of files) {
        try {
            records.push(...await result.addText(file.name, await readText(file)));
        } catch (error) {
            result.faults.push(() => tellFault(file.name, error));
        }
    }
    for (const [i, {file, part}] of records.entries()) {
        if (i % AT_ONCE === 0) await pause();
        await result.addPart(file, part);
    }
    await result.keep();
    return result;
}

function faultList(faults) {
    const more = faults.length - FAULTS_SHOWN;
    return h('ul', {class: 'faults'},
        faults.slice(0, FAULTS_SHOWN).map((fault) => h('li', {}, fault())),
        more > 0 && h('li', {}, tn('{n} more error.', '{n} more errors.', more)));
}

/* What was imported, as sentences. */
function cameIn({fresh, known, sheets: all, newSheets, newSettings}) {
    const here = all.length - newSheets;
    return [
        fresh.length > 0 && tn('{n} game imported.', '{n} games imported.', fresh.length),
        known > 0 && tn('{n} game was already here.', '{n} games were already here.', known),
        newSheets > 0 && tn('{n} sheet imported.', '{n} sheets imported.', newSheets),
        here > 0 && tn('{n} sheet was already here.', '{n} sheets were already here.', here),
        newSettings && t('Settings restored.'),
    ].filter(Boolean);
}

/* A field for files, into which they can also be dropped. Calls done(result) after an import.
 * Errors and missing sheets are listed below it. `latest` is an object that the screen keeps while
 * it is rebuilt, in another language: what was imported last is shown again, and what waits for its
 * sheet goes on waiting. */
export function importField({label, accept, done, latest}) {
    const said = h('div', {class: 'stack tight', 'aria-live': 'polite'});
    const input = h('input', {type: 'file', multiple: true, accept, class: 'visually-hidden',
        tabindex: -1, 'aria-hidden': 'true', 'aria-label': label,
        onchange: () => take([...input.files])});
    const area = h('div', {class: 'drop'},
        button(label, {onclick: () => input.click()}, 'open'), input,
        h('span', {class: 'muted drop-hint'}, t('or drop files here')));

    async function take(files) {
        if (files.length === 0) return;
        said.setAttribute('aria-busy', 'true');
        fill(said, h('p', {class: 'muted'}, t('Loading…')));
        try {
            latest.result = await importFiles(files, latest.result?.wanting);
            latest.show();
            done(latest.result);
            if (latest.result.newLanguage) await setLanguage();
        } catch (error) {
            console.error(error);
            fill(said, h('p', {class: 'faults', role: 'alert'}, t('This couldn’t be read.')));
        }
        said.removeAttribute('aria-busy');
        input.value = '';
    }

    /* In the field that is there now. */
    latest.show = () => {
        const {faults, wanting} = latest.result;
        fill(said,
            faults.length > 0 && h('div', {role: 'alert'}, faultList(faults)),
            wanting.map(({file, id, isVersion}) => h('p', {class: 'faults', role: 'alert'},
                isVersion ? t('{file} was played on another version of the sheet “{id}”. Add ' +
                    'its .map file too.', {file, id})
                    : t('{file} was played on the sheet “{id}”, which isn’t saved here. Add its ' +
                        '.map file too.', {file, id}))),
            cameIn(latest.result).map((text) => h('p', {class: 'good'}, text)));
    };

    if (latest.result) latest.show();
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
 * (the reader cancelled), or 'refused'. */
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

/* Shares a game {record, map} as a link, after `at` events if given, and shows the result. */
export async function shareGame(game, title, at) {
    await shareLink(await toLink(game, at), title, t('Link copied. It contains the whole game.'));
}

/* Shares a record in which nobody has played, for somebody else to play it. */
export async function shareChallenge(game, title) {
    await shareLink(await toLink(game, undefined, 'challenge'), title,
        t('Link copied. Whoever opens it plays this game from its start.'));
}

/* Shares a link, and says what has become of it. */
export async function shareLink(link, title, copied) {
    const answer = await passOn(link, title);
    if (answer === 'copied') toast(copied);
    if (answer !== 'refused') return;
    const field = h('input', {type: 'text', readonly: true, value: link, 'aria-label': t('Link')});
    dialog({title: t('Copy this link'), body: [field], opened: () => field.select()});
}
