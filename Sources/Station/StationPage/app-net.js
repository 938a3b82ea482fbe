// Talking to the station: requests in the envelope, and its events.

import { authorization, token } from './app-access.js';
import { StationError, followEvents, randomName, unwrap } from './app-stream.js';

export { StationError, randomName, unwrap };

/** How long an answer may take, in milliseconds: a station that hangs must not keep the page's few connections. */
const longestAnswer = 30000;

/** A request with the page's token. */
export function request(path, init = {}) {
    return fetch(path, {
        cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(longestAnswer), ...init,
        headers: { ...init.headers, ...authorization() },
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

/** This page, by which the station knows it from others: it may be open several times. */
export const pageName = randomName();
/** What the station calls the events that this page follows: all pages of a browser share them. */
export let eventsName = pageName;

/** Saves an answer of the station as a file. A link could not send the token. */
export async function saveFile(path, name) {
    // A long history takes its time.
    const response = await request(path, { signal: undefined });
    if (!response.ok) unwrap(response.status, await response.json().catch(() => null));
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
}

// ---- Events --------------------------------------------------------------------------------------

let ahead = 0;
/** The time by the station's clock: that of this machine may be another. */
export const stationTime = () => Date.now() - ahead;

/** What follows the events says something more often than this, also while the station is away, in milliseconds. */
const longestSilence = 20000;

/** A stream of this page's own, where the browser knows nothing that pages share. */
function ownEvents(heard) {
    let stream = null;
    return {
        join() {
            if (stream) stream.hurry();
            else stream = followEvents(pageName, token, heard);
        },
        leave() {
            if (stream) stream.stop();
            stream = null;
        },
    };
}

/** The stream that all pages of the browser share; `failed` is called where there is none. */
function sharedEvents(heard, failed) {
    const worker = new SharedWorker('/app-shared.js', { type: 'module' });
    worker.addEventListener('error', failed);
    worker.port.addEventListener('message', ({ data }) => heard(data));
    worker.port.start();
    return {
        join() { worker.port.postMessage({ token: token() }); },
        leave() { worker.port.postMessage({ isLeaving: true }); },
    };
}

/**
 * Follows the station's events for as long as the page is there.
 *
 * `changed` hears whether the page is connected, and the error where the station refused it. Returns a function that
 * connects at once where the page waits to try again.
 */
export function follow(handlers, changed) {
    let events = null;
    let silence = null;
    const awaitSign = () => {
        clearTimeout(silence);
        silence = setTimeout(restart, longestSilence);
    };
    const heard = (message) => {
        awaitSign();
        if ('connected' in message) {
            eventsName = message.events;
            const { connected, error } = message;
            if (connected) ahead = message.ahead;
            changed(connected, error ? new StationError(error.message, error.status) : null);
        } else if (handlers[message.name]) {
            handlers[message.name](message.data);
        }
    };
    const useOwn = () => {
        events = ownEvents(heard);
        events.join();
    };
    const start = () => {
        try {
            events = sharedEvents(heard, useOwn);
        } catch (error) {
            // The browser knows no workers that pages share, or denies them together with its storage.
            useOwn();
            return;
        }
        events.join();
        awaitSign();
    };
    // What the pages share may have crashed: then another one begins.
    const restart = () => {
        events.leave();
        changed(false, null);
        start();
    };
    start();
    // A browser keeps the page for the way back, and with it one of the few connections that it makes to a server.
    addEventListener('pagehide', () => {
        clearTimeout(silence);
        events.leave();
    });
    addEventListener('pageshow', (event) => {
        if (!event.persisted) return;
        events.join();
        awaitSign();
    });
    return () => events.join();
}
