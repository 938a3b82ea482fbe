// The rows of the history. Only those in view are in the document, with a few on either side. All have the same height,
// and a transform puts each in its place, so that a row that comes moves no other element of the page.

const at = (id) => document.getElementById(id);
/** How many rows are made above and below those in view. */
const margin = 8;
/** A page that is open for weeks does not grow for weeks: how many rows are kept while the newest is in view. */
const mostKept = 1000;
/** How long rows stay after the pointer moved over them, in milliseconds: somebody is about to press a button. */
const patience = 1500;

/** The identifiers of all rows, the newest first, and of those that came while the rows were held. */
let keys = [];
let held = [];
/** The rows that are in the document, by their identifiers. */
const shown = new Map();
let height = 40;
let isWhole = true;
let isPressed = false;
let moved = -patience;
let timer = null;
let frame = null;
let make = () => {};
let near = () => {};
let cut = () => {};

export const rowCount = () => keys.length + held.length;

/** The row of an identifier if it is in the document. */
export const rowOf = (key) => shown.get(key);

/** The index at which an identifier stands, or would stand. */
function indexOf(key) {
    let [low, high] = [0, keys.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (keys[middle] > key) low = middle + 1;
        else high = middle;
    }
    return low;
}

/** The identifiers of all rows, the newest first. */
export const allRows = () => [...held].sort().reverse().concat(keys);

export const hasRow = (key) => keys[indexOf(key)] === key || held.includes(key);

/** Indicates whether a row that comes would move what somebody looks at or is about to press. */
function isHeld() {
    return isPressed || performance.now() - moved < patience || at('rows').scrollTop > 0
        || at('scans').getBoundingClientRect().top < 0;
}

function showHeld() {
    at('newer').hidden = !held.length;
    at('newer-count').textContent = held.length;
}

/** Shows what came while the rows were held, and at the top nothing more than is kept. */
function release() {
    clearTimeout(timer);
    if (isHeld()) {
        timer = setTimeout(release, patience);
        return;
    }
    keys = [...held.sort().reverse(), ...keys];
    held = [];
    const removed = keys.splice(mostKept);
    if (removed.length) {
        isWhole = false;
        cut(removed, keys[keys.length - 1]);
    }
    showHeld();
    draw();
}

/** The first row to make and the one after the last, by what is in view of the window and of the box that scrolls. */
function range() {
    const body = at('scans').getBoundingClientRect();
    const box = at('rows').getBoundingClientRect();
    const top = Math.max(box.top, 0) - body.top;
    const bottom = Math.min(box.bottom, innerHeight) - body.top;
    const first = Math.min(Math.floor(top / height), keys.length) - margin;
    return [Math.max(0, first), Math.min(keys.length, Math.max(0, Math.ceil(bottom / height)) + margin)];
}

function drawNow() {
    frame = null;
    const body = at('scans');
    if (shown.size) height = shown.values().next().value.offsetHeight || height;
    body.style.height = keys.length * height + 'px';
    // Of a history that is not all here, nobody knows the length.
    at('table').setAttribute('aria-rowcount', isWhole ? keys.length + 1 : -1);
    const [first, end] = range();
    const wanted = new Set(keys.slice(first, end));
    for (const [key, row] of shown) {
        // A row that has the focus keeps it.
        if (wanted.has(key) || (row.contains(document.activeElement) && hasRow(key))) continue;
        row.remove();
        shown.delete(key);
    }
    let next = null;
    for (let index = end - 1; index >= first; index -= 1) {
        const row = shown.get(keys[index]) || make(keys[index]);
        if (!row.isConnected) {
            shown.set(keys[index], row);
            body.insertBefore(row, next);
        }
        next = row;
    }
    for (const [key, row] of shown) {
        const index = indexOf(key);
        row.style.transform = `translateY(${index * height}px)`;
        row.setAttribute('aria-rowindex', index + 2);
    }
    const [row] = shown.values();
    // The first row tells how high rows are in this window.
    if (row && row.offsetHeight && row.offsetHeight !== height) draw();
    if (!isWhole && end > keys.length - margin) near();
}

/** Draws the rows before the next frame, however many have changed by then. */
function draw() {
    if (frame === null) frame = requestAnimationFrame(drawNow);
}

/** Adds a row; one that is new waits while somebody reads further down or is about to press a button. */
export function addRow(key) {
    if (keys.length && key > keys[0] && isHeld()) {
        held.push(key);
        showHeld();
        clearTimeout(timer);
        timer = setTimeout(release, patience);
        return;
    }
    keys.splice(indexOf(key), 0, key);
    if (keys.length > mostKept && !isHeld()) release();
    draw();
}

/** Takes other rows in place of all, from the top. */
export function setRows(all) {
    keys = all;
    held = [];
    at('rows').scrollTop = 0;
    showHeld();
    draw();
}

/** Says whether there are no rows but these. */
export function setWhole(isAll) {
    isWhole = isAll;
    draw();
}

/** Makes the rows in view anew. */
export function redrawRows() {
    for (const row of shown.values()) row.remove();
    shown.clear();
    draw();
}

/**
 * Shows rows from now on: `rowFor(key)` makes one, `more()` is called when the last ones come into view, and
 * `removed(keys, last)` hears which are not kept any more and which is the last that is.
 */
export function startRows({ rowFor, more, removed }) {
    [make, near, cut] = [rowFor, more, removed];
    const box = at('rows');
    // Both the box and, on a phone, the window scroll.
    document.addEventListener('scroll', () => {
        draw();
        if (held.length && !isHeld()) release();
    }, { capture: true, passive: true });
    new ResizeObserver(draw).observe(box);
    addEventListener('resize', draw);
    box.addEventListener('pointermove', () => { moved = performance.now(); });
    box.addEventListener('pointerdown', () => { isPressed = true; });
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => { isPressed = false; });
    at('newer').addEventListener('click', () => {
        box.scrollTop = 0;
        if (at('scans').getBoundingClientRect().top < 0) at('history').scrollIntoView();
        release();
        at('history-title').focus();
    });
}
