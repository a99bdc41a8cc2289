// Lists of an earlier gradient are filled again where all are as long, and no cell is in two of them; otherwise all lists are new.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, loadModule, propertyOf } from "../driver/evaluate.js";

const model = `
def sum' l = case l of { Nil -> 0; x :: xs -> x + sum' xs }
def map' f l = case l of { Nil -> Nil; x :: xs -> f x :: map' f xs }
def dot (a : List R, b : List R) : R = case (a, b) of { (x :: xs, y :: ys) -> x * y + dot (xs, ys); _ -> 0 }
def rows (m : List (List R), k : R) : R = k * sum' (map' (\\row. sum' (map' (\\x. x * x) row)) m)
def layers (l : List (List R, List R)) : R = sum' (map' (\\(a, b). dot (a, b)) l)
data Steps = Stop | Step R R Steps
def travelled (s : Steps) : R = case s of { Stop -> 0; Step speed time rest -> speed * time + travelled rest }
def area (l : List (R, R)) : R = sum' (map' (\\(x, y). x * y) l)
data Marks = End | Mark R () Marks
def marked (m : Marks) : R = case m of { End -> 0; Mark x _ rest -> x * x + marked rest }
data Net = Net { inside : (List R, R), bias : [R] }
def net (n : Net) : R = case n of { Net (l, k) bias -> k * sum' (map' (\\x. x * x) l) + sum (map (\\b. b * b) bias) }
`;

const compiled = compile({ name: "model.lam", text: model }, { stage: "adjoint", target: "js" });
if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
const { code } = compiled.value;
const loaded = loadModule(code);

function gradient(name: string, ...args: readonly unknown[]): unknown {
  return propertyOf(exportOf(loaded, `${name}Grad`)(...args), "grad");
}

interface Cell {
  tag: string;
  _0?: unknown;
  _1?: unknown;
}

function list(...items: readonly unknown[]): Cell {
  return items.reduceRight((rest: Cell, item) => ({ tag: "Cons", _0: item, _1: rest }), { tag: "Nil" });
}

/** The cells of a list, the end included. */
function cellsOf(value: unknown): readonly unknown[] {
  const cells: unknown[] = [];
  for (let rest = value; typeof rest === "object" && rest !== null; rest = Reflect.get(rest, "_1")) cells.push(rest);
  return cells;
}

/** Whether two lists are the same objects. */
function areSame(one: unknown, other: unknown): boolean {
  const [first, second] = [cellsOf(one), cellsOf(other)];
  return first.length === second.length && first.every((cell, i) => cell === second[i]);
}

test("lists of numbers are filled again, with no new cell", () => {
  const earlier = gradient("dot", list(1, 2), list(3, 4));
  const cells = cellsOf(propertyOf(earlier, "a"));
  const again = gradient("dot", list(5, 6), list(7, 8), earlier);
  expect(again).toEqual({ a: list(7, 8), b: list(5, 6) });
  expect(propertyOf(again, "a")).toBe(cells[0]);
  expect(areSame(propertyOf(again, "a"), propertyOf(earlier, "a"))).toBe(true);
  expect(areSame(propertyOf(again, "b"), propertyOf(earlier, "b"))).toBe(true);
});

test("so are lists of lists, and lists in pairs in lists", () => {
  const earlier = gradient("rows", list(list(1, 2), list(), list(3)), 1);
  const again = gradient("rows", list(list(4, 5), list(), list(6)), 2, earlier);
  expect(again).toEqual({ m: list(list(16, 20), list(), list(24)), k: 16 + 25 + 36 });
  expect(propertyOf(again, "m")).toBe(propertyOf(earlier, "m"));
  expect(code, "rows are brought near first").toMatch(/fetchRows\(rest, at\);\s*if .*\s*.*\s*}\s*if \(!fillList/);
  const pairs = list([list(1, 2), list(3, 4)], [list(5), list(6)]);
  const ofPairs = gradient("layers", pairs);
  const expected = { l: list([list(3, 4), list(1, 2)], [list(6), list(5)]) };
  expect(ofPairs).toEqual(expected);
  const other = gradient("layers", list([list(9, 9), list(9, 9)], [list(9), list(9)]));
  expect(gradient("layers", pairs, other)).toEqual(expected);
  expect(other).toEqual(expected);
});

test("so are lists of one's own with several numbers in a cell, and lists in records beside arrays", () => {
  const steps = { tag: "Step", _0: 2, _1: 3, _2: { tag: "Step", _0: 4, _1: 5, _2: { tag: "Stop" } } };
  const earlier = gradient("travelled", steps);
  const again = gradient("travelled", { ...steps, _0: 7 }, earlier);
  expect(again).toEqual({ s: { tag: "Step", _0: 3, _1: 7, _2: { tag: "Step", _0: 5, _1: 4, _2: { tag: "Stop" } } } });
  expect(propertyOf(again, "s")).toBe(propertyOf(earlier, "s"));
  const before = gradient("net", { inside: [list(1), 2], bias: [3] });
  const after = gradient("net", { inside: [list(4), 5], bias: [6] }, before);
  expect(after).toEqual({ n: { inside: [list(40), 16], bias: Float64Array.of(12) } });
  const [n, old] = [propertyOf(after, "n"), propertyOf(before, "n")];
  expect(propertyOf(propertyOf(n, "inside"), "0")).toBe(propertyOf(propertyOf(old, "inside"), "0"));
  expect(propertyOf(n, "bias")).toBe(propertyOf(old, "bias"));
});

const shared = list(0, 0);
const row = list(0, 0);
const loop = list(0, 0);
loop._1 = loop;

test.each([
  ["one list is longer", { a: list(0, 0, 0), b: list(0, 0) }],
  ["one list is shorter", { a: list(0, 0), b: list(0) }],
  ["a list is there twice", { a: shared, b: shared }],
  ["two lists have an end in common", { a: list(0, 0), b: { tag: "Cons", _0: 0, _1: shared._1 } }],
  ["a list contains itself", { a: loop, b: list(0, 0) }],
  ["a list is something else", { a: null, b: [0, 0] }],
  ["a list has no end", { a: { tag: "Cons", _0: 0, _1: { tag: "Cons", _0: 0 } }, b: list(0, 0) }],
  ["there is none", {}],
  ["it is undefined", undefined],
  ["it is null", null],
])("the gradient is right where of the earlier one %s", (_, earlier) => {
  const again = gradient("dot", list(1, 2), list(3, 4), earlier);
  expect(again).toEqual({ a: list(3, 4), b: list(1, 2) });
});

test.each([
  ["a row is there twice", list(row, row)],
  ["a row is the end of another", list(row, { tag: "Cons", _0: 0, _1: row._1 })],
  ["a row is longer", list(list(0, 0), list(0, 0, 0))],
  ["a row is none", list(list(0, 0), 5)],
])("the gradient is right where of the rows of the earlier one %s", (_, m) => {
  const again = gradient("rows", list(list(1, 2), list(3, 4)), 1, { m, k: 0 });
  expect(again).toEqual({ m: list(list(2, 4), list(6, 8)), k: 30 });
});

test.each([
  ["no record", { n: null }],
  ["no pair", { n: { inside: null, bias: null } }],
])("the gradient is right where the earlier one has %s", (_, earlier) => {
  const again = gradient("net", { inside: [list(4), 5], bias: [6] }, earlier);
  expect(again).toEqual({ n: { inside: [list(40), 16], bias: Float64Array.of(12) } });
});

test("the earlier gradient may be the arguments", () => {
  const [a, b] = [list(1, 2), list(3, 4)];
  const again = gradient("dot", a, b, { a: b, b: a });
  expect(again).toEqual({ a: list(3, 4), b: list(1, 2) });
  expect([propertyOf(again, "a") === b, propertyOf(again, "b") === a]).toEqual([true, true]);
  const turned = gradient("dot", list(1, 2), list(3, 4), { a: list(9, 9), b: list(8, 8) });
  expect(turned).toEqual({ a: list(3, 4), b: list(1, 2) });
});

test("lists whose cells hold pairs of numbers are new: a pair might be in several cells", () => {
  expect(exportOf(loaded, "areaGrad")).toHaveLength(1);
  const pair = [0, 0];
  const earlier = { l: list(pair, pair) };
  expect(gradient("area", list([1, 2], [3, 4]), earlier)).toEqual({ l: list([2, 1], [4, 3]) });
});

test("what else there is in cells has to be what it should", () => {
  const marks = (x: number, mark: unknown): unknown => ({ tag: "Mark", _0: x, _1: mark, _2: { tag: "End" } });
  const earlier = { m: marks(0, null) };
  expect(propertyOf(gradient("marked", marks(3, null), earlier), "m")).toBe(earlier.m);
  expect(gradient("marked", marks(3, null), { m: marks(0, 5) })).toEqual({ m: marks(6, null) });
  const given = list([list(1), list(2)]);
  const expected = { l: list([list(2), list(1)]) };
  expect(gradient("layers", given, { l: list({ 0: list(0), 1: list(0) }) })).toEqual(expected);
  expect(gradient("layers", given, { l: list([list(0), list(0), 1]) })).toEqual(expected);
  expect(gradient("layers", given, { l: list(null) })).toEqual(expected);
});

test("a frozen gradient stays as it is", () => {
  const earlier = { a: list(0, 0), b: list(0, 0) };
  for (const cells of [earlier.a, earlier.b]) for (const cell of cellsOf(cells)) Object.freeze(cell);
  expect(gradient("dot", list(1, 2), list(3, 4), earlier)).toEqual({ a: list(3, 4), b: list(1, 2) });
  expect(earlier).toEqual({ a: list(0, 0), b: list(0, 0) });
  const inPart = list(0, 0);
  Object.freeze(inPart._1);
  expect(gradient("dot", list(1, 2), list(3, 4), { a: inPart, b: list(0, 0) })).toEqual({ a: list(3, 4), b: list(1, 2) }); // prettier-ignore
});

test("a getter gives a list once", () => {
  const earlier = {
    get a() {
      return list(9, 9);
    },
    b: list(8, 8),
  };
  expect(gradient("dot", list(1, 2), list(3, 4), earlier)).toEqual({ a: list(3, 4), b: list(1, 2) });
  const nested = {
    get n() {
      return { inside: [list(9), 9], bias: Float64Array.of(9) };
    },
  };
  expect(gradient("net", { inside: [list(4), 5], bias: [6] }, nested)).toEqual({ n: { inside: [list(40), 16], bias: Float64Array.of(12) } }); // prettier-ignore
});

test("lists of lists whose cells have the same tags and other rests are new", () => {
  const text = `
data Snoc = Nil | Cons Snoc R
def total (s : Snoc) : R = case s of { Nil -> 0; Cons rest x -> x * x + total rest }
def all (l : List Snoc) : R = listSum (listMap total l)`;
  const other = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js" });
  if (!other.ok) throw new Error(JSON.stringify(other.diagnostics));
  const nil = { tag: "Nil" };
  const snoc = (x: number): unknown => ({ tag: "Cons", _0: nil, _1: x });
  const c: Record<string, unknown> = { tag: "Cons", _1: nil };
  const p = { tag: "Cons", _0: nil, _1: c };
  c["_0"] = p;
  const result = exportOf(loadModule(other.value.code), "allGrad")(list(nil, snoc(3)), { l: p });
  expect(propertyOf(result, "grad")).toEqual({ l: list(nil, snoc(6)) });
});

test("a million cells are filled again", () => {
  const items = Array.from({ length: 1e6 }, (_, i) => i);
  const first = gradient("dot", longList(items), longList(items));
  const again = gradient("dot", longList(items), longList(items), first);
  expect(propertyOf(again, "a")).toBe(propertyOf(first, "a"));
});

function longList(items: readonly unknown[]): Cell {
  let cells: Cell = { tag: "Nil" };
  for (let i = items.length - 1; i >= 0; i--) cells = { tag: "Cons", _0: items[i], _1: cells };
  return cells;
}
