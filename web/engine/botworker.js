// Where bots think: a worker, so that the page never waits. It gets {module} once, and does what
// thinker.js asks, {id, think} or {id, rival}, one after the other. It answers {id, value} or
// {id, error} and, on the way, {id, progress}.
import { Fault, loadEngine } from './engine.js';

let giveModule;
const engineMade = new Promise((resolve) => {
    giveModule = resolve;
}).then(loadEngine);

function open(engine, { record, map }) {
    if (map) {
        engine.map(map);
    }
    engine.open(record);
}

function think(engine, request) {
    open(engine, request);
    return engine.think(request.player, request.level, request.seed ?? 0);
}

/** What a bot gets with the same cards: the whole game, event by event. */
function rival(engine, request, tell) {
    open(engine, request);
    const events = Math.max(1, engine.again());
    for (let done = 1; engine.againStep(request.player, request.level); done++) {
        tell(Math.min(1, done / events));
    }
    return { score: engine.state(request.player).players[request.player - 1].score,
        record: engine.record() };
}

/** An error as something that can be posted. */
function plain(error) {
    const { message, status, line, words, sentence } = error;
    return { fault: error instanceof Fault, message, status, line, words, sentence };
}

async function answer({ id, think: wanted, rival: other }) {
    try {
        const engine = await engineMade;
        const tell = (progress) => postMessage({ id, progress });
        postMessage({ id, value: wanted ? think(engine, wanted) : rival(engine, other, tell) });
    } catch (error) {
        postMessage({ id, error: plain(error) });
    }
}

addEventListener('message', ({ data }) => {
    if (data.module) {
        giveModule(data.module);
    } else {
        answer(data);
    }
});
