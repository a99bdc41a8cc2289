// What the reverse sweep computes again.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";

function code(text: string): string {
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.value.code;
}

const saved = (text: string): readonly string[] =>
  [...code(text).matchAll(/\/\/ (.*) of each iteration/g)].map(([, name = ""]) => name);

test("a choice between cheap values, such as the neighbour on a ring", () => {
  const ring = (left: string): readonly string[] =>
    saved(`def f (u : [R]) : [R] = let m = length u in build m (\\i. u ! i * u ! (${left}))`);
  expect(ring("if i == 0 then m - 1 else i - 1")).toEqual([]);
  expect(ring("if i == 0 then m - 1 else if i > 3 then 0 else i")).toEqual([]);
  expect(ring("if i == 0 then 0 else mod (mod (i * i) m) m")).not.toEqual([]);
  expect(ring("mod (i + 3) m")).toEqual([]);
  expect(ring("mod (i - 1) m")).toEqual([]);
});

test("a quotient whose dividend is there in any case", () => {
  expect(saved("def f (a : R) (d : R) (xs : [R]) : [R] = map (\\x. a * (x * x - 2 * x) / d) xs")).toEqual([]);
});

test("what follows from one number that is saved in place of several", () => {
  const body = (result: string): readonly string[] =>
    saved(`def f (w : [R]) (rows : [[R]]) : [R] =
      map (\\row. let base = dot row w in let u = 3 * base + 1 in let v = base - 2 in ${result}) rows`);
  expect(body("u * v * v")).toEqual(["base"]);
  expect(body("u ^ 3")).toEqual(["u"]);
});

test("so it is where it has been carried to a branch", () => {
  const names = saved(`def f (k : R) (start : R) : R =
    let rec go n base =
      if n == 0 then base
      else
        let u = 3 * base + k in
        let v = k * base in
        if u > 20 then base else go (n - 1) (sin u * sin v)
    in
    go 9 start`);
  expect(names).toContain("base");
  expect(names).not.toContain("u");
  expect(names).not.toContain("v");
});
