// A definition at a point: value, gradient, and what finite differences say; what it looks like around it; and gradient descent.

import type { Computed, Descended } from "../answers.js";
import { button, el, problem, select, svgOf } from "../dom.js";
import { formOf, wrongness } from "../form.js";
import type { Given, Page, View } from "../page.js";
import { contourPlot, linePlot } from "../plot.js";
import { isFinitePoint, numbersOf, pathText, type Path, shown, shownNumber, valueAt } from "../values.js";

export function runView(): View {
  const form = el("div");
  const result = el("div", { class: "result", "aria-live": "polite" });
  const around = el("div");
  const descent = el("div");
  const computed = el("div", { class: "computed" }, result, around, descent);
  const element = el("div", { class: "view scroll" }, form, computed);
  let latest = 0;
  /** What the results are of, if there are any. */
  let shownEntry: string | null = null;

  const clear = (): void => {
    for (const part of [result, around, descent]) part.replaceChildren();
    shownEntry = null;
  };

  const compute = async (page: Page): Promise<void> => {
    const mine = ++latest;
    const { text, entry, args } = page.state();
    if (shownEntry !== entry) {
      clear();
      result.replaceChildren(el("p", { class: "waiting" }, "Computing.."));
    }
    const found = await page.runner.ask("compute", { text, entry, args }).catch((error: unknown) => {
      if (mine === latest) clear();
      throw error;
    });
    if (mine !== latest) return;
    shownEntry = entry;
    computed.classList.remove("stale");
    if (!found.ok) {
      result.replaceChildren(problem(found.text));
      around.replaceChildren();
      descent.replaceChildren();
      return;
    }
    result.replaceChildren(computedTable(found.value, args));
    if (typeof found.value.value !== "number" || found.value.gradient === null) {
      around.replaceChildren();
      descent.replaceChildren();
      return;
    }
    await drawAround(page, found.value.gradient, mine);
  };

  const drawAround = async (page: Page, gradient: unknown, mine: number): Promise<void> => {
    const { text, entry, args, options } = page.state();
    const paths = slopedPaths(args, gradient);
    if (paths.length === 0) return;
    const names = paths.map(pathText);
    const along = options["along"] ?? "gradient";
    const index = names.indexOf(along);
    const slopes = paths.map((path) => Number(valueAt(gradient, path)));
    const norm = Math.hypot(...slopes) || 1;
    const direction = index === -1 ? slopes.map((slope) => slope / norm) : paths.map((_, i) => (i === index ? 1 : 0));
    const reach = Number(options["reach"] ?? "1");
    const ts = Array.from({ length: 81 }, (_, i) => ((i - 40) / 40) * reach);
    const values = await page.runner.ask("along", { text, entry, args, paths, direction, ts });
    if (mine !== latest) return;
    const base = index === -1 ? 0 : Number(valueAt(args, paths[index] ?? []));
    const xs = ts.map((t) => base + t);
    const line = values.every((value) => !Number.isFinite(value)) ? null : svgOf(linePlot(xs, values, index === -1 ? "distance along the gradient" : along, 40), `${entry} along ${along}`); // prettier-ignore
    const choice = select("Along", [{ value: "gradient", text: "the gradient" }, ...names.slice(0, 50).map((name) => ({ value: name, text: name }))], along, (value) => { page.setOption("along", value); }); // prettier-ignore
    const far = select("As far as", ["0.01", "0.1", "1", "3", "10"].map((value) => ({ value, text: `±${value}` })), String(reach), (value) => { page.setOption("reach", value); }); // prettier-ignore
    const pair = [pairPath(paths, names, options["first"], 0), pairPath(paths, names, options["second"], 1)] as const;
    const contour = el("div");
    around.replaceChildren(
      el("h2", {}, "Around the point"),
      el("div", { class: "bar" }, choice, far),
      line ?? "",
      contour,
    );
    drawDescent(page, gradient, names, paths);
    const [first, second] = pair;
    if (first === null || second === null) return;
    await drawContour(page, contour, [first, second], reach, [], mine);
  };

  const drawContour = async (
    page: Page,
    into: HTMLElement,
    pair: readonly [Path, Path],
    reach: number,
    walk: readonly Descended[],
    mine: number,
  ): Promise<void> => {
    const { text, entry, args } = page.state();
    const points = walk.map(({ args: at }) => [Number(valueAt(at, pair[0])), Number(valueAt(at, pair[1]))] as const);
    const over = (which: 0 | 1): readonly number[] => {
      const here = Number(valueAt(args, pair[which]));
      const all = points.map((point) => point[which]).filter((value) => Math.abs(value - here) < 1e3);
      const [least, most] = [Math.min(here - reach, ...all), Math.max(here + reach, ...all)];
      return Array.from({ length: 33 }, (_, i) => least + ((most - least) * i) / 32);
    };
    const [xs, ys] = [over(0), over(1)];
    const values = await page.runner.ask("grid", { text, entry, args, paths: pair, xs, ys });
    if (mine !== latest) return;
    const names = [pathText(pair[0]), pathText(pair[1])] as const;
    const here = [Number(valueAt(args, pair[0])), Number(valueAt(args, pair[1]))] as const;
    const inside = points.filter(([x, y]) => x >= (xs[0] ?? 0) && x <= (xs.at(-1) ?? 0) && y >= (ys[0] ?? 0) && y <= (ys.at(-1) ?? 0)); // prettier-ignore
    const picture = svgOf(contourPlot(xs, ys, values, names, inside.length === 0 ? [here] : inside), `${entry} over ${names[0]} and ${names[1]}`); // prettier-ignore
    into.replaceChildren(picture ?? "");
  };

  const drawDescent = (page: Page, gradient: unknown, names: readonly string[], paths: readonly Path[]): void => {
    const { args } = page.state();
    const parameters = Object.keys(args).filter((name) =>
      slopedPaths(args, gradient).some(([first]) => first === name),
    );
    const rate = el("input", {
      type: "number",
      step: "any",
      value: page.state().options["rate"] ?? "0.01",
      input: () => {
        check();
      },
      change: () => {
        page.keepOption("rate", rate.value);
      },
    });
    const count = el("input", {
      type: "number",
      min: "1",
      max: "1000",
      value: page.state().options["steps"] ?? "20",
      input: () => {
        check();
      },
      change: () => {
        page.keepOption("steps", count.value);
      },
    });
    const [wrongRate, wrongCount] = [wrongness(rate), wrongness(count)];
    const check = (): boolean => {
      const steps = count.valueAsNumber;
      const [isRate, isCount] = [rate.valueAsNumber > 0, Number.isInteger(steps) && steps >= 1 && steps <= 1000];
      wrongRate.say(isRate ? "" : "This is to be a number above 0.");
      wrongCount.say(isCount ? "" : "This is to be a whole number from 1 to 1000.");
      start.disabled = !isRate || !isCount;
      return !start.disabled;
    };
    const boxes = parameters.map((name, i) => el("input", { type: "checkbox", value: name, checked: i === 0 || numbersOf(args).length <= 4 })); // prettier-ignore
    const output = el("div", { "aria-live": "polite" });
    const go = async (): Promise<void> => {
      if (!check()) return;
      const mine = latest;
      const { text, entry, args: from } = page.state();
      const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
      const found = await page.runner.ask("descend", { text, entry, args: from, parameters: chosen, rate: rate.valueAsNumber, count: count.valueAsNumber }); // prettier-ignore
      if (!found.ok) {
        output.replaceChildren(problem(found.text));
        return;
      }
      const walk = found.value;
      const [first, last] = [walk[0], walk.at(-1)];
      if (first === undefined || last === undefined) return;
      const picture = svgOf(linePlot(walk.map((_, i) => i), walk.map(({ value }) => value), "step", walk.length - 1), "value at each step"); // prettier-ignore
      const contour = el("div");
      output.replaceChildren(
        el(
          "p",
          {},
          `${walk.length - 1} steps: from ${shownNumber(first.value)} to ${shownNumber(last.value)}${Number.isFinite(last.value) ? "" : ". The steps are too long: try a smaller rate"}`,
        ),
        picture ?? "",
        contour,
        button("Take the last as arguments", () => { page.setArgs(last.args); }), // prettier-ignore
      );
      const walked = paths.filter(([name]) => typeof name === "string" && chosen.includes(name));
      const [one, two] = walked;
      if (one !== undefined && two !== undefined) await drawContour(page, contour, [one, two], 0.5, walk, mine);
    };
    const start = button("Descend", () => { void go().catch((error: unknown) => { output.replaceChildren(problem(String(error))); }); }); // prettier-ignore
    descent.replaceChildren(
      el("h2", {}, "Gradient descent"),
      el(
        "div",
        { class: "bar" },
        el("label", { class: "field" }, el("span", {}, "Rate"), rate, wrongRate.element),
        el("label", { class: "field" }, el("span", {}, "Steps"), count, wrongCount.element),
        ...boxes.map((box) => el("label", { class: "check" }, box, box.value)),
        start,
      ),
      output,
    );
    if (names.length === 0) descent.replaceChildren();
  };

  let shownArgs: Given | null = null;
  return {
    name: "run",
    title: "Run",
    element,
    update: async (page) => {
      const { args } = page.state();
      if (shownArgs !== args) {
        form.replaceChildren(
          el("h2", {}, "Arguments"),
          formOf(
            args,
            (changed) => {
              shownArgs = changed;
              page.setArgs(changed);
            },
            () => { computed.classList.add("stale"); }, // prettier-ignore
          ),
        );
        shownArgs = args;
      }
      await compute(page);
    },
    light: () => undefined,
  };
}

function pairPath(
  paths: readonly Path[],
  names: readonly string[],
  chosen: string | undefined,
  or: number,
): Path | null {
  const index = chosen === undefined ? or : names.indexOf(chosen);
  return paths[index === -1 ? or : index] ?? null;
}

/** The numbers of arguments that have a number in the gradient, too. */
function slopedPaths(args: Given, gradient: unknown): readonly Path[] {
  return numbersOf(args).filter((path) => typeof valueAt(gradient, path) === "number");
}

function computedTable({ value, gradient, jacobian, differences, reason }: Computed, args: Given): HTMLElement {
  const row = (name: string, text: string): HTMLElement =>
    el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, text));
  const gradients = Object.keys(args).map((name) => row(`d / d ${name}`, shown(valueAt(gradient, [name]))));
  const rows = [
    row("value", shown(value)),
    ...(gradient === null ? [] : gradients),
    ...(Array.isArray(jacobian) ? jacobian.map((each, i) => row(`gradient of number ${i + 1}`, shown(each))) : []),
  ];
  const isFinite = [value, gradient, jacobian].every(isFinitePoint);
  const isGood = isFinite && differences.length === 0 && reason === null;
  const compared = isGood ? "Finite differences agree." : isFinite ? ["Finite differences say otherwise:", ...differences].join("\n") : "The value or a slope is not finite here: there is nothing to compare with finite differences."; // prettier-ignore
  const checked = reason === null ? compared : `No gradient: ${reason}`;
  return el(
    "div",
    {},
    el("h2", {}, "Value and gradient"),
    el("table", {}, el("tbody", {}, ...rows)),
    el("p", { class: isGood ? "good" : isFinite ? "warn" : "waiting" }, checked),
  );
}
