// Sockets as good, bad and slow clients use them, without rooms: sockets.mjs ECHO_SERVER.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import net from 'node:net';
import { connect, frame, handshake } from './websocket.mjs';

const [program] = process.argv.slice(2);
const running = new Set();
process.on('exit', () => {
    for (const child of running)
        child.kill('SIGKILL');
});

async function start(...args) {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    running.add(child);
    const ended = new Promise((resolve) => {
        child.on('close', (code, signal) => {
            running.delete(child);
            resolve({ code, signal });
        });
    });
    const line = await new Promise((resolve) => { child.stdout.once('data', resolve); });
    return { child, ended, port: Number(String(line)) };
}

async function stop(server) {
    server.child.kill('SIGTERM');
    assert.deepEqual(await server.ended, { code: 0, signal: null });
}

// Asks for the figures until they are as wanted.
async function untilCounts(client, good) {
    for (;;) {
        client.send('counts');
        const counts = JSON.parse(await client.take());
        if (good(counts))
            return counts;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

// Sends bytes over a plain connection; resolves with all that comes until `enough` or the end.
function talk(port, bytes, enough = () => false) {
    return new Promise((resolve) => {
        const socket = net.connect(port, '127.0.0.1');
        let text = '';
        socket.on('data', (data) => {
            text += data.toString('latin1');
            if (enough(text))
                socket.destroy();
        });
        socket.on('error', () => {});
        socket.on('close', () => resolve(text));
        socket.write(bytes);
    });
}

const tests = {
    async 'handshakes'({ port }) {
        const good = await connect(port, '/ws');
        assert.equal(good.status, 101);
        assert.ok(!/sec-websocket-(extensions|protocol)/i.test(good.head), 'no extensions');
        good.destroy();
        for (const [path, headers, status] of [
            ['/ws', { Origin: 'http://localhost' }, 101],
            ['/ws', { Origin: 'https://localhost' }, 101],
            ['/ws', { Origin: 'http://elsewhere' }, 403],
            ['/ws', { Origin: 'http://localhost:8080' }, 403],
            ['/ws', { Origin: 'null' }, 403],
            ['/ws', { Host: 'play.example', Origin: 'https://play.example' }, 101],
            ['/ws', { 'Sec-WebSocket-Extensions': 'permessage-deflate' }, 101],
            ['/', {}, 404],
            ['/ws/', {}, 404],
            ['/ws?x=1', {}, 101],
            ['/ws', { 'Sec-WebSocket-Version': '8' }, 426],
            ['/ws', { 'Sec-WebSocket-Version': undefined }, 426],
            ['/ws', { 'Sec-WebSocket-Protocol': 'http' }, 400],
            ['/ws', { Upgrade: 'h2c' }, 404],
            ['/ws', { Upgrade: 'teapot' }, 403],
            ['/ws', { 'Sec-WebSocket-Key': undefined }, 0], // it hangs up
            ['/ws', { 'Sec-WebSocket-Key': 'x'.repeat(500) }, 0],
            ['/ws', { Connection: 'close' }, 0],
        ]) {
            const client = await connect(port, path, { headers });
            assert.equal(client.status, status, `${path} ${JSON.stringify(headers)}`);
            client.destroy();
        }
        // It may come in pieces, wherever it is cut.
        for (const cut of [1, 100, -3, -2, -1]) {
            const socket = net.connect(port, '127.0.0.1');
            const request = handshake('/ws');
            let text = '';
            socket.setNoDelay(true);
            socket.on('data', (data) => { text += data.toString('latin1'); });
            const until = async (good) => {
                while (!good())
                    await new Promise((resolve) => socket.once('data', resolve));
            };
            socket.write(request.slice(0, cut));
            await new Promise((resolve) => setTimeout(resolve, 20));
            socket.write(request.slice(cut));
            await until(() => text.includes('\r\n\r\n'));
            assert.match(text, /^HTTP\/1\.1 101 /, `cut at ${cut}`);
            socket.write(frame('hello'));
            await until(() => text.endsWith('\x81\x05hello'));
            socket.destroy();
        }
        // A proxy opens it on a connection that it has used before, for a POST, too.
        for (const isWhole of [true, false]) {
            const socket = net.connect(port, '127.0.0.1');
            let text = '';
            socket.setNoDelay(true);
            socket.on('data', (data) => { text += data.toString('latin1'); });
            const until = async (good) => {
                while (!good())
                    await new Promise((resolve) => socket.once('data', resolve));
            };
            const head = 'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n';
            socket.write(isWhole ? `${head}again` : head);
            if (!isWhole) {
                await new Promise((resolve) => setTimeout(resolve, 20));
                socket.write('again');
            }
            await until(() => text.endsWith('xxxxx') || text.endsWith('again'));
            if (isWhole) { // then it is known where the next request begins
                socket.write('GET /now HTTP/1.1\r\nHost: localhost\r\n\r\n');
                await until(() => text.endsWith('xxx'));
            }
            socket.write(handshake('/ws'));
            await until(() => / 101 [^]*\r\n\r\n$/.test(text));
            socket.write(frame('hello'));
            await until(() => text.endsWith('\x81\x05hello'));
            socket.destroy();
        }
        // But no message comes with it.
        const early = await talk(port, Buffer.concat([Buffer.from(handshake('/ws')),
            frame('hello')]));
        assert.match(early, /^HTTP\/1\.\d 400 /);
    },

    async 'messages whole, in pieces, and with pings between'({ port }) {
        const client = await connect(port, '/ws');
        for (const text of ['', 'a', 'é€😀', 'x'.repeat(125), 'x'.repeat(126), 'x'.repeat(8192)]) {
            client.send(text);
            assert.equal(await client.take(), text);
        }
        client.send('he', { fin: false });
        client.send('there?', { opcode: 9 });
        client.send('', { opcode: 0, fin: false });
        client.send('llo', { opcode: 0 });
        assert.equal(await client.take(), 'hello');
        for (const byte of frame('slowly')) {
            client.socket.write(Buffer.from([byte]));
            await new Promise((resolve) => setImmediate(resolve));
        }
        assert.equal(await client.take(), 'slowly');
        // A character cut in two by frames is still one.
        const euro = Buffer.from('€');
        client.send(euro.subarray(0, 1), { fin: false });
        client.send(euro.subarray(1), { opcode: 0 });
        assert.equal(await client.take(), '€');
        const texts = Array.from({ length: 500 }, (_, i) => `message ${i}`);
        client.socket.write(Buffer.concat(texts.map((text) => frame(text))));
        for (const text of texts)
            assert.equal(await client.take(), text);
        client.close(1000);
        assert.equal(await client.ended(), 1000);
    },

    async 'pings are answered with what they contain'({ port }) {
        const client = await connect(port, '/ws', { mute: true });
        for (const content of ['', 'a', '\0\xff', 'x'.repeat(125)]) {
            client.send(Buffer.from(content, 'latin1'), { opcode: 9 });
            const pong = await client.until(() => client.pongs.shift());
            assert.equal(pong.toString('latin1'), content);
        }
        // Of several at once the latest, at least; and between the frames of a message.
        client.socket.write(Buffer.concat(['a', 'b', 'c'].map((x) => frame(x, { opcode: 9 }))));
        const latest = (text) => (client.pongs.at(-1)?.toString() === text ? true : undefined);
        await client.until(() => latest('c'));
        client.send('he', { fin: false });
        client.send('between', { opcode: 9 });
        client.send('unasked', { opcode: 10 });
        await client.until(() => latest('between'));
        client.send('llo', { opcode: 0 });
        assert.equal(await client.take(), 'hello');
        client.destroy();
    },

    async 'what is no message'({ port }) {
        const cases = [
            [1009, (c) => c.send('x'.repeat(8193))],
            [1009, (c) => c.send('x', { size: 100000 })],
            [1009, (c) => {
                for (let i = 0; i < 9; i++)
                    c.send('x'.repeat(1000), { opcode: i ? 0 : 1, fin: false });
            }],
            [1003, (c) => c.send('x', { opcode: 2 })],
            [1007, (c) => c.send([0xff])],
            [1007, (c) => c.send([0xe2, 0x82])],
            [1007, (c) => c.send([0xed, 0xa0, 0x80])],
            [1002, (c) => c.send('x', { opcode: 3 })],
            [1002, (c) => c.send('x', { opcode: 11 })],
            [1002, (c) => c.send('x', { rsv: 4 })],
            [1002, (c) => c.send('x', { opcode: 0 })],
            [1002, (c) => { c.send('x', { fin: false }); c.send('y'); }],
            ...[8, 9, 10].flatMap((opcode) => [
                [1002, (c) => c.send('xx', { opcode, fin: false })],
                [1002, (c) => c.send('x'.repeat(126), { opcode })],
                [1002, (c) => c.send('x'.repeat(70000), { opcode })],
            ]),
            // Without a mask, whatever came before.
            ...[1, 2, 8, 9, 10].map((opcode) => [1002,
                (c) => c.send('xx', { opcode, mask: false })]),
            [1002, (c) => c.send('', { mask: false })],
            [1002, (c) => {
                c.send('x', { fin: false });
                c.send('x', { opcode: 0, mask: false });
            }],
            // A size in more bytes than it needs, or with its highest bit.
            [1002, (c) => c.socket.write(Buffer.from([0x81, 0xfe, 0, 1, 0, 0, 0, 0, 97]))],
            [1002, (c) => c.socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 1,
                0, 0, 0, 0, 97]))],
            [1002, (c) => c.socket.write(Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 1, 0, 0,
                0, 0, 0, 0]))],
            [1009, (c) => c.socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0,
                0, 0, 0, 0]))],
            // A close of the client is answered with its own code, where it may have that.
            ...[1000, 1001, 1003, 1007, 1011, 3000, 4999].map((code) => [code,
                (c) => c.close(code)]),
            ...[0, 999, 1004, 1005, 1006, 1015, 2000, 5000, 65535].map((code) => [1002,
                (c) => c.close(code)]),
            [1005, (c) => c.send('', { opcode: 8 })],
            [1002, (c) => c.send([3], { opcode: 8 })],
            [1000, (c) => c.send([3, 232, 0xc3, 0xbc], { opcode: 8 })],
            [1007, (c) => c.send([3, 232, 0xff], { opcode: 8 })],
            [1008, (c) => {
                c.send('x', { fin: false });
                for (let i = 0; i < 40; i++)
                    c.send('', { opcode: 0, fin: false });
            }],
        ];
        await Promise.all(cases.map(async ([code, wrong], i) => {
            const client = await connect(port, '/ws');
            wrong(client);
            assert.equal(await client.ended(), code, `case ${i}`);
        }));
        // Half a frame, and then nothing, or the end; garbage.
        await Promise.all([...frame('hello')].map(async (_, i) => {
            const client = await connect(port, '/ws');
            client.socket.write(frame('hello').subarray(0, i));
            if (i % 2)
                client.socket.end();
            else
                client.destroy();
        }));
        for (let seed = 1; seed <= 50; seed++) {
            const client = await connect(port, '/ws');
            client.socket.write(Buffer.from(Array.from({ length: 2000 },
                (_, i) => Math.imul(seed * 2000 + i, 2654435761) >>> 13 & 255)));
            client.socket.end();
            await client.ended();
        }
    },

    async 'a close comes after what was sent before, and nothing after it'({ port }) {
        const client = await connect(port, '/ws');
        client.send('big 300000');
        client.send('bye 4001');
        assert.equal((await client.take()).length, 300000);
        assert.equal(await client.take(), 'so long');
        assert.equal(await client.ended(), 4001);
        assert.deepEqual(client.messages, []);
    },

    async 'the code of a close arrives, whatever the client says before it has read it'({ port }) {
        const watcher = await connect(port, '/ws');
        const talkative = Buffer.concat([...Array(60).fill(frame('x'.repeat(4000))),
            frame('?', { opcode: 9 })]);
        const half = frame('half', { fin: false });
        // All at once: most of it is unread when the server decides to close.
        for (let i = 0; i < 20; i++) {
            const client = await connect(port, '/ws');
            client.socket.write(Buffer.concat([frame('bye 4001'), talkative, half]));
            assert.equal(await client.ended(), 4001);
            const wrong = await connect(port, '/ws');
            wrong.socket.write(Buffer.concat([frame('x'.repeat(9000)), talkative, half]));
            assert.equal(await wrong.ended(), 1009);
        }
        // Later: the close has been sent, and lies there unread.
        const client = await connect(port, '/ws', { deaf: true });
        client.send('bye 4001');
        await untilCounts(watcher, (counts) => counts.known === 1);
        for (let i = 0; i < 3; i++) {
            client.socket.write(talkative);
            await untilCounts(watcher, (counts) => counts.known === 1);
        }
        client.socket.resume();
        assert.equal(await client.ended(), 4001);
        // One who never answers it is hung up on, silent or not.
        const mute = await Promise.all([0, 1].map(() => connect(port, '/ws', { mute: true })));
        mute.forEach((one) => one.send('bye 4001'));
        for (let i = 0; i < 10; i++)
            mute[0].socket.write(talkative);
        await mute[0].ended();
        assert.equal(await mute[1].ended(), 4001);
        watcher.destroy();
    },

    async 'large messages arrive whole, in bounded frames'({ port }) {
        const client = await connect(port, '/ws');
        for (const size of [125, 126, 65534, 65535, 65536, 131070, 131071, 3000000]) {
            client.send(`big ${size}`);
            assert.equal(await client.take(), 'x'.repeat(size));
        }
        client.destroy();
    },

    async 'one who never reads is hung up on, and the others do not notice'({ port }) {
        const watcher = await connect(port, '/ws');
        const deaf = await connect(port, '/ws', { deaf: true });
        deaf.send('big 200000');
        for (let i = 0; i < 300; i++) // more than the buffers of the system hold
            deaf.send('big 100000');
        watcher.send('all of you');
        assert.equal(await watcher.take(), 'all of you');
        await untilCounts(watcher, (counts) => counts.slow === 1 && counts.known === 1);
        watcher.destroy();
        deaf.destroy();
    },

    // A loop that spins makes thousands of rounds in the time in which an idle one makes a few.
    async 'those who do not read cost nothing while they wait'({ port }) {
        const get = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
        const big = get('/later?16000000'); // more than the buffers of the system hold
        const slow = [big, big + get('/now'), big + big, `${big}half of a requ`].map((text) => {
            const socket = net.connect(port, '127.0.0.1');
            socket.on('error', () => {});
            socket.pause();
            socket.write(text);
            return socket;
        });
        const deaf = await connect(port, '/ws', { deaf: true });
        deaf.send('big 16000000');
        const parted = await connect(port, '/ws', { deaf: true });
        parted.send('bye 4001');
        const watcher = await connect(port, '/ws');
        await untilCounts(watcher, ({ known }) => known === 2);
        const rounds = async () => (await untilCounts(watcher, () => true)).rounds;
        const before = await rounds();
        await new Promise((resolve) => setTimeout(resolve, 2000));
        const made = await rounds() - before;
        assert.ok(made < 100, `${made} rounds`);
        // Who reads then gets everything.
        let size = 0;
        for await (const data of slow[1]) {
            size += data.length;
            if (size > 16000000 && data.toString('latin1').endsWith('\r\n\r\nxxx'))
                break;
        }
        for (const client of [...slow, deaf, parted, watcher])
            client.destroy();
    },

    async 'a flood costs others nothing but a turn'({ port }) {
        const flood = await connect(port, '/ws', { deaf: true });
        const client = await connect(port, '/ws');
        flood.socket.write(Buffer.concat(Array(20000).fill(frame('x', { opcode: 9 }))));
        flood.socket.write(Buffer.concat(Array(20000).fill(frame('x', { opcode: 10 }))));
        for (let i = 0; i < 100; i++) {
            client.send(`${i}`);
            assert.equal(await client.take(), `${i}`);
        }
        flood.destroy();
        client.destroy();
    },

    async 'a text for all'({ port }) {
        const clients = await Promise.all(Array.from({ length: 300 }, () => connect(port, '/ws')));
        for (const text of ['all first', `all ${'x'.repeat(8000)}`, 'all last'])
            clients[7].send(text);
        for (const client of clients) {
            assert.equal(await client.take(), 'all first');
            assert.equal((await client.take()).length, 8004);
            assert.equal(await client.take(), 'all last');
        }
        clients.forEach((client) => client.destroy());
        const last = await connect(port, '/ws');
        await untilCounts(last, (counts) => counts.known === 1 && counts.sockets === 1);
        last.destroy();
    },

    async 'answers that come later, in order, for pipelined requests too'({ port }) {
        const host = 'Host: localhost\r\n';
        const get = (path) => `GET ${path} HTTP/1.1\r\n${host}\r\n`;
        const post = (body) =>
            `POST /echo HTTP/1.1\r\n${host}Content-Length: ${body.length}\r\n\r\n${body}`;
        const end = `GET /now HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
        const text = await talk(port, get('/later?5') + get('/now') + get('/nowhere') +
            get('/later?100000') + get('/later?0') + end);
        const bodies = (got) => got.split(/HTTP\/1\.1 (?:200|404)[^]*?\r\n\r\n/).slice(1);
        assert.deepEqual(bodies(text).map((body) => body.length), [5, 3, 7, 100000, 0, 3]);
        // Requests with bodies, one after the other on one connection.
        const socket = net.connect(port, '127.0.0.1');
        for (const body of ['hello', '', 'y'.repeat(8192), 'again']) {
            socket.write(post(body));
            let got = '';
            while (bodies(got)[0]?.length !== body.length)
                got += await new Promise((resolve) => { socket.once('data', resolve); });
            assert.equal(bodies(got)[0], body);
        }
        socket.destroy();
        // A POST sent before the previous answer never gets the body of another request.
        const hasty = await talk(port, get('/later?5') + post('hello') + end,
            (got) => bodies(got).length === 3);
        assert.ok(bodies(hasty).slice(1).every((body) => body === 'hello' || body === 'xxx'));
        // Clients that send requests without waiting for the answer.
        for (let i = 0; i < 50; i++) {
            const socket = net.connect(port, '127.0.0.1');
            socket.on('error', () => {});
            socket.write(get('/later?1000000') + post('hello'), () => socket.destroy());
        }
        assert.match(await talk(port, end), / 200 /);
    },

    async 'what is malformed gets our answer'({ port }) {
        const request = (target, method = 'GET') => `${method} ${target} HTTP/1.1\r\n` +
            'Host: localhost\r\n\r\n';
        const refused = async (text) => {
            const answer = await talk(port, text);
            assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, JSON.stringify(text));
            assert.match(answer, /\r\ncontent-security-policy: /);
            assert.match(answer, /\r\n\r\n((The address|A header|This request) .*\n)?$/);
        };
        for (const target of ['*', '', 'now', 'http://localhost/now', '//now', '/./now',
            '/x/../now', '/../now', '/..', '/%2e%2e/now', '/%6eow', '/now%2f', '/now%00', '/%',
            '/%4', '/%zz', '/now?%', '/now?x=%zz', '/n ow', '/n\x01ow', '/n\\ow'])
            for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'])
                await refused(request(target, method));
        await refused('GET /now\r\n\r\n');
        for (const line of ['foo', ' folded: 1', 'Host : x', ': x', 'Host: x', 'X: 1', 'acc:'])
            for (const rest of ['', 'Accept: x\r\n'])
                await refused(`GET /now HTTP/1.1\r\nHost: localhost\r\n${line}\r\n${rest}\r\n`);
        // It is the same for a later request, and for a handshake.
        const socket = net.connect(port, '127.0.0.1');
        let text = '';
        socket.on('data', (data) => { text += data; });
        socket.on('error', () => {});
        const until = async (good) => {
            while (!good())
                await new Promise((resolve) => socket.once('data', resolve));
        };
        for (let i = 1; i <= 3; i++) {
            socket.write(request('/now?ok=%41'));
            await until(() => text.split('xxx').length === i + 1);
        }
        socket.write(request('/%zz'));
        await until(() => text.includes(' 400 '));
        socket.destroy();
        const client = await connect(port, '//ws');
        assert.equal(client.status, 400);
        // Who sends it in pieces gets the same, wherever it is cut: in the first line, or before a
        // line that would take the next one along. (A pause after each piece: they come apart.)
        const inPieces = async (pieces, enough = () => false) => {
            const slow = net.connect(port, '127.0.0.1');
            let got = '';
            slow.setNoDelay(true);
            slow.on('error', () => {});
            const closed = new Promise((resolve) => slow.on('close', resolve));
            slow.on('data', (data) => {
                got += data;
                if (enough(got))
                    slow.destroy();
            });
            for (const piece of pieces) {
                slow.write(piece);
                await new Promise((resolve) => setTimeout(resolve, pieces.length < 9 ? 30 : 1));
            }
            await closed;
            return got;
        };
        const ours = /^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\n((The|A|This) .*\n)?$/;
        const head = 'GET /now HTTP/1.1\r\nHost: localhost\r\n';
        const long = [`${head}Padding: ${'b'.repeat(6000)}`,
            `\r\nFilling: ${'d'.repeat(6000)}\r\n`];
        for (const pieces of [[...request('/%zz')], ['GET * HT', 'TP/1.1\r\nHost: x\r\n\r\n'],
            ['GET /%z', 'z HTTP/1.1\r\nHost: x\r\n\r\n'], ['G', 'ET //now HTTP/1.1\r\n\r\n'],
            [head, 'Host: other\r\n\r\n'], [head, 'X: 1\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n'],
            [`${head}X`, ': 1\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n'], [head, 'foo\r\n', '\r\n'],
            [...long, 'foo\r\n\r\n']])
            assert.match(await inPieces(pieces), ours, JSON.stringify(pieces).slice(0, 100));
        // What is good is answered, also as a second request; half of it and an end is not.
        const whole = (got) => got.endsWith('\r\n\r\nxxx');
        for (const pieces of [[...request('/now')], [head, '\r', '\n'], [...long, '\r\n']])
            assert.match(await inPieces(pieces, whole), /^HTTP\/1\.1 200 [^]*xxx$/);
        assert.match(await inPieces([request('/now'), head.slice(0, 9), `${head.slice(9)}\r\n`],
            (got) => got.split('xxx').length === 3), /xxx[^]*xxx$/);
        assert.match(await inPieces([request('/now'), head, 'foo\r\n\r\n']), /xxx[^]* 400 /);
        for (const half of ['G', head]) {
            const socket = net.connect(port, '127.0.0.1');
            socket.resume();
            socket.on('error', () => {});
            await new Promise((resolve) => {
                socket.on('close', resolve);
                socket.end(half);
            });
        }
        // Nor does who sends it with another request get through.
        assert.match(await talk(port, request('/now') + request('/%zz')), /xxx/);
    },

    // Headers that do not come to their end cost nothing while they wait.
    async 'half requests cost nothing'({ port }) {
        const watcher = await connect(port, '/ws');
        const half = await Promise.all(Array.from({ length: 50 }, () => new Promise((resolve) => {
            const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
            socket.on('error', () => {});
            socket.write('GET /now HTTP/1.1\r\nHost: loc');
        })));
        const rounds = async () => (await untilCounts(watcher, () => true)).rounds;
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const before = await rounds();
        await new Promise((resolve) => setTimeout(resolve, 2000));
        const made = await rounds() - before;
        assert.ok(made < 500, `${made} rounds`); // one that spins makes thousands
        [...half, watcher].forEach((socket) => socket.destroy());
    },

    async 'bodies that are refused'({ port }) {
        const post = (headers, body = '') => talk(port,
            `POST /echo HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`);
        assert.match(await post('Content-Length: 8193\r\n', 'x'.repeat(8193)), /^HTTP\/1\.1 413/);
        assert.match(await post('Content-Length: 99999999999999999999\r\n'), /^HTTP\/1\.1 400/);
        assert.match(await post('Content-Length: -1\r\n'), /^HTTP\/1\.1 400/);
        assert.match(await post('Content-Length: x\r\n'), /^HTTP\/1\.1 400/);
        assert.match(await post(''), /^HTTP\/1\.1 411/);
        assert.match(await post('Transfer-Encoding: chunked\r\n', '1\r\nx\r\n0\r\n\r\n'),
            /^HTTP\/1\.1 411/);
        // Half a body, then the end.
        const half = net.connect(port, '127.0.0.1');
        half.on('error', () => {});
        await new Promise((resolve) => {
            half.on('close', resolve);
            half.resume();
            half.end('POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhell');
        });
        // A body in single bytes is a body.
        const slow = net.connect(port, '127.0.0.1');
        slow.setNoDelay(true);
        slow.write('POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n' +
            'Content-Length: 5\r\n\r\n');
        for (const letter of 'hello') {
            slow.write(letter);
            await new Promise((resolve) => setTimeout(resolve, 2));
        }
        let text = '';
        for await (const data of slow)
            text += data;
        assert.ok(text.endsWith('\r\n\r\nhello'), text);
    },
};

// Silent clients get a ping, and are disconnected if they do not answer it.
async function testSilence() {
    const server = await start('200', '600');
    const [mute, alive] = await Promise.all([connect(server.port, '/ws', { mute: true }),
        connect(server.port, '/ws')]);
    assert.equal(await mute.ended(), 0); // no close frame: the client may be gone
    assert.ok(mute.pings >= 1);
    assert.ok(alive.pings >= 1);
    await untilCounts(alive, (counts) => counts.silent === 1 && counts.known === 1);
    await stop(server);
    assert.equal(await alive.ended(), 1001);
}

// Who reads nothing is hung up on, whatever they say meanwhile.
async function testStuck() {
    const server = await start('60000', '90000', '500', '0');
    const [watcher, deaf] = await Promise.all([connect(server.port, '/ws'),
        connect(server.port, '/ws', { deaf: true })]);
    deaf.send('big 16000000'); // more than the buffers of the system hold
    const talking = setInterval(() => deaf.send('still here', { opcode: 10 }), 50);
    await untilCounts(watcher, (counts) => counts.slow === 1 && counts.known === 1 &&
        counts.queued === 0);
    clearInterval(talking);
    deaf.destroy();
    await stop(server);
}

// If too much waits for all together, those for whom most waits are hung up on.
async function testQueues() {
    const server = await start('60000', '90000', '60000', '8000000');
    const watcher = await connect(server.port, '/ws');
    const ask = async (size, good) => {
        const client = await connect(server.port, '/ws', { deaf: true });
        client.send(`big ${size}`);
        await untilCounts(watcher, ({ slow, queued }) => queued > good && slow === ask.slow);
        return client;
    };
    const all = [];
    for (const [size, queued, slow] of [[1000000, 1e6, 0], [3000000, 4e6, 0], [3000000, 7e6, 0],
        [3000000, 7e6, 1], [3000000, 7e6, 2]]) {
        ask.slow = slow;
        all.push(await ask(size, queued));
    }
    const { known, queued } = await untilCounts(watcher, (counts) => counts.known === 4);
    assert.equal(known, 4);
    assert.ok(queued < 8e6, `${queued}`);
    all[0].socket.resume();
    assert.equal((await all[0].take()).length, 1000000);
    all.forEach((client) => client.destroy());
    await untilCounts(watcher, (counts) => counts.known === 1 && counts.queued === 0);
    await stop(server);
}

// 2,000 clients, some of which do not read, answer pings or finish their messages.
async function testCrowd() {
    const server = await start();
    const clients = await Promise.all(Array.from({ length: 2000 }, (_, i) =>
        connect(server.port, '/ws', { deaf: i % 20 === 1, mute: i % 20 === 2 })));
    assert.ok(clients.every((client) => client.status === 101));
    clients.forEach((client, i) => {
        if (i % 20 === 3)
            client.send('half', { fin: false });
        if (i % 20 === 1)
            client.send('big 200000');
    });
    clients[0].send('all there');
    for (const [i, client] of clients.entries())
        if (i % 20 !== 1)
            assert.equal(await client.take(), 'all there');
    await stop(server);
    for (const [i, client] of clients.entries()) {
        if (i % 20 === 1)
            client.destroy();
        else
            assert.equal(await client.until(() => client.code, 'a close'), 1001);
        if (i % 20 !== 1)
            assert.deepEqual(client.messages, ['soon']);
    }
}

const server = await start();
for (const [name, test] of Object.entries(tests)) {
    try {
        await test(server);
    } catch (error) {
        console.log(`${name}: ${error.message}\n${error.stack}`);
        process.exitCode = 1;
    }
}
await stop(server);
await testSilence();
await testStuck();
await testQueues();
await testCrowd();
