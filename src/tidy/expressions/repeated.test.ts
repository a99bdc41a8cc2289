import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withRepeatedOnce } from "./repeated.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withRepeatedOnce(fn, bindings, surroundings));

test("sums of products, quotients and functions, in either order of what is added or multiplied", () => {
  expect(
    after(`function f(x: number, y: number): number {
      const q = x * x + y * y;
      const a = Math.sqrt(y * y + x * x) + 1 / (x + y);
      return a * (1 / (x + y)) - Math.sin(2 * (x - y)) * Math.cos(2 * (x - y)) + Math.sin((x - y) * 2);
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, y: number): number {
      const q = x * x + y * y;
      const t = 1 / (x + y);
      const a = Math.sqrt(q) + t;
      const t1 = 2 * (x - y);
      const t2 = Math.sin(t1);
      return a * t - t2 * Math.cos(t1) + t2;
    }
    "
  `);
});

test("where it is computed in any case, and in what is inside of there", () => {
  expect(
    after(`function f(x: number, y: number, n: number): number {
      let sum = x > 1 ? Math.exp(x) : 1;
      if (Math.exp(y) > 2) {
        sum += Math.exp(x);
        for (let i = 0; i < n; i++) {
          sum += Math.exp(x) / (i * y * x) + (i * y * x);
        }
      }
      const later = () => Math.exp(y) + Math.exp(y - x);
      return sum * (y > 1 ? Math.exp(y - x) : later());
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, y: number, n: number): number {
      let sum = x > 1 ? Math.exp(x) : 1;
      const t = Math.exp(y);
      if (t > 2) {
        const t = Math.exp(x);
        sum += t;
        for (let i = 0; i < n; i++) {
          const t1 = i * y * x;
          sum += t / t1 + t1;
        }
      }
      const later = () => t + Math.exp(y - x);
      return sum * (y > 1 ? Math.exp(y - x) : later());
    }
    "
  `);
});

test("not what may change, texts that are added in another order, what is as short as a name, or the ends of loops", () => {
  const text = `function f(x: number, s: string, t: string, xs: Float64Array): number {
  let y = x;
  y = y * y * y + Math.exp(y);
  y = y * y * y + Math.exp(y);
  g(s + t + s, s + (s + t), x + 1, x + 1, Math.max(x, 0) - Math.max(x, 0));
  for (let i = 0; i < x / 2 / 2; i++) {
    y += xs[i]! * xs[i]! * xs[i]!;
  }
  for (let i = 0; i < x / 2 / 2; i++) {
    y += 1 / 3 + 1 / 3;
  }
  return y;
}
`;
  expect(after(text)).toBe(text);
});

test("calls that give numbers, once where they may fail", () => {
  expect(
    after(`function f(xs: Float64Array, ys: Float64Array): number {
      const n = sameLength(xs.length, ys.length, "f");
      sameLength(xs.length, ys.length, "f");
      const m = sameLength(xs.length, ys.length, "f");
      const k = sameLength(ys.length, xs.length, "f");
      return n + m + k;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: Float64Array, ys: Float64Array): number {
      const n = sameLength(xs.length, ys.length, "f");
      const m = n;
      const k = sameLength(ys.length, xs.length, "f");
      return n + m + k;
    }
    "
  `);
});
