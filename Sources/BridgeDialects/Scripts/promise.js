// Our own dialect: promises. Its object is there for every page.

async function scan(options) {
    let signal;
    let message;
    try {
        ({ signal, ...message } = options || {});
    } catch (error) {
        throw new StationError('invalid_request', text('notJSON') + ' (' + reasonOf(error) + ')');
    }
    const outcome = await askAndWait('promise', message, signal);
    if (outcome.error) throw new StationError(outcome.error.code, outcome.error.message);
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
