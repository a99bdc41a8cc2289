// Which arrays are those of an iteration alone, where two loops become one.

import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withJoinedLoops } from "./late-loop-fusion.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withJoinedLoops(fn, bindings, surroundings));

test("arrays that each iteration saves for the other loop are its own", () => {
  expect(
    after(`function f(rows: Float64Array[], rows_: Float64Array[], n: number, m: number): number {
      const saved: Array<Float64Array> = new Array(n);
      let acc = 0;
      for (let i = 0; i < n; i++) {
        const row = rows[i]!;
        const squares = new Float64Array(m);
        saved[i] = squares;
        for (let j = 0; j < m; j++) {
          const x = row[j]! * row[j]!;
          squares[j] = x;
          acc += x;
        }
      }
      const all = zeroRows(rows);
      for (let i = 0; i < n; i++) {
        const x_ = all[i]!;
        const known = saved[i]!;
        for (let j = 0; j < m; j++) {
          x_[j]! += known[j]!;
        }
      }
      return acc;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      rows: readonly Float64Array[],
      rows_: readonly Float64Array[],
      n: number,
      m: number,
    ): number {
      const saved: Array<Float64Array> = new Array(n);
      let acc = 0;
      const all = zeroRows(rows);
      for (let i = 0; i < n; i++) {
        const row = rows[i]!;
        const squares = new Float64Array(m);
        const x_ = all[i]!;
        for (let j = 0; j < m; j++) {
          const x = row[j]! * row[j]!;
          acc += x;
          x_[j]! += x;
        }
      }
      return acc;
    }
    "
  `);
});

const carried = `function f(n: number, m: number): number {
  const start = new Float64Array(m);
  const rows: Array<Float64Array> = new Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    let state: Float64Array = start;
    for (let k = 0; k < m; k++) {
      const next = new Float64Array(m);
      next[k] = state[k]! + 1;
      state = next;
    }
    rows[i] = state;
    sum += state[0]!;
  }
  let back = 0;
  for (let j = 0; j < n; j++) {
    const row = rows[j]!;
    back += row[1]!;
  }
  return sum + back;
}`;

test("an array from before that each iteration begins with, if nothing changes it", () => {
  const iterations = (text: string): number => after(text).split("< n;").length - 1;
  expect(iterations(carried)).toBe(1);
  // It may be that of another iteration
  expect(iterations(carried.replace("rows[i] = state;", "rows[i] = state; state[0] = 2;"))).toBe(2);
  expect(iterations(carried.replace("back += row[1]!;", "back += row[1]!; row[0] = 3;"))).toBe(2);
  expect(iterations(carried.replace("rows[i] = state;", "rows[i] = state; start[0] = 2;"))).toBe(2);
  expect(iterations(carried.replace("rows[i] = state;", "rows[i] = state; start[i] = 2;"))).toBe(2);
  expect(iterations(carried.replace("const start", "let start").replace("sum += ", "start = state; sum += "))).toBe(2);
});

const layered = `function f(xs: readonly Float64Array[], ws: Float64Array[], n: number, m: number): number {
  const rows: Array<Float64Array> = new Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const x = xs[i]!;
    let state: Float64Array = x;
    for (let k = 0; k < m; k++) {
      const w = ws[k]!;
      const next = new Float64Array(m);
      next[k] = state[k]! * w[k]!;
      state = next;
    }
    rows[i] = state;
    sum += state[0]!;
  }
  const ws_ = zeroRows(ws);
  for (let j = 0; j < n; j++) {
    const row = rows[j]!;
    for (let k = 0; k < m; k++) {
      const w = ws[k]!;
      const w_ = ws_[k]!;
      w_[k]! += row[k]! * w[k]!;
    }
  }
  return sum + ws_[0]![0]!;
}`;

test("arrays from before that all iterations read are none of those that iterations make, if no array is put among them", () => {
  const iterations = (text: string): number => after(text).split("< n;").length - 1;
  const changed = (from: string, to: string): number => {
    expect(layered).toContain(from);
    return iterations(layered.replace(from, to));
  };
  expect(iterations(layered)).toBe(1);
  expect(changed("sum += state[0]!;", "sum += state[0]!; ws[0] = state;")).toBe(2);
  expect(changed("state = next;", "state = next; ws[k] = next;")).toBe(2);
  expect(changed("sum += state[0]!;", "sum += state[0]!; w0[0] = 2;")).toBe(2);
  expect(changed("sum += state[0]!;", "sum += state[0]!; x[0] = 2;")).toBe(2);
  expect(changed("const w_ = ws_[k]!;", "const w_ = ws_[k]!; w[0] = 2;")).toBe(2);
  expect(changed("const w_ = ws_[k]!;", "const w_ = rows[0]!;")).toBe(2);
  expect(changed("const ws_ = zeroRows(ws);", "const ws_ = rows;")).toBe(2);
  expect(changed("const ws_ = zeroRows(ws);", "const ws_ = zeroRows(rows);")).toBe(2);
});

test("not arrays that all iterations have in common", () => {
  const text = (made: string) => `function f(n: number, m: number, given: Float64Array): number {
    const saved: Array<Float64Array> = new Array(n);
    let acc = 0;
    for (let i = 0; i < n; i++) {
      const squares = ${made};
      saved[i] = squares;
      for (let j = 0; j < m; j++) {
        squares[j]! += 1;
      }
    }
    for (let i = 0; i < n; i++) {
      const known = saved[i]!;
      for (let j = 0; j < m; j++) {
        acc += known[j]!;
      }
    }
    return acc;
  }`;
  const count = (made: string): number => after(text(made)).match(/let i = 0/g)?.length ?? 0;
  expect(count("new Float64Array(m)")).toBe(1);
  expect(count("given")).toBe(2);
});

test("numbers that come from old arrays are none, and others may need them from another iteration", () => {
  const text = `function f(xs: Float64Array, n: number): number {
    const count = n + 1;
    const kept = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      let item: number;
      if (i < n) {
        const x = xs[i]!;
        item = x;
      } else {
        const x1 = xs[0]!;
        item = x1;
      }
      kept[i] = item;
    }
    let sum = 0;
    for (let up = 0; up < count; up++) {
      const level = n - up;
      const y = kept[level]!;
      const sum1 = 0.5 * sum + y;
      sum = sum1;
    }
    return sum;
  }`;
  expect(after(text)).toBe(afterPass(text, (fn) => fn));
});
