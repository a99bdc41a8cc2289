// What derivatives cost, counted in emitted code: of programs of sums, products and quotients a directional derivative at most 4 times the work of the value, a gradient at
// most 5 times, one in the other at most 4 times 5 times; of operations with a constant of their own no more than that. Where something is NaN it runs twice, the second time with guards.

import { expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { countedCall } from "./support/counted-work.js";

interface Measured {
  readonly jvp: number;
  readonly grad: number;
  readonly hvp: number;
}

/** The work of derivatives, in that of the value. */
function ratios(text: string, args: readonly unknown[], wrt: readonly string[]): Measured {
  const compiled = compile(
    { name: "m.lam", text },
    { target: "js", entries: ["f"], with: ["grad", "jvp", "hvp"], wrt: wrt.map((param) => `f.${param}`) },
  );
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const { code } = compiled.value;
  const work = (name: string, given: readonly unknown[]): number => countedCall(code, name, given).work;
  const value = work("f", args);
  const tangents = args.slice(0, wrt.length);
  const of = (name: string, given: readonly unknown[]): number => work(name, given) / value;
  return { jvp: of("fJvp", [...args, ...tangents]), grad: of("fGrad", args), hvp: of("fHvp", [...args, ...tangents]) };
}

const numbers = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => 0.5 + ((i * 7) % 11) / 20);
const rows = (n: number): Float64Array[] => Array.from({ length: n }, (_, i) => numbers(n).map((x) => x + i / 50));

const models: readonly (readonly [name: string, text: string, args: readonly unknown[], wrt: readonly string[]])[] = [
  ["a polynomial", "def f (x : R) (cs : [R]) : R = foldl (\\acc c. acc * x + c) 0 cs", [0.9, numbers(50)], ["x"]],
  ["its coefficients", "def f (cs : [R]) (x : R) : R = foldl (\\acc c. acc * x + c) 0 cs", [numbers(50), 0.9], ["cs"]],
  ["a continued fraction", "def f (xs : [R]) : R = foldl (\\acc x. x + 1 / acc) 1 xs", [numbers(50)], ["xs"]],
  ["a product", "def f (xs : [R]) : R = product xs", [numbers(50)], ["xs"]],
  ["a quadratic form", "def f (v : [R]) (m : [[R]]) : R = dot v (matVec m v)", [numbers(12), rows(12)], ["v"]],
  [
    "a recurrence with two numbers",
    "def f (a : R) (xs : [R]) : R =\n  let (p, q) = foldl (\\(p, q) x. (p * a + q / (1 + x * x), q * p * a - a)) (1, 1) xs in p * q",
    [0.4, numbers(40)],
    ["a"],
  ],
  [
    "least squares",
    "def f (w : [R]) (rows : [[R]]) (ys : [R]) : R = sum (zipWith (\\row y. (dot row w - y) ^ 2) rows ys)",
    [numbers(10), rows(10), numbers(10)],
    ["w"],
  ],
  [
    "a recursion",
    "def f (x : R) : R =\n  let rec go n y = if n <= 0 then y else go (n - 1) (y * x) / go (n - 2) (x + y) in go 8 x",
    [0.9],
    ["x"],
  ],
];

test.each(models)("%s", (_, text, args, wrt) => {
  const { jvp, grad, hvp } = ratios(text, args, wrt);
  expect(jvp).toBeLessThanOrEqual(4);
  expect(grad).toBeLessThanOrEqual(5);
  expect(hvp).toBeLessThanOrEqual(20);
});
