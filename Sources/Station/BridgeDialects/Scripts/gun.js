// A scan gun, which is a keyboard, or which the station reads itself.

// A gun types a character every few milliseconds and ends with Enter or Tab, before which some pause. Nobody types
// four that fast. Milliseconds.
const maximumGap = 50;
const maximumEndGap = 500;
const minimumLength = 4;
// So much later a key presses a button: until then it may be the first one of a code.
const holdTime = 100;
const buttonTypes = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file', 'color', 'range']);

const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock', 'NumLock', 'Meta']);

/** What a key types: GS by Ctrl and ], as guns send it; nothing of a key without a character; null of shortcuts. */
function typedBy(event) {
    if (modifiers.has(event.key)) return null;
    if (event.ctrlKey && !event.altKey && (event.key === ']' || event.code === 'BracketRight')) return '\u001d';
    const isShortcut = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph');
    if (isShortcut || event.metaKey) return null;
    return Array.from(event.key).length === 1 ? event.key : '';
}

/** Whether what is typed there is written there; a list is for the codes of guns if nobody hears them. */
function isField(target) {
    if (!(target instanceof Element)) return false;
    if (target.matches('select')) return !gun.isHeard();
    if (target.isContentEditable) return true;
    return target.matches('input, textarea') && !buttonTypes.has(target.type) && !target.readOnly
        && !target.disabled;
}

/** Opens a list as the space bar does. */
function openList(list) {
    try {
        list.showPicker();
    } catch {
        // In a frame of another origin it may not.
    }
}

/** The keys of a gun: they answer the open request or go to the page's function, and press nothing. */
const gun = {
    keys: '',
    /** What was written in the field. */
    written: '',
    /** Whether the window was open during this code; once it closes, the rest is typed into no field of the page. */
    isAsked: false,
    /** Whether a key came that types nothing. */
    isVoid: false,
    last: -Infinity,
    /** The field that takes the keys; of one in a closed shadow tree its host. */
    field: null,
    typed: 0,
    /** The list that had the focus at the first key, and what was chosen there; null if none had. */
    list: null,
    held: null,
    swallowed: new Set(),

    isHeard() {
        return Boolean(overlay.request) || typeof window.receiveScanResult2 === 'function';
    },

    down(event) {
        if (!event.isTrusted || event.isComposing) return;
        const typed = typedBy(event);
        if (typed === null) return;
        const isEnd = event.key === 'Enter' || event.key === 'Tab';
        if (!isEnd && typed === '') {
            // Without what the gun meant by this key its code would be another one.
            if (this.keys + this.written !== '' && event.timeStamp - this.last <= maximumGap) this.isVoid = true;
            this.last = event.timeStamp;
            return;
        }
        const code = event.code || event.key;
        if (event.repeat) {
            if (this.swallowed.has(code)) this.swallow(event);
            return;
        }
        const [inner] = event.composedPath();
        const target = overlay.request && inner === overlay.parts.host ? overlay.root.activeElement || inner : inner;
        const gap = event.timeStamp - this.last;
        this.last = event.timeStamp;
        const isCode = (this.keys + this.written).length >= minimumLength;
        if (gap > (isEnd && isCode ? maximumEndGap : maximumGap)) this.begin();
        // In the window's own field a code is written like any other text; its Enter uses it.
        const isEntry = overlay.request && target === overlay.parts.entry;
        if (overlay.request) this.isAsked = true;
        if (isEntry || (!overlay.request && !this.isAsked && (this.field || isField(target)))) {
            // Where the page has moved the focus on meanwhile, the rest of the code presses nothing there.
            if (this.field && target !== this.field && !isField(target) && (isEnd || event.key === ' ')) {
                this.swallow(event);
            }
            this.field = this.field || target;
            this.typed += 1;
            this.written = isEnd ? '' : this.written + typed;
            this.hasEnded = isEnd;
            return;
        }
        // Where the window has opened in the midst of a code, its first characters stand in a field.
        this.keys += this.written;
        this.written = '';
        this.field = null;
        const isFirst = this.keys === '';
        if (isEnd && isFirst && !this.hasEnded) {
            // Of a gun that begins with Enter it would press the window's button.
            if (event.key === 'Enter' && overlay.request) this.hold(event, target);
            return;
        }
        clearTimeout(this.held);
        if (isFirst && !isEnd && target instanceof HTMLSelectElement) {
            this.list = { target, chosen: [...target.selectedOptions] };
        }
        const length = this.keys.length + (isEnd ? 0 : 1);
        // A person who types a name in a list is rarely so fast for so long.
        const isChoice = this.list && length < minimumLength && event.key !== ' ';
        if (!isChoice && (!isFirst || isEnd)) {
            this.restoreList();
            this.swallow(event);
        } else if (event.key === ' ') {
            this.hold(event, target);
        }
        if (!isEnd) {
            this.keys += typed;
            return;
        }
        const { keys, isVoid, isAsked } = this;
        this.begin();
        // A second end is no field's, which may have the focus again.
        Object.assign(this, { hasEnded: true, isAsked });
        if (keys.length < minimumLength) return;
        if (isVoid) console.warn('quietzone: a scan gun sent a key that is no character; its code was not taken');
        else this.read(keys);
    },

    begin() {
        this.keys = '';
        this.written = '';
        this.isAsked = false;
        this.isVoid = false;
        this.field = null;
        this.typed = 0;
        this.list = null;
        this.hasEnded = false;
    },

    /** Takes back what the first keys of a code have chosen in a list. */
    restoreList() {
        if (!this.list) return;
        const { target, chosen } = this.list;
        this.list = null;
        const isChosen = (option) => chosen.includes(option);
        if (target.selectedOptions.length === chosen.length && [...target.selectedOptions].every(isChosen)) return;
        for (const option of target.options) option.selected = isChosen(option);
        if (!chosen.length) target.selectedIndex = -1;
        for (const name of ['input', 'change']) target.dispatchEvent(new Event(name, { bubbles: true }));
    },

    read(keys) {
        if (overlay.request) overlay.request.type(keys, true);
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

    /** Holds back a key that would press a button or open a list, until it is known not to begin a code. */
    hold(event, target) {
        if (!(target instanceof Element)) return;
        const isList = target.matches('select:not([multiple])') && target.size < 2 && 'showPicker' in target;
        const isButton = target.matches('button, summary, input');
        if (!isList && !isButton && !(target.matches('[role]') && this.isHeard())) return;
        const isHidden = this.isHeard();
        this.swallow(event);
        // Of two that come together, as a gun may begin, the second is held alone.
        clearTimeout(this.held);
        this.held = setTimeout(() => {
            this.keys = '';
            const { key, code } = event;
            const again = new KeyboardEvent(
                'keydown', { key, code, bubbles: true, cancelable: true, composed: true });
            if (isHidden && !target.dispatchEvent(again)) return;
            if (!target.isConnected) return;
            if (isList) openList(target);
            else if (isButton) target.click();
        }, holdTime);
    },

    /** The Enter of a code, where its keydown has moved the focus from the field to a button. */
    press(event) {
        const [target] = event.composedPath();
        const isMoved = this.field && target !== this.field && !isField(target);
        if (event.isTrusted && event.key === 'Enter' && isMoved && this.typed > minimumLength) event.preventDefault();
    },

    up(event) {
        if (!event.isTrusted || !this.swallowed.delete(event.code || event.key)) return;
        event.preventDefault();
        if (this.isHeard()) event.stopImmediatePropagation();
    },
};

/** Codes of guns that the station reads itself: they come to the page that a person has in front of them. */
const stationGun = {
    stop: null,
    /** When a station that refused this page, or was away, may be asked again. */
    next: 0,

    /** Listens while this page has the focus and a function for codes; elsewhere another page may have both. */
    update() {
        const isWanted = typeof window.receiveScanResult2 === 'function' && document.hasFocus();
        if (isWanted && !this.stop && performance.now() >= this.next) {
            const stop = new AbortController();
            this.stop = stop;
            openSession().then(() => {
                if (!stop.signal.aborted) follow(stop.signal, () => {}, (event) => this.hear(event), '/events?gun=1');
            }).catch(() => {
                if (this.stop === stop) this.stop = null;
                this.next = performance.now() + 30000;
            });
        } else if (!isWanted && this.stop) {
            this.stop.abort();
            this.stop = null;
        }
    },

    hear(event) {
        if (event.event !== 'gun') return;
        try {
            for (const one of JSON.parse(event.data).calls) perform(one);
        } catch (error) {
            console.error('quietzone: an event of the station was not understood', error);
        }
    },
};

dialect('gun', {
    install() {
        // The page may define its function at any time; a person comes to it by one of these.
        for (const name of ['load', 'focus', 'blur', 'pageshow', 'pointerdown', 'keydown']) {
            window.addEventListener(name, () => stationGun.update());
        }
        stationGun.update();
        window.addEventListener('keydown', (event) => gun.down(event), true);
        window.addEventListener('keypress', (event) => gun.press(event), true);
        window.addEventListener('keyup', (event) => gun.up(event), true);
        window.addEventListener('input', (event) => {
            // A field in a closed shadow tree shows itself by its input alone.
            if (event.isTrusted && String(event.inputType).startsWith('insert')) [gun.field] = event.composedPath();
        }, true);
    },
});
