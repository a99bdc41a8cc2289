// Elements in one expression each.

type Child = Node | string | null;

type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => void)>>;

/** An element: attributes by name, true for one without a value, false for none, a function for what listens. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A choice from a list, with what it is called. */
export function select(
  label: string,
  options: readonly { readonly value: string; readonly text: string }[],
  chosen: string,
  choose: (value: string) => void,
): HTMLLabelElement {
  const made = el("select", { change: () => { choose(made.value); } }); // prettier-ignore
  made.append(...options.map(({ value, text }) => el("option", { value, selected: value === chosen }, text)));
  made.value = chosen;
  return el("label", { class: "field" }, el("span", {}, label), made);
}

export function button(text: string, click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return el("button", { type: "button", click, ...attributes }, text);
}

/** An SVG that the library has drawn, without its own colours: those of the page are for both themes. */
export function svgOf(text: string, label: string): SVGElement | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  parsed.querySelector("style")?.remove();
  const found = parsed.documentElement;
  if (!(found instanceof SVGElement)) return null;
  found.setAttribute("role", "img");
  found.setAttribute("aria-label", label);
  return document.importNode(found, true);
}

export function problem(text: string): HTMLPreElement {
  return el("pre", { class: "problem", role: "alert", tabindex: "0" }, text);
}
