// What derivatives cost, counted in emitted code: of loops with sums, products and reciprocals a directional derivative at most 4 times the work of the value, a gradient at
// most 5 times, one in the other at most 4 times 5 times; of operations with a constant of their own no more than that. Where something is NaN it runs twice, the second time with guards.

import { describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { cost, type GradientBound } from "../src/driver/cost.js";
import type { SourceFile } from "../src/syntax/source.js";
import type { Load } from "../src/syntax/loaded-file.js";
import { countedCall } from "./support/counted-work.js";
import { fixtureNames, readFixture } from "./support/fixture.js";

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

/** The last row of `cost`, that of adjoint code; null where the program has no operations on reals. */
function boundOf(source: SourceFile, entry: string, args: unknown, load: Load | null): GradientBound | null {
  const costs = cost(source, entry, args, { budget: 1000, ...(load === null ? {} : { load }) });
  if (!costs.ok) throw new Error(JSON.stringify(costs.diagnostics));
  const last = costs.value.at(-1);
  expect(last?.stage).toBe("adjoint");
  return last?.bound ?? null;
}

/** Quotients alone, each of two numbers that have derivatives. */
const quotients = "def f (a : R) (b : R) (c : R) (d : R) : R = ((a / b) / (c / d)) / ((b / c) / (d / a))";

describe("the bounds that `cost` tells", () => {
  test.each([...models, ["quotients", quotients, [1.5, 1.25, 1.1, 0.9], ["a", "b", "c", "d"]] as const])(
    "%s",
    (_, text, args, wrt) => {
      const names = Array.from(text.slice(0, text.indexOf("=")).matchAll(/\((\w+) :/g), ([, name = ""]) => name);
      const plain = (value: unknown): unknown =>
        Array.isArray(value) ? value.map(plain) : value instanceof Float64Array ? [...value] : value;
      const document = Object.fromEntries(names.map((name, i) => [name, plain(args[i])]));
      const bound = boundOf({ name: "m.lam", text }, "f", document, null);
      expect(bound?.ratio).toBeLessThanOrEqual(bound?.vjp.times ?? NaN);
      const { jvp, grad } = ratios(text, args, wrt);
      expect(jvp).toBeLessThanOrEqual(bound?.jvp.times ?? NaN);
      expect(grad).toBeLessThanOrEqual(bound?.vjp.times ?? NaN);
    },
  );

  test.each(["paper", "gradients", "primitives"])("fixtures: %s", { timeout: 300_000 }, (group) => {
    for (const name of fixtureNames(group)) {
      const { source, load, cases } = readFixture(group, name);
      const item = cases.find(({ expected, only }) => expected.kind === "value" && only === null);
      const bound = item === undefined ? null : boundOf(source, item.entry, item.args, load);
      if (bound !== null) expect(bound.ratio, `${group}/${name}`).toBeLessThanOrEqual(bound.vjp.times);
    }
  });
});
