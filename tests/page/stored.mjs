// What a browser keeps, for tests: games, sheets, values and settings, read by a script in the
// page. `page` is anything with evaluate(). Reading is for a state that the page has shown to be
// reached; else until() it is.

// Runs in the page: everything in the database, by store. One that is not there yet stays so.
async function readDatabase() {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'endstation')) return {};
    const ask = (request) => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    const database = await ask(indexedDB.open('endstation'));
    const names = [...database.objectStoreNames];
    const read = database.transaction(names);
    const all = await Promise.all(names.map((name) => ask(read.objectStore(name).getAll())));
    database.close();
    return Object.fromEntries(names.map((name, i) => [name, all[i]]));
}

// What lists of games have kept with a game, by its id.
export const storedFacts = async (page) => Object.fromEntries(
    ((await page.evaluate(readDatabase)).games ?? []).map(({ id, facts }) => [id, facts]));

// Everything: {settings: …, 'game.x': …, 'map.HASH': …, 'value.z': …}, to be compared; without the
// facts of games, which the page finds again at any time.
export async function storedAll(page) {
    const { games = [], sheets = [], values = [] } = await page.evaluate(readDatabase);
    const settings = await page.evaluate(() =>
        JSON.parse(localStorage.getItem('endstation.settings')));
    return Object.fromEntries([
        ...settings ? [['settings', settings]] : [],
        ...games.map(({ facts, ...game }) => [`game.${game.id}`, game]),
        ...sheets.map((sheet) => [`map.${sheet.hash}`, sheet]),
        ...values.filter(({ name }) => name !== 'schema')
            .map(({ name, value }) => [`value.${name}`, value]),
    ]);
}

// A game by its id, a sheet of one's own by its hash, a value or a setting by its name; null for
// none.
export const storedGame = async (page, id) => (await storedAll(page))[`game.${id}`] ?? null;
export const storedValue = async (page, name) => (await storedAll(page))[`value.${name}`] ?? null;
export const storedSetting = async (page, name) => (await storedAll(page)).settings?.[name] ?? null;

// All games, in no order.
export const storedGames = async (page) => Object.entries(await storedAll(page))
    .filter(([name]) => name.startsWith('game.')).map(([, game]) => game);
