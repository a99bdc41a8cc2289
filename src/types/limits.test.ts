import { describe, expect, test } from "vitest";
import { infer, mistakesOf } from "../../test/typed.js";

const many = (count: number, part: (i: number) => string, between = ""): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(between);

describe("long chains work", () => {
  test.each([
    ["+", `def f x = ${many(10_000, () => "x", " + ")}`],
    ["&&", `def f x = ${many(10_000, () => "x", " && ")}`],
    ["::", `def f x = ${many(10_000, () => "x :: ")}Nil`],
    ["let", `def f x0 = ${many(10_000, (i) => `let x${i + 1} = x${i} + 1 in `)}x10000`],
    ["let f", `def f x = ${many(10_000, (i) => `let f${i} y = ${i === 0 ? "y" : `f${i - 1} y`} in `)}f9999 x`],
    ["else if", `def f x = ${many(10_000, (i) => `if x == ${i} then ${i} else `)}0`],
    ["definitions", many(10_000, (i) => (i < 9_999 ? `def f${i} x = f${i + 1} x + 1\n` : `def f${i} x = x\n`))],
    ["aliases", many(10_000, (i) => (i === 0 ? "type A0 = R\n" : `type A${i} = A${i - 1}\n`))],
    ["data", many(3_000, (i) => `data D${i} = C${i} D${(i + 1) % 3_000}\n`)],
    ["nesting", `def f x = ${many(190, () => "sin (1 + ")}x${many(190, () => ")")}`],
  ])("%s", (_, text) => {
    expect(infer(text).mistakes).toEqual([]);
  });
});

describe("what explodes is reported", () => {
  test.each([
    [
      "functions that double",
      `def f x = ${many(40, (i) => `let p${i} y = ${i === 0 ? "(y, y)" : `p${i - 1} (p${i - 1} y)`} in `)}p39 x`,
    ],
    ["calls that double", `def p x = (x, x)\ndef f x = ${many(60, () => "p (")}x${many(60, () => ")")}`],
    ["values that double", `def f x0 = ${many(200, (i) => `let x${i + 1} = (x${i}, x${i}) in `)}x200`],
    ["values that nest", `def f x0 = ${many(10_000, (i) => `let x${i + 1} = (1, x${i}) in `)}x10000`],
    [
      "definitions that double",
      many(40, (i) => (i === 0 ? "def d0 x = (x, x)\n" : `def d${i} x = d${i - 1} (d${i - 1} x)\n`)),
    ],
    ["aliases that double", many(60, (i) => (i === 0 ? "type A0 = R\n" : `type A${i} = (A${i - 1}, A${i - 1})\n`))],
    ["arguments", `def f g x = g${many(10_000, () => " x")}`],
  ])("%s", (_, text) => {
    expect(mistakesOf(text)).toMatch(/^error\[E0703\]: a type becomes too large\n/);
    expect(infer(text).mistakes).toHaveLength(1);
  });

  test.each([
    ["powers", `def f x = ${many(10_000, () => "x", " ^ ")}`],
    ["fields", `data N = N { next : M }\ndata M = M { next : N }\ndef f (n : N) = n${many(20_000, () => ".next")}`],
    ["signs", `def f x = ${many(10_000, () => "- ")}x`],
    ["lambdas", `def f = ${many(10_000, (i) => `\\x${i}. `)}x0`],
    ["operands", `def f x = ${many(5_000, (i) => `x + if x > ${i} then 1 else `)}x`],
    ["patterns", `def f xs = case xs of { ${many(10_000, () => "_ :: ")}Nil -> 1; _ -> 2 }`],
    ["types", `def f (x : ${many(10_000, () => "R -> ")}R) = x`],
  ])("%s", (_, text) => {
    expect(mistakesOf(text)).toMatch(/^error\[E0701\]: this is nested too deeply\n/);
    expect(infer(text).mistakes).toHaveLength(1);
  });

  test("matches", () => {
    const diagonal = (size: number): string =>
      many(
        size,
        (i) => `(${many(size, (j) => (i === j ? "true" : i === (j * 7 + 3) % size ? "false" : "_"), ", ")}) -> ${i};`,
      );
    expect(mistakesOf(`def f x = case x of { ${diagonal(60)} }`)).toMatch(/^error\[E0(705|401)\]/);
    const wide = many(1_400, (i) => (i === 1_399 ? "true" : "_"), ", ");
    expect(mistakesOf(`def f x = case x of { (${wide}) -> 1 }`)).toMatch(/^error\[E0401\]/);
  });
});
