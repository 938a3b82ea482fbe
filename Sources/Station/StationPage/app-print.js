// The history and the count on paper: a table with a heading, the place and the time, and the numbers of its pages.

import { element, show } from './app-text.js';
import { time, word } from './app-words.js';

const at = (id) => document.getElementById(id);

/** What Ctrl+P prints: the rows that the page has. */
let rowsHere = () => ({});

let stationName = '';

/** Takes the station's name from an event. */
export function nameStation(name) {
    stationName = name;
}

/** Lays out `{title, facts, heads, rows}`; the cells of `rows` are texts. */
function layOut({ title, facts, heads, rows }) {
    // The station's own name where no place was scanned.
    const place = at('workplace-box').hidden ? stationName : at('workplace-place').textContent;
    const said = [place && `${word('place')}: ${place}`, `${word('printedAt')} ${time(Date.now(), true)}`, ...facts];
    const cells = (row) => row.map((text) => {
        const cell = element('td');
        show(cell, String(text));
        return cell;
    });
    at('paper').replaceChildren(
        element('h1', { textContent: title }),
        element('p', { textContent: said.filter(Boolean).join(' · ') }),
        element('table', {}, element('thead', {}, element('tr', {}, ...heads.map((textContent) => element('th', { textContent })))),
            element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells(row))))));
}

/** Prints a table, and nothing else of the page. */
export function printTable(table) {
    layOut(table);
    document.body.dataset.print = 'table';
    print();
    delete document.body.dataset.print;
}

/** `rows()` returns the table that is printed when nobody has pressed a button for another. */
export function startPrint(rows) {
    rowsHere = rows;
    addEventListener('beforeprint', () => { if (!document.body.dataset.print) layOut(rowsHere()); });
    addEventListener('afterprint', () => at('paper').replaceChildren());
}
