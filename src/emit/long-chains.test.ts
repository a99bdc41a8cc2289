// Definitions that are long, but not deep.

import { expect, test } from "vitest";
import { verdictOn } from "../../test/support/harness.js";
import { compile } from "../driver/compile.js";

const many = (count: number, part: (i: number) => string, between = ""): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(between);

const lets = (bound: (before: string) => string, count = 10_000): string =>
  `${many(count, (i) => `  let x${i + 1} = ${bound(`x${i}`)} in\n`)}  x${count}\n`;

test.each([
  ["lets", `def f (x0 : R) : R =\n${lets((x) => `${x} * 2`)}`],
  ["choices", `def f (x0 : R) : R =\n${lets((x) => `if ${x} > 1 then ${x} * 0.5 else sin ${x}`)}`],
  ["terms", `def f (x : R) : R =\n  ${many(20_000, () => "x", " + ")}`],
])("10^4 and more: %s", (_, text) => {
  for (const stage of ["primal", "tape"] as const) {
    const result = compile({ name: "model.lam", text }, { stage });
    expect(result.diagnostics).toEqual([]);
    expect(result.ok).toBe(true);
  }
}, 120_000); // prettier-ignore

test.each([
  ["lets", `def f (x0 : R) : R =\n${lets((x) => `sin ${x} * x0`, 2_000)}`],
  ["terms", `def f (x : R) : R =\n  ${many(10_000, () => "x", " + ")}`],
  ["cells", `def f (x : R) : List R =\n  ${many(2_000, () => "x", " :: ")} :: Nil`],
  ["elements", `def f (x : R) : [R] =\n  [${many(2_000, () => "x", ", ")}]`],
  ["elements of a sum", `def f (x : R) : R =\n  sum [${many(2_000, (i) => `${i}.5 * x`, ", ")}]`],
])("adjoint: thousands of %s", (_, text) => {
  const result = compile({ name: "model.lam", text });
  expect(result.diagnostics).toEqual([]);
  expect(result.ok).toBe(true);
}, 120_000); // prettier-ignore

test("a sum of as many contributions as terms", () => {
  const text = `def f (x : R) (y : R) : R =\n  ${many(1_000, (i) => (i % 3 === 0 ? "x * y" : "x"), " + ")}`;
  const verdict = verdictOn(text, "f", { x: 0.5, y: 3 }, { stages: ["tape", "adjoint"], pairs: [["tape", "adjoint"]] });
  expect(verdict.kind).toBe("agree");
}, 60_000); // prettier-ignore

test("a thousand recursive calls in one body end in a diagnostic", () => {
  const calls = many(1_000, (i) => `  let x${i + 1} = x${i} * f x0 (n - 1) in\n`);
  const text = `def f (x0 : R) (n : Z) : R = if n == 0 then x0 else\n${calls}  x1000`;
  const { diagnostics } = compile({ name: "model.lam", text }, { stage: "tape" });
  expect(diagnostics.map(({ code }) => code)).toEqual(["E0701"]);
}, 60_000); // prettier-ignore
