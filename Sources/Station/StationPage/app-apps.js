// The pages that live on the station, for a browser of its machine: others do not reach their names.

import { showRows } from './app-lists.js';
import { get } from './app-net.js';
import { element } from './app-text.js';

const at = (id) => document.getElementById(id);
const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

export async function refreshApps() {
    if (!isHere) return;
    const { apps } = await get('/apps');
    at('apps-box').hidden = !apps.length;
    showRows(at('apps'), apps.map(({ name, version, url }) => element('li', { key: url },
        element('a', { href: url, textContent: name, target: '_blank', rel: 'noopener' }),
        element('small', { textContent: ' ' + version }))));
}
