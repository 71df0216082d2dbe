// What several processes on one PostgreSQL do that one does not (scripts/cluster.sh): they share
// limits, hear of each other, leave and come back without anybody's loss, and are upgraded one
// after the other: cluster.mjs PROGRAM. Where PostgreSQL or nginx is not installed, the status is
// 77.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { handshake } from './websocket.mjs';

process.env.ES_CLUSTER = 'yes';
const { arrive, ask, enter, figure, guest, json, launch, makeRoom, post, program, runTests, sit,
    start, stop, work } = await import('./serving.mjs');

const here = new URL('.', import.meta.url).pathname;
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
async function until(look) {
    for (;;) {
        const found = await look();
        if (found)
            return found;
        await pause(20);
    }
}

// The processes of a cluster: their sockets, and their process ids.
const socket = ({ folder }, number) => `${folder}/${number}.socket`;
const pid = ({ folder }, number) => {
    try {
        return Number(fs.readFileSync(`${folder}/${number}.pid`, 'utf8'));
    } catch {
        return 0; // it is being started
    }
};
const isWell = async (cluster, number) =>
    (await ask(socket(cluster, number), '/healthz').catch(() => undefined))?.status === 200;

// Tells a process to end, and waits until its successor runs.
async function restart(cluster, number, signal = 'SIGTERM') {
    const old = pid(cluster, number);
    process.kill(old, signal);
    await until(async () => ![0, old].includes(pid(cluster, number)) &&
        isWell(cluster, number));
}

// Starts a cluster that nothing else uses.
async function startOwn(executable) {
    const cluster = launch('sh', [`${here}../scripts/cluster.sh`, executable, '--port', '0']);
    const line = await cluster.said;
    cluster.at = Number(/localhost:(\d+)/.exec(line)[1]);
    cluster.folder = /files are in (.*)\n/.exec(line)[1];
    return cluster;
}

async function stopOwn(cluster) {
    cluster.child.kill('SIGTERM');
    assert.deepEqual(await cluster.ended, { code: 0, signal: null });
}

// Runs scripts/postgres.sh for its database.
function postgres(cluster, verb, ...words) {
    const folder = verb === 'find' ? [] : [`${cluster.folder}/postgres`];
    const { status, stdout, stderr } = spawnSync('sh',
        [`${here}../scripts/postgres.sh`, verb, ...folder, ...words], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout.trim();
}

// The process that has WebSockets.
async function serving(cluster) {
    for (const number of [1, 2, 3])
        if (await figure(socket(cluster, number), 'endstation_websockets') > 0)
            return number;
    return assert.fail('nobody has a WebSocket');
}

// ---- What they share ----------------------------------------------------------------------------

// Whatever is counted in the store counts for all processes, also after a restart: they hash
// addresses with the same key.
async function testLimits() {
    const cluster = await start('--data', 'memory', '--port', '0', '--limits', 'guests=2');
    const make = (number, address) => post(socket(cluster, number), '/api/guest', { name: 'Ada' },
        { 'X-Forwarded-For': address });
    assert.equal((await make(1, '203.0.113.1')).status, 200);
    assert.equal((await make(2, '203.0.113.1')).status, 200);
    assert.equal((await make(3, '203.0.113.1')).status, 429);
    assert.equal((await make(3, '203.0.113.2')).status, 200);
    await restart(cluster, 1);
    assert.equal((await make(1, '203.0.113.1')).status, 429);
    await stop(cluster);
    assert.equal(cluster.log(), '');
}

// Somebody at each process: what one does the others see.
async function testOneRoom() {
    const cluster = await start('--data', 'memory', '--port', '0');
    const at = [1, 2, 3].map((number) => socket(cluster, number));
    const [ada, bo] = [await guest(at[0], 'Ada'), await guest(at[1], 'Bo')];
    const lobby = await arrive(at[2], 'lobby');
    const { room, code } = await makeRoom(at[0], ada.token);
    await lobby.next('lobby', ({ tables }) => tables.some((table) => table.room === room));
    const seats = [await arrive(at[0], room, { token: ada.token }),
        await arrive(at[1], room, { token: bo.token, code })];
    const watcher = await arrive(at[2], room, { code });
    await sit(seats[0], 1);
    await sit(seats[1], 2);
    for (const client of [watcher, seats[0]])
        await client.next('room', (message) => message.seats.every((seat) => seat.here) &&
            message.watchers === 1);
    seats[0].json({ t: 'start', key: 'start' });
    for (const seat of seats) {
        await seat.next('room', (message) => message.phase === 'words');
        seat.json({ t: 'word', word: seat.word.toString('hex') });
    }
    const views = await Promise.all([...seats, watcher].map((client) => client.next('view')));
    assert.deepEqual(views.map(({ due }) => due), [[1], [1], [1]]);
    seats[0].json({ t: 'move', decision: 0, event: await firstMove(views[0].text, 1) });
    await seats[0].next('ok');
    for (const client of [...seats, watcher])
        await client.next('lines', ({ due }) => String(due) === '2');
    for (const number of [1, 2, 3])
        assert.equal(await figure(socket(cluster, number), 'endstation_listener_connected'), 1);
    [lobby, watcher, ...seats].forEach((client) => client.destroy());
    await stop(cluster);
    assert.equal(cluster.log(), '');
}

// The first move of a player in a view.
async function firstMove(text, player) {
    const file = `${work}/view`;
    fs.writeFileSync(file, text);
    const { stdout } = spawnSync(program, ['moves', file], { encoding: 'utf8' });
    return stdout.split('\n').find((line) => line.startsWith(`${player} `));
}

// ---- Leaving and coming back --------------------------------------------------------------------

// A process that is told to end sends its clients to the others, and answers what it has been
// asked. Meanwhile nobody who asks through the proxy gets an error.
async function testDrain() {
    const cluster = await start('--data', 'memory', '--port', '0', '--limits',
        'requests=100000,guests=100000', '--log');
    const { at } = cluster;
    const { token } = await guest(at, 'Ada');
    const { room, code } = await makeRoom(at, token, { open: false });
    const seat = await arrive(at, room, { token });
    await sit(seat, 1);
    const lobby = await arrive(at, 'lobby', { token });
    // One that does not answer a close: its process waits for that as long as it may.
    const mute = await arrive(at, room, { token, mute: true });

    let goesOn = true;
    let asked = 0;
    const keepAsking = async (path, options) => {
        for (; goesOn; asked++) {
            const answer = await ask(at, path, options);
            assert.equal(answer.status, 200, `${path}: ${answer.text}`);
        }
    };
    const keepEntering = async () => {
        for (; goesOn; asked++)
            (await arrive(at, room, { token })).destroy();
    };
    const asking = Promise.all([keepAsking('/'), keepAsking('/api/rooms'),
        keepAsking(`/api/rooms/${room}?code=${code}`), keepEntering(), keepAsking('/api/guest',
            { method: 'POST', headers: json, body: '{"name":"Bo"}' })]);
    asking.catch(() => {}); // until it is awaited

    // The clients hear when to come back: soon. What is said after that is not taken.
    for (const number of [1, 2, 3])
        await restart(cluster, number);
    for (const client of [seat, lobby]) {
        const { ms } = await client.next('soon');
        assert.ok(ms <= 1000, `${ms} ms`);
        assert.equal(await client.ended(), 1001);
    }
    const back = await arrive(at, room, { token });
    assert.equal((await back.next('room')).seat, 1);
    goesOn = false;
    await asking;
    assert.ok(asked > 10);
    [back, mute].forEach((client) => client.destroy());
    await stop(cluster);
    for (const line of cluster.log().trim().split('\n'))
        assert.match(line, / event=(start|stopping|end|room-made)\b/);
}

// A connection to a process, as a proxy keeps it: `say` sends a request and returns the answer.
async function keptOpen(path) {
    const one = net.connect(path);
    let heard = '';
    one.on('data', (data) => { heard += data; });
    one.on('error', () => {});
    const say = async (request) => {
        heard = '';
        one.write(request);
        return until(() => heard.includes('\r\n\r\n') && heard);
    };
    assert.match(await say('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'), /^HTTP\/1.1 200 /);
    return { say, destroy: () => one.destroy() };
}

// New connections are refused from the signal on, and not when the process ends. On those that a
// proxy has kept, requests are answered, the last ones there; WebSockets are not opened.
async function testRefusal() {
    const cluster = await start('--data', 'memory', '--port', '0');
    const { at, folder } = cluster;
    const { token } = await guest(at, 'Ada');
    const client = await enter(at, 'lobby', { token });
    await client.next('welcome');
    const number = await serving(cluster);
    const kept = [await keptOpen(socket(cluster, number)), await keptOpen(socket(cluster, number))];
    client.socket.pause(); // so that the process waits for the answer to its close
    const old = pid(cluster, number);
    process.kill(old, 'SIGTERM');
    const refuses = () => !fs.existsSync(`${folder}/${number}.socket`);
    await until(() => refuses() || !fs.existsSync(`/proc/${old}`));
    assert.ok(refuses() && fs.existsSync(`/proc/${old}`), 'it refuses others while it waits');
    assert.match(await kept[0].say('GET /api/rooms HTTP/1.1\r\nHost: localhost\r\n\r\n'),
        /^HTTP\/1.1 200 [^]*\r\nconnection: close\r\n/i);
    assert.match(await kept[1].say(handshake('/ws/lobby')), /^HTTP\/1.1 503 /);
    assert.equal((await ask(at, '/api/rooms')).status, 200);
    kept.forEach((one) => one.destroy());
    client.socket.resume();
    await client.next('soon');
    assert.equal(await client.ended(), 1001);
    await stop(cluster);
}

// A killed process is one whose clients have to come back; what was confirmed is there.
async function testKill() {
    const cluster = await start('--data', 'memory', '--port', '0');
    const { at } = cluster;
    const { token } = await guest(at, 'Ada');
    const { room } = await makeRoom(at, token, { open: false });
    const seat = await arrive(at, room, { token });
    await sit(seat, 1);
    const number = await serving(cluster);
    process.kill(pid(cluster, number), 'SIGKILL');
    await seat.ended();
    const back = await arrive(at, room, { token });
    assert.equal((await back.next('room')).seat, 1);
    back.destroy();
    await stop(cluster);
}

// The database goes away and comes back: nothing is confirmed meanwhile, and everything goes on.
async function testDatabase() {
    const cluster = await startOwn(program);
    const { at } = cluster;
    const { token } = await guest(at, 'Ada');
    const { room } = await makeRoom(at, token, { open: false });
    const seat = await arrive(at, room, { token });
    await sit(seat, 1);
    postgres(cluster, 'stop', 'immediate');
    const say = () => seat.json({ t: 'chat', key: 'a', text: 'Is anybody there?' });
    say();
    await until(async () => !await isWell(cluster, await serving(cluster)));
    postgres(cluster, 'start');
    // Where that takes some seconds, everybody hears BUSY, and says the same again.
    for (let message; message?.t !== 'chat';) {
        message = JSON.parse(await seat.take());
        if (message.code === 'BUSY')
            say();
    }
    for (const number of [1, 2, 3])
        await until(async () =>
            await figure(socket(cluster, number), 'endstation_listener_connects') === 2 &&
            await figure(socket(cluster, number), 'endstation_listener_connected') === 1);
    seat.destroy();
    await stopOwn(cluster);
    assert.equal(cluster.log().match(/event=listener state=lost reason="/g).length, 3);
    assert.equal(cluster.log().match(/event=listener state=connected\n/g).length, 3);
}

// Processes that can write, but have lost the connection on which they hear of each other, look for
// news themselves.
async function testDeafness() {
    const cluster = await startOwn(program);
    const at = [1, 2].map((number) => socket(cluster, number));
    const { token } = await guest(at[0], 'Ada');
    const { room, code } = await makeRoom(at[0], token, { open: false });
    const [seat, watcher] = [await arrive(at[0], room, { token }), await arrive(at[1], room,
        { code })];
    // Their database takes no new connections while they are deaf, not even those of this test.
    const address = postgres(cluster, 'database', 'other');
    const sql = (text) => {
        const { status, stderr } = spawnSync(`${postgres(cluster, 'find')}/psql`,
            ['-qtc', text, address], { encoding: 'utf8' });
        assert.equal(status, 0, stderr);
    };
    sql('ALTER DATABASE postgres ALLOW_CONNECTIONS false');
    sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'");
    for (const where of at)
        await until(async () => await figure(where, 'endstation_listener_connected') === 0);
    await sit(seat, 1);
    await watcher.next('room', ({ seats }) => seats[0].name === 'Ada');
    sql('ALTER DATABASE postgres ALLOW_CONNECTIONS true');
    for (const where of at)
        await until(async () => await figure(where, 'endstation_listener_connected') === 1);
    [seat, watcher].forEach((client) => client.destroy());
    await stopOwn(cluster);
}

// ---- Versions -----------------------------------------------------------------------------------

// One process after the other is replaced by one with another page. A page of either version
// reaches its files, whichever process is asked, as long as one has them; the first process decides
// which version newcomers get.
async function testUpgrade() {
    const wrapper = `${work}/endstation`;
    const install = (more) => fs.writeFileSync(wrapper, `#!/bin/sh\nexec ${program} "$@" ${more}\n`,
        { mode: 0o755 });
    install('');
    const cluster = await startOwn(wrapper);
    const { at } = cluster;
    const versionAt = async (where) =>
        /\/v\/(\w+)\/app\/app\.js/.exec((await ask(where, '/')).text)[1];
    const old = await versionAt(at);
    const statuses = (version) => Promise.all(Array.from({ length: 20 }, async (_, i) =>
        (await ask(at, `/v/${version}/app/app.js`, { localAddress: `127.0.0.${i + 2}` })).status));
    assert.deepEqual(new Set(await statuses(old)), new Set([200]));
    assert.deepEqual(new Set(await statuses('0123456789abcdef')), new Set([404]));

    install(`--web ${here}../web`);
    const { token } = await guest(at, 'Ada');
    const { room } = await makeRoom(at, token, { open: false });
    for (const number of [1, 2, 3]) {
        await restart(cluster, number);
        assert.equal(await versionAt(at), 'dev');
        assert.equal(await versionAt(socket(cluster, number)), 'dev');
        assert.equal((await ask(socket(cluster, number), `/v/${old}/app/app.js`)).status, 404);
        const seat = await arrive(at, room, { token });
        await seat.next('room');
        seat.destroy();
        assert.deepEqual(new Set(await statuses('dev')), new Set([200]));
        assert.deepEqual(new Set(await statuses(old)), new Set([number < 3 ? 200 : 404]));
    }
    await stopOwn(cluster);
    assert.ok(!fs.existsSync(cluster.folder));
}

// ---- The script ---------------------------------------------------------------------------------

// Nothing is left, also if the script is killed or a process does not start.
async function testScript() {
    const killed = await start('--data', 'memory', '--port', '0');
    const all = [1, 2, 3, 'nginx'].map((name) => pid(killed, name));
    killed.child.kill('SIGKILL');
    await until(() => !fs.existsSync(killed.folder));
    for (const one of all)
        assert.throws(() => process.kill(one, 0), { code: 'ESRCH' });
    const wrong = await start('--data', 'memory', '--port', '0', '--bots', '0');
    assert.deepEqual(await wrong.ended, { code: 2, signal: null });
    assert.match(wrong.log(), /--bots/);
}

await runTests([testLimits, testOneRoom, testDrain, testRefusal, testKill, testDatabase,
    testDeafness, testUpgrade, testScript]);
