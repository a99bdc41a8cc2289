import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withLongestArrays } from "./longest-arrays.js";

const after = (text: string): string => afterPass(text, (fn) => withLongestArrays(fn, surroundings));

const text = (inside: string): string => `function f(rows: readonly Float64Array[]): number {
  let acc = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const n = row.length;
    for (let k = 0; k < 3; k++) {
      // y of each iteration, for the reverse sweep
      const saved = new Float64Array(n);
      ${inside}
    }
  }
  return acc;
}
`;

test("an array of another length in each iteration is one of the longest so far", () => {
  const inside = `for (let j = 0; j < n; j++) {
        saved[j] = row[j]! * k;
      }
      for (let j = n - 1; j >= 0; j--) {
        acc += saved[j]!;
      }`;
  expect(after(text(inside))).toBe(`function f(rows: readonly Float64Array[]): number {
  let acc = 0;
  // y of each iteration, for the reverse sweep
  let saved = new Float64Array(8);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const n = row.length;
    for (let k = 0; k < 3; k++) {
      if (saved.length < n) {
        saved = new Float64Array(n);
      }
      for (let j = 0; j < n; j++) {
        saved[j] = row[j]! * k;
      }
      for (let j = n - 1; j >= 0; j--) {
        acc += saved[j]!;
      }
    }
  }
  return acc;
}
`);
});

test("what is not filled first is emptied, as far as the iteration looks", () => {
  expect(after(text("for (let j = 0; j < n; j++) { saved[j % 2] += row[j]!; acc += saved[j]!; }"))).toContain(
    "saved.fill(0, 0, n);",
  );
});

test.each([
  ["somebody looks at its length", "acc += saved.length;"],
  ["it is handed on", "acc += rows.indexOf(saved);"],
  ["a function may look at it later", "const later = () => saved[0]!; acc += later();"],
  ["it is copied", "acc += saved.slice()[0]!;"],
])("an array stays where %s", (_, inside) => {
  const whole = text(`for (let j = 0; j < n; j++) { saved[j] = k; } ${inside}`);
  expect(after(whole)).toContain("const saved = new Float64Array(n);");
});
