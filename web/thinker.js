// Asking bots: they think in a worker, one question after the other, and can be cancelled.
import { Fault, loadModule } from './engine.js';

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
    #asked = new Map(); // by id: {resolve, reject, progress}
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
            this.#asked.set(id, { resolve, reject, progress });
        });
    }

    /** Starts a worker and gives it the page's module. Messages of a worker that was dropped are
     * ignored. */
    #start() {
        const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
        const end = (error) => {
            if (this.#worker === worker) {
                this.#end(error);
            }
        };
        const fail = (event) => {
            event.preventDefault();
            end(new Error(event.message || 'The worker of the bots has failed.'));
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
