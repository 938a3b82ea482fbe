// Codes that a person types, and those that a scan gun types anywhere on the page that is not a field.

import { problemWord, takeCode } from './app-codes.js';
import { checked, titles } from './app-formats.js';
import { StationError } from './app-net.js';
import { element } from './app-text.js';

const at = (id) => document.getElementById(id);
/** What a gun's code changes and does not fit into. */
const choices = 'select, input[type=number], input[type=date]';
const field = `textarea, [contenteditable],
    input:not([type=radio], [type=checkbox], [type=file], [type=range], [type=button], ${choices})`;
/** Keys of a gun are no further apart than this, in milliseconds; a person's rarely are so near. */
const longestGap = 60;
/** So much later a space presses a button or starts a reading: until then it may be the first key of a code. */
const holdTime = 80;
const fewestKeys = 4;

let problem = null;
let lost = () => {};

// ---- By hand -------------------------------------------------------------------------------------

function showProblem(error) {
    problem = error;
    at('typing-problem').textContent = error ? problemWord(error) : '';
    at('typing-text').setAttribute('aria-invalid', String(Boolean(error)));
    // Only what is wrong in itself may be kept.
    at('typing-confirm').hidden = !error || !error.details || error.details.expected === undefined;
}

function storeTyped(isConfirmed) {
    const field = at('typing-text');
    const text = field.value;
    if (!text.trim()) {
        showProblem(new StationError('Nothing was typed.', 400, { reason: 'empty_text' }));
        return;
    }
    const format = at('typing-format').value || undefined;
    field.value = '';
    showProblem(null);
    field.focus();
    takeCode({ text, format, isConfirmed }, (error) => {
        // What a gun types while the station answers is another code.
        if (field.value !== '') return false;
        field.value = text;
        showProblem(error);
        if (!at('typing-confirm').hidden) at('typing-keep').focus();
        return true;
    });
}

// ---- By a gun ------------------------------------------------------------------------------------

let burst = '';
/** What was typed in a field by keys as near as a gun's. */
let written = '';
let moment = 0;
/** Whether the burst has a key that types nothing: its code would lack what the gun meant by it. */
let isVoid = false;
/** The space that is held back: its target, and the timer of what it does there; null if none is. */
let held = null;
/** Indicates whether the space bar was pressed and its key does nothing, until it is released. */
let isSwallowed = false;
/** The list, number or date that had the focus when the burst began, and its value before; null if none had. */
let list = null;

const modifiers = ['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock', 'NumLock', 'Meta'];

/** What a key types: GS by Ctrl and ], as guns send it; nothing of a key without a character; null of shortcuts. */
function typedBy(event) {
    if (modifiers.includes(event.key)) return null;
    if (event.ctrlKey && !event.altKey && (event.key === ']' || event.code === 'BracketRight')) return '\u001d';
    const isShortcut = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph');
    if (isShortcut || event.metaKey) return null;
    return Array.from(event.key).length === 1 ? event.key : '';
}

/** Takes back what the first keys of a burst have changed. */
function restoreList() {
    if (!list) return;
    const { choice, value } = list;
    list = null;
    const isChanged = choice.value !== value;
    // In any case: a date of which only a part is written has no value yet.
    choice.value = value;
    if (isChanged) choice.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Keeps a key from doing anything in the page. */
function swallow(event) {
    if (event.key === ' ') isSwallowed = true;
    event.preventDefault();
    event.stopImmediatePropagation();
}

/** Does what the held space would have done. */
function release() {
    const { target } = held;
    held = null;
    const again = new KeyboardEvent('keydown', { key: ' ', code: 'Space', bubbles: true, cancelable: true });
    if (!target.dispatchEvent(again) || !target.isConnected) return;
    if (target.matches('select')) target.showPicker();
    else if (target.matches('button, summary, input')) target.click();
}

/** Holds back a space that presses, opens or reads something, until it is known not to begin a code. */
function hold(event) {
    const { target } = event;
    const isControl = target.matches('button, summary, input') || (target.matches('select') && 'showPicker' in target);
    const reads = !at('trigger').hidden && !at('preferences').open && !target.matches('a, select');
    if (!isControl && !reads) return;
    swallow(event);
    held = { target, timer: setTimeout(release, holdTime) };
}

function endBurst(event, isFast) {
    const [text, wasVoid] = [burst, isVoid];
    burst = '';
    isVoid = false;
    if (!isFast || text.length < fewestKeys) return;
    swallow(event);
    if (wasVoid) lost(text, new StationError('A key of the scan gun is no character.', 422, { reason: 'unknown_key' }));
    else takeCode({ text, isGun: true });
}

function takeKey(event) {
    if (event.isComposing || !event.isTrusted) return;
    // Guns hold no key.
    if (event.repeat) {
        if (event.key === ' ' && isSwallowed) swallow(event);
        return;
    }
    const typed = event.key === 'Enter' ? '' : typedBy(event);
    if (typed === null) return;
    const isNear = event.timeStamp - moment <= longestGap;
    moment = event.timeStamp;
    // The focus may come to a field, or leave it, in the midst of a code.
    const isFast = isNear && burst + written !== '';
    if (event.target.closest && event.target.closest(field) && !(isFast && burst)) {
        isVoid = isFast && (isVoid || typed === '');
        written = event.key === 'Enter' ? '' : (isFast ? written : '') + typed;
        burst = '';
        list = null;
        return;
    }
    if (isFast) burst += written;
    written = '';
    if (held) {
        clearTimeout(held.timer);
        if (isFast) held = null;
        else release();
    }
    if (event.key === 'Enter') {
        endBurst(event, isFast);
        return;
    }
    burst = isFast ? burst + typed : typed;
    if (!isFast) {
        isVoid = false;
        const choice = event.target.closest && event.target.closest(choices);
        list = choice && { choice, value: choice.value };
        if (typed === ' ') hold(event);
        return;
    }
    if (typed === '') isVoid = true;
    // A person who types a name in a list, or a number, is rarely so fast for so long.
    if (list && burst.length < fewestKeys && typed !== ' ') return;
    restoreList();
    // A space within a code starts no reading, and presses no button.
    swallow(event);
}

// ---- Begin ---------------------------------------------------------------------------------------

export function retranslateTyping() {
    showProblem(problem);
}

/** `lostCode` hears of what a gun has typed and that is no code, and why. */
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
        at(id).addEventListener(kind, () => { if (problem) showProblem(null); });
    }
    document.addEventListener('keydown', takeKey, { capture: true });
    document.addEventListener('keyup', (event) => {
        if (event.key !== ' ' || !isSwallowed) return;
        isSwallowed = false;
        event.preventDefault();
    }, { capture: true });
}
