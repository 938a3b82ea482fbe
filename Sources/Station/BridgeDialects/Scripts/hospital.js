// The hospital's app.

dialect('hospital', {
    install() {
        addHandler('scanCode', (message) => { askOrThrow('hospital', message); });
    },
});
