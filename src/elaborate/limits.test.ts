import { describe, expect, test } from "vitest";
import { elaborateText } from "../../test/support/elaborated.js";
import { explainEntries } from "../diagnostics/explain-entries.js";
import { assertProgram } from "../core/check.js";
import { defaultLimits } from "./limits.js";
import { printProgram } from "../core/print.js";
import { nestingDepth } from "../core/traverse.js";

const count = 10_000;
const repeat = (n: number, line: (index: number) => string): string =>
  Array.from({ length: n }, (_, i) => line(i)).join("");

describe("chains may be as long as a program", () => {
  test.each<[string, string]>([
    ["let", `def f (x0 : R) : R =\n${repeat(count, (i) => `let x${i + 1} = x${i} * x${i} in\n`)} x${count}`],
    [
      "let of tuples",
      `def f (x0 : R, y0 : R) : R =\n${repeat(count, (i) => `let (x${i + 1}, y${i + 1}) = (x${i} + y${i}, x${i}) in\n`)} x${count}`,
    ],
    [
      "local functions",
      `def f (x : R) : R =\nlet f0 y = y + x in\n${repeat(2000, (i) => `let f${i + 1} y = f${i} y in\n`)} f2000 x`,
    ],
    ["operators", `def f (x : R) : R = x${repeat(count, () => " + sin x")}`],
    ["array literals", `def f (x : R) : [R] = [${repeat(count, () => "x * x, ")} x]`],
    [
      "updates",
      `data P = P { x : R, y : [R] }\ndef f (p0 : P) : P =\n${repeat(count, (i) => `let p${i + 1} = { p${i} | x = p${i}.x * p${i}.y ! 0 } in\n`)} p${count}`,
    ],
    ["constructors", `def f (x : R) : List R = ${repeat(count, () => "x * x :: ")} Nil`],
  ])("%s", (_, text) => {
    const { value, mistakes } = elaborateText(text);
    expect(mistakes).toEqual([]);
    assertProgram(value.program);
    expect(printProgram(value.program).length).toBeGreaterThan(count);
    for (const { body } of value.program.definitions) expect(nestingDepth(body)).toBeLessThan(defaultLimits.nesting);
  });
});

describe("what grows out of bounds is a mistake", () => {
  const complaint = (text: string): string => {
    const [mistake] = elaborateText(text).mistakes;
    return mistake === undefined ? "none" : `${explainEntries(mistake).code} ${explainEntries(mistake).title}`;
  };

  test("definitions that use each other at two types", () => {
    const steps = repeat(30, (i) => `def f${i + 1} x = let a = f${i} (inl x) in let b = f${i} (inr x) in x\n`);
    expect(complaint(`def f0 x = x\n${steps}def g (x : R) : R = let y = f30 x in x`)).toBe(
      "E0704 `f18` is used at too many types",
    );
  });

  test("local functions that do", () => {
    const steps = repeat(30, (i) => `let f${i + 1} x = let a = f${i} (x, true) in let b = f${i} (true, x) in x in\n`);
    expect(complaint(`def g (x : R) : R = let f0 x = x in\n${steps} let y = f30 x in x`)).toBe(
      "E0704 `f18` is used at too many types",
    );
  });

  test("types that double", () => {
    const steps = repeat(30, (i) => `def f${i + 1} x = f${i} (x, x)\n`);
    expect(complaint(`def f0 x = 1.0\n${steps}def g (x : R) : R = f30 x`)).toBe("E0703 a type becomes too large");
  });

  test("nesting", () => {
    const text = `def f (n : Z) (x : R) : R = ${repeat(1000, (i) => `if n == ${i} then x else `)} 0`;
    expect(complaint(text)).toBe("E0701 `f` is nested too deeply");
  });

  test("literals of one case", () => {
    const text = `def f (n : Z) (x : R) : R = case n of { ${repeat(1000, (i) => `${i} -> x; `)} _ -> 0 }`;
    expect(complaint(text)).toBe("E0705 this `case` is too large to compile");
  });
});
