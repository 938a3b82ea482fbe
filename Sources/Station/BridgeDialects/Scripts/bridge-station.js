// The station: where it is, a page's session with it, and requests to it.

// An app of the station has the script at its own origin.
const station = table.station || new URL(script.src).origin;
const firstRetry = 250;
const maximumRetry = 5000;
// How long a station may take to hand out a session, and to say what became of a request whose time is up.
const sessionTimeout = 10000;
const finalStateTimeout = 250;
// The station says something every two seconds; after so much silence it hangs, or the network is gone.
const maximumEventSilence = 8000;
// How long it may take to answer what it answers at once.
const maximumAnswer = 8000;
// After this the window opens although the station has not answered.
const maximumSilence = 1000;

// A sandboxed frame and a file have no origin by which the station could know the page.
const isOpaque = window.origin === 'null';

class StationError extends Error {
    constructor(code, message) {
        super(message);
        this.name = 'StationError';
        this.code = code;
    }
}

let session = null;

/** A session's token. One that was refused (`stale`) is replaced, and several who ask share the answer. */
function openSession(stale) {
    const isStale = session && stale && session.token === stale;
    if (session && !isStale && session.expires > Date.now() + 60000) return session.ready;
    const opening = { token: null, expires: Infinity, ready: null };
    opening.ready = requestSession()
        .then((data) => {
            opening.token = data.session;
            opening.expires = Date.parse(data.expiresAt) || Infinity;
            return data.session;
        })
        .catch((error) => {
            if (session === opening) session = null;
            throw error;
        });
    // The station answers the session that asked last: its events are followed, and its request is sent, anew.
    if (session) endStream();
    session = opening;
    return opening.ready;
}

/**
 * Asks for a session. A browser does not tell a page that its origin was refused: the answer looks like none. But
 * a script may be fetched by anyone, so that a station which hands this one out and then twice no session is there
 * and does not know this page.
 */
async function requestSession() {
    if (isOpaque) throw new StationError('opaque_origin', text('opaque'));
    for (let attempt = 0; ; attempt += 1) {
        try {
            const signal = AbortSignal.timeout(sessionTimeout);
            return await envelope(
                fetch(station + '/bridge/session', { method: 'POST', credentials: 'omit', signal }));
        } catch (error) {
            if (error.code !== 'unreachable') throw error;
            const isThere = await fetch(script.src, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout(sessionTimeout) })
                .then(() => true, () => false);
            if (!isThere) throw error;
            if (attempt) throw new StationError('unknown_origin', text('stranger') + ' ' + location.origin);
            await pause(500);
        }
    }
}

/** What `data` the station answers with; a refusal and a broken connection are StationErrors. */
async function envelope(answering) {
    let response;
    try {
        response = await answering;
    } catch (error) {
        if (error.name === 'AbortError' || error instanceof StationError) throw error;
        throw new StationError('unreachable', text('unreachable'));
    }
    let body = null;
    try {
        body = await response.json();
    } catch (error) {
        throw new StationError('unreachable', text('unreachable'));
    }
    if (body && body.isSuccess) return body.data;
    const reason = (body && body.data && body.data.reason) || 'http_' + response.status;
    const refusal = new StationError(reason, (body && body.errorMsg) || 'HTTP ' + response.status);
    refusal.status = response.status;
    refusal.retryAfter = Number(response.headers.get('Retry-After')) || 0;
    throw refusal;
}

/** What aborts with `signal`, and where the station does not answer in time. */
function inTime(signal) {
    const late = new AbortController();
    setTimeout(() => late.abort(new StationError('unreachable', text('unreachable'))), maximumAnswer);
    return either(signal, late.signal);
}

/** A request with the session's token; a token that the station no longer knows is renewed once. */
async function call(path, options) {
    for (let attempt = 0; ; attempt += 1) {
        const token = await openSession(attempt ? session && session.token : null);
        const headers = Object.assign({ Authorization: 'Bearer ' + token }, options && options.headers);
        const init = Object.assign({ credentials: 'omit', cache: 'no-store' }, options, { headers });
        const response = await fetch(station + path, init);
        if (response.status !== 401 || attempt) return response;
    }
}

function isPassing(error) {
    return error.code === 'unreachable' || error.status === 429 || error.status === 503;
}

function pause(milliseconds, signal) {
    return new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        if (signal) signal.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { once: true });
    });
}

function uuid() {
    // crypto.randomUUID is there for https and loopback only, and a hospital's page may be neither.
    if (crypto.randomUUID) return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
