// Sums over examples whose reverse sweep takes turns with the forward sweep: their gradients are those of the tape, and nothing of an iteration is left on it.

import { describe, expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, functionOf, loadModule } from "../driver/evaluate.js";

/** A function that stays one, which the sweeps call. */
const tree = "def tree (x : R) (n : Z) : R = if n <= 1 then x else tree (x * x) (n - 1) + tree (sin x) (n - 2)\n";

const xs = Float64Array.of(0.5, -1.25, 2, 0.75);
const ys = Float64Array.of(1, 0.5, -0.25, 3);
const rows = [xs, ys, Float64Array.of(-0.5, 0.25, 1.5, -2)];

function compiled(model: string, stage: "adjoint" | "tape"): string {
  const found = compile({ name: "model.lam", text: tree + model }, { stage, target: "js" });
  if (!found.ok) throw new Error(JSON.stringify(found.diagnostics));
  return found.value.code;
}

function gradientOf(model: string, stage: "adjoint" | "tape", args: readonly unknown[]): unknown {
  return functionOf(exportOf(loadModule(compiled(model, stage)), "lossGrad"))(...args);
}

const [forward, reverse] = [/Forward\(|\.call\(/, /Reverse\(|\.back\(/];

/** How many loops the gradient of `loss` has for the forward sweeps and the reverse sweeps of the calls. */
function loopsWithCalls(model: string): { readonly shared: number; readonly apart: number } {
  const code = compiled(model, "adjoint");
  const from = code.indexOf("export function lossGrad");
  const text = code.slice(from, code.indexOf("\n}\n", from));
  const loops = [...text.matchAll(/^ {2}for .*?^ {2}\}$/gms)].map(([loop]) => loop);
  const both = (loop: string): boolean => forward.test(loop) && reverse.test(loop);
  const one = (loop: string): boolean => (forward.test(loop) || reverse.test(loop)) && !both(loop);
  return { shared: loops.filter(both).length, apart: loops.filter(one).length };
}

function flat(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(flat) : [];
}

function expectSame(model: string, args: readonly unknown[]): void {
  const [one, other] = (["adjoint", "tape"] as const).map((stage) => flat(gradientOf(model, stage, args)));
  expect(one).toHaveLength(other?.length ?? 0);
  one?.forEach((value, index) => {
    const wanted = other?.[index] ?? NaN;
    expect(Math.abs(value - wanted)).toBeLessThanOrEqual(1e-12 * (1 + Math.abs(wanted)));
  });
}

/** How many loops the gradient of `loss` has that are in no other one. */
function outerLoops(model: string): number {
  const code = compiled(model, "adjoint");
  const from = code.indexOf("export function lossGrad");
  return [...code.slice(from, code.indexOf("\n}\n", from)).matchAll(/^ {2}for /gm)].length;
}

const newton =
  "let rec go y n = if n <= 0 || abs (y * y - x) < 1e-9 then y else go (0.5 * (y + x / y)) (n - 1) in go 1 20";

describe("one loop of iterations with inner loops until something holds", () => {
  test.each<[string, string, readonly unknown[]]>([
    ["of a sum", `def loss (w : R) (xs : [R]) : R = sum (map (\\z. let x = w + z ^ 2 in ${newton}) xs)`, [0.7, xs]],
    ["of a mean of rows", `def loss (w : R) (rs : [[R]]) : R = mean (map (\\r. sum (map (\\z. let x = w + z ^ 2 in ${newton}) r)) rs)`, [0.7, rows]],
    ["of iterations that end at once", `def loss (w : R) (xs : [R]) : R = sum (map (\\z. let x = 1 in z * ${newton}) xs)`, [0.7, xs]],
    ["of iterations with recursion behind the call", "def down (k : R) (x : R) : R = if x > 0 then sin (k * x) + down k (x - 1) else cos (k * x)\ndef loss (w : R) (xs : [R]) : R = sum (map (\\x. down w (x + 3)) xs)", [0.7, xs]],
  ])("%s", (_, model, args) => {
    expect(outerLoops(model)).toBe(1);
    expectSame(model, args);
  }); // prettier-ignore
});

describe("one loop", () => {
  test.each<[string, string, readonly unknown[]]>([
    ["of a sum", "def loss (w : R) (xs : [R]) : R = sum (map (\\x. tree (w * x) 3) xs)", [0.7, xs]],
    ["of a mean", "def loss (w : R) (xs : [R]) : R = mean (map (\\x. tree (w * x) 3) xs)", [0.7, xs]],
    ["of a sum of squares", "def loss (w : R) (xs : [R]) (ys : [R]) : R = 0.5 * sum (zipWith (\\x y. (tree (w * x) 3 - y) ^ 2) xs ys)", [0.7, xs, ys]],
    ["with a factor that has a cotangent", "def loss (w : R) (xs : [R]) : R = w * sum (map (\\x. tree (w * x) 3) xs)", [0.7, xs]],
    ["with something behind it", "def loss (w : R) (xs : [R]) : R = let s = sum (map (\\x. tree (w * x) 3) xs) in s + 0.1 * sum (map (\\x. sin (x * w)) xs)", [0.7, xs]],
    ["with a function's value behind it", "def loss (w : R) (xs : [R]) : R = let s = sum (map (\\x. tree (w * x) 3) xs) in 2 * s + exp w", [0.7, xs]],
    ["within another one", "def loss (w : R) (rs : [[R]]) : R = mean (map (\\r. mean (map (\\x. tree (w * x) 2) r)) rs)", [0.7, rows]],
    ["of two values", "def loss (w : R) (xs : [R]) : R = let (a, b) = foldl (\\(a, b) x. let p = tree (w * x) 3 in (a + p, b + sin p)) (0, 1) xs in 2 * a - b", [0.7, xs]],
    ["of rows that are made for an iteration", "def loss (w : R) (rs : [[R]]) : R = sum (map (\\r. let q = map (\\x. w * x) r in tree (dot q q) 2 * sum q) rs)", [0.7, rows]],
    ["of iterations with branches", "def loss (w : R) (xs : [R]) : R = sum (map (\\x. if x > 0.6 then tree (w * x) 3 * x else sin (w * x) * tree x 2) xs)", [0.7, xs]],
    ["of iterations with inner loops over states", "def loss (w : R) (rs : [[R]]) : R = sum (map (\\r. foldl (\\s x. tree (s + w * x) 2 * 0.5) w r) rs)", [0.7, rows]],
    ["of no iterations", "def loss (w : R) (xs : [R]) : R = sum (map (\\x. tree (w * x) 3) xs)", [0.7, []]],
    ["that also counts", "def loss (w : R) (xs : [R]) : R = let (s, n) = foldl (\\(s, n) x. (s + tree (w * x) n, n + 1)) (0, 0) xs in s * w", [0.7, xs]],
    ["through a function that is made before it", "def loss (w : R) (xs : [R]) : R = let f = if w > 0 then (\\x. tree (w * x) 2) else (\\x. w) in f w + sum (map (\\x. f x * f (x + 1)) xs)", [0.7, xs]],
  ])("%s", (_, model, args) => {
    expect(loopsWithCalls(model)).toEqual({ shared: 1, apart: 0 });
    expectSame(model, args);
  }); // prettier-ignore
});

describe("two loops", () => {
  test.each<[string, string, readonly unknown[]]>([
    ["where the cotangent depends on the sum", "def loss (w : R) (xs : [R]) : R = sqrt (sum (map (\\x. tree (w * x) 2) xs))", [0.7, xs]],
    ["where the iterations change a state", "def loss (w : R) (xs : [R]) : R = foldl (\\s x. tree (s + w * x) 2 * 0.5) w xs", [0.7, xs]],
    ["where it is a maximum", "def loss (w : R) (xs : [R]) : R = maximum (map (\\x. tree (w * x) 3) xs)", [0.7, xs]],
    ["where all values are used again", "def loss (w : R) (xs : [R]) : R = let ps = map (\\x. tree (w * x) 3) xs in dot ps (reverse ps)", [0.7, xs]],
    ["where a branch behind it looks at the sum", "def loss (w : R) (xs : [R]) : R = let s = sum (map (\\x. tree (w * x) 3) xs) in if s > 0.1 then 2 * s else 3 * s", [0.7, xs]],
    ["where something behind it is called", "def loss (w : R) (xs : [R]) : R = let s = sum (map (\\x. tree (w * x) 3) xs) in tree s (length xs)", [0.7, xs]],
  ])("%s", (_, model, args) => {
    const { shared, apart } = loopsWithCalls(model);
    expect(shared).toBe(0);
    expect(apart).toBeGreaterThanOrEqual(1);
    expectSame(model, args);
  }); // prettier-ignore
});

test.each<[string, string]>([
  [
    "that have nothing to do with each other",
    "sum (map (\\x. tree (w * x) 3) xs) + mean (map (\\y. tree (w - y) 2) ys)",
  ],
  ["one within a factor", "0.5 * sum (map (\\x. tree (w * x) 3) xs) - w * sum (map (\\y. tree y 2) ys)"],
])("two sums %s have one loop each", (_, term) => {
  const model = `def loss (w : R) (xs : [R]) (ys : [R]) : R = ${term}`;
  expect(loopsWithCalls(model)).toEqual({ shared: 2, apart: 0 });
  expectSame(model, [0.7, xs, ys]);
});

test.each<[string, string]>([
  ["uses what the first gives", "let a = sum (map (\\x. tree (w * x) 3) xs) in sum (map (\\y. tree (a - y) 2) ys)"],
  [
    "uses what is computed of it",
    "let a = exp (0.1 * mean (map (\\x. tree (w * x) 3) xs)) in sum (map (\\y. tree (a - y) 2) ys) - a",
  ],
  [
    "uses what the first gives in a sum of its own",
    "let a = sum (map (\\x. tree (w * x) 3) xs) in sum (map (\\y. sum (map (\\x. tree (a - y * x) 2) xs)) ys)",
  ],
])("of two sums the second %s", (_, term) => {
  const model = `def loss (w : R) (xs : [R]) (ys : [R]) : R = ${term}`;
  expect(loopsWithCalls(model).shared).toBe(1);
  expectSame(model, [0.7, xs, ys]);
});

test("a call behind a sum that needs nothing of it comes before it, unless both may fail", () => {
  const model = (call: string, factor = "1"): string =>
    `def part (xs : [R]) (n : Z) : R = if n <= 0 then 0 else tree (xs ! n) 2 + part xs (n - 1) * part xs (n - 2)
     def loss (w : R) (xs : [R]) : R = let s = sum (map (\\x. tree (w * x) 3 * ${factor}) xs) in let p = ${call} in s + p * s + p`;
  expect(loopsWithCalls(model("tree w 3", "xs ! 3"))).toEqual({ shared: 1, apart: 0 });
  expectSame(model("tree w (length xs)", "xs ! 3"), [0.7, xs]);
  expect(loopsWithCalls(model("part xs 2"))).toEqual({ shared: 1, apart: 0 });
  expectSame(model("part xs 2"), [0.7, xs]);
  const both = model("part xs 5", "xs ! 4");
  expect(loopsWithCalls(both)).toEqual({ shared: 0, apart: 2 });
  expect(() => gradientOf(both, "adjoint", [0.7, xs])).toThrow("index 4");
});

test.each<[string, string, string]>([
  ["elements of rows", "sum (build 4 (\\i. dot (rs ! i) xs))", "index 3"],
  ["rows in place", "sum (foldl (\\a x. zipWith (\\p q. p * x + q) a (rs ! 1)) (rs ! 3) xs)", "index 3"],
])("the reverse sweep of %s behind a sum does not come before their checks", (_, term, error) => {
  const model = `def loss (w : R) (xs : [R]) (rs : [[R]]) : R =
    let s = sum (map (\\x. tree (w * x) 3 * xs ! 2) xs) in s + ${term}`;
  expect(() => gradientOf(model, "adjoint", [0.7, xs, rows])).toThrow(error);
  expectSame(model, [0.7, xs, [...rows, ys]]);
});

test("what a comparison of lengths behind a sum allows stays behind it", () => {
  const model = `def loss (w : R) (xs : [R]) (rs : [[R]]) : R =
    let s = sum (map (\\x. tree (w * x) 3) xs) in
    let d = sum (zipWith (\\r x. sum r * x) rs xs) in
    let e = sum (build (length xs) (\\i. sum (rs ! i) * sin (xs ! i))) in
    s + d + e`;
  expect(() => gradientOf(model, "adjoint", [0.7, xs, rows])).toThrow("the lengths 3 and 4 must be the same");
  expectSame(model, [0.7, xs, [...rows, ys]]);
});

test("an error in a later iteration leaves nothing behind", () => {
  const model = "def loss (w : R) (xs : [R]) (n : Z) : R = sum (build n (\\i. tree (w * xs ! i) 3))";
  const loss = functionOf(exportOf(loadModule(compiled(model, "adjoint")), "lossGrad"));
  const before = loss(0.7, xs, 4);
  expect(() => loss(0.7, xs, 5)).toThrow("index 4");
  expect(loss(0.7, xs, 4)).toEqual(before);
  expectSame(model, [0.7, xs, 4]);
});

test("branches within branches behind a sum are looked at once each", () => {
  const nested = Array.from({ length: 40 }).reduce<string>(
    (inner, _, i) => `(let a${i} = if w > ${i}.0 then ${inner} else sin w in a${i} * 0.5 + 1)`,
    "w",
  );
  const model = `def loss (w : R) (xs : [R]) : R = let s = sum (map (\\x. tree (w * x) 3) xs) in s + ${nested}`;
  expect(loopsWithCalls(model)).toEqual({ shared: 1, apart: 0 });
  expectSame(model, [0.7, xs]);
});
