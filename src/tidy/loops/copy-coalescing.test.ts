import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { withoutHandovers } from "./copy-coalescing.js";

const after = (text: string): string => afterPass(text, withoutHandovers);

test("a new array that a variable is given is that variable's", () => {
  expect(
    after(`function f(n: number): Float64Array {
      const a = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        a[i] = i;
      }
      let b: Float64Array = a;
      for (let i = 0; i < n; i++) {
        b = g(b);
      }
      return b;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): Float64Array {
      let b: Float64Array = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        b[i] = i;
      }
      for (let i = 0; i < n; i++) {
        b = g(b);
      }
      return b;
    }
    "
  `);
});

test("not one that something else looks at, or that is not new", () => {
  const isGone = (made: string, use: string, end: string): boolean =>
    !after(`function f(n: number, x: Float64Array): Float64Array {
      const a = ${made};
      ${use}
      let b: Float64Array = a;
      b = g(b);
      ${end}
    }`).includes("const a");
  expect(isGone("new Float64Array(n)", "a[0] = 1;", "return b;")).toBe(true);
  expect(isGone("x", "a[0] = 1;", "return b;")).toBe(false);
  expect(isGone("new Float64Array(n)", "a[0] = 1;", "return a;")).toBe(false);
  expect(isGone("new Float64Array(n)", "const h = () => a[0]!;", "h(); return b;")).toBe(false);
  expect(isGone("new Float64Array(n)", "function h() { return a[0]!; }", "h(); return b;")).toBe(false);
});
