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

/** Follows the station's events until `signal` aborts: connects again whenever the stream ends. */
async function follow(signal, connected, heard, path = '/events') {
    let wait = firstRetry;
    while (!signal.aborted) {
        try {
            const headers = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
            const response = await call(path, { headers, signal });
            if (!response.ok || !response.body) throw new StationError('unreachable', 'HTTP ' + response.status);
            wait = firstRetry;
            connected(true);
            const parser = new EventParser();
            const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
            for (;;) {
                const { value, done } = await reader.read();
                if (done) break;
                for (const event of parser.feed(value)) heard(event);
                lastEventId = parser.lastEventId || lastEventId;
            }
        } catch (error) {
            if (signal.aborted) return;
        }
        connected(false);
        await pause(wait * (1 + Math.random() / 4), signal);
        wait = Math.min(wait * 2, maximumRetry);
    }
}
