// Our own dialect: promises. Its object is there for every page.

const options = new Set(['source', 'formats', 'timeout', 'signal', 'onlyFromCamera']);
const known = new Set(table.errors);

/** What a page asks for; throws where that is no object, or has options that there are not: any code would answer it. */
function asked(given) {
    if (given === undefined || given === null) return {};
    if (typeof given !== 'object' || Array.isArray(given)) {
        throw new StationError('invalid_request', text('noOptions', typeof given === 'string' ? given : 'qr_code'));
    }
    let found;
    try {
        found = { ...given };
    } catch (error) {
        throw new StationError('invalid_request', text('notJSON') + ' (' + reasonOf(error) + ')');
    }
    const other = Object.keys(found).find((name) => !options.has(name));
    if (other !== undefined) throw new StationError('invalid_request', text('unknownOption', other));
    return found;
}

async function scan(given) {
    const { signal, ...message } = asked(given);
    const outcome = await askAndWait('promise', message, signal);
    if (outcome.error) {
        const { code, message: sentence } = outcome.error;
        throw new StationError(known.has(code) ? code : 'failed', sentence);
    }
    return outcome.value;
}

/** What a scale of the station shows, once it is at rest. */
async function weigh(options) {
    const { device, timeout = 10, signal } = options || {};
    const query = new URLSearchParams({ wait: String(timeout) });
    if (device) query.set('device', device);
    return envelope(call('/weight?' + query, { signal }));
}

/** Has the station type a text into the window that has the focus. */
async function type(value) {
    const init = {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ text: String(value) }),
    };
    await envelope(call('/keyboard/text', init));
}

dialect('promise', {
    isAlways: true,
    install() {
        window.quietzone = Object.freeze({
            scan,
            weigh,
            type,
            cancel() {
                while (queue.length) withdraw(queue[queue.length - 1]);
                if (current) withdraw(current);
            },
            station,
            _settle: settle,
        });
    },
});
