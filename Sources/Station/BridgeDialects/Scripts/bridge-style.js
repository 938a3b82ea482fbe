// How the window looks.

const style = `
    :host { all: initial; }
    dialog {
        box-sizing: border-box; width: min(34rem, calc(100vw - 1.5rem)); max-height: calc(100vh - 1.5rem);
        padding: 0; border: 0; border-radius: 18px; color: #16202b; background: #fff;
        font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC",
            "Microsoft YaHei", "Noto Sans CJK SC", "Droid Sans Fallback", sans-serif;
        box-shadow: 0 0 0 1px rgb(8 20 35 / .18), 0 24px 64px rgb(8 20 35 / .45); overflow-y: auto;
    }
    /* What the page says of the thing that is to be scanned stays readable. */
    dialog::backdrop { background: rgb(10 18 28 / .18); }
    @media (min-width: 60rem) { dialog { margin: auto 1.5rem 1.5rem auto; } }
    header { display: flex; align-items: center; gap: .6rem; padding: .9rem 1.25rem 0; }
    .who { padding: .1rem 1.25rem .6rem; font-size: .9rem; color: #5b6876; overflow-wrap: anywhere; }
    h2 { flex: 1; margin: 0; font-size: 1.1rem; font-weight: 650; }
    .left { font-variant-numeric: tabular-nums; color: #5b6876; font-size: .9rem; }
    .stage { position: relative; background: #0b1118; aspect-ratio: 4 / 3; max-height: 55vh; width: 100%; }
    .stage[hidden] { display: none; }
    @media (max-height: 34rem) { .stage { max-height: 28vh; } }
    canvas { display: block; width: 100%; height: 100%; object-fit: contain; }
    .none {
        position: absolute; inset: 0; display: grid; place-items: center; color: #d5dee8; padding: 1rem;
        text-align: center; background: #0b1118;
    }
    .none[hidden] { display: none; }
    .aim {
        position: absolute; inset: 14%; border-radius: 14px; pointer-events: none;
        background:
            linear-gradient(#fff 0 0) 0 0 / 30px 3px, linear-gradient(#fff 0 0) 0 0 / 3px 30px,
            linear-gradient(#fff 0 0) 100% 0 / 30px 3px, linear-gradient(#fff 0 0) 100% 0 / 3px 30px,
            linear-gradient(#fff 0 0) 0 100% / 30px 3px, linear-gradient(#fff 0 0) 0 100% / 3px 30px,
            linear-gradient(#fff 0 0) 100% 100% / 30px 3px, linear-gradient(#fff 0 0) 100% 100% / 3px 30px;
        background-repeat: no-repeat; filter: drop-shadow(0 0 2px rgb(0 0 0 / .9));
    }
    p { margin: 0; padding: .8rem 1.25rem 0; }
    .problem { color: #b3261e; }
    .problem:empty { display: none; }
    .wrong { color: #8a4b00; font-weight: 600; }
    .form { padding: .8rem 1.25rem 0; }
    .form[hidden] { display: none; }
    .form label { display: block; font-size: .9rem; margin-bottom: .3rem; }
    .line { display: flex; gap: .6rem; }
    #entry {
        flex: 1; min-width: 0; font: inherit; padding: .55rem .75rem; border-radius: 11px; border: 1px solid #7b8896;
        background: transparent; color: inherit; min-height: 2.75rem; box-sizing: border-box;
    }
    #entry:focus-visible { outline: 3px solid #2a9d9d; outline-offset: 1px; }
    /* What can be done stays in view, however low the window is. */
    footer {
        display: flex; gap: .6rem; justify-content: flex-end; flex-wrap: wrap; padding: 1rem 1.25rem 1.15rem;
        position: sticky; bottom: 0; background: inherit;
    }
    button {
        font: inherit; font-weight: 600; border-radius: 11px; border: 1px solid #7b8896; padding: .6rem 1.1rem;
        background: transparent; color: inherit; cursor: pointer; min-height: 2.75rem;
    }
    button:hover { background: #eef3f7; }
    button[hidden] { display: none; }
    button.main { background: #0b6e6e; border-color: #0b6e6e; color: #fff; }
    button.main:hover { background: #095a5a; }
    button:focus-visible { outline: 3px solid #2a9d9d; outline-offset: 2px; }
    input[type=file] { display: none; }
    /* In a low frame, words and buttons come first, and the picture gets the remaining room. */
    @media (max-height: 22rem) {
        dialog {
            width: calc(100vw - .5rem); max-width: none; max-height: calc(100vh - .5rem); border-radius: 10px;
            font-size: 14px; line-height: 1.35;
        }
        header { padding: .4rem .75rem 0; }
        h2 { font-size: 1rem; }
        .who { padding: 0 .75rem .3rem; }
        .stage { aspect-ratio: auto; height: 22vh; }
        dialog:has(.form:not([hidden])) :is(.stage, #hint) { display: none; }
        .stage:has(.none:not([hidden])) { height: auto; max-height: none; }
        .stage:has(.none:not([hidden])) :is(canvas, .aim) { display: none; }
        .none { position: static; padding: .3rem .75rem; }
        p, .form { padding: .3rem .75rem 0; }
        footer { padding: .4rem .75rem .5rem; gap: .4rem; }
        footer button { flex: 1 1 auto; }
        button, #entry { min-height: 2.3rem; padding: .25rem .4rem; }
    }
    @media (prefers-color-scheme: dark) {
        dialog { color: #e6edf3; background: #17202a; }
        .left, .who { color: #9fb0bf; }
        .wrong { color: #ffc46b; }
        #entry { border-color: #6c7d8c; }
        .problem { color: #ff9d94; }
        button { border-color: #6c7d8c; }
        button:hover { background: #22303c; }
        button.main { background: #2bb3a8; border-color: #2bb3a8; color: #06211f; }
        button.main:hover { background: #45c7bd; }
    }
    @media (prefers-reduced-motion: no-preference) {
        dialog[open] { animation: rise .16s ease-out; }
        @keyframes rise { from { opacity: 0; transform: translateY(10px); } }
    }
`;

function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}
