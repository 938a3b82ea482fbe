// What a message says: the fields of the latest code, and what may be done with them. Nothing is opened by itself.

import { titles } from './app-formats.js';
import { showRows } from './app-lists.js';
import { copy, element, show } from './app-text.js';
import { contentWord, fieldWord, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const mask = '••••••';
const opensAs = ['http:', 'https:'];

/** The event whose personal fields are shown, because somebody asked to see them. */
let revealed = null;

/** A symbology by the name that people know it by; the symbol's identifier tells GS1-128 from the rest of Code 128. */
export function formatWord(name, identifier) {
    if (name === 'code_128' && identifier) return identifier === ']C1' ? 'GS1-128' : 'Code 128';
    return titles[name] || (name === 'unknown' ? word('unknownFormat') : name);
}

/** Whether what a message says includes something about a person, or a secret. */
const hasPersonalField = ({ content }) => Boolean(content && content.fields.some((field) => field.personal));

/**
 * What a personal message is, also of one that is not kept: lists, which many see, say only that. Undefined if it is
 * not personal. One symbol of a message over several does not tell what the whole message says.
 */
export function personalKind(event) {
    if (event.symbol.withheld) return event.symbol.withheld;
    if (event.symbol.structuredAppend) return 'message_part';
    return hasPersonalField(event) ? event.content.kind : undefined;
}

/** What is shown in place of a message: the message, or of a personal one, or one that is not kept, what it is. */
export function shownText(event) {
    const kind = personalKind(event);
    const isRevealed = revealed === event.id && !event.symbol.withheld;
    return kind && !isRevealed ? contentWord(kind) + ' · ' + mask : event.symbol.text;
}

// What nobody but a person has looked at is shown where it is no message with fields: those may be personal.
const plain = /^(?:[\x1d\p{L}\p{N} .,+*/#()_-]{1,48}|https?:\/\/\S+)$/u;
const unclassified = 'unclassified';

/** What a code that the station has not classified may be, as its `content`: nothing where it is plain. */
export const unknownContent = (text) => (plain.test(text) ? undefined : unclassified);

/** What is shown in place of a code that is no event: the code, or of one that is personal, or may be, what it is. */
export function shownSymbol({ text, content }) {
    if (!content) return text;
    return content === unclassified ? mask : contentWord(content) + ' · ' + mask;
}

function copyButton(label, value) {
    const button = element('button', { type: 'button', className: 'quiet', textContent: word('copy') });
    button.setAttribute('aria-label', word('copy') + ': ' + label);
    button.addEventListener('click', async () => {
        if (!(await copy(value))) return;
        button.textContent = word('copied');
        at('spoken').textContent = word('copied');
    });
    return button;
}

function row(field, kind, isHidden) {
    const label = fieldWord(field, kind);
    const value = element('dd', { dir: 'auto' });
    show(value, isHidden ? mask : field.meaning || field.value);
    if (!isHidden && field.meaning) value.title = field.value;
    return [element('dt', { textContent: label }), value, element('dd', {}, isHidden ? '' : copyButton(label, field.value))];
}

/** The address of a message that is one, to be followed by whoever has read it in full; nil of all others. */
function linkOf({ kind, fields }, text) {
    if (kind !== 'url' && kind !== 'gs1_link') return null;
    try {
        const address = new URL(text);
        // A name before the host, or letters of another alphabet, are there to deceive: such a link is for copying.
        const isPlain = !address.username && !address.password && !fields.some((field) => field.name === 'note');
        return isPlain && opensAs.includes(address.protocol) ? address.href : null;
    } catch {
        return null;
    }
}

/** Shows what the message of an event says, or nothing; `again` is called when more of it may be shown. */
export function showContent(event, again) {
    const box = at('latest-meaning');
    const content = event && event.content;
    // The number of an article alone says nothing but itself; of a book or a magazine there is more.
    box.hidden = !content || (content.kind === 'gtin' && content.fields.length < 2);
    if (box.hidden) {
        box.replaceChildren();
        return;
    }
    const isHidden = hasPersonalField(event) && revealed !== event.id;
    const parts = [element('h3', { textContent: contentWord(content.kind) }), element('dl', {}, ...content.fields.flatMap(
        (field) => row(field, content.kind, isHidden && field.personal)))];
    if (hasPersonalField(event)) {
        const button = element('button', { type: 'button', textContent: word(isHidden ? 'reveal' : 'conceal') });
        button.addEventListener('click', () => {
            revealed = isHidden ? event.id : null;
            again();
            const next = box.querySelector('button.reveal');
            if (next) next.focus();
        });
        button.classList.add('reveal');
        parts.push(button);
    }
    const address = linkOf(content, event.symbol.text);
    if (address) {
        const whole = element('p', { className: 'address', dir: 'ltr' });
        show(whole, address);
        parts.push(element('h4', { textContent: word('opensAs') }), whole, element('a', { href: address, target: '_blank', rel: 'noopener noreferrer', textContent: word('openLink') }));
    }
    for (const [index, part] of parts.entries()) part.key = `${event.id} ${index}`;
    showRows(box, parts);
}
