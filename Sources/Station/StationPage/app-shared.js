// Runs once for all pages of a browser, as a SharedWorker: follows the station's events and hands them to each page. A
// browser makes six connections to one server, and a stream for each page would hold them all.

import { followEvents, randomName } from './app-stream.js';

const name = randomName();
const pages = new Set();
let token = '';
let stream = null;
/** What was last said of the connection, for pages that come later; null before anything was. */
let state = null;

function heard(message) {
    if ('connected' in message) state = message;
    for (const page of pages) page.postMessage(message);
}

function join(page, itsToken) {
    pages.add(page);
    token = itsToken;
    if (stream && state && state.connected) page.postMessage(state);
    else if (stream) stream.hurry();
    else stream = followEvents(name, () => token, heard);
}

function leave(page) {
    pages.delete(page);
    // Pages that a browser keeps for the way back keep this too.
    if (pages.size || !stream) return;
    stream.stop();
    stream = null;
    state = null;
}

self.addEventListener('connect', ({ ports: [page] }) => {
    page.addEventListener('message', ({ data }) => (data.isLeaving ? leave(page) : join(page, data.token)));
    // Of a page that crashed; browsers that do not tell drop what is sent to it.
    page.addEventListener('close', () => leave(page));
    page.start();
});
