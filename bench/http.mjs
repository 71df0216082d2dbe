// What HTTP answers cost a server: http.mjs ECHO_SERVER…, each of them tests/echo_server or one to
// be compared with it. Prints requests a second (wrk has to be installed), the processor time
// of the server for each, and what clients cost that ask and do not read.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';

const SECONDS = 3;

// Milliseconds of processor time of a process so far.
function used(pid) {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
}

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

function load({ pid, port }, path, connections) {
    const before = used(pid);
    const { stdout, error } = spawnSync('wrk', ['-t1', `-c${connections}`, `-d${SECONDS}`,
        `http://127.0.0.1:${port}${path}`]);
    if (error)
        throw error;
    const count = Number(/(\d+) requests in/.exec(String(stdout))[1]);
    return `${Math.round(count / SECONDS)} a second, ` +
        `${((used(pid) - before) * 1000 / count).toFixed(1)} us of the processor each`;
}

async function stall({ pid, port }, text, count) {
    const sockets = Array.from({ length: count }, () => {
        const socket = net.connect(port, '127.0.0.1');
        socket.on('error', () => {});
        socket.pause();
        socket.write(text);
        return socket;
    });
    await sleep(2000); // for the answers to be made
    const before = used(pid);
    await sleep(SECONDS * 1000);
    const cost = used(pid) - before;
    sockets.forEach((socket) => socket.destroy());
    return `${cost} ms of the processor in ${SECONDS} s`;
}

const get = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
for (const program of process.argv.slice(2)) {
    const child = spawn(program, { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise((resolve) => { child.stdout.once('data', resolve); });
    const server = { pid: child.pid, port: Number(String(line)) };
    console.log(program);
    for (const [path, connections] of [['/now', 1], ['/now', 100], ['/later?100000', 10],
        ['/later?3000000', 4]])
        console.log(`${path}, ${connections} connections: ${load(server, path, connections)}`);
    for (const [what, text] of [['', get('/later?4000000')],
        [' with a second request', get('/later?4000000') + get('/now')]])
        console.log(`10 who do not read${what}: ${await stall(server, text, 10)}`);
    child.kill('SIGTERM');
}
process.exit();
