// What the browser remembers for the page. Where it denies storage or has no room, the page remembers it for as long as it
// is open.

/** Makes a store; `open` returns the browser's, and throws where that is denied. */
function store(open) {
    const memory = new Map();
    return {
        /** The text of a key; null if there is none. */
        read(key) {
            if (memory.has(key)) return memory.get(key);
            try {
                return open().getItem(key);
            } catch (error) {
                return null;
            }
        },
        /** The value of a key that holds JSON; null if there is none, or none that can be read. */
        readJSON(key) {
            try {
                return JSON.parse(this.read(key));
            } catch (error) {
                return null;
            }
        },
        write(key, text) {
            try {
                open().setItem(key, text);
                memory.delete(key);
            } catch (error) {
                memory.set(key, text);
            }
        },
        remove(key) {
            memory.delete(key);
            try {
                open().removeItem(key);
            } catch (error) {
                // What is denied holds nothing.
            }
        },
    };
}

/** What all pages of the station share, also after they are closed. */
export const ofOrigin = store(() => localStorage);

/** What this tab keeps until it is closed. */
export const ofTab = store(() => sessionStorage);
