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

/** The station's file, and the one that is kept where the station does not answer. */
async function answer(request, path) {
    try {
        return await fetch(request);
    } catch (error) {
        const kept = await (await caches.open(name)).match(path);
        if (kept) return kept;
        throw error;
    }
}

self.addEventListener('fetch', (event) => {
    const { pathname, origin } = new URL(event.request.url);
    if (event.request.method !== 'GET' || origin !== self.location.origin || !files.includes(pathname)) return;
    event.respondWith(answer(event.request, pathname));
});
