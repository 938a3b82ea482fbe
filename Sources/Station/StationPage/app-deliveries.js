// What destinations have not got, and why, in words; and everything that was given up, once more.

import { showRows } from './app-lists.js';
import { get, send } from './app-net.js';
import { details, element } from './app-text.js';
import { countUndelivered } from './app-todo.js';
import { time, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const milliseconds = 700;

/** Indicates whether the station delivers to anything. */
let isDelivering = false;
let destinations = [];
let timer = null;
let complain = () => {};

function sentences(one) {
    const said = [];
    if (one.pending) said.push(word('waitingCodes', one.pending));
    if (one.givenUp) said.push(word('givenUpCodes', one.givenUp));
    if (one.disabled) said.push(word('wantsNoMore'));
    if (one.lastError) said.push(word('lastTry', time(one.lastAttempt)));
    if (one.pausedUntil) said.push(word('pausedUntil', time(one.pausedUntil)));
    if (one.pending && one.nextAttempt && one.nextAttempt !== one.pausedUntil) {
        const isDue = Date.parse(one.nextAttempt) <= Date.now();
        said.push(word('nextTry', isDue ? word('now') : time(one.nextAttempt)));
    }
    return said;
}

/** What was just stored and is under way is no news. */
const isTold = (one) => one.givenUp > 0 || one.disabled || (one.pending > 0 && (one.lastError || one.pausedUntil));

/** Shows the worst state of the destinations in the bar. */
function showPill() {
    const isRefused = destinations.some((one) => one.givenUp || one.disabled);
    const state = isRefused ? 'refused' : destinations.some(isTold) ? 'waiting' : 'delivering';
    const words = { refused: 'deliveryRefused', waiting: 'deliveryWaiting', delivering: 'deliveryGoes' };
    at('delivery-pill').dataset.state = state;
    const said = isDelivering || state !== 'delivering' ? word(words[state]) : '';
    if (at('delivery-word').textContent !== said) at('delivery-word').textContent = said;
}

/** Takes the names of the destinations that the station delivers to. */
export function knowDestinations(names) {
    isDelivering = names.length > 0;
    showPill();
}

export function showWaiting() {
    showPill();
    const told = destinations.filter(isTold);
    at('waiting-box').hidden = !told.length;
    countUndelivered(told.length);
    showRows(at('waiting'), told.map((one) => element('li', { key: one.destination },
        element('b', { textContent: one.destination }),
        ...sentences(one).map((said) => element('p', { textContent: said })),
        ...[one.disabled, one.lastError].filter(Boolean).slice(0, 1).map((why) => details(word('reason'), why)))));
    const givenUp = told.reduce((sum, one) => sum + (one.disabled ? 0 : one.givenUp), 0);
    at('waiting-replay').hidden = !givenUp;
    at('waiting-replay').textContent = word('replayAll', givenUp);
}

export async function refreshWaiting() {
    clearTimeout(timer);
    timer = null;
    ({ destinations } = await get('/deliveries'));
    showWaiting();
}

/** The state of deliveries has changed: what is shown is asked for again, soon and once. */
export function takeWaiting(deliveries) {
    const isWell = deliveries.every((one) => one.state === 'delivered' || (one.state === 'pending' && !one.lastError));
    if (timer || (isWell && at('waiting-box').hidden)) return;
    timer = setTimeout(() => refreshWaiting().catch(() => {}), milliseconds);
}

/** `refused` hears what the person has asked for and could not be done, `say` what was. */
export function startDeliveries(refused, say) {
    complain = refused;
    at('waiting-replay').addEventListener('click', async () => {
        at('waiting-replay').disabled = true;
        try {
            say(word('replayed', (await send('/deliveries/replay')).deliveries));
            await refreshWaiting();
        } catch (error) {
            complain(error);
        } finally {
            at('waiting-replay').disabled = false;
        }
    });
}
