// A copy of the table of primitives with further rows: every stage takes models that use them, though no other file knows their names.

import { afterAll, describe, expect, test, vi } from "vitest";
import type { StageName } from "../src/driver/stages.js";
import type { Value } from "./support/random-arguments.js";

// Other tests run in the same worker: they load the table as it is
vi.resetModules();
vi.doMock(import("../src/core/primitives/table.js"), async (original) => {
  const { table: rows, ...others } = await original();
  const { newRows } = await import("./support/new-primitives.js");
  const more = { ...rows, ...newRows };
  return { ...others, table: more };
});
const { stageNames } = await import("../src/driver/stages.js");
const { interpret } = await import("./support/interpreter.js");
const { Model } = await import("./support/model.js");

afterAll(() => {
  vi.doUnmock("../src/core/primitives/table.js");
  vi.resetModules();
});

const text = `
def smooth (x : R) (y : R) : R = growth (asinh x * y) + asinh (steps (1.5 + y) 3)

def capped (a : R) (x : R) : R = min (a * growth x) 1000

def reciprocal (x : R) : R = 1 / (1 + growth (-x))

def looped (xs : [R]) : R = sum (map (\\x. if x > 0 then asinh x * steps x 2 else growth x) xs)

def inLoop (a : R) (xs : [R]) : R = sum (map (\\x. min (a * growth x) 1000) xs)

def passed (xs : [R]) : R = foldl (\\s x. s * growth x) 1 (map asinh xs)

def unit (x : R) : R = steps (asinh x) 1
`;

const model = new Model({ name: "new.lam", text });

/** Calls, each with its value and gradient by hand. */
const calls: readonly (readonly [entry: string, args: readonly Value[], value: number, grad: readonly number[]])[] = [
  [
    "smooth",
    [0.5, 0.25],
    Math.exp(Math.asinh(0.5) * 0.25) + Math.asinh(1.75 ** 3),
    [
      (Math.exp(Math.asinh(0.5) * 0.25) * 0.25) / Math.sqrt(1.25),
      Math.exp(Math.asinh(0.5) * 0.25) * Math.asinh(0.5) + (3 * 1.75 ** 2) / Math.sqrt(1 + 1.75 ** 6),
    ],
  ],
  ["capped", [3, 0.5], 3 * Math.exp(0.5), [Math.exp(0.5), 3 * Math.exp(0.5)]],
  ["capped", [3, 2000], 1000, [0, 0]],
  ["capped", [1, 710], 1000, [0, 0]],
  ["reciprocal", [0], 0.5, [0.25]],
  ["reciprocal", [-800], 0, [0]],
  [
    "looped",
    [[0.5, -1]],
    Math.asinh(0.5) * 0.25 + Math.exp(-1),
    [0.25 / Math.sqrt(1.25) + Math.asinh(0.5), Math.exp(-1)],
  ],
  ["inLoop", [2, [1, 2000]], 2 * Math.E + 1000, [Math.E, 2 * Math.E, 0]],
  ["passed", [[0, 0.75]], 2, [2, 2 / 1.25]],
  ["unit", [0.75], Math.log(2), [1 / 1.25]],
];

/** What the gradient of a stage is. */
function gradientOf(entry: string, stage: StageName, args: readonly unknown[]): readonly number[] {
  const run = model.run(entry, stage, args);
  if (run.kind === "primal") throw new Error(`${stage} has no derivative`);
  return model.pullBack(entry, run, args, 1);
}

const copied = (arg: Value): Value => (Array.isArray(arg) ? Float64Array.from(arg, Number) : arg);

describe.each(stageNames)("%s", (stage) => {
  test.each(calls)("%s %j", (entry, given, value, grad) => {
    const args = given.map(copied);
    const run = model.run(entry, stage, args);
    expect(run.value).toBeCloseTo(value, 12);
    if (run.kind === "primal") return;
    const found = gradientOf(entry, stage, args);
    const forward = gradientOf(entry, "forward", args);
    grad.forEach((each, index) => {
      expect(found[index]).toBeCloseTo(each, 12);
      expect(found[index]).toBeCloseTo(forward[index] ?? NaN, 12);
    });
  });
});

test.each(calls)("the interpreter: %s %j", (entry, given, value, grad) => {
  const names = model.parameters(entry).map(({ name }) => name);
  const args = Object.fromEntries(names.map((name, index) => [name, given[index] ?? null]));
  const { program } = model.core;
  const outcome = interpret(program, model.entry(entry), args, 10_000);
  expect(outcome.reals[0]?.value).toBeCloseTo(value, 12);
  grad.forEach((each, index) => {
    expect(outcome.reals[0]?.gradient[index] ?? 0).toBeCloseTo(each, 12);
  });
});
