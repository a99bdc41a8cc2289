import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withSpareBuffers } from "./buffer-pool.js";

const after = (text: string): string => afterPass(text, (fn) => withSpareBuffers(fn, surroundings));

const collecting = `let x: Float64Array = new Float64Array(8);
  let y: Float64Array = new Float64Array(8);
  let count = 0;
  while (count < n) {
    if (count === x.length) {
      x = grown(x);
      y = grown(y);
    }
    x[count] = Math.sin(count);
    y[count] = Math.cos(count);
    count += 1;
  }
  let sum = 0;`;

test("buffers are left behind what looks at them last; those that are made larger together are as long", () => {
  expect(
    after(`function f(n: number): number {
      ${collecting}
      for (let i = 0; i < count; i++) {
        sum += x[i]! * y[count - 1 - i]!;
      }
      for (let i = 0; i < count; i++) {
        sum += y[i]!;
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let x: Float64Array = takeBuffer();
      let y: Float64Array = takeBuffer(x.length);
      let count = 0;
      while (count < n) {
        if (count === x.length) {
          x = grown(x);
          y = grown(y);
        }
        x[count] = Math.sin(count);
        y[count] = Math.cos(count);
        count += 1;
      }
      let sum = 0;
      for (let i = 0; i < count; i++) {
        sum += x[i]! * y[count - 1 - i]!;
      }
      leaveBuffer(x);
      for (let i = 0; i < count; i++) {
        sum += y[i]!;
      }
      leaveBuffer(y);
      return sum;
    }
    "
  `);
});

const isLeft = (rest: string): boolean => after(`function f(n: number): unknown {\n${collecting}\n${rest}\n}`).includes("takeBuffer"); // prettier-ignore

test("buffers that others may have stay with them", () => {
  expect(isLeft("sum += x[0]!; return sum;")).toBe(true);
  expect(isLeft("return x;")).toBe(false);
  expect(isLeft("return x[0]!;")).toBe(false);
  expect(isLeft("const other = y; sum += other[0]!; return sum;")).toBe(false);
  expect(isLeft("const later = () => y[0]!; sum += later(); return later;")).toBe(false);
});

test("buffers whose zeros or length count are made anew", () => {
  expect(isLeft("y[0]! += 1; sum += y[0]!; return sum;")).toBe(false);
  expect(isLeft("sum += x.length; return sum;")).toBe(false);
  expect(isLeft("if (count === x.length) { sum = 0; } return sum;")).toBe(false);
  expect(isLeft("y = grown(y); sum += y[0]!; return sum;")).toBe(false);
});
