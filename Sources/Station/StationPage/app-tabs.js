// The tabs beside the camera: one panel is open at a time. In a narrow window the history is a tab too, and the tabs are
// a bar at the bottom.

const at = (id) => document.getElementById(id);
const names = ['history', 'type', 'pictures', 'count', 'phone', 'todo'];
/** As the style sheet has it. */
const narrow = matchMedia('(max-width: 60rem)');

/** The tab that somebody chose; null for the first of the window. */
let chosen = null;

const tabOf = (name) => at('tab-' + name);
const panelOf = (name) => at(name === 'history' ? 'history' : 'panel-' + name);
const offered = () => (narrow.matches ? names : names.slice(1));

function show() {
    const all = offered();
    const open = all.includes(chosen) ? chosen : all[0];
    for (const name of names) {
        const isOpen = name === open;
        tabOf(name).setAttribute('aria-selected', String(isOpen));
        tabOf(name).tabIndex = isOpen ? 0 : -1;
        panelOf(name).hidden = !isOpen && (name !== 'history' || narrow.matches);
    }
    at('panels').hidden = open === 'history';
}

/** Opens a tab, as its button does. */
export function openTab(name) {
    chosen = name;
    show();
}

/** Shows on a tab how many things wait in it; `isBad` if they are lost unless somebody acts. */
export function countOnTab(name, count, isBad) {
    const badge = at(name + '-count');
    badge.textContent = count || '';
    badge.dataset.state = isBad ? 'bad' : 'waiting';
}

export function startTabs() {
    for (const name of names) tabOf(name).addEventListener('click', () => openTab(name));
    at('tabs').addEventListener('keydown', (event) => {
        const all = offered();
        const index = all.findIndex((name) => tabOf(name) === document.activeElement);
        const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: all.length - 1 }[event.key];
        if (index < 0 || to === undefined) return;
        event.preventDefault();
        const name = all[(to + all.length) % all.length];
        openTab(name);
        tabOf(name).focus();
    });
    document.querySelector('.skip').addEventListener('click', () => openTab(narrow.matches ? 'history' : chosen));
    narrow.addEventListener('change', show);
    at('preferences-open').addEventListener('click', () => at('preferences').showModal());
    at('preferences-close').addEventListener('click', () => at('preferences').close());
    show();
}
