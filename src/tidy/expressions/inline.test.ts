import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { inlined } from "./inline.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => inlined(fn, bindings, surroundings));

test("what is used once is written where it is used", () => {
  expect(
    after(`function f(x: Float64Array, y: Float64Array, i: number): number {
      const t = x[i]!;
      const t1 = y[i]!;
      const t2 = t * t1;
      return t2;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, y: Float64Array, i: number): number {
      return x[i]! * y[i]!;
    }
    "
  `);
});

test("not after what it reads has changed", () => {
  expect(
    after(`function f(n: number): number {
      const x = new Float64Array(n);
      const y = new Float64Array(n);
      const t = x[0]!;
      const t1 = y[0]!;
      let acc = 1;
      const t2 = acc + 1;
      acc = 2;
      x[0] = 3;
      return t + t1 + t2 + acc;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      const x = new Float64Array(n);
      const y = new Float64Array(n);
      const t = x[0]!;
      let acc = 1;
      const t2 = acc + 1;
      acc = 2;
      x[0] = 3;
      return t + y[0]! + t2 + acc;
    }
    "
  `);
});

test("not past a store that may be the same array", () => {
  expect(
    after(`function f(x: Float64Array, y: Float64Array): number {
      const t = x[0]!;
      y[0] = 3;
      return t;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, y: Float64Array): number {
      const t = x[0]!;
      y[0] = 3;
      return t;
    }
    "
  `);
});

test("a store through an element of an array of arrays", () => {
  expect(
    after(`function f(m: Array<Float64Array>, n: number): number {
      const m_ = zerosLike(m) as Array<Float64Array>;
      const row_ = m_[0]!;
      const t = m[0]![1]!;
      const t1 = row_[1]!;
      m_[0]![1] = 3;
      return t + t1;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(m: Array<Float64Array>, n: number): number {
      const m_ = zerosLike(m) as Array<Float64Array>;
      const t1 = m_[0]![1]!;
      m_[0]![1] = 3;
      return m[0]![1]! + t1;
    }
    "
  `);
});

test("not into a loop, nor into a function", () => {
  expect(
    after(`function f(x: number, n: number): number {
      const t = x * x;
      const t1 = x + x;
      let acc = 0;
      for (let i = 0; i < n; i++) {
        acc = acc + t;
      }
      return g((y) => y + t1, acc);
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, n: number): number {
      const t = x * x;
      const t1 = x + x;
      let acc = 0;
      for (let i = 0; i < n; i++) {
        acc = acc + t;
      }
      return g((y) => y + t1, acc);
    }
    "
  `);
});

test("into the branch that uses it", () => {
  expect(
    after(`function f(x: number): number {
      const t = Math.exp(x);
      if (x > 0) {
        return t;
      }
      return 0;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      if (x > 0) {
        return Math.exp(x);
      }
      return 0;
    }
    "
  `);
});

test("not past a call that may change it", () => {
  expect(
    after(`function f(saved: SavedValues, store: { slot_: number; x: number }): number {
      const t = store.slot_;
      const t1 = store.x;
      gReverse(saved, store);
      return t + t1;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(saved: SavedValues, store: { slot_: number; x: number }): number {
      const t = store.slot_;
      gReverse(saved, store);
      return t + store.x;
    }
    "
  `);
});

test("what is evaluated after a call in the same expression stays", () => {
  expect(
    after(`function f(x_: Float64Array): { a: number[]; b: number } {
      const t = x_[0]!;
      return { a: takeStore(x_), b: t };
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array): { a: number[]; b: number } {
      const t = x_[0]!;
      return { a: takeStore(x_), b: t };
    }
    "
  `);
});

test("lines stay readable, and what the reader has named stays where it is long", () => {
  expect(
    after(`function f(x: number, y: number): number {
      const square = x * x;
      const discriminant = x * x - 4 * x * y + y * y;
      const t = x * x * x * x * x * x * x * x * x + y * y * y * y * y * y;
      const t1 = x * x * x * x * x * x * x * x * x + y * y * y * y * y * y;
      return square + discriminant + t + t1;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, y: number): number {
      const discriminant = x * x - 4 * x * y + y * y;
      const t = x * x * x * x * x * x * x * x * x + y * y * y * y * y * y;
      const t1 = x * x * x * x * x * x * x * x * x + y * y * y * y * y * y;
      return x * x + discriminant + t + t1;
    }
    "
  `);
});

test("in a loop, elements are read before others are written", () => {
  expect(
    after(`function f(x: Float64Array, y: Float64Array, n: number): void {
      const x_ = new Float64Array(n);
      const y_ = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        const t = x[i]!;
        const t1 = y[i]!;
        x_[i]! += t1;
        y_[i]! += t;
      }
      return g(x_, y_);
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, y: Float64Array, n: number): void {
      const x_ = new Float64Array(n);
      const y_ = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        const t = x[i]!;
        const t1 = y[i]!;
        x_[i]! += t1;
        y_[i]! += t;
      }
      return g(x_, y_);
    }
    "
  `);
});

test("conditions of a chain of choices, however long it is", () => {
  const many = Array.from({ length: 100 }, (_, i) => i);
  const choices = many.map((i) => `const is${i} = x === ${i}; if (is${i}) { y = ${i}; } else {`).join("\n");
  const text = after(`function f(x: number): number {
    let y = 0;
    ${choices} y = -1; ${"}".repeat(many.length)}
    return y;
  }`);
  expect(text).not.toContain("const");
  expect(text).toContain("  } else if (x === 99) {\n    y = 99;\n  } else {\n");
});
