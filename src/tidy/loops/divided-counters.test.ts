import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withoutDividedCounters } from "./divided-counters.js";

const inModule = new Map([
  ["divInt", "numbers.divInt"],
  ["modInt", "numbers.modInt"],
]);
const reference = (name: string): string | null => inModule.get(name) ?? surroundings.reference(name);
const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withoutDividedCounters(fn, bindings, { ...surroundings, reference }));

const matrix = (size: string, body: string): string => `function f(rows: Float64Array[], m: number, n: number): Float64Array {
  const height = ${size};
  const count = height * m;
  const a = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    ${body}
  }
  return a;
}`; // prettier-ignore

test("rows and columns of a matrix in one array", () => {
  expect(after(matrix("rows.length", 'a[k] = rows[divInt(k, m, "")]![modInt(k, m, "")]!;'))).toMatchInlineSnapshot(`
    "function f(rows: readonly Float64Array[], m: number, n: number): Float64Array {
      const height = rows.length;
      const count = height * m;
      const a = new Float64Array(count);
      for (let i = 0; i < height; i++) {
        const row = rows[i]!;
        for (let j = 0; j < m; j++) {
          const k = i * m + j;
          a[k] = row[j]!;
        }
      }
      return a;
    }
    "
  `);
});

test("a loop stays that may count what is below zero, divides by two numbers, or ends early", () => {
  for (const text of [
    matrix("n", 'a[k] = rows[divInt(k, m, "")]![modInt(k, m, "")]!;'),
    matrix("rows.length", 'a[k] = divInt(k, m, "") + modInt(k, n, "");'),
    matrix("rows.length", 'if (k > 3) break; a[k] = divInt(k, m, "");'),
    // Another loop may read what is saved
    matrix("rows.length", 'const i = divInt(k, m, ""); a[k] = i;'),
  ])
    expect(after(text)).toContain("k < count");
});
