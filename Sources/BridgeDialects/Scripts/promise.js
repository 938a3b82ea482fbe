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

dialect('promise', {
    isAlways: true,
    install() {
        window.quietzone = Object.freeze({
            scan,
            cancel() {
                while (queue.length) withdraw(queue[queue.length - 1]);
                if (current) withdraw(current);
            },
            station,
            _settle: settle,
        });
    },
});
