/* Statistics of the kept games, computed by C (src/page/stats.h): all games are counted again each
 * time, which takes less than a tenth of a millisecond a game.
 *
 *     const counted = await countGames();
 *     counted.statistics()        // an object: docs/formats.md
 *     counted.csv()               // text
 *     counted.standing(id)        // of the result of a kept game; null: it is not counted
 *     counted.differs(ids)        // whether these games, as they are now, change anything
 *     counted.plot(group, look)   // SVG text */
import {loadAnalysisEngine} from '../engine/analysisengine.js';
import {faceOf, loadPart} from '../games/faces.js';
import {me} from '../online/connection.js';
import {byAge} from '../store/gamequery.js';
import {games, settings, sheets} from '../store/store.js';
import {t, words} from '../app/texts.js';
import {list} from '../ui/words.js';

const AT_ONCE = 100; /* games counted before the page gets to do something else */

const pause = () => new Promise((done) => setTimeout(done, 0));

/* The reader's names, here and online. */
const names = () => [settings.get('people')[0], me.get()?.name]
    .filter((name) => typeof name === 'string' && name.trim());

/* Counts a game. Its sheet is kept with it; else it may be among the reader's own. */
async function count(engine, {record, map}) {
    engine.map(map);
    const kind = engine.count(record);
    if (kind !== 'unreadable' || map) return kind;
    const needed = engine.needs(record).hash;
    const sheet = needed && await sheets.get(needed);
    if (!sheet) return kind;
    engine.map(sheet.text);
    return engine.count(record);
}

/* Damaged records and sheets are counted as such. */
async function tryToCount(engine, game) {
    let kind = 'unreadable';
    try {
        kind = await count(engine, game);
    } catch (error) {
        if (error.name !== 'Fault') throw error;
    }
    if (kind === 'unreadable') engine.countSkip();
    return kind === 'counted';
}

export async function countGames() {
    const [engine, kept] = await Promise.all([loadAnalysisEngine(), games.list()]);
    const inOrder = kept.sort(byAge);
    const rows = new Map(); /* by a game's id: its number among those counted */
    const open = new Set(kept.filter(({over}) => !over).map(({id}) => id));
    const isOpen = async (id) => open.has(id) && (await games.get(id))?.over === false;
    engine.words(words());
    engine.countBegin(inOrder.length, names());
    for (const [i, game] of inOrder.entries()) {
        if (i % AT_ONCE === AT_ONCE - 1) await pause();
        if (await tryToCount(engine, game)) rows.set(game.id, rows.size);
    }
    engine.countEnd();
    return {
        statistics: () => JSON.parse(engine.statistics()),
        csv: () => engine.statisticsCsv(),
        plot: (group, look) => engine.plot(group, look),
        differs: async (ids) => (await Promise.all(ids.map(isOpen))).includes(false),
        standing: (id) => (rows.has(id) ? engine.standing(rows.get(id)) : null),
    };
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* What is played in a group, or where a result stands: 'Berlin', 'Paris (special stations)'. */
export async function playedName(group) {
    const {title, built_in: builtIn, earlier, game} = group;
    const part = await loadPart(game, 'statistics');
    const name = faceOf(game).title({game, map: {title, built_in: builtIn, earlier}});
    const more = [...group.rules.map(part.rule), ...group.options ? [part.option(group.options)]
        : []];
    return more.length > 0 ? t('{name} ({rules})', {name, rules: list(more)}) : name;
}
