// Nothing leaks over real sockets: two servers with the same randomness play the same game, but for
// one thing that some viewers may not know. Those viewers get the same bytes in the same order,
// over WebSocket, after reconnects, and over HTTP: twins.mjs PROGRAM TWIN_SERVER.
//
// The thing is, in verplant, what two players have entered in an open round, and in how many
// entries; in metro, a tile in somebody's hand. The owner of the thing has to see the difference
// everywhere, so that a comparison of nothing cannot pass, and faults that are put into the server
// on purpose have to be found.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';
import { ask, enter, guest, launch, makeRoom, program, runTests, sit, work } from './serving.mjs';

const run = promisify(execFile);
const twin = process.argv[3];
const mutations = { LEAK_ENTRY: 4, SHOW_NUMBER: 5, LEAK_TIMING: 10 };

async function startTwin(...args) {
    const server = launch(twin, args.map(String));
    return { ...server, at: Number(await server.said) };
}

async function stopTwin(server) {
    server.child.kill('SIGTERM');
    assert.deepEqual(await server.ended, { code: 0, signal: null }, server.log());
}

// All moves of a player in a view, as `endstation moves` lists them.
let views = 0;
async function movesOf(text, player) {
    const file = `${work}/view${views++}`;
    fs.writeFileSync(file, text);
    const { stdout } = await run(program, ['moves', file]);
    fs.rmSync(file);
    return stdout.split('\n').filter((line) => line.startsWith(`${player} `));
}

// Somebody at the table: `log` is everything that came, `text` the view, `due` who has to move.
async function come(at, room, options = {}) {
    const client = await enter(at, room, options);
    const person = { client, token: options.token, log: [], text: '', due: [], decision: 0 };
    person.read = async (good) => {
        for (;;) {
            const raw = await client.take();
            person.log.push(raw.replace(/\\ndate \d{4}-\d\d-\d\d\\n/, '\\ndate\\n'));
            const message = JSON.parse(raw);
            if (message.t === 'view')
                person.text = message.text;
            if (message.t === 'lines' && message.lines.length > 0)
                person.text += `${message.lines.join('\n')}\n`;
            if (message.due)
                person.due = message.due;
            if (message.t === 'room')
                person.room = message;
            if (good(message, person))
                return message;
        }
    };
    // Reads what was sent before now.
    person.settle = async () => {
        client.json({ t: 'ping' });
        await person.read((message) => message.t === 'pong');
    };
    person.move = async (event) => {
        client.json({ t: 'move', decision: person.decision++, event });
        await person.read((message) => message.t === 'ok');
        await person.settle();
    };
    // Waits until those are due, and nobody else.
    person.until = (...seats) => (String(person.due) === String(seats) ? undefined
        : person.read(() => String(person.due) === String(seats)));
    return person;
}

// A room with people at its seats and one who watches; the game has begun.
async function begin(at, setup, count) {
    const people = [];
    for (let i = 0; i < count; i++)
        people.push(await guest(at, `P${i}`));
    const { room } = await makeRoom(at, people[0].token, { setup });
    const seats = [];
    for (const [i, { token }] of people.entries()) {
        const seat = await come(at, room, { token });
        await seat.read((message) => message.t === 'room');
        await sit(seat.client, i + 1, Buffer.alloc(32, i + 1));
        seats.push(seat);
    }
    seats[0].client.json({ t: 'start', key: 'start' });
    for (const seat of seats) {
        await seat.read((message) => message.t === 'room' && message.phase === 'words');
        seat.client.json({ t: 'word', word: seat.client.word.toString('hex') });
    }
    for (const seat of seats)
        await seat.read((message) => message.t === 'view');
    return { room, seats };
}

// Waits until all of them have been told who is there: the seats whose owners are connected, and
// the number of spectators. (Changes are told after a while, several at once.)
async function known(people, here, watchers) {
    const good = ({ room }) => room && room.watchers === watchers &&
        room.seats.every((seat, i) => seat.here === here.includes(i + 1));
    for (const person of people)
        if (!good(person))
            await person.read(() => good(person));
}

// All that a token, or none, gets over HTTP, without what differs from second to second.
async function answers(at, room, token, seats) {
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const paths = ['', '/record', '/state', ...Array.from({ length: seats + 1 },
        (_, i) => `/picture?seat=${i}`), '/picture?dark=1'];
    const all = {};
    for (const path of paths) {
        const { status, text } = await ask(at, `/api/rooms/${room}${path}`, { headers });
        assert.equal(status, 200, path);
        all[path] = text.replace(/^date .*$/m, 'date');
    }
    return all;
}

// verplant. Returns what the third player and a spectator learned while a round was open in which
// the others had entered something, and what the first player had of it.
async function playVerplant(variant, mutation = 0) {
    const server = await startTwin(mutation);
    const { at } = server;
    const { room, seats } = await begin(at,
        'game verplant\nmap practice\nplayers 3\nrules special\n', 3);
    const [ada, bo, cyd] = seats;
    const watcher = await come(at, room);
    await watcher.read((message) => message.t === 'view');
    await known([...seats, watcher], [1, 2, 3], 1);
    // Goes on until the first player could be done at once, or not. Everything is the same so far.
    const choices = async () => {
        const found = [];
        for (const event of await movesOf(ada.text, 1)) {
            const goesOn = (await movesOf(`${ada.text}${event}\n`, 1)).length > 0;
            found[Number(goesOn)] ??= event;
            if (found[0] && found[1])
                return found;
        }
        return undefined;
    };
    const rounds = ({ text }) => text.split('\ncard ').length;
    const play = async (seat, number, first) => {
        const round = rounds(seat);
        for (let next = first; seat.due.includes(number) && rounds(seat) === round;
            next = undefined)
            await seat.move(next ?? (await movesOf(seat.text, number))[0]);
    };
    let chosen;
    for (let round = rounds(ada); round < 4 || !(chosen = await choices()); round++) {
        for (const [i, seat] of seats.entries())
            await play(seat, i + 1);
        for (const one of [...seats, watcher])
            if (rounds(one) === round)
                await one.read(() => rounds(one) > round);
    }
    assert.deepEqual(ada.due, [1, 2, 3]);
    const viewers = [cyd, watcher];
    const have = cyd.text.split('\n\n')[1].trim().split('\n').length;
    for (const viewer of viewers) {
        await viewer.settle();
        viewer.log = [];
    }
    ada.log = [];
    const own = [await answers(at, room, ada.token, 3)];
    const learned = [];
    const look = async () => {
        for (const viewer of viewers)
            await viewer.settle();
        learned.push(await answers(at, room, cyd.token, 3), await answers(at, room, undefined, 3));
    };
    // The difference: which entry and how many; and refused attempts.
    await play(ada, 1, chosen[variant]);
    own.push(await answers(at, room, ada.token, 3));
    await look();
    if (variant === 1) {
        bo.client.json({ t: 'move', decision: bo.decision, event: '2 nonsense' });
        await bo.read((message) => message.t === 'no');
    }
    await play(bo, 2, (await movesOf(bo.text, 2)).at(-variant));
    await look();
    // The third player comes back twice, once with what they have; another spectator comes.
    const told = [cyd, watcher];
    for (const options of [{}, { have }]) {
        (told.length === 2 ? cyd : told.at(-1)).client.destroy();
        await known([watcher], [1, 2], 1);
        const again = await come(at, room, { token: cyd.token, ...options });
        await again.settle();
        await known([watcher, again], [1, 2, 3], 1);
        told.push(again);
    }
    const late = await come(at, room);
    await late.settle();
    await known([watcher, told.at(-1), late], [1, 2, 3], 2);
    told.push(late);
    learned.push(await answers(at, room, cyd.token, 3), await answers(at, room, undefined, 3));
    const result = { learned, told: told.map(({ log }) => log), own, mine: ada.log };
    for (const { client } of [...seats, ...told])
        client.destroy();
    await stopTwin(server);
    return result;
}

// metro. The store says another first tile of the first player, who never lays it. Returns what the
// second player and a spectator learn, and what the first player has.
async function playMetro(tile) {
    const server = await startTwin(0, ...tile ? [tile] : []);
    const { at } = server;
    const { room, seats } = await begin(at, 'game metro\nplayers 2\n', 2);
    const tokens = seats.map(({ token }) => token);
    const hands = seats.map(({ text }, i) => new RegExp(`^deal ${i + 1} (\\w+)$`, 'm')
        .exec(text)[1]);
    seats.forEach(({ client }) => client.destroy());
    // When nobody is there the room leaves memory; then it is read from the store.
    const own = [];
    const expected = `\ndeal 1 ${tile ?? hands[0]}\n`;
    while (!(own[0] = await answers(at, room, tokens[0], 2))['/record'].includes(expected))
        await new Promise((resolve) => setTimeout(resolve, 20));
    const watcher = await come(at, room);
    await watcher.read((message) => message.t === 'view');
    const ada = await come(at, room, { token: tokens[0] });
    let bo = await come(at, room, { token: tokens[1] });
    await ada.until(1);
    await bo.until(1);
    await known([watcher, ada, bo], [1, 2], 1);
    const viewers = [watcher, bo];
    const learned = [];
    for (let turn = 0; turn < 6; turn++) {
        await ada.move('1 draw');
        while (/\n1 draw\n$/.test(ada.text)) // until the tile has come
            await ada.read((message) => message.t === 'lines');
        await ada.move((await movesOf(ada.text, 1))[0]);
        await bo.until(2);
        await bo.move((await movesOf(bo.text, 2)).find((event) => event !== '2 draw'));
        for (const one of [ada, bo, watcher])
            await one.until(1);
        own.push(await answers(at, room, tokens[0], 2));
        learned.push(await answers(at, room, tokens[1], 2), await answers(at, room, undefined, 2));
        if (turn % 2 === 1) {
            const { decision } = bo;
            bo.client.destroy();
            await known([watcher, ada], [1], 1);
            bo = await come(at, room, { token: tokens[1], have: turn === 1 ? undefined : 3 });
            bo.decision = decision;
            viewers.push(bo);
            await bo.until(1);
            await known([watcher, ada, bo], [1, 2], 1);
            bo.text = learned.at(-2)['/record']; // with `have` it got the rest only
        }
    }
    const result = { hands, learned, own, told: viewers.map(({ log }) => log), mine: ada.log };
    for (const { client } of [ada, ...viewers])
        client.destroy();
    await stopTwin(server);
    return result;
}

function compare(one, other) {
    assert.deepEqual(one.told, other.told);
    assert.deepEqual(one.learned, other.learned);
}

async function testVerplant() {
    const runs = await Promise.all([0, 1].map((variant) => playVerplant(variant)));
    compare(...runs);
    const [one, other] = runs;
    assert.deepEqual(one.own[0], other.own[0]);
    for (const path of ['/record', '/state', '/picture?seat=1'])
        assert.notEqual(one.own[1][path], other.own[1][path], path);
    assert.notDeepEqual(one.mine, other.mine);
    assert.ok(one.told.every((log) => log.length > 0));
}

async function testMetro() {
    const one = await playMetro();
    assert.notEqual(one.hands[0], one.hands[1]);
    const other = await playMetro(one.hands[1]);
    compare(one, other);
    for (const path of ['/record', '/state', '/picture?seat=1'])
        assert.notEqual(one.own[0][path], other.own[0][path], path);
    assert.notDeepEqual(one.mine, other.mine);
    assert.ok(one.told.every((log) => log.length > 0));
}

// The same with a fault in the server: it is found.
async function testMutations() {
    await Promise.all(Object.entries(mutations).map(async ([name, number]) => {
        const runs = await Promise.all([0, 1].map((variant) => playVerplant(variant, number)));
        assert.throws(() => compare(...runs), assert.AssertionError, `${name} is not found`);
    }));
}

await runTests([testVerplant, testMetro, testMutations]);
