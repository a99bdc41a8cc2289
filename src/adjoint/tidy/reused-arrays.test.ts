import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { withArraysReused } from "./reused-arrays.js";

const after = (text: string): string => afterPass(text, withArraysReused);

test("an array that each round fills before it reads it is made once", () => {
  expect(
    after(`function f(x_: Float64Array, n: number, m: number): void {
      for (let k = 0; k < m; k++) {
        for (let j = 0; j < m; j++) {
          const saved = new Float64Array(n);
          let y = j;
          for (let i = 0; i < n; i++) {
            saved[i] = y;
            y = y * y;
          }
          for (let i = n - 1; i >= 0; i--) {
            x_[j]! += saved[i]! * 2;
          }
        }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, n: number, m: number): void {
      for (let k = 0; k < m; k++) {
        const saved = new Float64Array(n);
        for (let j = 0; j < m; j++) {
          let y = j;
          for (let i = 0; i < n; i++) {
            saved[i] = y;
            y = y * y;
          }
          for (let i = n - 1; i >= 0; i--) {
            x_[j]! += saved[i]! * 2;
          }
        }
      }
    }
    "
  `);
});

test("not where a round may see what another one has left, or something else keeps it", () => {
  const isInside = (fill: string, use: string, size = "n"): boolean =>
    after(`function f(x_: Float64Array, n: number, m: number): void {
      let c = n;
      for (let k = 0; k < m; k++) {
        const p = n + k;
        const saved = new Float64Array(${size});
        for (let i = 0; i < n; i++) {
          ${fill}
        }
        ${use}
      }
    }`).includes("{\n    const p = n + k;\n    const saved");
  const reading = "for (let i = 0; i < n; i++) { x_[k]! += saved[i]!; }";
  expect(isInside("saved[i] = i;", reading)).toBe(false);
  expect(isInside("saved[i] = i;", reading, "p")).toBe(true);
  expect(isInside("saved[i]! += i;", reading)).toBe(true);
  expect(isInside("saved[i] = saved[i]! + i;", reading)).toBe(true);
  expect(isInside("if (i > 2) { saved[i] = i; }", reading)).toBe(true);
  expect(isInside("saved[i] = i;", "for (let i = 0; i < m; i++) { x_[k]! += saved[i]!; }")).toBe(true);
  expect(isInside("saved[i] = i;", "for (let i = 0; i < n; i++) { x_[k]! += saved[0]!; }")).toBe(true);
  expect(isInside("saved[i] = i;", "g(saved);")).toBe(true);
  expect(isInside("if (i > 2) { continue; } saved[i] = i;", reading)).toBe(true);
  expect(isInside("saved[i] = i;", `c += 1; ${reading}`)).toBe(false);
  expect(isInside("saved[i] = i;", "c += 1; for (let i = 0; i < c; i++) { x_[k]! += saved[i]!; }")).toBe(true);
  expect(isInside("x_[k]! += saved[i]!;", "for (let i = 0; i < n; i++) { saved[i] = i; }")).toBe(true);
});
