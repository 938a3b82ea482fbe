// The W3C's Barcode Detection.

const detectable = table.formats;
const detectableOrKnown = new Set(detectable.concat('aztec', 'data_matrix', 'pdf417', 'unknown'));

/** The bytes of a picture file that shows `source`; null where it has no pixels. */
async function picture(source) {
    if (source instanceof Blob) return source;
    const width = source.videoWidth || source.naturalWidth || source.displayWidth || source.width;
    const height = source.videoHeight || source.naturalHeight || source.displayHeight || source.height;
    if (source instanceof HTMLImageElement && !source.complete || source instanceof HTMLVideoElement
        && source.readyState < 2) {
        throw new DOMException('The picture is not there yet.', 'InvalidStateError');
    }
    const side = (length) => (length && length.baseVal ? length.baseVal.value : length);
    if (!side(width) || !side(height)) return null;
    const canvas = element('canvas', { width: side(width), height: side(height) });
    const context = canvas.getContext('2d');
    if (source instanceof ImageData) context.putImageData(source, 0, 0);
    else context.drawImage(source, 0, 0);
    const type = source instanceof HTMLVideoElement ? 'image/jpeg' : 'image/png';
    // Throws a SecurityError where the pixels are another origin's, as the standard asks.
    return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => (blob ? resolve(blob)
            : reject(new DOMException('The picture cannot be read.', 'InvalidStateError'))), type, 0.95);
    });
}

class StationBarcodeDetector {
    #formats;

    constructor(options) {
        const formats = options && options.formats;
        if (formats !== undefined) {
            const list = Array.from(formats);
            if (!list.length) throw new TypeError('formats is empty');
            for (const format of list) {
                if (!detectableOrKnown.has(format)) throw new TypeError('"' + format + '" is no barcode format');
                if (format === 'unknown') throw new TypeError('"unknown" cannot be looked for');
            }
            this.#formats = list;
        }
    }

    static async getSupportedFormats() {
        return detectable.slice();
    }

    async detect(source) {
        if (!(source instanceof Blob || source instanceof ImageData || source instanceof Element
            || source instanceof ImageBitmap || source instanceof OffscreenCanvas
            || (window.VideoFrame && source instanceof VideoFrame))) {
            throw new TypeError('detect() takes an image, a video, a canvas, ImageData, an ImageBitmap or a Blob');
        }
        const formats = this.#formats && this.#formats.filter((format) => detectable.includes(format));
        if (formats && !formats.length) return [];
        const body = await picture(source);
        if (!body || !body.size) return [];
        const query = formats ? '?formats=' + formats.join(',') : '';
        const headers = { 'Content-Type': body.type || 'application/octet-stream' };
        let found;
        try {
            found = await envelope(call('/detect' + query, { method: 'POST', headers, body }));
        } catch (error) {
            const name = error.status === 422 || error.status === 413 ? 'InvalidStateError' : 'NotSupportedError';
            throw new DOMException(error.message, name);
        }
        return found.map((one) => ({
            boundingBox: DOMRectReadOnly.fromRect(one.boundingBox),
            cornerPoints: one.cornerPoints.map(({ x, y }) => ({ x, y })),
            format: one.format,
            rawValue: one.rawValue,
        }));
    }

    get [Symbol.toStringTag]() {
        return 'BarcodeDetector';
    }
}

dialect('detector', {
    install() {
        if ('BarcodeDetector' in window) return;
        mine.add(StationBarcodeDetector).add(StationBarcodeDetector.getSupportedFormats);
        Object.defineProperty(StationBarcodeDetector, 'name', { value: 'BarcodeDetector' });
        window.BarcodeDetector = StationBarcodeDetector;
    },
});
