// RecordApp, which speaks by prompt().

function messageOf(said) {
    if (typeof said !== 'string' || said[0] !== '{') return null;
    try {
        const message = JSON.parse(said);
        return typeof message.action === 'string' && 'callback' in message ? message : null;
    } catch (error) {
        return null;
    }
}

dialect('recordapp', {
    fields: (message) => message && message.args,
    refusals({ action, callback }, { code, message }) {
        const reason = code === 'cancelled' ? code : message;
        const answer = { action, callback, status: '', message: reason, value: null };
        return [{ function: ['AppJsBridgeRequest', 'Call'], arguments: [answer] }];
    },
    install() {
        const original = window.prompt;
        // By this the pages know that prompt() reaches an app.
        addHandler('RecordAppJsBridgeIsSet', () => {});
        window.prompt = function (said, ...rest) {
            const message = messageOf(said);
            if (!message) return original.call(window, said, ...rest);
            ask('recordapp', message);
            // prompt() has to answer at once; the code follows by AppJsBridgeRequest.Call.
            return JSON.stringify({ status: '', message: '', callback: message.callback, value: null });
        };
    },
});
