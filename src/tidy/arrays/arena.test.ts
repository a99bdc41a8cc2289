import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withWorkArrays } from "./arena.js";

const after = (text: string): string => afterPass(text, (fn) => withWorkArrays(fn, surroundings));

test("arrays that a loop makes are parts of larger ones", () => {
  expect(
    after(`function f(rows: readonly Float64Array[]): number {
      let sum = 0;
      const kept: Float64Array[] = [];
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        const n = sameLength(row.length, i, "here");
        const z = new Float64Array(n);
        kept.push(z);
        const y = new Float64Array(row.length);
        for (let j = 0; j < n; j++) {
          z[j] = row[j]! + y[j]!;
        }
        sum += z[0]!;
      }
      for (let k = kept.length - 1; k >= 0; k--) {
        const again = kept[k]!;
        sum -= again[0]!;
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(rows: readonly Float64Array[]): number {
      let sum = 0;
      const kept: readonly Float64Array[] = [];
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        const n = sameLength(row.length, i, "here");
        const z = workArray(n);
        kept.push(z);
        const y = workArray(row.length);
        for (let j = 0; j < n; j++) {
          z[j] = row[j]! + y[j]!;
        }
        sum += z[0]!;
      }
      for (let k = kept.length - 1; k >= 0; k--) {
        const again = kept[k]!;
        sum -= again[0]!;
      }
      return sum;
    }
    "
  `);
});

test("not where the size is small or no number, nor what leaves the function", () => {
  const isWork = (made: string, rest = "sum += z[0]!;", end = "sum"): boolean =>
    after(`function f(xs: Float64Array, n: number, all: Float64Array[]): unknown {
      let sum = 0;
      let last: Float64Array = xs;
      for (let i = 0; i < n; i++) {
        const z = ${made};
        ${rest}
      }
      return ${end};
    }`).includes("workArray");
  expect(isWork("new Float64Array(n)")).toBe(true);
  expect(isWork("new Float64Array(2 * i + 1)")).toBe(true);
  expect(isWork("new Float64Array(8)")).toBe(false);
  expect(isWork("new Float64Array(9)")).toBe(true);
  expect(isWork("new Float64Array(xs)")).toBe(false);
  expect(isWork("new Float64Array([n, n])")).toBe(false);
  expect(isWork("new Float64Array(n)", "all[i] = z;")).toBe(false);
  expect(isWork("new Float64Array(n)", "all.push(z);")).toBe(false);
  expect(isWork("new Float64Array(n)", "g(z);")).toBe(false);
  expect(isWork("new Float64Array(n)", "last = z;", "last[0]")).toBe(true);
  expect(isWork("new Float64Array(n)", "last = z;", "last")).toBe(false);
  expect(isWork("new Float64Array(n)", "last = z as Float64Array;", "last[0]")).toBe(true);
  const outside = "function f(n: number): number { const z = new Float64Array(n); return z[0]!; }";
  expect(after(outside)).toContain("workArray(n)");
});

test("outside of loops in the workspace of a function, where they stay inside", () => {
  const after = (made: string, result: string, between = ""): string =>
    afterPass(
      `function f(list: List<number>, xs: Float64Array, n: number): unknown {
        const workspace = takeWorkspace();
        const items = readList(list, workspace) ?? g(list);
        const z = ${made};
        for (let i = 0; i < n; i++) {
          z[i] = items[i]! + xs[i]!;
        }
        ${between}
        return leaveWorkspace(workspace, ${result});
      }`,
      (fn) => withWorkArrays(fn, surroundings),
    );
  expect(after("new Float64Array(n)", "z[0]!")).toContain("const z = zerosIn(workspace, n);");
  expect(after("new Float64Array(items.length)", "listOf(z)")).toContain("const z = zerosIn(workspace, items.length);");
  expect(after("new Float64Array(n)", "z.slice()")).toContain("zerosIn");
  expect(after("new Float64Array(n)", "z")).not.toContain("zerosIn");
  expect(after("new Float64Array(n)", "{ value: 1, grad: { z } }")).not.toContain("zerosIn");
  expect(after("new Float64Array(n)", "[z]")).not.toContain("zerosIn");
  expect(after("new Float64Array(n)", "z[0]!", "g(z);")).not.toContain("zerosIn");
  expect(after("new Float64Array(n)", "y", "const y = z;")).not.toContain("zerosIn");
  expect(after("new Float64Array(n)", "() => z")).not.toContain("zerosIn");
  const inner = "const h = (m: number) => { const y = new Float64Array(n); y[0] = m; return y[0]! + 1; };";
  expect(after("new Float64Array(8)", "h(n)", inner)).not.toContain("zerosIn");
  expect(after("new Float64Array(8)", "z[0]!")).not.toContain("zerosIn");
  expect(after("new Float64Array(xs)", "z[0]!")).not.toContain("zerosIn");
});

test("arrays that are kept in arrays of arrays stay inside, too, if nobody else has these", () => {
  const isWork = (outer: string, rest: string): boolean =>
    after(`function f(n: number, all: Float64Array[][]): number {
      let sum = 0;
      const saved: Float64Array[][] = ${outer};
      for (let i = 0; i < n; i++) {
        const inner: Float64Array[] = new Array(n);
        saved[i] = inner;
        for (let j = 0; j < n; j++) {
          const z = new Float64Array(n);
          inner[j] = z;
        }
      }
      const again = saved[0]!;
      const row = again[0]!;
      sum += row[0]! + saved[0]![0]![0]!;
      ${rest}
      return sum;
    }`).includes("workArray");
  expect(isWork("new Array(n)", "")).toBe(true);
  expect(isWork("new Array(n)", "const both = [row, row]; sum += both[1]![0]!;")).toBe(true);
  expect(isWork("new Array(n)", "g(row);")).toBe(false);
  expect(isWork("new Array(n)", "g(again);")).toBe(false);
  expect(isWork("new Array(n)", "g(saved[0]![0]!);")).toBe(false);
  expect(isWork("new Array(n)", "g(saved[0]!);")).toBe(false);
  expect(isWork("new Array(n)", "g([row]);")).toBe(false);
  expect(isWork("new Array(n)", "all[0] = again;")).toBe(false);
  expect(isWork("all", "")).toBe(false);
  expect(isWork("made(n)", "")).toBe(false);
  expect(isWork("new Array(n)", "const other = all[0]!; other[0] = row;")).toBe(false);
  expect(isWork("new Array(n)", "let other = again; other = all[0]!; other[0] = row;")).toBe(false);
});

test("stores of rows are made of such arrays where none of them leaves the function", () => {
  const made = (rest: string, end: string): string =>
    after(`function f(rows: readonly (readonly Float64Array[])[], n: number): unknown {
      let last: readonly Float64Array[] = [];
      for (let i = 0; i < n; i++) {
        const rows_ = zeroRows(rows[i]!);
        const row_ = rows_[0]!;
        row_[0] = 1;
        ${rest}
      }
      return ${end};
    }`);
  expect(made("", "n")).toContain("= workRows(rows[i]!)");
  expect(made("last = rows_;", "last[0]![0]!")).toContain("= workRows(rows[i]!)");
  expect(made("last = rows_;", "last")).toContain("= zeroRows(rows[i]!)");
  expect(made("last = rows_;", "last[0]")).toContain("= zeroRows(rows[i]!)");
});

test("outside of loops, too", () => {
  const text = `function f(rows: readonly Float64Array[], n: number): number {
    const rows_ = zeroRows(rows);
    const other = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      other[i] = 1;
      rows_[i]![0]! += other[i]!;
    }
    return rows_[0]![0]!;
  }`;
  expect(after(text)).toContain("workRows(rows)");
  expect(after(text)).toContain("workArray(n)");
});

test("also those that are kept in rows which a variable from outside becomes", () => {
  const text = (last: string): string =>
    after(`function f(rows: readonly Float64Array[]): readonly Float64Array[] {
      let current = rows;
      for (let i = 0; i < 3; i++) {
        const next = new Array<Float64Array>(current.length);
        for (let j = 0; j < current.length; j++) {
          const row = new Float64Array(current[j]!.length);
          next[j] = row;
        }
        current = next;
      }
      return ${last};
    }`);
  expect(text("[rows[0]!]")).toContain("const row = workArray(current[j]!.length)");
  expect(text("current")).toContain("const row = new Float64Array(current[j]!.length)");
});
