import { expect, test } from "vitest";
import { surroundings } from "../../../test/support/tidied.js";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import { lendingIn } from "./lending.js";

/** The parameters that the functions of a text are lent. */
function lent(text: string): readonly string[] {
  const fns = functionsIn(text);
  const isLent = lendingIn(fns.map((fn) => ({ kind: "function", doc: "", exported: false, fn })), surroundings); // prettier-ignore
  return fns.flatMap(({ name, params }) => params.flatMap((param, index) => (isLent(name, index) ? [`${name} ${param.name}`] : []))); // prettier-ignore
}

const ofRows = (body: string): boolean => lent(`function f(m: readonly Float64Array[], x: number): number { ${body} }`).includes("f m"); // prettier-ignore
const ofNumbers = (body: string): boolean => lent(`function f(v: Float64Array, x: number): number { ${body} }`).includes("f v"); // prettier-ignore

test("what is read, written element by element, or measured", () => {
  expect(ofNumbers("v[0]! += x; return v[1]! + v.length;")).toBe(true);
  expect(ofRows("const row = m[0]!; row[1] = x; return m.length + row[0]! + m[1]![2]!;")).toBe(true);
  expect(ofRows("const zeros = zeroRows(m); zeros[0]![0] = x; return zeros[0]![0]!;")).toBe(true);
});

test("not what is kept, handed on, or put elsewhere", () => {
  expect(ofNumbers("saved.pushValue(v); return x;")).toBe(false);
  expect(ofNumbers("const other = v; return other[0]!;")).toBe(false);
  expect(ofNumbers("const back = () => v[0]!; return unknown(back);")).toBe(false);
  expect(ofRows("rows[0] = m[1]!; return x;")).toBe(false);
  expect(ofRows("m[0] = rows[0]!; return x;")).toBe(false);
  expect(ofRows("const row = m[0]!; saved.pushValue(row); return x;")).toBe(false);
  expect(ofRows("return unknown(m);")).toBe(false);
  expect(lent("function f(m: readonly Float64Array[]): Float64Array { return m[0]!; }")).toEqual([]);
  expect(lent("function f(v: Float64Array): Float64Array { return v; }")).toEqual([]);
});

test("within functions that call each other, all of which keep nothing", () => {
  const g = (end: string): readonly string[] =>
    lent(`function f(m: readonly Float64Array[], n: number): number { return n > 0 ? g(m, n - 1) : m[0]![0]!; }
      function g(m: readonly Float64Array[], n: number): number { return ${end} + f(m, n - 1); }`);
  expect(g("m[1]![0]!")).toEqual(["f m", "g m"]);
  expect(g("unknown(m)")).toEqual([]);
});
