// For tests of the program as a server: starts and stops it, asks it over HTTP, enters its rooms.
// The first argument of the test is the program. `work` is a folder of the test's own. With a
// second argument `postgres` the program's data are in a private PostgreSQL; with the variable
// ES_CLUSTER, three processes behind nginx share it (scripts/cluster.sh; ES_CLUSTER=scatter: with
// everybody at the next process instead of each room at one). If one of these is not
// installed, the test ends with status 77.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import { connect } from './websocket.mjs';

export const [program] = process.argv.slice(2);
export const usesCluster = Boolean(process.env.ES_CLUSTER);
// Clients of one room are at different processes.
export const isScattered = process.env.ES_CLUSTER === 'scatter';
const scatter = isScattered ? ['--scatter'] : [];
export const usesPostgres = usesCluster || process.argv[3] === 'postgres';
export const work = fs.mkdtempSync(`${os.tmpdir()}/endstation-serving-`);
const scripts = new URL('../scripts', import.meta.url).pathname;
const running = new Set();
const folders = new Map(); // of clusters, by port
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => process.exit(1));
process.on('exit', () => {
    for (const child of running)
        child.kill(usesCluster ? 'SIGTERM' : 'SIGKILL');
    // Before its folder is removed, if that is ours; at most 60 seconds.
    for (const folder of [...folders.values()].filter(Boolean))
        spawnSync('sh', ['-c', 'while [ -e "$1/running" ]; do sleep 0.1; done', 'sh', folder],
            { timeout: 60000 });
    if (fs.existsSync(`${work}/pg/data`))
        postgres('stop', 'immediate');
    fs.rmSync(work, { recursive: true });
});

// Runs tests one after the other, prints which fail and why, and ends the process.
export async function runTests(tests) {
    for (const test of tests) {
        try {
            await test();
        } catch (error) {
            console.log(`${test.name}: ${error.message}\n${error.stack}`);
            process.exitCode = 1;
        }
    }
    process.exit();
}

export function postgres(what, ...words) {
    const { status, stdout, stderr } = spawnSync('sh',
        [`${scripts}/postgres.sh`, what, `${work}/pg`, ...words]);
    if (status === 77)
        process.exit(77);
    assert.equal(status, 0, stderr.toString());
    return stdout.toString().trim();
}

if (usesPostgres) {
    fs.chmodSync(work, 0o711); // so that the user who runs PostgreSQL can reach it
    postgres('start');
}

// Adds --store to the arguments of a server: one database for each folder of data, and a new one
// instead of memory.
const databases = new Map();

function inPostgres(args) {
    const at = args.indexOf('--data') + 1;
    const memory = args[at] === 'memory';
    const address = databases.get(args[at]) ?? postgres('database', `d${databases.size}`);
    databases.set(memory ? address : args[at], address);
    return [...args.slice(0, memory ? at - 1 : at + 1), '--store', address, ...args.slice(at + 1)];
}

// Starts a program that is ended with the test. `said` resolves with what it prints first.
export function launch(name, args) {
    const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let text = '';
    let log = '';
    child.stderr.on('data', (data) => { log += data; });
    const ended = new Promise((resolve) => {
        child.on('close', (code, signal) => {
            running.delete(child);
            resolve({ code, signal });
        });
    });
    const said = new Promise((resolve) => {
        child.stdout.on('data', (data) => {
            text += data;
            if (text.includes('\n'))
                resolve(text);
        });
        ended.then(() => resolve(text));
    });
    return { child, ended, said, log: () => log };
}

export async function start(...args) {
    const words = usesPostgres && args.includes('--data') ? inPostgres(args) : args;
    const server = usesCluster
        ? launch('sh', [`${scripts}/cluster.sh`, program, ...words, ...scatter])
        : launch(program, ['serve', '--no-open', ...words]);
    const line = await server.said;
    if (usesCluster && server.child.exitCode === 77)
        process.exit(77);
    const path = /^Endstation is at unix:(.*)\n/.exec(line)?.[1];
    const at = path ?? Number(/^Endstation is at http:\/\/[^ ,]*:(\d+)/.exec(line)?.[1]);
    const folder = /\nIts files are in (.*)\n/.exec(line)?.[1];
    folders.set(at, folder);
    return { ...server, line, at, folder };
}

// The sockets of the processes of a cluster.
const socketsOf = (folder) => fs.readdirSync(folder).filter((name) => name.endsWith('.socket'))
    .sort().map((name) => `${folder}/${name}`);

// What /metrics says, of every process.
export async function metrics(at, options) {
    const all = folders.get(at) ? socketsOf(folders.get(at)) : [at];
    return Promise.all(all.map(async (one) => (await ask(one, '/metrics', options)).text));
}

// A figure of the operator's page; of several processes the sum.
export const figure = async (at, name, options) => (await metrics(at, options)).reduce(
    (sum, text) => sum + Number(new RegExp(`\n${name} ([\\d.e+]+)\n`).exec(text)[1]), 0);

// The name of the figure that counts refusals because of a limit.
export const limited = (limit) => `endstation_limited{limit="${limit}"}`;

export async function stop(server) {
    server.child.kill('SIGTERM');
    assert.deepEqual(await server.ended, { code: 0, signal: null }, server.log());
}

// Where a server is, as node's functions take it: `at` is a port, the path of a Unix socket, or
// such an object; with `tls` it is reached by https.
function target(at) {
    return typeof at === 'number' ? { port: at, host: '127.0.0.1' }
        : typeof at === 'string' ? { path: at, socketPath: at } : at;
}

// One request.
export function ask(at, path, { method = 'GET', headers = {}, body, ...more } = {}) {
    return new Promise((resolve, reject) => {
        const to = target(at);
        const request = (to.tls ? https : http).request({ ...to, path, method, agent: false,
            ...more, headers: { Host: 'localhost', ...headers } }, (answer) => {
            let text = '';
            answer.on('data', (data) => { text += data; });
            answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers,
                text, json: () => JSON.parse(text) }));
        });
        request.on('error', reject);
        request.end(body);
    });
}

export const json = { 'Content-Type': 'application/json' };
export const post = (at, path, value, headers = {}) => ask(at, path, { method: 'POST',
    headers: { ...json, ...headers }, body: JSON.stringify(value) });

export async function guest(at, name, headers) {
    const answer = await post(at, '/api/guest', { name, colour: 1 }, headers);
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
}

// A WebSocket that has said hello. `next` waits for a message of a type, and drops others.
export async function enter(at, room, { token, code, have, changes, ...options } = {}) {
    const client = await connect(target(at), `/ws/${room}`, options);
    assert.equal(client.status, 101);
    client.next = async (type, good = () => true) => {
        for (;;) {
            const message = JSON.parse(await client.take());
            if (message.t === type && good(message))
                return message;
        }
    };
    client.json({ t: 'hello', v: 1, token, code, have, changes });
    return client;
}

// The same, when it is welcome: what is said before that is refused.
export async function arrive(at, room, options) {
    const client = await enter(at, room, options);
    await client.next('welcome');
    return client;
}

const metro = 'game metro\nplayers 2\n';

export async function makeRoom(at, token, settings = {}) {
    const lobby = await arrive(at, 'lobby', { token });
    lobby.json({ t: 'make', id: 7, key: 'make', setup: metro, open: true, watch: true,
        ...settings });
    const made = await lobby.next('ok');
    lobby.destroy();
    return made;
}

// Sits down; the client's word is kept for when it is asked for.
export async function sit(client, seat, word = randomBytes(32)) {
    client.word = word;
    client.json({ t: 'sit', key: `sit${seat}`, seat,
        hash: createHash('sha256').update(client.word).digest('hex') });
    await client.next('ok');
}
