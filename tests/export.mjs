// Export, import and check, by real servers: records of finished games while a server runs;
// everything moved to another store, where games continue; commands that are killed and repeated:
// export.mjs PROGRAM [postgres]. With that word the other store is a private PostgreSQL, else
// another SQLite. This file has an archive writer of its own, after docs/formats.md.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { arrive, ask, enter, guest, makeRoom, post, postgres, program, runTests, sit, start,
    stop, usesPostgres, work } from './serving.mjs';

function run(...args) {
    const { status, stdout, stderr } = spawnSync(program, args);
    return { status, out: stdout.toString(), err: stderr.toString() };
}

function good(...args) {
    const { status, out, err } = run(...args);
    assert.equal(status, 0, `${args.join(' ')}: ${err}`);
    assert.equal(err, ''); // progress is for terminals
    return out;
}

function bad(words, ...args) {
    const { status, out, err } = run(...args);
    assert.equal(status, 1, `${args.join(' ')}: ${out}`);
    assert.match(err, words);
}

// A store: the options that name it, also for serve. (`--data=X`, so that serving.mjs leaves it.)
const sqlite = (name) => `--data=${work}/${name}`;
let databases = 0;
const other = (name) => (usesPostgres ? `--store=${postgres('database', `x${databases++}`)}`
    : sqlite(name));
const serve = (store) => start(store, '--port', '0', '--limits', 'requests=1000');

// ---- Games ------------------------------------------------------------------------------------

// Waits until a seat has seen what is `wanted`; keeps its record, and who is due.
async function follow(seat, wanted) {
    for (;;) {
        const message = JSON.parse(await seat.take());
        if (message.t === 'view')
            seat.text = message.text;
        if (message.t === 'lines' && message.lines.length > 0)
            seat.text += `${message.lines.join('\n')}\n`;
        if (message.due)
            Object.assign(seat, { due: message.due, left: message.left });
        if (message.t === 'record')
            seat.record = message.text;
        if (wanted(message))
            return message;
    }
}

async function begin(seats) {
    seats[0].json({ t: 'start', key: 'start' });
    for (const seat of seats) {
        await seat.next('room', (message) => message.phase === 'words');
        seat.json({ t: 'word', word: seat.word.toString('hex') });
    }
    await Promise.all(seats.map((seat) => follow(seat, () => seat.due?.length > 0)));
}

function legal(seat, number, sheet) {
    fs.writeFileSync(`${work}/view`, seat.text);
    return good('moves', ...sheet ? ['--map', sheet] : [], `${work}/view`).split('\n')
        .filter((line) => line.startsWith(`${number} `));
}

// Makes a room for one person with verplant, and plays `moves` decisions; then closes it, unless
// the game is over before. Returns the room's id.
async function solo(at, person, key, moves, setup = 'game verplant\nmap practice\nplayers 1\n',
    sheet) {
    const { room } = await makeRoom(at, person.token, { key, setup });
    let seat = await arrive(at, room, { token: person.token });
    await sit(seat, 1);
    await begin([seat]);
    for (let decision = 0; decision < moves && !seat.record; decision++) {
        const [event] = legal(seat, 1, sheet);
        const before = seat.text;
        seat.json({ t: 'move', decision, event });
        await follow(seat, () => seat.record || (seat.text !== before && seat.due.length > 0));
        if (decision % 15 === 14 && !seat.record) { // because of the limit of messages
            const { text } = seat;
            seat.destroy();
            seat = await enter(at, room, { token: person.token });
            await follow(seat, (message) => message.t === 'view');
            assert.equal(seat.text, text);
        }
    }
    if (!seat.record) {
        seat.json({ t: 'close', key: 'close' });
        await follow(seat, () => seat.record);
    }
    seat.destroy();
    return room;
}

// ---- Records ----------------------------------------------------------------------------------

async function testRecords() {
    const store = sqlite('records');
    const folder = `${work}/made/below`;
    const server = await serve(store);
    const { at } = server;
    const ada = await guest(at, 'Ada');
    const map = good('maps', 'practice').replace(/^id .*$/m, 'id my-town');
    fs.writeFileSync(`${work}/town.map`, map);
    const sheet = (await ask(at, '/api/map', { method: 'POST',
        headers: { 'Content-Type': 'text/plain' }, body: map })).json().map;
    const rooms = [await solo(at, ada, 'a', 1000), await solo(at, ada, 'b', 3),
        await solo(at, ada, 'c', 2, `game verplant\nmap my-town ${sheet}\nplayers 1\n`,
            `${work}/town.map`)];
    const { room: open } = await makeRoom(at, ada.token, { key: 'open' }); // goes on
    const { room: empty } = await makeRoom(at, ada.token, { key: 'empty' }); // never begins
    const host = await arrive(at, empty, { token: ada.token });
    host.json({ t: 'close', key: 'close' });
    await host.next('room', (message) => message.phase === 'closed');

    const check = async (now) => {
        good('export', '--records', folder, store);
        assert.deepEqual(fs.readdirSync(folder).sort(),
            [...rooms.map((room) => `${room}.record`), `${sheet}.map`].sort());
        for (const room of rooms) {
            const file = `${folder}/${room}.record`;
            const text = fs.readFileSync(file, 'utf8');
            if (now)
                assert.equal(text, (await ask(at, `/api/rooms/${room}/record`)).text);
            assert.match(text, /\nsecret [0-9a-f]{64}\n/);
            good('verify', ...text.includes('my-town') ? ['--map', `${folder}/${sheet}.map`] : [],
                file);
        }
        assert.equal(fs.readFileSync(`${folder}/${sheet}.map`, 'utf8'),
            map.replace(/^#.*\n|^\n/gm, '')); // as C writes it: without comments
    };
    await check(true);
    assert.match(fs.readFileSync(`${folder}/${rooms[0]}.record`, 'utf8'), /\nplayer 1 Ada\n/);
    // What is there is left; half a file of an interrupted export is not taken for a record.
    fs.writeFileSync(`${folder}/${rooms[0]}.record`, 'mine');
    fs.renameSync(`${folder}/${rooms[1]}.record`, `${folder}/${rooms[1]}.record.part`);
    fs.truncateSync(`${folder}/${rooms[1]}.record.part`, 100);
    good('export', '--records', folder, store);
    assert.equal(fs.readFileSync(`${folder}/${rooms[0]}.record`, 'utf8'), 'mine');
    fs.unlinkSync(`${folder}/${rooms[0]}.record`);
    await check(true);
    // A game that ends later comes with the next export.
    rooms.push(await solo(at, ada, 'd', 1));
    await check(true);
    // Everything only when no server uses it.
    bad(/another server \(process \d+\) uses .*rooms.db/, 'export', `${work}/all`, store);
    bad(/another server/, 'import', await archive('small', 2), store);
    await stop(server);
    await check(false);
    // From the other store it is the same.
    const target = other('records2');
    good('export', `${work}/all`, store);
    good('import', `${work}/all`, target);
    fs.renameSync(folder, `${folder}.old`);
    good('export', '--records', folder, target);
    for (const name of fs.readdirSync(folder))
        assert.ok(fs.readFileSync(`${folder}/${name}`)
            .equals(fs.readFileSync(`${folder}.old/${name}`)), name);
    await check(false);
    assert.ok(!fs.existsSync(`${folder}/${open}.record`));
}

// ---- What is old -------------------------------------------------------------------------------

// Has all rooms that are over be over for 500 days.
function ageRooms(file) {
    const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -2).map((line) => {
        const words = line.split(' ');
        if (words[0] === 'room' && words[4] === 'over')
            for (const place of [5, 8])
                words[place] = String(Number(words[place]) - 500 * 24 * 3600_000);
        return words.join(' ');
    });
    fs.writeFileSync(file, finish(lines));
}

// Games that are old are deleted by a server with the usual options, after their records were
// written; and nothing else.
async function testKeep() {
    const store = sqlite('keep'), target = other('keep2'), folder = `${work}/kept/below`;
    let server = await serve(store);
    const ada = await guest(server.at, 'Ada');
    const map = good('maps', 'practice').replace(/^id .*$/m, 'id my-town');
    fs.writeFileSync(`${work}/town.map`, map);
    const sheet = (await ask(server.at, '/api/map', { method: 'POST',
        headers: { 'Content-Type': 'text/plain' }, body: map })).json().map;
    const old = [await solo(server.at, ada, 'a', 3),
        await solo(server.at, ada, 'b', 2, `game verplant\nmap my-town ${sheet}\nplayers 1\n`,
            `${work}/town.map`)];
    const { room: empty } = await makeRoom(server.at, ada.token, { key: 'empty' });
    const host = await arrive(server.at, empty, { token: ada.token });
    host.json({ t: 'close', key: 'close' });
    await host.next('room', (message) => message.phase === 'closed');
    await stop(server);
    good('export', `${work}/aged`, store);
    ageRooms(`${work}/aged`);
    good('import', `${work}/aged`, target);
    const record = {};
    good('export', '--records', `${work}/before`, target);
    for (const name of fs.readdirSync(`${work}/before`))
        record[name] = fs.readFileSync(`${work}/before/${name}`, 'utf8');
    assert.equal(Object.keys(record).length, 3);

    const status = async (room) => (await ask(server.at, `/api/rooms/${room}`,
        { headers: { Authorization: `Bearer ${ada.token}` } })).status;
    server = await start(target, '--port', '0', '--keep', 'for-ever');
    const fresh = await solo(server.at, ada, 'c', 1);
    assert.equal(await status(old[0]), 200);
    await stop(server);
    server = await start(target, '--port', '0', '--limits', 'requests=100000', '--keep-records',
        folder);
    for (const room of [empty, ...old])
        while (await status(room) !== 404) {
            // it is deleted soon
        }
    for (const name of Object.keys(record))
        assert.equal(fs.readFileSync(`${folder}/${name}`, 'utf8'), record[name], name);
    assert.deepEqual(fs.readdirSync(folder).sort(), Object.keys(record).sort());
    assert.equal(await status(fresh), 200);
    await stop(server);
    fs.writeFileSync(`${work}/file`, '');
    bad(/file: Not a directory/, 'serve', '--port', '0', '--data', 'memory', '--keep-records',
        `${work}/file`);
}

// ---- Everything -------------------------------------------------------------------------------

// Ends the lines of an archive: counts and hash.
function finish(lines) {
    const count = (word) => lines.filter((line) => line.startsWith(`${word} `)).length;
    const text = `${lines.join('\n')}\nend ${count('guest')} ${count('sheet')} ${count('room')} ` +
        `${count('entry')}`;
    return `${text} ${createHash('sha256').update(text).digest('hex')}\n`;
}

// Moves everything in a file to the past, except tickets: as if the export had been then.
function age(file, ms) {
    const places = { state: [1], gap: [1, 2], device: [2], sheet: [2], room: [5, 7, 8],
        entry: [2] };
    const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -2).map((line) => {
        const words = line.split(' ');
        for (const place of places[words[0]] ?? [])
            words[place] = words[place] === '0' ? '0' : String(Number(words[place]) - ms);
        return words.join(' ');
    });
    fs.writeFileSync(file, finish(lines));
}

// A file with many guests and rooms.
async function archive(name, count) {
    const file = `${work}/${name}-${count}`;
    const id = (i) => i.toString(36).padStart(12, '0');
    const hash = (text) => createHash('sha256').update(text).digest('hex');
    const lines = ['endstation-export 1', `state 1700000000000 ${hash('key')}`,
        'gap 1600000000000 1600000005000'];
    const numbers = [...Array(count).keys()].sort((a, b) => (id(a) < id(b) ? -1 : 1));
    for (const i of numbers) {
        lines.push(`guest ${id(i)} ${i % 8} Gäst ${i}`);
        lines.push(`device 0011aabb 1600000000000 ${hash(`token ${i}`)} Firefox \\\\ ${i}`);
        if (i % 3 === 0)
            lines.push(`ticket ${hash(`ticket ${i}`)} 1700000600000`);
    }
    for (const i of numbers) {
        const over = i % 2 ? 'over 1650000000000' : 'open 0';
        lines.push(`room ${id(i)} ${i % 5 ? id(i).slice(-8).toUpperCase() : '-'} - ${over} - 0 ` +
            `1660000000000 ${id(i)} +3 Gäst ${i}\\n`);
        for (let k = 1; k <= 20; k++)
            lines.push(`entry ${k} ${1640000000000 + k} ${k === 1 ? 'm' : k % 5 ? 'e' : 'C'} ` +
                `${k % 5 ? 1 : 0} ${k === 1 || k % 5 === 0 ? '-' : k} ${id(i)} ` +
                `${k % 5 ? '-' : `key${k}`} text ${k}\\n of\\troom ${i}`);
    }
    fs.writeFileSync(file, finish(lines));
    return file;
}

async function testMove() {
    const from = sqlite('from');
    let server = await serve(from);
    const people = [await guest(server.at, 'Ada'), await guest(server.at, 'Bö')];
    const tokens = people.map(({ token }) => token);
    const { room, code } = await makeRoom(server.at, tokens[0], { key: 'duel', open: false,
        clock: 3600 });
    const { room: table } = await makeRoom(server.at, tokens[1], { key: 'table' });
    const over = await solo(server.at, people[0], 'over', 2);
    let seats = await Promise.all(tokens.map((token) => arrive(server.at, room, { token, code })));
    await sit(seats[0], 1);
    await sit(seats[1], 2);
    seats[1].json({ t: 'chat', key: 'hi', text: 'Grüße \\n' });
    await seats[1].next('ok');
    await begin(seats);
    const decisions = [0, 0];
    const made = [[], []]; // events by seat
    const move = async () => {
        const [due] = seats[0].due;
        const [event] = legal(seats[due - 1], due);
        const before = seats.map(({ text }) => text);
        made[due - 1].push(event);
        seats[due - 1].json({ t: 'move', decision: decisions[due - 1]++, event });
        await Promise.all(seats.map((one, i) => follow(one, () => one.text !== before[i] &&
            one.due.length > 0 && one.due[0] !== due)));
    };
    for (let i = 0; i < 5; i++)
        await move();
    seats[0].json({ t: 'ticket' });
    const { ticket } = await seats[0].next('ticket');
    const texts = seats.map(({ text }) => text);
    const records = await Promise.all([over, table].map(async (one) =>
        (await ask(server.at, `/api/rooms/${one}`)).text));
    await stop(server);

    const dateless = (text) => text.replace(/^date .*\n/m, '');
    // Everybody finds everything in the other store, ten hours later.
    const check = async (store, keys) => {
        server = await serve(store);
        seats = await Promise.all(tokens.map((token) => enter(server.at, room, { token })));
        for (const [i, seat] of seats.entries()) {
            await follow(seat, (message) => message.t === 'view');
            assert.equal(dateless(seat.text), dateless(texts[i]));
            for (const left of seat.left) // of an hour: no downtime is counted
                assert.ok(left > 2400000, `${left} ms are left`);
            assert.equal((await seat.next('chat')).text, 'Grüße \\n');
        }
        // A decision is made once, whatever the store.
        seats[0].json({ t: 'move', decision: 0, event: made[0][0] });
        assert.equal((await seats[0].next('ok')).decision, 0);
        seats[0].json({ t: 'move', decision: 0, event: made[0][1] });
        assert.equal((await seats[0].next('no')).code, 'DECISION_MADE');
        seats[1].json({ t: 'chat', key: 'hi', text: 'Grüße \\n' });
        await seats[1].next('ok');
        assert.equal((await makeRoom(server.at, tokens[1], { key: 'table' })).room, table);
        for (let i = 0; i < 4; i++)
            await move();
        seats.forEach(({ text }, i) => { texts[i] = text; });
        assert.deepEqual(await Promise.all([over, table].map(async (one) =>
            (await ask(server.at, `/api/rooms/${one}`)).text)), records);
        const { tables } = (await ask(server.at, '/api/rooms')).json();
        assert.deepEqual(tables.map((one) => one.room), [table]);
        seats[0].json({ t: 'devices' });
        assert.equal((await seats[0].next('devices')).devices.length, keys);
        await stop(server);
    };
    const first = other('to');
    good('export', `${work}/moved`, from);
    assert.equal(fs.statSync(`${work}/moved`).mode & 0o777, 0o600);
    const unaged = fs.readFileSync(`${work}/moved`);
    good('export', `${work}/moved`, from); // it is there
    age(`${work}/moved`, 36000000);
    bad(/moved: File exists/, 'export', `${work}/moved`, from);
    good('import', `${work}/moved`, first);
    good('import', `${work}/moved`, first); // it is all there
    good('export', `${work}/again`, first);
    assert.ok(fs.readFileSync(`${work}/again`).equals(fs.readFileSync(`${work}/moved`)));
    // Nothing else goes there, and nothing goes elsewhere.
    fs.writeFileSync(`${work}/unaged`, unaged);
    bad(/the store is not empty: (a server has used it|it has another)/, 'import', `${work}/unaged`,
        first);
    bad(/the store is not empty/, 'import', await archive('small', 3), first);
    await check(first, 1);
    bad(/the store is not empty: (a server has used it|it has another)/, 'import', `${work}/moved`,
        first);
    // The ticket of before is good, once; then everything moves back.
    server = await serve(first);
    const device = await post(server.at, '/api/device', { ticket, label: 'Phone' });
    assert.equal(device.status, 200, device.text);
    assert.equal((await post(server.at, '/api/device', { ticket, label: 'Phone' })).status, 404);
    await stop(server);
    const second = sqlite('back');
    good('export', `${work}/back.file`, first);
    age(`${work}/back.file`, 36000000);
    good('import', `${work}/back.file`, second);
    assert.match(good('check', first),
        /^3 rooms with \d+ entries, 2 guests, 0 sheets: no fault\n$/);
    await check(second, 2);
}

// A server that runs on a shared store is seen, whoever asks.
async function testRunning() {
    if (!usesPostgres)
        return;
    const store = other();
    const server = await serve(store);
    await guest(server.at, 'Ada');
    const file = { export: `${work}/never`, import: await archive('small', 2) };
    for (const command of ['export', 'import'])
        bad(/1 server is using this store .*: stop it first/, command, file[command], store);
    assert.ok(!fs.existsSync(`${work}/never`));
    await stop(server);
    good('export', `${work}/never`, store);
}

// ---- Sudden ends ------------------------------------------------------------------------------

// Runs a command, killed at some moment, again and again until it is done. The first is killed
// after a millisecond, later ones after longer. Returns how often it was killed.
async function insist(...args) {
    for (let ms = 1, kills = 0; ; ms = ms * 1.3 + 1, kills++) {
        const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
        let err = '';
        child.stderr.on('data', (data) => { err += data; });
        const timer = setTimeout(() => child.kill('SIGKILL'), ms);
        const { code, signal } = await new Promise((resolve) => {
            child.on('close', (...end) => resolve({ code: end[0], signal: end[1] }));
        });
        clearTimeout(timer);
        if (signal === null) {
            assert.equal(code, 0, err);
            return kills;
        }
    }
}

async function testKills() {
    const file = await archive('large', 1500);
    const text = fs.readFileSync(file);
    const [one, two] = [sqlite('killed'), other('killed2')];
    let kills = await insist('import', file, one);
    kills += await insist('export', `${work}/killed.file`, one);
    assert.ok(fs.readFileSync(`${work}/killed.file`).equals(text));
    assert.ok(!fs.existsSync(`${work}/killed.file.part`));
    kills += await insist('import', `${work}/killed.file`, two);
    kills += await insist('export', `${work}/killed2.file`, two);
    assert.ok(fs.readFileSync(`${work}/killed2.file`).equals(text));
    assert.ok(kills > 10);
}

// The process dies when a file of its store grows beyond a megabyte.
async function testPart() {
    const file = await archive('part', 1500);
    const target = sqlite('part');
    const limited = spawnSync('sh', ['-c', 'ulimit -f 2048 && exec "$0" "$@"', program, 'import',
        file, target]);
    assert.ok(limited.signal ?? limited.status, 'the import was interrupted');
    const words = /: an import into this store was interrupted; repeat it first\n$/;
    bad(words, 'export', `${work}/part.file`, target);
    bad(words, 'export', '--records', `${work}/part.records`, target);
    assert.deepEqual(fs.readdirSync(work).filter((name) => /^part\.(file|records)/.test(name)), []);
    bad(words, 'serve', '--port', '0', target);
    bad(words, 'check', target);
    good('import', file, target);
    good('export', `${work}/part.file`, target);
    assert.ok(fs.readFileSync(`${work}/part.file`).equals(fs.readFileSync(file)));
}

async function testDamage() {
    const file = await archive('damaged', 20);
    const target = sqlite('damaged');
    const text = fs.readFileSync(file, 'utf8');
    for (const [change, words] of [
        [(all) => all.replace('Gäst 7', 'Gast 7'), /: the hash is wrong/],
        [(all) => all.slice(0, -1), /: the file is cut off: the end is missing\n/],
        [(all) => all.slice(0, all.length / 2), /line \d+: the file is cut off/],
        [(all) => all.replace(/^entry 7 .*\n/m, ''), /line \d+: it is out of order\n/],
        [(all) => all.replace(/^(guest .*\n)(device .*\n)/m, '$2$1'), /line 4: it is out of order/],
        [(all) => all.replace('endstation-export 1', 'endstation-export 2'),
            /line 1: version 2 of the format; this program knows 1: use a newer one/],
        [(all) => all.replace(/^guest .*\n(device .*\n)(ticket .*\n)?/m, ''),
            /the numbers of guests, sheets, rooms and entries are wrong/],
        [() => 'SQLite format 3\0', /line 1: the file is cut off/],
        [() => 'Dear Ada,\n', /line 1: this is not a file of 'endstation export'/],
    ]) {
        fs.writeFileSync(`${work}/damage`, change(text));
        bad(words, 'import', `${work}/damage`, target);
        assert.ok(!fs.existsSync(`${work}/damaged/rooms.db`)); // not even an empty store
    }
    // A store whose rooms make no sense can be moved, but has no records.
    good('import', file, target);
    bad(/^endstation export: 10 rooms cannot be read; the first is 000000000001\n$/, 'export',
        '--records', `${work}/senseless`, target);
    assert.deepEqual(fs.readdirSync(`${work}/senseless`), []);
    const { status, out } = run('check', target);
    assert.equal(status, 1);
    assert.equal(out.match(/^room [0-9a-z]{12}: its entries contradict each other$/mg).length, 20);
    assert.match(out, /\n20 rooms with 0 entries, 20 guests, 0 sheets: 20 faults\n$/);
    for (const args of [['check', 'a'], ['check', '--store', 'mysql://'],
        ['export'], ['export', 'a', 'b'], ['export', 'a', '--records', 'b'],
        ['import'], ['import', '-'], ['import', 'a', '--store', 'mysql://'],
        ['import', 'a', '--store', 'postgres://x', '--data', 'y']])
        assert.equal(run(...args).status, 2, args.join(' '));
    bad(/rooms.db: No such file/, 'export', `${work}/never2`, sqlite('nowhere'));
    bad(/rooms.db: No such file/, 'check', sqlite('nowhere'));
    assert.ok(!fs.existsSync(`${work}/nowhere`));
}

// What only damage makes: `check` finds it, also while the server runs.
async function testCheck() {
    if (usesPostgres)
        return;
    const store = sqlite('checked');
    const change = (...sql) => {
        const code = 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); ' +
            '[db.execute(sql) for sql in sys.argv[2:]]; db.commit()';
        const { status, stderr } = spawnSync('python3', ['-c', code, `${work}/checked/rooms.db`,
            ...sql]);
        assert.equal(status, 0, stderr.toString());
    };
    const check = () => run('check', store);
    const server = await serve(store);
    const ada = await guest(server.at, 'Ada');
    const map = good('maps', 'practice').replace(/^id .*$/m, 'id my-town');
    const sheet = (await ask(server.at, '/api/map', { method: 'POST',
        headers: { 'Content-Type': 'text/plain' }, body: map })).json().map;
    const rooms = [await solo(server.at, ada, 'a', 3), await solo(server.at, ada, 'b', 2),
        await solo(server.at, ada, 'c', 1), (await makeRoom(server.at, ada.token)).room];
    assert.match(check().out, /^4 rooms with \d+ entries, 1 guests, 1 sheets: no fault\n$/);
    await stop(server);
    assert.equal(check().status, 0);
    // A clock was two days ahead; a server that starts when it is right mends what that left, or
    // `check` does if none runs, and nothing else is wrong.
    const goAhead = () => change(
        'INSERT INTO gap (start, end) SELECT time, time + 172800000 FROM alive',
        'UPDATE alive SET time = time + 172800000');
    goAhead();
    await stop(await serve(store));
    assert.match(check().out, /^4 rooms .*: no fault\n$/);
    goAhead();
    const mended = check();
    assert.equal(mended.status, 0);
    assert.match(mended.out, /^times: some were in the future, .* mended\n.*: no fault\n$/);
    assert.match(check().out, /^4 rooms .*: no fault\n$/);
    goAhead();
    const busy = spawnSync('flock', [`${work}/checked/rooms.db.lock`, program, 'check', store]);
    assert.equal(busy.status, 1);
    assert.match(busy.stdout.toString(), /^times: some lie in the future.*\n.*: 1 fault\n$/);
    change('INSERT INTO entry VALUES (77, 1, 0, 67, 0, -1, \'\', \'\', \'\')');
    assert.match(check().out, /^database: .*\ntimes: some lie in the future.*\n.*: 2 faults\n$/);
    change('DELETE FROM entry WHERE room = 77');
    assert.match(check().out, /^times: some were in the future.*\n.*: no fault\n$/);
    const of = (room) => `(SELECT n FROM room WHERE id = '${room}')`;
    change(`DELETE FROM entry WHERE number = 3 AND room = ${of(rooms[0])}`,
        `UPDATE room SET over = 0 WHERE id = '${rooms[1]}'`,
        `DELETE FROM entry WHERE room = ${of(rooms[2])}`,
        `UPDATE room SET listed = 0 WHERE id = '${rooms[3]}'`,
        `UPDATE map SET text = replace(text, 'my-town', 'my-toad')`,
        `INSERT INTO entry VALUES (77, 1, 0, 67, 0, -1, '', '', '')`);
    const { status, out } = check();
    assert.equal(status, 1);
    assert.deepEqual(out.split('\n').slice(0, -2).sort(), ['database: 1 entries of no room',
        `room ${rooms[0]}: its entries contradict each other`,
        `room ${rooms[1]}: its entries say that it is over, and its head that it is not`,
        `room ${rooms[2]}: has no entries`,
        `room ${rooms[3]}: its head and its entries disagree about the lobby`,
        `sheet ${sheet}: the text is that of another one`].sort());
    // Entries that can be left out without a contradiction are missed, too.
    change(`UPDATE entry SET number = number + 1 WHERE room = ${of(rooms[1])} AND number = ` +
        `(SELECT max(number) FROM entry WHERE room = ${of(rooms[1])})`,
    `UPDATE room SET over = 1 WHERE id = '${rooms[1]}'`);
    assert.match(check().out, new RegExp(`^room ${rooms[1]}: entries are missing$`, 'm'));
    // A page is overwritten.
    const file = fs.openSync(`${work}/checked/rooms.db`, 'r+');
    fs.writeSync(file, Buffer.alloc(4096), 0, 4096, 4096);
    fs.closeSync(file);
    const damaged = check();
    assert.equal(damaged.status, 1);
    assert.match(damaged.out, /^database: .*\n.*Page 2/);
}

await runTests([testRecords, testKeep, testMove, testRunning, testKills, testPart, testDamage,
    testCheck]);
