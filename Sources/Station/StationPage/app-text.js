// How contents are shown. They are data: only ever text nodes, never HTML.

export function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

/** A technical reason, in the station's own English, for an administrator: it unfolds below `title`, after a note. */
export function details(title, reason, note = '') {
    return element('details', { className: 'reason' }, element('summary', { textContent: title }),
        ...(note ? [element('p', { textContent: note })] : []), element('p', { textContent: reason, lang: 'en' }));
}

const longestName = 60;

// What is no letter on the screen: controls, separators that break lines, marks that change the direction or have no
// width, halves of a pair, and what no character is.
const unseen = new RegExp([
    '[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e]',
    '[\\u200b-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\uffff]', '\\udb40[\\udc00-\\udfff]',
    '[\\ud800-\\udbff](?![\\udc00-\\udfff])', '(?<![\\ud800-\\udbff])[\\udc00-\\udfff]',
].join('|'), 'g');

// ASCII's own names: fonts rarely have Unicode's pictures of them.
const names = [
    'NUL', 'SOH', 'STX', 'ETX', 'EOT', 'ENQ', 'ACK', 'BEL', 'BS', 'TAB', 'LF', 'VT', 'FF', 'CR', 'SO', 'SI', 'DLE',
    'DC1', 'DC2', 'DC3', 'DC4', 'NAK', 'SYN', 'ETB', 'CAN', 'EM', 'SUB', 'ESC', 'FS', 'GS', 'RS', 'US',
];

function nameOf(character) {
    const code = character.codePointAt(0);
    return names[code] || (code === 0x7f ? 'DEL' : 'U+' + code.toString(16).toUpperCase().padStart(4, '0'));
}

/** Changes the text of `target` if it is another one: a screen reader reads out a live region that is written again. */
export function setText(target, text) {
    if (target.textContent !== text) target.textContent = text;
}

/** Fills `target` with `content`, in which what cannot be seen is shown by its name; leaves it if it shows that already. */
export function show(target, content, longest = Infinity) {
    // Not in the midst of a pair.
    const shown = content.length > longest ? content.slice(0, longest).replace(/[\ud800-\udbff]$/, '') : content;
    const parts = [];
    let end = 0;
    for (const match of shown.matchAll(unseen)) {
        if (match.index > end) parts.push(shown.slice(end, match.index));
        parts.push(element('span', { className: 'sign', textContent: nameOf(match[0]) }));
        end = match.index + match[0].length;
    }
    parts.push(shown.slice(end));
    if (shown.length < content.length) parts.push('…');
    const made = target.cloneNode(false);
    made.append(...parts);
    if (!target.isEqualNode(made)) target.replaceChildren(...parts);
}

/** Whoever has no mouse scrolls a box by its focus; one that shows all it holds needs none. */
export function scrollByKeyboard(box) {
    const look = () => {
        if (box.scrollHeight > box.clientHeight) box.tabIndex = 0;
        else box.removeAttribute('tabindex');
    };
    new ResizeObserver(look).observe(box);
    new MutationObserver(look).observe(box, { childList: true, subtree: true, characterData: true });
}

/** `content` in a line, for the name of a button. */
export function spoken(content) {
    const made = element('span');
    show(made, content, longestName);
    return made.textContent;
}

/** Copies exactly `content`, not what is shown. Whether that went well. */
export async function copy(content) {
    try {
        await navigator.clipboard.writeText(content);
        return true;
    } catch (error) {
        // Without https, elsewhere than on loopback, there is no clipboard but by a selection.
        const field = element('textarea', { value: content, className: 'hidden' });
        document.body.append(field);
        field.select();
        const isDone = document.execCommand('copy');
        field.remove();
        return isDone;
    }
}
