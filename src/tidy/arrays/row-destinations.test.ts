import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withRowsInPlace } from "./row-destinations.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withRowsInPlace(fn, bindings, surroundings));

const jacobian = (row: string, copy = "m[i * k + j] = row[j]!;", size = "n * k"): string => `function f(xs: Float64Array, n: number, k: number): Float64Array {
  const m = new Float64Array(${size});
  for (let i = 0; i < n; i++) {
    ${row}
    for (let j = 0; j < k; j++) {
      ${copy}
    }
  }
  return m;
}`; // prettier-ignore

const stays = (text: string): void => {
  expect(after(text)).toContain("row");
};

test("a row of zeros", () => {
  const row = `const row = new Float64Array(k);
    row[i]! += xs[i]!;
    row[0] = row.length * row[i]!;`;
  expect(after(jacobian(row))).toMatchInlineSnapshot(`
    "function f(xs: Float64Array, n: number, k: number): Float64Array {
      const m = new Float64Array(n * k);
      for (let i = 0; i < n; i++) {
        const at = i * k;
        m[at + i]! += xs[i]!;
        m[at] = k * m[at + i]!;
      }
      return m;
    }
    "
  `);
});

test("a row that is written out", () => {
  const text = `function f(xs: Float64Array, n: number): Float64Array {
    const size = n * 2;
    const m = new Float64Array(size);
    for (let i = 0; i < n; i++) {
      const row = new Float64Array([xs[i]!, 2]);
      for (let j = 0; j < 2; j++) {
        const k = i * 2 + j;
        m[k] = row[j]!;
      }
    }
    return m;
  }`;
  expect(after(text)).toMatchInlineSnapshot(`
    "function f(xs: Float64Array, n: number): Float64Array {
      const size = n * 2;
      const m = new Float64Array(size);
      for (let i = 0; i < n; i++) {
        const at = i * 2;
        m[at] = xs[i]!;
        m[at + 1] = 2;
      }
      return m;
    }
    "
  `);
});

test("rows that something else knows, of other places, or of other matrices stay", () => {
  const made = "const row = new Float64Array(k);";
  stays(jacobian(`${made}\n    keep(row);`));
  stays(jacobian(`${made}\n    row.set(xs);`));
  stays(jacobian(`${made}\n    row[0] = m[i]!;`));
  stays(jacobian("const row = new Float64Array(n);"));
  stays(jacobian(made, "m[i * n + j] = row[j]!;"));
  stays(jacobian(made, "m[j * k + i] = row[j]!;"));
  stays(jacobian(made, "m[i * k + j] = row[j]! + 1;"));
  stays(jacobian(made, "m[i * k + j] = row[j]!;", "n * n"));
});

test("a matrix that several loops write to stays", () => {
  stays(`function f(n: number, k: number): Float64Array {
    const m = new Float64Array(n * k);
    for (let r = 0; r < 2; r++) {
      for (let i = 0; i < n; i++) {
        const row = new Float64Array(k);
        row[r] = i;
        for (let j = 0; j < k; j++) {
          m[i * k + j] = row[j]!;
        }
      }
    }
    return m;
  }`);
});
