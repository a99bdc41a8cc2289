// What is saved of arrays that loops carry.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";

/** What the loops of a model save, with stores of the forward sweep. */
function saved(text: string): readonly string[] {
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return [
    ...new Set(
      [...compiled.value.code.matchAll(/\/\/ (\S+) of (?:each round|all rounds)/g)].map(([, name = ""]) => name),
    ),
  ];
}

const carrying = (step: string): readonly string[] =>
  saved(`def f (n : Z) (u : [R]) : R = sum (iterate n (\\v. ${step}) u)`);

test("their values, where they are needed; nothing of their cotangents", () => {
  expect(carrying("build (length v) (\\i. if i > 0 then v ! i * v ! (i - 1) else v ! i)")).toEqual(["y"]);
  expect(carrying("build (length v) (\\i. if i > 0 then v ! i - v ! (i - 1) else v ! i)")).toEqual([]);
  expect(carrying("build (length v + 1) (\\i. if i > 0 then v ! (i - 1) else 1)").join(" ")).not.toMatch(/_( |$)/);
});

test("their stores are saved where something else holds the array", () => {
  const kept = "let w = [v, map (\\x. 2 * x) v] in map (\\i. sum (w ! (mod i 2))) (build (length v) (\\i. i))";
  expect(carrying(kept).some((name) => name.endsWith("_"))).toBe(true);
});
