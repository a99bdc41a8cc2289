// The models in plain style of the benchmark: at the smallest size, what is emitted agrees with value and gradient by hand, and these with differences.

import { expect, test } from "vitest";
import { distance, scalarsOf } from "../bench/compare.js";
import { emittedCode } from "../bench/model.js";
import { naturalModels } from "../bench/natural/index.js";
import type { Workload } from "../bench/workload.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../src/driver/evaluate.js";

/** So many arguments of a model are moved, one at a time. */
const mostMoved = 40;

test.each(naturalModels.flatMap(({ workloads: [smallest] }) => smallest ?? []))("$name", ({ make }) => {
  const workload = make();
  const { entry, args } = workload;
  const module = loadModule(emittedCode(workload, "adjoint"));
  const [value, gradient] = [functionOf(workload.primal), functionOf(workload.gradient)];
  expect(distance(exportOf(module, entry)(...args), value(...args))).toBeLessThan(1e-9);
  expect(distance(exportOf(module, `${entry}Grad`)(...args), gradient(...args))).toBeLessThan(1e-9);
  expect(errorByDifferences(workload)).toBeLessThan(1e-6);
});

/** How far the gradient by hand is from central differences of the value by hand, of the fourth order; relative to the largest partial derivative. */
function errorByDifferences({ primal, gradient, args }: Workload): number {
  const partials = scalarsOf(propertyOf(functionOf(gradient)(...args), "grad"));
  const at = scalarsOf(args);
  const value = (index: number, by: number): number =>
    scalarsOf(functionOf(primal)(...moving(args, index, by)))[0] ?? NaN;
  let [worst, largest] = [0, Number.MIN_VALUE];
  for (let i = 0; i < at.length; i += Math.max(1, Math.floor(at.length / mostMoved))) {
    const partial = partials[i] ?? NaN;
    largest = Math.max(largest, Math.abs(partial));
    // Among these are integers
    if (partial === 0) continue;
    const h = 1e-4 * Math.max(1, Math.abs(at[i] ?? NaN));
    const difference = (8 * (value(i, h) - value(i, -h)) - (value(i, 2 * h) - value(i, -2 * h))) / (12 * h);
    worst = Math.max(worst, Math.abs(difference - partial));
  }
  return worst / largest;
}

/** Arguments whose scalar at `index` is moved. */
function moving(args: readonly unknown[], index: number, by: number): readonly unknown[] {
  let at = 0;
  const moved = (x: number): number => (at++ === index ? x + by : x);
  const go = (part: unknown): unknown => {
    if (typeof part === "number") return moved(part);
    if (part instanceof Float64Array) return part.map(moved);
    if (Array.isArray(part)) return part.map(go);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]): readonly [string, unknown] => [key, go(item)]));
  };
  return args.map(go);
}
