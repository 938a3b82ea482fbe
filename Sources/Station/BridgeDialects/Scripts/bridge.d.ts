// What bridge.js gives to a page of your own. docs/how-to/web-pages.md says how it is used.

declare namespace Quietzone {
    /** Names as in docs/reference/symbologies.md of Quietzone: "qr_code", "code_128", "ean_13" and so on. More may come. */
    type Format = string;

    interface ScanOptions {
        /** Where the code may come from; the station's camera unless said otherwise. */
        source?: 'camera' | 'album' | 'any';
        /** Only these; all that are read unless said otherwise. */
        formats?: Format[];
        /**
         * Seconds from this call until it fails with "timed_out", or with "unreachable" where the station is away; 120
         * unless said otherwise, 600 at most.
         */
        timeout?: number;
        /** Cancels the request. */
        signal?: AbortSignal;
    }

    /** A code that was read; docs/reference/json.md describes each field, and there may be more. */
    interface Symbol {
        /** "unknown" where a scan gun read it. */
        format: Format;
        /** The message as text. */
        rawValue: string;
        /** The message's bytes, as base64. */
        rawBytes: string;
        charset?: string;
        symbologyIdentifier?: string;
        addOn?: string;
        cornerPoints?: { x: number; y: number }[];
        boundingBox?: { x: number; y: number; width: number; height: number };
        /** The identifier of the event that it was stored as. */
        event?: string;
        [more: string]: unknown;
    }

    /** What `scan` rejects with. */
    interface ScanError extends Error {
        /** See docs/reference/bridge.md; more may come. */
        code: ScanErrorCode;
    }

    type ScanErrorCode =
            'cancelled' | 'timed_out' | 'unreachable' | 'no_camera' | 'not_saved' | 'invalid_request' |
            'bad_value' | 'unsupported_formats' | 'message_too_long' | 'nested_too_deeply' | 'too_many_values' |
            'unknown_origin' | 'opaque_origin' | 'not_local' | 'too_many_requests_open' | 'failed';

    interface WeighOptions {
        /** The name of the scale in the station's configuration; the first that shows something without it. */
        device?: string;
        /** Seconds to wait until the scale is at rest; 10 unless said otherwise, 30 at most. */
        timeout?: number;
        /** Cancels the request. */
        signal?: AbortSignal;
    }

    /** What a scale shows at rest. */
    interface Weight {
        device: string;
        /** The digits that the scale shows, such as "1.250". */
        weight: string;
        /** "kg", "g", "lb" and so on. */
        unit: string;
        stable: boolean;
        /** Whether a tare has been taken off; null where the scale does not say. */
        net: boolean | null;
    }

    interface Bridge {
        /**
         * Asks the person for a code, from the camera, a picture or a scan gun. Several calls are served one after the
         * other, also those of other pages. Rejects with a ScanError.
         */
        scan(options?: ScanOptions): Promise<Symbol>;
        /**
         * Asks a scale of the station for its weight. Rejects with an Error whose code is "no_scale", "scale_silent", "in_motion",
         * "overload" and so on.
         */
        weigh(options?: WeighOptions): Promise<Weight>;
        /**
         * Has the station type a text into the window that has the focus, as a keyboard does, with the keys that are
         * configured before and behind it. Rejects with an Error whose code is "no_keyboard", "not_armed", "page_focused",
         * "not_typed", "too_many_texts" and so on.
         */
        type(text: string): Promise<void>;
        /** Cancels all that this page has asked for. */
        cancel(): void;
        /** The origin of the station, such as "http://127.0.0.1:6079". */
        readonly station: string;
    }

    interface WeChatResult {
        errMsg: string;
    }

    interface WeChatScanCodeResult extends WeChatResult {
        result: string;
        /** "QR_CODE", "CODE_128" and so on. */
        scanType: string;
        charSet: string;
        /** The bytes as base64. */
        rawData: string;
    }

    interface WeChatScanQRCodeResult extends WeChatResult {
        /** The text; of a linear code its format, a comma and the text. */
        resultStr: string;
    }

    interface WeChatCallbacks<Result> {
        success?(result: Result): void;
        /** As the JS-SDK has it; where it is missing `fail` hears of a scan that was canceled. */
        cancel?(result: WeChatResult): void;
        fail?(result: WeChatResult): void;
        complete?(result: Result | WeChatResult): void;
    }

    interface WeChat {
        scanCode(options: WeChatCallbacks<WeChatScanCodeResult> & {
            onlyFromCamera?: boolean; scanType?: string[];
        }): Promise<WeChatScanCodeResult> | undefined;
        scanQRCode(options: WeChatCallbacks<WeChatScanQRCodeResult> & {
            needResult?: 0 | 1; scanType?: string[];
        }): Promise<WeChatScanQRCodeResult> | undefined;
        /** There so that pages written for WeChat start; it does nothing. */
        config(options?: object): void;
        ready(then: () => void): void;
        error(then?: (result: WeChatResult) => void): void;
        checkJsApi(options: {
            jsApiList: string[]; success(result: WeChatResult & { checkResult: Record<string, boolean> }): void;
        }): void;
    }

    interface MessageHandler<Message> {
        /** Throws a DataCloneError for what JSON cannot hold. */
        postMessage(message: Message): void;
    }

    interface MessageHandlers {
        /** Answered by `window.receiveScanResult`. */
        scanCode: MessageHandler<
            string | {
                callback?: string; onlyFromCamera?: boolean; eventId?: string | number;
                /** An empty text is the answer to a scan that was canceled or failed. */
                answersCancel?: boolean;
            } | null | undefined>;
        heraldAppBridge: MessageHandler<{ name?: string; [more: string]: unknown }>;
    }

    interface RecordAppAnswer {
        action: string;
        /** "success", or empty while there is no answer and where there is none. */
        status: string;
        message: string;
        callback: string;
        value: unknown;
    }

    interface DetectedBarcode {
        boundingBox: DOMRectReadOnly;
        cornerPoints: { x: number; y: number }[];
        format: Format;
        rawValue: string;
    }
}

interface Window {
    quietzone: Quietzone.Bridge;
    wx: Quietzone.WeChat;
    webkit: { messageHandlers: Quietzone.MessageHandlers };
    /** Yours to define: takes the text of a code that `scanCode` asked for. */
    receiveScanResult?(text: string): void;
    /** Yours to define: takes what a scan gun typed outside of the fields while no request was open. */
    receiveScanResult2?(text: string): void;
    /** Yours to define: takes the answers to prompt(JSON.stringify({action, args, callback})). */
    AppJsBridgeRequest?: { Call(answer: Quietzone.RecordAppAnswer): void };
}

declare const quietzone: Quietzone.Bridge;

/** W3C Barcode Detection, defined where the browser has none. */
declare class BarcodeDetector {
    constructor(options?: { formats?: Quietzone.Format[] });
    static getSupportedFormats(): Promise<Quietzone.Format[]>;
    detect(source: ImageBitmapSource): Promise<Quietzone.DetectedBarcode[]>;
}
