// Two stages side by side: the same sub-term of the model lit in both, and the rules that have made of it what stands there.

import type { Location, Step } from "dualrev";
import type { Told } from "../answers.js";
import { CodeView } from "../code-view.js";
import { button, el, problem, select } from "../dom.js";
import { model, typescript } from "../languages.js";
import type { Range } from "../lit.js";
import type { Page, View } from "../page.js";
import { ruleOf, stages } from "../stage-names.js";

/** A part of a shown text, and what it is from. */
interface Placed extends Range {
  readonly at: Range;
}

interface Shown {
  readonly text: string;
  readonly places: readonly Placed[];
}

const forms = [
  { value: "term", text: "as a term" },
  { value: "code", text: "as TypeScript" },
];

/** How Fig. 4 becomes the adjoint. */
const walk: readonly string[] = ["primal", "d1", "d2", "d3", "d4", "contrib", "tape", "adjoint"];

const gap = "\n\n";

/** A stage's term, or its code, with what is from where. */
function shownOf(step: Step, form: string): Shown {
  const parts = form === "code" ? step.functions.map(({ text, lines }) => ({ text, places: linePlaces(text, lines) })) : step.parts.map(({ text, marks }) => ({ text, places: marks })); // prettier-ignore
  let text = "";
  const places: Placed[] = [];
  for (const part of parts) {
    if (text !== "") text += gap;
    const base = text.length;
    text += part.text;
    for (const { start, end, at } of part.places) places.push({ start: base + start, end: base + end, at });
  }
  return { text, places };
}

function linePlaces(text: string, lines: readonly (Location | null)[]): readonly Placed[] {
  let start = 0;
  return text.split("\n").flatMap((line, i) => {
    const own = { start: start + line.length - line.trimStart().length, end: start + line.length };
    start += line.length + 1;
    const at = lines[i] ?? null;
    return at === null ? [] : [{ ...own, at }];
  });
}

/** The smallest around a place. */
function innermost(ranges: readonly Range[], offset: number): Range | null {
  const around = ranges.filter(({ start, end }) => start <= offset && offset <= end);
  return around.reduce<Range | null>((best, each) => (best === null || each.end - each.start < best.end - best.start ? each : best), null); // prettier-ignore
}

const same = (one: Range, other: Range): boolean => one.start === other.start && one.end === other.end;

class Pane {
  readonly element: HTMLElement;
  readonly #bar = el("div", { class: "bar" });
  readonly #about = el("div", { class: "about" });
  readonly #rule = el("p", { class: "rule", "aria-live": "polite" });
  readonly #code: CodeView;
  #shown: Shown = { text: "", places: [] };
  #stage = "";

  constructor(
    readonly side: "left" | "right",
    point: (at: Range | null, byKey: boolean, from: Pane) => void,
  ) {
    this.#code = new CodeView(`${side} stage`, side === "left" ? model : typescript, (offset, byKey) => {
      const place = offset === null ? null : innermost(this.#shown.places, offset);
      const found = this.#shown.places.find((each) => place !== null && same(each, place)) ?? null;
      point(found?.at ?? null, byKey, this);
    });
    this.element = el("section", { class: "pane", "aria-label": `${side} stage` }, this.#bar, this.#rule, this.#code.element, this.#about); // prettier-ignore
  }

  get places(): readonly Placed[] {
    return this.#shown.places;
  }

  show(steps: readonly Step[], page: Page): void {
    const { options } = page.state();
    this.#stage = options[this.side] ?? (this.side === "left" ? "primal" : "d1");
    const form = options[`${this.side}Form`] ?? (this.#stage === "adjoint" ? "code" : "term");
    this.#bar.replaceChildren(
      select(this.side === "left" ? "Left" : "Right", stages, this.#stage, (value) => { page.setOption(this.side, value); }), // prettier-ignore
      select("Shown", forms, form, (value) => { page.setOption(`${this.side}Form`, value); }), // prettier-ignore
    );
    if (this.side === "right") this.#bar.append(...this.#walk(page));
    const step = steps.find(({ stage }) => stage === this.#stage);
    if (step === undefined) return;
    this.#shown = shownOf(step, form);
    this.#code.show(this.#shown.text);
    const legend = step.legend.flatMap(({ symbol, meaning }) => [el("dt", {}, symbol), el("dd", {}, meaning)]);
    this.#about.replaceChildren(
      el("h2", {}, step.title),
      el("p", {}, step.change),
      ...(legend.length === 0
        ? []
        : [el("details", { open: true }, el("summary", {}, "Notation"), el("dl", {}, ...legend))]),
      ...(step.departures.length === 0 ? [] : [el("details", {}, el("summary", {}, "Departures from the figure"), el("ul", {}, ...step.departures.map((text) => el("li", {}, text))))]), // prettier-ignore
    );
    this.name(null, "");
  }

  /** Through the stages of the papers, from the program to the adjoint. */
  #walk(page: Page): readonly HTMLElement[] {
    const at = walk.indexOf(this.#stage);
    const step = (text: string, label: string, to: string | undefined): HTMLElement =>
      button(text, () => { page.setOption(this.side, to ?? "d1"); }, { "aria-label": label, title: label, disabled: to === undefined }); // prettier-ignore
    return [
      step("\u2190", "Stage before", at === -1 ? "d1" : walk[at - 1]),
      step("\u2192", "Next stage", at === -1 ? "d1" : walk[at + 1]),
    ];
  }

  light(at: Range | null, isSeen: boolean): void {
    this.#code.light(at === null ? [] : this.#shown.places.filter((place) => same(place.at, at)), isSeen);
  }

  /** The rule for a kind of source term, and the sub-term that it was used on. */
  name(kind: string | null, source: string): void {
    const rule = kind === null ? null : ruleOf(this.#stage, kind);
    if (rule === null)
      this.#rule.textContent = kind === null ? "Point at a sub-term, or put the cursor on it." : `Made of ${source}`;
    else
      this.#rule.replaceChildren(
        this.#stage === "primal" ? "Term " : "Rule ",
        el("code", {}, rule),
        " at ",
        el("code", {}, source),
      );
  }
}

export function stagesView(): View {
  let page: Page | null = null;
  /** Choosing a stage does not ask for all of them again. */
  let known: { readonly text: string; readonly entry: string; readonly found: Told<readonly Step[]> } | null = null;
  /** What each place of the model is. */
  let kinds: readonly { readonly at: Range; readonly kind: string }[] = [];
  const point = (at: Range | null, byKey: boolean, from: Pane | null): void => {
    const kind = at === null ? null : (kinds.find((each) => same(each.at, at))?.kind ?? "");
    const text = at === null ? "" : (page?.state().text.slice(at.start, at.end).replace(/\s+/g, " ") ?? "");
    for (const pane of panes) {
      pane.light(at, byKey && pane !== from);
      pane.name(kind, text.length > 60 ? `${text.slice(0, 57)}...` : text);
    }
    if (from !== null || at === null) page?.lightModel(at === null ? [] : [at], byKey);
    else page?.lightModel([at], false);
  };
  const panes: readonly Pane[] = [new Pane("left", point), new Pane("right", point)];
  const columns = el("div", { class: "panes" }, ...panes.map(({ element }) => element));
  const element = el("div", { class: "view" }, columns);
  return {
    name: "stages",
    title: "Stages",
    element,
    update: async (given) => {
      page = given;
      const { text, entry } = given.state();
      if (known?.text !== text || known.entry !== entry)
        known = { text, entry, found: await given.runner.ask("steps", { text, entry }) };
      const { found } = known;
      if (!found.ok) {
        element.replaceChildren(problem(found.text));
        return;
      }
      const primal = found.value.find(({ stage }) => stage === "primal");
      kinds = primal?.parts.flatMap(({ marks }) => marks) ?? [];
      element.replaceChildren(columns);
      for (const pane of panes) pane.show(found.value, given);
    },
    light: (offset, byKey) => {
      const all = panes.flatMap(({ places }) => places.map(({ at }) => at));
      point(offset === null ? null : innermost(all, offset), byKey, null);
    },
  };
}
