// One request, from its first POST to its end.

/** From the first POST to the answer. What the station said last is in `state`. */
function serve(request) {
    return new Promise((resolve) => {
        const stop = new AbortController();
        const path = '/bridge/requests/' + request.id;
        let isFollowed = false;
        let isStale = false;
        let posting = null;
        let typing = null;
        let retry = firstRetry;
        let timer = null;
        let away = null;
        let isGivenUp = false;
        // What it came to where its time is up: to the station it was canceled then.
        let ending = null;
        // Whether the window says that the station does not answer; what else it says stays when it does again.
        let isSaidAway = false;
        const silence = setTimeout(() => {
            overlay.open(request);
            overlay.say(text('unreachable'));
            isSaidAway = true;
        }, maximumSilence);

        const finish = (outcome, calls) => {
            if (request.done) return;
            stop.abort();
            clearTimeout(timer);
            clearTimeout(silence);
            // First, for it gives the focus back, which the page may then move to its next field.
            overlay.close();
            resolve();
            conclude(request, outcome, calls);
        };

        const take = (data) => {
            if (request.done || !data || data.request !== request.id) return;
            clearTimeout(silence);
            if (data.source) request.source = data.source;
            if (Array.isArray(data.formats)) request.formats = data.formats;
            if (data.timeout && !request.isTimed && data.timeout !== request.timeout) limit(request, data.timeout);
            request.waitsFor = data.state === 'waiting' ? data.waitsFor : null;
            request.isRepeated = Boolean(data.repeated);
            if (ending && data.state === 'cancelled') {
                finish(ending);
            } else if (data.state && data.state !== 'open' && data.state !== 'waiting') {
                finish(data.outcome || failure(data.state), data.calls);
            } else {
                overlay.open(request);
                sendTyped();
            }
        };

        const tryLater = (error) => {
            away = error;
            clearTimeout(silence);
            overlay.open(request);
            overlay.say(error.message);
            isSaidAway = true;
            clearTimeout(timer);
            timer = setTimeout(post, Math.max(retry, error.retryAfter ? error.retryAfter * 1000 : 0));
            retry = Math.min(retry * 2, maximumRetry);
        };

        const post = () => {
            clearTimeout(timer);
            timer = null;
            if (request.done || posting || isGivenUp) return posting;
            isStale = false;
            const body = JSON.stringify({ request: request.id, message: request.message });
            const headers = { 'Content-Type': 'application/json' };
            const init = { method: 'POST', headers, body, signal: inTime(stop.signal) };
            posting = envelope(call('/bridge/' + request.dialect, init)).then((data) => {
                posting = null;
                away = null;
                retry = firstRetry;
                if (isSaidAway) overlay.say('');
                isSaidAway = false;
                take(data);
                // While no stream says what happened, the station is asked again; that changes nothing there.
                if (isStale) post();
                else if (!isFollowed && !timer) timer = setTimeout(post, 1000);
            }).catch((error) => {
                posting = null;
                if (request.done) return;
                clearTimeout(silence);
                if (isPassing(error)) tryLater(error);
                else refuse(request, error, finish);
            });
            return posting;
        };

        // What was typed is kept until the station has it.
        const sendTyped = () => {
            if (request.typed === null || request.done || typing) return;
            const body = JSON.stringify({ text: request.typed, gun: request.isGun || undefined });
            const headers = { 'Content-Type': 'application/json' };
            typing = envelope(call(path + '/typed', { method: 'POST', headers, body, signal: inTime(stop.signal) }))
                .then((data) => {
                    typing = null;
                    take(data);
                }).catch((error) => {
                    typing = null;
                    if (request.done) return;
                    // A station that was started anew does not know the request yet.
                    if (isPassing(error) || error.status === 404) {
                        tryLater(error);
                    } else {
                        request.typed = null;
                        overlay.say(error.message);
                    }
                });
        };

        request.post = post;
        // For a request that the station will not serve, and that is shown until somebody has read why.
        request.halt = () => {
            stop.abort();
            clearTimeout(timer);
            clearTimeout(request.timer);
        };
        // By a person in the window, or by a gun anywhere in the page.
        request.type = (typed, isGun) => {
            request.typed = typed;
            request.isGun = Boolean(isGun);
            overlay.say('');
            sendTyped();
        };
        request.readAgain = () => envelope(call(path + '/again', { method: 'POST', signal: stop.signal })).then(take)
            .catch((error) => { if (!request.done) overlay.say(error.message); });
        // Neither who pressed Esc nor whose time is up waits for a station that is gone.
        const giveUp = (outcome, timeout) => {
            isGivenUp = true;
            // A station that opened the request after this would have it read a code for nobody.
            Promise.resolve(posting).then(() => envelope(call(path, { method: 'DELETE', keepalive: true }))).then(take)
                .catch(() => {}).finally(() => finish(outcome));
            setTimeout(() => finish(outcome), timeout);
        };
        request.cancel = () => giveUp(failure('cancelled'), 1500);
        request.expire = () => {
            ending = away ? { error: { code: away.code, message: away.message } } : failure('expired');
            giveUp(ending, finalStateTimeout);
        };
        alone(stop.signal, () => follow(stop.signal, (on, isSilent) => {
            isFollowed = on;
            if (isSilent) tryLater(new StationError('unreachable', text('unreachable')));
            // What happened before the stream was there is asked for, once more where an answer is under way.
            if (on && posting) isStale = true;
            else if (on) post();
            else if (!timer) timer = setTimeout(post, 1000);
        }, (event) => {
            if (event.event !== 'request') return;
            // An answer that is under way may be older than this event.
            if (posting) isStale = true;
            try {
                take(JSON.parse(event.data));
            } catch (error) {
                console.error('quietzone: an event of the station was not understood', error);
            }
        }));
        post();
    });
}

function failure(state) {
    const code = { cancelled: 'cancelled', expired: 'timed_out' }[state] || 'failed';
    return { error: { code, message: text(code) } };
}

/** The station will not serve this: those who wait hear it, and a person sees it where nobody waits. */
function refuse(request, error, finish) {
    const outcome = { error: { code: error.code || 'failed', message: error.message } };
    if (request.settle || dialects.get(request.dialect).refusals || error.code === 'unknown_message') {
        if (!request.settle) console.warn('quietzone: ' + error.message);
        finish(outcome);
        return;
    }
    console.error('quietzone: ' + error.message);
    request.halt();
    request.cancel = () => finish(outcome);
    request.type = () => overlay.say(error.message);
    overlay.open(request);
    overlay.fail(error.message);
}
