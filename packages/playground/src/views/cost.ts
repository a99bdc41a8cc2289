// The counted work of every stage over a size: where D1 leaves the others behind.

import { button, el, problem, svgOf } from "../dom.js";
import type { Given, Page, View } from "../page.js";

export function costView(): View {
  const bar = el("div", { class: "bar" });
  const body = el("div", { "aria-live": "polite" });
  const element = el("div", { class: "view scroll" }, bar, body);

  const count = async (
    page: Page,
    names: readonly string[],
    square: readonly string[],
    sizes: string,
  ): Promise<void> => {
    const values = sizes.split(/[\s,]+/).map(Number).filter((value) => Number.isInteger(value) && value > 0).slice(0, 12); // prettier-ignore
    const { text, entry, args } = page.state();
    if (names.length === 0 || values.length < 2) {
      body.replaceChildren(
        el(
          "p",
          {},
          "This counts the work of each stage for several sizes of a parameter: choose one, and at least two sizes.",
        ),
      );
      return;
    }
    body.replaceChildren(el("p", {}, "Counting.."));
    const found = await page.runner.ask("cost", { text, entry, args, names, square, values });
    if (!found.ok) {
      const advice = "Which parameters have the size n is for you to say, above: sizes that have to be equal go together. The other arguments are as the view Run has them."; // prettier-ignore
      body.replaceChildren(el("p", {}, advice), problem(found.text));
      return;
    }
    const { chart, series } = found.value;
    const heads = ["Stage", "Growth", ...values.map((value) => `n = ${value}`)];
    const rows = series.map(({ stage, growth, totals, stopped }) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, stage),
        el("td", { class: "growth" }, growth),
        ...values.map((_, i) =>
          el("td", { class: "number" }, totals[i]?.toLocaleString("en") ?? (stopped === null ? "" : "too much")),
        ),
      ),
    );
    body.replaceChildren(
      el(
        "div",
        { class: "chart", tabindex: "0", "aria-label": "Chart" },
        svgOf(chart, "Counted work of each stage over the size") ?? "",
      ),
      el(
        "div",
        { class: "chart", tabindex: "0", "aria-label": "Table" },
        el(
          "table",
          {},
          el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col" }, text)))),
          el("tbody", {}, ...rows),
        ),
      ),
    );
  };

  return {
    name: "cost",
    title: "Cost",
    element,
    update: async (page) => {
      const { entry, args, options } = page.state();
      // A real number is no size
      const sizable = Object.keys(args).filter((name) => Array.isArray(args[name]) || page.isInteger(name));
      if (sizable.length === 0) {
        bar.replaceChildren();
        const none = `Nothing of \`${entry}\` has a size to count over: this counts the work of each stage for several sizes of an integer or a list. The example of shared sub-terms has an integer.`; // prettier-ignore
        body.replaceChildren(el("p", {}, none));
        return;
      }
      const chosen = options["over"]?.split(",") ?? together(sizable, args);
      const boxes = sizable.map((name) =>
        el("input", { type: "checkbox", value: name, checked: chosen.includes(name) }),
      );
      const squares = sizable.filter((name) => isSquare(args[name]));
      const stay = squares.map((name) => el("input", { type: "checkbox", value: name, checked: true }));
      const sizes = el("input", {
        type: "text",
        value: options["sizes"] ?? "1, 2, 4, 6, 8, 10",
        size: "18",
        change: () => {
          page.keepOption("sizes", sizes.value);
        },
      });
      const run = async (): Promise<void> => {
        const checked = (all: readonly HTMLInputElement[]): readonly string[] =>
          all.filter((box) => box.checked).map(({ value }) => value);
        await count(page, checked(boxes), checked(stay), sizes.value);
      };
      bar.replaceChildren(
        ...boxes.map((box) => el("label", { class: "check" }, box, box.value)),
        ...stay.map((box) => el("label", { class: "check" }, box, `${box.value} stays square`)),
        el("label", { class: "field" }, el("span", {}, "Sizes"), sizes),
        button("Count", () => { void run().catch((error: unknown) => { body.replaceChildren(problem(String(error))); }); }), // prettier-ignore
      );
      await run();
    },
    light: () => undefined,
  };
}

/** Whether a value is a matrix with as many columns as rows. */
function isSquare(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const rows: readonly unknown[] = value;
  return rows.every((row) => Array.isArray(row) && row.length === rows.length);
}

/** The first parameter that has a size, and the lists that are as long as it is. */
function together(names: readonly string[], args: Given): readonly string[] {
  const lengthOf = (name: string | undefined): number | null => {
    const value = name === undefined ? null : args[name];
    return Array.isArray(value) ? value.length : null;
  };
  const first = lengthOf(names[0]);
  return names.filter((name, i) => i === 0 || (first !== null && lengthOf(name) === first));
}
