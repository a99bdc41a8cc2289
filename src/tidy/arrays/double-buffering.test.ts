import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withArraysSwapped } from "./double-buffering.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withArraysSwapped(fn, bindings, surroundings, true));

test("two arrays change places where iterations fill a new one", () => {
  expect(
    after(`function f(x: Float64Array, rounds: number): number {
      const n = x.length;
      let y: Float64Array = x;
      for (let k = 0; k < rounds; k++) {
        const y1 = new Float64Array(n);
        for (let i = 0; i < n; i++) {
          if (i === 0) {
            y1[i] = y[0]!;
          } else {
            y1[i] = y[i - 1]! + y[i]!;
          }
        }
        y = y1;
      }
      return y[0]!;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, rounds: number): number {
      const n = x.length;
      let y: Float64Array = x.slice();
      let spare: Float64Array = new Float64Array(n);
      for (let k = 0; k < rounds; k++) {
        const y1 = spare;
        for (let i = 0; i < n; i++) {
          if (i === 0) {
            y1[i] = y[0]!;
          } else {
            y1[i] = y[i - 1]! + y[i]!;
          }
        }
        spare = y;
        y = y1;
      }
      return y[0]!;
    }
    "
  `);
});

test("three do where two are handed on; what is added to begins with zeros", () => {
  expect(
    after(`function f(x: Float64Array, rounds: number): Float64Array {
      const n = x.length;
      let before: Float64Array = new Float64Array(n);
      let now: Float64Array = new Float64Array(n);
      now[0] = 1;
      for (let k = 0; k < rounds; k++) {
        const next = new Float64Array(n);
        for (let i = 0; i < n - 1; i++) {
          next[i]! += now[i + 1]! - before[i]!;
        }
        before = now;
        now = next;
      }
      return now;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, rounds: number): Float64Array {
      const n = x.length;
      let before: Float64Array = new Float64Array(n);
      let now: Float64Array = new Float64Array(n);
      now[0] = 1;
      let spare: Float64Array = new Float64Array(n);
      for (let k = 0; k < rounds; k++) {
        const next = spare.fill(0);
        for (let i = 0; i < n - 1; i++) {
          next[i]! += now[i + 1]! - before[i]!;
        }
        spare = before;
        before = now;
        now = next;
      }
      return now;
    }
    "
  `);
});

test("not where something keeps an array, or it may be of another size", () => {
  const isSwapped = ({ start = "x", size = "n", use = "", hand = "y = y1;", count = "const n = x.length;" }): boolean =>
    after(`function f(x: Float64Array, iterations: number, m: number): Float64Array {
      ${count}
      const all = [];
      let y: Float64Array = ${start};
      let z: Float64Array = new Float64Array(n);
      for (let k = 0; k < rounds; k++) {
        const p = m + k;
        const y1 = new Float64Array(${size});
        for (let i = 0; i < n; i++) {
          y1[i] = y[i]! * k;
        }
        ${use}
        ${hand}
      }
      return y;
    }`).includes("spare");
  expect(isSwapped({})).toBe(true);
  expect(isSwapped({ start: "new Float64Array(n)" })).toBe(true);
  expect(isSwapped({ use: "if (y1[0]! > y1.length) { break; }" })).toBe(true);
  expect(isSwapped({ hand: "z = y; y = y1;" })).toBe(true);
  expect(isSwapped({ start: "g(x)" })).toBe(false);
  expect(isSwapped({ start: "new Float64Array(m)" })).toBe(false);
  expect(isSwapped({ size: "p" })).toBe(false);
  expect(isSwapped({ count: "const n = x.length; x = g(x);" })).toBe(false);
  expect(isSwapped({ size: "m" })).toBe(false);
  expect(isSwapped({ count: "let n = x.length; n += 1;" })).toBe(false);
  expect(isSwapped({ use: "all.push(y1);" })).toBe(false);
  expect(isSwapped({ use: "all[k] = y;" })).toBe(false);
  expect(isSwapped({ use: "if (y1[0]! > 1) { return y1; }" })).toBe(false);
  expect(isSwapped({ use: "if (y1[0]! > 1) { return y; }" })).toBe(false);
  expect(isSwapped({ use: "const h = () => y1[0]!; all.push(h);" })).toBe(false);
  expect(isSwapped({ hand: "y = y1; z = y1;" })).toBe(false);
  expect(isSwapped({ hand: "y = y1; z = y;" })).toBe(false);
  expect(isSwapped({ hand: "if (k > 2) { y = y1; }" })).toBe(false);
  expect(isSwapped({ hand: "y = y1; if (k > 2) { y = z; }" })).toBe(false);
});

test("an array that has been made for the first iteration is not copied, but one that is looked at later is", () => {
  const text = (last: string): string =>
    after(`function f(n: number, x: Float64Array, rounds: number): number {
      const size = x.length;
      const first = new Float64Array(size);
      for (let i = 0; i < size; i++) {
        first[i] = 2 * x[i]!;
      }
      let y: Float64Array = first;
      for (let k = 0; k < rounds; k++) {
        const y1 = new Float64Array(size);
        for (let i = 0; i < size; i++) {
          y1[i] = y[size - 1 - i]! + 1;
        }
        y = y1;
      }
      return y[0]! + ${last}[0]!;
    }`);
  expect(text("x")).toContain("let y: Float64Array = first;");
  expect(text("x")).toContain("spare = y;");
  expect(text("first")).toContain("let y: Float64Array = first.slice();");
});

test("arrays change places in the branch that makes a new one", () => {
  expect(
    after(`function f(x: Float64Array, flags: readonly boolean[], rounds: number): number {
      const n = x.length;
      let y: Float64Array = x;
      for (let k = 0; k < rounds; k++) {
        if (flags[k]!) {
          const y1 = new Float64Array(n);
          for (let i = 0; i < n; i++) {
            y1[i] = 2 * y[0]! + y[i]!;
          }
          y = y1;
        }
      }
      return y[0]!;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, flags: readonly boolean[], rounds: number): number {
      const n = x.length;
      let y: Float64Array = x.slice();
      let spare: Float64Array = new Float64Array(n);
      for (let k = 0; k < rounds; k++) {
        if (flags[k]!) {
          const y1 = spare;
          for (let i = 0; i < n; i++) {
            y1[i] = 2 * y[0]! + y[i]!;
          }
          spare = y;
          y = y1;
        }
      }
      return y[0]!;
    }
    "
  `);
});

test("not where another branch makes it another one", () => {
  const text = after(`function f(x: Float64Array, z: Float64Array, rounds: number): number {
      const n = x.length;
      let y: Float64Array = x;
      for (let k = 0; k < rounds; k++) {
        if (y[0]! > k) {
          const y1 = new Float64Array(n);
          for (let i = 0; i < n; i++) {
            y1[i] = 2 * y[0]! + y[i]!;
          }
          y = y1;
        } else {
          y = z;
        }
      }
      return y[0]!;
    }`);
  expect(text).not.toContain("spare");
});

test("and where each is shorter than the one before, a part of both", () => {
  const text = (after: string): string => `function f(x: Float64Array): number {
      const n = x.length;
      let y: Float64Array = x;
      for (let k = 0; k < n; k++) {
        const m = n - k - 1;
        const y1 = new Float64Array(m);
        for (let i = 0; i < m; i++) {
          y1[i] = y[i]! * y[i + 1]!;
        }
        y = y1;
      }
      return ${after};
    }`;
  const swapped = after(text("y[0]!"));
  expect(swapped).toContain("let spare: Float64Array = new Float64Array(n);");
  expect(swapped).toContain("const y1 = spare;");
  expect(swapped).not.toContain("fill");
  // Their memory is longer than they are
  for (const other of ["y.length", "sum(y)", "y.slice()"]) expect(after(text(other))).toContain("new Float64Array(m)");
});

test("in a loop inside of others an array is copied before the first change of it, unless that is another loop's", () => {
  const inLoops = (change: string): string => `function f(x: Float64Array, rounds: number, k: number): number {
      const n = x.length;
      let z: Float64Array = x;
      for (let i = 0; i < rounds; i++) {
        let y: Float64Array = z;
        for (let j = 0; j < n; j++) {
          if (y[j]! > 0) {
            const y1 = new Float64Array(n);
            for (let l = 0; l < n; l++) {
              if (l === j) { y1[l] = 1; } else { y1[l] = y[l]!; }
            }
            ${change}
          }
        }
        z = y;
      }
      return z[0]!;
    }`;
  const text = after(inLoops("y = y1;"));
  expect(text).toMatch(/if \(y === z\) \{\n\s*y = z\.slice\(\);\n\s*\}\n\s*y\[j\] = 1;/);
  expect(text).not.toContain("new Float64Array");
  // What it began with is another array by then
  expect(after(inLoops("y = y1; z = y;"))).toContain("new Float64Array");
});

test("what a loop begins with that is something else's stays as it is: two spare arrays take turns, made in front of all loops", () => {
  const text = (use: string): string =>
    after(`function f(x: Float64Array, weights: Float64Array, rounds: number): number {
      const n = x.length;
      let sum = 0;
      const all = [];
      for (let i = 0; i < weights.length; i++) {
        let y: Float64Array = x;
        for (let k = 0; k < rounds; k++) {
          const y1 = new Float64Array(n);
          for (let j = 0; j < n; j++) {
            y1[j] = y[n - 1 - j]! * weights[i]!;
          }
          y = y1;
        }
        sum += y[0]!;
        ${use}
      }
      return sum;
    }`);
  expect(text("")).toMatch(/spare: Float64Array = new Float64Array\(n\);\n\s*let spare1: .*\n\s*for \(let i/);
  expect(text("")).toMatch(/const y1 = spare;[^]*spare = spare1;\n\s*spare1 = y1;\n\s*y = y1;/);
  // What an iteration keeps is its own
  expect(text("all.push(y);")).toMatch(/let y: Float64Array = x;\n\s*let spare: /);
});

test("what a variable begins with may be filled behind it: then it is no copy of that", () => {
  const text = (use: string): string =>
    after(`function f(x: Float64Array, rounds: number): number {
      const n = x.length;
      const start = new Float64Array(n);
      let y: Float64Array = start;
      for (let i = 0; i < n; i++) {
        start[i] = 2 * x[i]!;
      }
      for (let k = 0; k < rounds; k++) {
        const y1 = new Float64Array(n);
        for (let j = 0; j < n; j++) {
          y1[j] = y[n - 1 - j]! + 1;
        }
        y = y1;
      }
      return y[0]! ${use};
    }`);
  expect(text("")).toMatch(/let y: Float64Array = start;[^]*const y1 = spare;\n[^]*spare = y;/);
  expect(text("+ start[0]!")).toMatch(/let y: Float64Array = start;[^]*const y1 = spare;\n[^]*spare = spare1;/);
});
