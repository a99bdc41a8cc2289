// Products that a zero has to win: the module runs again with guards where something is NaN, and never leaves out a guard that decides anything.

import { describe, expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, loadModule, propertyOf } from "../driver/evaluate.js";

function compiled(text: string, debug = false): string {
  const result = compile({ name: "model.lam", text }, { with: ["jvp", "hvp"], target: "js", verify: true, debug });
  if (!result.ok) throw new Error(result.diagnostics.map(({ title }) => title).join("; "));
  return result.value.code;
}

describe("derivatives in loops", () => {
  const code = compiled("def loss (xs : [R]) : R = sum (map (\\x. min (exp x) 5 * x) xs)");
  const run = (name: string, ...args: readonly unknown[]): unknown => exportOf(loadModule(code), name)(...args);

  test("have products without guards first", () => {
    expect(code).toContain("holdsNaN(found) ? lossHvpGuarded(xs, dxs, buffers) : found");
  });

  test("are those with guards where a partial derivative is infinite", () => {
    // exp overflows at 800, and is cut off
    expect(run("lossHvp", [1, 800], [1, 1])).toEqual({
      value: Math.E + 4000,
      grad: { xs: Float64Array.of(2 * Math.E, 5) },
      hvp: { xs: Float64Array.of(3 * Math.E, 0) },
    });
    expect(run("lossHvp", [1], [NaN])).toEqual({
      value: Math.E,
      grad: { xs: Float64Array.of(2 * Math.E) },
      hvp: { xs: Float64Array.of(NaN) },
    });
  });
});

test.each([
  ["a choice by a derivative", "if snd (jvp (\\y. min (exp (3 * y)) 5) x x) > 1 then x ^ 2 else x"],
  ["a whole number of a derivative", "x * toReal (floor (snd (jvp (\\y. min (exp (3 * y)) 5) x x)))"],
  ["a power of a derivative", "pow x (snd (jvp (\\y. min (exp (3 * y)) 5) x x))"],
])("%s keeps its guards", (_, body) => {
  const code = compiled(`def loss (xs : [R]) : R = sum (map (\\x. ${body}) xs)`);
  const value = propertyOf(exportOf(loadModule(code), "lossHvp")([800, 0.5], [1, 1]), "value");
  expect(value).toBe(exportOf(loadModule(code), "loss")([800, 0.5]));
  expect(code).not.toContain("Guarded");
});

test("what is shown is shown once", () => {
  const text = 'def loss (xs : [R]) : R = sum (map (\\x. min (exp (debug "x" x)) 5 * x) xs)';
  expect(compiled(text)).toContain("Guarded");
  expect(compiled(text, true)).not.toContain("Guarded");
});
