import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { withoutCopies } from "./copies.js";

const after = (text: string): string => afterPass(text, withoutCopies);

test("copies of constants, and of variables that keep their values", () => {
  expect(
    after(`function f(x: number): number {
      const y = x;
      let acc = 0;
      for (let i = 0; i < 3; i++) {
        acc = acc + y;
      }
      const total = acc;
      return total * total;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      let acc = 0;
      for (let i = 0; i < 3; i++) {
        acc = acc + x;
      }
      return acc * acc;
    }
    "
  `);
});

test("a copy of what changes stays", () => {
  expect(
    after(`function f(x: number): number {
      let acc = x;
      const before = acc;
      acc = 2;
      return before + acc;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      let acc = x;
      const before = acc;
      acc = 2;
      return before + acc;
    }
    "
  `);
});

test("of what changes in the next iteration", () => {
  expect(
    after(`function f(x: number): number {
      let acc = x;
      let sum = 0;
      for (let i = 0; i < 3; i++) {
        acc = acc + 1;
        const t = acc;
        sum = sum + g(() => t);
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      let acc = x;
      let sum = 0;
      for (let i = 0; i < 3; i++) {
        acc = acc + 1;
        const t = acc;
        sum = sum + g(() => t);
      }
      return sum;
    }
    "
  `);
});

test("a variable that is never assigned to, or once", () => {
  expect(
    after(`function f(x: number): number {
      let a = g(x);
      let b: number;
      let c: Shape;
      b = g(a);
      c = g(b);
      return a + b + c.size;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      const a = g(x);
      const b = g(a);
      const c: Shape = g(b);
      return a + b + c.size;
    }
    "
  `);
});

test("literals", () => {
  expect(
    after(`function f(x: number): number {
      const dt = 0.01;
      let seed = 1;
      return x * dt * seed;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      return x * 0.01 * 1;
    }
    "
  `);
});

test("names that are declared again further in", () => {
  expect(
    after(`function f(saved: Float64Array): number {
      let best = saved.length;
      best = best + 1;
      const top = best;
      let sum = 0;
      for (let i = 0; i < 3; i++) {
        const best = saved[i]!;
        sum = sum + g(best, top);
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(saved: Float64Array): number {
      let best = saved.length;
      best = best + 1;
      let sum = 0;
      for (let i = 0; i < 3; i++) {
        const best1 = saved[i]!;
        sum = sum + g(best1, best);
      }
      return sum;
    }
    "
  `);
});

test("the length of a new array is what it was made with, where that is a length", () => {
  const text = after(`function f(rows: Float64Array, m: number): number {
    const n = rows.length;
    const xs = new Float64Array(n);
    const ys = new Float64Array(m);
    let zs = new Float64Array(n);
    zs = rows;
    return xs.length + ys.length + zs.length;
  }`);
  expect(text).toContain("return n + ys.length + zs.length;");
});
