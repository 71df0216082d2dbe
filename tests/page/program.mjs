// The program for tests of the page: its server, and the WebAssembly module under node.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEngine } from '../../web/engine/engine.js';

export const program = process.env.ES_PROGRAM ?? 'build/endstation';
const cluster = new URL('../../scripts/cluster.sh', import.meta.url).pathname;

// Starts `endstation serve`, or with ES_CLUSTER three of them behind nginx (as in serving.mjs);
// resolves when it has printed its address. With ES_WEB=web the page comes from that folder, for
// those who work on it.
export function serve(...options) {
    const web = process.env.ES_WEB ? ['--web', process.env.ES_WEB] : [];
    const data = options.includes('--data') ? [] : ['--data', 'memory'];
    const words = ['serve', '--no-open', ...data, ...web, ...options];
    const scatter = process.env.ES_CLUSTER === 'scatter' ? ['--scatter'] : [];
    const server = process.env.ES_CLUSTER ? spawn('sh', [cluster, program, ...words, ...scatter])
        : spawn(program, words);
    let said = '';
    server.stderr.on('data', (text) => process.stderr.write(text));
    return new Promise((resolve, reject) => {
        server.on('exit', (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
        server.stdout.on('data', (text) => {
            said += text;
            const url = said.match(/http:\/\/[^\s/]+/);
            if (url) resolve({ url: url[0], stop: () => stop(server) });
        });
    });
}

function stop(server) {
    if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
        server.removeAllListeners('exit');
        server.on('exit', resolve);
        server.kill('SIGTERM');
    });
}

// The module as the page has it, under node.
const wasm = readFileSync(new URL('page/endstation.wasm', `file://${resolve(program)}`));
export const engine = () => loadEngine(wasm);
