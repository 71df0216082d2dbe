// Asking bots: they think in a worker, one question after the other, and can be cancelled.
import { Fault, loadModule } from './engine.js';

/* Milliseconds until the worker is loaded again, after the first and the second failure. Loading
 * fails if a request is lost. In Firefox it also fails if Stop interrupts it, or a reload: then the
 * old page is gone before it could load the worker again. */
const AGAIN_MS = [300, 1500];

/** The question was cancelled. */
export class Cancelled extends Error {
    constructor() {
        super('Cancelled');
        this.name = 'Cancelled';
    }
}

function revive(error) {
    return error.fault ? new Fault(error) : new Error(error.message);
}

export class Thinker {
    #worker = null;
    #asked = new Map(); // by id: {question, resolve, reject, progress}
    #last = 0;

    /** The best move for a player: {event, done, candidates}. */
    think(request) {
        return this.#ask({ think: request });
    }

    /** What a bot would have got, and that game: {score, record}; calls progress(0 to 1). */
    rival(request, progress) {
        return this.#ask({ rival: request }, progress);
    }

    /** Whether anything is under way. */
    get busy() {
        return this.#asked.size > 0;
    }

    /** Everything that is under way ends with a Cancelled. */
    cancel() {
        if (this.busy) {
            this.#end(new Cancelled());
        }
    }

    /** The end: gives the worker back. Whatever is asked later starts another. */
    close() {
        this.#end(new Cancelled());
    }

    #ask(question, progress) {
        const id = ++this.#last;
        return new Promise((resolve, reject) => {
            this.#worker ??= this.#start();
            this.#worker.postMessage({ id, ...question });
            this.#asked.set(id, { question, resolve, reject, progress });
        });
    }

    /** Starts a worker and gives it the page's module. Messages of a worker that was dropped are
     * ignored. `failures`: how many could not be loaded before it. */
    #start(failures = 0) {
        const worker = new Worker(new URL('../engine/botworker.js', import.meta.url),
            { type: 'module' });
        const end = (error) => {
            if (this.#worker === worker) {
                this.#end(error);
            }
        };
        const fail = (event) => {
            event.preventDefault();
            // Only a script that was loaded can throw an error with a message.
            if (event.type === 'error' && !event.message && failures < AGAIN_MS.length) {
                setTimeout(() => this.#worker === worker && this.#restart(failures + 1),
                    AGAIN_MS[failures]);
            } else {
                end(new Error(event.message || 'The worker of the bots has failed.'));
            }
        };
        worker.addEventListener('error', fail);
        worker.addEventListener('messageerror', fail);
        worker.addEventListener('message', ({ data }) => {
            if (this.#worker === worker) {
                this.#hear(data);
            }
        });
        loadModule().then((module) => worker.postMessage({ module })).catch(end);
        return worker;
    }

    /** Asks another worker everything that the present one was asked. */
    #restart(failures) {
        this.#worker.terminate();
        this.#worker = this.#start(failures);
        for (const [id, { question }] of this.#asked) {
            this.#worker.postMessage({ id, ...question });
        }
    }

    #hear({ id, value, error, progress }) {
        const asked = this.#asked.get(id);
        if (progress !== undefined) {
            asked.progress?.(progress);
            return;
        }
        this.#asked.delete(id);
        if (error) {
            asked.reject(revive(error));
        } else {
            asked.resolve(value);
        }
    }

    /** Rejects all that is asked and lets the worker go. */
    #end(reason) {
        const asked = [...this.#asked.values()];
        const worker = this.#worker;
        this.#asked.clear();
        this.#worker = null;
        worker?.terminate();
        for (const { reject } of asked) {
            reject(reason);
        }
    }
}
