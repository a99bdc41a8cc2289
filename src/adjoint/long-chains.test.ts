// Programs of which passes could ask the same again and again: they compile in no more than some seconds, as they do in the stage tape.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";

/** One text for each of some numbers, from 1 on. */
const each = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i + 1)).join("\n");

const programs: Readonly<Record<string, string>> = {
  "choices between cheap values, in a loop": `def f (xs : [R]) : [R] =
    map (\\y0.
      ${each(500, (i) => `let y${i} = if y${i - 1} > 0 then y${i - 1} * 0.5 else -y${i - 1} in`)}
      y500) xs`,
  "choices between numbers, in a fold": `def f (xs : [R]) (w : R) : R =
    foldl (\\acc x.
      let a0 = acc * x in
      ${each(32, (i) => `let a${i} = if a${i - 1} > x then a${i - 1} - x else a${i - 1} + 1 in`)}
      a32 * x) w xs`,
  "choices between a new value and the last one": `def f (x : R) : R =
    let a0 = x in
    ${each(100, (i) => `let a${i} = if x * ${i} > a${i - 1} then x * ${i} else a${i - 1} in`)}
    a100 * x`,
  "choices in a recursive function": `def f (k : Z) (x : R) : R =
    let a0 = x in
    ${each(32, (i) => `let a${i} = if a${i - 1} > ${i} then f (k - 1) a${i - 1} else a${i - 1} * 2 in`)}
    a32 * x`,
  "loops in loops that carry arrays of other lengths": `def f (a0 : [R]) : R =
    sum (${each(24, (i) => `iterate 2 (\\a${i}.`)} append a24 a0 ${each(24, (i) => `) (append a${24 - i} a0)`)})`,
  "functions of functions of functions": `def f0 (g : R -> R) (x : R) : R = g (g x)
${each(6, (i) => `def f${i} (g : R -> R) (x : R) : R = f${i - 1} (\\y. g (f${i - 1} g y)) x`)}
def main (x : R) : R = f6 sin x`,
};

test.each(Object.entries(programs))(
  "%s",
  (_, text) => {
    const compiled = compile({ name: "model.lam", text }, { target: "js" });
    expect(compiled.ok ? [] : compiled.diagnostics).toEqual([]);
  },
  120_000,
);
