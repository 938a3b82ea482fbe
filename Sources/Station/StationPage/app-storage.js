// A station that cannot save: why, in a banner, and the codes that it could not save, until they are saved.

import { takeCode } from './app-codes.js';
import { formatWord, personalKind, shownSymbol } from './app-content.js';
import { ofTab } from './app-memory.js';
import { request } from './app-net.js';
import { copy, element, scrollByKeyboard, show, spoken } from './app-text.js';
import { listUnsaved } from './app-todo.js';
import { time, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const key = 'quietzone.unsaved';
const mostListed = 200;
const longestCell = 120;
const milliseconds = 5000;
/** What is said for the station's reasons; every other reason is a disk that cannot be written. */
const words = { disk_full: 'diskFull', no_room: 'noRoom' };

/** Codes that were not saved, the newest first; a reload keeps them. */
let unsaved = ofTab.readJSON(key) || [];
let unlisted = 0;
/** Why nothing can be saved, as far as the page knows. */
let reason = null;
let timer = null;
let well = () => {};

/** Of a personal one that was kept across a reload, or is delivered already, only its kind is known. */
const isSame = (one, other) => one.format === other.format && one.content === other.content
    && (one.text === other.text || one.text === null || Boolean(one.content && !other.text));

function drawBanner() {
    const said = reason === null ? '' : word(words[reason] || 'diskFailed');
    at('storage').hidden = reason === null;
    if (at('storage').textContent !== said) at('storage').textContent = said;
}

function button(name, code, act) {
    const made = element('button', { type: 'button', className: 'quiet', textContent: word(name) });
    made.setAttribute('aria-label', word(name) + ': ' + spoken(shownSymbol(code)));
    made.addEventListener('click', () => act(made));
    return made;
}

function draw(code) {
    const content = element('b', { dir: 'auto' });
    show(content, shownSymbol(code), longestCell);
    const copyButton = button('copy', code, async (made) => { if (await copy(code.text)) made.textContent = word('copied'); });
    copyButton.hidden = code.text === null;
    const saveButton = button('saveName', code, () => save([code]));
    saveButton.hidden = code.text === null;
    return element('li', { key: code },
        content, element('small', { textContent: `${formatWord(code.format, code.identifier)} · ${time(code.time)}` }),
        element('span', { className: 'tools' },
            copyButton, saveButton,
            button('remove', code, () => {
                remove([code]);
                at('latest-title').focus();
            })));
}

function remove(codes) {
    unsaved = unsaved.filter((one) => !codes.includes(one));
    drawList();
}

/** Hands codes over to be sent, as if they were typed; of a personal one after a reload nothing is there to be sent. */
function save(codes) {
    for (const { text, format, time: moment } of codes) {
        takeCode({ text, format: format === 'unknown' ? undefined : format, isConfirmed: true, time: moment });
    }
    remove(codes);
}

function drawList() {
    if (!unsaved.length) unlisted = 0;
    const savable = unsaved.filter(({ text }) => text !== null);
    listUnsaved('read', unsaved.map(draw), savable.length ? () => save(savable) : null);
    at('unsaved-more').textContent = unlisted ? word('unlisted', unlisted) : '';
    // What is personal is not put into the browser's storage.
    ofTab.write(key, JSON.stringify(unsaved.map((one) => (one.content ? { ...one, text: null } : one))));
}

/** Everything that holds words is written anew. */
export function retranslateStorage() {
    drawBanner();
    drawList();
}

function checkLater() {
    clearTimeout(timer);
    timer = setTimeout(checkStorage, milliseconds);
}

/** The station cannot save, and says why in a word. */
export function cannotSave(why) {
    // Where codes are not saved it is little news that pictures are not read.
    if (reason === null || why !== 'no_room') reason = why;
    drawBanner();
    checkLater();
}

/** Codes that could not be saved. Whether one of them is new. */
export function takeUnsaved(symbols) {
    const news = symbols.filter((symbol) => !unsaved.some((one) => isSame(one, symbol)));
    unsaved = [...news.map(({ text, format, identifier, content }) => ({
        text, format, identifier, content, time: Date.now(),
    })), ...unsaved];
    unlisted += Math.max(0, unsaved.length - mostListed);
    unsaved = unsaved.slice(0, mostListed);
    drawList();
    return news.length > 0;
}

/** A code was saved: perhaps one that was not before. */
export function takeSaved({ event }) {
    const { text, format } = event.symbol;
    const saved = { text, format, content: personalKind(event) };
    if (unsaved.some((one) => isSame(one, saved))) {
        unsaved = unsaved.filter((one) => !isSame(one, saved));
        drawList();
    }
    if (reason !== null) checkStorage();
}

/** Asks the station whether it can save, and again for as long as it cannot. */
export async function checkStorage() {
    clearTimeout(timer);
    // A station that cannot save tells its health in an answer that is no success.
    const answer = await request('/health').then((response) => response.json()).catch(() => null);
    const health = answer && answer.data;
    if (!health || health.uploadsWritable === undefined) {
        // It does not answer, or refuses to: what is shown stays until it is known.
        if (reason !== null) checkLater();
        return;
    }
    if (!health.outbox || !health.outbox.writable) {
        cannotSave(reason && reason !== 'no_room' ? reason : 'unknown');
    } else if (!health.uploadsWritable) {
        reason = null;
        cannotSave('no_room');
    } else if (reason !== null) {
        reason = null;
        drawBanner();
        well();
    }
}

/** `canSave` is called when the station can save again. */
export function startStorage(canSave) {
    well = canSave;
    scrollByKeyboard(at('unsaved'));
    drawList();
}
