// Arrays whose cotangents only the reverse sweeps of recursive functions have.

import { expect, test } from "vitest";
import { firstDifference } from "../../test/support/compare.js";
import { countedCall } from "../../test/support/counted-work.js";
import { codeOf, numbersOf, paramsOf, pushed } from "../../test/support/emitted-sweeps.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../driver/evaluate.js";

/** The determinant by its minors. */
const det = `def without (k : Z) (v : [R]) : [R] = build (length v - 1) (\\j. if j < k then v ! j else v ! (j + 1))
def det (m : [[R]]) : R =
  if length m == 1 then m ! 0 ! 0
  else sum (build (length m) (\\k.
    (if mod k 2 == 0 then 1 else -1) * m ! 0 ! k * det (build (length m - 1) (\\i. without k (m ! (i + 1))))))`;

test("what a recursive call is given is made for it, cotangents and values, by both sweeps", () => {
  expect(paramsOf(det, "det", "Forward")).toEqual(["m"]);
  expect(paramsOf(det, "det", "Reverse")).toEqual(["m", "m_"]);
  expect(pushed(det, "det")).toEqual(["t"]);
});

test("what is dear to build is saved by the caller, its cotangents not", () => {
  const dear = `def f (n : Z) (v : [R]) : R = if n <= 0 then v ! 0 * v ! 1 else f (n - 1) (map sin v) * f (n - 2) (map exp v)`;
  expect(paramsOf(dear, "f", "Forward")).toEqual(["n", "v"]);
  expect(paramsOf(dear, "f", "Reverse")).toContain("v_");
  expect(pushed(dear, "f").filter((what) => what.endsWith("_"))).toEqual([]);
});

test("not what is part of a result, or is held by a function or an object", () => {
  const result = `def f (n : Z) (v : [R]) : [R] = if n <= 0 then v else append (f (n - 1) (map sin v)) (f (n - 2) v)
def g (v : [R]) : R = sum (f 3 v)`;
  expect(paramsOf(result, "f", "Forward")).toEqual(["n", "v", "v_"]);
  const object = `data Chain = End | Link [R] Chain
def total (c : Chain) : R = case c of { End -> 1; Link v rest -> v ! 0 * total rest }
def f (n : Z) (v : [R]) (c : Chain) : R = if n <= 0 then total c else f (n - 1) (map sin v) (Link v c) * f (n - 2) v c`;
  expect(paramsOf(object, "f", "Forward")).toEqual(["n", "v1", "c1", "v1_", "c1_"]);
});

test("functions that call each other", () => {
  const both = `def f (n : Z) (v : [R]) : R = if n <= 0 then v ! 0 else g (n - 1) (map (\\x. 2 * x) v) * g (n - 2) v
def g (n : Z) (v : [R]) : R = if n <= 0 then v ! 1 else f (n - 1) (map (\\x. x + 1) v) + f (n - 2) v`;
  for (const name of ["f", "g"]) {
    expect(paramsOf(both, name, "Forward")).toHaveLength(2);
    expect(paramsOf(both, name, "Reverse")).toHaveLength(2);
  }
});

const rows = [Float64Array.of(0.5, -1.2, 0.7, 2), Float64Array.of(1.5, 0.4, -0.6, 0.3), Float64Array.of(0.9, 0.8, 1.1, -1), Float64Array.of(0.2, -0.5, 0.6, 1.3)]; // prettier-ignore

test("the gradient is that of the other stages", () => {
  const [adjoint, tape] = (["adjoint", "tape"] as const).map((stage) => numbersOf(exportOf(loadModule(codeOf(det, stage)), "detGrad")(rows))); // prettier-ignore
  expect(firstDifference(adjoint ?? [], tape ?? [], 1e-12)).toBeNull();
});

test("pullbacks run again, and in turn", () => {
  const text = `${det}\ndef both (m : [[R]]) : (R, [R]) = (det m, [det (map (map sin) m), sum (m ! 0)])`;
  const make = exportOf(loadModule(codeOf(text, "adjoint")), "bothVjp");
  const pullbacks = [rows, rows.map((row) => row.map((x) => 2 * x))].map((m) => functionOf(propertyOf(make(m), "pullback"))); // prettier-ignore
  const cotangent = [0.5, Float64Array.of(2, -1)];
  const first = pullbacks.map((pullback) => JSON.stringify(pullback(cotangent)));
  const second = pullbacks.map((pullback) => JSON.stringify(pullback(cotangent)));
  expect(second).toEqual(first);
  expect(first[0]).not.toBe(first[1]);
});

test("cotangents that a function contributes to begin at zero in each iteration", () => {
  const text = `def g (n : Z) (v : [R]) : R = if n <= 0 then v ! 1 else g (n - 1) v * g (n - 2) v
def f (xs : [R]) : R = sum (map (\\x. let v = build 2 (\\j. x + toReal j) in g 1 v * v ! 0) xs)`;
  expect(exportOf(loadModule(codeOf(text, "adjoint")), "fGrad")(Float64Array.of(1, 2))).toEqual({
    value: 22,
    grad: { xs: Float64Array.of(8, 21) },
  });
});

/** A function of trees that gives rows: `leaf` is what it gives of a leaf. */
const ofTree = (leaf: string): string => `data Tree = Leaf R | Node Tree Tree
def up (n : Z) (t : Tree) (xs : [R]) : [[R]] = case t of {
  Leaf x -> ${leaf};
  Node l r -> zipWith (zipWith (\\x y. sin x * y)) (up n l xs) (up n r xs) }
def loss (n : Z) (t : Tree) (xs : [R]) : R = sum (map sum (up n t xs))`;

test("of what a function has made the reverse sweep is given the cotangents, the forward sweep has none", () => {
  const text = ofTree("build n (\\i. map (\\y. y * x + toReal i) xs)");
  expect(codeOf(text, "adjoint")).toMatch(/function upReverse\(.*, result_\b/);
  expect(pushed(text, "up").filter((what) => what.endsWith("_"))).toEqual([]);
});

test.each([
  ["is an argument", "if x > 0 then [xs] else [map (\\y. y * x) xs]"],
  ["has one array for all rows", "build n (\\i. map (\\y. y * x) xs)"],
])("not of a result that %s", (_, leaf) => {
  expect(codeOf(ofTree(leaf), "adjoint")).not.toMatch(/function upReverse\(.*, result_\b/);
});

test("cotangents of what a call in front of a loop gives are not carried back through each iteration", () => {
  const text = `def up (n : Z) (x : R) : [R] = if n <= 0 then build 3 (\\i. x * toReal i) else zipWith (\\a b. sin a * b) (up (n - 1) x) (up (n - 2) x)
def f (n : Z) (x : R) : R =
  let u = up 3 x in
  let step (v, s) i = (u, s + v ! 0 * x) in
  let (v, s) = foldl step (build 3 (\\i. x), 0) (range 1 n) in
  sum v + s`;
  const work = (n: number): number => countedCall(codeOf(text, "adjoint"), "fGrad", [n, 0.5]).work;
  expect((work(400) - work(200)) / 200).toBeLessThan(30);
});
