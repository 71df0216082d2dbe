// What strangers cost honest people: strangers.mjs PROGRAM [SECONDS [ATTACK…]]. Beside the program
// have to be `load` and `hostile`; without names, every attack is made, and then all at once.
//
// For each attack a fresh server has 250 moves a second in many rooms (load.c) and two visitors a
// second, who open the page, make a room, invite somebody and play against a bot. Both are measured
// before the attack, during it and after it. What everybody does is stored on the disk that has
// PROGRAM. Nothing may be refused to the honest, and no move be lost: that is the exit status. The
// aim for moves is a p99 at most twice that before the attack, and a p99.9 under 500 ms: where it
// is missed, the line ends with "(aim missed)". Attackers come from 127.64.0.0/10, each number from
// an address and a network of its own; visitors from 127.32.0.0/11.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { arrive, ask, guest, makeRoom, post, program, sit, start } from
    '../tests/serving.mjs';

const SECONDS = Number(process.argv[3] ?? 10);
const VISITS_MS = 500;
const RATE = 250;
const ROOMS = Math.ceil(RATE * SECONDS * 3 / 60 * 1.2); // enough moves for all of the time
const host = '127.0.0.1';
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const beside = (name) => path.join(path.dirname(program), name);

// Addresses: `n` is the number of a network, below 2^14 for visitors and attackers alike.
const visitor = (port, n) => ({ port, host, localAddress: `127.${32 + (n >> 8)}.${n & 255}.1` });
const stranger = (port, n, m = 1) =>
    ({ port, host, localAddress: `127.${64 + (n >> 8)}.${n & 255}.${m}` });

// Does something again and again, `many` at a time, as long as an attack goes on. What is refused
// to an attacker does not matter.
async function again(attack, many, act) {
    let count = 0;
    await Promise.all(Array.from({ length: many }, async () => {
        while (attack.goesOn) {
            const began = performance.now();
            await act(count++).catch(() => {});
            if (performance.now() - began < 5)
                await sleep(5);
        }
    }));
}

// Says a message and resolves with its answer, whatever that is.
let ids = 0;
async function say(client, message) {
    const id = ++ids;
    client.json({ ...message, id });
    for (;;) {
        const answer = JSON.parse(await client.take());
        if (answer.id === id)
            return answer;
    }
}

// A new guest of an attacker, in the lobby.
async function come(at, name = 'Mallory') {
    const { token } = await guest(at, name);
    return Object.assign(await arrive(at, 'lobby', { token }), { token });
}

const metro = 'game metro\nplayers 2\n';

// ---- Attacks ----------------------------------------------------------------------------------

const attacks = {
    // Bots that would think for minutes, and many rooms in which all are masters.
    bots: (attack) => again(attack, 10, async (n) => {
        const at = stranger(attack.port, n % 40);
        const lobby = await come(at);
        for (let i = 0; i < 10 && attack.goesOn; i++) {
            const level = i % 5 === 0 ? 'flat:1000000000' : 'master';
            const bots = [2, 3, 4, 5, 6].map((seat) => `bot ${seat} ${level}\n`).join('');
            const { room } = await say(lobby, { t: 'make', key: `k${i}`,
                setup: `game metro\nplayers 6\n${bots}` });
            if (!room)
                continue;
            const seat = await arrive(at, room, { token: lobby.token });
            await sit(seat, 1);
            await say(seat, { t: 'start', key: 'start' });
            await say(seat, { t: 'word', word: seat.word.toString('hex') });
            await say(seat, { t: 'give', key: 'give', bot: level });
            seat.destroy();
        }
        lobby.destroy();
    }),
    // Connections that say nothing.
    async silent(attack) {
        const sockets = [];
        const connect = (i) => {
            sockets[i] = net.connect(stranger(attack.port, 0, 1 + i % 28));
            sockets[i].on('error', () => {});
            sockets[i].on('close', () => setTimeout(() => {
                if (attack.goesOn)
                    connect(i);
            }, 200));
        };
        for (let i = 0; i < 4200; i++)
            connect(i);
        while (attack.goesOn)
            await sleep(100);
        sockets.forEach((socket) => socket.destroy());
    },
    // Tables for everybody, as many as the limits allow from 672 networks.
    tables: (attack) => again(attack, 20, async (n) => {
        const lobby = await come(stranger(attack.port, n % 672));
        for (let i = 0; i < 10 && attack.goesOn; i++)
            await say(lobby, { t: 'make', key: `k${i}`, setup: metro, open: true });
        lobby.destroy();
    }),
    // Rooms that are closed as soon as they are made.
    closing: (attack) => again(attack, 10, async (n) => {
        const at = stranger(attack.port, n % 100);
        const lobby = await come(at);
        for (let i = 0; i < 10 && attack.goesOn; i++) {
            const { room } = await say(lobby, { t: 'make', key: `k${i}`, setup: metro });
            if (!room)
                break;
            const host = await arrive(at, room, { token: lobby.token });
            await say(host, { t: 'close', key: 'close' });
            host.destroy();
        }
        lobby.destroy();
    }),
    // Codes and tickets that nobody has given.
    codes: (attack) => again(attack, 20, async (n) => {
        const at = stranger(attack.port, n % 100);
        const lobby = await come(at);
        for (let i = 0; i < 30 && attack.goesOn; i++) {
            const letters = Math.random().toString(36).slice(2).padEnd(12, 'X');
            await say(lobby, { t: 'find', code: letters.slice(0, i % 2 ? 8 : 12) });
            await post(at, '/api/device', { ticket: 'x'.repeat(32), label: 'x' });
        }
        lobby.destroy();
    }),
    // Two hundred who look at the lobby, and names that change there all the time.
    async names(attack) {
        const viewers = await Promise.all(Array.from({ length: 200 }, (_, i) =>
            arrive(stranger(attack.port, 1000 + i), 'lobby', { changes: i % 2 === 0 })
                .catch(() => null)));
        await again(attack, 10, async (n) => {
            const lobby = await come(stranger(attack.port, n % 100));
            await say(lobby, { t: 'make', key: 'k', setup: metro, open: true });
            for (let i = 0; i < 60 && attack.goesOn; i++) {
                await say(lobby, { t: 'name', name: `Mallory ${i}`, colour: i % 8 });
                await sleep(700);
            }
            lobby.destroy();
        });
        viewers.forEach((viewer) => viewer?.destroy());
    },
    // Sheets in other words, and everything that can be asked for without a room.
    requests: (attack) => again(attack, 40, async (n) => {
        const at = stranger(attack.port, n % 200);
        await (n % 4 ? ask(at, ['/api/rooms', '//metrics', '/analysis.wasm'][n % 3])
            : ask(at, '/api/map', { method: 'POST', headers: { 'Content-Type': 'text/plain' },
                body: attack.sheet.replace('\n', `\n# ${n}\n`) }));
    }),
    // Requests that are none, in one piece or two, and codes to draw (QR).
    malformed: (attack) => again(attack, 20, async (n) => {
        const at = stranger(attack.port, n % 200);
        if (n % 4 === 0) {
            await ask(at, '/api/qr', { method: 'POST', headers: { 'Content-Type': 'text/plain' },
                body: `https://example.org/${'x'.repeat(480)}` });
            return;
        }
        const request = `GET ${['*', '/%z', '/%', '/../metrics'][n % 4]} HTTP/1.1\r\n`;
        const socket = net.connect(at);
        socket.on('error', () => {});
        const over = new Promise((resolve) => { socket.on('close', resolve); });
        socket.write(request.slice(0, 6));
        await sleep(n % 3);
        socket.write(`${request.slice(6)}Host: x\r\n\r\n`);
        setTimeout(() => socket.destroy(), 1000);
        await over;
    }),
    // Guests who sit at as many tables as they may, and change their names.
    renames: (attack) => again(attack, 10, async (n) => {
        const lobby = await come(stranger(attack.port, n % 100));
        const seats = [];
        for (let i = 0; i < 30 && attack.goesOn; i++) {
            const { room } = await say(lobby, { t: 'make', key: `k${i}`, setup: metro });
            if (!room)
                break;
            seats.push(await arrive(stranger(attack.port, n % 100), room, { token: lobby.token }));
            await sit(seats.at(-1), 1);
        }
        for (let i = 0; i < 60 && attack.goesOn; i++)
            await say(lobby, { t: 'name', name: `Mallory ${i}`, colour: i % 8 });
        [lobby, ...seats].forEach((one) => one.destroy());
    }),
    // Guests who are deleted while they ask, and devices without end.
    forget: (attack) => again(attack, 10, async (n) => {
        const at = stranger(attack.port, n % 200);
        const lobby = await come(at);
        for (let i = 0; i < 30; i++) {
            const { ticket } = await say(lobby, { t: 'ticket' });
            await post(at, '/api/device', { ticket, label: 'x' });
        }
        const all = Array.from({ length: 30 }, () => ask(at, '/api/rooms/aaaaaaaaaaaaaaaa',
            { headers: { Authorization: `Bearer ${lobby.token}` } }).catch(() => {}));
        lobby.json({ t: 'forget' });
        await Promise.all(all);
        lobby.destroy();
    }),
    // Garbage, half frames, floods, and people who do not read (hostile.c).
    async garbage(attack) {
        const lobby = await come(stranger(attack.port, 0));
        const { room } = await say(lobby, { t: 'make', key: 'k', setup: metro, open: true });
        const child = spawn(beside('hostile'), [attack.port, 200, room], { stdio: 'ignore' });
        while (attack.goesOn)
            await sleep(100);
        child.kill();
        lobby.destroy();
    },
};

// ---- Honest people ----------------------------------------------------------------------------

// One visit; adds the milliseconds of each step to `times`.
async function visit(port, n, times) {
    const ada = visitor(port, 2 * n);
    const bo = visitor(port, 2 * n + 1);
    const clients = [];
    const open = async (...args) => {
        clients.push(await arrive(...args));
        return clients.at(-1);
    };
    const timed = async (step, act) => {
        const began = performance.now();
        const result = await act();
        (times[step] ??= []).push(performance.now() - began);
        return result;
    };
    await timed('page', async () => {
        const { status } = await ask(ada, '/');
        if (status !== 200)
            throw new Error(`the page: ${status}`);
    });
    const [a, b] = await timed('guests', () => Promise.all([guest(ada, 'Ada'), guest(bo, 'Bo')]));
    const made = await timed('room', () => makeRoom(ada, a.token, { open: false,
        setup: 'game metro\nplayers 3\nbot 1 casual\n' }));
    const lobby = await open(bo, 'lobby', { token: b.token });
    await timed('code', async () => {
        lobby.json({ t: 'find', id: 1, code: made.code });
        const answer = await lobby.next('ok', ({ id }) => id === 1);
        if (answer.room !== made.room)
            throw new Error('another room');
    });
    const seats = [await open(ada, made.room, { token: a.token }),
        await open(bo, made.room, { token: b.token, code: made.code })];
    await sit(seats[0], 2);
    await sit(seats[1], 3);
    await timed('bot', async () => {
        seats[0].json({ t: 'start', key: 'start' });
        await Promise.all(seats.map(async (seat) => {
            await seat.next('room', (message) => message.phase === 'words');
            seat.json({ t: 'word', word: seat.word.toString('hex') });
        }));
        await seats[1].next('lines', ({ lines }) => lines.some((line) => /^1 /.test(line)));
    });
    clients.forEach((client) => client.destroy());
}

// Visits as long as `honest.goesOn`; resolves when the last is over.
async function visits(port, honest) {
    const all = [];
    for (let n = 0; honest.goesOn; n++) {
        const times = honest.times;
        let timer;
        const late = new Promise((_, reject) => {
            timer = setTimeout(() => reject(new Error('no end after 30 s')), 30000);
        });
        all.push(Promise.race([visit(port, n, times), late])
            .catch((error) => honest.refused.push(error.message))
            .finally(() => clearTimeout(timer)));
        await sleep(VISITS_MS);
    }
    await Promise.all(all);
}

// ---- Measuring --------------------------------------------------------------------------------

const percentile = (values, share) =>
    values.sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];
const describe = (times) => Object.entries(times).map(([step, values]) =>
    `${step} ${percentile(values, 0.5).toFixed(0)}/${percentile(values, 1).toFixed(0)}`).join(', ');

// Of a line of `load`: how long 99 % and 99.9 % of the moves took at most, in milliseconds.
const shares = (figures) => [/p99 ([\d.]+)/, /p99\.9 ([\d.]+)/].map((one) =>
    Number(one.exec(figures)[1]));

async function measure(name, sheet) {
    const folder = mkdtempSync(path.join(path.dirname(program), 'strangers-'));
    const server = await start('--port', '0', '--data', folder);
    const attack = { port: server.at, goesOn: false, sheet };
    const honest = { goesOn: true, times: {}, refused: [] };
    const load = spawn(beside('load'), [server.at, '--pid', server.child.pid, '--rooms', ROOMS,
        '--watchers', 4, '--rate', RATE, '--seconds', SECONDS, '--times', 3],
    { stdio: ['ignore', 'pipe', 'inherit'] });
    const phases = ['before', 'during', 'after'];
    let failures = 0;
    let usual = 0;
    let visiting;
    let attacking;
    console.log(`== ${name}`);
    for await (const line of createInterface({ input: load.stdout })) {
        const [, figures] = /^steady: (.*)/.exec(line) ?? [];
        if (/games have begun/.test(line)) {
            visiting = visits(server.at, honest);
        } else if (figures && phases.length) {
            const phase = phases.shift();
            attack.goesOn = phase === 'before';
            if (attack.goesOn)
                attacking = Promise.all((attacks[name] ? [name] : Object.keys(attacks))
                    .map((one) => attacks[one](attack)));
            const [p99, p999] = shares(figures);
            usual ||= p99;
            const missed = p99 > 2 * usual || p999 > 500 ? ' (aim missed)' : '';
            console.log(`${phase}: ${figures}${missed}`);
            console.log(`    visitors: ${describe(honest.times)} ms`);
            honest.times = {};
        } else if (/lost/.test(line)) {
            console.log(`    moves: ${line}`);
            failures++;
        }
    }
    honest.goesOn = false;
    await Promise.race([attacking, sleep(30000)]);
    await visiting;
    const { refused } = honest;
    const first = refused.length > 0 ? `: ${refused[0]}` : '';
    console.log(`    visitors: ${refused.length} refused${first}`);
    server.child.kill('SIGTERM');
    await server.ended;
    rmSync(folder, { recursive: true });
    return failures + refused.length;
}

// A connection of an attacker that is hung up on when nobody listens to it any more. A visitor who
// misses something comes to no end, and that counts.
process.on('uncaughtException', (error) => {
    if (error.code !== 'ECONNRESET')
        throw error;
});
const { stdout } = spawn(program, ['maps', 'practice']);
let sheet = '';
for await (const part of stdout)
    sheet += part;
const names = process.argv.slice(4);
let failures = 0;
for (const name of names.length ? names : [...Object.keys(attacks), 'all'])
    failures += await measure(name, sheet);
process.exit(failures ? 1 : 0);
