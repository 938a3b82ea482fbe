// Setting scan guns up: the codes that set one, and finding one by the code that it scans.

import { StationError, get, request, saveFile, send, unwrap } from './app-net.js';
import { setText } from './app-text.js';
import { errorWord, settingWord, word } from './app-words.js';

const at = (id) => document.getElementById(id);

/** How often it is asked whether a gun has scanned the code. */
const pause = 1000;

let settings = [];
let search = null;
let timer = null;

/** Shows a code of the station in a picture, and forgets the one before. */
async function show(picture, path) {
    const response = await request(path);
    if (!response.ok) unwrap(response.status, await response.json().catch(() => null));
    if (picture.src) URL.revokeObjectURL(picture.src);
    picture.src = URL.createObjectURL(await response.blob());
    picture.hidden = false;
}

/** What is made once a code is shown. */
const shownTools = ['setting-picture', 'setting-print', 'setting-png', 'setting-pdf'];

const showCodeTools = (isShown) => { for (const id of shownTools) at(id).hidden = !isShown; };

const chosen = () => settings[Number(at('setting-choice').value)];

function fillSettings() {
    const choice = at('setting-choice');
    const was = choice.value;
    choice.replaceChildren(...settings.map((setting, index) => new Option(settingWord(setting), index)));
    if (was) choice.value = was;
    showChosen();
}

function showChosen() {
    const setting = chosen();
    const field = at('setting-text');
    field.parentElement.hidden = !setting || setting.maximumLength === null;
    field.required = !field.parentElement.hidden;
    field.maxLength = (setting && setting.maximumLength) || 80;
}

function hideCode() {
    showCodeTools(false);
    at('setting-problem').textContent = '';
}

function codePath(format) {
    const setting = chosen();
    const query = new URLSearchParams({ name: setting.name, maker: setting.maker, format });
    if (setting.maximumLength !== null) query.set('text', at('setting-text').value);
    return '/devices/setting-code?' + query;
}

const saveCode = (format) => saveFile(codePath(format), `${chosen().name}.${format}`);

async function makeCode() {
    const setting = chosen();
    hideCode();
    try {
        await show(at('setting-picture'), codePath('svg'));
        at('setting-picture').alt = word('settingAlt', settingWord(setting), at('setting-text').value);
        showCodeTools(true);
    } catch (error) {
        if (!(error instanceof StationError)) throw error;
        at('setting-problem').textContent = error.reason === 'bad_setting' ? word('settingBad') : errorWord(error);
    }
}

// ---- Finding a gun -------------------------------------------------------------------------------

function showSearch() {
    const state = search ? search.state : 'idle';
    at('learn-box').hidden = state === 'idle';
    at('learn').hidden = state === 'waiting';
    setText(at('learn-word'), state === 'idle' ? '' : word('learn_' + state));
    at('learn-picture').hidden = state !== 'waiting';
    at('learn-picture').alt = word('learnAlt');
    at('learn-lines').hidden = !search || !search.configuration;
    at('learn-lines').textContent = (search && search.configuration) || '';
    at('learn-problem').textContent = search && state !== 'found' ? search.problems.join('\n') : '';
    at('learn-end').textContent = word(state === 'waiting' ? 'cancel' : 'learnClose');
}

async function ask(method) {
    clearTimeout(timer);
    const port = method === 'POST' && at('learn-port').value.trim();
    const path = '/devices/learn' + (port ? '?' + new URLSearchParams({ port }) : '');
    try {
        search = await (method ? send(path, undefined, method) : get(path));
        showSearch();
    } finally {
        // Also after a failure: the station may be back by then.
        clearTimeout(timer);
        if (search && search.state === 'waiting') timer = setTimeout(() => ask().catch(() => {}), pause);
    }
}

export function retranslateGuns() {
    fillSettings();
    showSearch();
}

/** Looks up what there is to set, once the devices are shown. */
export async function refreshGuns() {
    if (settings.length) return;
    settings = (await get('/devices/settings')).settings;
    fillSettings();
}

export function startGuns(refused) {
    at('setting-choice').addEventListener('change', () => {
        showChosen();
        hideCode();
    });
    at('setting-text').addEventListener('input', hideCode);
    at('setting-form').addEventListener('submit', (event) => {
        event.preventDefault();
        makeCode().catch(refused);
    });
    at('setting-print').addEventListener('click', () => {
        document.body.dataset.print = 'setting-code';
        print();
        delete document.body.dataset.print;
    });
    for (const format of ['png', 'pdf']) {
        at('setting-' + format).addEventListener('click', () => saveCode(format).catch(refused));
    }
    at('learn').addEventListener('click', () => {
        show(at('learn-picture'), '/devices/learn/code').then(() => ask('POST')).catch(refused);
    });
    at('learn-end').addEventListener('click', () => ask('DELETE').catch(refused));
}
