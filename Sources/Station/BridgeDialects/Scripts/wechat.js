// WeChat.

function wechat(api) {
    return function (options) {
        const { success, fail, cancel, complete } = options || {};
        const isCalledBack = [success, fail, cancel, complete].some((one) => typeof one === 'function');
        const asking = new Promise((resolve) => {
            const message = { api };
            // WeChat knows more functions than these, so that those are left out and not refused.
            for (const [key, value] of Object.entries(options || {})) {
                if (typeof value !== 'function') message[key] = value;
            }
            resolve(askAndWait('wechat', message));
        }).catch((error) => ({ error: { code: 'invalid_request', message: reasonOf(error) } }));
        const answer = asking.then((outcome) => {
            if (outcome.error) {
                const reason = String(outcome.error.message || outcome.error.code);
                const cancelled = api === 'scanCode' ? 'scanCode:fail cancel' : 'scanQRCode:cancel';
                const result = { errMsg: api + ':fail ' + reason };
                if (outcome.error.code === 'cancelled') result.errMsg = cancelled;
                else if (reason.startsWith(api + ':')) result.errMsg = reason;
                if (!isCalledBack) throw result;
                // The JS-SDK tells a cancelled scan by a function of its own.
                const callback = outcome.error.code === 'cancelled' && cancel ? cancel : fail;
                if (callback) callback(result);
                if (complete) complete(result);
                return undefined;
            }
            const result = Object.assign({ errMsg: api + ':ok' }, outcome.value);
            if (success) success(result);
            if (complete) complete(result);
            return result;
        });
        // As in WeChat: whoever gives functions gets no promise.
        return isCalledBack ? undefined : answer;
    };
}

dialect('wechat', {
    install() {
        const wx = window.wx = window.wx || {};
        const offered = {
            scanCode: wechat('scanCode'),
            scanQRCode: wechat('scanQRCode'),
            config() {},
            error() {},
            ready(then) { Promise.resolve().then(then); },
            checkJsApi(options) {
                const checkResult = {};
                for (const name of (options && options.jsApiList) || []) {
                    checkResult[name] = typeof wx[name] === 'function';
                }
                if (options && options.success) options.success({ checkResult, errMsg: 'checkJsApi:ok' });
            },
        };
        for (const [name, value] of Object.entries(offered)) {
            mine.add(value);
            if (typeof wx[name] !== 'function') wx[name] = value;
        }
    },
});
