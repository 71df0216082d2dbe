// Tests of rooms, one thing at a time: the lobby, seats, talking, devices, sheets of one's own, and
// title, badge and notifications.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { arrived, go, open, serve, storedGame, until, visit } from './browser.mjs';
import { address, choices, introduce, keptOf, linkState, made, makeRoom, move, person, prepare,
    recordOf, roomOf, rounds, sitDown, start, tolerate, toTheEnd, turn } from './room.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

test('open tables appear in the lobby, and a room is found by its code', async (t) => {
    const bo = await person(t, server, '#online');
    await arrived(bo, 'online');
    await bo.locator('.lobby p', { hasText: 'Nobody has an open table' }).waitFor();
    const { ada, link } = await made(t, server, 'metro', choices.metro);
    const card = bo.locator('.open-table');
    await card.waitFor();
    await card.locator('p', { hasText: '3 seats free' }).waitFor();
    // A second one comes above it, changes, and goes; the first one stays.
    const other = await made(t, server, 'metro', choices.metro);
    await bo.locator('.open-table').nth(1).waitFor();
    const above = bo.locator('.open-table').first();
    assert.equal(await above.getAttribute('data-key'), other.link.match(/room=([a-z2-7]+)/)[1]);
    await other.ada.locator('[data-key=close]').click();
    await other.ada.locator('dialog .danger').click();
    await until(async () => await card.count() === 1);
    await card.locator('a').click();
    await sitDown(bo, 2, 'Bo');
    await ada.locator('[data-seat="2"] strong', { hasText: 'Bo' }).waitFor();
    const code = (await ada.locator('.room-code strong').textContent());
    assert.match(code, /^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    const cy = await person(t, server, '#online');
    await cy.locator('.open-table p', { hasText: '2 seats free' }).waitFor();
    await cy.locator('#code').fill(` ${code.toLowerCase().replace('-', ' ')} `);
    await cy.keyboard.press('Enter');
    await cy.locator('.room-seats').waitFor();
    assert.equal(address(link), new URL(cy.url()).hash);
    await cy.evaluate(() => (location.hash = 'online'));
    await arrived(cy, 'online');
    await cy.locator('#code').fill('WRNG-2345-6789');
    await cy.keyboard.press('Enter');
    await cy.locator('.notice', { hasText: 'no such room' }).waitFor();
    await ada.locator('[data-key=close]').click();
    await ada.locator('dialog .danger').click();
    await cy.locator('.lobby p', { hasText: 'Nobody has an open table' }).waitFor();
    await bo.locator('h1', { hasText: 'This room is closed' }).waitFor();
});

test('two clicks from the first screen make a room', async (t) => {
    const page = await person(t, server, '');
    await arrived(page, 'start');
    await page.locator('a[href="#online"]').click();
    await page.getByRole('button', { name: 'Make a room: Verplant' }).click();
    await introduce(page, 'Ada'); // the first time
    await page.locator('.room-seat .tag.good').waitFor();
    // A room by invitation needs its code.
    const link = await page.locator('.link-field input').inputValue();
    const stranger = await person(t, server, address(link).replace(/\..*/, ''));
    await stranger.locator('h1', { hasText: 'can’t be shown' }).waitFor();
});

test('the host sets seats; when the host leaves, the person seated longest is host', async (t) => {
    const { ada, link } = await made(t, server);
    const bo = await person(t, server, address(link));
    await sitDown(bo, 2, 'Bo');
    assert.equal(await bo.locator('[data-key=start]').count(), 0);
    await ada.locator('[data-key=seat-3]').selectOption('greedy');
    await bo.locator('[data-seat="3"]', { hasText: 'Bot: Greedy' }).waitFor();
    await ada.locator('[data-key=seat-3]').selectOption('');
    await bo.locator('[data-seat="3"]', { hasText: 'Open seat' }).waitFor();
    await ada.locator('[data-key=person-2]').click();
    await ada.locator('dialog [data-key=free]').click();
    await bo.locator('[data-key=sit-2]').click();
    await bo.locator('[data-seat="2"] .tag.good').waitFor();
    await ada.locator('[data-key=leave]').click();
    await bo.locator('[data-key=start]').waitFor();
    await bo.locator('[data-seat="2"] .tag', { hasText: 'host' }).waitFor();
});

test('who is muted stays muted when they move up at the start, and nobody else is', async (t) => {
    const { ada, link } = await made(t, server);
    const bo = await person(t, server, address(link));
    await sitDown(bo, 3, 'Bo');
    const cy = await person(t, server, address(link));
    await sitDown(cy, 4, 'Cy');
    await ada.locator('[data-key=person-3]').click();
    await ada.locator('dialog .switch', { hasText: 'Mute' }).click();
    await ada.keyboard.press('Escape');
    await start(ada, [bo, cy]);
    for (const [page, text] of [[bo, 'One'], [cy, 'Two']]) {
        await page.locator('[data-key=chat]').click();
        await page.locator('.chat-drawer input').fill(text);
        await page.keyboard.press('Enter');
        await ada.locator('.chat-line', { hasText: text }).waitFor({ state: 'attached' });
    }
    await ada.locator('[data-key=chat]').click();
    assert.deepEqual(await ada.locator('.chat-line:visible .chat-words').allTextContents(),
        ['Cy Two']);
    await ada.keyboard.press('Escape');
});

test('chat, reactions, and muting somebody', async (t) => {
    const { ada, link } = await made(t, server);
    const bo = await person(t, server, address(link));
    await sitDown(bo, 2, 'Bo');
    await bo.locator('.chat-form input').fill('Hello <b>Ada</b>');
    await bo.keyboard.press('Enter');
    await ada.locator('.chat-line', { hasText: 'Bo Hello <b>Ada</b>' }).waitFor();
    await start(ada, [bo]);
    await bo.locator('[data-key=say]').click();
    await bo.locator('[data-what=clap]').click();
    await ada.locator('.room-player .said', { hasText: 'Well played!' }).waitFor();
    await bo.locator('[data-key=chat]').click();
    await bo.locator('.chat-drawer input').fill('One');
    await bo.keyboard.press('Enter');
    await ada.locator('.badge', { hasText: '1' }).waitFor();
    await ada.locator('[data-key=about]').click();
    await ada.locator('dialog [data-key=person-2]').click();
    await ada.locator('dialog .switch', { hasText: 'Mute' }).click();
    await ada.keyboard.press('Escape');
    await bo.locator('.chat-drawer input').fill('Two');
    await bo.keyboard.press('Enter');
    await bo.locator('.chat-line', { hasText: 'Two' }).waitFor();
    await ada.locator('.chat-line', { hasText: 'Two' }).waitFor({ state: 'attached' });
    await ada.locator('[data-key=chat]').click();
    assert.equal(await ada.locator('.chat-line:visible').count(), 0);
    assert.equal(await ada.evaluate(() => document.activeElement.closest('.chat-drawer') !== null),
        true);
    await ada.keyboard.press('Escape');
    assert.equal(await ada.evaluate(() => document.activeElement.dataset.key), 'chat');
});

test('the QR code contains the link', async (t) => {
    const { ada } = await made(t, server);
    const posted = ada.waitForRequest(/api\/qr/);
    await ada.getByRole('button', { name: 'QR code' }).click();
    const request = await posted;
    assert.equal(request.method(), 'POST');
    assert.equal(request.postDataJSON().text,
        await ada.locator('.link-field input').inputValue());
    const image = ada.locator('.qr img');
    await image.waitFor();
    assert.ok(await image.evaluate((one) => one.decode().then(() => one.naturalWidth > 0)));
});

test('somebody who is late can be replaced by a bot', async (t) => {
    const { ada, link } = await made(t, server);
    const bo = await person(t, server, address(link));
    await sitDown(bo, 2, 'Bo');
    await start(ada, [bo]);
    await ada.evaluate(() => (window.testNetwork.rewrite = (message) => (message.t === 'room'
        ? { ...message, seats: message.seats.map((seat, i) => ({ ...seat, late: i === 1 })) }
        : message)));
    await person(t, server, address(link)); // who watches: the room tells that
    await ada.locator('[data-key=replace-1]').click();
    await ada.locator('.notice', { hasText: 'They have moved meanwhile' }).waitFor();
});

test('a page that is too old for the server reloads once', async (t) => {
    const { ada, link } = await made(t, server);
    const room = roomOf(link);
    await ada.context().addInitScript(() => {
        const times = Number(sessionStorage.getItem('times') ?? 0) + 1;
        sessionStorage.setItem('times', times);
        if (location.hash.startsWith('#room='))
            window.testNetwork.rewrite = (message) => (message.t === 'welcome'
                ? { t: 'no', code: 'VERSION' } : message);
    });
    await ada.evaluate((id) => {
        const name = `endstation.room.${id}`;
        localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)),
            move: { decision: 0, event: '1 A3' } }));
    }, room);
    await ada.reload();
    await until(async () => await ada.evaluate(() => sessionStorage.getItem('times'))
        .catch(() => '') === '2');
    await ada.locator('.link-state', { hasText: 'too old' }).waitFor();
    assert.deepEqual((await keptOf(ada, room)).move, { decision: 0, event: '1 A3' });
});

test('a new guest who is refused because many came from the network is told why', async (t) => {
    const crowded = await serve('--port', '0', '--limits', 'guests=1');
    t.after(() => crowded.stop());
    const ada = await person(t, crowded, '#online');
    await makeRoom(ada, 'Ada', 'metro', choices.metro);
    const bo = await person(t, crowded, '#online', { tolerate: [...tolerate, /status of 429/] });
    await arrived(bo, 'online');
    await bo.getByRole('button', { name: 'Make a room: Verplant' }).click();
    await introduce(bo, 'Bo');
    await bo.locator('.notice', { hasText: 'from your network within an hour' }).waitFor();
});

test('a request that was one too many, or had no answer, is made again', async (t) => {
    const bo = await person(t, server, '#online',
        { tolerate: [...tolerate, /status of (429|502)/] });
    await arrived(bo, 'online');
    let asked = 0;
    const answers = [{ status: 429, contentType: 'application/json',
        headers: { 'Retry-After': '1' }, body: '{"code":"TOO_MANY"}' },
    { status: 502, contentType: 'text/html', body: 'Bad Gateway' }]; // a proxy's
    await bo.route('**/api/guest', (route) => (asked < answers.length
        ? route.fulfill(answers[asked++]) : (asked++, route.continue())));
    await bo.getByRole('button', { name: 'Make a room: Verplant' }).click();
    await introduce(bo, 'Bo');
    await until(() => bo.evaluate(() => localStorage.getItem('endstation.guest') !== null));
    assert.equal(asked, 3);
});

test('devices are listed and signed out; a guest can be deleted', async (t) => {
    const { ada, link } = await made(t, server);
    await ada.evaluate(() => (location.hash = 'settings'));
    await arrived(ada, 'settings');
    await ada.getByRole('button', { name: 'Add a device' }).click();
    const phone = await visit(t, `${server.url}/${address(
        await ada.locator('.link-field input').inputValue())}`, { prepare, tolerate,
        size: 'phone' });
    await phone.getByRole('button', { name: 'Continue here' }).click();
    await arrived(phone, 'online');
    assert.equal(await phone.locator('.who-name').inputValue(), 'Ada');
    // The guest's rooms are there, too.
    await phone.locator(`.own-rooms a[href="${address(link)}"]`).click();
    await phone.locator('[data-seat="1"] .tag.good').waitFor();
    await phone.goBack();
    await arrived(phone, 'online');
    await ada.reload();
    await ada.locator('.devices li').nth(1).waitFor();
    await ada.locator('.devices button').click();
    await ada.locator('.devices li').nth(1).waitFor({ state: 'detached' });
    await phone.locator('.notice', { hasText: 'signed out' }).waitFor();
    // What the server has about them is a file, put together from its pages; none of it is secret.
    const token = await ada.evaluate(() => JSON.parse(localStorage.getItem('endstation.guest'))
        .token);
    let pages = 0;
    await ada.route('**/api/me*', async (route) => {
        pages++;
        const answer = await route.fetch();
        const page = await answer.json();
        const [, after] = /after=(.*)/.exec(route.request().url()) ?? [];
        await route.fulfill({ json: after ? page : { ...page, after: 'a'.repeat(16) } });
    });
    const [file] = await Promise.all([ada.waitForEvent('download'),
        ada.getByRole('button', { name: 'Everything about me as a file' }).click()]);
    const text = readFileSync(await file.path(), 'utf8'), all = JSON.parse(text);
    assert.equal(file.suggestedFilename(), 'endstation-online.json');
    assert.equal(pages, 2);
    assert.equal(all.me.name, 'Ada');
    assert.equal(all.me.devices.length, 1);
    assert.equal(`#room=${all.rooms[0].room}`, address(link).replace(/\.[^.]*$/, ''));
    assert.ok(!text.includes(token));
    await ada.getByRole('button', { name: 'Delete me online' }).click();
    await ada.locator('dialog .danger').click();
    await ada.locator('.panel', { hasText: 'not played online yet' }).waitFor();
    assert.equal(await ada.evaluate(() => localStorage.getItem('endstation.guest')), null);
    const bo = await person(t, server, address(link));
    await bo.locator('[data-seat="1"]', { hasText: 'Open seat' }).waitFor();
});

// Everything that is left of somebody here: names in both storages, and cookies.
const left = async (page) => [...await page.evaluate(() => [...Object.keys(localStorage),
    ...Object.keys(sessionStorage)].filter((name) => name.startsWith('endstation.'))),
...(await page.context().cookies()).map(({ name }) => name)];

async function deleteEverything(page) {
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await page.locator('dialog p', { hasText: 'you can’t be Ada again' }).waitFor();
    await page.locator('dialog .danger').click();
}

test('when everything is deleted nobody is left, in no tab', async (t) => {
    const { ada, link } = await made(t, server);
    const room = await open(t, ada.context(), `${server.url}/${address(link)}`, tolerate);
    await room.locator('[data-seat="1"] .tag.good').waitFor();
    const lobby = await open(t, ada.context(), `${server.url}/#online`, tolerate);
    await linkState(lobby, 'connected');
    await lobby.evaluate(() => sessionStorage.setItem('endstation.games', '{"words":"Bo"}'));
    await ada.evaluate(() => (location.hash = 'settings'));
    await arrived(ada, 'settings');
    await ada.locator('.devices li').waitFor();
    await deleteEverything(ada);
    await ada.locator('.notice', { hasText: 'Everything was deleted.' }).waitFor();
    await ada.locator('.panel', { hasText: 'not played online yet' }).waitFor();
    for (const page of [room, lobby]) await arrived(page, 'start');
    for (const page of [ada, room, lobby]) assert.deepEqual(await left(page), []);
    for (const page of [ada, lobby]) {
        await page.evaluate(() => (location.hash = 'online'));
        await arrived(page, 'online');
        await linkState(page, 'connected');
        assert.equal(await page.locator('.who-name').inputValue(), '');
        assert.equal(await page.locator('.own-rooms li').count(), 0);
        assert.deepEqual(await left(page), []);
    }
    assert.equal(await ada.locator('.notice.warn').count(), 0);
    const bo = await person(t, server, address(link));
    await bo.locator('[data-seat="1"]', { hasText: 'Ada' }).waitFor(); // the server keeps the name
});

test('when everything is deleted without the server, the name stays, and is told', async (t) => {
    const { ada } = await made(t, server, 'verplant', undefined,
        { tolerate: [...tolerate, /ERR_FAILED/] });
    await ada.route('**/api/signout', (route) => route.abort());
    await ada.evaluate(() => (location.hash = 'settings'));
    await arrived(ada, 'settings');
    await deleteEverything(ada);
    await ada.locator('.notice.warn', { hasText: 'still signed in online' }).waitFor();
    assert.deepEqual(await left(ada), ['endstation.guest', 'endstation']);
    await ada.unroute('**/api/signout');
    await deleteEverything(ada);
    await ada.locator('.notice', { hasText: 'Everything was deleted.' }).waitFor();
    assert.deepEqual(await left(ada), []);
});

test('if nothing can be deleted, everything stays, the name included', async (t) => {
    const { ada } = await made(t, server, 'verplant', undefined,
        { tolerate: [...tolerate, /no keys/] });
    await ada.evaluate(() => (location.hash = 'settings'));
    await arrived(ada, 'settings');
    const before = await left(ada);
    await ada.evaluate(() => {
        IDBObjectStore.prototype.getAllKeys = () => {
            throw new Error('no keys');
        };
    });
    await deleteEverything(ada);
    await ada.locator('.notice.warn', { hasText: 'Something went wrong' }).waitFor();
    assert.deepEqual(await left(ada), before);
    await ada.reload();
    await ada.locator('.devices li').waitFor(); // still signed in
});

test('a link for another device outlives another language, a reload, a failure', async (t) => {
    const { ada } = await made(t, server);
    await ada.evaluate(() => (location.hash = 'settings'));
    await arrived(ada, 'settings');
    await ada.getByRole('button', { name: 'Add a device' }).click();
    const hash = address(await ada.locator('.link-field input').inputValue());
    const phone = await person(t, server, hash, { tolerate: [...tolerate, /ERR_FAILED/] });
    await arrived(phone, 'device');
    assert.equal(address(phone.url()), '#device');
    await phone.selectOption('#bar-language', 'de');
    await phone.locator('html[lang=de][data-ready=yes]').waitFor({ state: 'attached' });
    await phone.reload();
    await arrived(phone, 'device');
    const go = phone.locator('.message button.primary');
    await phone.route('**/api/device', (route) => route.abort());
    await go.click();
    await phone.locator('.message [role=alert]').waitFor();
    await phone.unroute('**/api/device');
    await phone.reload();
    await go.dblclick(); // it works once
    await arrived(phone, 'online');
    assert.equal(await phone.locator('.who-name').inputValue(), 'Ada');
    assert.equal(await phone.locator('.notice.warn').count(), 0);
    await phone.goBack();
    await arrived(phone, 'device');
    await phone.locator('.message p', { hasText: 'älter als zehn Minuten' }).waitFor();
});

test('a player who comes back is told what happened meanwhile', async (t) => {
    const { ada, link } = await made(t, server, 'metro');
    const bo = await person(t, server, address(link));
    await sitDown(bo, 2, 'Bo');
    await start(ada, [bo]);
    await rounds([ada, bo], 1);
    await bo.evaluate(() => (location.hash = 'help'));
    await arrived(bo, 'help');
    await move(ada);
    await bo.locator('.back-to-game a').click();
    await bo.locator('.room-news li', { hasText: 'Ada: Tile on' }).waitFor();
    await bo.locator('[data-key=news-close]').click();
    await bo.locator('.room-news').waitFor({ state: 'detached' });
});

// Runs in the page, before anything else there.
function hearCalls() {
    window.calls = [];
    window.Notification = class {
        static permission = 'default';

        static async requestPermission() {
            return (this.permission = 'granted');
        }

        constructor(title, { body, icon }) {
            window.calls.push(`${title}: ${body}`);
            window.note ??= this;
            this.icon = new URL(icon, location.href).href;
        }

        close() {
            this.isClosed = true;
        }
    };
    navigator.setAppBadge = async (n) => window.calls.push(n);
    navigator.clearAppBadge = async () => window.calls.push(0);
}

test('the title, the badge and, if wanted, a notification say whose turn it is', async (t) => {
    const { ada, link } = await made(t, server, 'metro', choices.metro, {
        prepare: async (context) => {
            await prepare(context);
            await context.addInitScript(hearCalls);
        } });
    const bo = await person(t, server, address(link));
    await sitDown(bo, 2, 'Bo');
    await start(ada, [bo]);
    await turn(ada);
    assert.match(await ada.title(), /^● Your turn · Metro/);
    await ada.locator('[data-key=about]').click();
    await ada.locator('dialog p', { hasText: 'Nothing comes when it is closed' }).waitFor();
    await ada.getByRole('button', { name: 'Also notify me' }).click();
    await ada.keyboard.press('Escape');
    await move(ada);
    await ada.waitForFunction(() => !document.title.startsWith('●'));
    assert.equal(await ada.evaluate(() => window.calls.at(-1)), 0);
    await ada.evaluate(() => Object.defineProperty(document, 'visibilityState',
        { value: 'hidden', configurable: true }));
    await move(bo);
    await until(async () => (await ada.evaluate(() => window.calls)).includes('Your turn: Metro'));
    assert.ok((await ada.evaluate(() => window.calls)).includes(1));
    const answer = await fetch(await ada.evaluate(() => window.note.icon));
    assert.equal(answer.headers.get('content-type'), 'image/png');
    await go(ada, 'help'); // a click leads back to the room
    await ada.evaluate(() => window.note.onclick());
    await ada.locator('.room-bar').waitFor();
    assert.equal(await ada.evaluate(() => window.note.isClosed), true);
    assert.match(await ada.evaluate(() => location.hash), RegExp(`^#room=${roomOf(link)}`));
});

// As C writes it, and as servers keep it, whatever was uploaded.
const sheet = `endstation-map 1
id little
title Little
paper ffffff
station s1 4 2 : One
station s2 3 2 : Two
station s3 3 1 : Three
station s4 1 4 : Four
line A a8bb6d windows 3 points 5 1 wagon -1 0 : s1 s2 s3
line B 6ebc3d windows 4 points 4 2 wagon -1 1 : s4 s3
`;

test('a room on one’s own sheet, for people who do not have it', async (t) => {
    const { ada, link } = await made(t, server, 'verplant', (page) => page.locator('.choice',
        { hasText: 'Little' }).click(), { kept: { 'map.little': { text: sheet } } });
    await ada.locator('h1', { hasText: 'Little' }).waitFor();
    const bo = await person(t, server, address(link));
    await bo.locator('h1', { hasText: 'Little' }).waitFor();
    await sitDown(bo, 2, 'Bo');
    await start(ada, [bo]);
    await Promise.all([ada, bo].map(toTheEnd));
    await bo.locator('.ending').waitFor();
    const game = await storedGame(bo, roomOf(link));
    assert.equal(game.map, sheet);
    assert.equal(game.record, await recordOf(ada, roomOf(link)));
    await bo.getByRole('link', { name: 'Replay', exact: true }).click();
    await arrived(bo, 'replay');
});
