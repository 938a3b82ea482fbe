// Talking to the station: requests in the envelope, and its events.

export class StationError extends Error {
    constructor(message, status, reason) {
        super(message);
        this.status = status;
        this.reason = reason;
    }
}

/** The `data` of an answer; a refusal is a StationError with the station's sentence. */
export function unwrap(status, body) {
    if (body && body.isSuccess) return body.data;
    const message = (body && body.errorMsg) || 'HTTP ' + status;
    throw new StationError(message, status, body && body.data && body.data.reason);
}

export async function get(path) {
    const response = await fetch(path, { cache: 'no-store' });
    return unwrap(response.status, await response.json().catch(() => null));
}

export async function send(path, message, method = 'POST') {
    const init = { method, headers: {} };
    if (message !== undefined) {
        init.headers['Content-Type'] = 'application/json';
        init.body = JSON.stringify(message);
    }
    const response = await fetch(path, init);
    return unwrap(response.status, await response.json().catch(() => null));
}

const longestWait = 5000;

/**
 * Follows the station's events for as long as the page is there.
 *
 * The browser connects again by itself and says which event came last; only where it gives up, because the station
 * answered with an error, a new connection is made here, with the same word.
 */
export function follow(handlers, changed) {
    let lastEventId = null;
    let wait = 500;

    const connect = () => {
        const from = lastEventId ? '?lastEventId=' + encodeURIComponent(lastEventId) : '';
        const source = new EventSource('/events' + from);
        source.onopen = () => {
            wait = 500;
            changed(true);
        };
        source.onerror = () => {
            changed(false);
            if (source.readyState !== EventSource.CLOSED) return;
            setTimeout(connect, wait);
            wait = Math.min(wait * 2, longestWait);
        };
        for (const [name, handle] of Object.entries(handlers)) {
            source.addEventListener(name, (event) => {
                if (event.lastEventId) lastEventId = event.lastEventId;
                handle(JSON.parse(event.data));
            });
        }
    };
    connect();
}
