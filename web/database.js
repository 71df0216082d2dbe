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

let opening = null;

function open() {
    opening ??= new Promise((resolve, reject) => {
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
            const forget = () => {
                opening = null;
            };
            database.onversionchange = () => { /* another tab deletes the database */
                database.close();
                forget();
            };
            database.onclose = forget;
            resolve(database);
        };
        request.onerror = () => reject(request.error);
    }).catch((error) => {
        opening = null; /* the next call tries again */
        throw error;
    });
    return opening;
}

/* A request of a transaction as a promise. */
export function ask(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

async function begin(mode, names) {
    const database = await open();
    try {
        return database.transaction(names, mode);
    } catch (error) {
        if (error.name !== 'InvalidStateError') {
            throw error;
        }
        opening = null; /* the browser has closed it without an event so far */
        return (await open()).transaction(names, mode);
    }
}

/* Runs work(store, …), with the stores of those names, in one transaction ('readonly' or
 * 'readwrite') and resolves with its result when the transaction is complete. If `work` fails,
 * nothing of it is written, and its error is passed on. `work` may wait for requests of the
 * transaction (ask), and for nothing else. */
export async function transact(mode, names, work) {
    const transaction = await begin(mode, names);
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
