import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withJoinedLoops } from "./joined-loops.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withJoinedLoops(fn, bindings, surroundings));

test("what one loop saves for the next one is not saved", () => {
  expect(
    after(`function f(x_: Float64Array, n: number, t: number, d: number): number {
      const pSaved = new Float64Array(n);
      let p = 1;
      for (let i = 0; i < n; i++) {
        pSaved[i] = p;
        p = p * t;
      }
      const c = 2 * d;
      for (let j = 0; j < n; j++) {
        const e = c * pSaved[j]!;
        x_[j]! += e;
      }
      return p;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, n: number, t: number, d: number): number {
      const pSaved = new Float64Array(n);
      let p = 1;
      const c = 2 * d;
      for (let i = 0; i < n; i++) {
        const p1 = p;
        const e = c * p1;
        x_[i]! += e;
        p = p * t;
      }
      return p;
    }
    "
  `);
});

test("not where one loop needs all of the other one, or another round of it", () => {
  const body = (first: string, between: string, second: string): string => `
    function f(x: Float64Array, n: number, m: number): Float64Array {
      const y = new Float64Array(n);
      const saved = new Float64Array(n);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        saved[i] = Math.exp(i);
        ${first}
      }
      ${between}
      for (let j = 0; j < n; j++) {
        ${second}
      }
      return y;
    }`;
  const isJoined = (first: string, between: string, second: string): boolean =>
    after(body(first, between, second)).split("for (").length === 2;
  expect(isJoined("", "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined("sum += 1;", "const c = 2 * m;", "y[j]! += c * saved[j]!;")).toBe(true);
  expect(isJoined("sum += 1;", "", "y[j]! += sum * saved[j]!;")).toBe(false);
  expect(isJoined("sum += 1;", "const c = 2 * sum;", "y[j]! += c * saved[j]!;")).toBe(false);
  expect(isJoined("sum += y[i]!;", "", "y[j]! += saved[j]!;")).toBe(false);
  expect(isJoined("", "", "y[j]! += saved[n - 1 - j]!;")).toBe(false);
  expect(isJoined("", "", "y[j]! += saved[j]!; saved[j] = 0;")).toBe(false);
  expect(isJoined("", "g(saved);", "y[j]! += saved[j]!;")).toBe(false);
  expect(isJoined("g(sum);", "", "y[j]! += saved[j]!;")).toBe(false);
  expect(isJoined("", "", "y[j]! += x[j]!;")).toBe(false);
});
