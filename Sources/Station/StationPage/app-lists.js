// Lists that change while somebody uses them.

const controls = 'a, button, input, select, summary';

/** Unfolds in a new row what is unfolded in the one that it replaces. */
function unfoldAs(row, old) {
    const before = old.querySelectorAll('details');
    for (const [index, one] of row.querySelectorAll('details').entries()) if (before[index]?.open) one.open = true;
}

const nameOf = (control) => control.getAttribute('aria-label') || control.textContent;

/** Gives the focus to the control of a row that is the one of its former row by name, or else by position. */
function focusAs(row, old, control) {
    const [after, before] = [row, old].map((one) => [...one.querySelectorAll(controls)]);
    const same = after.find((one) => nameOf(one) === nameOf(control))
        || (after.length === before.length && after[before.indexOf(control)]);
    if (same) same.focus({ preventScroll: true });
}

/**
 * Shows `rows` in a list, in place of those that it has.
 *
 * A row that looks as before stays the same element, so that it keeps the focus and the list its scroll position. Rows are
 * told apart by their property `key`, or without one by their position: a button must not act on what another row is
 * about. A row that has changed takes over what is unfolded in it, and the focus.
 */
export function showRows(list, rows) {
    const keyOf = (row, index) => row.key ?? index;
    const before = new Map([...list.children].map((row, index) => [keyOf(row, index), row]));
    const focused = document.activeElement;
    let heir = null;
    const after = rows.map((row, index) => {
        const old = before.get(keyOf(row, index));
        if (!old || old === row) return row;
        before.delete(keyOf(row, index));
        unfoldAs(row, old);
        if (old.isEqualNode(row)) return old;
        if (old.contains(focused)) heir = { row, old };
        return row;
    });
    for (const old of [...list.children]) if (!after.includes(old)) old.remove();
    // Rows that stay are not moved: an element that is put somewhere else loses the focus.
    let next = list.firstElementChild;
    for (const row of after) {
        if (row === next) next = next.nextElementSibling;
        else list.insertBefore(row, next);
    }
    if (heir) focusAs(heir.row, heir.old, focused);
}
