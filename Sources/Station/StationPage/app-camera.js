// The camera: its picture with the codes outlined, how it is set, the region, reading on demand.

import { advise } from './app-advice.js';
import { get, request, send } from './app-net.js';
import {
    boxOf, isFrozen, placeLabels, retranslateStage, showQuick, showStatus, startStage,
} from './app-stage.js';
import { element, show } from './app-text.js';
import { controlWord, errorWord, isEnglish, menuWord, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const milliseconds = { frame: 100, retry: 1000, answer: 5000 };
const first = /^(focus|auto_exposure|exposure|zoom|gain|brightness)/;
const longestLabel = 28;

let camera = null;
let drawing = null;
let isReading = false;
let isConnected = true;
let speak = () => {};

function svg(name, attributes, ...children) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

// ---- The picture ---------------------------------------------------------------------------------

let lastSymbols = '';

/** Frames one after the other, each with what is in it, so that outlines fit; none while nobody looks. */
async function watch() {
    const canvas = at('picture');
    const context = canvas.getContext('2d');
    for (;;) {
        const began = performance.now();
        let wait = camera ? milliseconds.retry : milliseconds.frame;
        if (!document.hidden && isConnected && camera && camera.status !== 'none' && !isFrozen()) {
            try {
                const response = await request('/frame.jpg', { signal: AbortSignal.timeout(milliseconds.answer) });
                if (!response.ok) throw new Error('HTTP ' + response.status);
                const frame = await createImageBitmap(await response.blob());
                // It may have been frozen meanwhile.
                if (isFrozen()) continue;
                if (canvas.width !== frame.width || canvas.height !== frame.height) {
                    canvas.width = frame.width;
                    canvas.height = frame.height;
                }
                context.drawImage(frame, 0, 0);
                outline(response.headers, frame);
                advise(response.headers.get('X-Unread'));
                frame.close();
                at('stage').dataset.live = 'true';
                wait = Math.max(20, milliseconds.frame - (performance.now() - began));
            } catch (error) {
                at('stage').dataset.live = 'false';
                lastSymbols = '';
                advise(null);
            }
            blank();
        } else {
            advise(null);
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
    }
}

function outline(headers, frame) {
    const said = headers.get('X-Symbols') || '[]';
    const frameSize = headers.get('X-Frame-Size') || frame.width + 'x' + frame.height;
    const key = said + frameSize + JSON.stringify(camera && camera.region) + (drawing ? JSON.stringify(drawing) : '');
    if (key === lastSymbols) return;
    lastSymbols = key;
    const [, width, height] = (/^(\d+)x(\d+)$/.exec(frameSize) || [0, frame.width, frame.height]).map(Number);
    const unit = width / 100;
    const parts = [];
    const region = drawing && drawing.region ? drawing.region : camera && camera.region;
    if (region) {
        const [x, y, w, h] = [region.x * width, region.y * height, region.width * width, region.height * height];
        parts.push(svg('path', {
            class: 'outside', 'fill-rule': 'evenodd', d: `M0 0H${width}V${height}H0Z M${x} ${y}h${w}v${h}h${-w}Z`,
        }), svg('rect', { class: 'region', x, y, width: w, height: h }));
    }
    const symbols = JSON.parse(said);
    const size = Math.max(unit * 2.4, 11);
    const labels = symbols.map((symbol) => {
        const content = element('span');
        show(content, symbol.text, longestLabel);
        const length = Math.min(Array.from(content.textContent).length, longestLabel + 1);
        return { text: content.textContent, width: length * size * 0.61 + size * 0.9, height: size * 1.6 };
    });
    for (const symbol of symbols) {
        const points = symbol.corners.map((corner) => corner.join(',')).join(' ');
        parts.push(svg('polygon', { class: 'symbol', points }));
    }
    // Without a place beside its code a label is left out: the text stands in the card of the latest one.
    const places = placeLabels(symbols.map((symbol) => boxOf(symbol.corners)), labels, { width, height }, size * 0.35);
    for (const [index, place] of places.entries()) {
        if (!place) continue;
        parts.push(
            svg('rect', {
                class: 'tag', x: place.left, y: place.top, rx: size * 0.35,
                width: labels[index].width, height: labels[index].height,
            }),
            svg('text', {
                class: 'label', x: place.left + size * 0.45, y: place.top + size * 1.13, 'font-size': size,
            }, labels[index].text));
    }
    const box = at('outlines');
    box.setAttribute('viewBox', `0 0 ${width} ${height}`);
    box.replaceChildren(...parts);
}

/** Where there is no picture it is said why. */
function blank() {
    const status = isConnected ? (camera ? camera.status : 'starting') : 'unknown';
    showStatus(status);
    const isLive = at('stage').dataset.live === 'true' && (status === 'running' || status === 'starting');
    at('blank').hidden = isLive;
    if (isLive) return;
    at('outlines').replaceChildren();
    lastSymbols = '';
    const words = { lost: 'blankLost', none: 'blankNone', unknown: 'blankUnknown' };
    const said = word(words[status] || 'blankStarting');
    const problem = isConnected && camera && camera.problem && status !== 'none' && isEnglish() ? ' ' + camera.problem : '';
    if (at('blank-word').textContent !== said + problem) at('blank-word').textContent = said + problem;
}

// ---- What the camera is and does -----------------------------------------------------------------

export function showCamera(news) {
    if (news) camera = news;
    if (!camera) {
        blank();
        return;
    }
    const words = {
        running: 'cameraRunning', starting: 'cameraStarting', lost: 'cameraLost', none: 'cameraNone',
    };
    at('camera-pill').dataset.state = isConnected ? camera.status : 'unknown';
    at('camera-word').textContent = word(isConnected ? words[camera.status] || 'cameraStarting' : 'cameraUnknown');
    at('camera-pill').title = camera.card || camera.path || '';
    const mode = camera.mode === 'trigger' ? 'trigger' : 'continuous';
    document.querySelector(`input[name="mode"][value="${mode}"]`).checked = true;
    at('trigger').hidden = camera.mode !== 'trigger';
    at('trigger-word').textContent = word(isReading ? 'triggering' : 'trigger');
    at('region-clear').hidden = !camera.region;
    retranslateStage();
    showChooser();
    showControls();
    for (const side of ['x', 'y', 'width', 'height']) {
        const field = at('region-' + side);
        const whole = { x: 0, y: 0, width: 1, height: 1 };
        if (field !== document.activeElement) field.value = Math.round((camera.region || whole)[side] * 100);
    }
    blank();
}

function showChooser() {
    const list = camera.cameras || [];
    at('chooser').hidden = list.length < 2 && !(list.length === 1 && list[0].path !== camera.path);
    const options = list.map((one) => element('option', {
        value: one.path, textContent: one.card || one.path, selected: one.path === camera.path,
    }));
    if (document.activeElement !== at('cameras')) at('cameras').replaceChildren(...options);
}

/** A slider, a switch or a list for each control; what is being moved is left alone. */
function showControls() {
    const box = at('controls');
    if (box.contains(document.activeElement)) return;
    const rank = (control) => (first.test(control.name) ? 0 : 1);
    const sorted = [...(camera.controls || [])].sort((one, other) => rank(one) - rank(other));
    showQuick(camera.controls || [], controlField);
    box.replaceChildren(...sorted.map((control) => controlField(control, 'control-')));
}

/** A slider, a switch or a list for a control, with its name. */
function controlField(control, prefix) {
    const id = prefix + control.name;
    const isSwitch = !control.menu && control.minimum === 0 && control.maximum === 1;
    const set = (value) => change({ controls: { [control.name]: value } });
    let field;
    let output = '';
    if (control.menu && Object.keys(control.menu).length) {
        field = element('select', { id }, ...Object.entries(control.menu).map(([value, name]) => element('option', {
            value, textContent: menuWord(name), selected: Number(value) === control.value,
        })));
        field.addEventListener('change', () => set(Number(field.value)));
    } else if (isSwitch) {
        field = element('input', { id, type: 'checkbox', checked: control.value === 1 });
        field.addEventListener('change', () => set(field.checked ? 1 : 0));
    } else {
        field = element('input', {
            id, type: 'range', min: control.minimum, max: control.maximum, step: control.step || 1,
            value: control.value,
        });
        output = element('output', { textContent: control.value });
        field.addEventListener('input', () => { output.textContent = field.value; });
        field.addEventListener('change', () => set(Number(field.value)));
    }
    field.disabled = control.settable === false;
    return element('label', { className: 'row' }, element('span', { textContent: controlWord(control.name) }),
        field, output);
}

async function change(message) {
    at('settings-problem').textContent = '';
    try {
        showCamera(await send('/camera', message));
    } catch (error) {
        at('settings-problem').textContent = errorWord(error);
        at('settings-panel').hidden = false;
        at('settings').setAttribute('aria-expanded', 'true');
    }
}

/** Reads once, as a button, the space bar and a page ask for it. */
async function trigger() {
    if (isReading) return;
    isReading = true;
    showCamera();
    try {
        const symbols = await send('/camera/trigger', { timeout: 5 });
        const list = Array.isArray(symbols) ? symbols : symbols.symbols || [];
        if (!list.length) speak(word('nothingRead'), true);
    } catch (error) {
        speak(errorWord(error), true);
    } finally {
        isReading = false;
        showCamera();
    }
}

// ---- The region ----------------------------------------------------------------------------------

function startDrawing(isOn) {
    drawing = isOn ? { from: null, region: null } : null;
    at('stage').classList.toggle('draws', isOn);
    at('drawing').hidden = !isOn;
    at('region-draw').setAttribute('aria-pressed', String(isOn));
    lastSymbols = '';
}

/** Where in the picture the mouse is, as fractions; the picture may be smaller than its box. */
function place(event) {
    const box = at('picture').getBoundingClientRect();
    const scale = Math.min(box.width / at('picture').width, box.height / at('picture').height);
    const width = at('picture').width * scale;
    const height = at('picture').height * scale;
    const within = (value) => Math.min(1, Math.max(0, value));
    return {
        x: within((event.clientX - box.left - (box.width - width) / 2) / width),
        y: within((event.clientY - box.top - (box.height - height) / 2) / height),
    };
}

function drawRegion() {
    const stage = at('stage');
    stage.addEventListener('pointerdown', (event) => {
        if (!drawing || event.button) return;
        event.preventDefault();
        stage.setPointerCapture(event.pointerId);
        drawing.from = place(event);
    });
    stage.addEventListener('pointermove', (event) => {
        if (!drawing || !drawing.from) return;
        const to = place(event);
        const { from } = drawing;
        drawing.region = {
            x: Math.min(from.x, to.x), y: Math.min(from.y, to.y),
            width: Math.abs(from.x - to.x), height: Math.abs(from.y - to.y),
        };
    });
    stage.addEventListener('pointerup', () => {
        if (!drawing || !drawing.from) return;
        const { region } = drawing;
        drawing.from = null;
        // Smaller than this it was a click.
        if (!region || region.width < 0.03 || region.height < 0.03) return;
        startDrawing(false);
        change({ region });
    });
}

function regionByNumbers() {
    const value = (side) => Number(at('region-' + side).value) / 100;
    const region = { x: value('x'), y: value('y'), width: value('width'), height: value('height') };
    region.width = Math.min(region.width, 1 - region.x);
    region.height = Math.min(region.height, 1 - region.y);
    const isWhole = region.x <= 0 && region.y <= 0 && region.width >= 1 && region.height >= 1;
    if (isWhole) change({ region: null });
    else if (region.width > 0 && region.height > 0) change({ region });
}

// ---- Begin ---------------------------------------------------------------------------------------

export async function startCamera(spoken) {
    speak = spoken;
    startStage(spoken);
    for (const radio of document.querySelectorAll('input[name="mode"]')) {
        radio.addEventListener('change', () => change({ mode: radio.value }));
    }
    at('trigger').addEventListener('click', trigger);
    at('region-draw').addEventListener('click', () => startDrawing(!drawing));
    at('region-clear').addEventListener('click', () => change({ region: null }));
    at('cameras').addEventListener('change', () => change({ path: at('cameras').value }));
    at('settings').addEventListener('click', () => {
        const panel = at('settings-panel');
        panel.hidden = !panel.hidden;
        at('settings').setAttribute('aria-expanded', String(!panel.hidden));
    });
    for (const side of ['x', 'y', 'width', 'height']) at('region-' + side).addEventListener('change', regionByNumbers);
    drawRegion();
    document.addEventListener('keydown', (event) => {
        if (event.key === 'Escape' && drawing) startDrawing(false);
        // Where the space bar does something of its own it keeps doing that; in a chosen radio button it does nothing.
        const { target } = event;
        const isFree = !at('preferences').open
            && (!target.matches('input, textarea, select, button, a, summary') || target.matches('[type=radio]:checked'));
        if (event.key === ' ' && isFree && camera && camera.mode === 'trigger' && !event.repeat) {
            event.preventDefault();
            trigger();
        }
    });
    watch();
}

/** While the station does not answer nothing is known of the camera. */
export function setConnected(value) {
    isConnected = value;
    if (!value) at('stage').dataset.live = 'false';
    showCamera();
    blank();
}

export async function refreshCamera() {
    showCamera(await get('/camera'));
}
