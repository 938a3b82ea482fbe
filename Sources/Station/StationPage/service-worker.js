// Keeps the page's own files, so that it opens when the station is away. Before this stand `version` and `files`.
//
// Nothing else is kept or answered here: no codes, no pictures, no tokens. The page asks the station for those and says
// when it is away.

const name = 'quietzone-' + version;

self.addEventListener('install', (event) => {
    event.waitUntil((async () => {
        const cache = await caches.open(name);
        await cache.addAll(files.map((file) => new Request(file, { cache: 'no-cache', credentials: 'omit' })));
        await self.skipWaiting();
    })());
});

self.addEventListener('activate', (event) => {
    event.waitUntil((async () => {
        for (const key of await caches.keys()) {
            if (key.startsWith('quietzone-') && key !== name) await caches.delete(key);
        }
        await self.clients.claim();
    })());
});

/** The pages and workers that began with a kept file; a browser names them before it loads them. */
const offline = new Set();

/** How long the station, or a proxy before it, may take to begin its answer, in milliseconds. */
const longestAnswer = 4000;

/** The station's answer; null if there is none in time, or only the error of a proxy or of a failing station. */
async function ask(request) {
    const stop = new AbortController();
    // Only until the answer begins: a slow connection may take longer for the whole file.
    const timer = setTimeout(() => stop.abort(), longestAnswer);
    try {
        const found = await fetch(request, { signal: stop.signal });
        return found.status < 500 ? found : null;
    } catch {
        return null;
    } finally {
        clearTimeout(timer);
    }
}

/** The station's file, or the kept one while the station is away; the files of a kept page are of the same version. */
async function answer({ request, clientId, resultingClientId }, path) {
    const kept = await (await caches.open(name)).match(path);
    if (!kept) return fetch(request);
    const found = offline.has(clientId) || offline.has(resultingClientId) ? null : await ask(request);
    if (found) return found;
    if (resultingClientId) offline.add(resultingClientId);
    return kept;
}

self.addEventListener('fetch', (event) => {
    const { pathname, origin } = new URL(event.request.url);
    if (event.request.method !== 'GET' || origin !== self.location.origin || !files.includes(pathname)) return;
    event.respondWith(answer(event, pathname));
});
