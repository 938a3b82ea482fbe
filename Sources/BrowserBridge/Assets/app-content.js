// What a message says: the fields of the latest code, and what may be done with them. Nothing is opened by itself.

import { copy, element, show } from './app-text.js';
import { contentWord, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const mask = '••••••';
const opensAs = ['http:', 'https:'];

/** The event whose personal fields are shown, because somebody asked to see them. */
let revealed = null;

/** Whether a message says something about a person, or is a secret: lists, which many see, say only what it is. */
function isPersonal(event) {
    return Boolean(event.content && event.content.fields.some((field) => field.personal));
}

/** What is shown in place of a message: the message, or of a personal one, or one that is not kept, what it is. */
export function shownText(event) {
    if (event.symbol.withheld) return contentWord(event.symbol.withheld) + ' · ' + mask;
    return isPersonal(event) && revealed !== event.id ? contentWord(event.content.kind) + ' · ' + mask : event.symbol.text;
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

function row(field, isHidden) {
    const label = field.label || field.name.replaceAll('_', ' ');
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
    // The number of an article says nothing but itself.
    box.hidden = !content || content.kind === 'gtin';
    if (box.hidden) {
        box.replaceChildren();
        return;
    }
    const isHidden = isPersonal(event) && revealed !== event.id;
    const parts = [element('h3', { textContent: contentWord(content.kind) }), element('dl', {}, ...content.fields.flatMap(
        (field) => row(field, isHidden && field.personal)))];
    if (isPersonal(event)) {
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
        parts.push(element('a', { href: address, target: '_blank', rel: 'noopener noreferrer', textContent: word('openLink') }));
    }
    box.replaceChildren(...parts);
}
