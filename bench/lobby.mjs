// What the lobby sends: lobby.mjs PROGRAM. With 100 open tables and 200 people who look at them,
// one host a second takes another name. Measures the bytes of all viewers together: of those who
// take changes, and of programs that expect the whole list.
import { arrive, guest, makeRoom, start, stop } from '../tests/serving.mjs';

const TABLES = 100;
const VIEWERS = 200;
const SECONDS = 30;
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const setup = 'game verplant\nmap berlin\nplayers 4\nrules special\n';

const server = await start('--port', '0', '--data', 'memory', '--limits',
    'connections=1000,guests=1000,rooms=1000,network=100,requests=1000');
const hosts = [];
for (let i = 0; i < TABLES; i++) {
    const { token } = await guest(server.at, `Person number ${i}`);
    await makeRoom(server.at, token, { setup });
    hosts.push(token);
}
for (const [what, changes] of [['changes', true], ['the whole list', undefined]]) {
    const viewers = await Promise.all(Array.from({ length: VIEWERS }, () =>
        arrive(server.at, 'lobby', { changes })));
    const received = () => viewers.reduce((sum, { socket }) => sum + socket.bytesRead, 0);
    await sleep(5000); // each has the first list
    const before = received();
    const began = performance.now();
    for (let i = 0; i < SECONDS; i++) {
        const host = await arrive(server.at, 'lobby', { token: hosts[i], changes: true });
        host.json({ t: 'name', name: `Number ${i} with ${what}`, colour: 1 });
        await host.next('ok');
        host.destroy();
        await sleep(began + (i + 1) * 1000 - performance.now());
    }
    const rate = (received() - before) / (performance.now() - began);
    console.log(`${what}: ${rate.toFixed(0)} KB a second for ${VIEWERS} viewers`);
    viewers.forEach((viewer) => viewer.destroy());
}
await stop(server);
process.exit();
