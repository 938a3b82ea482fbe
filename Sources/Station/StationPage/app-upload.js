// Pictures that are dropped, pasted or chosen: kept until the station has read them, each sent by itself, a few at a
// time, with its progress. Those that came to nothing stand first, and can be tried again.

import { authorization, refusesToken } from './app-access.js';
import { accepted } from './app-formats.js';
import { showRows } from './app-lists.js';
import { StationError, randomName, unwrap } from './app-net.js';
import { isDocument, pagesOf } from './app-pages.js';
import { forget, keep, kept } from './app-store.js';
import { openTab } from './app-tabs.js';
import { element, scrollByKeyboard } from './app-text.js';
import { reasonWord, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const atOnce = 3;
/** How many that were read are still listed; the others are counted. */
const mostListed = 100;
/** How long until it is tried again, and how long an answer may take: the station takes 50 s at the most. */
const milliseconds = { away: 5000, full: 5000, answer: 120000 };
/** The disk has no room, or has failed: the station's words for it. */
const isFull = (error) => error.status === 507 || error.reason === 'not_saved';
const isBusy = (error) => [409, 429, 502, 503, 504].includes(error.status);

/** All pictures that are listed, in the order in which they came. */
const pictures = new Map();
let running = 0;
let read = 0;
let codes = 0;
/** Why nothing is sent: the station is away, its disk is full, one has to sign in, or it is busy. */
let hold = 'busy';
let timer = null;
let listeners = { failed: () => {}, full: () => {} };

const list = (state) => [...pictures.values()].filter((picture) => picture.state === state);

// ---- What is shown -------------------------------------------------------------------------------

function resultOf(picture) {
    switch (picture.state) {
    case 'sending': return word(picture.share === 1 ? 'reading' : 'uploading');
    case 'good': return word('codes', picture.codes);
    case 'none': return word('noCode');
    case 'bad': return reasonWord(picture.reason);
    default: return [word(hold ? 'waits_' + hold : 'waits'), picture.isKept ? '' : word('onlyHere')].filter(Boolean).join(' · ');
    }
}

function buttonFor(picture, key, act) {
    const button = element('button', { type: 'button', className: 'quiet', textContent: word(key) });
    button.setAttribute('aria-label', word(key) + ': ' + picture.name);
    button.addEventListener('click', act);
    return button;
}

function draw(picture) {
    const { item, state } = picture;
    const isFailure = state === 'bad' || state === 'none';
    const parts = [
        element('span', { className: 'name', textContent: picture.name, title: picture.name }),
        element('span', { className: 'result', textContent: resultOf(picture) }),
    ];
    if (state === 'sending') {
        const bar = element('progress', { max: 1, value: picture.share });
        bar.setAttribute('aria-label', picture.name);
        parts.push(bar);
    }
    if (isFailure || state === 'waiting') {
        const tools = element('span', { className: 'tools' });
        if (isFailure) tools.append(buttonFor(picture, 'again', () => again([picture])));
        tools.append(buttonFor(picture, 'remove', () => remove([picture])));
        parts.push(tools);
    }
    if (picture.pages && (state === 'good' || state === 'none')) parts.push(picture.pages.box);
    item.dataset.state = state;
    showRows(item, parts);
    const place = at(isFailure ? 'failures' : 'uploads');
    if (item.parentElement !== place) place.prepend(item);
}

function summarize() {
    const counts = { sending: running, waiting: list('waiting').length, bad: list('bad').length, none: list('none').length };
    const parts = [
        read || !pictures.size ? word('countRead', read, codes) : '', counts.bad ? word('countBad', counts.bad) : '',
        counts.none ? word('countNone', counts.none) : '', counts.sending ? word('countSending', counts.sending) : '',
        counts.waiting ? word('countWaiting', counts.waiting) : '',
    ].filter(Boolean);
    const said = pictures.size || read ? parts.join(word('comma')) : '';
    if (at('album-summary').textContent !== said) at('album-summary').textContent = said;
    at('failures-box').hidden = !counts.bad && !counts.none;
    at('again-all').hidden = counts.bad + counts.none < 2;
    at('remove-all').hidden = counts.bad + counts.none < 2;
    at('uploads').hidden = !at('uploads').childElementCount;
}

function change(picture, state, more = {}) {
    Object.assign(picture, { state }, more);
    draw(picture);
    summarize();
}

/** Everything that holds words is written anew. */
export function retranslateUploads() {
    for (const picture of pictures.values()) {
        if (picture.pages) picture.pages.retranslate();
        draw(picture);
    }
    summarize();
}

// ---- Sending -------------------------------------------------------------------------------------

/** fetch() does not tell how much has been sent. */
function transfer(picture, progress) {
    return new Promise((resolve, reject) => {
        const body = new FormData();
        body.append('file', picture.file, picture.name);
        const request = new XMLHttpRequest();
        const query = new URLSearchParams();
        if (picture.isThorough) query.set('effort', 'thorough');
        if (isDocument(picture.file)) query.set('pageImages', 'true');
        request.open('POST', '/scan?' + query);
        for (const [name, value] of Object.entries(authorization())) request.setRequestHeader(name, value);
        // Sent again because the answer was lost, it is stored once.
        request.setRequestHeader('Idempotency-Key', picture.id);
        request.responseType = 'json';
        request.timeout = milliseconds.answer;
        request.ontimeout = () => request.onerror();
        request.upload.onprogress = (event) => progress(event.loaded / event.total);
        request.onerror = () => reject(new StationError('the station does not answer', 0));
        request.onload = () => {
            try {
                resolve(unwrap(request.status, request.response));
            } catch (error) {
                error.wait = Number(request.getResponseHeader('Retry-After')) || 1;
                reject(error);
            }
        };
        request.send(body);
    });
}

/** Keeps the picture as it stands; where the browser cannot, the page has it for as long as it is open. */
async function store(picture) {
    try {
        picture.file = await keep(picture);
        picture.isKept = true;
    } catch (error) {
        picture.isKept = false;
        draw(picture);
        console.warn('A picture is kept by this page alone: ' + error.message);
    }
}

async function upload(picture) {
    change(picture, 'sending', { share: 0 });
    try {
        await picture.stored;
        // A folder can be dropped, and a file can be gone.
        await picture.file.slice(0, 1).arrayBuffer().catch(() => {
            throw new StationError('the file cannot be opened', 422, { reason: 'unreadable' });
        });
        const data = await transfer(picture, (share) => {
            picture.share = share;
            const bar = picture.item.querySelector('progress');
            if (bar) bar.value = share;
            if (share === 1) picture.item.querySelector('.result').textContent = resultOf(picture);
        });
        const [answer] = data.pictures;
        if (answer.error) throw new StationError(answer.error.message, 422, { reason: answer.error.code });
        picture.pages = pagesOf(answer);
        finish(picture, answer.symbols.length);
    } catch (error) {
        const kind = error.status === 0 ? 'away' : refusesToken(error) ? 'signedOut' : isFull(error) ? 'full'
            : isBusy(error) ? 'busy' : null;
        if (kind) {
            change(picture, 'waiting');
            pause(kind, error);
        } else {
            console.warn(`${picture.name}: ${error.message}`);
            change(picture, 'bad', { reason: error.reason || '' });
            picture.stored = store(picture);
        }
    }
}

function finish(picture, count) {
    if (!count) {
        change(picture, 'none');
        picture.stored = store(picture);
        return;
    }
    read += 1;
    codes += count;
    change(picture, 'good', { codes: count });
    forget(picture.id).catch(() => {});
    const good = list('good');
    for (const old of good.slice(0, Math.max(0, good.length - mostListed))) drop(old);
}

/** Sends nothing for a while, or until the station is back. */
function pause(kind, error) {
    hold = kind;
    clearTimeout(timer);
    if (kind === 'signedOut') listeners.failed(error);
    else timer = setTimeout(resumeUploads, milliseconds[kind] || error.wait * 1000);
    if (kind === 'full') listeners.full(error);
    for (const picture of list('waiting')) draw(picture);
}

/** The station is there, or may be: what waits is sent. */
export function resumeUploads() {
    clearTimeout(timer);
    hold = null;
    run();
    for (const picture of list('waiting')) draw(picture);
}

function run() {
    while (!hold && running < atOnce) {
        const [picture] = list('waiting');
        if (!picture) return;
        running += 1;
        upload(picture).finally(() => {
            running -= 1;
            summarize();
            run();
        });
    }
}

// ---- What the person does ------------------------------------------------------------------------

function put(picture) {
    picture.item = element('li', {});
    pictures.set(picture.id, picture);
    draw(picture);
}

function drop(picture) {
    picture.item.remove();
    pictures.delete(picture.id);
}

function add(files) {
    openTab('pictures');
    if (!running && !list('waiting').length) {
        read = 0;
        codes = 0;
    }
    for (const file of files) {
        const id = randomName();
        const picture = { id, name: file.name || word('picture'), file, state: 'waiting', isKept: true };
        put(picture);
        picture.stored = store(picture);
    }
    summarize();
    run();
}

/** Tries again what came to nothing, and looks harder. */
function again(chosen) {
    for (const picture of chosen) {
        change(picture, 'waiting', { reason: undefined, isThorough: true });
        picture.stored = store(picture);
    }
    run();
    at('files').focus({ preventScroll: true });
}

function remove(chosen) {
    for (const picture of chosen) {
        drop(picture);
        Promise.resolve(picture.stored).then(() => forget(picture.id)).catch(() => {});
    }
    summarize();
    at('files').focus({ preventScroll: true });
}

// ---- Begin ---------------------------------------------------------------------------------------

/** Shows and sends what an earlier page has left. */
async function restore() {
    try {
        for (const { id, name, file, state, reason } of await kept()) {
            if (pictures.has(id)) continue;
            const isFailure = state === 'bad' || state === 'none';
            put({ id, name, file, reason, state: isFailure ? state : 'waiting', isKept: true, isThorough: isFailure });
        }
    } catch (error) {
        console.warn('The browser keeps no pictures: ' + error.message);
    }
    summarize();
    run();
}

/** Takes pictures from now on; they are sent once the page is connected. */
export function startUploads(heard) {
    listeners = heard;
    const zone = at('drop');
    const failures = () => [...list('bad'), ...list('none')];
    scrollByKeyboard(at('uploads'));
    at('again-all').addEventListener('click', () => again(failures()));
    at('remove-all').addEventListener('click', () => remove(failures()));
    at('files').accept = accepted;
    at('files').addEventListener('change', () => {
        add([...at('files').files]);
        at('files').value = '';
    });
    // The whole page takes pictures; one that misses the field must not replace the page.
    let depth = 0;
    const mark = (by) => {
        depth = Math.max(0, depth + by);
        zone.classList.toggle('over', depth > 0);
    };
    document.addEventListener('dragenter', () => mark(1));
    document.addEventListener('dragleave', () => mark(-1));
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
        event.preventDefault();
        mark(-depth);
        if (event.dataTransfer.files.length) add([...event.dataTransfer.files]);
    });
    document.addEventListener('paste', (event) => {
        if (event.clipboardData.files.length) {
            event.preventDefault();
            add([...event.clipboardData.files]);
        }
    });
    window.addEventListener('beforeunload', (event) => {
        const isUnsent = ({ state, isKept }) => !isKept && (state === 'waiting' || state === 'sending');
        if ([...pictures.values()].some(isUnsent)) event.preventDefault();
    });
    restore();
}
