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
    // For a station that never answers; one that does says itself how long it waits.
    const defaultTimeout = 60;

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
        for (let attempt = 0; ; attempt += 1) {
            try {
                return await envelope(fetch(station + '/bridge/session', { method: 'POST', credentials: 'omit' }));
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

    /** Puts a page's request into the queue. `settle` is for those who wait for an outcome. */
    function ask(dialect, message, settle) {
        const request = {
            id: uuid(), dialect, message: message === undefined ? null : message, settle,
            source: wishedSource(message), opened: Date.now(), timeout: defaultTimeout, done: null,
        };
        queue.push(request);
        next();
        return request;
    }

    function wishedSource(message) {
        if (message && typeof message === 'object' && message.source === 'album') return 'album';
        return 'camera';
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
            let isFollowed = false;
            let posting = null;
            let retry = firstRetry;
            let timer = null;

            const finish = (outcome, calls) => {
                if (request.done) return;
                request.done = outcome || { value: null };
                stop.abort();
                clearTimeout(timer);
                // First, for it gives the focus back, which the page may then move to its next field.
                overlay.close();
                resolve();
                // The answer comes once, however often the station says it.
                if (answered.has(request.id)) return;
                answered.add(request.id);
                for (const one of calls || []) perform(one);
                if (request.settle) request.settle(request.done);
            };

            const take = (data) => {
                if (!data || data.request !== request.id) return;
                if (data.source) request.source = data.source;
                if (data.timeout) request.timeout = data.timeout;
                if (data.state && data.state !== 'open') {
                    finish(data.outcome || failure(data.state), data.calls);
                } else {
                    overlay.open(request);
                }
            };

            const post = () => {
                clearTimeout(timer);
                timer = null;
                if (request.done || posting) return posting;
                const body = JSON.stringify({ request: request.id, message: request.message });
                const headers = { 'Content-Type': 'application/json' };
                const path = '/bridge/' + request.dialect;
                posting = envelope(call(path, { method: 'POST', headers, body, signal: stop.signal })).then((data) => {
                    posting = null;
                    retry = firstRetry;
                    overlay.say('');
                    take(data);
                    // While no stream says what happened, the station is asked again; that changes nothing there.
                    if (!isFollowed) timer = setTimeout(post, 1000);
                }).catch((error) => {
                    posting = null;
                    if (request.done) return;
                    const elapsed = (Date.now() - request.opened) / 1000;
                    if (isPassing(error) && elapsed < request.timeout + 5) {
                        overlay.open(request);
                        overlay.say(error.message);
                        timer = setTimeout(post, Math.max(retry, error.retryAfter ? error.retryAfter * 1000 : 0));
                        retry = Math.min(retry * 2, longestRetry);
                    } else {
                        refuse(request, error, finish);
                    }
                });
                return posting;
            };

            request.again = post;
            request.cancel = () => {
                const path = '/bridge/requests/' + request.id;
                envelope(call(path, { method: 'DELETE', keepalive: true })).then(take).catch(() => {})
                    .finally(() => finish(failure('cancelled')));
                // Whoever pressed Esc does not wait for a station that is gone.
                setTimeout(() => finish(failure('cancelled')), 1500);
            };
            follow(stop.signal, (on) => {
                isFollowed = on;
                if (on) post(); else if (!timer) timer = setTimeout(post, 1000);
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
        if (request.settle || error.code === 'unknown_message') {
            if (!request.settle) console.warn('quietzone: ' + error.message);
            const refusals = { recordapp: recordAppRefusal };
            const answer = refusals[request.dialect];
            finish(outcome, answer ? [answer(request.message, error.message)] : []);
            return;
        }
        console.error('quietzone: ' + error.message);
        request.cancel = () => finish(outcome);
        overlay.open(request);
        overlay.fail(error.message);
    }

    // ---- Answers ---------------------------------------------------------------------------------

    // What would take a text for a script. A page that names one of these as its callback is not obeyed.
    const scripting = new Set([
        window.eval, window.Function, window.setTimeout, window.setInterval, window.open, document.write,
        document.writeln,
    ]);
    const hidden = new Set(['prototype', 'constructor']);

    /** Calls one function of the page: walks the names from `window` and hands the arguments over as they are. */
    function perform(one) {
        const names = one && Array.isArray(one.function) ? one.function : [];
        const name = names.join('.');
        let owner = null;
        let value = window;
        for (const part of names) {
            const isName = typeof part === 'string' && !hidden.has(part) && !part.startsWith('__');
            if (!isName || value === null || value === undefined) {
                value = undefined;
                break;
            }
            owner = value;
            value = value[part];
        }
        if (!names.length || typeof value !== 'function' || scripting.has(value)) {
            console.error('quietzone: this page has no function ' + name + ' to receive the code');
            return;
        }
        try {
            value.apply(owner, Array.isArray(one.arguments) ? one.arguments : []);
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
            const request = ask(dialect, message, (outcome) => settle(request.id, outcome));
            waiting.set(request.id, resolve);
            const cancel = () => withdraw(request);
            if (signal && signal.aborted) cancel();
            else if (signal) signal.addEventListener('abort', cancel, { once: true });
        });
    }

    function withdraw(request) {
        const place = queue.indexOf(request);
        if (place >= 0) {
            queue.splice(place, 1);
            if (request.settle) request.settle(failure('cancelled'));
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
            close: 'Close',
        },
        zh: {
            title: '扫码', album: '从相册选择…', cancel: '取消', hint: '请将条码或二维码对准摄像头。',
            albumHint: '请选择一张含有条码或二维码的图片。', reading: '正在识别图片…',
            nothing: '图片中没有识别到码，请换一张。', noCamera: '没有摄像头画面。',
            stranger: '扫码工作站不允许本页面扫码。启动时需要加上 --allow-origin',
            unreachable: '扫码工作站没有响应，正在重试…', cancelled: '扫码已取消。', timed_out: '在规定时间内没有读到码。',
            failed: '扫码失败。', preview: '摄像头画面', close: '关闭',
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
                cancel: element('button', { type: 'button', textContent: text('cancel') }),
            };
            parts.canvas.setAttribute('role', 'img');
            parts.canvas.setAttribute('aria-label', text('preview'));
            parts.problem.setAttribute('role', 'alert');
            parts.hint.setAttribute('aria-live', 'polite');
            parts.stage = element('div', { className: 'stage' }, parts.canvas,
                element('div', { className: 'aim' }), parts.none);
            parts.dialog = element('dialog', {}, element('header', {}, parts.title, parts.left), parts.stage, parts.hint,
                parts.problem, element('footer', {}, parts.cancel, parts.album), parts.file);
            parts.dialog.setAttribute('aria-labelledby', 'title');
            parts.dialog.setAttribute('aria-describedby', 'hint');
            root.append(parts.dialog);
            parts.cancel.addEventListener('click', () => this.request && this.request.cancel());
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
            const { stage, hint, album, cancel } = this.parts;
            const isAlbum = request.source === 'album';
            stage.hidden = isAlbum;
            // Where the camera alone was asked for there is no album, as in the apps that pages know this from.
            album.hidden = request.source === 'camera';
            album.className = isAlbum ? 'main' : '';
            if (!this.busy) hint.textContent = text(isAlbum ? 'albumHint' : 'hint');
            if (this.shown !== request.source) (isAlbum ? album : cancel).focus();
            this.shown = request.source;
            if (!isAlbum && !this.stop) this.watch();
        },

        tick() {
            const request = this.request;
            if (!request) return;
            const left = Math.max(0, Math.ceil(request.timeout - (Date.now() - request.opened) / 1000));
            this.parts.left.textContent = left + ' s';
        },

        say(message) {
            if (this.parts && this.request) this.parts.problem.textContent = message;
        },

        fail(message) {
            this.say(message);
            const { stage, hint, album, cancel } = this.parts;
            this.unwatch();
            stage.hidden = true;
            album.hidden = true;
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
                request.again();
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
        try {
            window.webkit = window.webkit || {};
            window.webkit.messageHandlers = window.webkit.messageHandlers || {};
            const handlers = window.webkit.messageHandlers;
            if (!handlers[name]) handlers[name] = { postMessage };
        } catch (error) {
            console.warn('quietzone: webkit.messageHandlers cannot be added to here', error);
        }
    }

    if (wanted.includes('hospital')) {
        addHandler('scanCode', (message) => { ask('hospital', message); });
    }
    if (wanted.includes('herald')) {
        addHandler('heraldAppBridge', (message) => { ask('herald', message); });
    }

    // ---- Dialect: a scan gun, which is a keyboard ------------------------------------------------

    // A gun types a character every few milliseconds and ends with Enter. Nobody types four that fast.
    const longestGap = 50;
    const shortestCode = 4;
    let burst = { keys: '', last: 0 };

    function isEditable(target) {
        return target instanceof Element && (target.isContentEditable || target.matches('input, textarea, select'));
    }

    if (wanted.includes('gun')) {
        document.addEventListener('keydown', (event) => {
            if (!event.isTrusted || event.ctrlKey || event.altKey || event.metaKey) return;
            if (typeof window.receiveScanResult2 !== 'function' || isEditable(event.target)) return;
            const isLate = event.timeStamp - burst.last > longestGap;
            burst.last = event.timeStamp;
            if (event.key === 'Enter') {
                const keys = isLate ? '' : burst.keys;
                burst.keys = '';
                if (keys.length < shortestCode) return;
                event.preventDefault();
                event.stopPropagation();
                perform({ function: ['receiveScanResult2'], arguments: [keys] });
            } else if (Array.from(event.key).length === 1) {
                burst.keys = (isLate ? '' : burst.keys) + event.key;
            }
        }, true);
    }

    // ---- Dialect: promises -----------------------------------------------------------------------

    async function scan(options) {
        const { signal, ...message } = options || {};
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

    // ---- Dialect: WeChat -------------------------------------------------------------------------

    function wechat(api) {
        return function (options) {
            const { success, fail, cancel, complete, ...given } = options || {};
            const message = { api };
            const isCalledBack = [success, fail, cancel, complete].some((one) => typeof one === 'function');
            for (const [key, value] of Object.entries(given)) {
                if (typeof value !== 'function') message[key] = value;
            }
            const answer = askAndWait('wechat', message).then((outcome) => {
                if (outcome.error) {
                    const reason = String(outcome.error.message || outcome.error.code);
                    const result = { errMsg: reason.startsWith(api + ':') ? reason : api + ':fail ' + reason };
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
        const answer = { status: '', message: reason, callback: message.callback, value: null };
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
