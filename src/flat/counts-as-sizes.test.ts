// Which loops have as many iterations as an array has elements, without a look at what they count to.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";

/** What arrays are as long as, in which a loop that counts to `n` saves something. */
function sizes(text: string): readonly string[] {
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return [...compiled.value.code.matchAll(/Saved = (?:new Float64Array|workArray)\((.*)\);/g)].map(([, size = ""]) => size); // prettier-ignore
}

const saving = (count: string): string => `iterate (${count}) (\\y. sin (x * y)) x`;

test("those that a test in front lets through", () => {
  expect(sizes(`def f (n : Z) (x : R) : R = if n <= 0 then 0 else ${saving("n")} / 2`)).toEqual(["n", "n"]);
  expect(sizes(`def f (n : Z) (x : R) : R = if n > 3 then ${saving("n - 3")} / 2 else 0`)).toEqual(["n1", "n1"]);
});

test("those that a check in front lets through, and what counts up from there", () => {
  const text = `def f (n : Z) (x : R) : R = sum (build n (\\i. ${saving("i + 1")}))`;
  expect(sizes(text).filter((size) => size.includes("max"))).toEqual([]);
});

test("not those that may count to less than zero", () => {
  const isGuarded = (text: string): boolean =>
    sizes(text).every((size) => size.startsWith("Math.max(")) && sizes(text).length > 0;
  expect(isGuarded(`def f (n : Z) (x : R) : R = ${saving("n")}`)).toBe(true);
  expect(isGuarded(`def f (n : Z) (x : R) : R = if n > 2 then 0 else ${saving("n")}`)).toBe(true);
  expect(isGuarded(`def f (n : Z) (x : R) : R = if n <= 0 then 0 else ${saving("n - 2")} / 2`)).toBe(true);
});
