// Talking to the station: requests in the envelope, and its events.

import { authorization } from './app-access.js';

export class StationError extends Error {
    constructor(message, status, details) {
        super(message);
        this.status = status;
        this.details = details;
        this.reason = details && details.reason;
    }
}

/** The `data` of an answer; a refusal is a StationError with the station's sentence. */
export function unwrap(status, body) {
    if (body && body.isSuccess) return body.data;
    const message = (body && body.errorMsg) || 'HTTP ' + status;
    throw new StationError(message, status, body && body.data);
}

/** A request with the page's token. */
export function request(path, init = {}) {
    return fetch(path, {
        cache: 'no-store', credentials: 'omit', ...init, headers: { ...init.headers, ...authorization() },
    });
}

export async function get(path) {
    const response = await request(path);
    return unwrap(response.status, await response.json().catch(() => null));
}

export async function send(path, message, method = 'POST') {
    const init = { method, headers: {} };
    if (message !== undefined) {
        init.headers['Content-Type'] = 'application/json';
        init.body = JSON.stringify(message);
    }
    const response = await request(path, init);
    return unwrap(response.status, await response.json().catch(() => null));
}

/** A name that nothing else has: crypto.randomUUID() is not there without https, elsewhere than on loopback. */
export function randomName() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** This page, by which the station knows it from others: it may be open several times. */
export const pageName = randomName();

/** Saves an answer of the station as a file. A link could not send the token. */
export async function saveFile(path, name) {
    const response = await request(path);
    if (!response.ok) unwrap(response.status, await response.json().catch(() => null));
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
}

// ---- Events, by fetch because EventSource sends no token -----------------------------------------

const firstWait = 500;
const longestWait = 5000;

/** Hands each event of a stream to `heard`, until the stream ends. The station ends every line with a line feed. */
async function readEvents(stream, heard) {
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        const events = (rest + value).split('\n\n');
        rest = events.pop();
        for (const event of events) {
            const fields = event.split('\n').map((line) => /^(\w+): ?(.*)$/s.exec(line)).filter(Boolean);
            const { id, event: name, data } = Object.fromEntries(fields.map(([, field, text]) => [field, text]));
            if (data !== undefined) heard(id, name, data);
        }
    }
}

/**
 * Follows the station's events for as long as the page is there; connects again whenever the stream ends, and says
 * which event came last.
 *
 * `changed` hears whether the page is connected, and the error where the station refused it. Returns a function that
 * connects at once where the page waits to try again.
 */
export function follow(handlers, changed) {
    let lastEventId = null;
    let wait = firstWait;
    let hurry = () => {};
    let stop = new AbortController();

    const listen = async () => {
        stop = new AbortController();
        const response = await request('/events?page=' + pageName, {
            headers: lastEventId ? { 'Last-Event-ID': lastEventId } : {}, signal: stop.signal,
        });
        if (!response.ok) unwrap(response.status, await response.json().catch(() => null));
        wait = firstWait;
        changed(true);
        await readEvents(response.body, (id, name, data) => {
            if (id) lastEventId = id;
            if (handlers[name]) handlers[name](JSON.parse(data));
        });
    };
    const run = async () => {
        for (;;) {
            const error = await listen().then(() => null, (reason) => reason);
            changed(false, error);
            await new Promise((resolve) => {
                hurry = resolve;
                setTimeout(resolve, wait);
            });
            wait = Math.min(wait * 2, longestWait);
        }
    };
    run();
    const reconnect = () => {
        wait = firstWait;
        hurry();
    };
    // A browser keeps the page for the way back, and with it one of the few connections that it makes to a server.
    addEventListener('pagehide', () => stop.abort());
    addEventListener('pageshow', (event) => { if (event.persisted) reconnect(); });
    return reconnect;
}
