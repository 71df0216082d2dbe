// How the server answers good and bad requests: serve.mjs PROGRAM FOLDER. Called by serve.sh.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { dirname } from 'node:path';
import zlib from 'node:zlib';

const [program, work] = process.argv.slice(2);
// The page that is embedded in the program: web/ itself in build trees that make no page.
const built = `${dirname(program)}/page`;
const folder = fs.existsSync(built) ? built : '../web';
const running = new Set();
// Milliseconds; only failing tests wait this long. ES_PATIENCE multiplies it on a busy machine.
const PATIENCE = 10000 * (Number(process.env.ES_PATIENCE) || 1);

// Starts a server; `line` is what it prints first.
async function start(...args) {
    const env = { ...process.env, PATH: `${work}/bin:${process.env.PATH}` };
    const child = spawn(program, ['serve', '--data', 'memory', ...args],
        { stdio: ['ignore', 'pipe', 'pipe'], env });
    running.add(child);
    let said = '';
    let complaints = '';
    child.stderr.on('data', (data) => { complaints += data; });
    const ended = new Promise((resolve) => {
        child.on('close', (code, signal) => { // when all of its output has been read
            running.delete(child);
            resolve({ code, signal });
        });
    });
    const line = await new Promise((resolve) => {
        child.stdout.on('data', (data) => {
            said += data;
            if (said.includes('\n'))
                resolve(said);
        });
        ended.then(() => resolve(said));
    });
    const port = Number(/^Endstation is at http:\/\/[^ ,]*:(\d+)[,\n]/.exec(line)?.[1]);
    return { child, port, line, ended, complaints: () => complaints };
}

// Stops a server, which must end with status 0, silently, before PATIENCE is over.
async function stop(server, signal = 'SIGTERM') {
    const before = Date.now();
    server.child.kill(signal);
    const { code } = await server.ended;
    assert.equal(code, 0, `it ends well: ${server.complaints()}`);
    assert.equal(server.complaints(), '');
    assert.ok(Date.now() - before < PATIENCE, 'it does not end');
}

// Whether a whole answer has arrived.
function whole(bytes) {
    const split = bytes.indexOf('\r\n\r\n');
    const head = bytes.subarray(0, split + 2).toString('latin1');
    const size = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    return split > 0 && bytes.length >= split + 4 + size;
}

// Sends bytes and returns what comes back until the server hangs up, enough has arrived, or nothing
// more arrives for a while.
function talk(port, bytes,
    { quiet = PATIENCE, host = '127.0.0.1', end = false, enough = () => false } = {}) {
    return new Promise((resolve) => {
        const parts = [];
        let timer;
        const socket = net.connect(port, host);
        const finish = (closed) => {
            clearTimeout(timer);
            socket.destroy();
            resolve({ bytes: Buffer.concat(parts), closed });
        };
        socket.on('connect', () => {
            if (bytes.length > 0)
                socket.write(bytes);
            if (end)
                socket.end();
            timer = setTimeout(finish, quiet, false);
        });
        socket.on('data', (data) => {
            parts.push(data);
            clearTimeout(timer);
            timer = setTimeout(finish, quiet, false);
            if (enough(Buffer.concat(parts)))
                finish(false);
        });
        socket.on('error', () => finish(true));
        socket.on('close', () => finish(true));
    });
}

// Takes one answer from the front of what has arrived.
function take(bytes, method = 'GET') {
    const split = bytes.indexOf('\r\n\r\n');
    assert.ok(split > 0, `no answer: '${bytes.subarray(0, 200)}'`);
    const [first, ...lines] = bytes.subarray(0, split).toString('latin1').split('\r\n');
    const headers = {};
    for (const line of lines) {
        const [, name, value] = /^([^:]+): *(.*)$/.exec(line);
        assert.ok(!(name.toLowerCase() in headers), `${name} twice`);
        headers[name.toLowerCase()] = value;
    }
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
    const size = method === 'HEAD' || status === 304 ? 0 : Number(headers['content-length'] ?? 0);
    const body = bytes.subarray(split + 4, split + 4 + size);
    assert.equal(body.length, size, `${first}: not all of it came`);
    return { status, headers, body, rest: bytes.subarray(split + 4 + size) };
}

// One request on a connection of its own.
async function ask(port, path, headers = {}, method = 'GET') {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const { bytes } = await talk(port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n` +
        `Connection: close\r\n${lines}\r\n`);
    const answer = take(bytes, method);
    assert.equal(answer.rest.length, 0, `${method} ${path}: more than was asked for`);
    checkHeaders(answer, `${method} ${path}`);
    return answer;
}

// Checks what every answer must have.
function checkHeaders(answer, what) {
    const policy = answer.headers['content-security-policy'] ?? '';
    for (const part of ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'", "img-src 'self' data: blob:", "connect-src 'self'",
        "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'"])
        assert.ok(policy.split('; ').includes(part), `${what}: ${part}`);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', what);
    assert.equal(answer.headers['referrer-policy'], 'no-referrer', what);
    assert.equal(answer.headers['cross-origin-opener-policy'], 'same-origin', what);
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin', what);
    assert.match(answer.headers['permissions-policy'] ?? '', /camera=\(\)/, what);
}

// The files of a folder and of those in it, by their paths.
function filesOf(folder, path = '') {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory()
        ? filesOf(`${folder}/${entry.name}`, `${path}${entry.name}/`) : `${path}${entry.name}`));
}

function decode(answer) {
    switch (answer.headers['content-encoding']) {
    case 'br': return zlib.brotliDecompressSync(answer.body);
    case 'gzip': return zlib.gunzipSync(answer.body);
    default: return answer.body;
    }
}

async function version(port) {
    const { body } = await ask(port, '/');
    return /<meta name="version" content="([^"]+)">/.exec(body.toString())[1];
}

const tests = {
    async 'the page'(port) {
        const page = await ask(port, '/');
        assert.equal(page.status, 200);
        assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
        assert.equal(page.headers['cache-control'], 'no-cache');
        assert.equal(page.headers.vary, 'accept-encoding');
        assert.match(page.headers.etag, /^"[0-9a-f]+"$/);
        assert.match(await version(port), /^[0-9a-f]{16}$/);
        assert.ok(!page.body.includes('@VERSION@'));
        assert.equal((await ask(port, '/?from=home')).status, 200);
    },

    async 'every file of it, in every encoding'(port) {
        const root = `/v/${await version(port)}`;
        const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8',
            svg: 'image/svg+xml', png: 'image/png', webmanifest: 'application/manifest+json',
            json: 'application/json', wasm: 'application/wasm',
            records: 'text/plain; charset=utf-8' };
        const script = (await ask(port, '/sw.js')).body.toString();
        const [first, ...addresses] = JSON.parse(/FILES = JSON\.parse\('(.*)'\)/.exec(script)[1]);
        assert.equal(first, '/');
        const names = addresses.map((address) => address.slice(root.length + 1));
        assert.deepEqual([...names, 'index.html', 'sw.js'].sort(), filesOf(folder)
            .filter((name) => !/^games\/(depot|null)\b/.test(name)).sort()); // for tests only
        for (const name of names) {
            const wanted = fs.readFileSync(`${folder}/${name}`);
            for (const accept of ['br', 'gzip', '']) {
                const answer = await ask(port, `${root}/${name}`,
                    accept ? { 'Accept-Encoding': accept } : {});
                assert.equal(answer.status, 200, name);
                assert.equal(answer.headers['content-type'], types[name.split('.').pop()], name);
                assert.equal(answer.headers['cache-control'],
                    'public, max-age=31536000, immutable');
                const encoding = answer.headers['content-encoding'] ?? '';
                if (encoding !== accept) // it saves too little
                    assert.ok(encoding === '' && zlib.gzipSync(wanted).length >=
                        0.9 * wanted.length, `${name}, ${accept}`);
                assert.ok(decode(answer).equals(wanted), `${name}, ${accept}`);
            }
        }
    },

    async 'encodings as they are wanted'(port) {
        for (const [accept, encoding] of [['gzip, deflate, br, zstd', 'br'], ['gzip;q=1', 'gzip'],
            ['*', 'br'], ['br;q=0, gzip', 'gzip'], ['identity', undefined],
            ['gzip;q=0, br;q=0.0', undefined], [`${'x'.repeat(3000)}, br`, undefined]]) {
            const answer = await ask(port, '/', { 'Accept-Encoding': accept });
            assert.equal(answer.headers['content-encoding'], encoding, accept);
        }
    },

    async 'what is kept is not sent again'(port) {
        for (const accept of ['br', 'gzip', 'identity']) {
            const first = await ask(port, '/', { 'Accept-Encoding': accept });
            const tag = first.headers.etag;
            for (const none of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
                const answer = await ask(port, '/',
                    { 'Accept-Encoding': accept, 'If-None-Match': none });
                assert.equal(answer.status, 304, none);
                assert.equal(answer.headers.etag, tag);
                assert.equal(answer.headers['cache-control'], 'no-cache');
            }
            const other = await ask(port, '/', { 'Accept-Encoding': accept,
                'If-None-Match': '"other"' });
            assert.equal(other.status, 200);
        }
    },

    async 'HEAD says the same and sends nothing'(port) {
        const app = `/v/${await version(port)}/app/app.js`;
        for (const path of ['/', app, '/nowhere']) {
            const get = await ask(port, path);
            const head = await ask(port, path, {}, 'HEAD');
            assert.equal(head.status, get.status);
            assert.deepEqual(head.headers, get.headers);
        }
    },

    async 'what is not there, and what is not done'(port) {
        const root = `/v/${await version(port)}`;
        for (const path of ['/nowhere', '/index.html', '/v/0000000000000000/app/app.js', `${root}/`,
            root, `${root}/index.html`, '/v/dev/app/app.js', '/error.css', '/n%C3%B6', '/n%20o']) {
            const answer = await ask(port, path);
            assert.equal(answer.status, 404, path);
            assert.match(answer.body.toString(), /<!doctype html>/);
            assert.equal(answer.headers['cache-control'], 'no-store');
        }
        for (const path of ['/%2e%2e/%2e%2e/etc/passwd', '/../../etc/passwd', '//', '/./',
            `${root}/../../../etc/passwd`, `${root}/app/..%2fapp.js`, `/${root}/app/app.js`])
            assert.equal((await ask(port, path)).status, 400, path);
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'BREW', 'PROPFIND']) {
            const answer = await ask(port, '/', {}, method);
            assert.equal(answer.status, 405, method);
            assert.equal(answer.headers.allow, 'GET, HEAD');
        }
    },

    async 'many requests on one connection'(port) {
        const root = `/v/${await version(port)}`;
        const paths = ['/', `${root}/icon-512.png`, '/nowhere', `${root}/app/style.css`,
            `${root}/app/app.js`];
        const one = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
        const last = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
        let { bytes } = await talk(port, paths.map(one).join('').repeat(3) + last);
        for (const path of [...paths, ...paths, ...paths, '/']) {
            const answer = take(bytes);
            assert.equal(answer.status, path === '/nowhere' ? 404 : 200, path);
            checkHeaders(answer, path);
            bytes = answer.rest;
        }
        assert.equal(bytes.length, 0);
    },

    async 'localhost is both of its addresses'(port) {
        if (!fs.existsSync('/proc/net/if_inet6') ||
            !fs.readFileSync('/proc/net/if_inet6', 'utf8').includes(' lo'))
            return;
        const { bytes } = await talk(port, 'GET / HTTP/1.0\r\n\r\n',
            { host: '::1', enough: whole });
        assert.equal(take(bytes).status, 200);
    },

    async 'nonsense'(port) {
        const host = 'Host: localhost\r\n';
        const bad = [ // what comes, and what may be answered; 0: nothing, the server hangs up
            [`GET /${'a'.repeat(2000)} HTTP/1.1\r\n${host}\r\n`, 414],
            [`GET /${'a'.repeat(15000)} HTTP/1.1\r\n${host}\r\n`, 414],
            [`GET /${'a'.repeat(200000)} HTTP/1.1\r\n${host}\r\n`, 0],
            [`GET / HTTP/1.1\r\n${host}Y: ${'a'.repeat(200000)}\r\n\r\n`, 0],
            [`GET / HTTP/1.1\r\n${host}${'B: b\r\n'.repeat(20000)}\r\n`, 0],
            [`GET / HTTP/1.1\r\n${'Cookie: a=b\r\n'.repeat(2000)}\r\n`, 0],
            ['GET /%00 HTTP/1.1\r\n\r\n', 400],
            ['GET /a%00b HTTP/1.1\r\n\r\n', 400],
            ['GET /%zz HTTP/1.1\r\n\r\n', 400],
            ['GET /% HTTP/1.1\r\n\r\n', 400],
            ['GET /a&b HTTP/1.1\r\n\r\n', 400, 404],
            ['GET http://elsewhere/ HTTP/1.1\r\n\r\n', 400],
            ['GET * HTTP/1.1\r\n\r\n', 400],
            ['CONNECT localhost:80 HTTP/1.1\r\n\r\n', 400, 405],
            ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
            ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
            ['\0\0\0\0', 400],
            ['\r\n\r\n', 400, 0],
            [': :\r\n\r\n', 400, 0],
            ['get / http/1.1\r\n\r\n', 200, 400, 405],
            ['GET / HTTP/9.9\r\n\r\n', 400],
            [`POST / HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`, 405],
            [`POST / HTTP/1.1\r\n${host}Content-Length: 99999999999999999999\r\n\r\n`, 405],
            [`POST / HTTP/1.1\r\n${host}Content-Length: -5\r\n\r\n`, 405],
            [`GET / HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`, 413],
            [`GET / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
                413],
            [`GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: h2c\r\n` +
                'HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n', 404],
            [`GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
                'Sec-WebSocket-Version: 13\r\n' +
                'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n', 404],
            [`GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: teapot\r\n\r\n`, 403],
        ];
        await Promise.all(bad.map(async ([bytes, ...allowed]) => {
            const what = JSON.stringify(bytes.slice(0, 60));
            const got = await talk(port, Buffer.from(bytes, 'latin1'), { enough: whole });
            if (got.bytes.length === 0) {
                assert.ok(allowed.includes(0), `${what}: no answer`);
                assert.ok(got.closed, `${what}: left hanging`);
                return;
            }
            const answer = take(got.bytes);
            assert.ok(allowed.includes(answer.status), `${what}: ${answer.status}`);
            checkHeaders(answer, what);
        }));
        // Half of a request, then nothing, or the end of input.
        const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\n\r\n';
        await Promise.all([...request].map((_, i) =>
            talk(port, request.slice(0, i), { quiet: 50, end: i % 2 === 0 })));
        // A request in single bytes is a request.
        const socket = net.connect(port, '127.0.0.1');
        socket.setNoDelay();
        const came = new Promise((resolve) => socket.once('data', resolve));
        for (const byte of request) {
            socket.write(byte);
            await new Promise(setImmediate);
        }
        assert.equal(take(await came).status, 200);
        socket.destroy();
    },

    // Requests with bytes changed, dropped and doubled, the same in every run.
    async 'damaged requests'(port) {
        let seed = 1;
        const random = (n) => {
            seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
            return (seed >>> 8) % n;
        };
        const good = Buffer.from('GET /v/x/app.js?a=b&c HTTP/1.1\r\nHost: localhost:80\r\n' +
            'Accept: */*\r\nAccept-Encoding: gzip, br\r\nIf-None-Match: "abc", W/"def"\r\n' +
            'Cookie: a=b; c=d\r\nConnection: keep-alive\r\nX-Own: 1\r\nContent-Length: 0\r\n\r\n');
        for (let round = 0; round < 20; round++) {
            await Promise.all(Array.from({ length: 25 }, () => {
                const bytes = Buffer.concat([good, good]);
                for (let i = random(12); i >= 0; i--)
                    bytes[random(bytes.length)] = random(4)
                        ? '\r\n :;,&%/.?='.charCodeAt(random(12)) : random(256);
                const from = random(bytes.length);
                return talk(port, random(3) ? bytes : Buffer.concat([bytes, bytes.subarray(from)]),
                    { quiet: 20, end: random(2) === 0 });
            }));
        }
        assert.equal((await ask(port, '/')).status, 200);
    },
};

async function testFolder() {
    const web = `${work}/web`;
    fs.mkdirSync(web);
    fs.writeFileSync(`${web}/index.html`, '<p>@VERSION@ @FILES@');
    const large = Buffer.alloc(6 << 20);
    for (let i = 0; i < large.length; i += 4)
        large.writeUInt32LE(i, i);
    fs.writeFileSync(`${web}/large.wasm`, large);
    fs.symlinkSync('/etc/passwd', `${web}/out.txt`);
    const server = await start('--port', '0', '--web', web);
    const page = await ask(server.port, '/');
    assert.equal(page.body.toString(), '<p>dev []');
    assert.equal(page.headers['cache-control'], 'no-cache');
    fs.writeFileSync(`${web}/index.html`, 'changed');
    assert.equal((await ask(server.port, '/')).body.toString(), 'changed');
    for (const path of ['/v/dev/out.txt', '/sw.js', '/v/x/app.js'])
        assert.equal((await ask(server.port, path)).status, 404, path);
    assert.equal((await ask(server.port, '/v/dev/..%2f..%2fetc/passwd')).status, 400);
    // Files that the folder lacks come from the program.
    const app = await ask(server.port, '/v/dev/app/app.js');
    assert.ok(app.body.equals(fs.readFileSync(`${folder}/app/app.js`)));
    assert.equal(app.headers['cache-control'], 'no-cache');
    // Large answers arrive whole: to many clients at once, to a slow one, and while another leaves.
    const answers = await Promise.all(Array.from({ length: 8 }, () =>
        ask(server.port, '/v/dev/large.wasm')));
    for (const answer of answers)
        assert.ok(answer.body.equals(large));
    const request = 'GET /v/dev/large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (let i = 0; i < 20; i++) {
        const leaves = net.connect(server.port, '127.0.0.1', () => leaves.write(request));
        leaves.once('data', () => leaves.destroy());
        leaves.on('error', () => {});
    }
    const slow = net.connect(server.port, '127.0.0.1');
    slow.write(request + request);
    const parts = [];
    let size = 0;
    for await (const part of slow) {
        parts.push(part);
        size += part.length;
        if (parts.length < 20)
            await new Promise((resolve) => setTimeout(resolve, 10));
        if (size >= 2 * (parts[0].indexOf('\r\n\r\n') + 4 + large.length))
            break;
    }
    const first = take(Buffer.concat(parts));
    assert.ok(first.body.equals(large));
    const second = take(first.rest);
    assert.ok(second.body.equals(large));
    assert.equal(second.rest.length, 0);
    await stop(server, 'SIGINT');
}

// Occupies a port: a server that sends `answer` to every client and hangs up.
async function occupy(port, answer) {
    const server = net.createServer((socket) => {
        socket.on('error', () => {});
        socket.resume();
        socket.end(answer);
    });
    await new Promise((resolve, reject) => {
        server.on('error', reject);
        server.listen(port, '127.0.0.1', resolve);
    });
    return server;
}

// A port that is taken: browsers keep games by port, so the server never moves to another one.
async function testPorts() {
    const one = await start('--port', '0');
    const again = await start('--port', String(one.port));
    assert.deepEqual(await again.ended, { code: 0, signal: null });
    assert.equal(again.line, `Endstation is already running at http://localhost:${one.port}, ` +
        'and your games are there\n');
    assert.equal(again.complaints(), '');
    const refusal = `endstation serve: port ${one.port} is in use by another program; stop it, ` +
        'or choose a port with --port N and keep to it, because browsers keep games separately ' +
        'for each port\n';
    // With other files or another address, the running server would be the wrong one.
    for (const options of [['--web', '../web'], ['--address', '127.0.0.1']]) {
        const other = await start('--port', String(one.port), ...options);
        assert.deepEqual(await other.ended, { code: 1, signal: null });
        assert.equal(other.line, '');
        assert.equal(other.complaints(), refusal);
    }
    const port = one.port;
    await stop(one);

    // Other programs, and other versions of this one.
    const ours = 'HTTP/1.1 200 OK\r\nserver: endstation\r\n';
    for (const [answer, complaint] of [
        ['', refusal],
        ['\0'.repeat(200000), refusal],
        ['SSH-2.0-x\r\n', refusal],
        ['HTTP/1.1 200 OK\r\nserver: x\r\netag: "1"\r\n\r\n', refusal],
        ['HTTP/1.1 404 Not Found\r\nserver: endstation\r\n\r\n', refusal],
        [`${ours}etag: "1"\r\n\r\n`, /^endstation serve: another version of Endstation is running/],
        [`${ours}etag: ${'1'.repeat(1000)}\r\n\r\n`, /^endstation serve: another version/],
        [`${ours}\r\n`, /^endstation serve: another version/],
    ]) {
        const server = await occupy(port, answer);
        const late = await start('--port', String(port));
        assert.deepEqual(await late.ended, { code: 1, signal: null }, answer.slice(0, 60));
        assert.equal(late.line, '');
        if (complaint instanceof RegExp)
            assert.match(late.complaints(), complaint);
        else
            assert.equal(late.complaints(), complaint);
        await new Promise((resolve) => server.close(resolve));
    }

    // Without --port it is 8080 or nothing. Another program may have that port, so the message
    // varies, but it is always about port 8080.
    const taken = await occupy(8080, '').catch(() => null);
    const usual = await start('--no-open');
    if (usual.port === 8080)
        await stop(usual);
    else
        assert.match(usual.line + usual.complaints(), /\bport 8080 is in use|localhost:8080\b/);
    assert.ok(!taken || !usual.port, usual.line);
    taken?.close();

    const everywhere = await start('--address', '0.0.0.0', '--port', '0');
    assert.match(everywhere.line, /^Endstation is at http:\/\/localhost:/);
    await stop(everywhere);
}

// The browser is opened with the page, and neither program waits for the other.
async function testBrowser() {
    fs.mkdirSync(`${work}/bin`);
    fs.writeFileSync(`${work}/bin/xdg-open`, `#!/bin/sh\necho "$*" >"${work}/opened.new"\n` +
        `mv "${work}/opened.new" "${work}/opened"\nexec sleep 15\n`, { mode: 0o755 });
    const opened = async (port) => {
        for (const from = Date.now(); !fs.existsSync(`${work}/opened`);) {
            assert.ok(Date.now() - from < PATIENCE, 'nothing is shown');
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
        assert.equal(fs.readFileSync(`${work}/opened`, 'utf8'), `http://localhost:${port}\n`);
        fs.rmSync(`${work}/opened`);
    };
    const server = await start('--port', '0', '--open');
    await opened(server.port);
    const second = await start('--port', String(server.port), '--open');
    assert.equal((await second.ended).code, 0);
    await opened(server.port);
    assert.equal((await ask(server.port, '/')).status, 200);
    const children = fs.readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/children`);
    assert.equal(children.length, 0, 'a child is left');
    await stop(server);
    await stop(await start('--port', '0')); // no terminal, no browser
    assert.ok(!fs.existsSync(`${work}/opened`));
}

// With thousands of clients, silent or in the middle of a request, the server still stops at once.
async function testCrowd() {
    const server = await start('--port', '0', '--limits', 'http=3000');
    const sockets = [];
    for (let i = 0; i < 2000; i++) {
        sockets.push(new Promise((resolve, reject) => {
            const socket = net.connect(server.port, '127.0.0.1', () => {
                if (i % 4 === 1)
                    socket.write('GET / HTT');
                if (i % 4 === 2)
                    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
                resolve(socket);
            });
            socket.on('error', reject);
        }));
    }
    const all = await Promise.all(sockets);
    for (const socket of all) {
        socket.removeAllListeners('error');
        socket.on('error', () => {});
    }
    assert.equal((await ask(server.port, '/')).status, 200);
    await stop(server);
    for (const socket of all)
        socket.destroy();
}

process.on('exit', () => {
    for (const child of running)
        child.kill('SIGKILL');
});
const server = await start('--port', '0');
for (const [name, test] of Object.entries(tests)) {
    try {
        await test(server.port);
    } catch (error) {
        console.log(`${name}: ${error.message}\n${error.stack}`);
        process.exitCode = 1;
    }
}
await stop(server);
await testFolder();
await testPorts();
await testBrowser();
await testCrowd();
