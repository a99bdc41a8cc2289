// The counted work of every stage: what the emitted code itself counts when it is emitted with counting instructions.

import type { SourceFile } from "../syntax/source.js";
import { answer, type Answer } from "./answer.js";
import { callable, type Callable } from "./callable.js";
import type { DerivativeBounds } from "./derivative-bounds.js";
import { functionOf, propertyOf, type Counters } from "./evaluate.js";
import { testWeights } from "./finite-differences.js";
import { assertCall, assertEntry } from "./options.js";
import type { RunOptions } from "./load-options.js";
import { withEarlier } from "./pipeline.js";
import { readArguments, running } from "./run-failures.js";
import { stageNames, type StageName } from "./stages.js";
import { table } from "./table.js";
import { realsOf, withReals } from "./values.js";

/** What is counted, by the runtime's name, with the heading of its column and what it means. */
export const countedWork = [
  {
    key: "primitives",
    heading: "primitives",
    meaning: "operations on numbers, those of derivatives too; in `adjoint` those of loop counters and addresses, too",
  },
  { key: "functionCalls", heading: "calls", meaning: "calls of functions of the program" },
  {
    key: "backpropagators",
    heading: "backprop.",
    meaning: "calls of backpropagators, and nodes of Deltas evaluated; in `contrib` and `tape` these are data",
  },
  { key: "mapOperations", heading: "map", meaning: "operations on maps by ID, of staged calls and of cotangents" },
  {
    key: "arrayOperations",
    heading: "array",
    meaning: "cells of arrays read, written or made, in `adjoint` those of the program's own arrays, too",
  },
  { key: "monoidOperations", heading: "monoid", meaning: "zeros and sums of cotangents" },
] as const;

type Work = (typeof countedWork)[number]["key"];

/** The work of one stage: in a reverse stage of one value with one pullback, in a forward stage of one directional derivative. */
export interface StageCost {
  readonly stage: StageName;
  readonly work: Readonly<Record<Work, number>>;
  readonly total: number;
  /**
   * The longest path, which is what is left of the work where all tasks run at the same time: of `primal` and `parallel`, where the program forks; else
   * null. An atomic addition counts 1, and so does an allocation; what Wrap does for the input does not.
   */
  readonly span: number | null;
  /** Against the primal's total. */
  readonly ratio: number;
  /** Why the stage did not come to its end; null where it did. What is counted is what it did until then. */
  readonly stopped: string | null;
  /** Of `adjoint` its primitives against those of the value; null of other stages, and where the program has no operations on reals. */
  readonly bound: GradientBound | null;
}

/** How a gradient and the value alone compare, as code that the same passes have made. */
export interface GradientBound extends DerivativeBounds {
  /** The primitives of the value alone. */
  readonly value: number;
  /** Those of value and pullback against them. */
  readonly ratio: number;
}

export interface CostOptions extends RunOptions {
  /** The counted work after which a stage is stopped, a positive number; 10⁷ where left out. It is never less than 1000 times the primal's work. */
  readonly budget?: number;
}

const defaultBudget = 1e7;

/** What the value alone may take: more than anybody waits for in other stages. */
const primalBudget = 5e7;

/** The work of every stage for a definition; `args` as for `run`. */
export function cost(
  source: SourceFile,
  entry: string,
  args: unknown,
  options: CostOptions = {},
): Answer<readonly StageCost[]> {
  assertCall("cost", source, options, ["budget", "externs", "load"]);
  assertEntry("cost", entry);
  const costs: StageCost[] = [];
  let [primalTotal, forks] = [0, false];
  for (const stage of stageNames) {
    const found = callable(source, entry, stage, {
      load: options.load ?? null,
      externs: options.externs ?? null,
      counted: true,
    });
    if (!found.ok) return found;
    const given = readArguments(found.value, args);
    if (!given.ok) return withEarlier(found.diagnostics, given);
    const budget = Math.max(options.budget ?? defaultBudget, 1000 * primalTotal);
    const counted = count(found.value, runOnce, given.value, stage === "primal" ? primalBudget : budget);
    if (!counted.ok) return withEarlier(found.diagnostics, counted);
    const { work, overlap, path, stopped } = counted.value;
    const total = countedWork.reduce((sum, { key }) => sum + work[key], 0);
    if (stage === "primal") [primalTotal, forks] = [total, overlap > 0];
    const isWhole = forks && stopped === null;
    const span = isWhole && stage === "primal" ? total - overlap : isWhole && stage === "parallel" ? path : null;
    const bound = stage === "adjoint" ? boundOf(found.value, given.value, counted.value, budget) : null;
    costs.push({ stage, work, total, span, ratio: total / primalTotal, stopped, bound });
    // Nothing can be said of the others
    if (stage === "primal" && stopped !== null) break;
  }
  return answer(costs, []);
}

/** The work was more than the budget. */
class OverBudget extends Error {
  override readonly name = "OverBudget";
}

interface Counted {
  readonly work: Readonly<Record<Work, number>>;
  /** Of this what is done beside something else, and the longest path of a gradient. */
  readonly overlap: number;
  readonly path: number;
  readonly stopped: string | null;
}

type Run = (definition: Callable, point: readonly unknown[]) => void;

function count(definition: Callable, run: Run, point: readonly unknown[], budget: number): Answer<Counted> {
  const meter = new Meter(definition.counters ?? {}, budget);
  const ran = running(definition, () =>
    isWithinBudget(() => {
      run(definition, point);
    }),
  );
  meter.detach();
  const work = meter.read();
  const [overlap, path] = [meter.readNumber("overlap"), meter.readNumber("path")];
  if (ran.ok) return answer({ work, overlap, path, stopped: ran.value ? null : "stopped: too much work" }, []);
  // A stage that lives on the JavaScript stack may overflow it where the primal does not
  const [overflow] = ran.diagnostics;
  return overflow?.code === "E0603" ? answer({ work, overlap, path, stopped: "stopped: JavaScript stack" }, []) : ran;
}

function boundOf(
  definition: Callable,
  point: readonly unknown[],
  { work, stopped }: Counted,
  budget: number,
): GradientBound | null {
  if (definition.bounds === null || stopped !== null) return null;
  const value = count(definition, ({ primal }) => primal(...point), point, budget);
  if (!value.ok || value.value.work.primitives === 0) return null;
  const { primitives } = value.value.work;
  return { value: primitives, ratio: work.primitives / primitives, ...definition.bounds };
}

function isWithinBudget(run: () => void): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof OverBudget) return false;
    throw error;
  }
}

function runOnce({ primal, vjp, jvp, params, result }: Callable, point: readonly unknown[]): void {
  if (vjp !== null) {
    const pair = vjp(...point);
    const value = propertyOf(pair, "value");
    const weights = result.kind === "real" ? [1] : testWeights(realsOf(value, result).length);
    functionOf(propertyOf(pair, "pullback"))(withReals(value, result, weights, "cotangent"));
  } else if (jvp !== null) {
    const tangents = params.map(({ type }, i) => {
      const weights = testWeights(realsOf(point[i], type).length);
      return withReals(point[i], type, weights, "cotangent");
    });
    jvp(...point, ...tangents);
  } else {
    primal(...point);
  }
}

/** Listens to a module's counters: the module adds to their properties, which stop it when it has spent the budget. */
class Meter {
  readonly #counters: Counters;
  readonly #counts = new Map<Work, number>();

  constructor(counters: Counters, budget: number) {
    this.#counters = counters;
    for (const key of ["overlap", "path"]) Reflect.set(counters, key, 0);
    let left = budget;
    for (const { key } of countedWork) {
      this.#counts.set(key, 0);
      Object.defineProperty(counters, key, {
        configurable: true,
        enumerable: true,
        get: () => this.#counts.get(key),
        set: (value: number) => {
          left -= value - (this.#counts.get(key) ?? 0);
          this.#counts.set(key, value);
          if (left < 0) throw new OverBudget();
        },
      });
    }
  }

  read(): Readonly<Record<Work, number>> {
    const of = (key: Work): number => this.#counts.get(key) ?? 0;
    return {
      primitives: of("primitives"),
      functionCalls: of("functionCalls"),
      backpropagators: of("backpropagators"),
      mapOperations: of("mapOperations"),
      arrayOperations: of("arrayOperations"),
      monoidOperations: of("monoidOperations"),
    };
  }

  readNumber(key: "overlap" | "path"): number {
    return Number(propertyOf(this.#counters, key));
  }

  detach(): void {
    for (const { key } of countedWork) {
      Object.defineProperty(this.#counters, key, { configurable: true, enumerable: true, writable: true, value: 0 });
    }
  }
}

/** A table of costs, one line for each stage. */
export function printCosts(costs: readonly StageCost[]): string {
  const forks = costs.some(({ span }) => span !== null);
  const spans = (text: string): readonly string[] => (forks ? [text] : []);
  const heading = ["stage", ...countedWork.map((column) => column.heading), "total", ...spans("span"), "ratio", ""];
  const rows = costs.map(({ stage, work, total, span, ratio, stopped }) => [
    stage,
    ...countedWork.map(({ key }) => String(work[key])),
    String(total),
    ...spans(span === null ? "" : String(span)),
    stopped === null ? ratio.toFixed(2) : `> ${ratio.toFixed(2)}`,
    stopped ?? "",
  ]);
  const all = table([heading, ...rows], (column) => (column === 0 || column === heading.length - 1 ? "left" : "right"));
  return `${all}${costs.map(printBound).join("")}`;
}

function printBound({ work, bound }: StageCost): string {
  if (bound === null) return "";
  const { value, ratio, vjp, jvp } = bound;
  return [
    "",
    `adjoint: ${work.primitives} primitives, ${ratio.toFixed(2)} times the ${value} of the value in the same module`,
    `bounds:  ${vjp.times} times for a vjp (${vjp.operation}), ${jvp.times} times for a jvp (${jvp.operation})`,
    "",
  ].join("\n");
}

/** What the columns of the table mean. */
export function costLegend(): string {
  const meanings = [
    ...countedWork.map(({ heading, meaning }) => [heading, meaning]),
    ["total", "the sum of these"],
    [
      "span",
      "the longest path where tasks run in parallel, of the value and of `parallel`; not told where the program does not fork",
    ],
    ["ratio", "the total against that of `primal`, the value alone"],
  ];
  return table(meanings, () => "left");
}
