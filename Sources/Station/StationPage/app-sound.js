// Six sounds that can be told apart without looking. They are synthesized here, without files.

import { feel } from './app-feel.js';
import { ofOrigin } from './app-memory.js';

// Frequency in Hz, start and length in seconds.
const tunes = {
    saved: { wave: 'sine', notes: [[1046, 0, 0.11]] },
    delivered: { wave: 'sine', notes: [[1318, 0, 0.08], [1760, 0.09, 0.14]] },
    seen: { wave: 'triangle', notes: [[523, 0, 0.08], [523, 0.14, 0.08]] },
    failed: { wave: 'sawtooth', notes: [[247, 0, 0.18], [185, 0.2, 0.34]] },
    // The judgement of a lookup.
    good: { wave: 'sine', notes: [[1046, 0, 0.08], [1318, 0.09, 0.08], [1568, 0.18, 0.16]] },
    bad: { wave: 'sawtooth', notes: [[165, 0, 0.14], [165, 0.18, 0.14], [165, 0.36, 0.3]] },
};
const loudness = { sine: 0.25, triangle: 0.3, sawtooth: 0.12 };
// Many codes at once are one sound a kind, and no queue of them.
const shortestPause = 0.25;

let context = null;
let isOn = ofOrigin.read('quietzone.sound') !== 'off';
let free = 0;
let changed = () => {};
const last = {};

/** Off, on, or held: it is switched on, and the browser holds it back until somebody clicks or presses a key. */
export function soundState() {
    if (!isOn) return 'off';
    return context && context.state === 'running' ? 'on' : 'held';
}

/** A browser lets a page sound only after a key or a click; a kiosk's may be told to allow it. */
function wake() {
    if (!context) {
        context = new AudioContext();
        context.addEventListener('statechange', () => changed());
    }
    if (context.state !== 'running') context.resume().catch(() => {});
    return context;
}

/** The button was pressed: a sound that is held back starts, any other is switched. */
export function switchSound() {
    isOn = soundState() !== 'on';
    ofOrigin.write('quietzone.sound', isOn ? 'on' : 'off');
    changed();
    if (!isOn) return;
    const audio = wake();
    if (audio.state === 'running') play('saved');
    else audio.addEventListener('statechange', () => play('saved'), { once: true });
}

/** Starts sound as soon as the browser allows it; `heard` is told whenever the state may have changed. */
export function startSound(button, heard) {
    changed = heard;
    if (isOn) wake();
    for (const kind of ['pointerdown', 'keydown']) {
        // The button does it by itself: what it says when it is pressed must be what it does.
        document.addEventListener(kind, (event) => {
            if (isOn && !button.contains(event.target)) wake();
        }, { capture: true });
    }
    changed();
}

/** Plays one of the tunes, after the one that is sounding. */
export function play(kind) {
    document.documentElement.dataset.sounded = kind;
    feel(kind);
    if (!isOn) return;
    const { wave, notes } = tunes[kind];
    const audio = wake();
    if (audio.state !== 'running') return;
    const now = audio.currentTime;
    if (now - (last[kind] ?? -1) < shortestPause) return;
    last[kind] = now;
    const start = Math.max(now, free);
    for (const [frequency, offset, length] of notes) {
        const tone = audio.createOscillator();
        const volume = audio.createGain();
        const begin = start + offset;
        tone.type = wave;
        tone.frequency.value = frequency;
        volume.gain.setValueAtTime(0, begin);
        volume.gain.linearRampToValueAtTime(loudness[wave], begin + 0.008);
        volume.gain.setTargetAtTime(0, begin + length * 0.6, length / 6);
        tone.connect(volume).connect(audio.destination);
        tone.start(begin);
        tone.stop(begin + length + 0.1);
        free = begin + length;
    }
}
