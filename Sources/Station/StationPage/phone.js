// The page of a phone that was brought here: its camera, a picture that it takes, and what it has sent itself.

import { hasCameras, openCamera, sendFrames } from './app-frames.js';
import { formatWord } from './app-content.js';
import { ofTab } from './app-memory.js';
import { randomName, unwrap } from './app-net.js';
import { element, setText, show } from './app-text.js';
import { errorWord, switchLanguage, time, translate, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const key = 'quietzone.phone';
const mostCodes = 20;
const longestText = 200;
/** How long an answer may take, in milliseconds: the station takes 50 s at the most. */
const longestAnswer = 120000;

/** The token leaves the address, and so the history, at once; the tab forgets it when it is closed. */
function takeToken() {
    const offered = new URLSearchParams(location.hash.slice(1)).get('token');
    if (!offered) return;
    ofTab.write(key, offered);
    history.replaceState(null, '', location.pathname);
}

takeToken();

let stream = null;
/** Indicates whether the browser is opening the camera; it may be asking the person for permission. */
let isOpening = false;
let problem = null;
/** The pictures that the station has not taken, each with the name by which it stores it once. */
let unsent = [];
let hasEnded = !ofTab.read(key);

function send(path, init) {
    const headers = { ...init.headers, Authorization: 'Bearer ' + ofTab.read(key) };
    const signal = AbortSignal.timeout(longestAnswer);
    return fetch(path, { cache: 'no-store', credentials: 'omit', signal, ...init, headers });
}

function render() {
    setText(at('phone-problem'), hasEnded ? word('phoneEnded') : problem || '');
    setText(at('phone-word'), stream ? word('phoneReady') : '');
    at('phone-use').hidden = hasEnded || !hasCameras();
    at('phone-picture').hidden = hasEnded;
    at('phone-again').hidden = hasEnded || !unsent.length;
    at('phone-use').textContent = word(stream ? 'phoneStop' : 'phoneUse');
    at('phone-use').setAttribute('aria-pressed', String(Boolean(stream)));
    at('phone-video').hidden = !stream;
}

function stop() {
    if (stream) for (const track of stream.getTracks()) track.stop();
    stream = null;
    at('phone-video').srcObject = null;
    render();
}

/** What became of the last request; null where it went well. */
function failed(error) {
    problem = error ? errorWord(error) : '';
    if (error && error.status === 401) {
        hasEnded = true;
        ofTab.remove(key);
        stop();
    }
    render();
}

function stored(symbols) {
    for (const symbol of symbols) {
        const content = element('b', { dir: 'auto' });
        show(content, symbol.rawValue, longestText);
        const facts = [formatWord(symbol.format, symbol.symbologyIdentifier), time(Date.now())].join(' · ');
        at('phone-codes').prepend(element('li', {}, content, element('br'), element('small', { textContent: facts })));
    }
    while (at('phone-codes').children.length > mostCodes) at('phone-codes').lastElementChild.remove();
    if (symbols.length && navigator.vibrate) navigator.vibrate(60);
}

async function use() {
    if (stream) {
        stop();
        return;
    }
    if (isOpening) return;
    isOpening = true;
    try {
        stream = await openCamera();
    } catch (error) {
        problem = word(error.name === 'NotAllowedError' ? 'phoneRefused' : 'phoneNone');
        render();
        return;
    } finally {
        isOpening = false;
    }
    const own = stream;
    stream.getVideoTracks()[0].addEventListener('ended', stop);
    at('phone-video').srcObject = stream;
    at('phone-video').play().catch(() => {});
    problem = '';
    render();
    sendFrames(at('phone-video'), { isOn: () => stream === own, send, stored, failed });
}

async function sendPicture(picture) {
    const { file, name } = picture;
    unsent = unsent.filter((one) => one !== picture);
    render();
    try {
        const headers = { 'Content-Type': file.type || 'image/jpeg', 'Idempotency-Key': name };
        const response = await send('/scan?name=phone.jpg', { method: 'POST', body: file, headers });
        const { pictures } = unwrap(response.status, await response.json().catch(() => null));
        const symbols = pictures.flatMap((one) => one.symbols);
        stored(symbols);
        failed(null);
        if (!symbols.length) problem = word('stillNothing');
        render();
    } catch (error) {
        // What the station says is no picture is none the next time either.
        if (error.status !== 422) unsent.push(picture);
        failed(error);
    }
}

function choosePicture() {
    const [file] = at('phone-file').files;
    if (file) sendPicture({ file, name: randomName() });
    at('phone-file').value = '';
}

at('phone-use').addEventListener('click', use);
at('phone-file').addEventListener('change', choosePicture);
at('phone-again').addEventListener('click', async () => {
    for (const picture of [...unsent]) await sendPicture(picture);
});
at('language').addEventListener('click', () => {
    switchLanguage();
    translate();
    render();
});
addEventListener('hashchange', () => {
    takeToken();
    hasEnded = !ofTab.read(key);
    problem = '';
    render();
});
translate();
render();
