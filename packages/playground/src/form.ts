// Arguments of a definition, by form: a field for each number and Boolean, JSON for lists and data.

import { el } from "./dom.js";
import type { Given } from "./page.js";
import { pathText, type Path, valueAt, withNumberAt } from "./values.js";

/** What a field tells of what is written in it. */
interface Written {
  readonly set: (path: Path, value: unknown) => void;
  /** It is no value yet. */
  readonly unfinished: (path: Path) => void;
}

/** The fields for a document of arguments; `change` gets the document anew, and `unfinished` is called where something is written that is no argument yet. */
export function formOf(args: Given, change: (args: Given) => void, unfinished: () => void): HTMLElement {
  let now = args;
  const open = new Set<string>();
  const written: Written = {
    set: (path, value) => {
      now = withNumberAt(now, path, value);
      open.delete(pathText(path));
      if (open.size === 0) change(now);
    },
    unfinished: (path) => {
      open.add(pathText(path));
      unfinished();
    },
  };
  const fields = Object.keys(args).map((name) => fieldOf([name], args[name], written));
  if (fields.length === 0) return el("p", {}, "This definition takes no arguments.");
  return el("div", { class: "form", role: "group", "aria-label": "Arguments" }, ...fields);
}

function fieldOf(path: Path, value: unknown, written: Written): HTMLElement {
  const name = pathText(path.slice(-1));
  if (typeof value === "number") {
    const input = el("input", { type: "number", step: "any", value: String(value), "aria-label": pathText(path) });
    const wrong = wrongness(input);
    input.addEventListener("input", () => {
      const isNumber = !Number.isNaN(input.valueAsNumber);
      wrong.say(isNumber ? "" : "This is no number yet.");
      if (isNumber) written.set(path, input.valueAsNumber);
      else written.unfinished(path);
    });
    return el("label", { class: "field" }, el("span", {}, name), input, wrong.element);
  }
  if (typeof value === "boolean") {
    const input = el("input", { type: "checkbox", checked: value, "aria-label": pathText(path) });
    input.addEventListener("change", () => {
      written.set(path, input.checked);
    });
    return el("label", { class: "field" }, el("span", {}, name), input);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !("tag" in value)) {
    const parts = Object.keys(value).map((key) => fieldOf([...path, key], valueAt(value, [key]), written));
    return el("fieldset", {}, el("legend", {}, name), ...parts);
  }
  return jsonField(path, name, value, written);
}

/** Says at a field what is wrong with what is written in it; nothing where that is nothing. */
export function wrongness(field: HTMLElement): { readonly element: HTMLElement; readonly say: (text: string) => void } {
  const element = el("span", { class: "wrong", "aria-live": "polite" });
  const say = (text: string): void => {
    element.textContent = text;
    if (text === "") field.removeAttribute("aria-invalid");
    else field.setAttribute("aria-invalid", "true");
  };
  return { element, say };
}

function jsonField(path: Path, name: string, value: unknown, written: Written): HTMLElement {
  const text = JSON.stringify(value, null, 1)
    .replace(/\n\s*(?=[^{\n]*$)|(?<=[[,{])\n\s*(?=[-\d."])/gm, " ")
    .replace(/\n\s*/g, " ");
  const area = el("textarea", { rows: text.length > 60 ? "4" : "1", spellcheck: "false", "aria-label": `${pathText(path)}, as JSON` }); // prettier-ignore
  area.value = text;
  const wrong = wrongness(area);
  area.addEventListener("input", () => {
    const parsed = parsedJson(area.value);
    wrong.say(parsed === undefined ? "This is no JSON yet." : "");
    if (parsed === undefined) written.unfinished(path);
    else written.set(path, parsed);
  });
  return el("label", { class: "field wide" }, el("span", {}, name), area, wrong.element);
}

/** What a text of JSON says; undefined where it is none. */
function parsedJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return undefined;
  }
}
