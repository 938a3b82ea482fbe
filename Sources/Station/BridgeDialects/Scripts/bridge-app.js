// An app of the station: where another server answers that nobody is signed in, the app's own page for that opens.

{
    const place = new URL(table.signIn, location.origin);

    const heard = (status, address) => {
        if (status !== 401 || location.pathname === place.pathname) return;
        let origin = '';
        try {
            origin = new URL(address, location.href).origin;
        } catch (error) {
            return;
        }
        // The bridge renews its session with the station by itself.
        if (origin === station) return;
        place.searchParams.set('back', location.pathname + location.search + location.hash);
        location.assign(place.href);
    };

    const askServer = window.fetch;
    window.fetch = async function fetch(...given) {
        const response = await Reflect.apply(askServer, this, given);
        heard(response.status, response.url);
        return response;
    };

    const { open } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (...given) {
        this.addEventListener('loadend', () => heard(this.status, this.responseURL));
        return Reflect.apply(open, this, given);
    };
}
