// Runs the examples of docs/operating.md for nginx, for one process and for several, in front of a
// server on a Unix socket: proxy.mjs PROGRAM. Of the examples only the port, the paths and the
// limit of connections are changed; all processes are the same one here (cluster.mjs has several).
// Without nginx, or openssl for a certificate, the test is skipped.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { ask, enter, guest, launch, makeRoom, post, start, stop, work } from './serving.mjs';
import { connect } from './websocket.mjs';

const here = new URL('.', import.meta.url).pathname;
const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx',
    `${here}../build/nginx/usr/sbin/nginx`].find((path) => fs.existsSync(path));

function skip(reason) {
    console.log(`proxy: skipped: ${reason}`);
    process.exit(77);
}
if (!nginx || spawnSync(nginx, ['-v']).status !== 0)
    skip('nginx is not installed');
if (spawnSync('openssl', ['version']).status !== 0)
    skip('openssl is not installed');

const most = 60; // connections of an address

// An example, with its port and its paths replaced; each of them has to be there.
function example(text, port, socket, certificate, key) {
    const [first, ...others] = text.match(/unix:\/run\/endstation[-0-9]*\/socket/g);
    assert.ok(others.length === 0 || others.length === 5, 'one socket, or three twice');
    return [
        ['listen 443 ', `listen 127.0.0.1:${port} `],
        ['# ssl_certificate and ssl_certificate_key',
            `ssl_certificate ${certificate}; ssl_certificate_key ${key};`],
        ['limit_conn endstation 500;', `limit_conn endstation ${most};`],
    ].reduce((made, [from, to]) => {
        assert.equal(made.split(from).length, 2, `the example has '${from}' once`);
        return made.replace(from, to);
    }, [first, ...others].reduce((made, from) => made.replace(from, `unix:${socket}`), text));
}

async function freePort() {
    const server = net.createServer();
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const { port } = server.address();
    await new Promise((resolve) => { server.close(resolve); });
    return port;
}

const socket = `${work}/socket`;
const certificate = `${work}/certificate.pem`;
const key = `${work}/key.pem`;
const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2',
    '-subj', '/CN=play.example', '-addext', 'subjectAltName=DNS:play.example', '-keyout', key,
    '-out', certificate]);
assert.equal(made.status, 0, String(made.stderr));

// Writes what is around an example: an ordinary process that keeps everything in the test's folder.
function configure(text) {
    fs.writeFileSync(`${work}/nginx.conf`, `${process.getuid() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${work}/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
    access_log off;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) =>
        `${name}_temp_path ${work}/${name};`).join('\n    ')}
${text}
}
`);
}

async function testExample(text) {
    const port = await freePort();
    configure(example(text, port, socket, certificate, key));
    const server = await start('--data', 'memory', '--listen', `unix:${socket}`);
    const proxy = launch(nginx, ['-e', 'stderr', '-p', work, '-c', `${work}/nginx.conf`]);

    const from = (localAddress) => ({ host: '127.0.0.1', port, localAddress, tls: true,
        servername: 'play.example', ca: fs.readFileSync(certificate) });
    const at = from('127.0.0.1');
    const host = { Host: 'play.example' };
    const own = { ...host, Origin: 'https://play.example' };
    for (;;) { // until it listens
        const answer = await ask(at, '/healthz', { headers: host }).catch(() => undefined);
        if (answer?.status === 200)
            break;
        assert.ok(!answer && proxy.child.exitCode === null, `${answer?.text}${proxy.log()}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }

    // The page, with its headers, and compressed as the program has it.
    const page = await ask(at, '/', { headers: host });
    assert.equal(page.status, 200);
    assert.match(page.text, /<html/);
    const direct = await ask(socket, '/', { headers: host });
    assert.equal(page.text, direct.text);
    for (const name of ['content-type', 'cache-control', 'content-security-policy',
        'referrer-policy', 'x-content-type-options', 'cross-origin-opener-policy',
        'cross-origin-resource-policy', 'permissions-policy']) {
        assert.ok(page.headers[name], name);
        assert.equal(page.headers[name], direct.headers[name], name);
    }
    const small = await ask(at, '/', { headers: { ...host, 'Accept-Encoding': 'gzip, br' } });
    assert.equal(small.headers['content-encoding'], 'br');
    assert.equal(small.headers.etag.startsWith('W/'), false);
    const again = await ask(at, '/', { headers: { ...host, 'Accept-Encoding': 'gzip, br',
        'If-None-Match': small.headers.etag } });
    assert.equal(again.status, 304);

    // The figures are for this machine only, and here everybody comes through the proxy.
    assert.equal((await ask(at, '/metrics', { headers: host })).status, 404);

    // A guest's cookie is for https; requests of other pages are refused.
    const ada = await post(at, '/api/guest', { name: 'Ada' }, own);
    assert.equal(ada.status, 200, ada.text);
    assert.ok(ada.headers['set-cookie'][0].endsWith('; Secure'));
    const evil = { ...host, Origin: 'https://evil.example' };
    assert.equal((await post(at, '/api/guest', { name: 'Eve' }, evil)).status, 403);
    for (const [headers, status] of [[own, 101], [evil, 403]]) {
        const client = await connect(at, '/ws/lobby', { headers });
        assert.equal(client.status, status);
        client.destroy();
    }

    // The largest sheet passes the proxy, and is refused by the server, because it is none.
    const sheet = (size) => ask(at, '/api/map', { method: 'POST',
        headers: { ...own, 'Content-Type': 'text/plain' }, body: 'x'.repeat(size) });
    assert.equal((await sheet(65536)).status, 400);
    assert.equal((await sheet(65537)).status, 413);

    // A room: made, entered with the cookie, and a message in it answered to both who are there.
    const { token } = ada.json();
    const { room, code } = await makeRoom(at, token, { open: false });
    const bo = await guest(at, 'Bo', own);
    const seats = await Promise.all([
        enter(at, room, { headers: { ...own, Cookie: `endstation=${token}` } }),
        enter(at, room, { token: bo.token, code, headers: own })]);
    for (const seat of seats)
        await seat.next('room');
    seats[0].json({ t: 'chat', key: 'chat', text: 'Guten Tag' });
    await seats[0].next('ok');
    for (const seat of seats)
        await seat.next('chat', (message) => JSON.stringify(message).includes('Guten Tag'));

    // Fifty connections an address, which is the client's as the proxy sees it, whatever it claims.
    // The one too many has said hello before it hears that.
    const first = async (client) => {
        const message = await client.take().catch(() => undefined);
        client.destroy();
        return message ? JSON.parse(message).t : client.code;
    };
    const crowd = await Promise.all(Array.from({ length: 48 }, () => enter(at, 'lobby',
        { headers: own })));
    for (const client of crowd)
        await client.next('welcome');
    for (const claimed of [undefined, '203.0.113.9', '127.0.0.2'])
        assert.equal(await first(await enter(at, 'lobby', { headers: { ...own,
            'X-Forwarded-For': claimed } })), 1013);
    assert.equal(await first(await enter(from('127.0.0.2'), 'lobby', { headers: own })), 'welcome');
    crowd.forEach((client) => client.destroy());

    // Nor has an address more than a number of requests at a time, also such as do not come to
    // their end; others are not refused for it. (Some more than that: those that come while one of
    // ours below is the last that is allowed are refused.)
    const half = Array.from({ length: most + 50 }, () => {
        const client = tls.connect(from('127.0.0.3'));
        client.on('error', () => {});
        client.write('POST /api/guest HTTP/1.1\r\nHost: play.example\r\n' +
            'Content-Length: 9\r\n\r\nhalf');
        return client;
    });
    const status = async (address) =>
        (await ask(from(address), '/healthz', { headers: host })).status;
    while (await status('127.0.0.3') !== 429) // until it has read enough
        await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await status('127.0.0.2'), 200);
    half.forEach((client) => client.destroy());

    // The end of the server is told through the proxy.
    await stop(server);
    for (const seat of seats)
        assert.equal(await seat.ended(), 1001);
    proxy.child.kill('SIGQUIT');
    assert.deepEqual(await proxy.ended, { code: 0, signal: null }, proxy.log());
    assert.equal(proxy.log().split('\n').filter((line) => /\[(emerg|alert|crit)\]/.test(line))
        .join('\n'), '');
}

// The figures for Prometheus are there for this machine, by the example for that.
async function testFigures(text) {
    const port = await freePort();
    const made = text.replace('127.0.0.1:9113', `127.0.0.1:${port}`)
        .replace('unix:/run/endstation/socket', `unix:${socket}`);
    assert.ok(made.includes(`unix:${socket}:/metrics`));
    configure(made);
    const server = await start('--data', 'memory', '--listen', `unix:${socket}`);
    const proxy = launch(nginx, ['-e', 'stderr', '-p', work, '-c', `${work}/nginx.conf`]);
    let answer;
    while (!answer) { // until it listens
        answer = await ask(port, '/metrics').catch(() => undefined);
        assert.ok(answer || proxy.child.exitCode === null, proxy.log());
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(answer.status, 200);
    assert.match(answer.text, /^endstation_websockets 0$/m);
    assert.equal((await ask(port, '/')).status, 404);
    await stop(server);
    proxy.child.kill('SIGQUIT');
    await proxy.ended;
}

const document = fs.readFileSync(`${here}../docs/operating.md`, 'utf8');
const examples = [...document.matchAll(/\n```nginx\n([^]*?)\n```\n/g)].map(([, text]) => text);
assert.equal(examples.length, 2);
for (const text of examples)
    await testExample(text);
await testFigures(/\n```nginx metrics\n([^]*?)\n```\n/.exec(document)[1]);
process.exit();
