// Where bots think: a worker, so that the page never waits. It does what thinker.js asks, one thing
// after the other: {module} first, then {id, think} or {id, rival}. It answers {id, value},
// {id, error} and, on the way, {id, progress}.
import { Fault, loadEngine } from './engine.js';

let engine = null;

function open({ record, map }) {
    if (map) {
        engine.map(map);
    }
    engine.open(record);
}

function think(request) {
    open(request);
    return engine.think(request.player, request.level, request.seed ?? 0);
}

/** What a bot gets with the same cards: the whole game, event by event. */
function rival(request, tell) {
    open(request);
    const events = Math.max(1, engine.again());
    for (let done = 1; engine.againStep(request.player, request.level); done++) {
        tell(Math.min(1, done / events));
    }
    const { score, grade, sum } = engine.state(request.player).players[request.player - 1];
    return { score, grade, sum, record: engine.record() };
}

/** An error as something that can be posted. */
function plain(error) {
    const { message, status, line, words, sentence } = error;
    return { fault: error instanceof Fault, message, status, line, words, sentence };
}

async function answer({ module, id, think: thinkOf, rival: rivalOf }) {
    if (module) {
        engine = await loadEngine(module);
        return;
    }
    try {
        const tell = (progress) => postMessage({ id, progress });
        postMessage({ id, value: thinkOf ? think(thinkOf) : rival(rivalOf, tell) });
    } catch (error) {
        postMessage({ id, error: plain(error) });
    }
}

// One after the other, also while the engine is still being made.
let last = Promise.resolve();
addEventListener('message', ({ data }) => {
    last = last.then(() => answer(data)).catch((error) => {
        postMessage({ id: data.id ?? 0, error: plain(error) });
    });
});
