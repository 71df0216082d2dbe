/* Analysing a game in as many workers as there are cores. Each question is about one node of the
 * game, and its answer depends on nothing else, so the results are the same with any number of
 * workers. */
import {loadAnalysisModule} from './analysisengine.js';
import {Fault} from './engine.js';

const MOST = 8;
/* Milliseconds until a worker is loaded again, after the first and the second failure, as in
 * thinker.js. */
const AGAIN_MS = [300, 1500];
const TRIES = 2; /* of a question that ends with an error */

const revive = (error) => (error.fault ? new Fault(error) : new Error(error.message));

/* How many workers: as many as the machine has cores, within limits. */
const hands = () => Math.max(1, Math.min(navigator.hardwareConcurrency || 1, MOST));

export class Analyser {
    #game;
    #hear;
    #queue = []; /* questions that nobody works at: {ask, tries} */
    #at = new Map(); /* by worker: the question that it works at */
    #last = 0;
    #module = null;

    /* `game` is {record, map, player}. `hear` has result(ask, value) for every question, done()
     * after the last one, failed(error) if it cannot go on. */
    constructor(game, hear) {
        this.#game = game;
        this.#hear = hear;
    }

    get busy() {
        return this.#at.size > 0;
    }

    /* Begins with questions, {node: 7} or {hindsight: true}, in the order in which they are
     * handed out. */
    start(asks) {
        this.cancel();
        this.#queue = asks.map((ask) => ({ask, tries: 0}));
        for (let i = Math.min(hands(), asks.length); i > 0; i--) this.#hire(this.#queue.shift());
    }

    /* Ends all workers; nothing is heard any more. */
    cancel() {
        const workers = [...this.#at.keys()];
        this.#queue = [];
        this.#at.clear();
        for (const worker of workers) worker.terminate();
    }

    /* Starts a worker with its first question. `failures`: how many could not be loaded before. */
    #hire(question, failures = 0) {
        const worker = new Worker(new URL('../engine/analysisworker.js', import.meta.url),
            {type: 'module'});
        const here = () => this.#at.has(worker);
        this.#at.set(worker, question);
        worker.addEventListener('message', ({data}) => here() && this.#answered(worker, data));
        const fail = (event) => {
            event.preventDefault();
            if (here()) this.#failed(worker, event, failures);
        };
        worker.addEventListener('error', fail);
        worker.addEventListener('messageerror', fail);
        this.#module ??= loadAnalysisModule();
        this.#module.then((module) => {
            if (!here()) return;
            worker.postMessage({module, game: this.#game});
            this.#ask(worker);
        }).catch((error) => here() && this.#giveUp(error));
    }

    #ask(worker) {
        worker.postMessage({id: ++this.#last, ...this.#at.get(worker).ask});
    }

    #answered(worker, {value, error}) {
        const question = this.#at.get(worker);
        if (error && ++question.tries >= TRIES) {
            this.#giveUp(revive(error));
            return;
        }
        if (error) this.#queue.unshift(question);
        const next = this.#queue.shift();
        if (next) {
            this.#at.set(worker, next);
            this.#ask(worker);
        } else {
            this.#dismiss(worker);
        }
        if (!error) this.#hear.result(question.ask, value);
        if (!next && !this.busy) this.#hear.done();
    }

    #dismiss(worker) {
        this.#at.delete(worker);
        worker.terminate();
    }

    /* A worker has failed. Only a script that was loaded can throw an error with a message; one
     * that was not is loaded again. In the end the others go on without it. */
    #failed(worker, event, failures) {
        const question = this.#at.get(worker);
        if (event.type === 'error' && !event.message && failures < AGAIN_MS.length) {
            setTimeout(() => {
                if (!this.#at.has(worker)) return;
                this.#dismiss(worker);
                this.#hire(question, failures + 1);
            }, AGAIN_MS[failures]);
            return;
        }
        this.#dismiss(worker);
        this.#queue.unshift(question);
        if (!this.busy) this.#giveUp(new Error(event.message || 'The analysis has failed.'));
    }

    #giveUp(error) {
        this.cancel();
        this.#module = null; /* it is loaded again at the next start */
        this.#hear.failed(error);
    }
}
