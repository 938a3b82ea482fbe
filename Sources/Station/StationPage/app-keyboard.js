// Whether codes are typed into the window that has the focus, which this page must not be.

import { eventsName, get, pageName, request, send } from './app-net.js';
import { word } from './app-words.js';

const at = (id) => document.getElementById(id);

/** How often a page that has the focus says so again, in milliseconds; the station forgets it after thirty seconds. */
const again = 10000;

let keyboard = null;
let complain = () => {};

export function showKeyboard(message) {
    if (message) keyboard = message;
    if (!keyboard) return;
    const { keyboards, armed, focused, typed, held } = keyboard;
    at('keyboard-box').hidden = !keyboards;
    at('keyboard-armed').checked = armed;
    const state = word(!armed ? 'keyboardOff' : focused ? 'keyboardHere' : 'keyboardOn');
    // Said aloud when it changes alone.
    if (at('keyboard-state').textContent !== state) at('keyboard-state').textContent = state;
    at('keyboard-counts').textContent = [
        typed && word('keyboardTyped', typed), held.disarmed && word('keyboardHeldOff', held.disarmed),
        held.focused && word('keyboardHeldHere', held.focused),
    ].filter(Boolean).join(' · ');
}

export async function refreshKeyboard() {
    showKeyboard(await get('/keyboard'));
    tellFocus();
}

let told = Promise.resolve();

/** Says whether this page has the focus: one after the other, so that the last that arrives is the last that holds. */
function tellFocus() {
    if (!keyboard || !keyboard.keyboards) return;
    told = told.then(async () => {
        const focused = document.visibilityState === 'visible' && document.hasFocus();
        try {
            showKeyboard(await send('/keyboard/focus', { page: pageName, events: eventsName, focused }));
        } catch (error) {
            // What it said before holds for a few seconds; it says so again once there is a connection.
            console.warn(error.message);
        }
    });
}

/** Says that the page is going, without waiting for an answer. */
function tellEnd() {
    if (!keyboard || !keyboard.keyboards) return;
    request('/keyboard/focus', {
        method: 'POST', keepalive: true, headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ page: pageName, focused: false }),
    }).catch(() => {});
}

export function startKeyboard(refused) {
    complain = refused;
    at('keyboard-armed').addEventListener('change', () => {
        send('/keyboard', { armed: at('keyboard-armed').checked }).then(showKeyboard).catch((error) => {
            showKeyboard();
            complain(error);
        });
    });
    addEventListener('focus', tellFocus);
    addEventListener('blur', tellFocus);
    addEventListener('pagehide', tellEnd);
    addEventListener('pageshow', tellFocus);
    document.addEventListener('visibilitychange', tellFocus);
    setInterval(() => { if (document.hasFocus()) tellFocus(); }, again);
}
