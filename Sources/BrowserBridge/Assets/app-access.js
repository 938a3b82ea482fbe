// Signing in: where the page keeps the station's token, and the form that asks for it.

const at = (id) => document.getElementById(id);
const key = 'quietzone.token';

// localStorage belongs to this origin alone, its port included; a cookie would go to every server of the machine.
export const token = () => localStorage.getItem(key) || '';

/** The headers of a request with the page's token. */
export const authorization = (text = token()) => ({ Authorization: 'Bearer ' + text });

/** The token that a link has brought; it leaves the address, and so the history, at once. */
function takeFromAddress() {
    const address = new URL(location.href);
    const offered = new URLSearchParams(address.hash.slice(1)).get('token') || address.searchParams.get('token');
    if (!offered) return '';
    address.searchParams.delete('token');
    history.replaceState(null, '', address.pathname + address.search);
    return offered;
}

/** Whether the station takes a token; throws where it does not answer. */
async function isAdmitted(text) {
    const response = await fetch('/scans?limit=1', { cache: 'no-store', credentials: 'omit', headers: authorization(text) });
    return response.status !== 401;
}

/** Shows the form, with what is wrong. The rest of the page stays where the person was signed in before. */
export function askToSignIn(problem) {
    at('sign-in').hidden = false;
    at('workplace').hidden = !token();
    at('sign-in-problem').textContent = problem;
}

/**
 * Signs in by the link or by the form, and calls `enter` each time that this went well; `word` has the page's words.
 *
 * A token is kept only once the station has taken it: a link of somebody else's signs nobody out.
 */
export function startAccess(word, enter) {
    const offer = async (text) => {
        try {
            if (!(await isAdmitted(text))) return word('wrongToken');
        } catch (error) {
            return word('gone');
        }
        localStorage.setItem(key, text);
        at('token').value = '';
        at('sign-in').hidden = true;
        at('workplace').hidden = false;
        enter();
        return null;
    };
    const begin = async () => {
        const offered = takeFromAddress();
        const problem = offered ? await offer(offered) : '';
        if (problem === null) return;
        if (token()) {
            at('workplace').hidden = false;
            enter();
        } else {
            askToSignIn(problem);
        }
    };
    at('sign-in').addEventListener('submit', async (event) => {
        event.preventDefault();
        const problem = await offer(at('token').value.trim());
        if (problem) askToSignIn(problem);
    });
    // A link that is opened in this tab again changes the fragment alone.
    addEventListener('hashchange', () => {
        const offered = takeFromAddress();
        if (offered) offer(offered);
    });
    begin();
}
