// The stage `parallel` with its tasks taking turns at random: whatever the schedule, the value has the same bits, and so has the gradient where the
// arithmetic is exact; elsewhere sums into one cell come in another order. `DUALREV_SEEDS` says how many schedules of each case.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadModule, exportOf, functionOf, propertyOf, type LoadedModule } from "../src/driver/evaluate.js";
import { testWeights } from "../src/driver/finite-differences.js";
import { decodeArguments, realsOf, withReals } from "../src/driver/values.js";
import { derivedName } from "../src/emit/interface/public-names.js";
import { printModule } from "../src/typescript/print-module.js";
import { firstDifference } from "./support/compare.js";
import { fixtureNames, readFixture, type Case } from "./support/fixture.js";
import { DoesNotCompile, Model } from "./support/model.js";
import { printProgram } from "./support/random-program.js";
import { randomPrograms } from "./support/random-shrink.js";

const seeds = Number(process.env["DUALREV_SEEDS"] ?? 50);
const runs = Number(process.env["DUALREV_RUNS"] ?? 50);

/** What forks: between terms, or of as many tasks as an array has elements. */
const forks = /\|\*\||\bpar(Build|Map|Sum|allel)\b/;

/** The groups of fixtures that may fork; in the first all arithmetic is exact. */
const groups = ["parallel", "paper", "authors", "constructs", "table1", "errors-runtime"];

type Outcome = { readonly value: readonly number[]; readonly gradient: readonly number[] } | { readonly error: string };

interface Run {
  readonly outcome: Outcome;
  /** The IDs in the order in which they have been resolved. */
  readonly order: string;
  readonly ids: number;
}

class Schedules {
  readonly #model: Model;
  readonly #module: LoadedModule;
  readonly #entry: string;
  readonly #args: readonly unknown[];

  constructor(model: Model, entry: string, args: readonly unknown[]) {
    this.#model = model;
    this.#module = loadModule(printModule(model.emit("parallel", new Map(), true), "js"));
    this.#entry = entry;
    this.#args = args;
  }

  run(seed: number | null): Run {
    exportOf(this.#module, "setSchedule")(seed);
    const resolved: unknown[] = [];
    const { counters } = this.#module;
    if (counters !== null) Reflect.set(counters, "resolved", resolved);
    const outcome = this.#outcome();
    return { outcome, order: resolved.join(" "), ids: resolved.length };
  }

  #outcome(): Outcome {
    const type = this.#model.result(this.#entry);
    try {
      const result = exportOf(this.#module, derivedName(this.#entry, "vjp"))(...this.#args);
      const value = propertyOf(result, "value");
      const cotangent = withReals(value, type, testWeights(realsOf(value, type).length), "cotangent");
      const run = { kind: "reverse", value, pullback: functionOf(propertyOf(result, "pullback")) } as const;
      return { value: realsOf(value, type), gradient: this.#model.pullBack(this.#entry, run, this.#args, cotangent) };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { error: error.message };
    }
  }
}

/** How what a schedule gives differs from what the tasks in order give; null: it does not. */
function difference(inOrder: Outcome, other: Outcome, isExact: boolean): string | null {
  if ("error" in inOrder || "error" in other) {
    const [one, two] = [inOrder, other].map((outcome) => ("error" in outcome ? outcome.error : "a value"));
    return one === two ? null : `${String(two)}, not ${String(one)}`;
  }
  const isSame = (xs: readonly number[], ys: readonly number[]): boolean => xs.length === ys.length && xs.every((x, at) => Object.is(x, ys[at])); // prettier-ignore
  if (!isSame(inOrder.value, other.value)) return `the value ${other.value.join()}, not ${inOrder.value.join()}`;
  const isClose = isExact ? isSame(inOrder.gradient, other.gradient) : firstDifference(other.gradient, inOrder.gradient, 1e-12) === null; // prettier-ignore
  return isClose ? null : `the gradient ${other.gradient.join()}, not ${inOrder.gradient.join()}`;
}

describe("every schedule gives the same", () => {
  for (const group of groups) {
    const names = fixtureNames(group).filter((name) => forks.test(readFixture(group, name).source.text));
    test.each(names)(`${group}/%s`, { timeout: 600_000 }, (name) => {
      const fixture = readFixture(group, name);
      const model = new Model(fixture.source, null, fixture.load);
      const isRun = (item: Case): boolean => item.only?.includes("parallel") !== false && !item.without.has("parallel");
      for (const item of fixture.cases.filter(isRun)) {
        const decoded = decodeArguments(item.args, model.parameters(item.entry));
        if (!decoded.ok) throw new Error(`${group}/${name}: wrong arguments`);
        const schedules = new Schedules(model, item.entry, decoded.value);
        const inOrder = schedules.run(null);
        const orders = new Set<string>();
        for (let seed = 0; seed < seeds; seed++) {
          const run = schedules.run(seed);
          orders.add(run.order);
          expect(
            difference(inOrder.outcome, run.outcome, group === "parallel"),
            `${item.entry}, seed ${seed}`,
          ).toBeNull();
        }
        if (!("error" in inOrder.outcome) && inOrder.ids > 40) expect(orders.size).toBeGreaterThan(seeds / 10);
      }
    });
  }
});

test("every schedule of random programs gives the same", { timeout: 10_000 * Math.max(6, runs) }, () => {
  let forked = 0;
  fc.assert(
    fc.property(randomPrograms(), fc.nat(), (program, seed) => {
      const text = printProgram(program);
      fc.pre(forks.test(text));
      const model = modelOf(text);
      fc.pre(model !== null);
      const args = model.parameters("entry").map(({ name }) => program.args[name]);
      const schedules = new Schedules(model, "entry", args);
      const inOrder = schedules.run(null);
      if (inOrder.ids > 0) forked += 1;
      expect(difference(inOrder.outcome, schedules.run(seed).outcome, false)).toBeNull();
    }),
    { numRuns: Math.ceil(runs / 2) },
  );
  expect(forked).toBeGreaterThan(runs / 8);
});

function modelOf(text: string): Model | null {
  try {
    return new Model({ name: "random.lam", text }, ["entry"]);
  } catch (error) {
    if (error instanceof DoesNotCompile) return null;
    throw error;
  }
}
