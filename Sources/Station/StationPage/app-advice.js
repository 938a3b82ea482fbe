// Advice to whoever holds a code that the camera sees but does not read.

import { word } from './app-words.js';

const reasons = new Set(['small', 'blurred', 'glare', 'damaged']);

/** Says what helps against a reason, by the station's word for it; nothing for none. */
export function advise(reason) {
    const line = document.getElementById('advice');
    const said = reasons.has(reason) ? word('advice_' + reason) : '';
    if (line.textContent !== said) line.textContent = said;
}
