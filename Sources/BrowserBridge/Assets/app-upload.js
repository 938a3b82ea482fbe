// Pictures that are dropped, pasted or chosen: each is sent by itself, a few at a time, with its progress.

import { authorization } from './app-access.js';
import { unwrap } from './app-net.js';
import { element } from './app-text.js';
import { word } from './app-words.js';

const at = (id) => document.getElementById(id);
const atOnce = 3;
const mostShown = 100;
const busy = new Set([429, 503]);

const waiting = [];
let running = 0;
let done = 0;
let all = 0;
let codes = 0;

function summarize() {
    at('album-summary').textContent = all ? word('summary', done, all, codes) : '';
}

/** fetch() does not tell how much has been sent. */
function transfer(file, progress) {
    return new Promise((resolve, reject) => {
        const body = new FormData();
        body.append('file', file, file.name || 'picture');
        const request = new XMLHttpRequest();
        request.open('POST', '/scan');
        for (const [name, value] of Object.entries(authorization())) request.setRequestHeader(name, value);
        request.responseType = 'json';
        request.upload.onprogress = (event) => progress(event.loaded / event.total);
        request.onerror = () => reject(new Error(word('gone')));
        request.onload = () => {
            try {
                resolve(unwrap(request.status, request.response));
            } catch (error) {
                error.wait = Number(request.getResponseHeader('Retry-After')) || 1;
                reject(error);
            }
        };
        request.send(body);
    });
}

async function upload(file, item) {
    const bar = item.querySelector('progress');
    const result = item.querySelector('.result');
    for (;;) {
        result.textContent = word('uploading');
        try {
            const data = await transfer(file, (share) => {
                bar.value = share;
                if (share === 1) result.textContent = word('reading');
            });
            const [picture] = data.pictures;
            if (picture.error) throw new Error(picture.error.message);
            codes += picture.symbols.length;
            result.textContent = picture.symbols.length ? word('codes', picture.symbols.length) : word('noCode');
            item.dataset.state = picture.symbols.length ? 'good' : 'none';
            break;
        } catch (error) {
            if (busy.has(error.status)) {
                await new Promise((resolve) => setTimeout(resolve, error.wait * 1000));
                continue;
            }
            result.textContent = error.message;
            item.dataset.state = 'bad';
            break;
        }
    }
    bar.hidden = true;
    done += 1;
    summarize();
}

function run() {
    while (running < atOnce && waiting.length) {
        const { file, item } = waiting.shift();
        running += 1;
        upload(file, item).finally(() => {
            running -= 1;
            run();
        });
    }
}

function add(files) {
    if (!running && !waiting.length) {
        done = 0;
        all = 0;
        codes = 0;
    }
    for (const file of files) {
        const progress = element('progress', { max: 1, value: 0 });
        progress.setAttribute('aria-label', file.name);
        const item = element('li', {}, element('span', { className: 'name', textContent: file.name || 'picture' }),
            progress, element('span', { className: 'result' }));
        at('uploads').prepend(item);
        waiting.push({ file, item });
        all += 1;
    }
    while (at('uploads').children.length > mostShown && at('uploads').lastElementChild.dataset.state) {
        at('uploads').lastElementChild.remove();
    }
    summarize();
    run();
}

export function startUploads() {
    const zone = at('drop');
    at('files').addEventListener('change', () => {
        add([...at('files').files]);
        at('files').value = '';
    });
    // The whole page takes pictures; one that misses the field must not replace the page.
    let depth = 0;
    const mark = (change) => {
        depth = Math.max(0, depth + change);
        zone.classList.toggle('over', depth > 0);
    };
    document.addEventListener('dragenter', () => mark(1));
    document.addEventListener('dragleave', () => mark(-1));
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
        event.preventDefault();
        mark(-depth);
        if (event.dataTransfer.files.length) add([...event.dataTransfer.files]);
    });
    document.addEventListener('paste', (event) => {
        if (event.clipboardData.files.length) {
            event.preventDefault();
            add([...event.clipboardData.files]);
        }
    });
}
