import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withIndexArrays } from "./index-arrays.js";

const reference = (name: string): string | null => (name === "mergedRows" ? "compressed.mergedRows" : surroundings.reference(name)); // prettier-ignore
const after = (text: string): string => afterPass(text, (fn) => withIndexArrays(fn, { ...surroundings, reference }));

const matrix = (body: string): string => `function f(n: number): R {
  const starts: Array<number> = new Array(n);
  const columns: Array<number> = new Array(n);
  for (let i = 0; i < n; i++) {
    starts[i] = i;
    ${body}
  }
  return mergedRows({ rowStart: starts, column: columns });
}`;

test("places that are set, and handed on", () => {
  const text = after(matrix("columns[i] = 2 * i;"));
  expect(text).toContain("const starts = new Int32Array(n);");
  expect(text).toContain("const columns = new Int32Array(n);");
});

test("not what is read, or known to something else", () => {
  for (const body of ["columns[i] = columns[0]!;", "keep(columns);"]) {
    const text = after(matrix(body));
    expect(text).toContain("const starts = new Int32Array(n);");
    expect(text).toContain("const columns: Array<number> = new Array(n);");
  }
});
