// Counting: a count is opened, each code that is read or typed counts one, and it is closed as an event or as a file.

import { formatWord } from './app-content.js';
import { showRows } from './app-lists.js';
import { get, saveFile, send } from './app-net.js';
import { printTable } from './app-print.js';
import { element, setText, show, spoken } from './app-text.js';
import { time, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const milliseconds = 150;
const longestCell = 80;

let count = null;
let closed = [];
let destinations = [];
let timer = null;
let complain = () => {};
let speak = () => {};

export const isCounting = () => Boolean(count);

const nameOf = (one) => one.name || word('countUnnamed', one.number);
const path = (one, action) => `/counts/${one.number}/${action}`;

const save = (one) => saveFile(path(one, 'csv'), `count-${one.number}.csv`);

function csvButton(one) {
    const button = element('button', { type: 'button', className: 'quiet', textContent: 'CSV' });
    button.setAttribute('aria-label', `CSV: ${nameOf(one)}`);
    button.addEventListener('click', () => save(one).catch(complain));
    return button;
}

function drawLine(line) {
    const text = element('span', { className: 'code', dir: 'auto' });
    show(text, line.text, longestCell);
    const input = element('input', { type: 'number', min: 0, max: 1000000, step: 1, value: line.quantity });
    input.setAttribute('aria-label', `${word('quantity')}: ${spoken(line.text)}`);
    input.addEventListener('change', () => {
        const quantity = Number(input.value);
        // What is no number has no value, which would be zero.
        if (input.value === '' || !Number.isInteger(quantity) || quantity < 0) {
            input.value = line.quantity;
        } else if (quantity !== line.quantity) {
            act('lines', { ...line, quantity }).then((isDone) => { if (isDone) line.quantity = quantity; });
        }
    });
    return element('li', {}, text, element('small', { textContent: formatWord(line.format) }), input);
}

export function showCounting() {
    at('counting-closed').hidden = Boolean(count);
    at('counting-open').hidden = !count;
    at('counting-before').hidden = !closed.length;
    showRows(at('counting-list'), closed.map((one) => element('li', { key: one.number },
        element('span', { textContent: `${nameOf(one)} · ${time(one.closedAt)} · ${word('countTotal', one.total, one.codes)}` }),
        csvButton(one))));
    if (!count) return;
    setText(at('counting-total'), `${nameOf(count)}: ${word('countTotal', count.total, count.codes)}`);
    at('counting-undo').disabled = !count.canUndo;
    const focused = document.activeElement;
    // What is being changed is left alone.
    if (!at('counting-lines').contains(focused)) {
        // The last on top: it is the one that was counted now.
        at('counting-lines').replaceChildren(...[...(count.lines || [])].reverse().map(drawLine));
    }
    at('counting-nothing').hidden = Boolean(count.lines && count.lines.length);
    const chosen = at('counting-to').value;
    const options = [['*', word('countToAll')], ...destinations.map((name) => [name, name]), ['none', word('countToNone')]];
    const offered = destinations.length ? options : options.slice(-1);
    showRows(at('counting-to'), offered.map(([value, textContent]) => element('option', { value, textContent, key: value })));
    if (offered.some(([value]) => value === chosen)) at('counting-to').value = chosen;
}

function take(one) {
    if (one.closedAt === null) count = one;
    else if (count && count.number === one.number) count = null;
    showCounting();
}

/** Asks for the counts, and returns the names of the destinations that a count may be delivered to. */
export async function refreshCounting() {
    const answer = await get('/counts');
    count = answer.counts.find((one) => one.closedAt === null) || null;
    closed = answer.counts.filter((one) => one.closedAt !== null);
    ({ destinations } = answer);
    showCounting();
    return destinations;
}

/** Whether it went well. */
async function act(action, message) {
    try {
        take(await send(path(count, action), message));
        return true;
    } catch (error) {
        complain(error);
        refreshCounting().catch(() => {});
        return false;
    }
}

/** The station has counted: the sum at once, the lines soon. */
export function takeCount(progress) {
    const { number, total, codes, canUndo } = progress;
    if (count && count.number === number) Object.assign(count, { total, codes, canUndo });
    showCounting();
    clearTimeout(timer);
    timer = setTimeout(() => refreshCounting().catch(() => {}), milliseconds);
}

async function open() {
    const name = at('counting-name').value.trim();
    try {
        take(await send('/counts', { name }));
        at('counting-name').value = '';
        at('counting-title').focus();
        await refreshCounting();
    } catch (error) {
        complain(error);
    }
}

async function close() {
    const to = at('counting-to').value;
    const one = count;
    const message = to === 'none' ? { deliver: false } : to === '*' ? {} : { destination: to };
    try {
        take(await send(path(one, 'close'), message));
        speak(word('countClosed', nameOf(one)));
        at('counting-title').focus();
        if (to === 'none') await save(one);
        await refreshCounting();
    } catch (error) {
        complain(error);
    }
}

/** `refused` hears what could not be done, `say` what was. */
export function startCounting(refused, say) {
    complain = refused;
    speak = say;
    at('counting-closed').addEventListener('submit', (event) => {
        event.preventDefault();
        open();
    });
    // What came while a quantity was being changed is shown afterwards.
    at('counting-lines').addEventListener('focusout', () => setTimeout(showCounting));
    at('counting-undo').addEventListener('click', () => act('undo'));
    at('counting-csv').addEventListener('click', () => save(count).catch(complain));
    at('counting-print').addEventListener('click', () => printTable({
        title: nameOf(count), facts: [word('countTotal', count.total, count.codes)],
        heads: [word('content'), word('format'), word('quantity')],
        rows: (count.lines || []).map(({ text, format, quantity }) => [text, formatWord(format), quantity]),
    }));
    at('counting-end').addEventListener('click', close);
}

