// The answer of another system of the user about the latest code. It is text, never HTML.

import { get, request } from './app-net.js';
import { scrollByKeyboard, setText, show } from './app-text.js';
import { word } from './app-words.js';

const at = (id) => document.getElementById(id);
const mostKept = 50;

/** The newest message about each event. */
const messages = new Map();

function keep(message) {
    messages.delete(message.id);
    messages.set(message.id, message);
    if (messages.size > mostKept) messages.delete(messages.keys().next().value);
}

/** The event whose picture is shown, or comes. */
let pictured = null;

/** Shows the picture of the answer about an event; removes it if there is none. */
async function showPicture(message) {
    const id = message && message.hasPicture ? message.id : null;
    if (id === pictured) return;
    pictured = id;
    const picture = at('latest-lookup-picture');
    URL.revokeObjectURL(picture.src);
    picture.hidden = true;
    if (!id) return;
    const response = await request(`/lookup/${id}/picture`).catch(() => null);
    // The station keeps the newest alone.
    if (!response || !response.ok) return;
    const file = await response.blob();
    if (id !== pictured) return;
    picture.src = URL.createObjectURL(file);
    picture.hidden = false;
}

/** Shows the answer about an event; clears the line if there is none. */
export function showLookup(id) {
    const line = at('latest-lookup');
    const message = messages.get(id);
    line.dataset.state = message ? message.state : '';
    line.dataset.tone = (message && message.tone) || '';
    line.title = (message && message.reason) || '';
    if (message && message.state === 'answered') show(line, message.text);
    else setText(line, message ? word('lookup_' + message.state) : '');
    showPicture(message);
}

export const takeLookup = keep;

/** Asks whether codes are looked up, and for the newest answer, which may be older than the page. */
export async function refreshLookup() {
    const { isConfigured, newest } = await get('/lookup');
    at('latest').dataset.looksUp = String(isConfigured);
    // A restarted station has lost the lookups that were waiting.
    for (const { id, state } of messages.values()) if (state === 'waiting') messages.delete(id);
    if (newest && !messages.has(newest.id)) keep(newest);
}

scrollByKeyboard(at('latest-lookup'));
