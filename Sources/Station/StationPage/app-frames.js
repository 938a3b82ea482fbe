// The camera of the device that shows the page: its frames go to the station, which reads them.

import { randomName, unwrap } from './app-net.js';

// Milliseconds between two frames.
const shortestPause = 200;
const longestSide = 1600;

/** The camera; throws where the browser refuses it or there is none. */
export function openCamera() {
    return navigator.mediaDevices.getUserMedia({
        audio: false, video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
    });
}

/** Whether the browser gives pages cameras here: those that come by https, and those of this machine. */
export const hasCameras = () => Boolean(navigator.mediaDevices && navigator.mediaDevices.getUserMedia);

/** A frame as a JPEG that a worker of the station reads quickly. */
async function frame(video, canvas) {
    const scale = Math.min(1, longestSide / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext('2d').drawImage(video, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg', 0.85); });
}

/**
 * Sends what the camera sees for as long as `isOn` says so.
 *
 * `send` is the page's way to ask the station, `stored` hears of the codes that are new, `failed` of errors, and
 * of null once it goes well again.
 */
export async function sendFrames(video, { isOn, send, stored = () => {}, failed }) {
    const canvas = document.createElement('canvas');
    // By this name the station knows what the camera had in view before, and stores that once.
    const path = '/scan?name=phone.jpg&camera=' + randomName();
    const offer = async (blob) => {
        const response = await send(path, { method: 'POST', body: blob, headers: { 'Content-Type': 'image/jpeg' } });
        const { pictures } = unwrap(response.status, await response.json().catch(() => null));
        stored(pictures.flatMap((one) => one.symbols));
    };
    while (isOn()) {
        const began = performance.now();
        try {
            if (!document.hidden && video.videoWidth) {
                const blob = await frame(video, canvas);
                if (blob) await offer(blob);
            }
            failed(null);
        } catch (error) {
            failed(error);
            await new Promise((resolve) => { setTimeout(resolve, 2000); });
        }
        const wait = Math.max(20, shortestPause - (performance.now() - began));
        await new Promise((resolve) => { setTimeout(resolve, wait); });
    }
}
