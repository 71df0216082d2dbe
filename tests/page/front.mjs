// A proxy in front of the program's server, for tests of new versions. Its `mode` can change:
// 'first' passes everything on; 'second' has another version, with one sentence changed, and
// nothing of the first; 'ill' answers with errors; 'stuck' never answers. `asked` lists the paths
// that it was asked for. Those that match `held` are answered when release() is called; browsers do
// not cache those that match `uncached`.
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';

// How long the service worker waits for answers before it uses its cache.
const waits = (script, time) => {
    assert.match(script, /const (PAGE|ANSWER)_MS = \d+;/);
    return script.replace(/(const (?:PAGE|ANSWER)_MS = )\d+;/g, `$1${time};`);
};

// Asks the server as the client asks us.
function pass(request, port, path) {
    return new Promise((resolve, reject) => {
        const asked = http.request({ port, host: 'localhost', path, method: request.method,
            headers: { ...request.headers, 'accept-encoding': 'identity' }, agent: false },
        (answer) => {
            const parts = [];
            answer.on('data', (part) => parts.push(part));
            answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers,
                bytes: Buffer.concat(parts) }));
            answer.on('error', reject);
        });
        asked.on('error', reject);
        request.pipe(asked);
    });
}

// Returns {url, mode, version, other, asked, held, uncached, release}, where `other` is the second
// version. Its service worker waits for `patience` milliseconds: practically for ever, since a busy
// machine is slow.
export async function changing(t, server, patience = 1e9) {
    const { port } = new URL(server.url);
    const version = /\/v\/(\w+)\//.exec(await (await fetch(server.url)).text())[1];
    const other = version.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const waiting = new Set(); // functions that let a request go on
    const front = { mode: 'first', version, other, asked: [], held: /^$/, uncached: /^$/,
        release: () => {
            front.held = /^$/;
            waiting.forEach((goOn) => goOn());
            waiting.clear();
        } };
    const handle = async (request, response) => {
        const { url } = request;
        front.asked.push(url);
        if (front.held.test(url)) await new Promise((resolve) => waiting.add(resolve));
        if (front.mode === 'stuck') return;
        if (front.mode === 'ill') {
            response.writeHead(503);
            response.end();
            return;
        }
        const second = front.mode === 'second';
        const gone = second && url.includes(`/v/${version}/`);
        const path = second && !gone ? url.replace(other, version) : url;
        const answer = await pass(request, port, gone ? '/v/gone' : path);
        let { bytes } = answer;
        const { headers } = answer;
        const edit = (change) => (bytes = Buffer.from(change(bytes.toString())));
        if (second && (url === '/' || url === '/sw.js'))
            edit((text) => text.replaceAll(version, other));
        if (url === '/sw.js') edit((text) => waits(text, patience));
        if (second && /\/v\/\w+\/.*\.js$/.test(url))
            edit((text) => text.replace('Where to?', 'Where to now?'));
        for (const name of ['content-length', 'transfer-encoding', 'etag', 'connection',
            'keep-alive'])
            delete headers[name];
        if (front.uncached.test(url)) headers['cache-control'] = 'no-store';
        response.writeHead(answer.status, headers);
        response.end(bytes);
    };
    const listener = http.createServer((request, response) =>
        handle(request, response).catch(() => response.destroy()));
    const sockets = new Set();
    listener.on('upgrade', (request, client, first) => {
        const upstream = net.connect(Number(port), 'localhost', () => {
            const { method, url, rawHeaders } = request;
            const lines = rawHeaders.map((word, i) => word + (i % 2 ? '\r\n' : ': '));
            upstream.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`);
            upstream.write(first);
            upstream.pipe(client).pipe(upstream);
        });
        for (const [one, peer] of [[client, upstream], [upstream, client]]) {
            sockets.add(one);
            one.on('error', () => peer.destroy());
            one.on('close', () => peer.destroy());
        }
    });
    await new Promise((resolve) => listener.listen(0, 'localhost', resolve));
    t.after(() => {
        sockets.forEach((socket) => socket.destroy());
        listener.closeAllConnections();
        listener.close();
    });
    front.url = `http://localhost:${listener.address().port}`;
    return front;
}
