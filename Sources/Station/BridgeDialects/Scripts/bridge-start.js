// What the page gets, once every part is there.

// A page that records sound in the browser leaves "recordapp" out, whose marker says that there is an app.
const wanted = (script.dataset.dialects || table.dialects.join(' ')).split(/[\s,]+/);

for (const [name, { install, isAlways }] of dialects) {
    if (!isAlways && !wanted.includes(name)) continue;
    try {
        install();
    } catch (error) {
        // A page may have what cannot be added to; it gets the others.
        setTimeout(() => { throw error; });
    }
}
if (isOpaque) console.error('quietzone: ' + text('opaque'));

// A page that goes away asks for nothing any more. What was read meanwhile is in the station's history.
window.addEventListener('pagehide', () => {
    if (current && !current.done && session && session.token) {
        const headers = { Authorization: 'Bearer ' + session.token };
        const path = '/bridge/requests/' + current.id;
        fetch(station + path, { method: 'DELETE', headers, credentials: 'omit', keepalive: true }).catch(() => {});
    }
});
