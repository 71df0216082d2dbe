/* Where a game is analysed: one of several workers. It gets {module} and {game: {record, map,
 * player}} once, and does what analyser.js asks, {id, node: 7} or {id, hindsight: true}. It answers
 * {id, value} or {id, error}. */
import {loadAnalysisEngine} from './analysisengine.js';
import {Fault} from './engine.js';

const given = {};
const wanted = (name) => new Promise((resolve) => {
    given[name] = resolve;
});
const modules = wanted('module');
const games = wanted('game');

async function open() {
    const engine = await loadAnalysisEngine(await modules);
    const {record, map, player} = await games;
    if (map) engine.map(map);
    engine.open(record);
    return {engine, player};
}

const opened = open();
opened.catch(() => {}); /* every answer says so */

/* An error as something that can be posted. */
function plain(error) {
    const {message, status, line, words, sentence} = error;
    return {fault: error instanceof Fault, message, status, line, words, sentence};
}

async function answer({id, node}) {
    try {
        const {engine, player} = await opened;
        postMessage({id, value: node === undefined ? engine.hindsight(player)
            : engine.node(player, node)});
    } catch (error) {
        postMessage({id, error: plain(error)});
    }
}

addEventListener('message', ({data}) => {
    if (data.id) answer(data);
    else for (const [name, value] of Object.entries(data)) given[name](value);
});
