// Quietzone's bridge: lets an ordinary web page ask the scanning station for a code, in the dialect that it speaks.
//
//     <script src="http://127.0.0.1:6079/bridge.js"></script>
//
// What it gives to a page is described in bridge.d.ts and docs/bridge.md. A code's content is data: it reaches the page
// as the argument of a function, and is never made part of a script or of HTML.
(function () {
    'use strict';

    if (window.quietzone && window.quietzone.scan) return;
    const script = document.currentScript;
    if (!script || !script.src) return;

    // ---- The station -----------------------------------------------------------------------------

    const station = new URL(script.src).origin;
    // A page that records sound in the browser leaves "recordapp" out, whose marker says that there is an app.
    const wanted = (script.dataset.dialects || 'hospital promise wechat detector herald recordapp gun').split(/[\s,]+/);
    const firstRetry = 250;
    const longestRetry = 5000;
    // As the station has it where a page says nothing.
    const defaultTimeout = 120;
    const longestTimeout = 3600;
    // How long a station may take to hand out a session, and to say what became of a request whose time is up.
    const sessionPatience = 10000;
    const lastMoment = 250;
    // After this the window opens although the station has not answered.
    const longestSilence = 1000;

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
                const signal = AbortSignal.timeout(sessionPatience);
                return await envelope(
                    fetch(station + '/bridge/session', { method: 'POST', credentials: 'omit', signal }));
            } catch (error) {
                if (error.code !== 'unreachable') throw error;
                const isThere = await fetch(script.src, { mode: 'no-cors', cache: 'no-store' })
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

    // ---- Server-sent events, by fetch because EventSource sends no token -------------------------

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
    async function follow(signal, connected, heard) {
        let wait = firstRetry;
        while (!signal.aborted) {
            try {
                const headers = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
                const response = await call('/events', { headers, signal });
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
            wait = Math.min(wait * 2, longestRetry);
        }
    }

    // ---- Requests, one after the other -----------------------------------------------------------

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

    /** The fields of a message: an object, its JSON, or what RecordApp's has as `args`. */
    function fieldsOf(dialect, message) {
        let fields = dialect === 'recordapp' && message ? message.args : message;
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
    function ask(dialect, given, settle) {
        const message = plain(given);
        const { source, timeout } = fieldsOf(dialect, message);
        const isTimed = typeof timeout === 'number' && timeout > 0 && timeout <= longestTimeout;
        const request = {
            id: uuid(), dialect, message, settle, source: source === 'album' ? 'album' : 'camera',
            opened: performance.now(), timeout: 0, isTimed, timer: null, done: null,
            waitsFor: null, isRepeated: false, typed: null,
        };
        limit(request, isTimed ? timeout : defaultTimeout);
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
        if (request.dialect !== 'recordapp' || !outcome.error) return [];
        const { code, message } = outcome.error;
        return [recordAppRefusal(request.message, code === 'cancelled' ? code : message)];
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

    /** From the first POST to the answer. What the station said last is in `state`. */
    function serve(request) {
        return new Promise((resolve) => {
            const stop = new AbortController();
            const path = '/bridge/requests/' + request.id;
            let isFollowed = false;
            let isStale = false;
            let posting = null;
            let typing = null;
            let retry = firstRetry;
            let timer = null;
            let away = null;
            // What it came to where its time is up: to the station it was cancelled then.
            let ending = null;
            const silence = setTimeout(() => {
                overlay.open(request);
                overlay.say(text('unreachable'));
            }, longestSilence);

            const finish = (outcome, calls) => {
                if (request.done) return;
                stop.abort();
                clearTimeout(timer);
                clearTimeout(silence);
                // First, for it gives the focus back, which the page may then move to its next field.
                overlay.close();
                resolve();
                conclude(request, outcome, calls);
            };

            const take = (data) => {
                if (request.done || !data || data.request !== request.id) return;
                clearTimeout(silence);
                if (data.source) request.source = data.source;
                if (data.timeout && !request.isTimed && data.timeout !== request.timeout) limit(request, data.timeout);
                request.waitsFor = data.state === 'waiting' ? data.waitsFor : null;
                request.isRepeated = Boolean(data.repeated);
                if (ending && data.state === 'cancelled') {
                    finish(ending);
                } else if (data.state && data.state !== 'open' && data.state !== 'waiting') {
                    finish(data.outcome || failure(data.state), data.calls);
                } else {
                    overlay.open(request);
                    sendTyped();
                }
            };

            const tryLater = (error) => {
                away = error;
                clearTimeout(silence);
                overlay.open(request);
                overlay.say(error.message);
                clearTimeout(timer);
                timer = setTimeout(post, Math.max(retry, error.retryAfter ? error.retryAfter * 1000 : 0));
                retry = Math.min(retry * 2, longestRetry);
            };

            const post = () => {
                clearTimeout(timer);
                timer = null;
                if (request.done || posting) return posting;
                isStale = false;
                const body = JSON.stringify({ request: request.id, message: request.message });
                const headers = { 'Content-Type': 'application/json' };
                const init = { method: 'POST', headers, body, signal: stop.signal };
                posting = envelope(call('/bridge/' + request.dialect, init)).then((data) => {
                    posting = null;
                    away = null;
                    retry = firstRetry;
                    overlay.say('');
                    take(data);
                    // While no stream says what happened, the station is asked again; that changes nothing there.
                    if (isStale) post();
                    else if (!isFollowed && !timer) timer = setTimeout(post, 1000);
                }).catch((error) => {
                    posting = null;
                    if (request.done) return;
                    clearTimeout(silence);
                    if (isPassing(error)) tryLater(error);
                    else refuse(request, error, finish);
                });
                return posting;
            };

            // What a gun typed is kept until the station has it.
            const sendTyped = () => {
                if (request.typed === null || request.done || typing) return;
                const body = JSON.stringify({ text: request.typed });
                const headers = { 'Content-Type': 'application/json' };
                typing = envelope(call(path + '/typed', { method: 'POST', headers, body, signal: stop.signal }))
                    .then((data) => {
                        typing = null;
                        take(data);
                    }).catch((error) => {
                        typing = null;
                        if (request.done) return;
                        // A station that was started anew does not know the request yet.
                        if (isPassing(error) || error.status === 404) {
                            tryLater(error);
                        } else {
                            request.typed = null;
                            overlay.say(error.message);
                        }
                    });
            };

            request.post = post;
            // For a request that the station will not serve, and that is shown until somebody has read why.
            request.halt = () => {
                stop.abort();
                clearTimeout(timer);
                clearTimeout(request.timer);
            };
            request.type = (typed) => {
                request.typed = typed;
                overlay.say('');
                sendTyped();
            };
            request.readAgain = () => envelope(call(path + '/again', { method: 'POST', signal: stop.signal })).then(take)
                .catch((error) => { if (!request.done) overlay.say(error.message); });
            // Neither who pressed Esc nor whose time is up waits for a station that is gone.
            const giveUp = (outcome, patience) => {
                envelope(call(path, { method: 'DELETE', keepalive: true })).then(take).catch(() => {})
                    .finally(() => finish(outcome));
                setTimeout(() => finish(outcome), patience);
            };
            request.cancel = () => giveUp(failure('cancelled'), 1500);
            request.expire = () => {
                ending = away ? { error: { code: away.code, message: away.message } } : failure('expired');
                giveUp(ending, lastMoment);
            };
            follow(stop.signal, (on) => {
                isFollowed = on;
                // What happened before the stream was there is asked for, once more where an answer is under way.
                if (on && posting) isStale = true;
                else if (on) post();
                else if (!timer) timer = setTimeout(post, 1000);
            }, (event) => {
                if (event.event !== 'request') return;
                try {
                    take(JSON.parse(event.data));
                } catch (error) {
                    console.error('quietzone: an event of the station was not understood', error);
                }
            });
            post();
        });
    }

    function failure(state) {
        const code = { cancelled: 'cancelled', expired: 'timed_out' }[state] || 'failed';
        return { error: { code, message: text(code) } };
    }

    /** The station will not serve this: those who wait hear it, and a person sees it where nobody waits. */
    function refuse(request, error, finish) {
        const outcome = { error: { code: error.code || 'failed', message: error.message } };
        if (request.settle || request.dialect === 'recordapp' || error.code === 'unknown_message') {
            if (!request.settle) console.warn('quietzone: ' + error.message);
            finish(outcome);
            return;
        }
        console.error('quietzone: ' + error.message);
        request.halt();
        request.cancel = () => finish(outcome);
        request.type = () => overlay.say(error.message);
        overlay.open(request);
        overlay.fail(error.message);
    }

    // ---- Answers ---------------------------------------------------------------------------------

    // Functions of this script, which take messages of a page and no codes.
    const mine = new WeakSet();
    // The names that a dialect has for a page's own function, which no message can choose.
    const agreed = new Set(['receiveScanResult', 'receiveScanResult2', 'AppJsBridgeRequest.Call']);
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
            const request = ask(dialect, message, (outcome) => settle(request.id, outcome));
            waiting.set(request.id, resolve);
            const cancel = () => withdraw(request);
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

    // ---- Words -----------------------------------------------------------------------------------

    const words = {
        en: {
            title: 'Scan a code', album: 'From album…', cancel: 'Cancel', hint: 'Hold the code before the camera.',
            albumHint: 'Choose a picture that shows the code.', reading: 'Reading the picture…',
            nothing: 'There is no code in this picture. Choose another one.',
            noCamera: 'There is no picture from the camera.',
            unreachable: 'The scanning station does not answer. Trying again…', cancelled: 'The scan was cancelled.',
            stranger: 'The scanning station does not let this page scan. It has to be started with --allow-origin',
            timed_out: 'No code was read in time.', failed: 'The scan failed.', preview: 'What the camera sees',
            close: 'Close', again: 'Scan it again', busy: 'The camera is in use. Waiting for', own: 'the station’s page',
            repeated: 'The code in view was scanned just now. Take it away and show the next one.',
            notJSON: 'The message of this page cannot be written as JSON',
            opaque: 'The scanning station cannot know this page, which has no origin: it is in a sandboxed frame (add '
                + 'allow-same-origin to its sandbox attribute) or was opened as a file (open it by http).',
        },
        zh: {
            title: '扫码', album: '从相册选择…', cancel: '取消', hint: '请将条码或二维码对准摄像头。',
            albumHint: '请选择一张含有条码或二维码的图片。', reading: '正在识别图片…',
            nothing: '图片中没有识别到码，请换一张。', noCamera: '没有摄像头画面。',
            stranger: '扫码工作站不允许本页面扫码。启动时需要加上 --allow-origin',
            unreachable: '扫码工作站没有响应，正在重试…', cancelled: '扫码已取消。', timed_out: '在规定时间内没有读到码。',
            failed: '扫码失败。', preview: '摄像头画面', close: '关闭', again: '再扫一次', busy: '摄像头正在使用中，请等待：',
            own: '工作站页面', repeated: '镜头下的码刚刚扫过，请移开并放上下一个。', notJSON: '本页面的消息无法写成 JSON',
            opaque: '扫码工作站无法识别本页面，因为它没有来源：它在沙盒框架中（请在其 sandbox 属性中加入 allow-same-origin），'
                + '或是作为文件打开的（请通过 http 打开）。',
        },
    };

    function text(key) {
        const language = /^zh\b/i.test(navigator.language || '') ? 'zh' : 'en';
        return words[language][key];
    }

    // ---- The overlay -----------------------------------------------------------------------------

    const style = `
        :host { all: initial; }
        dialog {
            box-sizing: border-box; width: min(34rem, calc(100vw - 1.5rem)); max-height: calc(100vh - 1.5rem);
            padding: 0; border: 0; border-radius: 18px; overflow: hidden; color: #16202b; background: #fff;
            font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC",
                "Microsoft YaHei", "Noto Sans CJK SC", "Droid Sans Fallback", sans-serif;
            box-shadow: 0 24px 64px rgb(8 20 35 / .35);
        }
        dialog::backdrop { background: rgb(10 18 28 / .6); backdrop-filter: blur(3px); }
        header { display: flex; align-items: center; gap: .6rem; padding: .9rem 1.25rem .75rem; }
        h2 { flex: 1; margin: 0; font-size: 1.1rem; font-weight: 650; }
        .left { font-variant-numeric: tabular-nums; color: #5b6876; font-size: .9rem; }
        .stage { position: relative; background: #0b1118; aspect-ratio: 4 / 3; max-height: 55vh; width: 100%; }
        .stage[hidden] { display: none; }
        canvas { display: block; width: 100%; height: 100%; object-fit: contain; }
        .none {
            position: absolute; inset: 0; display: grid; place-items: center; color: #a9b6c4; padding: 1rem;
            text-align: center;
        }
        .none[hidden] { display: none; }
        .aim {
            position: absolute; inset: 14%; border-radius: 14px; pointer-events: none;
            background:
                linear-gradient(#fff 0 0) 0 0 / 30px 3px, linear-gradient(#fff 0 0) 0 0 / 3px 30px,
                linear-gradient(#fff 0 0) 100% 0 / 30px 3px, linear-gradient(#fff 0 0) 100% 0 / 3px 30px,
                linear-gradient(#fff 0 0) 0 100% / 30px 3px, linear-gradient(#fff 0 0) 0 100% / 3px 30px,
                linear-gradient(#fff 0 0) 100% 100% / 30px 3px, linear-gradient(#fff 0 0) 100% 100% / 3px 30px;
            background-repeat: no-repeat; opacity: .85;
        }
        p { margin: 0; padding: .8rem 1.25rem 0; }
        .problem { color: #b3261e; }
        .problem:empty { display: none; }
        footer { display: flex; gap: .6rem; justify-content: flex-end; flex-wrap: wrap; padding: 1rem 1.25rem 1.15rem; }
        button {
            font: inherit; font-weight: 600; border-radius: 11px; border: 1px solid #c6d0da; padding: .6rem 1.1rem;
            background: transparent; color: inherit; cursor: pointer; min-height: 2.75rem;
        }
        button:hover { background: #eef3f7; }
        button[hidden] { display: none; }
        button.main { background: #0b6e6e; border-color: #0b6e6e; color: #fff; }
        button.main:hover { background: #095a5a; }
        button:focus-visible { outline: 3px solid #2a9d9d; outline-offset: 2px; }
        input { display: none; }
        @media (prefers-color-scheme: dark) {
            dialog { color: #e6edf3; background: #17202a; }
            .left { color: #9fb0bf; }
            .problem { color: #ff9d94; }
            button { border-color: #3b4a58; }
            button:hover { background: #22303c; }
            button.main { background: #2bb3a8; border-color: #2bb3a8; color: #06211f; }
            button.main:hover { background: #45c7bd; }
        }
        @media (prefers-reduced-motion: no-preference) {
            dialog[open] { animation: rise .16s ease-out; }
            @keyframes rise { from { opacity: 0; transform: translateY(10px); } }
        }
    `;

    function element(name, properties, ...children) {
        const made = Object.assign(document.createElement(name), properties);
        made.append(...children);
        return made;
    }

    /** The window in the page: camera, album, cancel. It is made when it is first needed. */
    const overlay = {
        parts: null,
        root: null,
        request: null,
        stop: null,
        clock: null,
        before: null,
        shown: null,
        busy: false,

        build() {
            const host = document.createElement('div');
            const root = host.attachShadow({ mode: 'closed' });
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(style);
            root.adoptedStyleSheets = [sheet];
            const parts = {
                host,
                title: element('h2', { id: 'title', textContent: text('title') }),
                left: element('span', { className: 'left' }),
                canvas: element('canvas', { width: 640, height: 480 }),
                none: element('div', { className: 'none', hidden: true, textContent: text('noCamera') }),
                hint: element('p', { id: 'hint' }),
                problem: element('p', { className: 'problem' }),
                file: element('input', { type: 'file', accept: 'image/*' }),
                album: element('button', { type: 'button', textContent: text('album') }),
                again: element('button', { type: 'button', textContent: text('again'), hidden: true }),
                cancel: element('button', { type: 'button', textContent: text('cancel') }),
            };
            this.root = root;
            parts.canvas.setAttribute('role', 'img');
            parts.canvas.setAttribute('aria-label', text('preview'));
            parts.problem.setAttribute('role', 'alert');
            parts.hint.setAttribute('aria-live', 'polite');
            parts.stage = element('div', { className: 'stage' }, parts.canvas,
                element('div', { className: 'aim' }), parts.none);
            parts.dialog = element('dialog', {}, element('header', {}, parts.title, parts.left), parts.stage, parts.hint,
                parts.problem, element('footer', {}, parts.cancel, parts.again, parts.album), parts.file);
            parts.dialog.setAttribute('aria-labelledby', 'title');
            parts.dialog.setAttribute('aria-describedby', 'hint');
            root.append(parts.dialog);
            parts.cancel.addEventListener('click', () => this.request && this.request.cancel());
            parts.again.addEventListener('click', () => this.request && this.request.readAgain());
            parts.dialog.addEventListener('cancel', (event) => {
                event.preventDefault();
                if (event.target === parts.dialog && this.request) this.request.cancel();
            });
            // Keys pressed here are not the page's business.
            parts.dialog.addEventListener('keydown', (event) => {
                event.stopPropagation();
                if (event.key === 'Escape' && this.request) {
                    event.preventDefault();
                    this.request.cancel();
                }
            });
            parts.album.addEventListener('click', () => parts.file.click());
            parts.file.addEventListener('change', () => this.send());
            return parts;
        },

        /** Shows itself for `request`, or what has become known of it. */
        open(request) {
            if (this.request === request) {
                this.update(request);
                return;
            }
            if (!this.parts) this.parts = this.build();
            const { host, dialog, cancel, problem } = this.parts;
            this.request = request;
            this.before = document.activeElement;
            problem.textContent = '';
            cancel.textContent = text('cancel');
            if (!host.isConnected) document.documentElement.append(host);
            if (!dialog.open) dialog.showModal();
            this.update(request);
            this.clock = setInterval(() => this.tick(), 500);
            this.tick();
        },

        update(request) {
            const { stage, hint, album, again, cancel } = this.parts;
            const isAlbum = request.source === 'album';
            const isWaiting = request.waitsFor !== null;
            stage.hidden = isAlbum || isWaiting;
            // Where the camera alone was asked for there is no album, as in the apps that pages know this from.
            album.hidden = request.source === 'camera';
            album.className = isAlbum ? 'main' : '';
            const wasAgain = this.root.activeElement === again;
            again.hidden = isWaiting || !request.isRepeated;
            if (again.hidden && wasAgain) cancel.focus();
            if (!this.busy) hint.textContent = this.hint(request);
            if (this.shown !== request.source) (isAlbum ? album : cancel).focus();
            this.shown = request.source;
            if (stage.hidden) this.unwatch();
            else if (!this.stop) this.watch();
        },

        hint(request) {
            if (request.waitsFor !== null) {
                return text('busy') + ' ' + (request.waitsFor === 'station' ? text('own') : request.waitsFor) + '.';
            }
            if (request.source === 'album') return text('albumHint');
            return text(request.isRepeated ? 'repeated' : 'hint');
        },

        tick() {
            const request = this.request;
            if (!request) return;
            const left = Math.max(0, Math.ceil(request.timeout - (performance.now() - request.opened) / 1000));
            this.parts.left.textContent = left + ' s';
        },

        say(message) {
            if (this.parts && this.request) this.parts.problem.textContent = message;
        },

        fail(message) {
            this.say(message);
            const { stage, hint, album, again, cancel } = this.parts;
            this.unwatch();
            stage.hidden = true;
            album.hidden = true;
            again.hidden = true;
            hint.textContent = text('failed');
            cancel.textContent = text('close');
        },

        /** Shows what the camera sees, by single pictures, drawn on a canvas: no policy of the page forbids that. */
        async watch() {
            const stop = new AbortController();
            const { canvas, none } = this.parts;
            this.stop = stop;
            while (!stop.signal.aborted) {
                const began = Date.now();
                try {
                    const response = await call('/frame.jpg', { signal: stop.signal });
                    if (!response.ok) throw new StationError('no_frame', 'HTTP ' + response.status);
                    const picture = await createImageBitmap(await response.blob());
                    draw(canvas, picture, response.headers);
                    picture.close();
                    none.hidden = true;
                    await pause(Math.max(20, 125 - (Date.now() - began)), stop.signal);
                } catch (error) {
                    if (stop.signal.aborted) return;
                    none.hidden = false;
                    await pause(1000, stop.signal);
                }
            }
        },

        unwatch() {
            if (this.stop) this.stop.abort();
            this.stop = null;
        },

        async send() {
            const { file, hint, problem, album } = this.parts;
            const request = this.request;
            const picture = file.files[0];
            if (!picture || !request) return;
            file.value = '';
            this.busy = true;
            hint.textContent = text('reading');
            problem.textContent = '';
            album.disabled = true;
            try {
                const body = new FormData();
                body.append('file', picture, picture.name);
                const path = '/scan?request=' + encodeURIComponent(request.id);
                const data = await envelope(call(path, { method: 'POST', body }));
                const one = (data.pictures && data.pictures[0]) || {};
                if (one.error) problem.textContent = one.error.message;
                else if (!one.symbols || !one.symbols.length) problem.textContent = text('nothing');
                request.post();
            } catch (error) {
                problem.textContent = error.message;
            } finally {
                this.busy = false;
                album.disabled = false;
                if (this.request === request) this.update(request);
            }
        },

        close() {
            if (!this.parts || !this.request) return;
            this.unwatch();
            clearInterval(this.clock);
            this.request = null;
            this.shown = null;
            this.parts.dialog.close();
            this.parts.host.remove();
            if (this.before && this.before.focus) this.before.focus();
        },
    };

    function draw(canvas, picture, headers) {
        if (canvas.width !== picture.width || canvas.height !== picture.height) {
            canvas.width = picture.width;
            canvas.height = picture.height;
        }
        const context = canvas.getContext('2d');
        context.drawImage(picture, 0, 0);
        let symbols = [];
        try {
            symbols = JSON.parse(headers.get('X-Symbols') || '[]');
        } catch (error) {
            return;
        }
        const size = /^(\d+)x(\d+)$/.exec(headers.get('X-Frame-Size') || '') || [0, picture.width, picture.height];
        const scale = picture.width / size[1];
        context.lineWidth = Math.max(3, picture.width / 200);
        context.strokeStyle = '#3ddc97';
        for (const symbol of symbols) {
            context.beginPath();
            for (const [x, y] of symbol.corners || []) context.lineTo(x * scale, y * scale);
            context.closePath();
            context.stroke();
        }
    }

    // ---- Dialect: the hospital's app, and Herald -------------------------------------------------

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

    if (wanted.includes('hospital')) {
        addHandler('scanCode', (message) => { askOrThrow('hospital', message); });
    }
    if (wanted.includes('herald')) {
        addHandler('heraldAppBridge', (message) => { askOrThrow('herald', message); });
    }

    // ---- Dialect: a scan gun, which is a keyboard ------------------------------------------------

    // A gun types a character every few milliseconds and ends with Enter or Tab, before which some pause. Nobody types
    // four that fast. Milliseconds.
    const longestGap = 50;
    const longestEnd = 500;
    const shortestCode = 4;
    // So much later a key presses a button: until then it may be the first one of a code.
    const holdTime = 100;
    const buttonTypes = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file', 'color', 'range']);

    /** Whether what is typed there is written there. */
    function isField(target) {
        if (!(target instanceof Element)) return false;
        if (target.isContentEditable || target.matches('select')) return true;
        return target.matches('input, textarea') && !buttonTypes.has(target.type) && !target.readOnly
            && !target.disabled;
    }

    /** The keys of a gun: they answer the open request or go to the page's function, and press nothing. */
    const gun = {
        keys: '',
        last: -Infinity,
        /** The field that takes the keys; of one in a closed shadow tree its host. */
        field: null,
        typed: 0,
        held: null,
        swallowed: new Set(),

        isHeard() {
            return Boolean(overlay.request) || typeof window.receiveScanResult2 === 'function';
        },

        down(event) {
            if (!event.isTrusted || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
            const isEnd = event.key === 'Enter' || event.key === 'Tab';
            if (!isEnd && Array.from(event.key).length !== 1) return;
            const code = event.code || event.key;
            if (event.repeat) {
                if (this.swallowed.has(code)) this.swallow(event);
                return;
            }
            const [inner] = event.composedPath();
            const target = overlay.request && inner === overlay.parts.host ? overlay.root.activeElement || inner : inner;
            const gap = event.timeStamp - this.last;
            this.last = event.timeStamp;
            if (gap > (isEnd && this.keys.length >= shortestCode ? longestEnd : longestGap)) this.begin();
            if (!overlay.request && (this.field || isField(target))) {
                // Where the page has moved the focus on meanwhile, the rest of the code presses nothing there.
                if (this.field && target !== this.field && !isField(target) && (isEnd || event.key === ' ')) {
                    this.swallow(event);
                }
                this.field = this.field || target;
                this.typed += 1;
                return;
            }
            const isFirst = this.keys === '';
            if (isEnd && isFirst && !this.hasEnded) {
                // Of a gun that begins with Enter it would press the window's button.
                if (event.key === 'Enter' && overlay.request) this.hold(event, target);
                return;
            }
            clearTimeout(this.held);
            if (!isFirst || isEnd) this.swallow(event);
            else if (event.key === ' ') this.hold(event, target);
            if (!isEnd) {
                this.keys += event.key;
                return;
            }
            const keys = this.keys;
            this.begin();
            this.hasEnded = true;
            if (keys.length >= shortestCode) this.read(keys);
        },

        begin() {
            this.keys = '';
            this.field = null;
            this.typed = 0;
            this.hasEnded = false;
        },

        read(keys) {
            if (overlay.request) overlay.request.type(keys);
            else if (typeof window.receiveScanResult2 === 'function') {
                perform({ function: ['receiveScanResult2'], arguments: [keys] });
            }
        },

        /** Keeps a key from pressing anything; a page that listens for guns itself still hears of it. */
        swallow(event) {
            this.swallowed.add(event.code || event.key);
            event.preventDefault();
            if (this.isHeard()) event.stopImmediatePropagation();
        },

        /** Holds back a key that would press a button, until it is known not to begin a code. */
        hold(event, target) {
            if (!(target instanceof Element)) return;
            const isButton = target.matches('button, summary, input');
            if (!isButton && !(target.matches('[role]') && this.isHeard())) return;
            const isHidden = this.isHeard();
            this.swallow(event);
            this.held = setTimeout(() => {
                this.keys = '';
                const { key, code } = event;
                const again = new KeyboardEvent(
                    'keydown', { key, code, bubbles: true, cancelable: true, composed: true });
                if (isHidden && !target.dispatchEvent(again)) return;
                if (isButton && target.isConnected) target.click();
            }, holdTime);
        },

        /** The Enter of a code, where its keydown has moved the focus from the field to a button. */
        press(event) {
            const [target] = event.composedPath();
            const isMoved = this.field && target !== this.field && !isField(target);
            if (event.isTrusted && event.key === 'Enter' && isMoved && this.typed > shortestCode) event.preventDefault();
        },

        up(event) {
            if (!event.isTrusted || !this.swallowed.delete(event.code || event.key)) return;
            event.preventDefault();
            if (this.isHeard()) event.stopImmediatePropagation();
        },
    };

    if (wanted.includes('gun')) {
        window.addEventListener('keydown', (event) => gun.down(event), true);
        window.addEventListener('keypress', (event) => gun.press(event), true);
        window.addEventListener('keyup', (event) => gun.up(event), true);
        window.addEventListener('input', (event) => {
            // A field in a closed shadow tree shows itself by its input alone.
            if (event.isTrusted && String(event.inputType).startsWith('insert')) [gun.field] = event.composedPath();
        }, true);
    }

    // ---- Dialect: promises -----------------------------------------------------------------------

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

    window.quietzone = Object.freeze({
        scan,
        cancel() {
            while (queue.length) withdraw(queue[queue.length - 1]);
            if (current) withdraw(current);
        },
        station,
        _settle: settle,
    });
    if (isOpaque) console.error('quietzone: ' + text('opaque'));

    // ---- Dialect: WeChat -------------------------------------------------------------------------

    function wechat(api) {
        return function (options) {
            const { success, fail, cancel, complete } = options || {};
            const isCalledBack = [success, fail, cancel, complete].some((one) => typeof one === 'function');
            const asking = new Promise((resolve) => {
                const message = { api };
                // WeChat knows more functions than these, so that those are left out and not refused.
                for (const [key, value] of Object.entries(options || {})) {
                    if (typeof value !== 'function') message[key] = value;
                }
                resolve(askAndWait('wechat', message));
            }).catch((error) => ({ error: { code: 'invalid_request', message: reasonOf(error) } }));
            const answer = asking.then((outcome) => {
                if (outcome.error) {
                    const reason = String(outcome.error.message || outcome.error.code);
                    const cancelled = api === 'scanCode' ? 'scanCode:fail cancel' : 'scanQRCode:cancel';
                    const result = { errMsg: api + ':fail ' + reason };
                    if (outcome.error.code === 'cancelled') result.errMsg = cancelled;
                    else if (reason.startsWith(api + ':')) result.errMsg = reason;
                    if (!isCalledBack) throw result;
                    // The JS-SDK tells a cancelled scan by a function of its own.
                    const told = outcome.error.code === 'cancelled' && cancel ? cancel : fail;
                    if (told) told(result);
                    if (complete) complete(result);
                    return undefined;
                }
                const result = Object.assign({ errMsg: api + ':ok' }, outcome.value);
                if (success) success(result);
                if (complete) complete(result);
                return result;
            });
            // As in WeChat: whoever gives functions gets no promise.
            return isCalledBack ? undefined : answer;
        };
    }

    if (wanted.includes('wechat')) {
        const wx = window.wx = window.wx || {};
        const offered = {
            scanCode: wechat('scanCode'),
            scanQRCode: wechat('scanQRCode'),
            config() {},
            error() {},
            ready(then) { Promise.resolve().then(then); },
            checkJsApi(options) {
                const checkResult = {};
                for (const name of (options && options.jsApiList) || []) {
                    checkResult[name] = typeof wx[name] === 'function';
                }
                if (options && options.success) options.success({ checkResult, errMsg: 'checkJsApi:ok' });
            },
        };
        for (const [name, value] of Object.entries(offered)) {
            mine.add(value);
            if (typeof wx[name] !== 'function') wx[name] = value;
        }
    }

    // ---- Dialect: W3C Barcode Detection ----------------------------------------------------------

    const detectable = [
        'codabar', 'code_128', 'code_39', 'code_93', 'ean_13', 'ean_8', 'itf', 'qr_code', 'upc_a', 'upc_e',
    ];
    const detectableOrKnown = new Set(detectable.concat('aztec', 'data_matrix', 'pdf417', 'unknown'));

    /** The bytes of a picture file that shows `source`; null where it has no pixels. */
    async function picture(source) {
        if (source instanceof Blob) return source;
        const width = source.videoWidth || source.naturalWidth || source.displayWidth || source.width;
        const height = source.videoHeight || source.naturalHeight || source.displayHeight || source.height;
        if (source instanceof HTMLImageElement && !source.complete || source instanceof HTMLVideoElement
            && source.readyState < 2) {
            throw new DOMException('The picture is not there yet.', 'InvalidStateError');
        }
        const side = (length) => (length && length.baseVal ? length.baseVal.value : length);
        if (!side(width) || !side(height)) return null;
        const canvas = element('canvas', { width: side(width), height: side(height) });
        const context = canvas.getContext('2d');
        if (source instanceof ImageData) context.putImageData(source, 0, 0);
        else context.drawImage(source, 0, 0);
        const type = source instanceof HTMLVideoElement ? 'image/jpeg' : 'image/png';
        // Throws a SecurityError where the pixels are another origin's, as the standard asks.
        return new Promise((resolve, reject) => {
            canvas.toBlob((blob) => (blob ? resolve(blob)
                : reject(new DOMException('The picture cannot be read.', 'InvalidStateError'))), type, 0.95);
        });
    }

    class StationBarcodeDetector {
        #formats;

        constructor(options) {
            const formats = options && options.formats;
            if (formats !== undefined) {
                const list = Array.from(formats);
                if (!list.length) throw new TypeError('formats is empty');
                for (const format of list) {
                    if (!detectableOrKnown.has(format)) throw new TypeError('"' + format + '" is no barcode format');
                    if (format === 'unknown') throw new TypeError('"unknown" cannot be looked for');
                }
                this.#formats = list;
            }
        }

        static async getSupportedFormats() {
            return detectable.slice();
        }

        async detect(source) {
            if (!(source instanceof Blob || source instanceof ImageData || source instanceof Element
                || source instanceof ImageBitmap || source instanceof OffscreenCanvas
                || (window.VideoFrame && source instanceof VideoFrame))) {
                throw new TypeError('detect() takes an image, a video, a canvas, ImageData, an ImageBitmap or a Blob');
            }
            const formats = this.#formats && this.#formats.filter((format) => detectable.includes(format));
            if (formats && !formats.length) return [];
            const body = await picture(source);
            if (!body || !body.size) return [];
            const query = formats ? '?formats=' + formats.join(',') : '';
            const headers = { 'Content-Type': body.type || 'application/octet-stream' };
            let found;
            try {
                found = await envelope(call('/detect' + query, { method: 'POST', headers, body }));
            } catch (error) {
                const name = error.status === 422 || error.status === 413 ? 'InvalidStateError' : 'NotSupportedError';
                throw new DOMException(error.message, name);
            }
            return found.map((one) => ({
                boundingBox: DOMRectReadOnly.fromRect(one.boundingBox),
                cornerPoints: one.cornerPoints.map(({ x, y }) => ({ x, y })),
                format: one.format,
                rawValue: one.rawValue,
            }));
        }

        get [Symbol.toStringTag]() {
            return 'BarcodeDetector';
        }
    }

    if (wanted.includes('detector') && !('BarcodeDetector' in window)) {
        mine.add(StationBarcodeDetector).add(StationBarcodeDetector.getSupportedFormats);
        Object.defineProperty(StationBarcodeDetector, 'name', { value: 'BarcodeDetector' });
        window.BarcodeDetector = StationBarcodeDetector;
    }

    // ---- Dialect: RecordApp, which speaks by prompt() --------------------------------------------

    function recordAppMessage(said) {
        if (typeof said !== 'string' || said[0] !== '{') return null;
        try {
            const message = JSON.parse(said);
            return typeof message.action === 'string' && 'callback' in message ? message : null;
        } catch (error) {
            return null;
        }
    }

    function recordAppRefusal(message, reason) {
        const { action, callback } = message;
        const answer = { action, callback, status: '', message: reason, value: null };
        return { function: ['AppJsBridgeRequest', 'Call'], arguments: [answer] };
    }

    if (wanted.includes('recordapp')) {
        const original = window.prompt;
        // By this the pages know that prompt() reaches an app.
        addHandler('RecordAppJsBridgeIsSet', () => {});
        window.prompt = function (said, ...rest) {
            const message = recordAppMessage(said);
            if (!message) return original.call(window, said, ...rest);
            ask('recordapp', message);
            // prompt() has to answer at once; the code follows by AppJsBridgeRequest.Call.
            return JSON.stringify({ status: '', message: '', callback: message.callback, value: null });
        };
    }

    // A page that goes away asks for nothing any more. What was read meanwhile is in the station's history.
    window.addEventListener('pagehide', () => {
        if (current && !current.done && session && session.token) {
            const headers = { Authorization: 'Bearer ' + session.token };
            const path = '/bridge/requests/' + current.id;
            fetch(station + path, { method: 'DELETE', headers, credentials: 'omit', keepalive: true }).catch(() => {});
        }
    });
})();
