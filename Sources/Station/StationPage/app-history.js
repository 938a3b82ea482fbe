// What has been read: the latest code, large, and the history.

import { formatWord, personalKind, showContent, shownSymbol, shownText } from './app-content.js';
import { showRows } from './app-lists.js';
import { showLookup } from './app-lookup.js';
import { get, saveFile, send } from './app-net.js';
import { nameStation, printTable, startPrint } from './app-print.js';
import { addRow, allRows, hasRow, redrawRows, rowCount, rowOf, setRows, setWhole, startRows } from './app-rows.js';
import { copy, details, element, scrollByKeyboard, setText, show, spoken } from './app-text.js';
import { shortTime, sourceWord, time, word } from './app-words.js';

const at = (id) => document.getElementById(id);
/** How many records are asked for at first, and at a time while somebody scrolls. */
const page = 50;
const longPage = 500;
const mostPrinted = 5000;
/** How many records that the filters leave out are kept: their deliveries may change so that they are listed. */
const mostUnlisted = 500;
const longestCell = 120;
/** The confidence below which it is shown. */
const sureConfidence = 0.99;

/** Records by the identifier of their event. */
const records = new Map();
/** When the station last told the state of an event by itself; what was asked for before is older news. */
const told = new Map();
/** The identifiers of the records that have no row, in the order in which they came. */
const unlisted = new Set();
const formats = new Set();
let latest = null;
/** What the latest result is shown as: its own state, or that something was seen again or not saved. */
let override = null;
let next = null;
let loading = 0;
/** Indicates whether the next answer replaces all rows: an earlier one that was to do so failed or was overtaken. */
let isStale = false;
/** The number of times that all rows were replaced. */
let generation = 0;
/** The generation of which older rows are being fetched; null if none are. */
let fetching = null;
let complain = () => {};

/** What a destination was set not to take, such as a keyboard that is switched off: it is done, and has a reason. */
const isLeftOut = (delivery) => delivery.state === 'delivered' && delivery.lastError;

/** One word for all the destinations: saved, delivered, retrying or failed. */
export function stateOf(record) {
    const deliveries = record.deliveries || [];
    const states = deliveries.map((delivery) => delivery.state);
    if (states.some((state) => state === 'dead' || state === 'disabled')) return 'failed';
    if (states.every((state) => state === 'delivered')) return deliveries.every(isLeftOut) ? 'saved' : 'delivered';
    if (deliveries.some((delivery) => delivery.state === 'pending' && delivery.lastError)) return 'retrying';
    return 'saved';
}

function source(event) {
    const name = event.source.name;
    return sourceWord(event.source.kind) + (name && event.source.kind !== 'camera' ? ' · ' + name : '');
}

// ---- The latest code -----------------------------------------------------------------------------

function showDeliveries(record) {
    showRows(at('latest-deliveries'), (record.deliveries || []).map((delivery) => {
        const name = element('b', { textContent: delivery.destination });
        const state = isLeftOut(delivery) ? 'skipped' : delivery.state;
        const failure = word(state === 'skipped' ? 'skippedBecause' : 'deliveryFailed');
        const when = delivery.state === 'pending' && delivery.attempts && delivery.nextAttempt
            ? `${word('attempts', delivery.attempts)}, ${word('next')} ${time(delivery.nextAttempt)}` : '';
        const item = element('li', {}, name, element('span', { className: 'badge', textContent: word(state) || state }));
        // On the line of its destination: a delivery that fails later must not move what is below.
        if (delivery.lastError) item.append(details(failure, delivery.lastError, when));
        else if (when) item.append(element('small', { textContent: when }));
        item.dataset.state = state;
        item.key = record.event.id + ' ' + delivery.destination;
        return item;
    }));
}

/** The event of the code in the card; for a code that is seen again, that of the latest code if both are the same. */
function shownEvent() {
    if (!latest || !override) return latest && latest.event.id;
    return override.state === 'seen' && override.symbol.text === latest.event.symbol.text ? latest.event.id : null;
}

/** Indicates whether an event is that of the code in the card. */
export const isLatest = (id) => shownEvent() === id;

export function showLatest() {
    const card = at('latest');
    const record = latest;
    const state = override ? override.state : record ? stateOf(record) : 'none';
    card.dataset.state = state;
    showLookup(shownEvent());
    const states = { seen: 'seen', 'not-saved': 'notSaved', kept: 'keptState' };
    setText(at('latest-state'), state === 'none' ? '' : word(states[state] || state));
    if (override) {
        const { symbol, note } = override;
        const shown = shownSymbol(symbol);
        show(at('latest-content'), shown);
        at('latest-content').dataset.length = '';
        const facts = [formatWord(symbol.format || 'unknown', symbol.identifier), note && word(note)];
        setText(at('latest-facts'), facts.filter(Boolean).join(' · '));
        showContent(null);
        at('latest-deliveries').replaceChildren(
            ...(override.state === 'not-saved' ? [element('li', { textContent: word('notSavedHint') })] : []));
        // It is there to be copied, though it makes no event.
        at('latest-tools').hidden = override.state === 'not-saved';
        at('latest-retry').hidden = true;
        at('latest-copy').hidden = false;
        name(at('latest-copy'), 'copy', shown);
        return;
    }
    at('latest-tools').hidden = !record;
    if (!record) {
        setText(at('latest-content'), word(at('stage').dataset.status === 'none' ? 'firstHintNoCamera' : 'firstHint'));
        showContent(null);
        setText(at('latest-facts'), '');
        at('latest-deliveries').replaceChildren();
        return;
    }
    const { event } = record;
    const text = shownText(event);
    show(at('latest-content'), text);
    showContent(event, showLatest);
    const { length } = text;
    at('latest-content').dataset.length = length > 60 ? 'long' : length > 22 ? 'middle' : '';
    const addOn = event.symbol.addOn ? ['+ ' + event.symbol.addOn] : [];
    const composite = event.symbol.composite ? ['| ' + event.symbol.composite.format] : [];
    const { confidence } = event.symbol;
    const doubt = confidence < sureConfidence ? [word('confidence', Math.round(100 * confidence))] : [];
    const facts = [formatWord(event.symbol.format, event.symbol.identifier), appendWord(event.symbol), ...addOn, ...composite, ...doubt, time(event.time), source(event), event.operator, event.place].filter(Boolean);
    setText(at('latest-facts'), facts.join(' · '));
    at('latest-retry').hidden = state !== 'failed' && state !== 'retrying';
    name(at('latest-copy'), 'copy', text);
    at('latest-copy').hidden = Boolean(latest.event.symbol.withheld);
    name(at('latest-retry'), 'retry', text);
    showDeliveries(record);
}

/** Shows a code that is in the history already, or could not be saved; `note` is a key of the page's words. */
export function showInstead(state, symbol, note = null) {
    override = { state, symbol, note };
    showLatest();
}

/** Which part of a message over several symbols it is and which are missing, or that it is the whole message. */
function appendWord({ structuredAppend: part, joined }) {
    if (joined) return word('joined', joined);
    if (!part) return '';
    const missing = (part.missing || []).map((index) => index + 1).join(', ');
    return word('part', part.index + 1, part.count) + (missing && ', ' + word('missing', missing));
}

async function retry(id, button) {
    button.disabled = true;
    const asked = performance.now();
    try {
        take(await send('/scans/' + encodeURIComponent(id) + '/replay'), asked);
    } catch (error) {
        complain(error);
    } finally {
        button.disabled = false;
    }
}

/** What a button says, and of which code: one who hears the page hears many of them. */
function name(button, key, text) {
    button.textContent = word(key);
    button.setAttribute('aria-label', word(key) + ': ' + spoken(text));
}

async function copyFrom(button, text, shown = text) {
    if (!(await copy(text))) return;
    name(button, 'copied', shown);
    at('spoken').textContent = word('copied');
    setTimeout(() => {
        // Unless it is another code's button by now.
        if (button.textContent === word('copied')) name(button, 'copy', shown);
    }, 1500);
}

// ---- The history ---------------------------------------------------------------------------------

function filters() {
    const chosen = new URLSearchParams();
    if (at('search').value) chosen.set('q', at('search').value);
    if (at('filter-format').value) chosen.set('format', at('filter-format').value);
    if (at('filter-state').value) chosen.set('state', at('filter-state').value);
    for (const name of ['operator', 'place']) {
        if (at('filter-' + name).value) chosen.set(name, at('filter-' + name).value);
    }
    // Days as the person's clock has them; the last one is part of it.
    const day = (value, days) => {
        const [year, month, date] = value.split('-').map(Number);
        return new Date(year, month - 1, date + days).toISOString();
    };
    if (at('filter-from').value) chosen.set('since', day(at('filter-from').value, 0));
    if (at('filter-to').value) chosen.set('until', day(at('filter-to').value, 1));
    return chosen;
}

function fits(record) {
    const chosen = filters();
    const { event } = record;
    const { symbol } = event;
    const isPart = (part) => !personalKind(event) && symbol.text.toLowerCase().includes(part.toLowerCase());
    return (!chosen.has('q') || isPart(chosen.get('q')))
        && ['operator', 'place'].every((name) => !chosen.has(name) || event[name] === chosen.get(name))
        && (!chosen.has('since') || event.time >= chosen.get('since'))
        && (!chosen.has('until') || event.time < chosen.get('until'))
        && (!chosen.has('format') || symbol.format === chosen.get('format'))
        && (!chosen.has('state') || (record.deliveries || []).some((one) => one.state === chosen.get('state')));
}

function badgeOf(record) {
    const state = stateOf(record);
    const badge = element('span', { className: 'badge', textContent: word(state) });
    badge.dataset.state = state;
    const reasons = (record.deliveries || []).filter((one) => one.lastError && one.state !== 'delivered');
    badge.title = reasons.map((one) => one.destination + ': ' + word('deliveryFailed')).join('\n');
    return badge;
}

/** The state has changed, and nothing else: what is selected or has the focus in the row keeps it. */
function refill(row, record) {
    const state = stateOf(record);
    row.querySelector('.state').replaceChildren(badgeOf(record));
    row.querySelector('.again').hidden = state !== 'failed' && state !== 'retrying';
}

function rowFor(id) {
    const record = records.get(id);
    const { event } = record;
    const row = element('tr', { role: 'row' });
    const cell = (className, properties, ...children) => element('td', { role: 'cell', className, ...properties }, ...children);
    const content = cell('content', { dir: 'auto' });
    const text = shownText(event);
    show(content, text, longestCell);
    if (event.symbol.addOn) content.append(' + ' + event.symbol.addOn);
    if (event.symbol.composite) {
        const component = element('span');
        show(component, event.symbol.composite.text, longestCell);
        content.append(' | ', component);
    }
    content.title = content.textContent;
    const copyButton = element('button', { type: 'button', className: 'quiet' });
    name(copyButton, 'copy', text);
    copyButton.hidden = Boolean(event.symbol.withheld);
    copyButton.addEventListener('click', () => copyFrom(copyButton, event.symbol.text, text));
    const again = element('button', { type: 'button', className: 'quiet again' });
    name(again, 'retry', text);
    again.textContent = word('retryShort');
    again.addEventListener('click', () => retry(event.id, again));
    row.dataset.id = event.id;
    const format = [formatWord(event.symbol.format, event.symbol.identifier), appendWord(event.symbol)].filter(Boolean).join(' · ');
    row.append(
        cell('time', {}, element('time', {
            dateTime: event.time, textContent: shortTime(event.time), title: time(event.time, true),
        })),
        content, cell('format', { textContent: format, title: format }),
        cell('source', { textContent: source(event), title: source(event) }),
        cell('state', {}), cell('actions', {}, again, copyButton));
    refill(row, record);
    return row;
}

function offerFormat(format) {
    if (formats.has(format)) return;
    formats.add(format);
    at('filter-format').append(element('option', { value: format, textContent: formatWord(format) }));
}

/** Who and where can be chosen among those that were seen. */
function offerContext(event) {
    for (const name of ['operator', 'place']) {
        const value = event[name];
        const list = at('filter-' + name);
        if (value && !Array.from(list.options).some((option) => option.value === value)) {
            list.append(element('option', { value, textContent: value }));
            list.hidden = false;
        }
    }
}

/** Shows a record, asked for at the time `asked`, in its place: identifiers sort by time. */
function place(record, asked) {
    const { id } = record.event;
    nameStation(record.event.station);
    offerFormat(record.event.symbol.format);
    offerContext(record.event);
    if (records.has(id) && told.get(id) > asked) record.deliveries = records.get(id).deliveries;
    records.set(id, record);
    if (latest && latest.event.id === id) latest = record;
    listRecord(record);
}

/** Gives a record a row if it has none and the filters find it, and forgets the oldest of those that they do not find. */
function listRecord(record) {
    const { id } = record.event;
    if (!hasRow(id) && fits(record)) addRow(id);
    if (rowOf(id)) refill(rowOf(id), record);
    if (hasRow(id)) unlisted.delete(id);
    else unlisted.add(id);
    if (unlisted.size > mostUnlisted) forget([unlisted.values().next().value]);
}

/** Takes a record; one that is newer than all others is the latest code. Whether it was unknown. */
export function take(record, asked = performance.now()) {
    const isNew = !records.has(record.event.id);
    place(record, asked);
    told.set(record.event.id, asked);
    if (!latest || record.event.id >= latest.event.id) {
        if (!latest || record.event.id !== latest.event.id) override = null;
        latest = record;
        showLatest();
    }
    showEmpty();
    return isNew;
}

/** New states of an event's deliveries. The state of all of them, where it has changed. */
export function takeDeliveries(id, deliveries) {
    const record = records.get(id) || (latest && latest.event.id === id ? latest : null);
    if (!record) return null;
    const before = stateOf(record);
    record.deliveries = deliveries;
    if (records.has(id)) {
        told.set(id, performance.now());
        listRecord(record);
        showEmpty();
    }
    if (latest && latest.event.id === id) {
        latest = record;
        showLatest();
    }
    return stateOf(record) === before ? null : stateOf(record);
}

function showEmpty() {
    at('empty').hidden = rowCount() > 0;
    at('empty').textContent = word(filters().size ? 'emptyFound' : 'emptyHistory');
}

/** Says from which record on the rest is still at the station; nothing if all are here. */
function setNext(id) {
    next = id;
    setWhole(!id);
}

function forget(ids) {
    for (const id of ids) {
        records.delete(id);
        told.delete(id);
        unlisted.delete(id);
    }
}

// ---- On paper ------------------------------------------------------------------------------------

/** The table of records as it is printed; personal codes are masked, as in the list. */
function tableOf(list) {
    const who = list.some(({ event }) => event.operator || event.place);
    return {
        title: word('history'), facts: [word('codes', list.length)],
        heads: [word('time'), word('content'), word('format'), word('source'), ...(who ? [word('workplace')] : []), word('stateLabel')],
        rows: list.map((record) => {
            const { event } = record;
            return [
                time(event.time, true), shownText(event), formatWord(event.symbol.format, event.symbol.identifier), source(event),
                ...(who ? [[event.operator, event.place].filter(Boolean).join(' · ')] : []), word(stateOf(record)),
            ];
        }),
    };
}

/** Prints all that the search and the filters find, also what is not shown yet, up to `mostPrinted`. */
async function printHistory() {
    const chosen = filters();
    chosen.set('limit', longPage);
    const list = [];
    let more = true;
    while (more && list.length < mostPrinted) {
        const answer = await get('/scans?' + chosen);
        list.push(...answer.scans);
        chosen.set('before', answer.next);
        more = answer.next;
    }
    printTable(tableOf(list));
}

/** Closes the filters when somebody looks elsewhere. */
function startFilters() {
    const box = at('filter-more');
    addEventListener('pointerdown', (event) => { if (!box.contains(event.target)) box.open = false; });
    box.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape') return;
        box.open = false;
        box.querySelector('summary').focus();
    });
}

/** Fetches the newest records; keeps the rows that are shown unless `isFresh` is set. */
export async function load(isFresh) {
    isStale ||= isFresh;
    loading += 1;
    const turn = loading;
    const chosen = filters();
    at('filter-count').textContent = [...chosen.keys()].filter((key) => key !== 'q').length || '';
    at('csv').dataset.path = '/scans.csv' + (chosen.size ? '?' + chosen : '');
    chosen.set('limit', page);
    const asked = performance.now();
    const answer = await get('/scans?' + chosen);
    // A later search has overtaken this one.
    if (turn !== loading) return;
    const isReplaced = isStale;
    if (isReplaced) {
        isStale = false;
        generation += 1;
        // What came while the answer was on its way stays.
        const later = [...records.values()].filter(({ event: { id } }) => told.get(id) > asked).filter(fits);
        const kept = new Set(later.map(({ event }) => event.id));
        forget([...records.keys()].filter((id) => !kept.has(id)));
        setRows([]);
        for (const { event } of later) addRow(event.id);
    }
    // Even if it stays the same, this draws the rows, and older ones are fetched if that failed before.
    setNext(isReplaced || !next ? answer.next : next);
    for (const record of answer.scans) place(record, asked);
    if (!filters().size && answer.scans.length) {
        const newest = answer.scans[0];
        if (!latest || newest.event.id > latest.event.id) latest = newest;
    }
    showLatest();
    showEmpty();
}

/** Fetches what is older than all that is shown, as the last rows come into view. */
async function loadMore() {
    if (fetching === generation || !next) return;
    const own = generation;
    fetching = own;
    const chosen = filters();
    chosen.set('limit', longPage);
    chosen.set('before', next);
    const asked = performance.now();
    try {
        const answer = await get('/scans?' + chosen);
        // All rows have been replaced in the meantime.
        if (own !== generation) return;
        for (const record of answer.scans) place(record, asked);
        setNext(answer.next);
    } finally {
        if (fetching === own) fetching = null;
    }
}

/** Everything that holds words is written anew. */
export function retranslate() {
    redrawRows();
    showLatest();
    showEmpty();
}

/** `failed` hears what the page does by itself and could not, `refused` what the person has asked for. */
export function startHistory(failed, refused) {
    complain = refused;
    let timer = null;
    startFilters();
    const reload = () => load(true).catch(failed);
    scrollByKeyboard(at('latest-content'));
    scrollByKeyboard(at('rows'));
    startRows({
        rowFor, more: () => loadMore().catch(failed),
        removed(ids, last) {
            forget(ids);
            next = last;
        },
    });
    at('filters').addEventListener('submit', (event) => {
        event.preventDefault();
        reload();
    });
    at('search').addEventListener('input', () => {
        clearTimeout(timer);
        timer = setTimeout(reload, 200);
    });
    for (const name of ['format', 'state', 'operator', 'place', 'from', 'to']) {
        at('filter-' + name).addEventListener('change', reload);
    }
    at('csv').addEventListener('click', () => saveFile(at('csv').dataset.path, 'scans.csv').catch(refused));
    at('print').addEventListener('click', () => printHistory().catch(refused));
    startPrint(() => tableOf(allRows().map((id) => records.get(id))));
    at('latest-copy').addEventListener('click', () => copyFrom(at('latest-copy'),
        override ? override.symbol.text : latest.event.symbol.text,
        override ? shownSymbol(override.symbol) : shownText(latest.event)));
    at('latest-retry').addEventListener('click', () => retry(latest.event.id, at('latest-retry')));
}
