// The rooms over real sockets: every route, its limits, proxies, signals, restarts, backups:
// service.mjs PROGRAM [postgres]. With that word everything is kept in a private PostgreSQL, and
// with the variable ES_CLUSTER three processes behind nginx share it; where these are not
// installed, the status is 77.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { arrive, ask, enter, figure, guest, json, launch, limited, makeRoom, metrics, post,
    program, runTests, sit, start, stop, usesCluster, usesPostgres, work } from './serving.mjs';
import { connect } from './websocket.mjs';

// ---- Routes -----------------------------------------------------------------------------------

async function testRequests() {
    const server = await start('--data', 'memory', '--port', '0', '--limits', 'requests=1000');
    const { at } = server;
    const ada = await post(at, '/api/guest', { name: 'Ada', colour: 3 });
    assert.equal(ada.status, 200);
    const { token, guest: id } = ada.json();
    assert.match(token, /^[0-9a-f]{64}$/);
    assert.deepEqual(ada.headers['set-cookie'], [`endstation=${token}; HttpOnly; ` +
        'SameSite=Strict; Path=/; Max-Age=34560000']);
    assert.equal(ada.headers['cache-control'], 'no-store');
    assert.equal(ada.headers['x-content-type-options'], 'nosniff');
    assert.match(ada.headers['content-security-policy'], /connect-src 'self'/);

    for (const [path, options, status, code] of [
        ['/api/guest', {}, 405, 'METHOD'],
        ['/api/me', {}, 403, 'GUEST_NEEDED'],
        ['/api/me?after=x', { headers: { Authorization: `Bearer ${ada.json().token}` } }, 400,
            'FIELD_BAD'],
        ['/api/me', { method: 'POST', headers: json, body: '{}' }, 405, 'METHOD'],
        ['/api/guest', { method: 'PUT', headers: json, body: '{}' }, 405, 'METHOD'],
        ['/api/guest', { method: 'POST', body: '{"name":"Bo"}' }, 415, 'TYPE'],
        ['/api/guest', { method: 'POST', headers: { 'Content-Type': 'text/plain' },
            body: '{"name":"Bo"}' }, 415, 'TYPE'],
        ['/api/guest', { method: 'POST', headers: { ...json, Origin: 'http://elsewhere' },
            body: '{"name":"Bo"}' }, 403, 'ORIGIN'],
        ['/api/guest', { method: 'POST', headers: json, body: '[]' }, 400, 'NO_JSON'],
        ['/api/guest', { method: 'POST', headers: json, body: '' }, 400, 'NO_JSON'],
        ['/api/guest', { method: 'POST', headers: json, body: '{"name":""}' }, 400,
            'NAME_BAD'],
        ['/api/guest', { method: 'POST', headers: json, body: '{"name":"Bo","name":"Cy"}' },
            400, 'NO_JSON'],
        ['/api/guest', { method: 'POST', headers: json, body: '{"name":7}' }, 400, 'FIELD_BAD'],
        ['/api/guest', { method: 'POST', headers: json, body: '{"name":"Bo","colour":"1"}' },
            400, 'FIELD_BAD'],
        ['/api/device', { method: 'POST', headers: json, body: '{"ticket":null}' }, 400,
            'FIELD_BAD'],
        ['/api/qr', { method: 'POST', headers: json, body: '{"text":7}' }, 400, 'FIELD_BAD'],
        ['/api/qr', { method: 'POST', headers: json, body: '{"text":""}' }, 400, 'TEXT_BAD'],
        ['/api/qr', { method: 'POST', headers: json, body: '7' }, 400, 'NO_JSON'],
        ['/api/qr', { method: 'POST', headers: json, body: `{"text":"${'x'.repeat(257)}"}` }, 400,
            'TEXT_BAD'],
        ['/api/guest', { method: 'POST', headers: json, body: '\xff' }, 400, 'NO_JSON'],
        ['/api/guest', { method: 'POST', headers: json, body: `"${'x'.repeat(8192)}"` }, 413,
            'BODY'],
        ...usesCluster ? [] : [['/api/map', { method: 'POST', // the proxy refuses that itself
            headers: { 'Content-Type': 'text/plain' }, body: 'x'.repeat(65537) }, 413, 'BODY']],
        ['/api/map', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'x' }, 400,
            'NOT_A_MAP'],
        ['/api/rooms', { method: 'POST', headers: json, body: '{}' }, 405, 'METHOD'],
        ['/api/nothing', {}, 404, 'UNKNOWN'],
        ['/api/rooms/aaaaaaaaaaaaaaaa', {}, 404, 'NO_ROOM'],
        ['/api/rooms/aaaaaaaaaaaaaaaa/picture', {}, 404, 'NO_ROOM'],
        ['/api/rooms/aaaaaaaaaaaaaaaa/taxes', {}, 404, 'UNKNOWN'],
        ['/api/rooms/x', {}, 404, 'NO_ROOM'],
        ['/api/rooms/x/record', {}, 404, 'NO_ROOM'],
        ['/api/rooms/aaaaaaaaaaaaaaaaa', {}, 404, 'NO_ROOM'],
        ['/ws/lobby', {}, 404],
    ]) {
        const answer = await ask(at, path, options);
        assert.equal(answer.status, status, `${path} ${JSON.stringify(options).slice(0, 100)}`);
        assert.equal(answer.headers['cache-control'], 'no-store');
        if (path.startsWith('/api/'))
            assert.equal(answer.json().code, code, `${path} ${JSON.stringify(options)}`);
    }
    const same = await post(at, '/api/guest', { name: 'Bo' }, { Origin: 'http://localhost' });
    assert.equal(same.status, 200);
    const map = spawnSync(program, ['maps', 'practice']).stdout.toString();
    const sheet = await ask(at, '/api/map', { method: 'POST',
        headers: { 'Content-Type': 'text/plain' }, body: map });
    assert.match(sheet.json().map, /^[0-9a-f]+$/);

    // A room, read in every way, as a spectator and by the one who sits there.
    const { room } = await makeRoom(at, token);
    const listed = async () => (await ask(at, '/api/rooms')).json().tables.map((one) => one.room);
    while ((await listed()).length === 0) // the list may be two seconds old
        await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await listed(), [room]);
    const seat = await arrive(at, room, { token });
    await sit(seat, 1);
    seat.json({ t: 'seat', seat: 2, key: 'bot', bot: 'random' });
    await seat.next('ok');
    seat.json({ t: 'start', key: 'start' });
    await seat.next('room', (message) => message.phase === 'words');
    seat.json({ t: 'word', word: seat.word.toString('hex') });
    const { text } = await seat.next('view');
    const mine = { headers: { Authorization: `Bearer ${token}` } };
    const cookie = { headers: { Cookie: `other=1; endstation=${token}` } };
    for (const own of [mine, cookie]) {
        const record = await ask(at, `/api/rooms/${room}/record`, own);
        assert.equal(record.headers['content-type'], 'text/plain; charset=utf-8');
        assert.match(record.text, /\ndeal 1 [a-z]+\ndeal 2 \?\n/);
        assert.ok(record.text.startsWith(text.split('\n\n')[0]));
    }
    assert.match((await ask(at, `/api/rooms/${room}/record`)).text, /\ndeal 1 \?\ndeal 2 \?\n/);
    assert.match((await ask(at, `/api/rooms/${room}/state`, mine)).text, /^game metro\n/);
    assert.equal((await ask(at, `/api/rooms/${room}`, mine)).json().seat, 1);
    assert.equal((await ask(at, `/api/rooms/${room}`)).json().seat, 0);
    const picture = await ask(at, `/api/rooms/${room}/picture?seat=2&dark=1`);
    assert.equal(picture.headers['content-type'], 'image/svg+xml');
    assert.match(picture.text, /^<svg /);
    const head = await ask(at, `/api/rooms/${room}/state`, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.text, '');

    // By invitation only.
    const secret = await makeRoom(at, token, { key: 'second', open: false });
    assert.equal((await ask(at, `/api/rooms/${secret.room}`)).status, 404);
    assert.equal((await ask(at, `/api/rooms/${secret.room}?code=${secret.code}`)).status, 200);
    assert.equal((await ask(at, `/api/rooms/${secret.room}?code=AAAAAAAA`)).status, 404);
    for (const [code, status] of [[secret.code, 200], ['AAAAAAAA', 404]])
        assert.equal((await ask(at, `/api/rooms/${secret.room}`,
            { headers: { Authorization: `Code ${code}` } })).status, status);
    const stranger = await enter(at, secret.room);
    assert.equal((await stranger.next('no')).code, 'NO_ROOM');
    assert.equal(await stranger.ended(), 4000);

    // Another device.
    seat.json({ t: 'ticket' });
    const { ticket } = await seat.next('ticket');
    const device = await post(at, '/api/device', { ticket, label: 'a phone' });
    assert.equal(device.json().guest, id);
    assert.notEqual(device.json().token, token);
    assert.notEqual((await post(at, '/api/device', { ticket, label: 'again' })).status, 200);

    // Signed out, by cookie or token: the cookie goes, connections end, the token is worthless; the
    // guest's other devices stay. A stranger may ask for it, too.
    const other = device.json().token;
    const lobby = await arrive(at, 'lobby', { token: other });
    for (const headers of [{ Cookie: `endstation=${other}` }, { Authorization: `Bearer ${other}` },
        {}]) {
        const out = await post(at, '/api/signout', {}, headers);
        assert.equal(out.status, 200);
        assert.deepEqual(out.headers['set-cookie'],
            ['endstation=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0']);
    }
    assert.equal(await lobby.ended(), 4002);
    const late = await enter(at, 'lobby', { token: other });
    assert.equal((await late.next('no')).code, 'TOKEN_BAD');
    assert.equal((await ask(at, `/api/rooms/${room}`, mine)).json().seat, 1);

    // Who says too much is told why the connection ends.
    for (let i = 0; i < 10; i++) {
        const loud = await enter(at, 'lobby');
        for (let j = 0; j < 130; j++)
            loud.json({ t: 'ping' });
        assert.equal(await loud.ended(), 1008);
    }

    // The log and the metrics contain no secrets.
    const about = /^# (HELP|TYPE) endstation_\w+ .+$/;
    const value = /^endstation_\w+(\{\w+="[\w.+]+"\})? [\d.e+-]+$/;
    for (const figures of await metrics(at))
        for (const line of figures.trim().split('\n'))
            assert.match(line, about.test(line) ? about : value);
    assert.equal(await figure(at, 'endstation_rooms_games_begun'), 1);
    await stop(server);
    assert.equal(server.log(), '');
    assert.equal(await seat.ended(), 1001);
}

// --limits sets limits for an address.
async function testLimits() {
    const server = await start('--data', 'memory', '--port', '0', '--limits',
        'guests=2,connections=1');
    const { token } = await guest(server.at, 'Ada');
    await guest(server.at, 'Bo');
    const refused = await post(server.at, '/api/guest', { name: 'Cy' });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.connection, 'close', 'requests that wait are not read');
    assert.equal(refused.json().code, 'TOO_MANY');
    const first = await enter(server.at, 'lobby', { token });
    await first.next('welcome');
    assert.equal(await (await connect(server.at, '/ws/lobby')).ended(), 1013);
    first.destroy();
    await stop(server);
    // What was made counts also after a restart: addresses are hashed with a key of the store.
    const again = ['--data', `${work}/limits`, '--port', '0', '--limits', 'guests=1'];
    const before = await start(...again);
    await guest(before.at, 'Ada');
    await stop(before);
    const after = await start(...again);
    assert.equal((await post(after.at, '/api/guest', { name: 'Bo' })).status, 429);
    assert.equal((await post(after.at, '/api/guest', { name: 'Bo' })).json().code, 'TOO_MANY');
    await stop(after);
    // The addresses of a network together may make as much as `network` of them.
    const behind = await start('--data', 'memory', '--port', '0', '--trust-proxy', '--limits',
        'guests=1,network=2');
    for (const [address, status] of [['203.0.113.1', 200], ['203.0.113.2', 200],
        ['203.0.113.3', 429], ['203.0.114.1', 200], ['2001:db8:1:1::1', 200],
        ['2001:db8:1:1::2', 429], ['2001:db8:1:2::1', 200], ['2001:db8:1:3::1', 429],
        ['2001:db8:2:1::1', 200], ['203.0.115.1:5555', 200], ['203.0.115.1:6666', 429],
        ['[2001:db8:3:1::1]:99', 200], ['[2001:db8:3:1::2]:7', 429]])
        assert.equal((await post(behind.at, '/api/guest', { name: 'Ada' },
            { 'X-Forwarded-For': address })).status, status, address);
    await stop(behind);
    for (const wrong of ['guests', 'guests=', 'guests=0', 'guests=x', 'tables=3', ''])
        assert.equal(run('serve', '--data', 'memory', '--port', '0', '--limits', wrong).status, 2,
            wrong);
}

// Requests to /api are limited for an address, the page's files are not.
async function testTooManyRequests() {
    const server = await start('--data', 'memory', '--port', '0', '--limits', 'requests=3');
    for (const [path, options] of [['/api/rooms', {}], ['/api/nothing', {}],
        ['/api/qr', { method: 'POST', headers: json, body: '{"text":"x"}' }]]) {
        let answer;
        for (let i = 0; i < 200 && answer?.status !== 429; i++)
            answer = await ask(server.at, path, options);
        assert.equal(answer.status, 429, path);
        assert.equal(answer.json().code, 'TOO_MANY');
        assert.match(answer.headers['retry-after'], /^[1-4]$/);
    }
    for (let i = 0; i < 100; i++)
        assert.equal((await ask(server.at, '/')).status, 200);
    await stop(server);
}

// What takes longer counts as several. (Counts begin anew after four seconds: so it is tried again,
// from another address, if the machine stood still.)
async function testCosts() {
    const server = await start('--data', 'memory', '--port', '0', '--trust-proxy', '--limits',
        'requests=4');
    const text = { 'Content-Type': 'text/plain' };
    for (const [i, [path, headers, body]] of [['/api/qr', json, '{"text":"x"}'],
        ['/api/map', text, 'x'.repeat(8192)], ['/api/guest', json, `{"x":"${'x'.repeat(4096)}"}`],
    ].entries()) {
        let next;
        for (let k = 0; k < 20 && next !== 429; k++) {
            const from = { 'X-Forwarded-For': `10.${i}.${k}.1` };
            const answer = await ask(server.at, path, { method: 'POST', body,
                headers: { ...headers, ...from } });
            assert.notEqual(answer.status, 429, path);
            next = (await ask(server.at, '/api/rooms', { headers: from })).status;
        }
        assert.equal(next, 429, path);
    }
    await stop(server);
}

// A connection that says nothing. `left` resolves when the server hangs up.
async function hold(port, from = '127.0.0.1') {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => {});
    socket.resume();
    socket.left = new Promise((resolve) => { socket.on('close', resolve); });
    await new Promise((resolve) => { socket.on('connect', resolve); });
    return socket;
}

// HTTP connections are limited for an address; WebSockets have a limit of their own.
async function testTooManyConnections() {
    const server = await start('--data', 'memory', '--port', '0', '--limits', 'http=4');
    const { at } = server;
    const sockets = [await enter(at, 'lobby'), await enter(at, 'lobby'), await enter(at, 'lobby'),
        await enter(at, 'lobby')];
    for (const socket of sockets)
        await socket.next('welcome');
    const idle = [await hold(at), await hold(at)];
    const answer = await ask(at, '/', { headers: { Connection: 'keep-alive' } });
    assert.equal(answer.headers.connection, 'close'); // more than half are taken
    idle.push(await hold(at), await hold(at));
    const fifth = await hold(at);
    await fifth.left;
    const elsewhere = { localAddress: '127.0.0.2' };
    assert.equal((await ask(at, '/', elsewhere)).status, 200);
    assert.equal(await figure(at, limited('http'), elsewhere), 1);
    idle[0].destroy();
    while (await figure(at, 'endstation_connections', elsewhere) > 8) // four are WebSockets
        await new Promise((resolve) => { setTimeout(resolve, 10); });
    assert.equal((await ask(at, '/')).status, 200);
    for (const socket of [...idle, ...sockets])
        socket.destroy();
    await stop(server);
}

// A network (/24) has four times the share of an address.
async function testTooManyConnectionsOfANetwork() {
    const server = await start('--data', 'memory', '--port', '0', '--limits', 'http=2');
    const idle = [];
    for (const host of [2, 2, 3, 3, 4, 4, 5, 5])
        idle.push(await hold(server.at, `127.0.1.${host}`));
    const ninth = await hold(server.at, '127.0.1.6');
    await ninth.left;
    const elsewhere = { localAddress: '127.0.2.1' };
    assert.equal(await figure(server.at, limited('http'), elsewhere), 1);
    idle.forEach((socket) => socket.destroy());
    await stop(server);
}

// A server with 200 descriptors, and so 136 places: 102 of them for HTTP, 119 for WebSockets.
async function startSmall(...args) {
    const server = launch('sh', ['-c', 'ulimit -n 200 && exec "$@"', 'sh', program, 'serve',
        '--no-open', '--data', 'memory', '--port', '0', ...args]);
    return { ...server, at: Number(/:(\d+)/.exec(await server.said)[1]) };
}

// When the places for HTTP are taken by clients who say nothing, one of those who have most makes
// room for each who comes: that of the network and the address that have most, which has been
// silent longest. Who has few is left alone, however long they have been silent.
async function testSilentConnections() {
    const server = await startSmall();
    const { at } = server;
    const lobby = await arrive(at, 'lobby', { localAddress: '127.0.3.1' });
    const patient = await hold(at, '127.0.9.1');
    const silent = [];
    for (let i = 0; i < 150; i++)
        silent.push(await hold(at, `127.0.${i % 3}.${1 + i % 28}`));
    await silent[0].left;
    // One who has more than anybody else costs only themselves.
    for (let i = 0; i < 60; i++)
        silent.push(await hold(at, `127.0.4.${1 + i % 2}`));
    assert.ok(!patient.destroyed);
    assert.equal((await ask(at, '/')).status, 200);
    lobby.json({ t: 'ping' });
    await lobby.next('pong');
    const closed = await figure(at, limited('places'));
    assert.ok(closed >= 109 && closed <= 113, `${closed}`);
    assert.equal(await figure(at, 'endstation_connections_limit'), 136);
    assert.equal(await figure(at, 'endstation_http_connections_limit'), 102);
    assert.ok(!silent.at(-1).destroyed); // who came last is still there
    for (const socket of [...silent, patient, lobby])
        socket.destroy();
    await stop(server);
}

// When the places for WebSockets are taken, one of those who have most makes room, strangers first,
// and of these who has been silent longest. /healthz is answered all the time.
async function testMostMakeRoom() {
    const server = await startSmall('--limits', 'guests=40');
    const { at } = server;
    const from = (network, host = 1) => ({ port: at, host: '127.0.0.1',
        localAddress: `127.0.${network}.${host}` });
    const isWell = async () => (await ask(at, '/healthz')).status === 200;
    const isHere = async (...clients) => {
        for (const client of clients) {
            client.json({ t: 'ping' });
            await client.next('pong');
        }
    };
    // So many tries of one address, of guests who have eight connections each.
    const guestsAt = async (address, count) => {
        const made = [];
        for (let i = 0, token; i < count; i++) {
            if (i % 8 === 0)
                ({ token } = await guest(at, 'Bo'));
            made.push(await arrive(address, 'lobby', { token }).catch(() => undefined));
        }
        return made.filter(Boolean);
    };
    const { token } = await guest(at, 'Ada');
    const ada = await arrive(from(9), 'lobby', { token });
    const lone = await arrive(from(10), 'lobby'); // a stranger who has one
    // Strangers of four networks: those who have been silent longest make room.
    const strangers = [];
    for (let i = 0; i < 129; i++)
        strangers.push(await arrive(from(1 + i % 4), 'lobby'));
    for (const stranger of strangers.slice(0, 11))
        await stranger.ended();
    assert.ok(strangers.slice(13).every((one) => !one.closed));
    assert.ok(await isWell());
    assert.equal(await figure(at, limited('places')), 12);
    assert.equal(await figure(at, 'endstation_websockets_limit'), 119);
    // Guests of three networks take their places, and stop at those who have fewer.
    const crowd = await guestsAt(from(5), 45);
    crowd.push(...await guestsAt(from(6, 1), 30), ...await guestsAt(from(6, 2), 15),
        ...await guestsAt(from(7), 45));
    await isHere(ada, lone);
    assert.ok(await isWell());
    // Whoever has few at an address gets in and stays, guest or not, also in a network with most.
    const few = [];
    for (const host of [8, 11, 12, 13])
        few.push(...await guestsAt(from(host), 2));
    assert.equal(few.length, 8);
    few.push(await arrive(from(6, 3), 'lobby'), await arrive(from(14), 'lobby'));
    for (let i = 0; i < 20; i++)
        for (const network of [5, 6, 7])
            crowd.push(await connect(from(network), '/ws/lobby'));
    await isHere(ada, lone, ...few);
    assert.ok(await isWell());
    [ada, lone, ...strangers, ...crowd, ...few].forEach((one) => one.destroy());
    while (await figure(at, 'endstation_websockets') > 0)
        await new Promise((resolve) => { setTimeout(resolve, 10); });
    // Where one address has all places, its guests do not drive each other out.
    const school = (await Promise.all([1, 2, 3].map((host) => guestsAt(from(15, host), 40))));
    const known = school.flat().filter((one) => !one.closed);
    for (let i = 0; i < 5; i++) {
        const { status, destroy } = await connect(from(15, 1), '/ws/lobby');
        assert.equal(status, 503);
        destroy();
    }
    await isHere(...known);
    known.forEach((one) => one.destroy());
    await stop(server);
}

// Thirty browsers at one address, with six connections each, load all files of the page.
async function testClass() {
    const server = await start('--data', 'memory', '--port', '0');
    const script = (await ask(server.at, '/sw.js')).text;
    const files = JSON.parse(/FILES = JSON\.parse\('(.*)'\)/.exec(script)[1]);
    await Promise.all(Array.from({ length: 30 }, async () => {
        const agent = new http.Agent({ keepAlive: true, maxSockets: 6 });
        for (const { status } of await Promise.all(files.map((file) =>
            ask(server.at, file, { agent }))))
            assert.equal(status, 200);
        agent.destroy();
    }));
    assert.equal(await figure(server.at, limited('http')), 0);
    await stop(server);
}

// ---- Who asks ---------------------------------------------------------------------------------

// Asks for several paths on one connection, one after the other or all at once. Resolves with all
// that is answered.
async function together(at, paths, waits, headers = '') {
    const socket = net.connect(typeof at === 'number' ? { port: at, host: '127.0.0.1' } : at);
    const requests = paths.map((path, i) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n` +
        `${headers}${i + 1 === paths.length ? 'Connection: close\r\n' : ''}\r\n`);
    let text = '';
    socket.write(waits ? requests.shift() : requests.join(''));
    for await (const data of socket) {
        text += data;
        if (waits && requests.length > 0 && text.endsWith('ok\n'))
            socket.write(requests.shift());
    }
    return text;
}

// Sends a request in pieces. They may still arrive together.
async function inPieces(at, pieces) {
    const socket = net.connect(typeof at === 'number' ? { port: at, host: '127.0.0.1' } : at);
    let text = '';
    socket.setNoDelay(true);
    socket.on('error', () => {}); // it may be hung up on before all is sent
    socket.on('data', (data) => { text += data; });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await closed;
    return text;
}

async function testProxies() {
    const plain = await start('--data', 'memory', '--port', '0');
    const proxied = await start('--data', 'memory', '--port', '0', '--trust-proxy',
        '--origin', 'https://play.example,https://other.example');
    const path = `${work}/socket`;
    const local = await start('--data', 'memory', '--listen', `unix:${path}`, '--log');
    assert.equal(local.at, path);
    assert.equal(fs.statSync(path).mode & 0o777, 0o660);

    for (const { at } of [plain, proxied, local]) {
        assert.equal((await ask(at, '/healthz')).status, 200);
        assert.equal((await ask(at, '/metrics')).status, 200);
        for (const headers of [{ 'X-Forwarded-For': '127.0.0.1' }, { Via: '1.1 x' },
            { Forwarded: 'for=127.0.0.1' }, { 'X-Real-IP': '127.0.0.1' }])
            assert.equal((await ask(at, '/metrics', { headers })).status, 404);
    }
    // Not by another name, which may be a proxy's that does not say so, nor in another spelling,
    // which a proxy may let through.
    const evil = { headers: { Host: 'evil.example' } };
    for (const { at } of [plain, proxied, local]) {
        assert.equal((await ask(at, '/metrics', evil)).status, 404);
        for (const path of ['//metrics', '/./metrics', '/api/rooms/../../metrics', '/%6detrics',
            '/x/%2e%2e/metrics', '/%2fmetrics', '/metrics/.', '/metrics/', '/metrics%20'])
            assert.ok([400, 404].includes((await ask(at, path)).status), path);
        // Also as the second request of a connection, alone or together with the first.
        const figures = 'endstation_build_info';
        for (const [texts, isGood] of [[['/healthz', '/metrics'], true],
            [['/healthz', '/x/../metrics'], false], [['/healthz', '//metrics'], false]]) {
            assert.equal((await together(at, texts, true)).includes(figures), isGood, texts);
            assert.ok(!(await together(at, texts, false)).includes(figures), texts);
        }
    }

    // Nor if lines among the headers could hide those of a proxy, or if these come in pieces.
    for (const { at } of [plain, proxied, local])
        for (const line of ['foo', ' foo: 1', 'X: 1']) {
            const headers = `${line}\r\nX-Forwarded-For: 1.2.3.4\r\n`;
            assert.match(await together(at, ['/metrics'], false, headers), /^HTTP\/1\.1 400 /);
            assert.match(await inPieces(at, ['GET /metrics HTTP/1.1\r\nHost: localhost\r\n',
                `Connection: close\r\n${headers}\r\n`]), /^HTTP\/1\.1 400 /, line);
        }

    // The cookie is for https only where a trusted proxy says that it was https.
    const https = { 'X-Forwarded-Proto': 'https' };
    for (const [{ at }, secure] of [[plain, false], [proxied, true], [local, true]]) {
        const [cookie] = (await post(at, '/api/guest', { name: 'Ada' }, https))
            .headers['set-cookie'];
        assert.equal(cookie.endsWith('; Secure'), secure);
    }

    // Other origins, where they are named.
    for (const [{ at }, origin, status] of [[plain, 'https://play.example', 403],
        [proxied, 'https://play.example', 101], [proxied, 'https://OTHER.example', 101],
        [proxied, 'http://play.example', 403], [proxied, 'https://elsewhere.example', 403]]) {
        const client = await connect(at, '/ws/lobby', { headers: { Origin: origin } });
        assert.equal(client.status, status, origin);
        client.destroy();
    }

    // 50 connections an address: the client's if the proxy is trusted, else the proxy's. Of IPv6
    // addresses the network counts.
    const crowd = async (at, address) => {
        const headers = { 'X-Forwarded-For': `198.51.100.7, ${address}` };
        const clients = await Promise.all(Array.from({ length: 50 }, () => enter(at, 'lobby',
            { headers })));
        for (const client of clients)
            await client.next('welcome');
        return { clients, more: async (other) => {
            const client = await enter(at, 'lobby', { headers: { 'X-Forwarded-For': other } });
            const first = await client.take().catch(() => undefined);
            client.destroy();
            return first ? JSON.parse(first).t : client.code;
        } };
    };
    for (const { at } of [proxied, local]) {
        const { clients, more } = await crowd(at, '203.0.113.1');
        assert.equal(await more('203.0.113.1'), 1013);
        assert.equal(await more('203.0.113.1, 203.0.113.2'), 'welcome');
        clients.forEach((client) => client.destroy());
        const wide = await crowd(at, '2001:db8:1:2::3');
        assert.equal(await wide.more('2001:db8:1:2:ffff::4'), 1013);
        assert.equal(await wide.more('2001:db8:1:3::3'), 'welcome');
        wide.clients.forEach((client) => client.destroy());
    }
    const { clients, more } = await crowd(plain.at, '203.0.113.1');
    assert.equal(await more('203.0.113.2'), 1013);
    clients.forEach((client) => client.destroy());

    await Promise.all([stop(plain), stop(proxied), stop(local)]);
    assert.ok(!fs.existsSync(path));
    const lines = local.log().trim().split('\n');
    assert.ok(lines.length >= 3);
    for (const line of lines)
        assert.match(line, /^time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z event=\w+/);
    assert.match(lines.at(-1), / event=end$/);
}

// ---- Whole games, restarts, backups -----------------------------------------------------------

function run(...args) {
    const { status, stdout, stderr } = spawnSync(program, args);
    return { status, out: stdout.toString(), err: stderr.toString() };
}

// Plays a room with two people to its end; at the middle the server is stopped and started again.
async function testGame() {
    const data = `${work}/data/below`;
    let server = await start('--data', data, '--port', '0');
    const people = [await guest(server.at, 'Ada'), await guest(server.at, 'Bo')];
    const { room } = await makeRoom(server.at, people[0].token);
    let seats = await Promise.all(people.map(({ token }) => arrive(server.at, room, { token })));
    await sit(seats[0], 1);
    await sit(seats[1], 2);
    seats[0].json({ t: 'start', key: 'start' });
    for (const seat of seats) {
        await seat.next('room', (message) => message.phase === 'words');
        seat.json({ t: 'word', word: seat.word.toString('hex') });
    }
    const decisions = [0, 0];
    // What a seat sees: the record, and whose turn it is.
    const follow = async (seat, good) => {
        for (;;) {
            const message = JSON.parse(await seat.take());
            if (message.t === 'view')
                seat.text = message.text;
            if (message.t === 'lines' && message.lines.length > 0)
                seat.text += `${message.lines.join('\n')}\n`;
            if (message.due)
                seat.due = message.due;
            if (message.t === 'record')
                seat.record = message.text;
            if (good(message))
                return message;
        }
    };
    await Promise.all(seats.map((seat) => follow(seat, () => seat.due)));
    let moves = 0;
    while (!seats[0].record) {
        const [due] = seats[0].due;
        const seat = seats[due - 1];
        fs.writeFileSync(`${work}/view`, seat.text);
        const [event] = run('moves', `${work}/view`).out.split('\n')
            .filter((line) => line.startsWith(`${due} `));
        const before = seats.map(({ text }) => text);
        seat.json({ t: 'move', decision: decisions[due - 1]++, event });
        await Promise.all(seats.map((one, i) => follow(one, () => one.record ||
            (one.text !== before[i] && one.due.length > 0 && one.due[0] !== due))));
        moves++;
        if (moves === 10) {
            if (!usesPostgres) {
                const refused = await start('--data', data, '--port', '0');
                assert.deepEqual(await refused.ended, { code: 1, signal: null });
                assert.match(refused.log(), /^endstation serve: .*\n$/);
            }
            await stop(server);
            for (const one of seats)
                assert.equal(await one.ended(), 1001);
            server = await start('--data', data, '--port', '0');
        }
        if (moves % 10 === 0 && !seats[0].record) { // also because of the limit of messages
            const old = seats;
            old.forEach((one) => one.destroy());
            seats = await Promise.all(people.map(({ token }) => enter(server.at, room, { token })));
            await Promise.all(seats.map((one) => follow(one, (message) => message.t === 'view')));
            seats.forEach((one, i) => assert.equal(one.text, old[i].text));
        }
    }
    assert.ok(moves > 50);
    assert.equal(seats[0].record, seats[1].record);
    fs.writeFileSync(`${work}/game.record`, seats[0].record);
    const verified = run('verify', `${work}/game.record`);
    assert.equal(verified.status, 0, verified.err + verified.out);
    assert.equal((await ask(server.at, `/api/rooms/${room}/record`)).text, seats[0].record);

    // The operator: backups beside the running server and without it, and what is in them.
    const backup = run('backup', '--data', data, `${work}/first.db`);
    if (usesPostgres)
        assert.match(backup.err, /pg_dump/);
    else
        assert.equal(backup.status, 0, backup.err);
    assert.equal(run('backup', '--data', data, `${work}/first.db`).status, 1);
    const { room: next } = await makeRoom(server.at, people[0].token, { key: 'next' });
    const listed = run('manage', '--data', data, 'people', next);
    // Not into a closed output or onto a full disk.
    for (const to of ['>&-', '>/dev/full'])
        assert.match(spawnSync('sh', ['-c', `"$@" ${to}; echo status $? >&2`, 'sh', program,
            'manage', '--data', data, 'people', next], { encoding: 'utf8' }).stderr,
        /cannot write to standard output.*\nstatus 1\n$/);
    assert.equal(listed.status, 0, listed.err);
    assert.equal(JSON.parse(listed.out).host, people[0].guest);
    const host = await enter(server.at, next, { token: people[0].token });
    await host.next('room');
    assert.equal(run('manage', '--data', data, 'close', next).status, 0);
    await host.next('room', (message) => message.phase === 'closed');
    assert.equal(run('manage', '--data', data, 'close', next).status, 1);
    assert.equal(run('manage', '--data', data, 'block', people[1].guest).status, 0);
    assert.equal(run('manage', '--data', data, 'nonsense', next).status, 2);
    const blocked = await enter(server.at, 'lobby', { token: people[1].token });
    assert.equal((await blocked.next('no')).code, 'BLOCKED');
    await stop(server);
    const copied = usesPostgres ? /(event=backup outcome=failed\n){2}/
        : /event=backup outcome=done\n/;
    const acts = [...Array(3).fill(`people room=${next} status=200`), // each look at people, and
        `close room=${next} status=200`, `close room=${next} status=404`,
        `block guest=${people[1].guest} status=200`]; // each act has a line, also without --log
    const log = server.log().replace(/time=\S+ /g, '');
    assert.equal(log.replace(copied, ''),
        acts.map((act) => `event=operator act=${act}\n`).join(''));
    assert.equal(run('manage', '--data', data, 'close', next).status, 1);
    if (usesPostgres)
        return;
    assert.equal(run('backup', '--data', data, `${work}/second.db`).status, 0);
    assert.deepEqual(fs.readdirSync(data).filter((name) => name.startsWith('backup')), []);
    fs.mkdirSync(`${work}/restored`);
    fs.copyFileSync(`${work}/first.db`, `${work}/restored/rooms.db`);
    server = await start('--data', `${work}/restored`, '--port', '0');
    assert.equal((await ask(server.at, `/api/rooms/${room}/record`)).text, seats[0].record);
    assert.equal((await ask(server.at, `/api/rooms/${next}`)).status, 404);
    await stop(server);
}

// The operator sees all people of a room, even if there are very many.
async function testCrowd() {
    const data = `${work}/crowd`;
    const server = await start('--data', data, '--port', '0', '--trust-proxy');
    const ada = await guest(server.at, 'Ada');
    const { room, code } = await makeRoom(server.at, ada.token, { open: false });
    const crowd = [];
    for (let i = 0; i < 120; i++) {
        const headers = { 'X-Forwarded-For': `10.0.0.${i}` };
        const { guest: id, token } = await guest(server.at, '☺'.repeat(60), headers);
        const client = await arrive(server.at, room, { token, code, headers });
        client.json({ t: 'chat', key: 'k', text: 'Hello' });
        await client.next('ok');
        client.destroy();
        crowd.push(id);
    }
    const listed = run('manage', '--data', data, 'people', room);
    assert.equal(listed.status, 0, listed.err);
    const { people } = JSON.parse(listed.out);
    assert.deepEqual(people.slice(1).map((person) => person.guest), crowd);
    await stop(server);
}

// What the operator's command says, in words and as JSON; lists in pieces; several reports at once.
async function testManage() {
    const data = `${work}/manage`;
    const server = await start('--data', data, '--port', '0', '--trust-proxy');
    const manage = (...args) => run('manage', '--data', data, ...args);
    const guests = [];
    for (let i = 0; i < 8; i++)
        guests.push(await guest(server.at, 'Ada', { 'X-Forwarded-For': `10.0.${i}.1` }));
    const [{ token }] = guests;
    const { room, code } = await makeRoom(server.at, token, { open: false });
    const inside = await arrive(server.at, room, { token, code });

    const said = (args, status, out, err) => {
        const answer = manage(...args);
        assert.equal(answer.status, status, answer.err);
        assert.equal(answer.out, out);
        assert.equal(answer.err, err);
    };
    const other = 'aaaaaaaaaaaaaaaa';
    said(['mute', guests[0].guest], 0, 'The guest is muted.\n', '');
    said(['unmute', guests[0].guest], 0, 'The guest is not muted any more.\n', '');
    said(['unmute', guests[0].guest], 1, '',
        'endstation manage: the guest is not blocked, or not muted\n');
    said(['mute', '--json', guests[0].guest], 0, '{}\n', '');
    said(['unblock', '--json', other], 1, '', 'endstation manage: {"code":"NOT_NOTED"}\n');
    said(['close', other], 1, '', 'endstation manage: there is no such room\n');
    said(['delete', room], 1, '', 'endstation manage: only rooms that cannot be read are ' +
        'deleted; this one can be closed\n');

    // Whoever goes on where a list ended sees everything once, however short the pieces are.
    for (const { guest: id } of guests.slice(1, 4)) assert.equal(manage('mute', id).status, 0);
    for (const { token: own, guest: id } of guests.slice(4, 7)) {
        const client = await arrive(server.at, 'lobby',
            { token: own, headers: { 'X-Forwarded-For': `10.0.9.${guests.length}` } });
        assert.equal(manage('block', id, '--address').status, 0);
        client.destroy();
    }
    let whole = []; // 3 blocks, 4 mutes, and the address, which is noted a moment later
    while (whole.length < 8) whole = manage('blocks').out.split('\n').filter(Boolean);
    for (let limit = 1; limit <= whole.length; limit++) {
        const pieces = [];
        for (let after = []; after;) {
            const { out, err } = manage('blocks', '--limit', String(limit), ...after);
            const lines = out.split('\n').filter(Boolean);
            assert.ok(lines.length <= limit);
            pieces.push(...lines);
            const hint = /^There may be more: (--after) (\S+)\n$/.exec(err);
            assert.equal(err, hint?.[0] ?? '');
            after = hint && hint.slice(1);
        }
        assert.deepEqual(pieces, whole);
    }
    assert.deepEqual([...new Set(manage('blocks', '--json').out.split('\n').filter(Boolean)
        .map((line) => JSON.parse(line).kind))], ['blocks', 'addresses', 'mutes']);

    // Reports.
    const bo = await arrive(server.at, room, { token: guests[7].token, code });
    for (let n = 1; n <= 4; n++) {
        bo.json({ t: 'chat', key: `k${n}`, text: `${n}` });
        await bo.next('ok');
        inside.json({ t: 'report', n });
        await inside.next('ok');
    }
    const reports = () => manage('reports', '--json').out.split('\n').filter(Boolean)
        .map((line) => JSON.parse(line).id);
    const [first, second] = reports();
    said(['done', first, second], 0, 'The report is deleted.\n'.repeat(2), '');
    said(['done', first], 1, '', 'endstation manage: there is no such report\n');
    assert.equal(manage('done', '--guest', guests[7].guest).status, 1); // has reported nothing
    assert.equal(reports().length, 2);
    said(['done', '--room', room], 0, 'The report is deleted.\n'.repeat(2), '');
    assert.equal(reports().length, 0);
    said(['close', room], 0, 'The room is closed.\n', '');
    said(['close', room], 1, '',
        'endstation manage: the game is over, or the room was closed before\n');
    await stop(server);
}

// By default the data are where the XDG rules say.
async function testFolder() {
    for (const [variables, folder] of [[{ XDG_DATA_HOME: `${work}/xdg` }, 'xdg/endstation'],
        [{ XDG_DATA_HOME: '', HOME: `${work}/home` }, 'home/.local/share/endstation']]) {
        const saved = { ...process.env };
        Object.assign(process.env, variables);
        const server = await start('--port', '0');
        Object.assign(process.env, saved);
        await guest(server.at, 'Ada');
        await stop(server);
        assert.equal(fs.statSync(`${work}/${folder}`).mode & 0o777, 0o700);
        assert.ok(fs.existsSync(`${work}/${folder}/rooms.db`));
    }
}

// These are about one process: its sockets, and its folder of data.
const alone = [testTooManyConnections, testTooManyConnectionsOfANetwork, testSilentConnections,
    testMostMakeRoom, testProxies, testManage, testFolder];

await runTests([testRequests, testLimits, testTooManyRequests, testCosts, testTooManyConnections,
    testTooManyConnectionsOfANetwork, testSilentConnections, testMostMakeRoom, testClass,
    testProxies, testGame, testCrowd, testManage, testFolder]
    .filter((test) => !usesCluster || !alone.includes(test)));
