// Style and script of the page of `dualrev steps --html`, as text: the page has them in itself.

export const pageStyle = `
:root { color-scheme: light dark; --ink: light-dark(#1d1f23, #e4e6ea); --soft: light-dark(#5a606b, #a4abb8); --line: light-dark(#d5d9e0, #3a404b);
  --paper: light-dark(#ffffff, #16181d); --code: light-dark(#f5f6f8, #1e2128); --accent: light-dark(#005a9c, #7cc0ff); --lit: light-dark(#ffe08a, #6b5300); --part: light-dark(#e7f1fb, #1f3247); }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.25rem; padding: 0.75rem 1rem; border-bottom: 1px solid var(--line) }
h1 { font-size: 1.2rem; margin: 0; overflow-wrap: anywhere }
header button { margin-left: auto }
a { color: var(--accent) }
main { padding: 0 1rem 2rem }
section { scroll-margin-top: 1rem }
h2 { font-size: 1.05rem; margin: 0.75rem 0 0.25rem }
h2 code { color: var(--accent) }
.change { margin: 0 0 0.75rem; color: var(--soft); max-width: 70ch }
.panes { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.5rem }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0.75rem 0 0; position: sticky; top: 0; background: var(--paper); z-index: 1 }
select, button { font: inherit; color: inherit; background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 0.2rem 0.6rem; min-height: 2.1rem; max-width: 100% }
.bar select { flex: 1 1 10rem; min-width: 0 }
button[aria-pressed="true"] { background: var(--part); border-color: var(--accent) }
button:disabled { opacity: 0.5 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
pre { margin: 0 0 0.75rem; padding: 0.6rem 0.75rem; overflow-x: auto; background: var(--code); border: 1px solid transparent; border-radius: 6px; font: 0.85rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; tab-size: 2 }
pre.near { border-color: var(--accent); background: var(--part) }
.lit { background: var(--lit); border-radius: 3px }
details { margin: 0 0 0.75rem }
summary { cursor: pointer; color: var(--soft) }
dl { display: grid; grid-template-columns: minmax(0, max-content) minmax(0, 1fr); gap: 0.1rem 1rem; font-size: 0.9rem }
dd { margin: 0; color: var(--soft) }
dt { overflow-wrap: anywhere }
figure { margin: 0.5rem 0; overflow: auto; max-height: 85vh }
figure img { display: block }
#lit { position: fixed; bottom: 0; right: 0; margin: 0; padding: 0.15rem 0.6rem; font-size: 0.85rem; color: var(--soft); background: var(--paper); border-top-left-radius: 6px }
#run, #cost { border-top: 1px solid var(--line); margin-top: 1.5rem }
@media (max-width: 720px) { .panes { grid-template-columns: minmax(0, 1fr) } .pane + .pane { border-top: 1px solid var(--line); margin-top: 1rem } .bar { position: static } dl { grid-template-columns: minmax(0, 1fr) } }
@media print { .bar, #scheme, #lit { display: none } pre { white-space: pre-wrap } }
`;

/**
 * Two panes, each with a stage in a form. A part that is pointed at is lit with the parts of the same definition, and a name with the same name in them: stages keep
 * the names that they are given. Within a text that has the focus the arrow keys go from name to name.
 */
export const pageScript = `
"use strict";
const all = document.getElementById("all");
const panes = document.getElementById("panes");
const status = document.getElementById("lit");
const articles = [...all.querySelectorAll("article")];
const labels = { term: "as terms", typescript: "as TypeScript" };
const make = (tag, attributes, ...children) => {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
};
const named = (text) => {
  const name = make("span", { className: "name" }, text);
  name.dataset.key = definitions.get(text) || text;
  return name;
};
const word = /[\\p{ID_Start}_$][\\p{ID_Continue}$']*/gu;
// A function of a stage stands for its definition
const definitions = new Map(Array.from(all.querySelectorAll("pre"), ({ dataset }) => [dataset.own, dataset.part]));
for (const code of all.querySelectorAll("pre code")) {
  const text = code.textContent;
  let end = 0;
  const parts = [];
  for (const match of text.matchAll(word)) {
    parts.push(text.slice(end, match.index), named(match[0]));
    end = match.index + match[0].length;
  }
  code.replaceChildren(...parts, text.slice(end));
}

const first = articles.findIndex((each) => each.dataset.stage !== "model");
const views = [{ at: 0, form: "term" }, { at: Math.max(first, 0), form: "term" }];
const read = () => {
  const [one, other] = decodeURIComponent(location.hash).startsWith("#show=") ? decodeURIComponent(location.hash).slice(6).split("|") : [];
  [one, other].forEach((text, index) => {
    const [stage, form] = (text ?? "").split(",");
    const at = articles.findIndex((each) => each.dataset.stage === stage);
    if (at >= 0) views[index] = { at, form: form === "typescript" ? form : "term" };
  });
};
const nameOf = ({ at, form }) => articles[at].dataset.stage + "," + form;
const keep = () => history.replaceState(null, "", "#show=" + views.map(nameOf).join("|"));

const sides = ["left", "right"].map((side, index) => {
  const choice = make("select", { ariaLabel: "The stage on the " + side });
  for (const { dataset } of articles) choice.append(make("option", { value: dataset.stage }, dataset.stage + ": " + dataset.title));
  const back = make("button", { type: "button", ariaLabel: "The stage before, on the " + side }, "◀");
  const on = make("button", { type: "button", ariaLabel: "The next stage, on the " + side }, "▶");
  const forms = Object.entries(labels).map(([form, label]) => make("button", { type: "button", value: form }, label));
  const body = make("div", {});
  const pane = make("section", { className: "pane", ariaLabel: "The " + side + " side" }, make("div", { className: "bar" }, back, choice, on, ...forms), body);
  const show = () => {
    const view = views[index];
    const article = articles[view.at].cloneNode(true);
    const has = (form) => article.querySelector('[data-form="' + form + '"]') !== null;
    for (const each of article.querySelectorAll("[data-form]")) each.hidden = has(view.form) && each.dataset.form !== view.form;
    body.replaceChildren(article);
    choice.selectedIndex = view.at;
    back.disabled = view.at === 0;
    on.disabled = view.at === articles.length - 1;
    for (const button of forms) {
      button.ariaPressed = String(button.value === view.form);
      button.disabled = !has(button.value);
    }
    light(null);
  };
  const change = (changes) => {
    views[index] = { ...views[index], ...changes };
    show();
    keep();
  };
  choice.addEventListener("change", () => change({ at: choice.selectedIndex }));
  back.addEventListener("click", () => change({ at: views[index].at - 1 }));
  on.addEventListener("click", () => change({ at: views[index].at + 1 }));
  for (const button of forms) button.addEventListener("click", () => change({ form: button.value }));
  panes.append(pane);
  return { pane, show };
});

/** Lights a name, in the parts that belong together; null: nothing. */
function light(name) {
  for (const each of panes.querySelectorAll(".lit, .near")) each.classList.remove("lit", "near");
  status.textContent = "";
  const part = name === null ? null : name.closest("pre").dataset.part;
  if (name === null) return;
  const counts = sides.map(({ pane }) => {
    const fitting = [...pane.querySelectorAll("pre")].filter((pre) => pre.checkVisibility() && (part === "" || pre.dataset.part === "" || pre.dataset.part === part));
    if (part !== "") for (const pre of fitting) if (pre.dataset.part === part) pre.classList.add("near");
    const same = fitting.flatMap((pre) => [...pre.querySelectorAll(".name")]).filter((each) => each.dataset.key === name.dataset.key);
    for (const each of same) each.classList.add("lit");
    return same.length;
  });
  status.textContent = name.dataset.key + ": " + counts[0] + " on the left, " + counts[1] + " on the right";
}
let pinned = false;
panes.addEventListener("pointerover", ({ target }) => {
  if (!pinned) light(target.closest(".name"));
});
panes.addEventListener("click", ({ target }) => {
  const name = target.closest(".name");
  pinned = name !== null && !(pinned && name.classList.contains("lit"));
  light(name);
});
panes.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const pre = event.target.closest("pre");
  if (event.key === "Escape") {
    pinned = false;
    light(null);
  }
  if (step === undefined || pre === null || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const names = [...pre.querySelectorAll(".name")];
  const distinct = names.filter((name, index) => names.findIndex((other) => other.dataset.key === name.dataset.key) === index);
  if (distinct.length === 0) return;
  const now = distinct.findIndex((name) => name.dataset.key === pre.dataset.at);
  const next = distinct[now < 0 ? (step > 0 ? 0 : distinct.length - 1) : (now + step + distinct.length) % distinct.length];
  pre.dataset.at = next.dataset.key;
  pinned = true;
  light(next);
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
});
const again = () => {
  read();
  for (const { show } of sides) show();
};
window.addEventListener("hashchange", again);

const scheme = document.getElementById("scheme");
const isDark = () => (document.documentElement.style.colorScheme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const tell = () => (scheme.textContent = isDark() ? "Light" : "Dark");
scheme.addEventListener("click", () => {
  document.documentElement.style.colorScheme = isDark() ? "light" : "dark";
  tell();
});
tell();
scheme.hidden = false;
all.hidden = true;
panes.hidden = false;
again();
`;
