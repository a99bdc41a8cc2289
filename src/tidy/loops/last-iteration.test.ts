import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withLastIterationsOutside } from "./last-iteration.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withLastIterationsOutside(fn, bindings, surroundings));

test("what a scan has got to in the end is stored behind its iterations", () => {
  expect(
    after(`function f(k: number, xs: Float64Array): Float64Array {
      const n = xs.length;
      const count = n + 1;
      const states = new Float64Array(count);
      const tSaved = new Float64Array(count);
      let s = 1;
      for (let i = 0; i < count; i++) {
        let s1: number;
        if (i < n) {
          const t = k * s;
          tSaved[i] = t;
          s1 = t + xs[i]!;
        } else {
          s1 = s;
        }
        states[i] = s;
        s = s1;
      }
      let s_ = 0;
      for (let i = count - 1; i >= 0; i--) {
        let s_1 = states[i]!;
        if (i < n) {
          s_1 += s_ * tSaved[i]!;
        } else {
          s_1 += s_;
        }
        s_ = s_1;
      }
      states[0] = s_;
      return states;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(k: number, xs: Float64Array): Float64Array {
      const n = xs.length;
      const count = n + 1;
      const states = new Float64Array(count);
      const tSaved = new Float64Array(n);
      let s = 1;
      for (let i = 0; i < n; i++) {
        let s1: number;
        const t = k * s;
        tSaved[i] = t;
        s1 = t + xs[i]!;
        states[i] = s;
        s = s1;
      }
      let s1: number;
      s1 = s;
      states[n] = s;
      s = s1;
      let s_ = 0;
      let s_1 = states[n]!;
      s_1 += s_;
      s_ = s_1;
      for (let i = n - 1; i >= 0; i--) {
        let s_1 = states[i]!;
        s_1 += s_ * tSaved[i]!;
        s_ = s_1;
      }
      states[0] = s_;
      return states;
    }
    "
  `);
});

test("elements that are zero and elements that nothing needs are left out", () => {
  expect(
    after(`function f(k: number, xs: Float64Array): number {
      const n = xs.length;
      const count = n + 1;
      const states = new Float64Array(count);
      const states_ = new Float64Array(count);
      let s = 1;
      for (let i = 0; i < count; i++) {
        states[i] = s;
        s = i < n ? k * s : s;
      }
      for (let i = 0; i < n; i++) {
        states_[i]! += 2 * states[i]!;
      }
      let s_ = 0;
      for (let i = count - 1; i >= 0; i--) {
        const t_ = states_[i]!;
        s_ = i < n ? t_ + s_ * k : t_;
      }
      return s_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(k: number, xs: Float64Array): number {
      const n = xs.length;
      const count = n + 1;
      const states = new Float64Array(n);
      const states_ = new Float64Array(n);
      let s = 1;
      for (let i = 0; i < n; i++) {
        states[i] = s;
        s = k * s;
      }
      for (let i = 0; i < n; i++) {
        states_[i]! += 2 * states[i]!;
      }
      let s_ = 0;
      const t_ = 0;
      s_ = t_;
      for (let i = n - 1; i >= 0; i--) {
        const t_ = states_[i]!;
        s_ = t_ + s_ * k;
      }
      return s_;
    }
    "
  `);
});

test("not where the last iteration computes something, there may be no last iteration, or an iteration may be the last one", () => {
  const text = `function f(k: number, m: number, xs: Float64Array): number {
  const n = xs.length;
  const count = n + 1;
  let s = 1;
  for (let i = 0; i < count; i++) {
    s = i < n ? k * s : Math.exp(s);
  }
  const most = m + 1;
  for (let i = 0; i < most; i++) {
    s = i < m ? k * s : s;
  }
  for (let i = 0; i < count; i++) {
    if (s > 5) {
      break;
    }
    s = i < n ? k * s : s;
  }
  return s;
}
`;
  expect(after(text)).toBe(text);
});
