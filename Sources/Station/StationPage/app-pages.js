// The pages of a document that was sent, each with the outlines of its codes.

import { element } from './app-text.js';
import { word } from './app-words.js';

const space = 'http://www.w3.org/2000/svg';

function drawn(name, attributes, ...children) {
    const made = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

/** Whether the browser cannot show a file, and its pages are asked for. */
export const isDocument = (file) => ['application/pdf', 'image/tiff'].includes(file.type) || /\.(pdf|tiff?)$/i.test(file.name);

function figureOf({ page, width, height, image }, symbols) {
    const own = symbols.filter((symbol) => symbol.page === page);
    const said = word('pageCodes', page, own.length);
    const outlines = own.map(({ cornerPoints }) => drawn('polygon', { points: cornerPoints.map(({ x, y }) => `${x},${y}`).join(' ') }));
    const picture = drawn('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': said },
        drawn('image', { href: image, width, height, preserveAspectRatio: 'none' }), ...outlines);
    return element('figure', {}, picture, element('figcaption', { textContent: said }));
}

/** What shows the pages of an answer of `POST /scan`; nothing where it has none. */
export function pagesOf({ pageImages, symbols }) {
    const images = (pageImages || []).filter(({ page }) => page);
    if (!images.length) return null;
    const box = element('details', { className: 'pages' });
    const fill = () => box.replaceChildren(
        element('summary', { textContent: word('showPages', images.length) }), ...images.map((image) => figureOf(image, symbols)));
    fill();
    return { box, retranslate: fill };
}
