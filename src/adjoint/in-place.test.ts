// Loops that write one array over: what they copy first.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../driver/evaluate.js";

/** The values' code of a sum over `x` of what a loop that may have no iterations makes. */
function plain(made: string): string {
  const text = `def f (xs : [R]) (n : Z) : R = sum (map (\\x. (iterate ${made}) ! 0 * x) xs)`;
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return /function f\(.*?\n}\n/s.exec(compiled.value.code)?.[0] ?? "";
}

test("an array from outside of the iterations around them only where they have iterations", () => {
  expect(plain("(if x > 1 then 1 else 0) (map sin) xs")).toMatch(/= \w+ > 0 \? xs1\.slice\(\) : xs1;/);
  expect(plain("2 (map sin) xs")).toMatch(/= \w+\.slice\(\);/);
  expect(plain("n (map sin) (map (\\y. x * y) xs)")).toMatch(/= \w+\.slice\(\);/);
});

test("what an array has got that begins with constants is gone when the pullback is called again", () => {
  const text = `def f (xs : [R]) : [[R]] =
  let v = iterate 2 (\\p. zipWith (\\a b. 0.5 * a + b) p xs) (map (\\_. 0.1) xs) in [v, v]`;
  const compiled = compile({ name: "model.lam", text }, { target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const pullback = functionOf(propertyOf(exportOf(loadModule(compiled.value.code), "fVjp")([1, 2]), "pullback"));
  const ones = [Float64Array.of(1, 1), Float64Array.of(1, 1)];
  for (let time = 0; time < 3; time++) expect(pullback(ones)).toEqual({ xs: Float64Array.of(3, 3) });
});
