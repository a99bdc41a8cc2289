// What is saved of arrays that loops carry.

import { describe, expect, test } from "vitest";
import { compile } from "../driver/compile.js";

function codeOf(text: string): string {
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.value.code;
}

/** What the loops of a model save, with stores of the forward sweep. */
function saved(text: string): readonly string[] {
  return [
    ...new Set(
      [...codeOf(text).matchAll(/\/\/ (\S+) of (?:each iteration|all iterations)/g)].map(([, name = ""]) => name),
    ),
  ];
}

const carrying = (step: string): readonly string[] =>
  saved(`def f (n : Z) (u : [R]) : R = sum (iterate n (\\v. ${step}) u)`);

test("their values, where they are needed; nothing of their cotangents", () => {
  expect(carrying("build (length v) (\\i. if i > 0 then v ! i * v ! (i - 1) else v ! i)")).toEqual(["v"]);
  expect(carrying("build (length v) (\\i. if i > 0 then v ! i - v ! (i - 1) else v ! i)")).toEqual([]);
  expect(carrying("build (length v + 1) (\\i. if i > 0 then v ! (i - 1) else 1)").join(" ")).not.toMatch(/_( |$)/);
});

test("their stores are saved where something else holds the array", () => {
  const kept = "let w = [v, map (\\x. 2 * x) v] in map (\\i. sum (w ! (mod i 2))) (build (length v) (\\i. i))";
  expect(carrying(kept).some((name) => name.endsWith("_"))).toBe(true);
});

test("nothing of the cotangents of rows, either", () => {
  const rows = (step: string): readonly string[] =>
    saved(`def f (n : Z) (m : [[R]]) : R = sum (map sum (iterate n (\\p. ${step}) m))`);
  expect(rows("map (map (\\x. x * x)) p")).toEqual(["p"]);
  expect(rows("matMul p (transpose p)").filter((name) => name.includes("_"))).toEqual([]);
  const kept = "let q = map (map (\\x. x * x)) p in map (\\i. [q ! i, p ! i] ! mod i 2) (range 0 (length p - 1))";
  expect(rows(kept).some((name) => name.includes("_"))).toBe(true);
});

describe("iterations that hand an array on as it is take one step, also back", () => {
  /** The iterations of the gradient's reverse sweep, where some iterations hand on `next`. */
  const back = (next: string): string => {
    const iteration = `if xs ! i > 1 then go (i + 1) (${next}) s else go (i + 1) b (s + b ! i * xs ! i)`;
    const code = codeOf(
      `def f (xs : [R]) (ys : [R]) : R = let rec go i b s = if i >= length xs then s else ${iteration} in go 0 ys 0`,
    );
    return /function fGrad.*?i--\)(.*?)\n {2}}/s.exec(code)?.[1] ?? "";
  };

  test("where others hand on one from outside", () => {
    expect(back("xs")).toContain("b_[i] += ");
    expect(back("xs")).not.toMatch(/Float64Array|workArray|for \(/);
  });

  test("where others make one", () => {
    const [made = "", held = ""] = back("build (length b) (\\j. b ! j * xs ! 0)").split(" else ");
    // Two arrays that change places in the branch
    expect(made).toMatch(/const (\w+) = spare;.*for \(.*spare = (\w+);.*\2 = \1;/s);
    expect(held).toMatch(/\w+_\[i\] \+= /);
    expect(held).not.toMatch(/Float64Array|workArray|for \(/);
  });
});
