/* Offline, and new versions. The server fills in the version and the addresses of its files.
 *
 * The page itself comes from the network whenever there is one, so that a reload always brings the
 * newest version; its files are called by their version and never change, so they come from the
 * cache. Old caches are deleted only when no open page still runs that version, because the server
 * keeps only the newest. */
const VERSION = '@VERSION@';
const FILES = JSON.parse('@FILES@');
const PREFIX = 'endstation-';
const PAGE_MS = 2500; /* how long the network may take for the page */
const ANSWER_MS = 2000;

async function install() {
    const cache = await caches.open(PREFIX + VERSION);
    await cache.addAll(FILES.filter((address) => address !== '/'));
    const page = await fetch('/', {cache: 'no-store'});
    const text = await page.clone().text();
    /* If the server has a newer version by now, fail: the browser will try again. */
    if (!page.ok || !text.includes(`/v/${VERSION}/`)) throw new Error('another version');
    await cache.put('/', page);
    await self.skipWaiting();
}

/* What a page answers to a message, or '' if it does not. */
function ask(client, message) {
    return new Promise((resolve) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = ({data}) => resolve(data);
        setTimeout(() => resolve(''), ANSWER_MS);
        client.postMessage(message, [channel.port2]);
    });
}

/* The version that a page runs with.
 *
 * A page that does not answer, as one that sleeps, most likely runs the version before. If it is an
 * older one, it reloads itself when it needs a file (versions.js). */
const askVersion = async (client) => String(await ask(client, {ask: 'version'}));

async function tidy() {
    const clients = await self.clients.matchAll({type: 'window', includeUncontrolled: true});
    const needed = await Promise.all(clients.map(askVersion));
    const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) &&
        ![VERSION, ...needed].includes(name.slice(PREFIX.length))); /* the oldest first */
    if (needed.includes('')) old.pop();
    for (const name of old) await caches.delete(name);
}

async function activate() {
    await self.clients.claim();
    const clients = await self.clients.matchAll({type: 'window'});
    for (const client of clients) client.postMessage({active: VERSION});
    tidy(); /* not waited for: until this has ended, pages wait for their files */
}

/* The page: from the network, or from the cache if that fails or takes too long. */
async function page(request) {
    const kept = async () => (await caches.open(PREFIX + VERSION)).match('/');
    const network = fetch(request).then(async (answer) =>
        (answer.ok ? answer : await kept() ?? answer));
    const late = new Promise((resolve) => setTimeout(resolve, PAGE_MS)).then(kept);
    try {
        return await Promise.race([network, late.then((answer) => answer ?? network)]);
    } catch {
        return await kept() ?? Response.error();
    }
}

async function file(request) {
    return await caches.match(request) ?? fetch(request);
}

/* Shows the room that a notification was about: in the page that shows it already, else in any,
 * else in a new one. */
async function answerCall({hash}) {
    const all = await self.clients.matchAll({type: 'window', includeUncontrolled: true});
    if (all.length === 0) return self.clients.openWindow(`/${hash}`);
    const places = await Promise.all(all.map((client) => ask(client, {ask: 'place'})));
    const there = places.findIndex((place) => `${place}.`.startsWith(`${hash}.`));
    const client = all[Math.max(0, there)];
    if (there < 0) client.postMessage({go: hash});
    return client.focus();
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
    if (event.data?.hello) event.waitUntil(tidy());
    if (event.data?.go) event.waitUntil(self.skipWaiting());
});
self.addEventListener('notificationclick', (event) => {
    const {data} = event.notification;
    event.notification.close();
    if (data?.hash) event.waitUntil(answerCall(data));
});
self.addEventListener('fetch', (event) => {
    const {request} = event;
    const address = new URL(request.url);
    if (request.method !== 'GET' || address.origin !== location.origin) return;
    if (address.pathname === '/' && request.mode === 'navigate') event.respondWith(page(request));
    else if (address.pathname.startsWith('/v/')) event.respondWith(file(request));
});
