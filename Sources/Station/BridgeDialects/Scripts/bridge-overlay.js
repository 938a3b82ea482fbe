/** The window in the page: who asks, camera, album, typing, cancel. It is made when it is first needed. */
const overlay = {
    parts: null,
    root: null,
    request: null,
    stop: null,
    clock: null,
    before: null,
    shown: null,
    busy: false,
    /** Aborts the upload that is under way. */
    sending: null,
    /** What is said of a code of another kind than was asked for, and when one was last seen. */
    wrong: '',
    wrongAt: -Infinity,

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
            who: element('p', { id: 'who', className: 'who' }),
            canvas: element('canvas', { width: 640, height: 480 }),
            none: element('div', { className: 'none', hidden: true, textContent: text('noCamera') }),
            hint: element('p', { id: 'hint' }),
            problem: element('p', { className: 'problem' }),
            entry: element('input', {
                id: 'entry', type: 'text', autocomplete: 'off', spellcheck: false, enterKeyHint: 'done', maxLength: 4096,
            }),
            use: element('button', { type: 'submit', className: 'main', textContent: text('use') }),
            write: element('button', { type: 'button', textContent: text('write') }),
            file: element('input', {
                type: 'file',
                accept: table.pictures,
            }),
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
        parts.form = element('form', { className: 'form', hidden: true },
            element('label', { htmlFor: 'entry', textContent: text('entry') }),
            element('div', { className: 'line' }, parts.entry, parts.use));
        parts.dialog = element('dialog', { lang: language() },
            element('header', {}, parts.title, parts.left), parts.who, parts.stage, parts.hint, parts.problem, parts.form,
            element('footer', {}, parts.cancel, parts.again, parts.write, parts.album), parts.file);
        parts.dialog.setAttribute('aria-labelledby', 'title');
        parts.dialog.setAttribute('aria-describedby', 'who hint');
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
        parts.write.setAttribute('aria-expanded', 'false');
        parts.write.setAttribute('aria-controls', 'entry');
        parts.write.addEventListener('click', () => this.write(parts.form.hidden));
        parts.form.addEventListener('submit', (event) => {
            event.preventDefault();
            const typed = parts.entry.value.trim();
            if (typed && this.request) this.request.type(typed);
            else parts.entry.focus();
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
        const { host, dialog, cancel, problem, album } = this.parts;
        this.request = request;
        this.busy = false;
        album.disabled = false;
        this.before = document.activeElement;
        problem.textContent = '';
        this.wrong = '';
        cancel.textContent = text('cancel');
        this.parts.entry.value = '';
        this.write(false);
        if (!host.isConnected) document.documentElement.append(host);
        if (!dialog.open) dialog.showModal();
        this.update(request);
        this.place();
        this.clock = setInterval(() => this.tick(), 500);
        this.tick();
    },

    /** Puts itself beside the field that asked where the window is broad enough; the style sheet says where else. */
    place() {
        const { style, offsetWidth: width, offsetHeight: height } = this.parts.dialog;
        for (const name of ['margin', 'left', 'right', 'top', 'maxHeight']) style[name] = '';
        const gap = 16;
        const field = this.before;
        if (!field || field === document.body || field === document.documentElement) return;
        const box = field.getBoundingClientRect();
        const fits = (x) => x >= gap && x + width + gap <= innerWidth;
        const left = [box.right + gap, box.left - gap - width].find(fits);
        if (left === undefined) return;
        // Room for the field in which a code is typed, which opens later.
        const room = 110;
        const top = Math.max(gap, Math.min(box.top, innerHeight - gap - room - height));
        Object.assign(style, {
            margin: '0', left: left + 'px', right: 'auto', top: top + 'px', maxHeight: innerHeight - top - gap + 'px',
        });
    },

    update(request) {
        const { stage, album, again, cancel, who, write } = this.parts;
        const isAlbum = request.source === 'album';
        const asked = this.wanted(request);
        who.textContent = text('asks', location.host || location.protocol, asked ? asked : text('any'));
        write.hidden = false;
        const isWaiting = request.waitsFor !== null;
        stage.hidden = isAlbum || isWaiting;
        // Where the camera alone was asked for there is no album, as in the apps that pages know this from.
        album.hidden = request.source === 'camera';
        album.className = isAlbum ? 'main' : '';
        const wasAgain = this.root.activeElement === again;
        again.hidden = isWaiting || !request.isRepeated;
        if (again.hidden && wasAgain) cancel.focus();
        this.sayHint();
        if (this.shown !== request.source) (isAlbum ? album : cancel).focus();
        this.shown = request.source;
        if (stage.hidden) this.unwatch();
        else if (!this.stop) this.watch();
    },

    /** The kinds that are asked for, in words; nothing where they are many. */
    wanted(request) {
        const { formats } = request;
        return formats.length && formats.length <= 6 ? formats.map(formatWord).join(text('comma')) : '';
    },

    /** Opens or closes the field for a code that no camera reads. */
    write(isOpen) {
        const { form, entry, write } = this.parts;
        if (!isOpen && this.root.activeElement === entry) write.focus();
        form.hidden = !isOpen;
        write.setAttribute('aria-expanded', String(isOpen));
        if (isOpen) entry.focus();
    },

    /** Says that what is seen is a code, and not one that the page takes. */
    showKinds(kinds) {
        const { request } = this;
        if (!request || !request.formats.length) return;
        const others = kinds.filter((kind) => kind && !request.formats.includes(kind));
        const isWrong = others.length > 0 && others.length === kinds.length;
        const said = isWrong ? text('wrong', formatWord(others[0]), this.wanted(request)) : '';
        // It stays for a moment, since a code is not seen in every frame.
        if (isWrong) this.wrongAt = performance.now();
        else if (performance.now() - this.wrongAt < 1500) return;
        if (said === this.wrong) return;
        this.wrong = said;
        this.sayHint();
    },

    /** Says what to do now, and makes it stand out where it is about a wrong kind. */
    sayHint() {
        const { hint } = this.parts;
        if (!this.request || this.busy) return;
        const said = this.hint(this.request);
        // What is written again is read out again.
        if (hint.textContent !== said) hint.textContent = said;
        hint.classList.toggle('wrong', said === this.wrong);
    },

    hint(request) {
        if (this.wrong && request.waitsFor === null && request.source !== 'album') return this.wrong;
        if (request.waitsFor !== null) {
            return text('busy') + ' ' + (request.waitsFor === 'station' ? text('own') : request.waitsFor) + '.';
        }
        if (request.source === 'album') return text('albumHint');
        if (!this.parts.none.hidden) return text(request.source === 'camera' ? 'blindTyping' : 'blind');
        return text(request.isRepeated ? 'repeated' : 'hint');
    },

    tick() {
        const request = this.request;
        if (!request) return;
        const left = Math.max(0, Math.ceil(request.timeout - (performance.now() - request.opened) / 1000));
        this.parts.left.textContent = left + ' s';
    },

    say(message) {
        if (!this.parts || !this.request) return;
        const { problem } = this.parts;
        if (problem.textContent !== message) problem.textContent = message;
    },

    fail(message) {
        this.say(message);
        const { stage, hint, album, again, cancel, write, left } = this.parts;
        this.unwatch();
        // Nothing is waited for any more.
        clearInterval(this.clock);
        left.textContent = '';
        this.write(false);
        write.hidden = true;
        stage.hidden = true;
        album.hidden = true;
        again.hidden = true;
        hint.textContent = text('failed');
        hint.classList.remove('wrong');
        cancel.textContent = text('close');
        cancel.focus();
    },

    /** Shows what the camera sees, by single pictures, drawn on a canvas: no policy of the page forbids that. */
    async watch() {
        const stop = new AbortController();
        const { canvas } = this.parts;
        this.stop = stop;
        while (!stop.signal.aborted) {
            const began = Date.now();
            try {
                const response = await call('/frame.jpg', { signal: inTime(stop.signal) });
                if (!response.ok) throw new StationError('no_frame', 'HTTP ' + response.status);
                const picture = await createImageBitmap(await response.blob());
                this.showKinds(draw(canvas, picture, response.headers, this.request));
                picture.close();
                this.showBlind(false);
                await pause(Math.max(20, 125 - (Date.now() - began)), stop.signal);
            } catch (error) {
                if (stop.signal.aborted) return;
                this.showBlind(true);
                await pause(1000, stop.signal);
            }
        }
    },

    /** Says what to do where there is no picture of the camera, or the camera is to be used. */
    showBlind(isBlind) {
        const { none } = this.parts;
        if (none.hidden !== isBlind) return;
        none.hidden = !isBlind;
        // The codes that were seen may no longer be in view.
        this.wrong = '';
        this.sayHint();
        const { album, write, cancel } = this.parts;
        // Nothing can be held before the camera: what is done next is to choose a picture or to type.
        if (isBlind && this.root.activeElement === cancel) (album.hidden ? write : album).focus();
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
        const sending = new AbortController();
        this.sending = sending;
        this.busy = true;
        hint.textContent = text('reading');
        hint.classList.remove('wrong');
        problem.textContent = '';
        album.disabled = true;
        try {
            const body = new FormData();
            body.append('file', picture, picture.name);
            const path = '/scan?request=' + encodeURIComponent(request.id);
            const data = await envelope(call(path, { method: 'POST', body, signal: sending.signal }));
            if (this.request !== request) return;
            const one = (data.pictures && data.pictures[0]) || {};
            if (one.error) problem.textContent = one.error.message;
            else if (!one.symbols || !one.symbols.length) problem.textContent = text('nothing');
            else problem.textContent = this.refusal(one.symbols, request);
            request.post();
        } catch (error) {
            if (this.request === request) problem.textContent = error.message;
        } finally {
            // The window may show another request by now.
            if (this.request === request) {
                this.busy = false;
                album.disabled = false;
                this.update(request);
            }
        }
    },

    /** What is said of a picture whose codes are all of other kinds than were asked for. */
    refusal(symbols, request) {
        const kinds = symbols.map((symbol) => symbol.format);
        if (!request.formats.length || kinds.some((kind) => request.formats.includes(kind))) return '';
        return text('wrong', formatWord(kinds[0]), this.wanted(request));
    },

    close() {
        if (!this.parts || !this.request) return;
        this.unwatch();
        if (this.sending) this.sending.abort();
        clearInterval(this.clock);
        this.request = null;
        this.shown = null;
        this.parts.dialog.close();
        this.parts.host.remove();
        if (this.before && this.before.focus) this.before.focus();
    },
};

/** Draws a frame and the codes in it, and returns the kinds of these. */
function draw(canvas, picture, headers, request) {
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
        return [];
    }
    const size = /^(\d+)x(\d+)$/.exec(headers.get('X-Frame-Size') || '') || [0, picture.width, picture.height];
    const scale = picture.width / size[1];
    const width = Math.max(3, picture.width / 200);
    for (const symbol of symbols) {
        const isWanted = !request || !request.formats.length || request.formats.includes(symbol.format);
        context.beginPath();
        for (const [x, y] of symbol.corners || []) context.lineTo(x * scale, y * scale);
        context.closePath();
        // The dark line below the colored one is visible on white paper.
        context.setLineDash([]);
        context.lineWidth = width * 2;
        context.strokeStyle = '#0b1118';
        context.stroke();
        context.setLineDash(isWanted ? [] : [width * 3, width * 2]);
        context.lineWidth = width;
        context.strokeStyle = isWanted ? '#3ddc97' : '#ffb020';
        context.stroke();
    }
    return symbols.map((symbol) => symbol.format);
}
