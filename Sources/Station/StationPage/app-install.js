// The page as an app of the browser: its files are kept, so that it opens when the station is away.

/** Has the browser keep the page's files; where it cannot, the page works as it does without. */
export function startInstall() {
    if (!('serviceWorker' in navigator)) return;
    addEventListener('load', () => {
        navigator.serviceWorker.register('/service-worker.js').catch((error) => console.warn(error.message));
    });
}
