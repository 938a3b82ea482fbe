// Advice for a person who holds a code that the camera sees but does not read.

import { word } from './app-words.js';

const reasons = new Set(['small', 'blurred', 'glare', 'damaged']);

/** Shows what helps against a reason, which has the station's name; clears the advice if there is none. */
export function advise(reason) {
    const line = document.getElementById('advice');
    const said = reasons.has(reason) ? word('advice_' + reason) : '';
    if (line.textContent !== said) line.textContent = said;
}
