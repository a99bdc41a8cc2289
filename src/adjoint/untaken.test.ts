import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, functionOf, loadModule } from "../driver/evaluate.js";

const model = `def layers (m : [[R]]) (x : [R]) : R = sum (map relu (matVec m x))`;

function code(text: string): string {
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.value.code;
}

test("a unit that is off has no part in the gradient, whatever its weights are", () => {
  const grad = functionOf(exportOf(loadModule(code(model)), "layersGrad"));
  const [x, on, off] = [Float64Array.of(1, -2), Float64Array.of(3, 1), Float64Array.of(-Infinity, 5)];
  expect(grad([off, on, off], x)).toEqual({
    value: 1,
    grad: { m: [Float64Array.of(0, 0), Float64Array.of(1, -2), Float64Array.of(0, 0)], x: Float64Array.of(3, 1) },
  });
});

test("only loops within loops ask, and only where a cotangent comes from a branch", () => {
  const asks = (text: string): boolean => /_ !== 0\)/.test(code(text));
  expect(asks(model)).toBe(true);
  expect(asks(`def f (m : [[R]]) (x : [R]) : R = sum (map (\\y. 3 * relu (2 * y)) (matVec m x))`)).toBe(true);
  expect(asks(`def f (x : [R]) (y : [R]) : R = relu (dot x y)`)).toBe(false);
  expect(asks(`def f (m : [[R]]) (x : [R]) : R = sum (map tanh (matVec m x))`)).toBe(false);
});
