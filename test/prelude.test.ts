// What the prelude's array functions compute, where they fail, and their gradients at singular points.

import { describe, expect, test } from "vitest";
import { grad } from "../src/driver/grad.js";
import { run } from "../src/driver/run.js";
import { renderDiagnostics } from "../src/diagnostics/render.js";
import { textOf } from "../src/driver/load-options.js";
import type { Answer } from "../src/driver/answer.js";
import type { SourceFile } from "../src/syntax/source.js";

function valueOf<T>(source: SourceFile, result: Answer<T>): T | string {
  return result.ok ? result.value : renderDiagnostics(result.diagnostics, textOf(source), { colors: false, limit: 1 });
}

/** The value of an expression without variables. */
function value(expression: string): unknown {
  const source = { name: "m.lam", text: `def f (unused : R) = ${expression}` };
  const result = valueOf(source, run(source, "f", { unused: 0 }));
  return plain(result);
}

/** The gradient of an expression in the array `xs`. */
function gradient(expression: string, xs: readonly number[]): readonly number[] {
  const source = { name: "m.lam", text: `def f (xs : [R]) : R = ${expression}` };
  const result = valueOf(source, grad(source, "f", { xs }));
  const found = typeof result !== "string" && "grad" in result.document ? result.document.grad["xs"] : null;
  return found instanceof Float64Array ? [...found] : [];
}

function plain(data: unknown): unknown {
  return JSON.parse(
    JSON.stringify(data, (_, part: unknown) => {
      if (part instanceof Float64Array) return [...part];
      return typeof part === "number" && !Number.isFinite(part) ? String(part) : part;
    }),
  );
}

test.each<[string, unknown]>([
  ["map (\\x. x * 2) [1.0, 2]", [2, 4]],
  ["mapi (\\i x. x + toReal i) [1, 2]", [1, 3]],
  ["zip [1.0, 2] [true, false]", [[1, true], [2, false]]],
  ["zipWith (*) [1.0, 2] [3, 4]", [3, 8]],
  ["zipWith3 (\\x y z. x + y * z) [1.0, 2] [3, 4] [5, 6]", [16, 26]],
  ["foldl (\\acc x. acc * 10 + x) 0 [1.0, 2, 3]", 123],
  ["foldr (\\x acc. acc * 10 + x) 0 [1.0, 2, 3]", 321],
  ["foldl (+) 7 ([] : [R])", 7],
  ["foldr (+) 7 ([] : [R])", 7],
  ["scanl (\\acc x. acc * 10 + x) 0 [1.0, 2, 3, 4, 5]", [0, 1, 12, 123, 1234, 12345]],
  ["scanl (+) 7 ([] : [R])", [7]],
  ["scanl (\\n x. n + 1) 0 [1.0, 2, 3] ! 3 + (0 : Z)", 3],
  ["sum [1.0, 2, 3]", 6],
  ["sum (range 1 100) + (0 : Z)", 5050],
  ["sum ([] : [R])", 0],
  ["product [1.0, 2, 3, 4]", 24],
  ["product ([] : [R])", 1],
  ["maximum [1.0, 3, 2]", 3],
  ["let m = maximum [1.0, 0 / 0, 3] in if m == m then 1 else 0.5", 0.5],
  ["let m = maximum [0 / 0, 1.0] in if m == m then 1 else 0.5", 0.5],
  ["minimum [3.0, 1, 2]", 1],
  ["let m = minimum [1.0, 3, 0 / 0] in if m == m then 1 else 0.5", 0.5],
  ["argmax [1.0, 3, 2, 3]", 1],
  ["argmax [5.0]", 0],
  ["dot [1.0, 2] [3, 4]", 11],
  ["norm [3, 4]", 5],
  ["norm []", 0],
  ["replicate 3 2.5", [2.5, 2.5, 2.5]],
  ["append [1.0] [2, 3]", [1, 2, 3]],
  ["concat [[1.0], [], [2, 3], [4, 5, 6]]", [1, 2, 3, 4, 5, 6]],
  ["concat ([] : [[R]])", []],
  ["reverse [1.0, 2, 3]", [3, 2, 1]],
  ["slice 1 3 [1.0, 2, 3, 4]", [2, 3]],
  ["slice 4 4 [1.0, 2, 3, 4]", []],
  ["range 2 5", [2, 3, 4, 5]],
  ["range 5 2", []],
  ["linspace 0 1 5", [0, 0.25, 0.5, 0.75, 1]],
  ["linspace 2 3 1", [2]],
  ["linspace 0.1 0.7 4 ! 3", 0.7],
  ["iterate 10 (\\x. x * 2) 1.0", 1024],
  ["iterate 0 (\\x. x * 2) 1.0", 1],
  ["all (\\x. x > 0) [1.0, 2]", true],
  ["all (\\x. x > 0) [1.0, 0, 1]", false],
  ["all (\\x. x > 0) ([] : [R])", true],
  ["any (\\x. x > 1) [1.0, 2]", true],
  ["any (\\x. x > 2) [1.0, 2]", false],
  ["width [[1.0, 2], [3, 4], [5, 6]]", 2],
  ["transpose [[1.0, 2, 3], [4, 5, 6]]", [[1, 4], [2, 5], [3, 6]]],
  ["zip3 [1.0, 2] [true, false] [3.0, 4]", [[1, true, 3], [2, false, 4]]],
  ["unzip [(1.0, true), (2, false)]", [[1, 2], [true, false]]],
  ["cumsum [1.0, 2, 3]", [1, 3, 6]],
  ["cumsum ([] : [R])", []],
  ["cumprod [2.0, 3, 4]", [2, 6, 24]],
  ["diff [1.0, 4, 9]", [3, 5]],
  ["diff ([] : [R])", []],
  ["argmin [3.0, 1, 2, 1]", 1],
  ["take 2 [1.0, 2, 3]", [1, 2]],
  ["drop 2 [1.0, 2, 3]", [3]],
  ["drop 3 [1.0, 2, 3]", []],
  ["gather [2, 0, 0] [1.0, 2, 3]", [3, 1, 1]],
  ["set 1 9 [1.0, 2, 3]", [1, 9, 3]],
  ["scatterAdd [1, 1, 0] [10.0, 20, 30] [1, 2, 3]", [31, 32, 3]],
  ["segmentSum 3 [0, 2, 2] [1.0, 2, 3]", [1, 0, 5]],
  ["segmentSum 2 [1, 1] [1, 2] ! 1 + (0 : Z)", 3],
  ["count (\\x. x > 1) [1.0, 2, 3]", 2],
  ["find (\\x. x > 1) [1.0, 2, 3]", { tag: "inl", _0: 2 }],
  ["find (\\x. x > 9) [1.0, 2, 3]", { tag: "inr", _0: null }],
  ["filter (\\x. x > 1) [3.0, 1, 2, 0]", [3, 2]],
  ["filter (\\x. x > 9) [3.0, 1, 2, 0]", []],
  ["filter (\\x. x > 9) ([] : [R])", []],
  ["sort [3.0, 1, 2]", [1, 2, 3]],
  ["sort [0 / 0, 3.0, 0 / 0, 1]", [1, 3, "NaN", "NaN"]],
  ["sort ([] : [R])", []],
  ["sort [3, 1, 2] ! 0 + (0 : Z)", 1],
  ["sortBy (\\(key, _). key) [(2.0, true), (1, false), (2, false), (1, true)]", [[1, false], [1, true], [2, true], [2, false]]],
  ["argsort [2.0, 1, 2, 1, 0]", [4, 1, 3, 0, 2]],
  ["median [5.0, 1, 3]", 3],
  ["median [5.0, 1, 3, 4]", 3.5],
  ["median [7.0]", 7],
  ["median [1.0, 0 / 0, 3]", "NaN"],
  ["quantile 0.1 [1.0, 2, 3, 4]", 1.3],
  ["quantile 1 [1.0, 2, 3, 4]", 4],
  ["fromList (toList [1.0, 2, 3, 4, 5])", [1, 2, 3, 4, 5]],
  ["fromList (toList ([] : [R]))", []],
  ["ceil 1.25 + ceil (-1.25) + (0 : Z)", 1],
  ["square 3 + (0 : Z)", 9],
  ["[clamp 0 1 (-2), clamp 0 1 0.5, clamp 0 1 2]", [0, 0.5, 1]],
  ["logit 0.2", Math.log(0.25)],
  ["[logit 0, logit 1]", ["-Infinity", "Infinity"]],
  ["logAddExp 1000 1000", 1000 + Math.log(2)],
  ["[logAddExp (-infinity) 2, logAddExp 2 (-infinity), logAddExp infinity infinity, logAddExp (-infinity) (-infinity)]", [2, 2, "Infinity", "-Infinity"]],
  ["[logAddExp (-1e300) 1, logAddExp 1e300 1]", [1, 1e300]],
  ["(isFinite 1, isFinite nan, isFinite infinity)", [true, false, false]],
  ["transpose ([] : [[R]])", []],
  ["matVec [[1.0, 2], [3, 4]] [5, 6]", [17, 39]],
  ["matMul [[1.0, 2], [3, 4], [0, 1]] [[5, 6, 1], [7, 8, 2]]", [[19, 22, 5], [43, 50, 11], [7, 8, 2]]],
  ["outer [1.0, 2] [3, 4, 5]", [[3, 4, 5], [6, 8, 10]]],
  ["softmax [0, 0, 0, 0]", [0.25, 0.25, 0.25, 0.25]],
  ["softmax [1000, 1000]", [0.5, 0.5]],
  ["softmax []", []],
  ["logSumExp [1000, 1000] - 1000", Math.log(2)],
  ["logSumExp [-1000, -1000] + 1000", Math.log(2)],
  ["logSumExp [log 0, log 0]", "-Infinity"],
  ["mean [1, 2, 6]", 3],
  ["variance [1, 2, 6]", 14 / 3],
  ["std [1, 2, 6]", Math.sqrt(14 / 3)],
  ["std [1e200, 3e200] / 1e200", 1],
])("%s", (expression, expected) => {
  const actual = value(expression);
  if (typeof expected === "number") expect(actual).toBeCloseTo(expected, 9);
  else expect(actual).toEqual(expected);
}); // prettier-ignore

describe("what fails", () => {
  test.each([
    ["zip [1.0] [1.0, 2]", "zip: the lengths 1 and 2 must be the same"],
    ["zipWith (+) [1.0, 2] [1]", "the lengths 2 and 1 must be the same"],
    ["zipWith3 (\\x y z. x) [1.0] [1.0] [1.0, 2]", "the lengths 1 and 2 must be the same"],
    ["dot [1.0, 2] [1]", "the lengths 2 and 1 must be the same"],
    ["matVec [[1.0, 2]] [1]", "the lengths 2 and 1 must be the same"],
    ["matMul [[1.0, 2]] [[1.0]]", "the lengths 2 and 1 must be the same"],
    ["transpose [[1.0, 2], [1]]", "the lengths 2 and 1 must be the same"],
    ["sameLength 1 2", "--> m.lam:1:22"],
    ["maximum ([] : [R])", "index 0 is outside an array of length 0"],
    ["softmax (replicate (-1) 1.0)", "--> m.lam:1:31"],
    ["logSumExp []", "--> m.lam:1:22"],
    ["linspace 0 1 (-1)", "linspace: an array cannot have the size -1"],
    ["slice 2 1 [1.0, 2]", "an array cannot have the size -1"],
    ["slice 1 3 [1.0, 2]", "index 2 is outside an array of length 2"],
    ["replicate (-1) true", "an array cannot have the size -1"],
    ["zip3 [1.0] [1.0] [1.0, 2]", "zip3: the lengths 1 and 2 must be the same"],
    ["take 4 [1.0, 2, 3]", "take: index 3 is outside an array of length 3"],
    ["drop 4 [1.0, 2, 3]", "drop: an array cannot have the size -1"],
    ["gather [3] [1.0, 2, 3]", "gather: index 3 is outside an array of length 3"],
    ["set 3 1 [1.0, 2, 3]", "set: index 3 is outside an array of length 3"],
    ["set (-1) 1 [1.0, 2, 3]", "set: index -1 is outside an array of length 3"],
    ["scatterAdd [3] [1.0] [1.0, 2, 3]", "scatterAdd: index 3 is outside an array of length 3"],
    ["scatterAdd [1] [1.0, 2] [1.0, 2, 3]", "scatterAdd: the lengths 1 and 2 must be the same"],
    ["argmin ([] : [R])", "argmin: index 0 is outside an array of length 0"],
    ["median []", "median: index 0 is outside an array of length 0"],
    ["quantile 1.5 [1]", "a quantile is of a part from 0 to 1"],
    ["ceil 1e300", "m.lam:1:22"],
  ])("%s", (expression, message) => {
    expect(value(expression)).toContain(message);
  });
});

describe("gradients at singular points", () => {
  test.each<[string, readonly number[], readonly number[]]>([
    ["maximum xs", [1, 3, 3], [0, 1, 0]],
    ["minimum xs", [1, 3, 1], [1, 0, 0]],
    ["norm xs", [0, 0], [0, 0]],
    ["norm xs", [3, 4], [0.6, 0.8]],
    ["median xs", [5, 1, 3, 4], [0, 0, 0.5, 0.5]],
    ["quantile (xs ! 0) (drop 1 xs)", [0.5, 1, 3, 4], [2, 0, 1, 0]],
    ["sort xs ! 1", [2, 1, 2], [1, 0, 0]],
    ["sum (map square (filter (\\x. x > 1) xs))", [3, 1, 2], [6, 0, 4]],
    ["logAddExp (xs ! 0) (xs ! 1)", [2, 2], [0.5, 0.5]],
    ["logAddExp (xs ! 0) (-infinity)", [2], [1]],
    ["clamp 0 1 (xs ! 0)", [0.5], [1]],
    ["clamp 0 1 (xs ! 0)", [2], [0]],
    ["logSumExp xs", [1000, 1000], [0.5, 0.5]],
    ["logSumExp xs", [-1000, 0], [0, 1]],
    ["softmax xs ! 0", [800, 800], [0.25, -0.25]],
    ["product xs", [0, 2, 3], [6, 0, 0]],
    ["variance xs", [1, 2, 6], [-4 / 3, -2 / 3, 2]],
    ["std xs", [1, 5], [-0.5, 0.5]],
    ["std xs", [3, 3, 3], [0, 0, 0]],
    ["scanl (*) 1 xs ! 2", [2, 3, 4], [3, 2, 0]],
    ["sum (concat [xs, xs])", [1, 2], [2, 2]],
    ["sum (map (\\x. x ^ 3) xs)", [1, 2], [3, 12]],
  ])("%s", (expression, xs, expected) => {
    const actual = gradient(expression, xs);
    expect(actual).toHaveLength(expected.length);
    for (const [i, partial] of expected.entries()) expect(actual[i]).toBeCloseTo(partial, 9);
  });
});
