// Lists that are arrays inside are lists outside, which share nothing with what a caller has.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../driver/evaluate.js";

const model = `
def map' f l = case l of { Nil -> Nil; x :: xs -> f x :: map' f xs }
def scaled (k : R, l : List R) : List R = map' (\\x. k * x) l
def same (l : List [R]) : List [R] = map' (\\a. a) l
def dot (a : List R, b : List R) : R = case (a, b) of { (x :: xs, y :: ys) -> x * y + dot (xs, ys); _ -> 0 }
def moment (l : List (R, R)) : R = listFoldl (\\s (x, y). s + x * y) 0 l
def spread (ls : [List R]) : R = sum (map (\\l. listFoldl (\\s x. s + x * x) 0 l) ls)
def pairs (ls : [[List (R, R)]]) : R = sum (map (\\row. sum (map moment row)) ls)
def weighed (l : List (List R, R)) : List (R, List R) = map' (\\(xs, w). (w * w, map' (\\x. w * x) xs)) l`;

function exported(name: string): (...args: readonly unknown[]) => unknown {
  const compiled = compile({ name: "model.lam", text: model }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return exportOf(loadModule(compiled.value.code), name);
}

function list(...items: readonly unknown[]): unknown {
  return longList(items);
}

test("lists of numbers", () => {
  expect(exported("scaled")(2, list(1, 3))).toEqual(list(2, 6));
  const { value, pullback } = sweeps("scaledVjp", 2, list(1, 3));
  expect(value).toEqual(list(2, 6));
  expect(pullback(list(1, 10))).toEqual({ k: 31, l: list(2, 20) });
  expect(pullback(list(0, 1))).toEqual({ k: 3, l: list(0, 2) });
});

test("lists of lists and numbers", () => {
  const { value, pullback } = sweeps("weighedVjp", list([list(1, 2), 3], [list(), 4]));
  expect(value).toEqual(list([9, list(3, 6)], [16, list()]));
  expect(pullback(list([1, list(1, 1)], [1, list()]))).toEqual({ l: list([list(3, 3), 9], [list(), 8]) });
});

test("arrays in lists are copied", () => {
  const given = Float64Array.of(1, 2);
  const { value, pullback } = sweeps("sameVjp", list(given, given));
  expect(value).toEqual(list(given, given));
  expect(propertyOf(value, "_0")).not.toBe(given);
  expect(propertyOf(exported("same")(list(given)), "_0")).not.toBe(given);
  const [first, second] = [pullback(value), pullback(value)];
  expect(first).toEqual({ l: list(given, given) });
  expect(propertyOf(propertyOf(first, "l"), "_0")).not.toBe(propertyOf(propertyOf(second, "l"), "_0"));
});

test("lists of another length, and what is no list", () => {
  const scaled = exported("scaled");
  expect(scaled(2, list())).toEqual(list());
  expect(() => scaled(2, list(1, "x"))).toThrow("scaled: l._1._0 must be a number");
  const { pullback } = sweeps("scaledVjp", 2, list(1, 3));
  expect(() => pullback(list(1))).toThrow("cotangent");
});

test("what looks like a list of lists, but is none, is named where it differs", () => {
  const weighed = exported("weighed");
  expect(() => weighed(list([list(1), "x"]))).toThrow('weighed: l._0[1] must be a number, got "x"');
  expect(() => weighed(list([list(1), 2], [list(1, null), 2]))).toThrow("weighed: l._1._0[0]._1._0 must be a number");
  expect(() => weighed(list([list(1)]))).toThrow("weighed: l._0 must be an array of length 2");
  expect(() => weighed({ tag: "Cons", _0: [list(), 1], _1: null })).toThrow("weighed: l._1 must be an object with tag");
  expect(() => weighed(null)).toThrow("weighed: l must be an object with tag");
  const iteration: Record<string, unknown> = { tag: "Cons", _0: 1 };
  iteration["_1"] = { tag: "Cons", _0: 2, _1: iteration };
  expect(() => exported("scaled")(2, iteration)).toThrow("contains itself");
  expect(() => weighed(list([iteration, 1]))).toThrow("contains itself");
});

test("arrays of lists", () => {
  const given = [list(1, 2), list(), list(...Array.from({ length: 20 }, () => 1)), list(3)];
  expect(exported("spread")(given)).toBe(34);
  const { value, pullback } = sweeps("spreadVjp", given);
  given.pop();
  expect([value, itemsOf(propertyOf(propertyOf(pullback(1), "ls"), "2")).length]).toEqual([34, 20]);
  expect(propertyOf(exported("spreadGrad")([list(1, 2), list()]), "grad")).toEqual({ ls: [list(2, 4), list()] });
  expect(exported("spreadGrad")([])).toEqual({ value: 0, grad: { ls: [] } });
  const rows = [[list([1, 2], [3, 4])], [], [list(), list([5, 6])]];
  const gradient = { ls: [[list([2, 1], [4, 3])], [], [list(), list([6, 5])]] };
  expect(exported("pairsGrad")(rows)).toEqual({ value: 44, grad: gradient });
});

test("one list at two places of an array has a cotangent at each", () => {
  const one = list(1, 2);
  const grad = propertyOf(exported("spreadGrad")([one, one]), "grad");
  expect(grad).toEqual({ ls: [list(2, 4), list(2, 4)] });
  expect(propertyOf(propertyOf(grad, "ls"), "0")).not.toBe(propertyOf(propertyOf(grad, "ls"), "1"));
});

test("what is no array of lists is named where it differs", () => {
  const spread = exported("spread");
  expect(() => spread(list(1))).toThrow("spread: ls must be an array");
  expect(() => spread([list(1), list(2, "x")])).toThrow('spread: ls[1]._1._0 must be a number, got "x"');
  // eslint-disable-next-line no-sparse-arrays -- a hole is no list
  expect(() => spread([list(1), , list(2)])).toThrow("spread: ls[1] must be an object with tag");
  expect(() => exported("pairs")([[list([1, 2])], list()])).toThrow("pairs: ls[1] must be an array");
  expect(() => exported("spreadGrad")([null])).toThrow("spreadGrad: ls[0] must be an object with tag");
});

test("lists that a caller changes before the pullback runs", () => {
  const last: Record<string, unknown> = { tag: "Cons", _0: 3, _1: { tag: "Nil" } };
  const { pullback } = sweeps("scaledVjp", 2, { tag: "Cons", _0: 1, _1: last });
  last["_0"] = 100;
  expect(pullback(list(1, 10))).toEqual({ k: 31, l: list(2, 20) });
});

test("lists longer than the memory that short ones share", () => {
  const items = Array.from({ length: 5000 }, (_, i) => i);
  const rows = Array.from({ length: 40 }, (_, i) => [list(...items.slice(i, i + 200)), i + 1] as const);
  expect(itemsOf(exported("scaled")(2, list(...items)))).toEqual(items.map((x) => 2 * x));
  const expected = rows.map(([row, w]) => [w * w, exported("scaled")(w, row)]);
  expect(itemsOf(exported("weighed")(list(...rows)))).toEqual(expected);
});

test.each([511, 512, 513, 1023, 1024, 1025, 65_536, 65_537, 200_000])("a list of %i numbers", (length) => {
  const scaled = exported("scaled");
  const items = Array.from({ length }, (_, i) => i);
  const [first, second] = [scaled(2, list(...items.slice(0, 3))), scaled(2, longList(items))];
  expect(itemsOf(second)).toEqual(items.map((x) => 2 * x));
  expect([itemsOf(first), itemsOf(scaled(3, list(1)))]).toEqual([[0, 2, 4], [3]]);
});

test("a list that calls the function that reads it", () => {
  const scaled = exported("scaled");
  const inner: unknown[] = [];
  const cell = {
    tag: "Cons",
    _0: 2,
    get _1() {
      inner.push(itemsOf(scaled(10, list(7, 8, 9))));
      return list(3, 4);
    },
  };
  expect(itemsOf(scaled(1, { tag: "Cons", _0: 1, _1: cell }))).toEqual([1, 2, 3, 4]);
  expect(inner).toEqual(inner.map(() => [70, 80, 90]));
  expect(inner.length).toBeGreaterThan(0);
});

test("gradients of calls in turn, within each other, and after one that fails", () => {
  const dotGrad = exported("dotGrad");
  const of = (length: number, k: number): readonly number[] => Array.from({ length }, (_, i) => k * i + 0.5);
  const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0);
  const expected = (length: number, more: number) => {
    const value = of(length, 2).reduce((sum, x, i) => sum + x * (of(length, 3)[i] ?? 0), 0);
    return { value: Math.fround(value), a: of(length, 3), b: [...of(length, 2), ...zeros(more)] };
  };
  const found = (result: unknown) => {
    const grad = propertyOf(result, "grad");
    const value = Math.fround(Number(propertyOf(result, "value")));
    return { value, a: itemsOf(propertyOf(grad, "a")), b: itemsOf(propertyOf(grad, "b")) };
  };
  const call = (length: number, more: number, within = (): void => undefined): unknown => {
    const b = longList([...of(length, 3), ...zeros(more)]);
    const a = of(length, 2).reduceRight<unknown>(
      (rest, item) => ({
        tag: "Cons",
        _0: item,
        get _1() {
          within();
          return rest;
        },
      }),
      { tag: "Nil" },
    );
    return dotGrad(a, b);
  };
  const earlier = [call(20, 0), call(5, 9), call(3000, 40), call(30, 7)];
  let calls = 0;
  const within = (): void => {
    if (calls++ % 7 === 3) expect(found(call(50, calls))).toEqual(expected(50, calls));
  };
  expect(found(call(1200, 3, within))).toEqual(expected(1200, 3));
  const failing = (): void => {
    if (calls++ > 2000) throw new Error("no rest");
  };
  expect(() => call(1200, 3, failing)).toThrow("no rest");
  expect(found(call(40, 2))).toEqual(expected(40, 2));
  expect(earlier.map(found)).toEqual([expected(20, 0), expected(5, 9), expected(3000, 40), expected(30, 7)]);
});

test("a list that fails while it is read", () => {
  const scaled = exported("scaled");
  const cell = {
    tag: "Cons",
    _0: 2,
    get _1(): unknown {
      throw new Error("no rest");
    },
  };
  expect(() => scaled(1, cell)).toThrow("no rest");
  expect(scaled(2, list(1, 3))).toEqual(list(2, 6));
});

function longList(items: readonly unknown[]): unknown {
  return items.reduceRight((rest, item) => ({ tag: "Cons", _0: item, _1: rest }), { tag: "Nil" });
}

/** Deep lists are compared as arrays: the comparison is recursive. */
function itemsOf(of: unknown): unknown[] {
  const items: unknown[] = [];
  for (let rest = of; propertyOf(rest, "tag") === "Cons"; rest = propertyOf(rest, "_1"))
    items.push(propertyOf(rest, "_0"));
  return items;
}

function sweeps(name: string, ...args: readonly unknown[]) {
  const result = exported(name)(...args);
  return { value: propertyOf(result, "value"), pullback: functionOf(propertyOf(result, "pullback")) };
}

test("long lists of pairs and short ones take turns", () => {
  const pairs = (n: number): unknown => longList(Array.from({ length: n }, (_, i) => [i % 3, 1]));
  const [value, gradient] = [exported("moment"), exported("momentGrad")];
  for (const n of [200_000, 1500, 200_000, 12, 200_000]) {
    const sum = 3 * Math.floor(n / 3) + (n % 3 === 2 ? 1 : 0);
    expect(value(pairs(n))).toBe(sum);
    expect(propertyOf(gradient(pairs(n)), "value")).toBe(sum);
    expect(propertyOf(propertyOf(propertyOf(gradient(pairs(n)), "grad"), "l"), "_0")).toEqual([1, 0]);
  }
});
