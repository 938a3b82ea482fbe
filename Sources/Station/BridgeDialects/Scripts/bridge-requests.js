// A page's requests, one after the other.

const queue = [];
const answered = new Set();
let current = null;

/** What JSON holds of a value; throws where it holds anything that JSON cannot. */
function plain(value) {
    try {
        return JSON.parse(JSON.stringify(value === undefined ? null : value, (key, one) => {
            const isHeld = typeof one === 'number' ? Number.isFinite(one)
                : !['function', 'symbol', 'bigint'].includes(typeof one);
            if (isHeld) return one;
            throw new TypeError(JSON.stringify(key) + ' is ' + (typeof one === 'number' ? one : 'a ' + typeof one));
        }));
    } catch (error) {
        throw new StationError('invalid_request', text('notJSON') + ' (' + reasonOf(error) + ')');
    }
}

/** What an error says; a page may throw anything. */
function reasonOf(error) {
    try {
        return String((error && error.message) || error);
    } catch (another) {
        return 'unknown';
    }
}

/** The fields of a message, which is an object or its JSON. */
function fieldsOf(name, message) {
    let fields = dialects.get(name).fields(message);
    if (typeof fields === 'string' && /^\s*\{/.test(fields)) {
        try {
            fields = JSON.parse(fields);
        } catch (error) {
            // The station says what is wrong with it.
        }
    }
    return fields && typeof fields === 'object' ? fields : {};
}

/**
 * Puts a page's request into the queue. `settle` is for those who wait for an outcome. Its time begins here, and runs
 * by this page's clock, whether it waits for its turn or the station is away.
 */
function ask(name, given, settle) {
    const message = plain(given);
    const { source, timeout } = fieldsOf(name, message);
    const isTimed = typeof timeout === 'number' && timeout > 0 && timeout <= table.maximumTimeout;
    const request = {
        id: uuid(), dialect: name, message, settle, source: source === 'album' ? 'album' : 'camera',
        opened: performance.now(), timeout: 0, isTimed, timer: null, done: null,
        waitsFor: null, isRepeated: false, typed: null, isGun: false, formats: [],
    };
    limit(request, isTimed ? timeout : table.defaultTimeout);
    queue.push(request);
    next();
    return request;
}

/** Says when a request ends without an answer: so many seconds after it was asked. */
function limit(request, seconds) {
    clearTimeout(request.timer);
    request.timeout = seconds;
    request.timer = setTimeout(() => {
        if (leaveQueue(request)) conclude(request, failure('expired'));
        else if (request.expire) request.expire();
    }, request.opened + seconds * 1000 - performance.now());
}

function leaveQueue(request) {
    const place = queue.indexOf(request);
    if (place >= 0) queue.splice(place, 1);
    return place >= 0;
}

/** Tells the page what became of its request, once; `calls` are the station's, where it has said so. */
function conclude(request, outcome, calls) {
    if (request.done) return;
    request.done = outcome || { value: null };
    clearTimeout(request.timer);
    // The answer comes once, however often the station says it.
    if (answered.has(request.id)) return;
    answered.add(request.id);
    for (const one of calls || refusals(request, request.done)) perform(one);
    if (request.settle) request.settle(request.done);
}

/** The calls for an outcome that the station knows nothing of. */
function refusals(request, outcome) {
    const calls = dialects.get(request.dialect).refusals;
    return calls && outcome.error ? calls(request.message, outcome.error) : [];
}

async function next() {
    if (current || !queue.length) return;
    const request = queue.shift();
    current = request;
    try {
        await serve(request);
    } finally {
        overlay.close();
        current = null;
        next();
    }
}
