// A form as an OA system has it. All that it knows of scanning is scanCode(field, from).

const at = (id) => document.getElementById(id);
let asked = null;

/** Where each answer arrives. The text is data: it is put into a field, never into HTML. */
function receive(text) {
    if (!asked) return;
    at(asked).value = text;
    at('said').textContent = 'Scanned: ' + JSON.stringify(text);
    const fields = Array.from(document.querySelectorAll('input'));
    const next = fields[fields.findIndex((field) => field.id === asked) + 1];
    if (next) next.focus();
    asked = null;
}

function refuse(reason) {
    at('said').textContent = 'Not scanned: ' + reason;
    asked = null;
}

// What the hospital's app calls, and the station as well.
window.receiveScanResult = receive;
// A scan gun types; outside of a field its code goes to the first that is empty.
window.receiveScanResult2 = (text) => {
    const empty = Array.from(document.querySelectorAll('input')).find((field) => !field.value);
    asked = empty ? empty.id : 'patient';
    receive(text);
};

// Each of these alone is what a page has in its dialect. A page of your own has one of them.
const dialects = {
    hospital(from) {
        const message = from === 'camera' ? { onlyFromCamera: true } : { source: 'album' };
        window.webkit.messageHandlers.scanCode.postMessage(message);
    },
    async promise(from) {
        try {
            receive((await quietzone.scan({ source: from })).rawValue);
        } catch (error) {
            refuse(error.message);
        }
    },
    wechat(from) {
        wx.scanCode({
            onlyFromCamera: from === 'camera', source: from,
            success: (result) => receive(result.result),
            fail: (result) => refuse(result.errMsg),
        });
    },
    jssdk(from) {
        wx.ready(() => wx.scanQRCode({
            needResult: 1, source: from,
            success: (result) => receive(result.resultStr.split(',').pop()),
            cancel: (result) => refuse(result.errMsg),
            fail: (result) => refuse(result.errMsg),
        }));
    },
    herald(from) {
        window.webkit.messageHandlers.heraldAppBridge.postMessage({ name: 'scanCode', source: from });
    },
    recordapp(from) {
        const callbacks = window.AppJsBridgeRequest || (window.AppJsBridgeRequest = {
            waiting: [null],
            Call(answer) {
                const call = this.waiting[answer.callback];
                if (call) call(answer);
                this.waiting[answer.callback] = null;
            },
        });
        const callback = String(callbacks.waiting.length);
        callbacks.waiting.push((answer) => {
            if (answer.status === 'success') receive(answer.value);
            else refuse(answer.message);
        });
        prompt(JSON.stringify({ action: 'scanCode', args: { source: from }, callback }));
    },
    async detector() {
        // The standard reads pictures that the page has; where they come from is the page's business.
        const chooser = document.createElement('input');
        Object.assign(chooser, { type: 'file', accept: 'image/*', id: 'chooser' });
        chooser.hidden = true;
        document.body.append(chooser);
        chooser.addEventListener('change', async () => {
            try {
                const [barcode] = await new BarcodeDetector().detect(await createImageBitmap(chooser.files[0]));
                if (barcode) receive(barcode.rawValue);
                else refuse('no code in this picture');
            } catch (error) {
                refuse(error.message);
            }
            chooser.remove();
        });
        chooser.click();
    },
};

const chosen = new URLSearchParams(location.search).get('dialect');
const dialect = Object.hasOwn(dialects, chosen) ? chosen : 'hospital';

/** Asks for a code from the 'camera' or the 'album' and puts it into the field. */
function scanCode(field, from) {
    asked = field;
    at('said').textContent = '';
    try {
        dialects[dialect](from);
    } catch (error) {
        // There is no bridge where the station was away while the page was loaded; docs/how-to/web-pages.md has a loader that waits.
        refuse('the scanning station is not there; start it and load this page again (' + error.message + ')');
    }
}

for (const button of document.querySelectorAll('[data-scan]')) {
    button.addEventListener('click', () => scanCode(button.dataset.scan, button.dataset.from));
}
at('record').addEventListener('submit', (event) => {
    event.preventDefault();
    at('said').textContent = 'Stored: ' + JSON.stringify(Object.fromEntries(new FormData(at('record'))));
});
for (const link of document.querySelectorAll('nav a')) {
    if (new URL(link.href).searchParams.get('dialect') === dialect) link.setAttribute('aria-current', 'page');
}
