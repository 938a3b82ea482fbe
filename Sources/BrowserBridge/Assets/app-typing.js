// Codes that a person types, and those that a scan gun types anywhere on the page that is not a field.

import { checked, titles } from './app-formats.js';
import { StationError, randomName, request, unwrap } from './app-net.js';
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

/** One after the other, so that codes are stored in the order in which they were typed. */
let last = Promise.resolve();

function storeTyped(isConfirmed) {
    const field = at('typing-text');
    const text = field.value;
    const format = at('typing-format').value || undefined;
    const name = key || randomName();
    // What a gun types while the station answers is another code.
    key = null;
    field.value = '';
    showProblem(null);
    field.focus();
    last = last.then(async () => {
        try {
            await store({ text, format, confirmed: isConfirmed || undefined }, name);
        } catch (error) {
            if (field.value !== '') {
                lost(text, error);
                return;
            }
            field.value = text;
            key = name;
            showProblem(error);
            if (!at('typing-confirm').hidden) at('typing-keep').focus();
        }
    });
}

// ---- By a gun ------------------------------------------------------------------------------------

let burst = '';
let moment = 0;
/** Whether the burst has a key that types nothing: its code would lack what the gun meant by it. */
let isVoid = false;

async function storeScanned(text) {
    try {
        await store({ text, gun: true }, randomName());
    } catch (error) {
        lost(text, error);
    }
}

const modifiers = ['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock', 'NumLock', 'Meta'];

/** What a key types: GS by Ctrl and ], as guns send it; nothing of a key without a character; null of shortcuts. */
function typedBy(event) {
    if (modifiers.includes(event.key)) return null;
    if (event.ctrlKey && !event.altKey && (event.key === ']' || event.code === 'BracketRight')) return '\u001d';
    const isShortcut = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph');
    if (isShortcut || event.metaKey) return null;
    return Array.from(event.key).length === 1 ? event.key : '';
}

function endBurst(event, isFast) {
    const [text, wasVoid] = [burst, isVoid];
    burst = '';
    isVoid = false;
    if (!isFast || text.length < fewestKeys) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (wasVoid) lost(text, new StationError('A key of the scan gun is no character.', 422, { reason: 'unknown_key' }));
    else storeScanned(text);
}

function takeKey(event) {
    if (event.isComposing) return;
    const typed = event.key === 'Enter' ? '' : typedBy(event);
    if (typed === null) return;
    if (event.target.closest && event.target.closest(field)) {
        burst = '';
        return;
    }
    const isFast = burst !== '' && event.timeStamp - moment <= longestGap;
    moment = event.timeStamp;
    if (event.key === 'Enter') {
        endBurst(event, isFast);
        return;
    }
    if (!isFast) isVoid = false;
    burst = isFast ? burst + typed : typed;
    if (!isFast) return;
    if (typed === '') isVoid = true;
    // A space within a code starts no reading, and presses no button.
    event.preventDefault();
    event.stopImmediatePropagation();
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
