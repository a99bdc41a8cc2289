import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withArraysSwapped } from "./double-buffering.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withArraysSwapped(fn, bindings, surroundings, true));

const loop = (
  body: string,
  rest = "",
): string => `function f(x: Float64Array, at: Float64Array, rounds: number): number {
  const n = x.length;
  let y: Float64Array = x;
  let sum = 0;
  for (let k = 0; k < rounds; k++) {
    const i = at[k]!;
    const value = y[i]! * 2;
    const y1 = new Float64Array(n);
    for (let j = 0; j < n; j++) {
      ${body}
    }
    ${rest}
    y = y1;
  }
  return y[0]! + sum;
}`;

test("an array with another element is the one before, changed", () => {
  const text = after(loop("if (j === i) { y1[j] = value; } else { y1[j] = y[j]!; }", "sum += y1[i]!;"));
  expect(text).not.toMatch(/spare|y1/);
  expect(text).toMatch(/y\[i\] = value;\n\s*sum \+= y\[i\]!;/);
  expect(text).toContain("x.slice()");
});

test("of several elements, also where two are one, the first test counts", () => {
  const text = after(loop("if (j === i) { y1[j] = value; } else { y1[j] = j === k ? 3 : y[j]!; }"));
  expect(text).toMatch(/y\[i\] = value;\n\s*if \(k !== i\) \{\n\s*y\[k\] = 3;/);
});

test("cotangents of the element alone are taken, and it is zero then", () => {
  const text = after(loop("if (j === i) { sum += y[j]!; } else { const t = y[j]!; y1[j]! += t; }"));
  expect(text).toMatch(/if \(i >= 0 && i < n\) \{\n\s*sum \+= y\[i\]!;\n\s*y\[i\] = 0;/);
});

test.each([
  ["other elements are not those of before", "if (j === i) { y1[j] = value; } else { y1[j] = y[n - 1 - j]!; }", ""],
  ["the new element is made of others", "if (j === i) { y1[j] = y[0]! + j; } else { y1[j] = y[j]!; }", ""],
  ["something reads it as it was", "if (j === i) { y1[j] = value; } else { y1[j] = y[j]!; }", "sum += y[i]!;"],
  ["the index changes", "if (j === sum) { y1[j] = value; sum += 1; } else { y1[j] = y[j]!; }", ""],
  ["two elements are counted", "if (j === i) { sum += y[j]!; } else if (j === k) { sum += y[j]!; } else { y1[j]! += y[j]!; }", ""],
])("two arrays change places where %s", (_, body, rest) => {
  expect(after(loop(body, rest))).toContain("spare");
}); // prettier-ignore

test("an array of rows with another row is the one before, changed", () => {
  const text = `function f(x: Float64Array[], at: number[]): number {
    const n = x.length;
    let y: Array<Float64Array> = new Array(n);
    for (let k = 0; k < 3; k++) {
      const i = at[k]!;
      const row = new Float64Array(k);
      const y1: Array<Float64Array> = new Array(n);
      for (let j = 0; j < n; j++) {
        if (j === i) { y1[j] = row; } else { const t = y[j]!; y1[j] = t; }
      }
      y = y1;
    }
    return y[0]![0]!;
  }`;
  expect(after(text)).toMatch(/y\[i\] = row;/);
  expect(after(text)).not.toContain("y1");
  // Of two arrays that a loop copies each is changed by itself
  const two = text
    .replace("y1[j] = row;", "z[j] = k; y1[j] = row;")
    .replace("y1[j] = t;", "z[j] = 0; y1[j] = t;")
    .replace("const row =", "const z = new Float64Array(n); const row =");
  expect(after(two)).toMatch(/z\[j\] = k;[^]*y\[i\] = row;/);
  // But not where the other one is made of it
  expect(after(two.replace("z[j] = k;", "z[j] = y1[0]!.length;"))).toContain("y1[j] = row");
  // No other row is taken for one that is not set
  expect(after(text.replace("y1[j] = row;", ""))).toContain("y1");
  expect(after(text.replace("y1[j] = t;", "y1[j] = row;"))).toContain("y1");
});
