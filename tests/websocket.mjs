// A WebSocket client for tests: small, and able to do wrong on purpose. It knows text, close, ping
// and pong; what it sends can also be given as bytes.
import { createHash, randomBytes } from 'node:crypto';
import net from 'node:net';
import tls from 'node:tls';

// A frame as a client sends it. `fin` and `opcode` may be anything.
export function frame(content, { opcode = 1, fin = true, mask = true, rsv = 0, size } = {}) {
    const body = Buffer.from(content);
    const length = size ?? body.length;
    const head = [(fin ? 0x80 : 0) | rsv << 4 | opcode];
    if (length < 126)
        head.push(length);
    else if (length < 65536)
        head.push(126, length >> 8, length & 255);
    else
        head.push(127, 0, 0, 0, 0, length >>> 24, length >> 16 & 255, length >> 8 & 255,
            length & 255);
    if (!mask)
        return Buffer.concat([Buffer.from(head), body]);
    head[1] |= 0x80;
    const key = randomBytes(4);
    return Buffer.concat([Buffer.from(head), key, body.map((byte, i) => byte ^ key[i % 4])]);
}

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

// The request of a handshake.
export function handshake(path, headers = {}, key = randomBytes(16).toString('base64')) {
    const all = { Host: 'localhost', Connection: 'Upgrade', Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': key, ...headers };
    return `GET ${path} HTTP/1.1\r\n${Object.entries(all)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

// Opens a WebSocket. Resolves when the handshake is answered: `status` is 101 or that of a refusal.
// `at` is a port, or what net.connect takes; with `tls`, what tls.connect takes. With `deaf`
// nothing is read afterwards; with `mute` pings and closes are not answered.
export function connect(at, path, { headers = {}, deaf = false, mute = false } = {}) {
    const key = randomBytes(16).toString('base64');
    const socket = at.tls ? tls.connect(at)
        : net.connect(typeof at === 'number' ? { port: at, host: '127.0.0.1' } : at);
    const client = { socket, status: 0, head: '', messages: [], pings: 0, pongs: [],
        code: undefined, closed: false };
    const waiting = [];
    let bytes = Buffer.alloc(0);
    let parts = [];
    const look = () => {
        for (let i = 0; i < waiting.length;) {
            const value = waiting[i].test();
            if (value === undefined && !client.closed) {
                i++;
            } else {
                const [{ resolve, reject, what }] = waiting.splice(i, 1);
                if (value === undefined)
                    reject(new Error(`closed (${client.code}) while waiting for ${what}`));
                else
                    resolve(value);
            }
        }
    };
    // Resolves with what `test` returns as soon as that is not undefined.
    client.until = (test, what = test) => new Promise((resolve, reject) => {
        waiting.push({ test, resolve, reject, what });
        look();
    });
    client.take = () => client.until(() => client.messages.shift(), 'a message');
    client.ended = () => client.until(() => (client.closed ? client.code ?? 0 : undefined));
    client.send = (content, options) => socket.write(frame(content, options));
    client.json = (value) => client.send(JSON.stringify(value));
    client.close = (code = 1000) => client.send([code >> 8, code & 255], { opcode: 8 });
    client.destroy = () => socket.destroy();

    const takeFrame = () => {
        if (bytes.length < 2)
            return false;
        let size = bytes[1] & 127;
        let start = 2;
        if (size === 126) {
            if (bytes.length < 4)
                return false;
            size = bytes.readUInt16BE(2);
            start = 4;
        } else if (size === 127) {
            if (bytes.length < 10)
                return false;
            size = Number(bytes.readBigUInt64BE(2));
            start = 10;
        }
        if (bytes.length < start + size)
            return false;
        const [first] = bytes;
        const content = bytes.subarray(start, start + size);
        bytes = bytes.subarray(start + size);
        const opcode = first & 15;
        if (opcode === 8) {
            client.code = content.length >= 2 ? content.readUInt16BE(0) : 1005;
            if (!mute)
                client.send(content, { opcode: 8 });
        } else if (opcode === 9) {
            client.pings++;
            if (!mute)
                client.send(content, { opcode: 10 });
        } else if (opcode === 10) {
            client.pongs.push(Buffer.from(content));
        } else if (opcode === 1 || opcode === 0) {
            parts.push(content);
            if (first & 0x80) {
                client.messages.push(Buffer.concat(parts).toString());
                parts = [];
            }
        }
        return true;
    };
    return new Promise((resolve, reject) => {
        socket.on('data', (data) => {
            bytes = Buffer.concat([bytes, data]);
            if (client.status === 0) {
                const split = bytes.indexOf('\r\n\r\n');
                if (split < 0)
                    return;
                client.head = bytes.subarray(0, split).toString();
                client.status = Number(client.head.split(' ')[1]);
                bytes = bytes.subarray(split + 4);
                const good = createHash('sha1').update(key + magic).digest('base64');
                if (client.status === 101 && !client.head.includes(good))
                    reject(new Error(`a wrong answer to the handshake: ${client.head}`));
                if (deaf)
                    socket.pause();
                resolve(client);
            }
            if (client.status === 101)
                while (takeFrame()) { /* all of them */ }
            look();
        });
        socket.on('error', () => {});
        socket.on('close', () => {
            client.closed = true;
            look();
            resolve(client);
        });
        socket.write(handshake(path, headers, key));
    });
}
