// Dialects: each is a part of its own, which adds itself here.

const dialects = new Map();

/**
 * Adds a dialect.
 *
 * - `install()` gives the page the functions that it calls; it runs where the page wants the dialect, and in any case
 *   where `isAlways` is set.
 * - `fields(message)` finds the object that may hold `source` and `timeout`.
 * - `refusals(message, error)` are the calls by which the page hears of an error that the station knows nothing of.
 *   Without it a page has no word for that, and the window shows it.
 */
function dialect(name, { install, isAlways = false, fields = (message) => message, refusals = null }) {
    dialects.set(name, { install, isAlways, fields, refusals });
}

/** Adds a handler to webkit.messageHandlers; one that is there, such as an app's own, is kept. */
function addHandler(name, postMessage) {
    mine.add(postMessage);
    try {
        window.webkit = window.webkit || {};
        window.webkit.messageHandlers = window.webkit.messageHandlers || {};
        const handlers = window.webkit.messageHandlers;
        if (!handlers[name]) handlers[name] = { postMessage };
    } catch (error) {
        console.warn('quietzone: webkit.messageHandlers cannot be added to here', error);
    }
}

/** Asks, and throws what an app's postMessage throws for a message that it cannot hand over. */
function askOrThrow(dialect, message) {
    try {
        ask(dialect, message);
    } catch (error) {
        throw new DOMException(error.message, 'DataCloneError');
    }
}
