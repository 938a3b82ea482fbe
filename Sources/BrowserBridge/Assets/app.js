// The scanning station's page: puts the parts together and tells them what the station says.

import { askToSignIn, startAccess } from './app-access.js';
import { refreshCamera, setConnected, showCamera, startCamera } from './app-camera.js';
import { load, retranslate, showInstead, startHistory, stateOf, take, takeDeliveries } from './app-history.js';
import { follow, send } from './app-net.js';
import { play, soundIsOn, switchSound, wakeOnFirstTouch } from './app-sound.js';
import { startUploads } from './app-upload.js';
import { switchLanguage, translate, word } from './app-words.js';

const at = (id) => document.getElementById(id);

// ---- What is said above everything ---------------------------------------------------------------

let trouble = null;

function showTrouble(kind) {
    trouble = kind;
    at('gone').hidden = !kind;
    if (kind && at('gone').textContent !== word(kind)) at('gone').textContent = word(kind);
    document.documentElement.dataset.connected = String(!kind);
}

/** The station does not take the page's token any more. */
function signedOut() {
    showTrouble(null);
    document.documentElement.dataset.connected = 'false';
    askToSignIn(word('signedOut'));
}

/** A request that failed: whether the station is gone, or this page may not ask it any more. */
function failed(error) {
    if (error.status === 401) signedOut();
    else console.warn(error.message);
}

let spokenTimer = null;

/** Says something that is no result, such as that nothing was read. */
function speak(message, isFailure) {
    clearTimeout(spokenTimer);
    at('spoken').textContent = message;
    at('spoken').classList.remove('hidden');
    at('spoken').classList.add('toast');
    if (isFailure) play('seen');
    spokenTimer = setTimeout(() => {
        at('spoken').classList.add('hidden');
        at('spoken').classList.remove('toast');
        at('spoken').textContent = '';
    }, 3000);
}

function showSound() {
    at('sound').setAttribute('aria-pressed', String(soundIsOn()));
    at('sound-word').textContent = word(soundIsOn() ? 'soundOn' : 'soundOff');
}

// ---- A page that asks ----------------------------------------------------------------------------

const open = new Map();

function showAsking() {
    const [request] = open.values();
    at('asking').hidden = !request;
    if (!request) return;
    const said = word(request.source === 'album' ? 'askedAlbum' : 'asked');
    at('asking-word').textContent = said + (open.size > 1 ? ` (${open.size})` : '');
}

function takeRequest(request) {
    if (request.state === 'open') open.set(request.request, request);
    else open.delete(request.request);
    showAsking();
}

async function cancelAsking() {
    const [id] = open.keys();
    if (!id) return;
    try {
        await send('/bridge/requests/' + encodeURIComponent(id), undefined, 'DELETE');
    } catch (error) {
        failed(error);
    }
    open.delete(id);
    showAsking();
}

// ---- The station's events ------------------------------------------------------------------------

const heard = {
    // Sent after the commit: only now may it sound.
    scan(record) {
        if (take(record)) play(stateOf(record) === 'delivered' ? 'delivered' : 'saved');
    },
    delivery({ id, deliveries }) {
        const state = takeDeliveries(id, deliveries);
        if (state === 'delivered' || state === 'failed') play(state);
    },
    repeat({ format, text }) {
        showInstead('seen', text, format);
        play('seen');
    },
    'not-saved'({ error }) {
        showInstead('not-saved', error, '');
        play('failed');
    },
    request: takeRequest,
    camera: showCamera,
    // What has no identifier may be left out for a page that is slow; the history has it all.
    dropped() {
        load(false).catch(failed);
        refreshCamera().catch(failed);
    },
};

function connected(isConnected, error) {
    if (error && error.status === 401) signedOut();
    else showTrouble(isConnected ? null : 'gone');
    setConnected(isConnected);
    if (!isConnected) return;
    // Between the page's beginning or a lost connection and now something may have happened that has no identifier.
    open.clear();
    showAsking();
    load(false).catch(failed);
    refreshCamera().catch(failed);
}

// ---- Begin ---------------------------------------------------------------------------------------

translate();
showSound();
startCamera(speak);
startHistory(failed);
startUploads();
wakeOnFirstTouch();

let reconnect = null;
startAccess(word, () => {
    load(true).catch(failed);
    refreshCamera().catch(failed);
    if (reconnect) reconnect();
    else reconnect = follow(heard, connected);
});

at('asking-cancel').addEventListener('click', cancelAsking);
at('sound').addEventListener('click', () => {
    switchSound();
    showSound();
});
at('language').addEventListener('click', () => {
    switchLanguage();
    translate();
    showSound();
    showCamera();
    showAsking();
    showTrouble(trouble);
    retranslate();
});
