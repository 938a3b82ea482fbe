// The station's events as a stream, for pages and for what pages share: it knows nothing of a document.

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

/** A name that nothing else has: crypto.randomUUID() is not there without https, elsewhere than on loopback. */
export function randomName() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const firstWait = 500;
const longestWait = 5000;
/** The station says something every two seconds; after so many milliseconds of silence it hangs, or the network is gone. */
const longestSilence = 8000;

/** Hands each event of a stream to `heard`, until the stream ends. The station ends every line with a line feed. */
async function readEvents(stream, heard, alive) {
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        alive();
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
 * Follows the station's events until it is stopped; connects again whenever the stream ends, and says which event came
 * last. By fetch, because EventSource sends no token.
 *
 * `events` is what the station calls them, `token()` the token of the moment. `heard` gets `{name, data}` of each event,
 * `{connected, error, events, ahead}` of the connection, and `{}` whenever the station or the stream shows that it is alive. `hurry` connects at once where it waits to try again.
 */
export function followEvents(events, token, heard) {
    let lastEventId = null;
    let wait = firstWait;
    let endWait = () => {};
    let silence = null;
    const stop = new AbortController();

    const listen = async (attempt) => {
        const alive = () => {
            clearTimeout(silence);
            silence = setTimeout(() => attempt.abort(), longestSilence);
            heard({});
        };
        alive();
        const headers = { Authorization: 'Bearer ' + token() };
        if (lastEventId) headers['Last-Event-ID'] = lastEventId;
        const response = await fetch('/events?page=' + events, {
            headers, cache: 'no-store', credentials: 'omit', signal: attempt.signal,
        });
        if (!response.ok) unwrap(response.status, await response.json().catch(() => null));
        wait = firstWait;
        // By how many milliseconds this clock is ahead of the station's.
        heard({ connected: true, events, ahead: Date.now() - Date.parse(response.headers.get('Date')) || 0 });
        await readEvents(response.body, (id, name, data) => {
            if (id) lastEventId = id;
            heard({ name, data: JSON.parse(data) });
        }, alive);
    };
    const run = async () => {
        while (!stop.signal.aborted) {
            const attempt = new AbortController();
            stop.signal.addEventListener('abort', () => attempt.abort(), { signal: attempt.signal });
            const error = await listen(attempt).then(() => null, (reason) => reason);
            clearTimeout(silence);
            // Nothing of this attempt is left, also where the answer was a refusal.
            attempt.abort();
            if (stop.signal.aborted) return;
            heard({ connected: false, error: error && { message: error.message, status: error.status }, events });
            await new Promise((resolve) => {
                endWait = resolve;
                setTimeout(resolve, wait);
            });
            wait = Math.min(wait * 2, longestWait);
        }
    };
    run();
    return {
        hurry() {
            wait = firstWait;
            endWait();
        },
        stop() {
            clearTimeout(silence);
            stop.abort();
            endWait();
        },
    };
}
