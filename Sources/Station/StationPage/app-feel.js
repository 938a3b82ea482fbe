// Success and failure are felt: the stage flashes, and a phone vibrates. The sounds are in app-sound.js.

// Milliseconds on, off, on.
const patterns = { saved: [60], delivered: [60], seen: [30, 60, 30], failed: [250], good: [60], bad: [120, 60, 120] };

/** Shows in the corner of the eye, and in the hand, what has become of a code. */
export function feel(kind) {
    const stage = document.getElementById('stage');
    if (stage) {
        stage.dataset.felt = '';
        // The same flash once more begins anew.
        void stage.offsetWidth;
        stage.dataset.felt = kind;
    }
    // Browsers complain of pages that vibrate before anybody has touched them.
    const isTouched = navigator.userActivation && navigator.userActivation.hasBeenActive;
    if (isTouched && navigator.vibrate) navigator.vibrate(patterns[kind] || []);
}
