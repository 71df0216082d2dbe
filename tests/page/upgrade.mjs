// Several processes are upgraded, one after the other, while people play in a room: nobody has to
// do anything, a move that was chosen at that moment is made, and the page takes the new version
// when it needs a file that is gone. Needs PostgreSQL and nginx (scripts/cluster.sh).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { arrived, until } from './browser.mjs';
import { PATIENCE } from './control.mjs';
import { program } from './program.mjs';
import { address, keptOf, linkState, makeRoom, person, plan, prepare, reach, roomOf, rounds,
    sitDown, start, tolerate } from './room.mjs';

const scripts = new URL('../../scripts', import.meta.url).pathname;
const web = new URL('../../web', import.meta.url).pathname;
// Browsers without service workers, which would have kept all files.
const options = { clock: 'real', tolerate: [...tolerate, /status of 404/,
    /dynamically imported module/], prepare: async (context) => {
    await prepare(context);
    await context.addInitScript(() => delete Navigator.prototype.serviceWorker);
} };

// Starts a cluster of a program that can be replaced: install() makes it one with another page.
async function launch(t) {
    const work = mkdtempSync(join(tmpdir(), 'endstation-upgrade-'));
    const wrapper = join(work, 'endstation');
    const install = (more) => writeFileSync(wrapper,
        `#!/bin/sh\nexec ${resolve(program)} "$@" ${more}\n`, { mode: 0o755 });
    install('');
    const child = spawn('sh', [`${scripts}/cluster.sh`, wrapper, '--port', '0']);
    let said = '';
    child.stderr.on('data', (text) => process.stderr.write(text));
    child.stdout.on('data', (text) => (said += text));
    const ended = new Promise((end) => child.on('close', end));
    t.after(async () => {
        child.kill('SIGTERM');
        await ended;
        rmSync(work, { recursive: true });
    });
    await until(() => said.includes('files are in') || child.exitCode !== null);
    if (child.exitCode === 77) return undefined;
    const folder = /files are in (.*)\n/.exec(said)[1];
    return { folder, install: () => install(`--web ${web}`), url: /http:\S+/.exec(said)[0] };
}

const isWell = (path) => new Promise((end) => {
    http.get({ socketPath: path, path: '/healthz' }, (answer) => {
        answer.resume();
        end(answer.statusCode === 200);
    }).on('error', () => end(false));
});

// Ends a process; resolves when the next one has taken its place.
async function replace(folder, number) {
    const read = () => existsSync(`${folder}/${number}.pid`) &&
        Number(readFileSync(`${folder}/${number}.pid`, 'utf8'));
    const old = read();
    process.kill(old, 'SIGTERM');
    await until(async () => ![old, 0, false].includes(read()) &&
        isWell(`${folder}/${number}.socket`));
}

const versionOf = (page) => page.locator('meta[name=version]').getAttribute('content')
    .catch(() => ''); // while it is being loaded

test('people play on while all processes are replaced', { timeout: 10 * PATIENCE }, async (t) => {
    const cluster = await launch(t);
    if (!cluster) {
        t.skip('PostgreSQL or nginx is not installed');
        return;
    }
    const ada = await person(t, cluster, '#online', options);
    const link = await makeRoom(ada, 'Ada', 'metro');
    const room = roomOf(link);
    const bo = await person(t, cluster, address(link), options);
    await sitDown(bo, 2, 'Bo');
    await start(ada, [bo]);
    await rounds([ada, bo], 1);
    cluster.install();
    for (const number of [1, 2, 3]) {
        const [due, other] = (await ada.title()).startsWith('●') ? [ada, bo] : [bo, ada];
        await reach(due, [other]);
        await plan(due);
        const replaced = replace(cluster.folder, number);
        await due.locator('button[data-key=confirm]:not([aria-disabled])').click();
        await until(async () => (await keptOf(due, room)).move === null, 'it is acknowledged');
        await rounds([other, due], 1);
        await replaced;
        await rounds([ada, bo], 1);
    }
    for (const page of [ada, bo]) {
        await linkState(page, 'connected');
        assert.notEqual(await versionOf(page), 'dev', 'it is still the same page');
    }
    await bo.evaluate(() => (location.hash = 'help')); // a part of it is not loaded yet
    await until(async () => await versionOf(bo) === 'dev');
    await arrived(bo, 'help');
    await bo.evaluate((hash) => (location.hash = hash), address(link));
    await rounds([ada, bo], 1);
});
