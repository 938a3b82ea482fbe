// The page's language, and its words in it.

import { ofOrigin } from './app-memory.js';
import { words as en } from './words-en.js';
import { words as zh } from './words-zh.js';

const words = { en, zh };

const kept = ofOrigin.read('quietzone.language');
let language = kept === 'zh' || kept === 'en' ? kept : (/^zh\b/i.test(navigator.language || '') ? 'zh' : 'en');

/** The words of `key` in the page's language; some take values. */
export function word(key, ...values) {
    const found = words[language][key];
    return typeof found === 'function' ? found(...values) : found;
}

/** BCP 47, for dates and for readers of the screen. */
export function locale() {
    return language === 'zh' ? 'zh-CN' : 'en-GB';
}

/** Whether this is the page's language; the station's own sentences are English. */
export function isEnglish() {
    return language === 'en';
}

/** A moment as a clock shows it, with its day where that is another one, or where it `isLong`. */
export function time(moment, isLong) {
    const date = new Date(moment);
    const isToday = date.toDateString() === new Date().toDateString();
    const day = isToday && !isLong ? {} : { year: 'numeric', month: '2-digit', day: '2-digit' };
    const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false };
    return date.toLocaleString(locale(), { ...day, ...clock });
}

/** A moment in few letters: the clock of today, day and clock of any other day. */
export function shortTime(moment) {
    const date = new Date(moment);
    if (date.toDateString() === new Date().toDateString()) return time(moment);
    return date.toLocaleString(locale(), { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hour12: false });
}

/** What a person is told of a request that failed: by its reason where that is known. */
export function errorWord(error) {
    const { errorReasons } = words[language];
    if (!error.status) return word('noAnswer');
    if (errorReasons[error.reason]) return errorReasons[error.reason];
    // Whoever looks after the station finds what is wrong in its log.
    const isForPerson = error.status < 500 && isEnglish();
    return isForPerson ? error.message : errorReasons.other;
}

export function switchLanguage() {
    language = language === 'zh' ? 'en' : 'zh';
    ofOrigin.write('quietzone.language', language);
}

/** A camera's control by its V4L2 name. */
export function controlWord(name) {
    const plain = name.replace(/_absolute$/, '').replace(/_/g, ' ');
    return words[language].controls[name] || plain[0].toUpperCase() + plain.slice(1);
}

/** A choice of a camera's control by the name that its driver gives it. */
export function menuWord(name) {
    return words[language].menus[name] || name;
}

/** Why a picture could not be read, by the station's word for it. */
export function reasonWord(reason) {
    return words[language].badReasons[reason] || words[language].badReasons.other;
}

/** What a message is, by the station's word for it. */
export function contentWord(kind) {
    return words[language].byContent[kind] || kind.replaceAll('_', ' ');
}

/** What a setting of a gun is called; those of a file by their own names. */
export function settingWord(setting) {
    return words[language].bySetting[setting.maker + ' ' + setting.name] || setting.maker + ': ' + setting.name;
}

/** The name of a field of a message; the station's own labels are English. */
export function fieldWord({ name, label }, kind) {
    const { byField } = words[language];
    return byField[kind + '.' + name] || byField[name] || byField[String(name).slice(0, 3)] || label || String(name).replaceAll('_', ' ');
}

export function sourceWord(kind) {
    return words[language].bySource[kind] || kind;
}

/** Puts the words into everything in the document that names one. */
export function translate() {
    document.documentElement.lang = locale();
    document.title = word('title');
    for (const one of document.querySelectorAll('[data-t]')) one.textContent = word(one.dataset.t);
    for (const one of document.querySelectorAll('[data-t-label]')) one.setAttribute('aria-label', word(one.dataset.tLabel));
    for (const one of document.querySelectorAll('[data-t-placeholder]')) one.placeholder = word(one.dataset.tPlaceholder);
    const button = document.getElementById('language');
    button.textContent = word('other');
    button.lang = language === 'zh' ? 'en' : 'zh';
}
