// What is left to do: codes that the station could not save, codes that were typed and wait for it, and destinations
// that have something that was not delivered.

import { showRows } from './app-lists.js';
import { countOnTab } from './app-tabs.js';

const at = (id) => document.getElementById(id);

/** By where they come from: the rows, and what saves those of them that a person may save. */
const parts = new Map();
let waiting = 0;

function show() {
    const all = [...parts.values()];
    const items = all.flatMap((part) => part.items);
    at('unsaved-box').hidden = !items.length;
    showRows(at('unsaved'), items);
    at('unsaved-hint').hidden = !parts.get('read')?.items.length;
    at('unsaved-save').hidden = !all.some((part) => part.save);
    at('todo-nothing').hidden = items.length + waiting > 0;
    countOnTab('todo', items.length + waiting, all.some((part) => part.save));
}

/**
 * Lists the rows of `part`, which are told apart by their property `key`, in place of its former ones; `save` saves all of
 * them, null if none may be saved.
 */
export function listUnsaved(part, items, save) {
    parts.set(part, { items, save });
    show();
}

/** How many destinations have something that was not delivered. */
export function countUndelivered(count) {
    waiting = count;
    show();
}

export function startTodo() {
    at('unsaved-save').addEventListener('click', () => {
        for (const { save } of [...parts.values()]) if (save) save();
        at('tab-todo').focus();
    });
}
