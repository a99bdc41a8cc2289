import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withRowsSwapped } from "./row-buffering.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withRowsSwapped(fn, bindings, surroundings));

interface Parts {
  /** How many rows there are, what else an iteration does, before it makes them, with one and with all, and how it hands them on. */
  readonly size?: string;
  readonly before?: string;
  readonly row?: string;
  readonly all?: string;
  readonly hand?: string;
}

const stepping = ({ size = "n", before = "", row = "", all = "", hand = "u = next;" }: Parts): string =>
  after(`function f(start: readonly Float64Array[], steps: number, n: number, m: number): number {
      let u: readonly Float64Array[] = start;
      let kept: readonly Float64Array[] = start;
      let last: Float64Array = start[0]!;
      for (let i = 0; i < steps; i++) {
        ${before}
        const next: Array<Float64Array> = new Array(${size});
        for (let j = 0; j < n; j++) {
          const above = u[Math.max(0, j - 1)]!;
          const row = new Float64Array(m);
          for (let k = 0; k < m; k++) {
            row[k] = above[k]! + u[j]![k]!;
          }
          ${row}
          next[j] = row;
        }
        ${all}
        ${hand}
      }
      return u[0]![0]! + kept.length + last.length;
    }`);

const isSwapped = (parts: Parts): boolean => stepping(parts).includes("rowAgain");

test("rows made out of the ones before take turns", () => {
  expect(stepping({})).toMatchInlineSnapshot(`
    "function f(
      start: readonly Float64Array[],
      steps: number,
      n: number,
      m: number,
    ): number {
      let u: readonly Float64Array[] = start;
      let kept: readonly Float64Array[] = start;
      let last: Float64Array = start[0]!;
      let spare: Array<Float64Array> = [];
      let spare1: Array<Float64Array> = [];
      for (let i = 0; i < steps; i++) {
        const next: Array<Float64Array> = spare;
        for (let j = 0; j < n; j++) {
          const above = u[Math.max(0, j - 1)]!;
          const row = rowAgain(next, j, m);
          for (let k = 0; k < m; k++) {
            row[k] = above[k]! + u[j]![k]!;
          }
          next[j] = row;
        }
        spare = spare1;
        spare1 = next;
        u = next;
      }
      return u[0]![0]! + kept.length + last.length;
    }
    "
  `);
});

test("a row that is not set as a whole is zero before", () => {
  expect(stepping({ row: "row[0]! += 1;" })).not.toContain("fill(0)");
  expect(
    after(`function f(start: readonly Float64Array[], steps: number, n: number, m: number): number {
      let u: readonly Float64Array[] = start;
      for (let i = 0; i < steps; i++) {
        const next: Array<Float64Array> = new Array(n);
        for (let j = 0; j < n; j++) {
          const row = new Float64Array(m);
          row[0]! += u[j]![0]!;
          next[j] = row;
        }
        u = next;
      }
      return u.length;
    }`),
  ).toContain("row.fill(0);");
});

test("not where something keeps rows, or looks at them later", () => {
  expect(isSwapped({ before: "if (u.length <= i) { outside(u, i, 'f'); }" })).toBe(true);
  expect(isSwapped({ all: "last[0] = next[0]!.length + next[1]![0]!;" })).toBe(true);
  expect(isSwapped({ before: "kept = u;" })).toBe(false);
  expect(isSwapped({ before: "last = u[0]!;" })).toBe(false);
  expect(isSwapped({ before: "const first = u[0]!; last = first;" })).toBe(false);
  expect(isSwapped({ all: "g(u);" })).toBe(false);
  expect(isSwapped({ all: "g(next[0]!);" })).toBe(false);
  expect(isSwapped({ all: "const later = () => u[0]![0]!; last[0] = later();" })).toBe(false);
  expect(isSwapped({ row: "last = row;" })).toBe(false);
  expect(isSwapped({ all: "next[0] = last;" })).toBe(false);
  expect(isSwapped({ hand: "kept = u; u = next;" })).toBe(false);
});

test("not where it is not known that all rows are made anew", () => {
  expect(isSwapped({ size: "n + 1" })).toBe(false);
  expect(isSwapped({ size: "m" })).toBe(false);
  expect(isSwapped({ row: "if (row[0]! > 9) { continue; }" })).toBe(false);
  expect(isSwapped({ hand: "if (i > 3) { u = next; }" })).toBe(false);
});

test("a store of zeros for rows takes the rows of the one before the last", () => {
  expect(
    after(`function f(saved: readonly (readonly Float64Array[])[], n: number): readonly Float64Array[] {
      let u_: readonly Float64Array[] = zeroRows(saved[n]!);
      for (let i = n - 1; i >= 0; i--) {
        const before_ = zeroRows(saved[i]!);
        for (let j = 0; j < before_.length; j++) {
          const row_ = before_[j]!;
          row_[0]! += u_[j]![0]!;
        }
        u_ = before_;
      }
      return u_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      saved: readonly (readonly Float64Array[])[],
      n: number,
    ): readonly Float64Array[] {
      let u_: readonly Float64Array[] = zeroRows(saved[n]!);
      let spare: Array<Float64Array> = [];
      let spare1: Array<Float64Array> = [];
      for (let i = n - 1; i >= 0; i--) {
        const before_ = zeroRowsAgain(spare, saved[i]!);
        for (let j = 0; j < before_.length; j++) {
          const row_ = before_[j]!;
          row_[0]! += u_[j]![0]!;
        }
        spare = spare1;
        spare1 = before_;
        u_ = before_;
      }
      return u_;
    }
    "
  `);
});

const lending = (call: string, size = "n"): string =>
  after(`function f(m: readonly Float64Array[], n: number): number {
      let acc = 0;
      for (let k = 0; k < n; k++) {
        const minor: Array<Float64Array> = new Array(${size});
        for (let i = 0; i < ${size}; i++) {
          const row = new Float64Array(m[i]!.length);
          for (let j = 0; j < row.length; j++) {
            row[j] = m[i]![j]! * k;
          }
          minor[i] = row;
        }
        const minor_ = zeroRows(minor);
        acc += ${call};
      }
      return acc;
    }`);

test("rows made for a function that keeps nothing of them are those of the first iteration", () => {
  expect(lending("lent(minor, minor_)")).toMatchInlineSnapshot(`
    "function f(m: readonly Float64Array[], n: number): number {
      let acc = 0;
      const minor: Array<Float64Array> = [];
      let minor_: Array<Float64Array> = [];
      for (let k = 0; k < n; k++) {
        for (let i = 0; i < n; i++) {
          const row = rowAgain(minor, i, m[i]!.length);
          row.fill(0);
          for (let j = 0; j < row.length; j++) {
            row[j] = m[i]![j]! * k;
          }
          minor[i] = row;
        }
        minor_ = zeroRowsAgain(minor_, minor);
        acc += lent(minor, minor_);
      }
      return acc;
    }
    "
  `);
  expect(lending("other(minor)")).not.toContain("rowAgain");
  expect(lending("lent(minor) + held(minor[0]!)")).not.toContain("rowAgain");
  // As many in each iteration
  expect(lending("lent(minor)", "k")).not.toContain("rowAgain");
});
