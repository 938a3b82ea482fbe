// Server-sent events, by fetch because EventSource sends no token.

/** Splits a stream of text into events; feed() returns those that are complete. */
class EventParser {
    constructor() {
        this.rest = '';
        this.lastEventId = null;
        this.reset();
    }

    reset() {
        this.event = 'message';
        this.data = [];
    }

    feed(chunk) {
        const events = [];
        const lines = (this.rest + chunk).split(/\r\n|\n|\r(?!$)/);
        this.rest = lines.pop();
        for (const line of lines) {
            if (line === '') {
                if (this.data.length) events.push({ event: this.event, data: this.data.join('\n') });
                this.reset();
                continue;
            }
            const [, field, value] = /^([^:]*):? ?([\s\S]*)$/.exec(line);
            if (field === 'event') this.event = value;
            if (field === 'data') this.data.push(value);
            if (field === 'id') this.lastEventId = value;
        }
        return events;
    }
}

let lastEventId = null;

/** Aborts when the page goes away or has another session; another one follows. */
let leaving = new AbortController();
/** Resolves when the page is shown. */
let shown = Promise.resolve();

// A browser keeps pages for its button "back", with their connections, and has six of them to one host: without this the
// sixth page that somebody opens in a row waits for a minute.
window.addEventListener('pagehide', () => {
    endStream();
    shown = new Promise((resolve) => window.addEventListener('pageshow', resolve, { once: true }));
});

function endStream() {
    leaving.abort();
    leaving = new AbortController();
}

/** A signal that aborts when one of two does. */
function either(one, other) {
    const both = new AbortController();
    for (const signal of [one, other]) {
        if (signal.aborted) both.abort(signal.reason);
        signal.addEventListener('abort', () => both.abort(signal.reason), { once: true, signal: both.signal });
    }
    return both.signal;
}

/**
 * Runs `act` while this is the one page of its origin that does; until then, and for as long as `act` takes, it does not
 * resolve. A browser makes six connections to one station, which streams of many tabs would use up: the others ask from
 * time to time. Only pages by https or of this machine can agree on who it is.
 */
async function alone(signal, act) {
    if (!navigator.locks) return act();
    return navigator.locks.request('quietzone.events', { signal }, act).catch((error) => {
        if (!signal.aborted) throw error;
    });
}

/**
 * Follows the station's events until `signal` aborts: connects again whenever the stream ends, and when the page, which
 * has no stream while it is away, is shown again.
 */
async function follow(signal, connected, heard, path = '/events') {
    let wait = firstRetry;
    while (!signal.aborted) {
        const attempt = new AbortController();
        signal.addEventListener('abort', () => attempt.abort(), { signal: attempt.signal });
        let isSilent = false;
        let silence = null;
        const alive = () => {
            clearTimeout(silence);
            silence = setTimeout(() => {
                isSilent = true;
                attempt.abort();
            }, maximumEventSilence);
        };
        try {
            await shown;
            const headers = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
            alive();
            const response = await call(path, { headers, signal: either(attempt.signal, leaving.signal) });
            if (!response.ok || !response.body) throw new StationError('unreachable', 'HTTP ' + response.status);
            wait = firstRetry;
            connected(true);
            const parser = new EventParser();
            const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
            for (;;) {
                const { value, done } = await reader.read();
                if (done) break;
                alive();
                for (const event of parser.feed(value)) heard(event);
                lastEventId = parser.lastEventId || lastEventId;
            }
        } catch (error) {
            if (signal.aborted) return;
        } finally {
            clearTimeout(silence);
            attempt.abort();
        }
        connected(false, isSilent);
        await pause(wait * (1 + Math.random() / 4), signal);
        wait = Math.min(wait * 2, maximumRetry);
    }
}
