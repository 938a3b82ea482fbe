// Answers: which functions are the page's own, and how they are called.

// Functions of this script, which take messages of a page and no codes.
const mine = new WeakSet();
// The names that a dialect has for a page's own function, which no message can choose.
const agreed = new Set(table.functions);
const hidden = new Set(['prototype', 'constructor']);
const settleName = 'quietzone._settle';

let untouched = null;

/**
 * What the browser itself has in a window, as a window says that no script has touched: the names, and which
 * functions are its own. Scripts of a page may have put a wrapper of their own under such a name, which would still
 * run what it is given.
 */
function browser() {
    if (untouched) return untouched;
    // In a shadow tree the page's own count of frames does not change.
    const host = document.createElement('div');
    host.hidden = true;
    const frame = document.createElement('iframe');
    host.attachShadow({ mode: 'closed' }).append(frame);
    document.documentElement.append(host);
    const view = frame.contentWindow;
    const { getOwnPropertyDescriptor: own, getOwnPropertyNames, getPrototypeOf: parent } = view.Object;
    const names = new Set();
    for (let one = view; one; one = parent(one)) {
        for (const name of getOwnPropertyNames(one)) names.add(name);
    }
    const source = view.Function.prototype.toString;
    const apply = view.Reflect.apply;
    // A page cannot write such a text: it is no JavaScript.
    const mark = new view.RegExp('\\{\\s*\\[native code\\]\\s*\\}\\s*$');
    host.remove();
    untouched = { names, own, parent, isNative: (value) => mark.test(apply(source, value, [])) };
    return untouched;
}

/** Where a page put a value under a name: a property that is no getter, on an object that is not the browser's. */
function property(owner, name) {
    const { own, parent, isNative } = browser();
    for (let holder = owner; holder !== null; holder = parent(holder)) {
        const found = own(holder, name);
        if (found) {
            const maker = own(holder, 'constructor');
            const isBrowsers = maker && typeof maker.value === 'function' && isNative(maker.value)
                && maker.value.prototype === holder;
            return 'value' in found && !isBrowsers ? found : null;
        }
        // Only what lies in the window itself: elements are found by their id behind it.
        if (owner === window) return null;
    }
    return null;
}

function isWindow(value) {
    const found = browser().own(value, 'window');
    return Boolean(found && found.get);
}

/**
 * The function that the page itself defined under these names, and what it is called on; null where there is none.
 * What looks like the browser's is not called: its own functions, in whatever place, and also what bind(), Proxy and
 * Promise make, which nobody can tell from them; save where a page has put under an agreed name what bind() made, or
 * a promise's resolve.
 */
function pageFunction(names) {
    const { names: taken, own, isNative } = browser();
    let owner = null;
    let value = window;
    for (const [index, name] of names.entries()) {
        if (typeof name !== 'string' || hidden.has(name) || name.startsWith('__')) return null;
        if (index === 0 && (taken.has(name) || name === 'quietzone')) return null;
        if (value === null || !['object', 'function'].includes(typeof value)) return null;
        if (index > 0 && isWindow(value)) return null;
        const found = property(value, name);
        if (!found) return null;
        owner = value;
        value = found.value;
    }
    if (typeof value !== 'function' || mine.has(value)) return null;
    if (isNative(value)) {
        const label = own(value, 'name');
        const isMade = label && typeof label.value === 'string' && /^(bound .*)?$/.test(label.value);
        if (!isMade || !agreed.has(names.join('.'))) return null;
    }
    return { value, owner };
}

/** Calls one function of the page and hands the arguments over as they are. */
function perform(one) {
    const names = one && Array.isArray(one.function) ? one.function : [];
    const given = one && Array.isArray(one.arguments) ? one.arguments : [];
    const name = names.join('.');
    if (name === settleName) {
        settle(...given);
        return;
    }
    let found = null;
    try {
        found = names.length ? pageFunction(names) : null;
    } catch (error) {
        // An object that throws when it is looked at is not the page's to receive codes with.
    }
    if (!found) {
        console.error('quietzone: this page has defined no function ' + name + ' to receive the code. The browser\'s '
            + 'own functions and names, getters, and functions made by bind() are not called.');
        return;
    }
    try {
        Reflect.apply(found.value, found.owner, given);
    } catch (error) {
        // The page's own mistake: it is reported as such and does not stop the bridge.
        setTimeout(() => { throw error; });
    }
}

const waiting = new Map();

/** Called by the answers to `quietzone.scan` and `wx.scanCode`. */
function settle(id, outcome) {
    const heard = waiting.get(id);
    waiting.delete(id);
    if (heard) heard(outcome);
}

/** Asks in a dialect whose outcome someone waits for; resolves with `{value}` or `{error}`. */
function askAndWait(dialect, message, signal) {
    return new Promise((resolve) => {
        if (signal && typeof signal.addEventListener !== 'function') {
            throw new StationError('invalid_request', 'signal takes an AbortSignal');
        }
        const cancel = () => withdraw(request);
        const request = ask(dialect, message, (outcome) => {
            // A page may hand over the same signal again and again.
            if (signal) signal.removeEventListener('abort', cancel);
            settle(request.id, outcome);
        });
        waiting.set(request.id, resolve);
        if (signal && signal.aborted) cancel();
        else if (signal) signal.addEventListener('abort', cancel, { once: true });
    });
}

function withdraw(request) {
    if (leaveQueue(request)) {
        conclude(request, failure('cancelled'));
    } else if (request === current && !request.done) {
        request.cancel();
    }
}
