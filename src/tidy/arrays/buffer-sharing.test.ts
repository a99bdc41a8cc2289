import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withArraysShared } from "./buffer-sharing.js";

const after = (text: string): string => afterPass(text, (fn) => withArraysShared(fn, surroundings));

test("an array that is filled from another for the last time, and a copy of it", () => {
  expect(
    after(`function f(xs: Float64Array, bias: Float64Array, share: number): Float64Array {
      const n = sameLength(xs.length, bias.length, "f");
      // t of each iteration, for the reverse sweep
      const tSaved = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        tSaved[i] = Math.exp(xs[i]!);
      }
      const bias_ = new Float64Array(bias.length);
      const xs_ = new Float64Array(n);
      for (let i = n - 1; i >= 0; i--) {
        const t = share * tSaved[i]!;
        xs_[i] = t * tSaved[i]!;
        share -= xs_[i]!;
      }
      bias_.set(xs_);
      return bias_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: Float64Array, bias: Float64Array, share: number): Float64Array {
      const n = sameLength(xs.length, bias.length, "f");
      // t of each iteration, for the reverse sweep
      const tSaved = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        tSaved[i] = Math.exp(xs[i]!);
      }
      const xs_ = tSaved;
      for (let i = n - 1; i >= 0; i--) {
        const t = share * tSaved[i]!;
        xs_[i] = t * tSaved[i]!;
        share -= xs_[i]!;
      }
      const bias_ = xs_;
      return bias_;
    }
    "
  `);
});

const text = `function f(n: number, m: number, x: Float64Array): Float64Array {
  const a = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    a[i] = x[i]!;
  }
  const b = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    b[i] = 2 * a[i]!;
  }
  return b;
}`;

test("what shares, and what does not", () => {
  expect(after(text)).toContain("const b = a;");
  const others: readonly (readonly [string, string])[] = [
    // Another length
    ["const b = new Float64Array(n)", "const b = new Float64Array(m)"],
    ["const b = new Float64Array(n)", "const b = new Float64Array(x.length)"],
    // A part of it alone is filled, or not in each iteration
    ["i < n; i++) {\n    b[i]", "i < m; i++) {\n    b[i]"],
    ["b[i] = 2 * a[i]!;", "if (i > 3) { b[i] = 2 * a[i]!; }"],
    ["b[i] = 2 * a[i]!;", "if (i > 3) break; b[i] = 2 * a[i]!;"],
    ["b[i] = 2 * a[i]!;", "b[i] += 2 * a[i]!;"],
    // The earlier one is read elsewhere, or again
    ["2 * a[i]!;", "2 * a[n - 1 - i]!;"],
    ["2 * a[i]!;", "a[i]!; x[i] = a[i]!;"],
    ["return b;", "return a[0]! > 0 ? b : x;"],
    // It is somebody else's, too
    ["const b =", "keep(a); const b ="],
    ["const b =", "const later = () => a[0]!; const b ="],
    // The later one is read before it is filled
    ["b[i] = 2 * a[i]!;", "x[i] = b[i]!; b[i] = 2 * a[i]!;"],
    ["b[i] = 2 * a[i]!;", "b[i] = 2 * a[i]!; x[i] = b[0]!;"],
  ];
  for (const [from, to] of others) {
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    expect(after(changed), to).not.toContain("const b = a;");
  }
});

test("two lengths of an array that gets longer are not one", () => {
  const lengths = (growing: string) => `function f(x: Float64Array, list: Array<number>): Float64Array {
    const n = list.length;
    const a = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      a[i] = x[i]!;
    }
    ${growing}
    const m = list.length;
    const b = new Float64Array(m);
    for (let i = 0; i < m; i++) {
      b[i] = 2 * a[i]!;
    }
    return b;
  }`;
  expect(after(lengths(""))).toContain("const b = a;");
  expect(after(lengths("list.push(1);"))).not.toContain("const b = a;");
});

test("of arrays that iterations hand on, those that are copies alone", () => {
  const handedOn = afterPass(
    `function f(n: number, rounds: number, x_: Float64Array): Float64Array {
      let before_: Float64Array = x_;
      for (let i = 0; i < rounds; i++) {
        const moved_ = new Float64Array(n);
        for (let j = 0; j < n; j++) {
          moved_[j] = 2 * before_[n - 1 - j]!;
        }
        const after_ = new Float64Array(n);
        after_.set(moved_);
        before_ = after_;
      }
      const last = new Float64Array(n);
      for (let j = 0; j < n; j++) {
        last[j] = before_[j]!;
      }
      const own = new Float64Array(n);
      own.set(last);
      return own;
    }`,
    (fn) => withArraysShared(fn, surroundings, "handed on"),
  );
  expect(handedOn).toContain("const after_ = moved_;");
  expect(handedOn).toContain("own.set(last);");
});
