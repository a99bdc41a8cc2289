// `lossJacobian`, `lossHessian` and `lossHvp` fill the arrays of an earlier result again, from the beginning where constants make them, and never those of arguments.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, loadModule, propertyOf } from "../driver/evaluate.js";

const model = `
data Point = Point { t : R, y : R }
def residuals (a : R) (k : R) (points : [Point]) : [R] = map (\\p. a * exp (-k * p.t) - p.y) points
def steps (xs : [R]) : [R] = build (length xs) (\\i. xs ! i ^ 2 - xs ! 0)
def bowl (xs : [R]) (m : [[R]]) : R = dot xs (matVec m xs)
`;

const compiled = compile(
  { name: "model.lam", text: model },
  { with: ["jacobian", "hvp", "hessian"], target: "js", wrt: ["residuals.a", "residuals.k", "bowl.xs"] },
);
if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
const { code } = compiled.value;
const loaded = loadModule(code);
const call = (name: string, ...args: readonly unknown[]): unknown => exportOf(loaded, name)(...args);
const floats = (...numbers: number[]): Float64Array => Float64Array.from(numbers);
const bodyOf = (name: string): string => code.slice(code.indexOf(`function ${name}(`)).split("\n}\n", 1)[0] ?? "";

test("in place, where constants make all arrays", () => {
  const isInPlace = (name: string) => [bodyOf(name).includes("earlierArrays("), bodyOf(name).includes("refill(")];
  expect(isInPlace("residualsDenseJacobian")).toEqual([true, false]);
  expect(isInPlace("stepsDenseJacobian")).toEqual([true, false]);
  // Rows are data, which may have the memory of anything
  expect(isInPlace("bowlHvp")).toEqual([false, true]);
});

test("a point that is the earlier value is not written to", () => {
  const first = call("stepsJacobian", floats(1, 2, 3));
  const xs = propertyOf(first, "value");
  const expected = call("stepsJacobian", floats(0, 3, 8));
  const again = call("stepsJacobian", xs, first);
  expect(again).toEqual(expected);
  expect(xs).toEqual(floats(0, 3, 8));
});

test("arrays of other lengths are new", () => {
  const first = call("stepsJacobian", floats(1, 2, 3));
  expect(call("stepsJacobian", floats(1, 2), first)).toEqual(call("stepsJacobian", floats(1, 2)));
  const points = [{ t: 0, y: 1 }];
  const one = call("residualsJacobian", 1, 2, points);
  const two = call("residualsJacobian", 1, 2, [...points, ...points], one);
  expect(two).toEqual(call("residualsJacobian", 1, 2, [...points, ...points]));
});

test("rows of a matrix that are rows of the earlier Hessian stay as they are", () => {
  const first = call("bowlHessian", floats(1, 2), [floats(1, 2), floats(3, 4)]);
  const all = propertyOf(first, "hessian");
  if (!(all instanceof Float64Array)) throw new Error("no Hessian");
  const m = [all.subarray(0, 2), all.subarray(2)];
  const expected = call("bowlHessian", floats(1, 2), m.map((row) => row.slice())); // prettier-ignore
  expect(call("bowlHessian", floats(1, 2), m, first)).toEqual(expected);
  expect(m).toEqual([floats(2, 5), floats(5, 8)]);
});

test("one array for two places is used once", () => {
  const shared = floats(0, 0, 0);
  const again = call("stepsJacobian", floats(1, 2, 3), { value: shared, rows: 0, columns: 0, jacobian: shared });
  expect(again).toEqual(call("stepsJacobian", floats(1, 2, 3)));
});
