// What is said aloud and what the browser notifies of. By choice: nothing of it is on before somebody switches it on.

import { personalKind } from './app-content.js';
import { ofOrigin } from './app-memory.js';
import { contentWord, locale, word } from './app-words.js';

const at = (id) => document.getElementById(id);
const key = 'quietzone.aloud';
const digits = 4;
const longest = 120;

const chosen = { speaks: 'off', again: false, weight: false, failures: false, station: false, rule: '', ...ofOrigin.readJSON(key) };

function keep() {
    ofOrigin.write(key, JSON.stringify(chosen));
}

// ---- Speech --------------------------------------------------------------------------------------

/** Says a text after what is being said; a queue of many codes would still speak of them a minute later. */
function say(text) {
    document.documentElement.dataset.spoken = text;
    if (!window.speechSynthesis) return;
    if (speechSynthesis.pending) speechSynthesis.cancel();
    const utterance = new SpeechSynthesisUtterance(text.slice(0, longest));
    utterance.lang = locale();
    const voice = speechSynthesis.getVoices().find((one) => one.lang.slice(0, 2) === locale().slice(0, 2));
    if (voice) utterance.voice = voice;
    speechSynthesis.speak(utterance);
}

/** The last digits one by one, as they are read to somebody. */
function lastDigits(text) {
    const found = Array.from(text).filter((letter) => /[0-9A-Za-z]/.test(letter)).slice(-digits);
    return found.join(' ');
}

function spokenText(event) {
    // Everybody hears it: of what is personal only what it is.
    const kind = personalKind(event);
    if (kind) return contentWord(kind);
    return chosen.speaks === 'digits' ? lastDigits(event.symbol.text) : event.symbol.text;
}

/** A code was saved: it is said after the commit. */
export function speakScan({ event }) {
    const parts = chosen.speaks === 'off' ? [] : [spokenText(event)];
    const { weight, weightUnit } = event.source.details || {};
    if (chosen.weight && weight) parts.push(`${weight} ${weightUnit || ''}`.trim());
    if (parts.length) say(parts.join(', '));
    const { rule } = chosen;
    if (rule && !event.symbol.withheld && matches(rule, event.symbol.text)) {
        notify(word('noticeMatch'), spokenTitle(event));
    }
}

const spokenTitle = (event) => {
    const kind = personalKind(event);
    return kind ? contentWord(kind) : event.symbol.text.slice(0, longest);
};

export function speakAgain() {
    if (chosen.again) say(word('spokenAgain'));
}

export function speakUnsaved(symbols) {
    if (chosen.speaks !== 'off') say(word('spokenFailed'));
    if (chosen.failures) notify(word('noticeUnsaved'), symbols.length ? String(symbols.length) : '');
}

// ---- Notices -------------------------------------------------------------------------------------

function matches(rule, text) {
    try {
        return new RegExp(rule, 'u').test(text);
    } catch (error) {
        return false;
    }
}

function notify(title, body) {
    document.documentElement.dataset.notified = `${title}: ${body}`;
    if (!window.Notification || Notification.permission !== 'granted') return;
    try {
        const notice = new Notification(`Quietzone · ${title}`, { body, icon: '/favicon.svg', tag: `quietzone ${title} ${body}` });
        notice.addEventListener('click', () => window.focus());
    } catch (error) {
        // Chromium on phones shows them through a service worker alone.
    }
}

export function noticeFailed(destination) {
    if (chosen.failures) notify(word('noticeFailed'), destination);
}

const noticeTitles = { code: 'noticeMatch', 'not-saved': 'noticeUnsaved', 'not-delivered': 'noticeFailed' };

/** The station tells what its configuration names. Returns what is shown of a code on the page. */
export function noticeOfStation({ kind, text, content, count }) {
    const title = word(noticeTitles[kind]);
    const what = content ? contentWord(content) : text.slice(0, longest);
    const isCode = kind === 'code';
    const body = isCode ? what : `${what} ${count}`.trim();
    // Failures that the page notifies of by itself are told once.
    if (chosen.station && (isCode || !chosen.failures)) notify(title, body);
    if (isCode) document.documentElement.dataset.notice = body;
    return isCode ? `${title}: ${body}` : null;
}

/** Whether the browser lets the page notify; it asks the person where it has not yet. */
async function mayNotify() {
    if (!window.Notification) return false;
    if (Notification.permission === 'default') await Notification.requestPermission();
    return Notification.permission === 'granted';
}

// ---- What is chosen ------------------------------------------------------------------------------

function showProblem(name) {
    at('aloud-problem').textContent = name ? word(name) : '';
}

async function changed() {
    Object.assign(chosen, {
        speaks: at('aloud-speaks').value, again: at('aloud-again').checked, weight: at('aloud-weight').checked,
        failures: at('aloud-failures').checked, station: at('aloud-station').checked, rule: at('aloud-rule').value,
    });
    keep();
    showProblem(null);
    try {
        if (chosen.rule) new RegExp(chosen.rule, 'u');
    } catch (error) {
        showProblem('notifyBadRule');
        return;
    }
    if ((chosen.failures || chosen.station || chosen.rule) && !(await mayNotify())) showProblem('notifyRefused');
    else if ((chosen.speaks !== 'off' || chosen.again || chosen.weight) && !window.speechSynthesis) showProblem('speakNone');
}

export function startSpeech() {
    at('aloud-speaks').value = chosen.speaks;
    at('aloud-again').checked = chosen.again;
    at('aloud-weight').checked = chosen.weight;
    at('aloud-failures').checked = chosen.failures;
    at('aloud-station').checked = chosen.station;
    at('aloud-rule').value = chosen.rule;
    for (const id of ['speaks', 'again', 'weight', 'failures', 'station', 'rule']) at('aloud-' + id).addEventListener('change', changed);
}
