// Signing in: where the page keeps the station's token, and the form that asks for it.

import { ofOrigin } from './app-memory.js';
import { word } from './app-words.js';

const at = (id) => document.getElementById(id);
const key = 'quietzone.token';
/** How long the page waits for what the station says before it shows itself, in milliseconds. */
const longestWait = 2000;
/** How long the station may take to answer whether it admits a token, in milliseconds. */
const longestAnswer = 8000;

// localStorage belongs to this origin alone, its port included; a cookie would go to every server of the machine.
export const token = () => ofOrigin.read(key) || '';

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

/** Indicates whether an answer refuses the token: it is unknown, or may not open this page, such as a phone's. */
export const refusesToken = ({ status }) => status === 401 || status === 403;

/** Why the station does not admit a token, by a key among the page's words; null if it does. */
async function refusalOf(text) {
    try {
        const response = await fetch('/scans?limit=1', {
            cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(longestAnswer), headers: authorization(text),
        });
        if (response.ok) return null;
        return refusesToken(response) ? 'wrongToken' : 'noAnswer';
    } catch (error) {
        return 'noAnswer';
    }
}

/** What is wrong, by its key among the page's words. */
let problem = '';

/** Everything that holds words is written anew. */
export function retranslateAccess() {
    const said = problem ? word(problem) : '';
    if (at('sign-in-problem').textContent !== said) at('sign-in-problem').textContent = said;
}

/** Shows the form, with what is wrong. The rest of the page stays where the person was signed in before. */
export function askToSignIn(key) {
    // Each attempt to connect is refused until then: what the person reads and types stays.
    if (!at('sign-in').hidden && key === 'signedOut') return;
    problem = key;
    at('sign-in').hidden = false;
    at('workplace').hidden = !token();
    retranslateAccess();
    if (document.activeElement === document.body) at('token').focus();
}

/** The station takes the page's token, also where another tab has signed in. */
export function signedIn() {
    problem = '';
    at('token').value = '';
    at('sign-in').hidden = true;
    at('workplace').hidden = false;
}

/** Shows the page, whatever the station has said so far, unless somebody is asked to sign in. */
export function showPage() {
    if (at('sign-in').hidden) at('workplace').hidden = false;
}

/**
 * Signs in by the link or by the form, and calls `enter` each time that this went well. It calls `signedIn` once the
 * station has said what the page shows.
 *
 * A token is kept only once the station has taken it: a link of somebody else's signs nobody out.
 */
export function startAccess(enter) {
    const enterSoon = () => {
        setTimeout(showPage, longestWait);
        enter();
    };
    const offer = async (text) => {
        const refusal = await refusalOf(text);
        if (refusal) return refusal;
        ofOrigin.write(key, text);
        at('sign-in').hidden = true;
        enterSoon();
        return null;
    };
    const begin = async () => {
        const offered = takeFromAddress();
        const refusal = offered ? await offer(offered) : '';
        if (refusal === null) return;
        if (token()) enterSoon();
        else askToSignIn(refusal);
    };
    at('sign-in').addEventListener('submit', async (event) => {
        event.preventDefault();
        const refusal = await offer(at('token').value.trim());
        if (refusal) askToSignIn(refusal);
    });
    // A link that is opened in this tab again changes the fragment alone.
    addEventListener('hashchange', () => {
        const offered = takeFromAddress();
        if (!offered) return;
        offer(offered).then((refusal) => {
            // Whoever is signed in stays so.
            if (refusal && !at('sign-in').hidden) askToSignIn(refusal);
        });
    });
    begin();
}
