// What the station does not have yet, kept by the browser, so that a reload or a closed page loses none: pictures, and
// codes that were typed.

const opened = new Promise((resolve, reject) => {
    const request = indexedDB.open('quietzone', 2);
    request.onupgradeneeded = () => {
        const { result } = request;
        for (const table of ['pictures', 'codes']) {
            if (!result.objectStoreNames.contains(table)) result.createObjectStore(table, { keyPath: 'id' });
        }
    };
    request.onsuccess = () => {
        // A page of a later version may need another form.
        request.result.onversionchange = () => request.result.close();
        resolve(request.result);
    };
    request.onerror = () => reject(request.error);
});
// Whoever asks for something hears of it.
opened.catch(() => {});

async function act(table, mode, body) {
    const database = await opened;
    return new Promise((resolve, reject) => {
        const transaction = database.transaction(table, mode);
        const request = body(transaction.objectStore(table));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onerror = () => reject(transaction.error);
        transaction.onabort = () => reject(transaction.error);
    });
}

/** All that are kept in a table, the oldest first. */
async function all(table) {
    const found = await act(table, 'readonly', (kept) => kept.getAll());
    return found.sort((one, other) => one.at - other.at);
}

/** Keeps a picture with its state, and returns the browser's own copy: the file may change or go away. */
export async function keep({ id, name, file, state, reason }) {
    await act('pictures', 'readwrite', (pictures) => pictures.put({ id, name, file, state, reason, at: Date.now() }));
    return (await act('pictures', 'readonly', (pictures) => pictures.get(id))).file;
}

export const forget = (id) => act('pictures', 'readwrite', (pictures) => pictures.delete(id));

export const kept = () => all('pictures');

export const keepCode = (code) => act('codes', 'readwrite', (codes) => codes.put(code));

export const forgetCode = (id) => act('codes', 'readwrite', (codes) => codes.delete(id));

export const keptCodes = () => all('codes');
