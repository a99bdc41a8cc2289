// Arguments of a definition, by form: a field for each number and Boolean, JSON for lists and data.

import { el } from "./dom.js";
import type { Given } from "./page.js";
import { pathText, type Path, valueAt, withNumberAt } from "./values.js";

/** The fields for a document of arguments; `change` gets the document anew. */
export function formOf(args: Given, change: (args: Given) => void): HTMLElement {
  let now = args;
  const set = (path: Path, value: unknown): void => {
    now = withNumberAt(now, path, value);
    change(now);
  };
  const fields = Object.keys(args).map((name) => fieldOf([name], args[name], set));
  if (fields.length === 0) return el("p", {}, "This definition takes no arguments.");
  return el("div", { class: "form", role: "group", "aria-label": "Arguments" }, ...fields);
}

function fieldOf(path: Path, value: unknown, set: (path: Path, value: unknown) => void): HTMLElement {
  const name = pathText(path.slice(-1));
  if (typeof value === "number") {
    const input = el("input", { type: "number", step: "any", value: String(value), "aria-label": pathText(path) });
    input.addEventListener("input", () => {
      if (!Number.isNaN(input.valueAsNumber)) set(path, input.valueAsNumber);
    });
    return el("label", { class: "field" }, el("span", {}, name), input);
  }
  if (typeof value === "boolean") {
    const input = el("input", { type: "checkbox", checked: value, "aria-label": pathText(path) });
    input.addEventListener("change", () => {
      set(path, input.checked);
    });
    return el("label", { class: "field" }, el("span", {}, name), input);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !("tag" in value)) {
    const parts = Object.keys(value).map((key) => fieldOf([...path, key], valueAt(value, [key]), set));
    return el("fieldset", {}, el("legend", {}, name), ...parts);
  }
  return jsonField(path, name, value, set);
}

function jsonField(path: Path, name: string, value: unknown, set: (path: Path, value: unknown) => void): HTMLElement {
  const text = JSON.stringify(value, null, 1)
    .replace(/\n\s*(?=[^{\n]*$)|(?<=[[,{])\n\s*(?=[-\d."])/gm, " ")
    .replace(/\n\s*/g, " ");
  const area = el("textarea", { rows: text.length > 60 ? "4" : "1", spellcheck: "false", "aria-label": `${pathText(path)}, as JSON` }); // prettier-ignore
  area.value = text;
  area.addEventListener("input", () => {
    try {
      const parsed: unknown = JSON.parse(area.value);
      area.setCustomValidity("");
      area.removeAttribute("aria-invalid");
      set(path, parsed);
    } catch {
      area.setCustomValidity("This is no JSON");
      area.setAttribute("aria-invalid", "true");
    }
  });
  return el("label", { class: "field wide" }, el("span", {}, name), area);
}
