import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { folded } from "./fold.js";

const after = (text: string): string => afterPass(text, (fn) => folded(fn, surroundings));

test("literals", () => {
  expect(
    after(`function f(x: number, n: number): number {
      const a = [1 * x, x * 1, -1 * x, x / 1, -(-x), 0 + x, 0 * x, x + -n, x - -n];
      const b = [scale(1, x), scale(2, x), scale(0, x), scale(n, x)];
      const c = [0 < 0 || 0 >= n, true && x > 0, 3 - 1, 0.1 * 3, !(x === n), relu(x) > 0, relu(x) > 1];
      const d = true ? x : n;
      const e = [x > 0 || true, x > 0 && false, x > 0 || false, x > 0 && true, g(x) || true, g(x) && false, g(x) && true];
      const h = [x > 0 ? true : true, g(x) ? true : true];
      return g(a, b, c, d, e, h);
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, n: number): number {
      const a = [x, x, -x, x, x, 0 + x, 0 * x, x - n, x + n];
      const b = [x, 2 * x, 0, scale(n, x)];
      const c = [n <= 0, x > 0, 2, 0.1 * 3, x !== n, x > 0, relu(x) > 1];
      const d = x;
      const e = [true, false, x > 0, x > 0, g(x) || true, g(x) && false, g(x)];
      const h = [true, g(x) ? true : true];
      return g(a, b, c, d, e, h);
    }
    "
  `);
});

test("a guarded product that is added to itself", () => {
  expect(
    after(`function f(c: number, x: number): number {
      return g(scale(c, x) + scale(c, x), scale(c, x) + scale(x, c), scale(g(c), x) + scale(g(c), x));
    }`),
  ).toMatchInlineSnapshot(`
    "function f(c: number, x: number): number {
      return g(
        2 * scale(c, x),
        scale(c, x) + scale(x, c),
        scale(g(c), x) + scale(g(c), x),
      );
    }
    "
  `);
});

test("a test in its own branches, as far as it is a constant", () => {
  expect(
    after(`function f(x: number): number {
      const isLarge = x > 1;
      let isSmall = x < 0;
      let y = 0;
      if (isLarge) {
        g(isLarge ? 1 : 0, isSmall);
        if (x > 2) {
          y = isLarge ? x : 1;
        } else {
          y = () => isLarge;
        }
      } else {
        g(isLarge ? 1 : 0, isSmall);
      }
      if (isSmall) {
        isSmall = g(y);
        y = isSmall ? 1 : 0;
      }
      return isLarge ? y : 0;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      const isLarge = x > 1;
      let isSmall = x < 0;
      let y = 0;
      if (isLarge) {
        g(1, isSmall);
        if (x > 2) {
          y = x;
        } else {
          y = () => true;
        }
      } else {
        g(0, isSmall);
      }
      if (isSmall) {
        isSmall = g(y);
        y = isSmall ? 1 : 0;
      }
      return isLarge ? y : 0;
    }
    "
  `);
});

test("a product twice", () => {
  expect(
    after(`function f(x: number, y: number): number {
      const a = [x * y + x * y, x * y + y * x, -(x * y) - x * y, 0.5 * x + x * 0.5, x * y - x * y, g(x) * y + g(x) * y];
      const c = [2 * ((0.5 / x) * y), 2 * ((3 / x) / y), 3 * (0.5 / x), 2 * (x * (0.5 / y)), 2 * (0.5 * x * y), 3 * (0.1 * x * y)];
      const b = [x + x, x * y + x * x, 3 * x + 3 * x, 0.1 * x + 0.1 * x, 1e308 * x + 1e308 * x];
      return g(a, b, c);
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, y: number): number {
      const a = [
        2 * (x * y),
        2 * (x * y),
        -2 * (x * y),
        x,
        x * y - x * y,
        g(x) * y + g(x) * y,
      ];
      const c = [
        2 * ((0.5 / x) * y),
        2 * (3 / x / y),
        3 * (0.5 / x),
        2 * (x * (0.5 / y)),
        2 * (0.5 * x * y),
        3 * (0.1 * x * y),
      ];
      const b = [x + x, x * y + x * x, 6 * x, 0.2 * x, 2 * (1e308 * x)];
      return g(a, b, c);
    }
    "
  `);
});

test("statements", () => {
  expect(
    after(`function f(x: number): number {
      let a = x;
      a += 0;
      a += -x;
      a -= -x;
      a = a;
      if (true) {
        const b = a;
        g(b);
      } else {
        g(a);
      }
      if (false) g(x);
      while (false) g(x);
      if (x > 0) if (x < 1) g(x);
      return a;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      let a = x;
      a -= x;
      a += x;
      const b = a;
      g(b);
      if (x > 0 && x < 1) {
        g(x);
      }
      return a;
    }
    "
  `);
});

test("what is at least 0 is not negative", () => {
  expect(
    after(`function f(x: number): number {
      const n = Math.max(0, x + 1);
      if (n < 0 || n >= 4294967296) {
        throw x;
      }
      const m = Math.max(1, x);
      return m < 0 || n < 1 ? n : m;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      const n = Math.max(0, x + 1);
      if (n >= 4294967296) {
        throw x;
      }
      const m = Math.max(1, x);
      return m < 0 || n < 1 ? n : m;
    }
    "
  `);
});

test("a zero that is added to exponentials, or subtracted, and the logarithm of 1", () => {
  expect(
    after(`function f(a: number, b: number, c: boolean): number {
      const t = Math.exp(a);
      const u = 0 + b + t + a;
      const v = 0 + a + b;
      const w = c ? b : b;
      return 0 + t + u - 0 + v * Math.log(1) + w;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(a: number, b: number, c: boolean): number {
      const t = Math.exp(a);
      const u = b + t + a;
      const v = 0 + a + b;
      const w = b;
      return t + u + v * 0 + w;
    }
    "
  `);
});

test("what both branches end with", () => {
  expect(
    after(`function f(a: number, b: number, xs: Float64Array): number {
      let x = 0;
      let y = 0;
      if (a > 1) {
        x = a;
        y = b;
        xs[0] = y;
      } else {
        x = b;
        y = b;
        xs[0] = y;
      }
      if (a > 2) {
        y += 1;
      } else {
        x += 1;
        y += 1;
      }
      if (g(a)) {
        y += 1;
      } else {
        y += 1;
      }
      if (a > b) {
        const z = g(a);
        y = z;
      } else {
        const z = g(b);
        y = z;
      }
      return x + y;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(a: number, b: number, xs: Float64Array): number {
      let x = 0;
      let y = 0;
      if (a > 1) {
        x = a;
      } else {
        x = b;
      }
      y = b;
      xs[0] = y;
      if (!(a > 2)) {
        x += 1;
      }
      y += 1;
      g(a);
      y += 1;
      if (a > b) {
        const z = g(a);
        y = z;
      } else {
        const z = g(b);
        y = z;
      }
      return x + y;
    }
    "
  `);
});
