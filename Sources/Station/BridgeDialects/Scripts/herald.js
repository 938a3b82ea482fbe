// Herald.

dialect('herald', {
    install() {
        addHandler('heraldAppBridge', (message) => { askOrThrow('herald', message); });
    },
});
