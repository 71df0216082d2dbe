/* Moves what earlier versions kept in localStorage into the database. Records are rewritten by C:
 * bots get their `bot` lines, sheets their hash. What C cannot read is moved as it is, and what is
 * no game at all stays where it is: nothing is lost. Items are removed from localStorage after they
 * are in the database, so that an interrupted move is simply made again. */
import {ask, transact} from './database.js';
import {loadEngine} from '../engine/engine.js';
import {soundGame} from './store.js';

const PREFIX = 'endstation.';

function parsed(name) {
    try {
        return JSON.parse(localStorage.getItem(name));
    } catch {
        return null;
    }
}

function itemsOf(kind) {
    return Object.keys(localStorage).filter((name) => name.startsWith(`${PREFIX}${kind}.`))
        .map((name) => ({name, id: name.slice(PREFIX.length + kind.length + 1),
            item: parsed(name)}));
}

/* The record as this version writes it. */
function rewritten(engine, {record, map}) {
    try {
        engine.map(map);
        engine.open(record);
        engine.upgrade();
        return engine.record();
    } catch {
        return record;
    }
}

function oldGames(engine) {
    return itemsOf('game').flatMap(({name, id, item}) => {
        const game = item?.id === id && soundGame(item);
        return game ? [{name, item: {...game, record: rewritten(engine, game), revision: 1}}] : [];
    });
}

function oldSheets(engine) {
    return itemsOf('map').flatMap(({name, item}) => {
        try {
            const {id, title, hash} = engine.map(item.text);
            return [{name, item: {hash, id, title, text: item.text, revision: 1}}];
        } catch {
            return [];
        }
    });
}

/* What was among the settings and is a value of its own now. */
function oldValues(settings) {
    const found = [];
    if (settings?.companion) found.push({name: 'conductor', value: settings.companion});
    if (settings?.seen?.lesson) found.push({name: 'lesson', value: settings.seen.lesson});
    return found.map((value) => ({item: {...value, revision: 1}}));
}

export async function upgrade() {
    const engine = await loadEngine();
    const settings = parsed(`${PREFIX}settings`);
    const found = {games: oldGames(engine), sheets: oldSheets(engine), values: oldValues(settings)};
    const stores = Object.keys(found);
    await transact('readwrite', stores, async (...shelves) => {
        for (const [i, shelf] of shelves.entries()) {
            for (const {item} of found[stores[i]]) {
                const there = await ask(shelf.getKey(item[shelf.keyPath]));
                if (there === undefined) await ask(shelf.put(item));
            }
        }
    });
    for (const {name} of [...found.games, ...found.sheets]) localStorage.removeItem(name);
    if (settings && ('companion' in settings || 'seen' in settings)) {
        const {companion, seen, ...rest} = parsed(`${PREFIX}settings`) ?? {};
        localStorage.setItem(`${PREFIX}settings`, JSON.stringify(rest));
    }
}
