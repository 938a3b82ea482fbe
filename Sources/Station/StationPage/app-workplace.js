// Who reads codes, and where: by a badge and the code of a place, or by hand.

import { get, send } from './app-net.js';
import { time, word } from './app-words.js';

const at = (id) => document.getElementById(id);

/** Timers of more than 24 days, as where this device's clock is wrong, would end at once. In milliseconds. */
const longestWait = 86400000;

let workplace = null;
let timer = null;
let complain = () => {};

export function showWorkplace(message) {
    if (message) workplace = message;
    if (!workplace) return;
    const { operator, place, hasBadges } = workplace;
    const isExpired = operator && Date.parse(operator.expiresAt) <= Date.now();
    const who = isExpired ? null : operator;
    at('bar-place').textContent = place ? ' · ' + place : word('station');
    at('workplace-box').hidden = !hasBadges && !place;
    at('workplace-who').hidden = !hasBadges;
    at('workplace-operator').textContent = who ? who.label : word('nobody');
    at('workplace-operator').title = who ? word('signedInUntil', time(who.expiresAt)) : '';
    at('workplace-out').hidden = !who;
    at('workplace-name-form').hidden = !who || who.hasName;
    at('workplace-place').textContent = place || word('noPlace');
    clearTimeout(timer);
    // Whoever reads stays signed in, which the station knows: it is asked when the time is over.
    const left = who && Math.min(longestWait, Date.parse(who.expiresAt) - Date.now() + 500);
    if (who) timer = setTimeout(() => refreshWorkplace().catch(() => {}), left);
}

export async function refreshWorkplace() {
    showWorkplace(await get('/workplace'));
}

function change(message) {
    send('/workplace', message).then(showWorkplace).catch(complain);
}

export function startWorkplace(refused) {
    complain = refused;
    at('workplace-out').addEventListener('click', () => change({ signOut: true }));
    at('workplace-name-form').addEventListener('submit', (event) => {
        event.preventDefault();
        const name = at('workplace-name').value.trim();
        if (!name) return;
        change({ name });
        at('workplace-name').value = '';
    });
    at('workplace-change').addEventListener('click', () => {
        const form = at('workplace-place-form');
        form.hidden = !form.hidden;
        at('workplace-change').setAttribute('aria-expanded', String(!form.hidden));
        if (form.hidden) return;
        at('workplace-place-name').value = (workplace && workplace.place) || '';
        at('workplace-place-name').focus();
    });
    at('workplace-place-form').addEventListener('submit', (event) => {
        event.preventDefault();
        // Nothing is the place of the configuration.
        change({ place: at('workplace-place-name').value.trim() || null });
        at('workplace-place-form').hidden = true;
        at('workplace-change').setAttribute('aria-expanded', 'false');
        at('workplace-change').focus();
    });
}
