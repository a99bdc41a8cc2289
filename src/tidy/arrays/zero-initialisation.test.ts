import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withFirstWrites } from "./zero-initialisation.js";

const after = (text: string): string => afterPass(text, (fn) => withFirstWrites(fn, surroundings));

test("new zeros that are added to in a loop are set, and copied into where the loop goes to the end of what is added", () => {
  expect(
    after(`function f(x: Float64Array, y: Float64Array, c: number): Float64Array[] {
      const n = sameLength(x.length, y.length, "f");
      const x_ = new Float64Array(x.length);
      const y_ = new Float64Array(n);
      for (let i = n - 1; i >= 0; i--) {
        x_[i]! += c * y[i]!;
      }
      for (let i = 0; i < n; i++) {
        const t = x[i]!;
        y_[i]! += t;
        x_[i]! += t;
      }
      const z_ = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        z_[i]! += x_[i]!;
      }
      return [z_, y_];
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      x: Float64Array,
      y: Float64Array,
      c: number,
    ): readonly Float64Array[] {
      const n = sameLength(x.length, y.length, "f");
      const x_ = new Float64Array(x.length);
      const y_ = new Float64Array(n);
      for (let i = n - 1; i >= 0; i--) {
        x_[i]! = c * y[i]!;
      }
      for (let i = 0; i < n; i++) {
        const t = x[i]!;
        x_[i]! += t;
      }
      y_.set(x);
      const z_ = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        z_[i]! = x_[i]!;
      }
      return [z_, y_];
    }
    "
  `);
});

test("rows of zeros are new in every iteration", () => {
  expect(
    after(`function f(m: readonly Float64Array[], v: Float64Array): Float64Array[] {
      const m_ = zeroRows(m);
      for (let i = 0; i < m.length; i++) {
        const row_ = m_[i]!;
        const n = v.length;
        for (let j = 0; j < n; j++) {
          row_[j]! += v[j]!;
        }
      }
      return m_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      m: readonly Float64Array[],
      v: Float64Array,
    ): readonly Float64Array[] {
      const m_ = zeroRows(m);
      for (let i = 0; i < m.length; i++) {
        const row_ = m_[i]!;
        const n = v.length;
        row_.set(v);
      }
      return m_;
    }
    "
  `);
});

test("not where it may have been added to before, or where an element comes twice", () => {
  expect(
    after(`function f(x: Float64Array, indices: readonly number[], sizes: Float64Array): Float64Array[] {
      const n = x.length;
      const a_ = new Float64Array(n);
      const b_ = new Float64Array(n);
      const c_ = new Float64Array(n);
      const d_ = new Float64Array(sizes);
      const e_ = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        a_[indices[i]!]! += x[i]!;
        b_[i]! += x[i]!;
        b_[i]! += 1;
        for (let j = 0; j < n; j++) {
          c_[i]! += x[j]!;
        }
        d_[i]! += 1;
        e_[i]! -= 1;
      }
      return [a_, b_, c_, d_, e_];
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      x: Float64Array,
      indices: readonly number[],
      sizes: Float64Array,
    ): readonly Float64Array[] {
      const n = x.length;
      const a_ = new Float64Array(n);
      const b_ = new Float64Array(n);
      const c_ = new Float64Array(n);
      const d_ = new Float64Array(sizes);
      const e_ = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        a_[indices[i]!]! += x[i]!;
        b_[i]! += x[i]!;
        b_[i]! += 1;
        for (let j = 0; j < n; j++) {
          c_[i]! += x[j]!;
        }
        d_[i]! += 1;
        e_[i]! -= 1;
      }
      return [a_, b_, c_, d_, e_];
    }
    "
  `);
});

test("no copy of what the loop changes, or of a part", () => {
  expect(
    after(`function f(x: Float64Array, y_: Float64Array): Float64Array[] {
      const n = x.length - 1;
      const a_ = new Float64Array(x.length);
      const b_ = new Float64Array(x.length);
      for (let i = 0; i < n; i++) {
        a_[i]! += x[i]!;
      }
      const m = y_.length;
      for (let i = 0; i < m; i++) {
        b_[i]! += y_[i]!;
        y_[i] = 0;
      }
      const c_ = new Float64Array(m);
      for (let i = 0; i < m; i++) {
        if (x[i]! < 0) {
          continue;
        }
        c_[i]! += x[i]!;
      }
      const d_ = new Float64Array(m);
      for (let i = 0; i < m; i++) {
        if (y_[i]! < 0) {
          break;
        }
        d_[i]! += y_[i]!;
      }
      return [a_, b_, c_, d_];
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, y_: Float64Array): readonly Float64Array[] {
      const n = x.length - 1;
      const a_ = new Float64Array(x.length);
      const b_ = new Float64Array(x.length);
      for (let i = 0; i < n; i++) {
        a_[i]! = x[i]!;
      }
      const m = y_.length;
      for (let i = 0; i < m; i++) {
        b_[i]! = y_[i]!;
        y_[i] = 0;
      }
      const c_ = new Float64Array(m);
      for (let i = 0; i < m; i++) {
        if (x[i]! < 0) {
          continue;
        }
        c_[i]! = x[i]!;
      }
      const d_ = new Float64Array(m);
      for (let i = 0; i < m; i++) {
        if (y_[i]! < 0) {
          break;
        }
        d_[i]! = y_[i]!;
      }
      return [a_, b_, c_, d_];
    }
    "
  `);
});

test("a branch is first where the statements before it are", () => {
  expect(
    after(`function f(x: Float64Array, isOn: boolean): Float64Array[] {
      const n = x.length;
      const a_ = new Float64Array(n);
      if (isOn) {
        for (let i = 0; i < n; i++) {
          a_[i]! += 2 * x[i]!;
        }
      }
      for (let i = 0; i < n; i++) {
        a_[i]! += x[i]!;
      }
      return [a_];
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, isOn: boolean): readonly Float64Array[] {
      const n = x.length;
      const a_ = new Float64Array(n);
      if (isOn) {
        for (let i = 0; i < n; i++) {
          a_[i]! = 2 * x[i]!;
        }
      }
      for (let i = 0; i < n; i++) {
        a_[i]! += x[i]!;
      }
      return [a_];
    }
    "
  `);
});

test("zeros are not set to zero", () => {
  expect(
    after(`function f(n: number): readonly Float64Array[] {
      const x = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        x[i] = 0;
      }
      const y = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        y[i] = -0;
      }
      const z = new Float64Array(n);
      z[0] = 1;
      for (let i = 0; i < n; i++) {
        z[i] = 0;
      }
      return [x, y, z];
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): readonly Float64Array[] {
      const x = new Float64Array(n);
      const y = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        y[i] = -0;
      }
      const z = new Float64Array(n);
      z[0] = 1;
      for (let i = 0; i < n; i++) {
        z[i] = 0;
      }
      return [x, y, z];
    }
    "
  `);
});

test("nothing is copied whose length has been another one", () => {
  const copies = (between: string): boolean =>
    after(`function f(y: Float64Array): Float64Array {
      const n = y.length;
      ${between}
      const x_ = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        x_[i]! += y[i]!;
      }
      return x_;
    }`).includes("x_.set(y)");
  expect(copies("")).toBe(true);
  expect(copies("y = g(y);")).toBe(false);
});
