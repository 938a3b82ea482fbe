// The camera of this device, such as a phone, as one of the station's; and the symbol that brings a phone here.

import { hasCameras, openCamera, sendFrames } from './app-frames.js';
import { get, request, send } from './app-net.js';
import { element } from './app-text.js';
import { errorWord, time, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const phoneProblems = { loopback: 'phoneUnreachable', no_hosts: 'phoneUnnamed' };
let stream = null;
/** Indicates whether the browser is opening the camera; it may be asking the person for permission. */
let isOpening = false;
let speak = () => {};
let clock = null;
/** The word that stands beside the symbol. */
let hint = '';

function showPhone() {
    at('phone-use').setAttribute('aria-pressed', String(Boolean(stream)));
    at('phone-use-word').textContent = word(stream ? 'phoneStop' : 'phoneUse');
    at('phone-video').hidden = !stream;
}

async function follow() {
    const own = stream;
    let lastProblem = '';
    await sendFrames(at('phone-video'), {
        isOn: () => stream === own, send: request,
        failed(error) {
            const said = error ? errorWord(error) : '';
            if (said && said !== lastProblem) speak(said, true);
            lastProblem = said;
        },
    });
}

function stop() {
    if (stream) for (const track of stream.getTracks()) track.stop();
    stream = null;
    at('phone-video').srcObject = null;
    showPhone();
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
        speak(word(error.name === 'NotAllowedError' ? 'phoneRefused' : 'phoneNone'), true);
        return;
    } finally {
        isOpening = false;
    }
    stream.getVideoTracks()[0].addEventListener('ended', stop);
    at('phone-video').srcObject = stream;
    at('phone-video').play().catch(() => {});
    showPhone();
    follow();
}

/** The phones that are here or may come, each with what sends it away. */
function showPhones({ phones }) {
    at('phone-list').replaceChildren(...phones.map(({ id, expiresAt, seenAt }) => {
        const said = seenAt ? word('phoneHere', time(seenAt), time(expiresAt)) : word('phoneAway', time(expiresAt));
        const button = element('button', { type: 'button', className: 'quiet', textContent: word('phoneEnd') });
        button.setAttribute('aria-label', word('phoneEnd') + ': ' + said);
        button.addEventListener('click', async () => {
            try {
                showPhones(await send('/phones/' + id, undefined, 'DELETE'));
            } catch (error) {
                speak(errorWord(error), true);
            }
        });
        return element('li', {}, said + ' ', button);
    }));
}

async function refreshPhones() {
    // What somebody is about to press stays where it is.
    if (at('phone-list').contains(document.activeElement)) return;
    showPhones(await get('/phones'));
}

function close() {
    clearInterval(clock);
    at('phone-pairing').hidden = true;
    at('phone-pair').setAttribute('aria-expanded', 'false');
}

/** Shows the symbol that a phone reads to come here; each has a token of its own. */
async function pair() {
    if (!at('phone-pairing').hidden) {
        close();
        return;
    }
    at('phone-pair').setAttribute('aria-expanded', 'true');
    at('phone-pairing').hidden = false;
    at('phone-symbol').hidden = true;
    clock = setInterval(() => refreshPhones().catch(() => {}), 5000);
    try {
        const { link, problem, symbol, isSecure } = await send('/phones');
        hint = problem ? phoneProblems[problem] : isSecure ? 'phoneScan' : 'phoneInsecure';
        at('phone-hint').textContent = word(hint);
        if (link && symbol.length) draw(at('phone-symbol'), symbol);
        await refreshPhones();
    } catch (error) {
        at('phone-hint').textContent = errorWord(error);
    }
}

/** Draws a QR symbol with its quiet zone, dark on light in every theme. */
function draw(canvas, rows) {
    const module = 5;
    const quiet = 4;
    canvas.width = (rows.length + 2 * quiet) * module;
    canvas.height = canvas.width;
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#000';
    rows.forEach((row, y) => Array.from(row).forEach((one, x) => {
        if (one === '1') context.fillRect((x + quiet) * module, (y + quiet) * module, module, module);
    }));
    canvas.hidden = false;
}

export function retranslatePhone() {
    showPhone();
    if (at('phone-pairing').hidden || !hint) return;
    at('phone-hint').textContent = word(hint);
    refreshPhones().catch(() => {});
}

export function startPhone(spoken) {
    speak = spoken;
    at('phone-use').hidden = !hasCameras();
    at('phone-use').addEventListener('click', use);
    at('phone-pair').addEventListener('click', pair);
    showPhone();
}
