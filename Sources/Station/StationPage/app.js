// The scanning station's page: puts the parts together and tells them what the station says.

import { askToSignIn, refusesToken, retranslateAccess, showPage, signedIn, startAccess } from './app-access.js';
import { refreshApps } from './app-apps.js';
import { refreshCamera, setConnected, showCamera, startCamera } from './app-camera.js';
import { resumeCodes, retranslateCodes, startCodes, takeStored } from './app-codes.js';
import { unknownContent } from './app-content.js';
import { isCounting, refreshCounting, showCounting, startCounting, takeCount } from './app-counting.js';
import { knowDestinations, refreshWaiting, showWaiting, startDeliveries, takeWaiting } from './app-deliveries.js';
import { refreshDevices, retranslateDevices, showDevices, startDevices } from './app-devices.js';
import { isLatest, load, retranslate, showInstead, showLatest, startHistory, stateOf, take, takeDeliveries } from './app-history.js';
import { startInstall } from './app-install.js';
import { refreshKeyboard, showKeyboard, startKeyboard } from './app-keyboard.js';
import { refreshLookup, takeLookup } from './app-lookup.js';
import { follow, get, send, stationTime } from './app-net.js';
import { retranslatePhone, startPhone } from './app-phone.js';
import { play, soundState, startSound, switchSound } from './app-sound.js';
import { noticeFailed, noticeOfStation, speakAgain, speakScan, speakUnsaved, startSpeech } from './app-speech.js';
import { cannotSave, checkStorage, retranslateStorage, startStorage, takeSaved, takeUnsaved } from './app-storage.js';
import { startTabs } from './app-tabs.js';
import { setText } from './app-text.js';
import { startTodo } from './app-todo.js';
import { retranslateTyping, startTyping } from './app-typing.js';
import { resumeUploads, retranslateUploads, startUploads } from './app-upload.js';
import { errorWord, switchLanguage, translate, word } from './app-words.js';
import { refreshWorkplace, showWorkplace, startWorkplace } from './app-workplace.js';

const at = (id) => document.getElementById(id);

// ---- What is said above everything ---------------------------------------------------------------

let trouble = null;
/** How often the connection has changed, so that answers of an earlier one are told from those of this one. */
let connection = 0;

function showTrouble(kind) {
    trouble = kind;
    at('gone').hidden = !kind;
    if (kind) setText(at('gone'), word(kind));
    document.documentElement.dataset.connected = String(!kind);
}

/** The station does not take the page's token any more. */
function signedOut() {
    connection += 1;
    showTrouble(null);
    document.documentElement.dataset.connected = 'false';
    askToSignIn('signedOut');
}

/** A request that failed: whether the station is gone, or this page may not ask it any more. */
function failed(error) {
    if (refusesToken(error)) signedOut();
    else console.warn(error.message);
}

/** Something that the person has asked for and that failed. */
function refused(error) {
    failed(error);
    speak(errorWord(error), true);
}

let spokenTimer = null;

function showSpoken(message) {
    // What lies behind an open dialog is neither seen nor read out.
    const open = at('preferences').open ? 'preferences-spoken' : 'spoken';
    for (const id of ['preferences-spoken', 'spoken']) {
        const said = id === open ? message : '';
        at(id).textContent = said;
        at(id).classList.toggle('hidden', !said);
        at(id).classList.toggle('toast', Boolean(said));
    }
}

/** Says something that is no result, such as that nothing was read. */
function speak(message, isFailure) {
    clearTimeout(spokenTimer);
    showSpoken(message);
    if (isFailure) play('seen');
    spokenTimer = setTimeout(() => showSpoken(''), 3000);
}

function showSound() {
    const state = soundState();
    at('sound').setAttribute('aria-pressed', String(state === 'on'));
    at('sound').dataset.state = state;
    at('sound-word').textContent = word({ on: 'soundOn', off: 'soundOff', held: 'soundHeld' }[state]);
}

// ---- A page that asks ----------------------------------------------------------------------------

const open = new Map();
const ended = new Set(['answered', 'failed', 'cancelled', 'expired']);
/** How often the list of open requests was asked for, or one of them has changed. */
let turn = 0;

/** The request that is shown: one that has the camera before one that waits for it. */
function shownRequest() {
    const requests = [...open.values()];
    return requests.find((request) => request.state === 'open') || requests[0];
}

function showAsking() {
    const request = shownRequest();
    at('asking').hidden = !request;
    if (!request) return;
    const who = request.origin || word('someone');
    const said = word(request.source === 'album' ? 'askedAlbum' : 'asked', who);
    setText(at('asking-word'), said + (open.size > 1 ? ` (${open.size})` : ''));
}

function takeRequest(request) {
    turn += 1;
    if (ended.has(request.state)) open.delete(request.request);
    else open.set(request.request, request);
    showAsking();
}

/** The requests that were opened before the page was, or while it was not connected. */
async function refreshRequests() {
    let requests;
    let before;
    // What has changed while the answer was on its way is newer than the answer.
    do {
        turn += 1;
        before = turn;
        requests = (await get('/bridge/requests')).requests;
    } while (turn !== before);
    open.clear();
    for (const request of requests) open.set(request.request, request);
    showAsking();
}

async function cancelAsking() {
    const request = shownRequest();
    if (!request) return;
    const id = request.request;
    try {
        await send('/bridge/requests/' + encodeURIComponent(id), undefined, 'DELETE');
    } catch (error) {
        // One that is no more is no open one either.
        if (error.status !== 404) {
            refused(error);
            return;
        }
    }
    open.delete(id);
    showAsking();
}

// ---- The station's events ------------------------------------------------------------------------

/** How old a scan may be of which is told aloud, in milliseconds. */
const longestNews = 15000;

const heard = {
    // Sent after the commit: only now may it sound.
    scan(record) {
        takeSaved(record);
        takeStored(record);
        if (!take(record)) return;
        play(stateOf(record) === 'delivered' ? 'delivered' : 'saved');
        // What was missed while the page was away is no news to be told aloud.
        if (stationTime() - Date.parse(record.event.time) < longestNews) speakScan(record);
    },
    delivery({ id, deliveries }) {
        const state = takeDeliveries(id, deliveries);
        if (state === 'delivered' || state === 'failed') play(state);
        const failed = deliveries.filter((one) => one.state === 'dead' || one.state === 'disabled');
        if (state === 'failed' && failed.length) noticeFailed(failed[0].destination);
        takeWaiting(deliveries);
    },
    repeat(symbol) {
        showInstead('seen', symbol, isCounting() ? 'counted' : null);
        play('seen');
        speakAgain();
    },
    'not-saved'({ reason, symbols, upload }) {
        cannotSave(reason);
        // Whoever has sent it under a name keeps it, and sends it again.
        if (upload || !takeUnsaved(symbols)) return;
        showInstead('not-saved', symbols[0]);
        play('failed');
        speakUnsaved(symbols);
    },
    notice(notice) {
        const shown = noticeOfStation(notice);
        if (shown) speak(shown);
    },
    count: takeCount,
    'not-counted'() {
        speak(word('notCounted'), true);
        play('failed');
    },
    lookup(message) {
        takeLookup(message);
        showLatest();
        // The answer sounds once, not again when its picture has come.
        if (message.tone && !message.hasPicture && isLatest(message.id)) play(message.tone);
    },
    workplace: showWorkplace,
    keyboard: showKeyboard,
    request: takeRequest,
    camera(news) {
        showCamera(news);
        // Without a camera it is said what else there is.
        showLatest();
    },
    devices: showDevices,
    // What has no identifier may be left out for a page that is slow; the history has it all.
    dropped() {
        refresh();
    },
};

async function connected(isConnected, error) {
    connection += 1;
    const turn = connection;
    setConnected(isConnected);
    if (!isConnected) {
        if (error && refusesToken(error)) {
            signedOut();
            return;
        }
        showTrouble('gone');
        showPage();
        return;
    }
    checkStorage();
    resumeAll();
    // Between the page's beginning or a lost connection and now something may have happened that has no identifier.
    await refresh();
    if (turn !== connection) return;
    // Only now: some answers make room for something, and what is shown by then would move.
    signedIn();
    showTrouble(null);
}

function resumeAll() {
    resumeUploads();
    resumeCodes();
}

/** Asks the station for everything that the page shows; a part that fails is left as it was. */
async function refresh() {
    await Promise.all([
        load(false),
        refreshCamera().then(showLatest),
        refreshRequests(),
        refreshDevices(),
        refreshWaiting(),
        refreshCounting().then(knowDestinations),
        refreshWorkplace(),
        refreshLookup().then(showLatest),
        refreshApps(),
        refreshKeyboard(),
    ].map((part) => part.catch(failed)));
}

/** Codes wait for the station: they are kept, which is no failure. */
function waitingCodes(error, codes) {
    if (error) failed(error);
    if (error && error.reason === 'not_saved') checkStorage();
    const [last] = codes.slice(-1);
    if (!last) return;
    showInstead('kept', last);
    play('seen');
}

/** A gun has typed something into the page that is no code. */
function lostCode(text, error) {
    failed(error);
    const symbol = { text, format: 'unknown', content: unknownContent(text) };
    takeUnsaved([symbol]);
    showInstead('not-saved', symbol);
    play('failed');
    speakUnsaved([text]);
}

// ---- Begin ---------------------------------------------------------------------------------------

translate();
startTabs();
startTodo();
startSound(at('sound'), showSound);
startInstall();
startPhone(speak);
startCamera(speak);
startHistory(failed, refused);
startDevices(refused);
startCodes({ waits: waitingCodes });
startTyping(lostCode);
startDeliveries(refused, speak);
startCounting(refused, speak);
startWorkplace(refused);
startKeyboard(refused);
startSpeech();
startUploads({ failed, full: (error) => cannotSave(error.reason) });
startStorage(resumeAll);

let reconnect = null;
startAccess(() => {
    if (!reconnect) {
        reconnect = follow(heard, connected);
        return;
    }
    load(true).catch(failed);
    reconnect();
});

at('asking-cancel').addEventListener('click', cancelAsking);
at('sound').addEventListener('click', switchSound);
at('language').addEventListener('click', () => {
    switchLanguage();
    translate();
    showSound();
    showCamera();
    retranslateDevices();
    showWaiting();
    showCounting();
    showWorkplace();
    showKeyboard();
    retranslateTyping();
    showAsking();
    showTrouble(trouble);
    retranslate();
    retranslateUploads();
    retranslateCodes();
    retranslateStorage();
    retranslateAccess();
    retranslatePhone();
});
