// What docs/operating.md tells an operator to write and to type, tried with the real program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { ask, enter, figure, limited, metrics, post, program, runTests, start, stop, work }
    from './serving.mjs';

const document = fs.readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8');

// The examples in a language that contain a text.
const examples = (language, text) => [...document.matchAll(
    new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\`\n`, 'g'))]
    .map(([, example]) => example).filter((example) => example.includes(text));

function run(...args) {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    return { status, out: stdout, err: stderr };
}

// ---- The configuration file -------------------------------------------------------------------

async function configurationExampleStartsTheServer() {
    const [example, ...more] = examples('conf', 'listen ');
    assert.equal(more.length, 0);
    assert.match(examples('ini', 'ExecStart=')[0],
        /^ExecStart=\S+ serve --config \/etc\/endstation\/serve\.conf$/m);
    const path = `${work}/serve.conf`;
    fs.writeFileSync(path, example.replace('/run/endstation', work)
        .replace('/var/lib/endstation', `${work}/data`));
    const server = await start('--config', path);
    assert.equal(server.at, `${work}/socket`);
    assert.equal((await ask(server.at, '/healthz')).status, 200);
    assert.ok(fs.existsSync(`${work}/data/rooms.db`));
    await stop(server);
    assert.match(server.log(), / event=start\b/);
}

async function commandLineWinsOverTheFile() {
    const path = `${work}/wins.conf`;
    fs.writeFileSync(path, `\uFEFF# A comment\r\n\r\n  listen  unix:${work}/none \r\n` +
        `data ${work}/unused\r\nlimits requests=1\r\nno-open`);
    const server = await start('--config', path, '--port', '0', '--data', 'memory',
        '--limits', 'guests=7');
    assert.equal(typeof server.at, 'number');
    for (let i = 0; i < 3; i++)
        assert.equal((await ask(server.at, '/api/rooms')).status, 200);
    await stop(server);
    assert.ok(!fs.existsSync(`${work}/unused`));
}

function mistakesInTheFileNameTheirLine() {
    const path = `${work}/wrong.conf`;
    for (const [text, wrong] of [
        ['# x\nport 8080\nnonsense 1', `3: unknown option 'nonsense'`],
        ['--port 8080', `1: unknown option '--port'`],
        ['config x', `1: unknown option 'config'`],
        ['port', `1: missing value of 'port'`],
        ['data "memory"', `1: no quotes around the value of 'data'`],
        [`data 'memory'`, `1: no quotes around the value of 'data'`],
        ['log\nlog yes', `2: no value is allowed for 'log'`],
        ['port 1\nport 2', `2: given twice: 'port'`],
        ['\nport x', '2: --port takes a whole number from 0 to 65535, not x'],
        ['bots 0', '1: --bots takes a whole number from 1 to '],
        ['limits guests=1,tables=2', '1: --limits takes connections=N, '],
        ['limits guests=0', '1: guests takes a whole number from 1 to 1000000, not 0'],
        ['keep rooms=1,tables=2', '1: --keep takes for-ever, or rooms=DAYS, '],
        ['keep for-ever,rooms=1', '1: --keep takes for-ever, or rooms=DAYS, '],
        ['keep guests=0', '1: guests takes a whole number from 1 to 36500, not 0'],
        ['keep games=', '1: games takes a whole number from 1 to 36500, not '],
        ['port 1\n\nlisten unix:/x', '3: --listen cannot be combined with --port or --address'],
        ['listen /x', '1: --listen takes unix:/PATH, not /x'],
        ['data memory\nstore postgres://x', '2: --store cannot be combined with --data memory'],
        ['open\nno-open', '2: --open and --no-open cannot be combined'],
        [`origin ${'x'.repeat(2000)}`, '1: the list of --origin is too long'],
        ['port 1\n\u0001', '2: '],
    ]) {
        fs.writeFileSync(path, text);
        const { status, out, err } = run('serve', '--config', path);
        assert.equal(status, 1, text);
        assert.equal(out, '');
        assert.ok(err.startsWith(`${path}:${wrong}`), err);
    }
    assert.match(run('serve', '--config', `${work}/none.conf`).err, /none\.conf:0: /);
    fs.writeFileSync(path, 'log');
    assert.equal(run('serve', '--config', path, '--port', 'x').status, 2);
}

// ---- The log and the figures ------------------------------------------------------------------

const sources = new URL('../src/', import.meta.url);
const source = (name) => fs.readFileSync(new URL(name, sources), 'utf8');
// The names in the first column of the table with this head.
const column = (head) => [...document.split(`\n| ${head} |`)[1].split('\n\n')[0]
    .matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, names]) => names.match(/[\w-]+/g));

function allEventsAreDocumented() {
    const events = [...source('rooms/events.h').matchAll(/X\([A-Z_]+, "([a-z-]+)"/g)]
        .map(([, name]) => name);
    for (const file of fs.readdirSync(new URL('server/', sources)))
        events.push(...[...source(`server/${file}`).matchAll(/"event=([a-z-]+)/g)]
            .map(([, name]) => name));
    assert.deepEqual(column('event').sort(), [...new Set(events)].sort());
}

async function allLimitsAreDocumented() {
    const server = await start('--data', 'memory', '--port', '0');
    const [text] = await metrics(server.at);
    await stop(server);
    const limits = [...text.matchAll(/^endstation_limited\{limit="(\w+)"\} 0$/gm)]
        .map(([, name]) => name);
    assert.ok(limits.length > 10);
    assert.deepEqual(column('limit').sort(), limits.sort());
}

// Nobody can fill a disk with lines: refusals are told together, and none is left out.
async function limitsAreToldTogether() {
    const server = await start('--data', 'memory', '--port', '0', '--log',
        '--limits', 'requests=1');
    let refused = 0;
    while (refused < 50)
        refused += (await ask(server.at, '/api/rooms')).status === 429;
    assert.equal(await figure(server.at, limited('requests')), refused);
    await stop(server);
    const told = [...server.log().matchAll(/^time=\S+ event=limit limit=requests refused=(\d+)$/gm)]
        .map(([, count]) => Number(count));
    assert.ok(told.length >= 1 && told.length <= 2, server.log());
    assert.equal(told.reduce((sum, count) => sum + count), refused);
}

// What Prometheus expects: a version, and histograms whose classes add up.
async function figuresHaveVersionAndTimes() {
    const server = await start('--data', 'memory', '--port', '0');
    assert.equal((await post(server.at, '/api/guest', { name: 'Ada' })).status, 200);
    const [text] = await metrics(server.at);
    await stop(server);
    const version = run('--version').out.trim().split(' ').at(-1);
    assert.ok(text.includes(`\nendstation_build_info{version="${version}"} 1\n`), text);
    for (const [name, count] of [['http_seconds', 1], ['move_seconds', 0]]) {
        const counts = [...text.matchAll(
            new RegExp(`^endstation_${name}_bucket\\{le="(.*)"\\} (\\d+)$`, 'gm'))];
        assert.equal(counts.at(-1)[1], '+Inf');
        assert.equal(Number(counts.at(-1)[2]), count);
        assert.ok(text.includes(`\nendstation_${name}_count ${count}\n`));
        assert.match(text, new RegExp(`\nendstation_${name}_sum [\\d.e-]+\n`));
        const ends = counts.slice(0, -1).map(([, end]) => Number(end));
        assert.deepEqual(ends, ends.toSorted((a, b) => a - b));
        for (let i = 1; i < counts.length; i++)
            assert.ok(Number(counts[i][2]) >= Number(counts[i - 1][2]));
    }
}

// The figures that a text names, with or without a label, exist. (Those of the listener are only
// there with PostgreSQL.)
async function namedFiguresExist() {
    const server = await start('--data', 'memory', '--port', '0');
    const [text] = await metrics(server.at);
    await stop(server);
    const known = new Set([...text.matchAll(/^(endstation_\w+)(\{\w+="[^"]+"\})? /gm)]
        .flatMap(([, name, label]) => (label ? [name, name + label] : [name])));
    for (const [, name] of source('server/metrics.c').matchAll(/"(listener_\w+)"/g))
        known.add(`endstation_${name}`);
    for (const words of [document.replace(/\n```nginx[^]*?\n```/g, ''), alerts])
        for (const [name] of words.matchAll(/(?<=[ `(])endstation_[a-z_]+(\{limit="\w+"\})?/g))
            assert.ok(known.has(name) || known.has(`${name}_bucket`), name);
}

const alerts = fs.readFileSync(new URL('../docs/alerts.yml', import.meta.url), 'utf8');

// Every rule has what Prometheus demands, in its order, and says what to do.
function alertRulesAreComplete() {
    const [head, ...rules] = alerts.replace(/^ *#.*\n/gm, '').split(/^ {6}- alert: /m);
    assert.equal(head, 'groups:\n  - name: endstation\n    rules:\n');
    assert.ok(rules.length > 10);
    const form = new RegExp('^Endstation\\w+\\n {8}expr: (>-\\n( {10}.+\\n)+|.+\\n)' +
        '( {8}for: \\d+[mh]\\n)? {8}annotations:\\n {10}summary: [^:#]+[.?]\\n$');
    for (const rule of rules)
        assert.match(rule, form);
    const names = rules.map((rule) => rule.split('\n')[0]);
    assert.equal(new Set(names).size, names.length);
}

// ---- Services, backups and the way back -------------------------------------------------------

const unitFiles = examples('ini', '[').filter((text) => text.startsWith('[Unit]'));
const [service, backupService, backupTimer] = unitFiles;
const here = (text) => text.replaceAll('/usr/local/bin/endstation', program)
    .replaceAll('/var/lib/private/endstation', `${work}/kept`)
    .replaceAll('/var/backups/endstation', `${work}/backups`)
    .replaceAll('/run/endstation', work);

function unitsAreValid() {
    assert.equal(unitFiles.length, 3);
    if (spawnSync('systemd-analyze', ['--version']).status !== 0)
        return;
    const files = [['endstation.service', service], ['endstation-backup.service', backupService],
        ['endstation-backup.timer', backupTimer]].map(([name, text]) => {
        fs.writeFileSync(`${work}/${name}`, `${here(text)}\n`);
        return `${work}/${name}`;
    });
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files],
        { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.equal(stderr.split('\n').filter((line) => line.includes(work)).join('\n'), '');
}

// Runs the commands of the backup's unit, in order, as systemd does: without a shell.
function backUp() {
    for (const [, command] of here(backupService).matchAll(/^ExecStart\w*=(.*)$/gm)) {
        const words = [...command.replaceAll('%%', '%').matchAll(/'([^']*)'|(\S+)/g)]
            .map(([, quoted, plain]) => quoted ?? plain);
        const { status, stderr } = spawnSync(words[0], words.slice(1), { encoding: 'utf8' });
        assert.equal(status, 0, `${command}\n${stderr}`);
    }
}

async function backupsAreMadeAndOldOnesDeleted() {
    const server = await start('--data', `${work}/kept`, '--port', '0');
    backUp();
    const [first, ...more] = fs.readdirSync(`${work}/backups`);
    assert.equal(more.length, 0);
    assert.match(first, /^\d{4}-\d\d-\d\d-\d{6}\.db$/);
    const old = Date.now() / 1000 - 15 * 24 * 3600;
    fs.renameSync(`${work}/backups/${first}`, `${work}/backups/old.db`);
    fs.utimesSync(`${work}/backups/old.db`, old, old);
    fs.writeFileSync(`${work}/backups/note.txt`, '');
    fs.utimesSync(`${work}/backups/note.txt`, old, old);
    backUp();
    await stop(server);
    assert.deepEqual(fs.readdirSync(`${work}/backups`).filter((name) => !/^\d/.test(name)),
        ['note.txt']);
    assert.equal(fs.readdirSync(`${work}/backups`).length, 2);
}

// The steps under "Going back to a backup", by a shell; only systemctl is ours.
async function restoreStepsBringTheBackupBack() {
    const [steps, ...more] = examples('sh', 'install -m 600 FILE rooms.db');
    assert.equal(more.length, 0);
    const files = ['--data', `${work}/kept`, '--listen', `unix:${work}/socket`];
    const server = await start(...files);
    const ada = (await post(server.at, '/api/guest', { name: 'Ada' })).json();
    assert.equal(run('backup', '--data', `${work}/kept`, `${work}/good.db`).status, 0);
    const eve = (await post(server.at, '/api/guest', { name: 'Eve' })).json();
    fs.mkdirSync(`${work}/bin`);
    fs.writeFileSync(`${work}/bin/systemctl`, `#!/bin/sh
case $1 in
stop)
    kill -TERM ${server.child.pid}
    while [ -e ${work}/socket ]; do sleep 0.05; done ;;
start)
    "${program}" serve ${files.join(' ')} >${work}/out 2>&1 &
    echo $! >${work}/started
    until [ -s ${work}/out ]; do sleep 0.05; done ;;
esac
`, { mode: 0o755 });
    const hasCurl = spawnSync('curl', ['--version']).status === 0;
    const typed = here(steps).replace('FILE', `${work}/good.db`)
        .replace(/^curl .*$/m, (line) => (hasCurl ? line : 'echo ok'));
    const shell = spawnSync('sh', ['-ec', typed],
        { encoding: 'utf8', env: { ...process.env, PATH: `${work}/bin:${process.env.PATH}` } });
    try {
        assert.equal(shell.status, 0, shell.stderr);
        assert.equal(shell.stdout, 'ok\n');
        for (const [{ token }, code] of [[ada, undefined], [eve, 'TOKEN_BAD']]) {
            const client = await enter(`${work}/socket`, 'lobby', { token });
            const message = await (code ? client.next('no') : client.next('welcome'));
            assert.equal(message.code, code);
            client.destroy();
        }
    } finally {
        process.kill(Number(fs.readFileSync(`${work}/started`, 'utf8')));
    }
    const before = fs.readdirSync(`${work}/kept`).filter((name) => name.startsWith('before-'));
    assert.equal(before.length, 1);
    assert.ok(fs.existsSync(`${work}/kept/${before[0]}/rooms.db`));
}

await runTests([configurationExampleStartsTheServer, commandLineWinsOverTheFile,
    mistakesInTheFileNameTheirLine, allEventsAreDocumented, allLimitsAreDocumented,
    limitsAreToldTogether, figuresHaveVersionAndTimes, namedFiguresExist, alertRulesAreComplete,
    unitsAreValid, backupsAreMadeAndOldOnesDeleted, restoreStepsBringTheBackupBack]);
