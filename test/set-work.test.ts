// To set elements of an array that a loop carries takes the same for each of them, in the gradient, too, however long the array is. Counted in emitted code.

import { expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { countedCall } from "./support/counted-work.js";

test.each([
  ["a constant", "set place 1 ys"],
  ["a constant, in some iterations", "if mod place 2 == 0 then set place 1 ys else ys"],
  ["what is made of the element", "set place (sin (ys ! place)) ys"],
  ["what is made of another one", "set place (0.5 * ys ! 0) ys"],
  ["two elements", "set 0 (ys ! place) (set place 1 ys)"],
])("%s", (_, body) => {
  const text = `def f (xs : [R]) (places : [Z]) : R = sum (foldl (\\ys place. ${body}) xs places)`;
  const compiled = compile({ name: "m.lam", text }, { target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const { code } = compiled.value;
  const perElement = [50, 200, 800].map((n) => {
    const xs = Float64Array.from({ length: n }, (_, i) => 0.5 + ((i * 7) % 11) / 20);
    const places = Array.from(xs, (_, i) => (i * 7) % n);
    return countedCall(code, "fGrad", [xs, places]).work / n;
  });
  const [first = NaN] = perElement;
  for (const each of perElement) expect(each).toBeLessThan(1.1 * first);
});

// As many steps as there are pairs of elements: what a step costs
test.each([
  ["elements that change places", "if v ! i > v ! (i + 1) then set i (v ! (i + 1)) (set (i + 1) (v ! i) v) else v"],
  ["elements in reach of one", "if v ! 0 + 0.1 < v ! (i + 1) then set (i + 1) (v ! 0 + 0.1) v else v"],
  ["elements and their neighbours", "set (i + 1) (0.5 * v ! i + 0.5 * v ! (i + 1)) v"],
])("in loops inside of loops: %s", (_, body) => {
  const text = `
def sweep (v : [R]) : [R] = foldl (\\v i. ${body}) v (range 0 (length v - 2))
def f (xs : [R]) : R = sum (map square (iterate (length xs) sweep xs))`;
  const compiled = compile({ name: "m.lam", text }, { target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const { code } = compiled.value;
  const perStep = [15, 30, 60].map((n) => {
    const xs = Float64Array.from({ length: n }, (_, i) => 0.5 + ((i * 7) % 11) / 20);
    return countedCall(code, "fGrad", [xs]).work / (n * n);
  });
  const [first = NaN] = perStep;
  for (const each of perStep) expect(each).toBeLessThan(1.15 * first);
});

test.each([
  ["what is made of the row", "map sin (m ! i)"],
  ["of other rows", "zipWith (\\x y. 0.5 * x + y) (m ! i) (m ! 0)"],
  ["rows from elsewhere", "rows ! i"],
])("a row of a matrix takes the same, however many rows there are: %s", (_, row) => {
  const text = `def f (rows : [[R]]) (places : [Z]) : R = sum (map sum (foldl (\\m i. set i (${row}) m) rows places))`;
  const compiled = compile({ name: "m.lam", text }, { target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const { code } = compiled.value;
  const perRow = [25, 100, 400].map((n) => {
    const rows = Array.from({ length: n }, (_, i) =>
      Float64Array.from({ length: 3 }, (_, j) => 0.5 + ((i * 7 + j) % 11) / 20),
    );
    const places = Array.from(rows, (_, i) => (i * 7) % n);
    return countedCall(code, "fGrad", [rows, places]).work / n;
  });
  const [first = NaN] = perRow;
  for (const each of perRow) expect(each).toBeLessThan(1.1 * first);
});
