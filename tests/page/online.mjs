// Tests of connections (web/online/connection.js) with simulated sockets and time: delays, breaks,
// answers that come twice or never.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Connection } from '../../web/online/connection.js';

// An environment for Connection in which time passes only by pass().
function world({ token = 't' } = {}) {
    let now = 0;
    let timers = [];
    const self = {
        sockets: [],
        wake: () => {},
        connect(path) {
            const listeners = {};
            const socket = { path, sent: [], closed: false,
                addEventListener: (type, act) => (listeners[type] = act),
                send: (text) => socket.sent.push(JSON.parse(text)),
                close: () => (socket.closed = true),
                // What the server does:
                open: () => listeners.open({}),
                say: (message) => listeners.message({ data: JSON.stringify(message) }),
                raw: (data) => listeners.message({ data }),
                lose: () => listeners.close({}),
                welcome() {
                    socket.open();
                    socket.say({ t: 'welcome', v: 1, guest: 'g', name: 'Ada', colour: 3 });
                } };
            self.sockets.push(socket);
            return socket;
        },
        later(ms, act) {
            const timer = { at: now + ms, act };
            timers.push(timer);
            return () => (timers = timers.filter((one) => one !== timer));
        },
        random: () => 1,
        onWake(act) {
            self.wake = act;
            return () => (self.wake = () => {});
        },
        token: () => token,
        pass(ms) {
            const end = now + ms;
            for (;;) {
                const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
                if (!next) break;
                timers = timers.filter((one) => one !== next);
                now = next.at;
                next.act();
            }
            now = end;
        },
        get latest() {
            return self.sockets.at(-1);
        },
        get timers() {
            return timers.length;
        },
    };
    return self;
}

function connect(options = {}, hello) {
    const w = world(options);
    const states = [];
    const link = new Connection('lobby', { world: w, hello });
    link.on('state', ({ state }) => states.push(state));
    return { w, link, states };
}

const said = (socket, type) => socket.sent.filter(({ t }) => t === type);

test('hello is the first message, with token, code and number of events', () => {
    const { w, link, states } = connect({}, () => ({ code: 'K7RM2Q4X', have: 17 }));
    assert.equal(link.state, 'connecting');
    w.latest.welcome();
    assert.deepEqual(w.latest.sent, [{ t: 'hello', v: 1, token: 't', code: 'K7RM2Q4X', have: 17 }]);
    assert.deepEqual(link.guest, { guest: 'g', name: 'Ada', colour: 3 });
    assert.deepEqual(states, ['connected']);
    const stranger = connect({ token: '' });
    stranger.w.latest.open();
    assert.deepEqual(stranger.w.latest.sent, [{ t: 'hello', v: 1 }]);
});

test('a request is answered by its id, once', async () => {
    const { w, link } = connect();
    w.latest.welcome();
    const one = link.request({ t: 'sit', key: 'a' });
    const two = link.request({ t: 'leave', key: 'b' });
    assert.deepEqual(w.latest.sent.slice(1), [{ t: 'sit', key: 'a', id: 1 },
        { t: 'leave', key: 'b', id: 2 }]);
    w.latest.say({ t: 'no', id: 2, code: 'NOT_SEATED' });
    w.latest.say({ t: 'ok', id: 1, seat: 2 });
    w.latest.say({ t: 'no', id: 1, code: 'SEAT_TAKEN' }); // a second answer
    assert.deepEqual(await one, { t: 'ok', id: 1, seat: 2 });
    assert.deepEqual(await two, { t: 'no', id: 2, code: 'NOT_SEATED' });
});

test('unanswered requests are sent again after a break, unchanged and in order', async () => {
    const { w, link, states } = connect();
    const early = link.request({ t: 'sit', key: 'a' }); // there is no connection yet
    assert.equal(w.latest.sent.length, 0);
    w.latest.welcome();
    const late = link.request({ t: 'move', decision: 4, event: '1 A3' });
    const first = w.latest;
    first.lose();
    assert.deepEqual(states, ['connected', 'offline']);
    w.pass(500);
    assert.equal(w.sockets.length, 2);
    w.latest.welcome();
    assert.deepEqual(w.latest.sent.slice(1), first.sent.slice(1));
    first.say({ t: 'ok', id: 1 }); // too late: that socket is gone
    w.latest.say({ t: 'ok', id: 2, decision: 4 });
    w.latest.lose();
    w.pass(500);
    w.latest.welcome();
    assert.deepEqual(w.latest.sent.slice(1), [{ t: 'sit', key: 'a', id: 1 }]);
    w.latest.say({ t: 'ok', id: 1, seat: 1 });
    assert.equal((await late).decision, 4);
    assert.equal((await early).seat, 1);
});

test('while hello gets BUSY the pauses stay short: the server is there, its store is not', () => {
    const { w } = connect();
    for (const pause of [500, 1000, 2000, 2000, 2000]) {
        const count = w.sockets.length;
        w.latest.open();
        w.latest.say({ t: 'no', code: 'BUSY' });
        w.latest.lose();
        w.pass(pause - 1);
        assert.equal(w.sockets.length, count);
        w.pass(1);
        assert.equal(w.sockets.length, count + 1);
    }
});

test('a request that gets BUSY is sent again after a pause', async () => {
    const { w, link } = connect();
    w.latest.welcome();
    const move = link.request({ t: 'move', decision: 0, event: '1 A3' });
    for (let tries = 1; tries <= 3; tries++) {
        assert.equal(said(w.latest, 'move').length, tries);
        w.latest.say({ t: 'no', id: 1, code: 'BUSY' });
        w.pass(1000);
    }
    w.latest.say({ t: 'ok', id: 1 });
    assert.equal((await move).t, 'ok');
});

test('the pauses between attempts double, up to half a minute', () => {
    const { w } = connect();
    const pauses = [];
    for (let i = 0; i < 9; i++) {
        w.latest.lose();
        let waited = 0;
        const before = w.sockets.length;
        for (; w.sockets.length === before; waited += 100) w.pass(100);
        pauses.push(waited);
    }
    assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
});

test('a ping every 20 s; without an answer within 3 s the connection is dead', () => {
    const { w, link, states } = connect();
    w.latest.welcome();
    w.pass(20000);
    assert.equal(said(w.latest, 'ping').length, 1);
    w.latest.say({ t: 'pong' });
    w.pass(19999);
    assert.equal(said(w.latest, 'ping').length, 1);
    w.pass(1);
    assert.equal(said(w.latest, 'ping').length, 2);
    w.pass(2999);
    assert.equal(link.state, 'connected');
    w.pass(1);
    assert.equal(link.state, 'offline');
    assert.ok(w.sockets[0].closed);
    w.pass(500);
    w.latest.welcome();
    assert.deepEqual(states, ['connected', 'offline', 'connected']);
});

test('waking up sends a ping, or ends the pause before an attempt', () => {
    const { w, link } = connect();
    w.latest.welcome();
    w.wake();
    w.wake(); // pageshow and visibilitychange come together
    assert.equal(said(w.latest, 'ping').length, 1);
    w.pass(3000);
    assert.equal(link.state, 'offline');
    w.latest.lose();
    const before = w.sockets.length;
    w.wake();
    assert.equal(w.sockets.length, before + 1, 'without waiting');
    w.wake();
    assert.equal(w.sockets.length, before + 1, 'one attempt at a time');
    w.latest.welcome();
    assert.equal(link.state, 'connected');
});

test('a server that sends nothing, or no JSON, is disconnected and tried again', () => {
    const { w, link } = connect();
    w.pass(10000);
    assert.equal(link.state, 'offline');
    assert.ok(w.sockets[0].closed);
    w.pass(500);
    w.latest.open();
    w.latest.raw('<html>');
    assert.ok(w.sockets[1].closed);
    w.pass(1000);
    assert.equal(w.sockets.length, 3);
});

test('VERSION and NO_ROOM end the connection, TOO_MANY is tried again after 30 s', async () => {
    const old = connect();
    const asked = old.link.request({ t: 'move', decision: 0, event: '1 A3' });
    old.w.latest.open();
    old.w.latest.say({ t: 'no', code: 'VERSION' });
    old.w.latest.lose();
    assert.deepEqual(await asked, { t: 'away' });
    assert.equal(old.link.state, 'old');
    old.w.pass(100000);
    assert.equal(old.w.sockets.length, 1);
    assert.deepEqual(await old.link.request({ t: 'leave' }), { t: 'away' });

    const gone = connect();
    gone.w.latest.open();
    gone.w.latest.say({ t: 'no', code: 'NO_ROOM' });
    gone.w.latest.lose();
    assert.deepEqual([gone.link.state, gone.link.code], ['refused', 'NO_ROOM']);
    gone.link.restart(); // with a code, say
    gone.w.latest.welcome();
    assert.equal(gone.link.state, 'connected');

    const many = connect();
    many.w.latest.open();
    many.w.latest.say({ t: 'no', code: 'TOO_MANY' });
    many.w.latest.lose();
    assert.deepEqual([many.link.state, many.link.code], ['offline', 'TOO_MANY']);
    many.w.pass(29000);
    assert.equal(many.w.sockets.length, 1);
    many.w.pass(1000);
    assert.equal(many.w.sockets.length, 2);
});

test('after `soon` the next attempt waits as long as the server says', () => {
    const { w } = connect();
    w.latest.welcome();
    w.latest.say({ t: 'soon', ms: 5000 });
    w.latest.lose();
    w.pass(4999);
    assert.equal(w.sockets.length, 1);
    w.pass(1);
    assert.equal(w.sockets.length, 2);
});

test('after close() no timer, message or attempt follows', async () => {
    const { w, link, states } = connect();
    w.latest.welcome();
    const asked = link.request({ t: 'leave', key: 'k' });
    link.close();
    assert.deepEqual(await asked, { t: 'away' });
    assert.equal(w.timers, 0);
    assert.ok(w.latest.closed);
    w.latest.say({ t: 'ok', id: 1 });
    w.latest.lose();
    w.pass(100000);
    assert.equal(w.sockets.length, 1);
    assert.deepEqual(states, ['connected', 'closed']);
    assert.equal(link.send({ t: 'ping' }), false);
});
