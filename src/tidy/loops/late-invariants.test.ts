import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withInvariantsOutside } from "./late-invariants.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withInvariantsOutside(fn, bindings, surroundings));

test("what costs something is computed once", () => {
  expect(
    after(`function f(x: Float64Array, total: number, n: number): void {
      for (let i = 0; i < n; i++) {
        x[i]! += scale(x[i]!, 1 / total) + n * 2;
        for (let j = 0; j < n; j++) {
          x[j]! += x[i]! / n + Math.exp(total) + Math.exp(total) + i / n;
        }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, total: number, n: number): void {
      const inverse = 1 / total;
      const fixed = Math.exp(total);
      for (let i = 0; i < n; i++) {
        x[i]! += scale(x[i]!, inverse) + n * 2;
        const fixed1 = i / n;
        for (let j = 0; j < n; j++) {
          x[j]! += x[i]! / n + fixed + fixed + fixed1;
        }
      }
    }
    "
  `);
});

test("not what changes, is read from memory, or may fail", () => {
  expect(
    after(`function f(x: Float64Array, total: number, n: number): void {
      let a = total;
      for (let i = 0; i < n; i++) {
        const b = i;
        x[i]! += 1 / a + 1 / b + 1 / x[0]! + divInt(n, total, "here");
        a = 2;
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, total: number, n: number): void {
      let a = total;
      for (let i = 0; i < n; i++) {
        const b = i;
        x[i]! += 1 / a + 1 / b + 1 / x[0]! + divInt(n, total, "here");
        a = 2;
      }
    }
    "
  `);
});

test("so is the length of an array that gets no longer", () => {
  expect(
    after(`function f(rows: readonly Float64Array[], v: Float64Array): number {
      const all: number[] = [];
      let sum = 0;
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        const n = v.length;
        const m = row.length;
        const k = all.length;
        for (let j = 0; j < n; j++) {
          const l = v.length;
          all.push(j + k);
          sum += l + m;
        }
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(rows: readonly Float64Array[], v: Float64Array): number {
      const all: readonly number[] = [];
      let sum = 0;
      const n = v.length;
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        const m = row.length;
        const k = all.length;
        for (let j = 0; j < n; j++) {
          all.push(j + k);
          sum += n + m;
        }
      }
      return sum;
    }
    "
  `);
});

test("what has a name goes with it, and what is computed from that", () => {
  expect(
    after(`function f(x: Float64Array, width: number, n: number): void {
      for (let i = 0; i < n; i++) {
        if (i > 0) {
          const square = width * width;
          const own = i * width;
          x[i]! += own / square + 1 / square;
        }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, width: number, n: number): void {
      const square = width * width;
      const inverse = 1 / square;
      for (let i = 0; i < n; i++) {
        if (i > 0) {
          const own = i * width;
          x[i]! += own / square + inverse;
        }
      }
    }
    "
  `);
});

test("what stands in front of one loop is not computed again for another one, unless something of it changes", () => {
  const text = after(`function f(x: Float64Array, dt: number, n: number): void {
    let h = dt;
    for (let i = 0; i < n; i++) {
      x[i]! += x[i]! * Math.sin(dt) + x[i]! * Math.cos(h);
    }
    h = 2 * dt;
    for (let i = 0; i < n; i++) {
      x[i]! -= x[i]! * Math.sin(dt) + x[i]! * Math.cos(h);
    }
    if (n > 3) {
      for (let i = 0; i < n; i++) {
        x[i]! += x[i]! * Math.sin(dt) + x[i]! * Math.exp(dt);
      }
    }
    for (let i = 0; i < n; i++) {
      x[i]! += Math.exp(dt);
    }
  }`);
  const times = (part: string): number => text.split(part).length - 1;
  expect([times("Math.sin(dt)"), times("Math.cos(h)"), times("Math.exp(dt)")]).toEqual([1, 2, 2]);
});

test("a row that every iteration reads, where the loop changes numbers alone", () => {
  const text = (
    change: string,
  ): string => `function f(rows: readonly Float64Array[], sums: Float64Array, others: Array<Float64Array>, k: number): void {
  const n = rows.length;
  const t = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    const row = rows[k]!;
    t[j] = row[j]! * 2;
    ${change}
  }
}
`;
  const isOutside = (change: string): boolean => /const row = .*\n {2}for/.test(after(text(change)));
  expect(isOutside("sums[j] = t[j]!;")).toBe(true);
  expect(isOutside("others[j] = t;")).toBe(false);
  expect(isOutside("others.push(t);")).toBe(false);
  expect(isOutside("k = j;")).toBe(false);
});

test("the length of such a row is not asked for in front of a loop, which may have no iterations", () => {
  const text = `function f(rows: readonly Float64Array[], sums: Float64Array, m: number, k: number): void {
  for (let j = 0; j < m; j++) {
    const row = rows[k]!;
    const n = row.length;
    sums[j] = n;
  }
}
`;
  expect(after(text)).toMatch(/const row = .*\n {2}for .*\n {4}const n = row\.length/);
});
