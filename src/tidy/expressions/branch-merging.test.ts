import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withSameTestsJoined } from "./branch-merging.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withSameTestsJoined(fn, bindings, surroundings));

test("both sweeps of a choice are in its branches, which need nothing kept", () => {
  expect(
    after(`function f(x: number, d: number): number {
      let kept = 0;
      let tKept: Float64Array | undefined;
      const c = x > 1;
      let sum = 0;
      let x_ = 0;
      let y: number;
      if (c) {
        const root = Math.sqrt(x);
        kept = root;
        const t = new Float64Array(3);
        tKept = t;
        y = x * root;
      } else {
        y = 0;
      }
      sum += y;
      const e = 2 * d;
      if (!c) {
        x_ += 1;
      } else {
        const again = Math.sqrt(x);
        const saved = tKept as Float64Array;
        x_ += e * kept + again + saved[0]!;
      }
      return sum + x_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, d: number): number {
      const c = x > 1;
      let sum = 0;
      let x_ = 0;
      let y: number;
      const e = 2 * d;
      if (c) {
        const root = Math.sqrt(x);
        const kept = root;
        const t = new Float64Array(3);
        const t1 = t;
        y = x * root;
        const saved = t1;
        x_ += e * kept + root + saved[0]!;
      } else {
        y = 0;
        x_ += 1;
      }
      sum += y;
      return sum + x_;
    }
    "
  `);
});

test("the cases of two switches", () => {
  expect(
    after(`function f(e: List<number>, e_: Cons): number {
      let sum = 0;
      let y: number;
      switch (e.tag) {
        case "Nil": {
          y = 0;
          break;
        }
        case "Cons": {
          y = 2 * e._0;
          break;
        }
      }
      sum += y;
      switch (e.tag) {
        case "Cons": {
          e_.slot_ += 2;
          break;
        }
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(e: List<number>, e_: Cons): number {
      let sum = 0;
      let y: number;
      switch (e.tag) {
        case "Nil": {
          y = 0;
          break;
        }
        case "Cons": {
          y = 2 * e._0;
          e_.slot_ += 2;
          break;
        }
      }
      sum += y;
      return sum;
    }
    "
  `);
});

test("not where what stands between needs one of them and is needed by the other, the test changes, or both are conditionals", () => {
  const text = `function f(x: number, n: number): number {
  const c = x > 1;
  let y = 0;
  if (c) {
    const t = 2 * x;
    y = t;
  }
  const z = y + 1;
  if (c) {
    const u = z * z;
    y = u;
  }
  let m = n;
  if (m === 0) {
    m = 1;
    y += 1;
  }
  if (m === 0) {
    m = 2;
    y += 2;
  }
  let a = 0;
  let b = 0;
  if (n === 3) {
    a = 1;
  }
  if (n === 3) {
    b = 2;
  }
  return y + a + b + m;
}
`;
  expect(after(text)).toBe(text);
});

test("with calls in both, and nothing that is computed again", () => {
  expect(
    after(`function f(x: number, a: number, f: F): number {
      let tKept = 0;
      let t2Kept = 0;
      const c = x > 1;
      let y: number;
      if (c) {
        const t2 = a * x;
        t2Kept = t2;
        const t = f.call(f, t2);
        tKept = t;
        y = t * x;
      } else {
        y = 0;
      }
      const sums = new Float64Array(2);
      let x_: number;
      if (c) {
        const t2_ = f.back(f, x);
        sums[0]! += t2_ * x;
        x_ = tKept + t2_ * (x * a) + t2Kept;
      } else {
        x_ = 0;
      }
      return y + x_ + sums[0]!;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, a: number, f: F): number {
      const c = x > 1;
      let y: number;
      const sums = new Float64Array(2);
      let x_: number;
      if (c) {
        const t2 = a * x;
        const t1 = t2;
        const t = f.call(f, t2);
        const t3 = t;
        y = t * x;
        const t2_ = f.back(f, x);
        sums[0]! += t2_ * x;
        x_ = t3 + t2_ * t2 + t1;
      } else {
        y = 0;
        x_ = 0;
      }
      return y + x_ + sums[0]!;
    }
    "
  `);
});

test("a variable and an element", () => {
  expect(
    after(`function f(x: Float64Array, x_: Float64Array, isOff: readonly boolean[], n: number): number {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        if (!isOff[i]!) {
          sum = x[i]! + sum;
        }
        if (!isOff[i]!) {
          x_[i]! += 1;
        }
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      x: Float64Array,
      x_: Float64Array,
      isOff: readonly boolean[],
      n: number,
    ): number {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        if (!isOff[i]!) {
          sum = x[i]! + sum;
          x_[i]! += 1;
        }
      }
      return sum;
    }
    "
  `);
});

test("not where a call may change what stands between them reads", () => {
  const text = `function f(x: number, f: F, sums: Float64Array): number {
  const c = x > 1;
  let y = 0;
  if (c) {
    const t = f.call(f, sums);
    y = t * x;
  }
  const sum = sums[0]!;
  if (c) {
    const t = f.back(f, sum);
    y = t * x;
  }
  return y;
}
`;
  expect(after(text)).toBe(text);
});

test("nor where the second may fail, before what stands between them is done", () => {
  const text = (call: string): string => `function f(x: number, f: F, sums: Float64Array): number {
  const c = x > 1;
  let y = 0;
  if (c) {
    const t = 2 * x;
    y = t;
  }
  sums[0] = y;
  let z = 0;
  if (c) {
    const u = ${call}(x);
    z = u * x;
  }
  return y + z;
}
`;
  expect(after(text("f.back"))).toBe(text("f.back"));
  expect(after(text("Math.sin"))).not.toBe(text("Math.sin"));
});
