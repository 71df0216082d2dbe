// What open tables cost in memory: tables.mjs PROGRAM [TABLES]. Strangers open tables and go away;
// the server's resident memory is read before that, when nobody looks at the tables any more, and
// after a restart. The tables come from 127.64.0.0/10, ten from each address.
import fs from 'node:fs';
import { arrive, ask, figure, guest, start, stop, work } from '../tests/serving.mjs';

const TABLES = Number(process.argv[3] ?? 20000);
const OF_GUEST = 10;
const AT_ONCE = 20;
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const options = ['--port', '0', '--data', `${work}/data`];

// Kilobytes of resident memory.
const resident = ({ child }) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]);

async function open(port, n) {
    const at = { port, host: '127.0.0.1', localAddress: `127.${64 + (n >> 8)}.${n & 255}.1` };
    const { token } = await guest(at, 'Mallory');
    const lobby = await arrive(at, 'lobby', { token });
    for (let i = 0; i < OF_GUEST; i++) {
        lobby.json({ t: 'make', key: `k${i}`, setup: 'game metro\nplayers 4\n', open: true });
        await lobby.next('ok');
    }
    lobby.destroy();
}

// Waits until no room is in memory.
async function settled({ at }) {
    while (await figure(at, 'endstation_rooms_rooms') > 0)
        await sleep(1000);
}

function tell(when, server, before) {
    const now = resident(server);
    const each = before ? `, ${((now - before) * 1024 / TABLES).toFixed(0)} bytes a table` : '';
    console.log(`${when}: ${now} KiB${each}`);
    return now;
}

let server = await start(...options);
await ask(server.at, '/api/rooms');
const before = tell('without tables', server);
let next = 0;
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (next < TABLES / OF_GUEST)
        await open(server.at, next++);
}));
tell(`${TABLES} tables made`, server, before);
await settled(server);
tell('nobody looks at them', server, before);
await stop(server);
server = await start(...options);
await sleep(2000);
await settled(server);
const { tables } = (await ask(server.at, '/api/rooms')).json();
tell(`after a restart (the lobby shows ${tables.length})`, server, before);
await stop(server);
process.exit();
