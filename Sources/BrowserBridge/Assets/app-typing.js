// Codes that a person types, and those that a scan gun types anywhere on the page that is not a field.

import { checked, titles } from './app-formats.js';
import { request, unwrap } from './app-net.js';
import { element } from './app-text.js';
import { errorWord, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const field = 'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=file], [type=range], [type=button])';
/** Keys of a gun are no further apart than this, in milliseconds; a person's rarely are so near. */
const longestGap = 60;
const fewestKeys = 4;

/** What names the code that is being typed, so that it is stored once however often it is sent. */
let key = null;
let problem = null;
let lost = () => {};

function newKey() {
    // crypto.randomUUID() is not there without https, elsewhere than on loopback.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function store(message, name) {
    const response = await request('/typed', {
        method: 'POST', body: JSON.stringify(message),
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': name },
    });
    return unwrap(response.status, await response.json().catch(() => null));
}

// ---- By hand -------------------------------------------------------------------------------------

function problemWord(error) {
    if (error.reason === 'check_digit') return word('wrongCheckDigit', error.details.expected);
    if (error.reason === 'bad_length') return word('wrongLength');
    if (error.reason === 'bad_elements') return word('wrongElements', error.message);
    return error.reason === 'empty_text' ? word('typingEmpty') : errorWord(error);
}

function showProblem(error) {
    problem = error;
    at('typing-problem').textContent = error ? problemWord(error) : '';
    at('typing-text').setAttribute('aria-invalid', String(Boolean(error)));
    // Only what is wrong in itself may be kept; a station that does not answer is asked again by Enter.
    at('typing-confirm').hidden = !error || !error.details || error.details.expected === undefined;
}

async function storeTyped(isConfirmed) {
    const text = at('typing-text').value;
    const format = at('typing-format').value || undefined;
    key = key || newKey();
    at('typing-store').disabled = true;
    try {
        await store({ text, format, confirmed: isConfirmed || undefined }, key);
        key = null;
        at('typing-text').value = '';
        showProblem(null);
        at('typing-text').focus();
    } catch (error) {
        showProblem(error);
        if (!at('typing-confirm').hidden) at('typing-keep').focus();
    } finally {
        at('typing-store').disabled = false;
    }
}

// ---- By a gun ------------------------------------------------------------------------------------

let burst = '';
let moment = 0;

async function storeScanned(text) {
    const name = newKey();
    try {
        await store({ text, gun: true }, name);
    } catch (error) {
        lost(text, error);
    }
}

function takeKey(event) {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey || event.key === 'Shift') return;
    if (event.target.closest && event.target.closest(field)) {
        burst = '';
        return;
    }
    const isFast = burst !== '' && event.timeStamp - moment <= longestGap;
    moment = event.timeStamp;
    if (event.key === 'Enter') {
        const text = burst;
        burst = '';
        if (!isFast || text.length < fewestKeys) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        storeScanned(text);
    } else if (event.key.length > 2) {
        burst = '';
    } else {
        burst = isFast ? burst + event.key : event.key;
        if (!isFast) return;
        // A space within a code starts no reading, and presses no button.
        event.preventDefault();
        event.stopImmediatePropagation();
    }
}

// ---- Begin ---------------------------------------------------------------------------------------

export function retranslateTyping() {
    showProblem(problem);
}

/** `lostCode` hears of a gun's code that could not be stored, and why. */
export function startTyping(lostCode) {
    lost = lostCode;
    at('typing-format').append(...checked.map((name) => element('option', { value: name, textContent: titles[name] })));
    at('typing-form').addEventListener('submit', (event) => {
        event.preventDefault();
        // What is told to be wrong is kept by its own button alone.
        if (problem && !at('typing-confirm').hidden) at('typing-keep').focus();
        else storeTyped(false);
    });
    at('typing-keep').addEventListener('click', () => storeTyped(true));
    at('typing-again').addEventListener('click', () => {
        showProblem(null);
        at('typing-text').focus();
        at('typing-text').select();
    });
    for (const [id, kind] of [['typing-text', 'input'], ['typing-format', 'change']]) {
        at(id).addEventListener(kind, () => {
            key = null;
            if (problem) showProblem(null);
        });
    }
    document.addEventListener('keydown', takeKey, { capture: true });
}
