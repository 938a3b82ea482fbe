// The stage: labels beside the codes, the camera's controls at hand, a still that is read again, and no camera.

import { request, unwrap } from './app-net.js';
import { openTab } from './app-tabs.js';
import { errorWord, word } from './app-words.js';

const at = (id) => document.getElementById(id);

// What somebody at a counter reaches for, in this order. Names of lamps differ by driver.
const quick = [
    /^zoom_absolute$/, /^focus_(automatic_continuous|auto)$/, /^focus_absolute$/, /^(auto_exposure|exposure_auto)$/,
    /^exposure(_time)?_absolute$/, /torch|flash_led_mode|^led\d*_mode$|illuminat/,
];

// ---- Labels --------------------------------------------------------------------------------------

/**
 * Where labels stand: beside their codes, over none, and not over each other; null for one that has no room.
 *
 * `boxes` are `{left, top, right, bottom}` of the codes, `sizes` `{width, height}` of their labels.
 */
export function placeLabels(boxes, sizes, frame, gap) {
    const taken = [...boxes];
    const isFree = (one) => taken.every((other) => one.right <= other.left || one.left >= other.right
        || one.bottom <= other.top || one.top >= other.bottom);
    const within = (value, size, limit) => Math.max(0, Math.min(value, limit - size));
    return boxes.map((box, index) => {
        const { width, height } = sizes[index];
        const x = within(box.left, width, frame.width);
        const y = within(box.top, height, frame.height);
        const places = [
            [x, box.bottom + gap], [x, box.top - gap - height], [box.right + gap, y], [box.left - gap - width, y],
        ];
        for (const [left, top] of places) {
            const place = { left, top, right: left + width, bottom: top + height };
            const isInside = left >= 0 && top >= 0 && place.right <= frame.width && place.bottom <= frame.height;
            if (!isInside || !isFree(place)) continue;
            taken.push(place);
            return place;
        }
        return null;
    });
}

// ---- Controls at hand ----------------------------------------------------------------------------

/** Shows the controls that the camera has of those that are often needed; `field` makes one. */
export function showQuick(controls, field) {
    const box = at('quick');
    if (box.contains(document.activeElement)) return;
    const found = quick.flatMap((name) => controls.filter((one) => name.test(one.name) && one.settable !== false));
    box.replaceChildren(...found.map((one) => field(one, 'quick-')));
    box.hidden = !found.length;
}

// ---- No camera -----------------------------------------------------------------------------------

/** Where there is no camera, pictures and typing have its place. */
export function showStatus(status) {
    at('stage').dataset.status = status;
    at('stage').closest('.card').dataset.status = status;
    const isBlind = status === 'none' || status === 'lost';
    at('blank-do').hidden = !isBlind;
    // Pictures are chosen in one place: where the camera's picture would be, or else in their tab.
    const place = at(isBlind ? 'blank-drop' : 'drop-place');
    if (at('drop').parentElement !== place) place.append(at('drop'));
    at('freeze').disabled = status !== 'running';
    if (status === 'none' || status === 'unknown') thaw();
}

// ---- A still -------------------------------------------------------------------------------------

let still = null;
let isReading = false;
let speak = () => {};

/** Whether the picture stands still: no further frames are shown. */
export function isFrozen() {
    return still !== null;
}

function showFreeze() {
    at('freeze').setAttribute('aria-pressed', String(Boolean(still)));
    at('freeze-read').hidden = !still;
    at('freeze-read').disabled = isReading;
    at('freeze-word').textContent = word(still ? 'thaw' : 'freeze');
    at('freeze-read').textContent = word(isReading ? 'stillReading' : 'stillRead');
    at('stage').classList.toggle('frozen', Boolean(still));
}

export function retranslateStage() {
    showFreeze();
}

function thaw() {
    if (!still) return;
    still = null;
    showFreeze();
}

async function freeze() {
    if (still) {
        thaw();
        return;
    }
    try {
        const response = await request('/frame.jpg?size=full');
        if (!response.ok) unwrap(response.status, await response.json().catch(() => null));
        const blob = await response.blob();
        const picture = await createImageBitmap(blob);
        at('picture').getContext('2d').drawImage(picture, 0, 0, at('picture').width, at('picture').height);
        picture.close();
        still = blob;
        at('outlines').replaceChildren();
    } catch (error) {
        speak(errorWord(error), true);
    }
    showFreeze();
}

/** Reads the still with all that the decoder can do. */
async function readStill() {
    if (!still || isReading) return;
    isReading = true;
    showFreeze();
    try {
        const response = await request('/scan?effort=thorough&name=still.jpg', {
            method: 'POST', body: still, headers: { 'Content-Type': 'image/jpeg' }, signal: AbortSignal.timeout(120000),
        });
        const data = unwrap(response.status, await response.json().catch(() => null));
        const codes = data.pictures.flatMap((picture) => picture.symbols || []);
        // What was read comes as an event, like any other code.
        speak(codes.length ? word('codes', codes.length) : word('stillNothing'), !codes.length);
        if (codes.length) thaw();
    } catch (error) {
        speak(errorWord(error), true);
    } finally {
        isReading = false;
        showFreeze();
    }
}

export function startStage(spoken) {
    speak = spoken;
    at('freeze').addEventListener('click', freeze);
    at('freeze-read').addEventListener('click', readStill);
    at('blank-type').addEventListener('click', () => {
        openTab('type');
        at('typing-text').focus();
    });
    showFreeze();
}

/** The place of a code in a frame. */
export function boxOf(corners) {
    const [xs, ys] = [corners.map((corner) => corner[0]), corners.map((corner) => corner[1])];
    return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

