// The views of `dualrev steps` as one page that needs nothing else: for a lecture.

import type { SourceFile } from "../syntax/source.js";
import { baseName } from "../syntax/paths.js";
import { drawSeriesSvg, printSeries } from "./cost-chart.js";
import type { CostSeries } from "./cost-over.js";
import { farDefinitions } from "./far-definitions.js";
import { drawJobs, drawRun } from "./run-graph.js";
import type { Step } from "./steps.js";
import { pageScript, pageStyle } from "./steps-page-parts.js";
import { escaped } from "./svg.js";
import { printToldRun, type ToldRun } from "./told-run.js";

/** What a page shows beside the stages of a program. */
export interface StepsPageOptions {
  /** The definitions that were asked for: those that they do not call are folded away; null or left out: all that can be exported. */
  readonly roots?: readonly string[] | null;
  /** One run, told step by step, with its pictures. */
  readonly told?: ToldRun | null;
  /** The work over sizes of the parameters `name`. */
  readonly costs?: { readonly series: readonly CostSeries[]; readonly sizes: readonly number[]; readonly name: string } | null; // prettier-ignore
}

/**
 * An HTML page with the stages of a program side by side, as terms and as TypeScript. It loads nothing from elsewhere. Without scripts all stages stand one below the other.
 */
export function stepsPage(source: SourceFile, steps: readonly Step[], options: StepsPageOptions = {}): string {
  const { roots = null, told = null, costs = null } = options;
  const file = baseName(source.name);
  const title = roots === null ? file : `${roots.join(", ")} (${file})`;
  const sections = [
    { id: "stages", name: "Stages", body: stagesSection(source, steps, roots) },
    ...(told === null ? [] : [{ id: "run", name: "One run", body: runSection(told) }]),
    ...(costs === null ? [] : [{ id: "cost", name: "Cost", body: costSection(costs, title) }]),
  ];
  const links = sections.map(({ id, name }) => `<a href="#${id}">${name}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}: the derivative stage by stage</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<header><h1>${escaped(title)}</h1>${sections.length > 1 ? `<nav>${links.join(" ")}</nav>` : ""}<button type="button" id="scheme" hidden>Dark</button></header>
<main>
${sections.map(({ id, name, body }) => `<section id="${id}" aria-label="${name}">\n${body}\n</section>`).join("\n")}
</main>
<script>${pageScript}</script>
</body>
</html>
`;
}

function stagesSection(source: SourceFile, steps: readonly Step[], roots: readonly string[] | null): string {
  const model = article("model", "The model", [
    `<h2>The model</h2>`,
    `<p class="change">As it is written.</p>`,
    form("term", partsOfModel(source.text)),
  ]);
  return [
    `<div class="panes" id="panes" hidden></div>\n<p id="lit" role="status"></p>\n<div class="all" id="all">`,
    model,
    ...steps.map((step) => stage(step, roots)),
    "</div>",
  ].join("\n");
}

/** The text of a model in parts, each with the lines of one definition; what is indented belongs to what is above it. */
function partsOfModel(text: string): readonly string[] {
  const parts = text.trimEnd().split(/\n\s*\n(?=\S)/);
  return parts.map((part) => code(/^(?:fused\s+)?def\s+([^\s:=]+)/m.exec(part)?.[1] ?? "", part));
}

function stage(step: Step, roots: readonly string[] | null): string {
  const far = farDefinitions(step, roots);
  // What belongs to no definition may be lit with any
  const terms = step.parts.map(({ kind, name, text }) => ({
    name: kind === "data" || kind === "dual" ? "" : name,
    text,
  }));
  const functions = step.functions.map(({ name, definition, isWrapper, text }) => ({ name: isWrapper ? name : (definition ?? ""), own: name, text })); // prettier-ignore
  const shown = (parts: readonly Named[]): readonly string[] => {
    const others = parts.filter(({ name }) => far.has(name));
    const near = parts.filter(({ name }) => !far.has(name)).map(({ name, own, text }) => code(name, text, own));
    return [
      ...near,
      ...details(
        "Called from these",
        others.map(({ name, own, text }) => code(name, text, own)),
      ),
    ];
  };
  const legend = step.legend.map(({ symbol, meaning }) => `<dt><code>${escaped(symbol)}</code></dt><dd>${escaped(meaning)}</dd>`); // prettier-ignore
  const departures = step.departures.map((text) => `<li>${escaped(text)}</li>`);
  const box = step.box.typescript.map(({ name, text }) => code(name, text));
  return article(step.stage, step.title, [
    `<h2><code>${step.stage}</code> ${escaped(step.title)}</h2>`,
    `<p class="change">${escaped(step.change)}</p>`,
    form("term", [
      ...details("Notation", legend.length === 0 ? [] : [`<dl>${legend.join("")}</dl>`]),
      ...details("The interface of the figure", step.box.term === "" ? [] : [code("", step.box.term)]),
      ...details("Departures from the figure", departures.length === 0 ? [] : [`<ul>${departures.join("")}</ul>`]),
      ...shown(terms),
      ...details("Resolved at compile time", step.resolved.length === 0 ? [] : [code("", step.resolved.join("\n"))]),
      ...details(
        "Both sweeps at first",
        step.sweeps.map(({ name, text }) => code(name, text)),
      ),
    ]),
    form("typescript", [...shown(functions), ...details("TypeScript of the interface", box)]),
  ]);
}

interface Named {
  readonly name: string;
  /** What it is called itself, where that is another name. */
  readonly own?: string;
  readonly text: string;
}

function article(name: string, title: string, parts: readonly string[]): string {
  return `<article data-stage="${escaped(name)}" data-title="${escaped(title)}">\n${parts.join("\n")}\n</article>`;
}

function form(kind: "term" | "typescript", parts: readonly string[]): string {
  return `<div class="form" data-form="${kind}">\n${parts.join("\n")}\n</div>`;
}

/** Parts that are folded away; nothing where there are none. */
function details(summary: string, parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`<details><summary>${summary}</summary>${parts.join("\n")}</details>`];
}

/** A text that is as wide as it is; `part` says of which definition, `own` what the function of that is called. */
function code(part: string, text: string, own = part): string {
  return `<pre tabindex="0" data-part="${escaped(part)}" data-own="${escaped(own)}"><code>${escaped(text)}</code></pre>`;
}

function runSection(told: ToldRun): string {
  const pictures = [
    { picture: drawRun(told), alt: "dual numbers, and the calls of their backpropagators" },
    { picture: told.run.last.history === null ? null : drawJobs(told), alt: "jobs, and how they fork and join" },
  ];
  const shown = pictures.flatMap(({ picture, alt }) =>
    picture === null ? [] : [image(picture, `${told.entry}: ${alt}`)],
  );
  return [`<h2>One run of <code>${escaped(told.entry)}</code></h2>`, ...shown, code("", printToldRun(told))].join("\n");
}

function costSection({ series, sizes, name }: NonNullable<StepsPageOptions["costs"]>, title: string): string {
  const chart = image(drawSeriesSvg(series, name, title), `counted work over ${name}, in numbers below`);
  return [`<h2>Counted work over ${escaped(name)}</h2>`, chart, code("", printSeries(series, sizes, name))].join("\n");
}

/** A picture with styles of its own, which a page's would not leave alone. */
function image(svg: string, alt: string): string {
  const inside = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return `<figure tabindex="0"><img src="${inside}" alt="${escaped(alt)}"></figure>`;
}
