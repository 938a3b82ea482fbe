// Codes that were typed here, by hand or by a scan gun: kept until the station has them, each with its own time and name,
// and sent one after the other, by themselves when the station is back. Those that it refuses wait for a person.

import { refusesToken } from './app-access.js';
import { shownSymbol, unknownContent } from './app-content.js';
import { StationError, randomName, request, unwrap } from './app-net.js';
import { forgetCode, keepCode, keptCodes } from './app-store.js';
import { element, show, spoken } from './app-text.js';
import { listUnsaved } from './app-todo.js';
import { errorWord, time, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const mostListed = 200;
const longestCell = 120;
/** How long until it is tried again, how long an answer may take, and how long one may take that is not waited for. */
const milliseconds = { retry: 5000, answer: 8000, swift: 1000 };

/** By their names, in the order in which they came. */
const codes = new Map();
/** Why nothing is sent, by the end of a key among the words; null while codes are sent. */
let hold = null;
let isSending = false;
let timer = null;
let listeners = {};

const list = (state) => [...codes.values()].filter((code) => code.state === state);
/** Why the station is asked again without a person; null of what it refuses. */
function passing(error) {
    if (!error.status) return 'away';
    if (refusesToken(error)) return 'signedOut';
    if (error.status === 507 || error.reason === 'not_saved') return 'full';
    return error.status === 409 || error.status === 429 || error.status >= 500 ? 'busy' : null;
}

/** Whether a person may keep it as it is. */
const mayKeep = ({ problem }) => Boolean(problem && problem.details && problem.details.expected !== undefined);

/** What is wrong with a code, in a sentence. */
export function problemWord(error) {
    if (error.reason === 'check_digit') return word('wrongCheckDigit', error.details.expected);
    if (error.reason === 'bad_length') return word('wrongLength');
    if (error.reason === 'bad_elements') return word('wrongElements', error.message);
    return error.reason === 'empty_text' ? word('typingEmpty') : errorWord(error);
}

// ---- What is shown -------------------------------------------------------------------------------

function button(key, code, act) {
    const made = element('button', { type: 'button', className: 'quiet', textContent: word(key) });
    made.setAttribute('aria-label', word(key) + ': ' + spoken(shownSymbol(code)));
    made.addEventListener('click', act);
    return made;
}

function draw(code) {
    const content = element('b', { dir: 'auto' });
    const isHidden = code.content && !code.isRevealed;
    show(content, isHidden ? shownSymbol(code) : code.text, longestCell);
    const why = code.problem ? problemWord(code.problem) : word('waits_' + (hold || 'busy'));
    const facts = [time(code.at), why, code.isKept ? '' : word('onlyHere')].filter(Boolean).join(' · ');
    const tools = element('span', { className: 'tools' });
    if (mayKeep(code)) tools.append(button('typingKeep', code, () => confirm([code])));
    if (code.content) {
        tools.append(button(isHidden ? 'reveal' : 'conceal', code, () => {
            code.isRevealed = isHidden;
            drawList();
        }));
    }
    tools.append(button('remove', code, () => {
        drop(code);
        at('typing-text').focus();
    }));
    return element('li', { className: 'kept', key: code }, content, element('small', { textContent: facts }), tools);
}

/** Those that the station takes at once are not worth a word. */
function drawList() {
    const isShown = ({ state, at: moment }) => state === 'wrong' || hold || Date.now() - moment >= milliseconds.swift;
    const shown = [...codes.values()].filter(isShown).reverse();
    const said = shown.length ? word('keptCount', list('waiting').length, list('wrong').length) : '';
    if (at('kept-summary').textContent !== said) at('kept-summary').textContent = said;
    const savable = list('wrong').filter(mayKeep);
    listUnsaved('kept', shown.slice(0, mostListed).map(draw), savable.length ? () => confirm(savable) : null);
}

export function retranslateCodes() {
    drawList();
}

// ---- Sending -------------------------------------------------------------------------------------

async function send({ id, text, format, isGun, isConfirmed, at: moment }) {
    const message = {
        text, format, gun: isGun || undefined, confirmed: isConfirmed || undefined,
        age: Math.max(0, Date.now() - moment) / 1000,
    };
    const response = await request('/typed', {
        method: 'POST', body: JSON.stringify(message), signal: AbortSignal.timeout(milliseconds.answer),
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': id },
    });
    return unwrap(response.status, await response.json().catch(() => null));
}

/** Keeps a code as it stands; where the browser cannot, the page has it for as long as it is open. */
async function store(code) {
    const { id, text, format, isGun, isConfirmed, state, problem, at: moment } = code;
    const { reason, details, status, message } = problem || {};
    try {
        await keepCode({
            id, text, format, isGun, isConfirmed, state, at: moment, problem: problem && { reason, details, status, message },
        });
        code.isKept = true;
    } catch (error) {
        code.isKept = false;
        console.warn('A code is kept by this page alone: ' + error.message);
    }
}

function drop(code) {
    codes.delete(code.id);
    // Not before it is there: it would stay for ever.
    code.stored.then(() => forgetCode(code.id)).catch(() => {});
    drawList();
}

function refuse(code, error) {
    const { field } = code;
    code.field = null;
    if (field && field(error)) {
        drop(code);
        return;
    }
    Object.assign(code, { state: 'wrong', problem: error });
    code.stored = code.stored.then(() => store(code));
}

async function run() {
    if (isSending) return;
    isSending = true;
    let code;
    while (!hold && ([code] = list('waiting'), code)) {
        try {
            await code.stored;
            await send(code);
            drop(code);
        } catch (error) {
            const why = passing(error);
            if (why) pause(why, error);
            else refuse(code, error);
        }
        drawList();
    }
    isSending = false;
}

/** Sends nothing for a while, or until the station is back. */
function pause(why, error) {
    hold = why;
    clearTimeout(timer);
    timer = setTimeout(resumeCodes, milliseconds.retry);
    const fresh = list('waiting').filter((code) => !code.isTold);
    for (const code of fresh) code.isTold = true;
    listeners.waits(error, fresh);
}

/** The station is there, or may be: what waits is sent. */
export function resumeCodes() {
    clearTimeout(timer);
    hold = null;
    run();
}

/** A code was stored: perhaps one that another page has sent, or whose answer was lost. */
export function takeStored({ event }) {
    const { details } = event.source;
    const code = details && codes.get(details.upload);
    if (code) drop(code);
}

function confirm(chosen) {
    for (const code of chosen) {
        Object.assign(code, { state: 'waiting', problem: null, isConfirmed: true });
        code.stored = code.stored.then(() => store(code));
    }
    at('typing-text').focus();
    run();
    drawList();
}

/**
 * Takes a code, read at `time`, which is the station's from here on, sooner or later. Where it refuses the code, `field` hears why and
 * says whether it takes it back, to be corrected.
 */
export function takeCode({ text, format, isGun, isConfirmed, time: moment = Date.now() }, field = null) {
    const code = {
        id: randomName(), text, format, isGun, isConfirmed, field, at: moment, state: 'waiting', isKept: true,
        content: unknownContent(text),
    };
    codes.set(code.id, code);
    code.stored = store(code);
    if (hold) {
        code.isTold = true;
        listeners.waits(null, [code]);
    }
    run();
    drawList();
    setTimeout(drawList, milliseconds.swift);
}

/** What an earlier page has left. */
async function restore() {
    try {
        for (const code of await keptCodes()) {
            if (codes.has(code.id)) continue;
            const { problem } = code;
            const error = problem ? Object.assign(new StationError(problem.message, problem.status, problem.details), problem) : null;
            codes.set(code.id, { ...code, content: unknownContent(code.text), problem: error, isKept: true, isTold: true, stored: Promise.resolve() });
        }
    } catch (error) {
        console.warn('The browser keeps no codes: ' + error.message);
    }
    run();
    drawList();
}

/** `waits(error, codes)` hears of codes that wait, and why where it was tried. */
export function startCodes(heard) {
    listeners = heard;
    window.addEventListener('beforeunload', (event) => {
        if (list('waiting').some((code) => !code.isKept)) event.preventDefault();
    });
    restore();
}
