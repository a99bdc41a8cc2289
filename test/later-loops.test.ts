// What one loop gives another one hands on, and lengths that are compared in loops: adjoint code agrees with the tape, in values, gradients and errors.

import { describe, expect, test } from "vitest";
import { grad } from "../src/index.js";

function outcome(text: string, args: Readonly<Record<string, unknown>>, stage: "adjoint" | "tape"): unknown {
  const result = grad({ name: "m.lam", text }, "f", args, { stage });
  return result.ok ? result.value : result.diagnostics.map(({ title }) => title);
}

describe("a loop hands on what an earlier one has given", () => {
  test.each([
    "toReal (let s = iterate n (\\a. a + 1) 0 in iterate n (\\c. s) 0)",
    "let y = iterate n sin x in iterate n (\\_c. y) x",
    "let y = iterate n sin x in iterate n (\\c. y) 3",
    "let y = sum v in iterate n (\\c. y) x",
    "let y = dot v v in foldl (\\c r. y) x v",
    "let y = foldl max (v ! 0) v in foldl (\\s r. if r > 11 then y else s) (v ! 0) v",
    "let (p, q) = iterate n (\\(p, q). (q, p)) (x, iterate n sin x) in p + 2 * q",
    "let (p, q) = iterate n (\\(p, q). (q, p)) (v, iterate n (map sin) v) in sum p + 2 * sum q",
    "sum (iterate n (\\a. iterate n (\\c. a) v) (iterate n (map sin) v))",
    "toReal (iterate n (\\a. snd (iterate 2 (\\(c, d). (a, c)) (n, n))) (iterate n (\\k. k + 1) n))",
    "let rec go k a = if k <= 0 then a else go (k - 1) (a * x) in let y = go n 1 in let rec h k b = if k <= 0 then b else h (k - 1) y in h n 1",
  ])("%s", (body) => {
    const text = `def f (n : Z) (x : R) (v : [R]) : R = ${body}\n`;
    const args = { n: 3, x: 0.5, v: [10, 20] };
    expect(outcome(text, args, "adjoint")).toEqual(outcome(text, args, "tape"));
  });
});

describe("what is read behind a comparison stays behind it", () => {
  const lists = [
    { n: 2, m: [], v: [1, 2] },
    { n: 2, m: [[1]], v: [1, 2] },
    { n: 0, m: [[1]], v: [] },
    { n: 2, m: [[1, 2], [3, 4]], v: [1, 2] }, // prettier-ignore
  ];

  test.each([
    "sum (map (\\y. dot v (map sum m) + y) v)",
    "foldl (\\s y. foldl (\\t z. t + dot v (map sum m)) s (range 1 n)) 0 v",
    "iterate n (\\s. foldl (\\t y. t + s * dot v (map sum m)) 0 v) 1",
    "sum (map (\\y. sum (map sum (transpose m)) + dot v (map sum m)) v)",
    "foldl (\\s y. s + sum (map (\\r. toReal (width m) * r) v) + dot v (map sum m)) 0 v",
    "sum (map (\\y. sum (zipWith (\\p r. p * sum r) v m) + y) v)",
  ])("%s", (body) => {
    const text = `def f (n : Z) (m : [[R]]) (v : [R]) : R = ${body}\n`;
    for (const args of lists)
      expect(outcome(text, args, "adjoint"), JSON.stringify(args)).toEqual(outcome(text, args, "tape"));
  });
});
