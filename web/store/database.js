/* IndexedDB with promises: one database, three object stores.
 *
 *     games by id    sheets by hash    values by name
 *
 * The database is opened without a version number and its stores never change their shape, so that
 * pages of different versions can have it open at the same time. Whatever a later version needs to
 * keep becomes another named value, or another field of an item. The number of the schema is the
 * value `schema`. */

const NAME = 'endstation';
/* The stores, and the field of an item that is its key. */
export const KEYS = {games: 'id', sheets: 'hash', values: 'name'};
const SCHEMA = 1;

const OPEN_MS = 4000; /* a database that is not open by then does not answer */
/* The browser has closed the database without an event so far. Safari says so in its own way, and
 * also when something is asked. */
const CLOSED = ['InvalidStateError', 'UnknownError'];

let opening = null; /* the database, or why there is none, as a promise */

function openAnew() {
    return new Promise((resolve, reject) => {
        const request = indexedDB.open(NAME);
        request.onupgradeneeded = () => {
            for (const [name, keyPath] of Object.entries(KEYS)) {
                request.result.createObjectStore(name, {keyPath});
            }
            request.transaction.objectStore('values').put({name: 'schema', value: SCHEMA,
                revision: 1});
        };
        request.onsuccess = () => {
            const database = request.result;
            database.onversionchange = () => { /* another tab deletes the database */
                database.close();
                opening = null;
            };
            database.onclose = () => {
                opening = null;
            };
            resolve(database);
        };
        request.onerror = () => reject(request.error);
    });
}

/* Some browsers never answer. Then this fails after OPEN_MS, and immediately from then on, until
 * an answer comes after all. */
function open() {
    if (!opening) {
        const opened = openAnew();
        const attempt = opening = new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new DOMException('the database does not open',
                'TimeoutError')), OPEN_MS);
            opened.then(resolve, reject).finally(() => clearTimeout(timer));
        });
        const become = (next) => {
            opening = opening === attempt ? next : opening;
        };
        opened.then(() => become(opened), () => become(null)); /* the next call tries again */
    }
    return opening;
}

/* A request of a transaction as a promise. */
export function ask(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

async function tryToTransact(mode, names, work) {
    const transaction = (await open()).transaction(names, mode);
    return new Promise((resolve, reject) => {
        let result;
        let failure = null;
        transaction.oncomplete = () => resolve(result);
        transaction.onabort = () => reject(failure ?? transaction.error);
        work(...names.map((name) => transaction.objectStore(name))).then((value) => {
            result = value;
        }, (error) => {
            failure = error;
            try {
                transaction.abort();
            } catch {
                reject(failure); /* it has ended already */
            }
        });
    });
}

/* Runs work(store, …), with the stores of those names, in one transaction ('readonly' or
 * 'readwrite') and resolves with its result when the transaction is complete. If `work` fails,
 * nothing of it is written, and its error is passed on. `work` may wait for requests of the
 * transaction (ask), and for nothing else; it runs once more if the database has to be opened
 * again. */
export async function transact(mode, names, work) {
    try {
        return await tryToTransact(mode, names, work);
    } catch (error) {
        if (!CLOSED.includes(error?.name)) {
            throw error;
        }
        opening = null;
        return tryToTransact(mode, names, work);
    }
}
