// Pictures that the station does not have yet, kept by the browser, so that a reload or a closed page loses none.

const table = 'pictures';

const opened = new Promise((resolve, reject) => {
    const request = indexedDB.open('quietzone', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});
// Whoever asks for a picture hears of it.
opened.catch(() => {});

async function act(mode, body) {
    const database = await opened;
    return new Promise((resolve, reject) => {
        const transaction = database.transaction(table, mode);
        const request = body(transaction.objectStore(table));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onerror = () => reject(transaction.error);
        transaction.onabort = () => reject(transaction.error);
    });
}

/** Keeps a picture with its state, and returns the browser's own copy: the file may change or go away. */
export async function keep({ id, name, file, state, reason }) {
    await act('readwrite', (pictures) => pictures.put({ id, name, file, state, reason, at: Date.now() }));
    return (await act('readonly', (pictures) => pictures.get(id))).file;
}

export function forget(id) {
    return act('readwrite', (pictures) => pictures.delete(id));
}

/** All that are kept, the oldest first. */
export async function kept() {
    const pictures = await act('readonly', (all) => all.getAll());
    return pictures.sort((one, other) => one.at - other.at);
}
