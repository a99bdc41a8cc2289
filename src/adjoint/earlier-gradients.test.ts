// The arrays of a gradient are those of an earlier one from the beginning where nothing else reads or has their memory, with the same numbers.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, loadModule, propertyOf } from "../driver/evaluate.js";

const model = `
def wells (xs : [R]) : R = sum (map (\\x. x ^ 4 - x ^ 2) xs)
def inner (xs : [R], ys : [R]) : R = dot xs ys
def product (m : [[R]], v : [R]) : R = sum (matVec m v)
def some (xs : [R]) (n : Z) : R = xs ! n * xs ! n
data Layer = Layer { weights : [[R]], bias : [R], scale : R }
def net (l : Layer) (x : (R, [R])) : R =
  let (k, v) = x in
  sum (map (\\z. if z > 0 then z * z else 0) (zipWith (\\w b. l.scale * (k * w + b)) (matVec l.weights v) l.bias))
def fit (w : [R]) (xs : [[R]]) (ys : [R]) : R = sum (zipWith (\\p y. (p - y) ^ 2) (matVec xs w) ys)
def scaled (xs : [R]) (ks : [R]) : R = sum (zipWith (\\x k. k * x * x) xs ks)
def late (xs : [R]) (n : Z) : R = sum (map exp xs) + xs ! n
data Switch = On R | Off
def switched (xs : [R]) (ss : [Switch]) : R = sum (zipWith (\\x s. case s of { On k -> k * x; Off -> 0 }) xs ss)
def cube (t : [[[R]]]) : R = sum (map (\\m. sum (map (\\row. sum (map (\\x. x * x) row)) m)) t)
`;

const compiled = compile(
  { name: "model.lam", text: model },
  { stage: "adjoint", target: "js", wrt: ["fit.w", "scaled.xs"] },
);
if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
const { code } = compiled.value;
const loaded = loadModule(code);

function gradient(name: string, ...args: readonly unknown[]): unknown {
  return propertyOf(exportOf(loaded, `${name}Grad`)(...args), "grad");
}

const floats = (...numbers: number[]): Float64Array => Float64Array.from(numbers);

function bodyOf(name: string): string {
  return code.slice(code.indexOf(`function ${name}Grad(`)).split("\n}\n", 1)[0] ?? "";
}

test("in place: arrays, rows, records, tuples, several parameters", () => {
  for (const name of ["wells", "inner", "product", "some", "net", "scaled", "late"])
    expect([name, bodyOf(name).includes("earlierArrays("), bodyOf(name).includes("refill(")]).toEqual([name, true, false]); // prettier-ignore
});

test("at the end: where rows are data, and arrays of rows", () => {
  for (const name of ["fit", "cube"])
    expect([name, bodyOf(name).includes("earlierArrays("), bodyOf(name).includes("refill(")]).toEqual([name, false, true]); // prettier-ignore
});

test("what holds no array is not looked at for any", () => {
  expect(bodyOf("switched")).toContain('refill({ xs: xs_, ss: ss_ }, buffers, [xs], "xs")');
  const ss = [{ tag: "On", _0: 3 }, { tag: "Off" }];
  const earlier = gradient("switched", floats(5, 6), ss);
  const again = gradient("switched", floats(7, 8), ss, earlier);
  expect(again).toEqual({ xs: floats(3, 0), ss: [{ tag: "On", _0: 7 }, { tag: "Off" }] });
  expect(propertyOf(again, "xs")).toBe(propertyOf(earlier, "xs"));
});

/** Arguments, the same each time. */
const cases: readonly (readonly [string, () => readonly unknown[]])[] = [
  ["wells", () => [floats(0.1, -2, 3)]],
  ["inner", () => [floats(1, 2, -0), floats(4, Infinity, 6)]],
  ["product", () => [[floats(1, 2), floats(3, 4), floats(-5, 0)], floats(7, 8)]],
  ["product", () => [[], floats()]],
  ["some", () => [floats(1, 2, 3), 1]],
  ["net", () => [{ weights: [floats(1, 2), floats(-3, 4)], bias: floats(-1, -9), scale: 2 }, [3, floats(1, 2)]]],
  ["fit", () => [floats(1, 2), [floats(3, 4), floats(5, 6)], floats(7, 8)]],
  ["scaled", () => [floats(1, 2), floats(3, 4)]],
  ["late", () => [floats(1, 2), 0]],
];

/** The arrays of numbers in a value, in their order. */
function arraysIn(value: unknown): readonly Float64Array[] {
  if (value instanceof Float64Array) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(arraysIn) : [];
}

test.each(cases)("fills each array again, whatever was in it: %s", (name, args) => {
  const expected = gradient(name, ...args());
  const earlier = gradient(name, ...args());
  const arrays = arraysIn(earlier);
  for (let iteration = 0; iteration < 3; iteration++) {
    for (const array of arrays) array.fill(NaN);
    const again = gradient(name, ...args(), earlier);
    expect(again).toEqual(expected);
    expect(arraysIn(again).map((array, i) => array === arrays[i])).toEqual(arrays.map(() => true));
  }
});

test.each(cases)("leaves arguments that are handed back as they are, where it is in place: %s", (name, args) => {
  const expected = gradient(name, ...args());
  // What is differentiated, at its places in the gradient
  const given = args();
  const handed = Object.fromEntries(Object.keys(expected ?? {}).map((key, i) => [key, given[i]]));
  const again = gradient(name, ...given, handed);
  expect(again).toEqual(expected);
  if (name !== "fit") expect(given).toEqual(args());
});

test("rows of other lengths are new, the others are filled again", () => {
  const earlier = gradient("product", [floats(1, 2), floats(3, 4), floats(5, 6)], floats(7, 8));
  const [rows, v] = [propertyOf(earlier, "m"), propertyOf(earlier, "v")];
  const fewer = gradient("product", [floats(1, 1)], floats(2, 3), earlier);
  expect(fewer).toEqual({ m: [floats(2, 3)], v: floats(1, 1) });
  expect(arraysIn(fewer)).toEqual([arraysIn(rows)[0], v]);
  expect(arraysIn(fewer)[0]).toBe(arraysIn(rows)[0]);
  const more = gradient("product", [floats(1, 1), floats(0, 1)], floats(2, 3), fewer);
  expect(more).toEqual({ m: [floats(2, 3), floats(2, 3)], v: floats(1, 2) });
  expect(arraysIn(more)[0]).toBe(arraysIn(rows)[0]);
  expect(gradient("product", [floats(4), floats(5)], floats(6), more)).toEqual({ m: [floats(6), floats(6)], v: floats(9) }); // prettier-ignore
});

test("an array that is there twice, or overlaps another, is used once", () => {
  const [xs, ys] = [floats(1, 2), floats(3, 4)];
  const all = floats(0, 0, 0);
  const twice = gradient("inner", xs, ys, { xs: all.subarray(0, 2), ys: all.subarray(0, 2) });
  expect(twice).toEqual({ xs: ys, ys: xs });
  expect(gradient("inner", xs, ys, { xs: all.subarray(1), ys: all.subarray(0, 2) })).toEqual({ xs: ys, ys: xs });
});

test("what has memory of an argument is not used", () => {
  const all = floats(1, 2, 3, 4);
  const [xs, ys] = [all.subarray(0, 2), all.subarray(2)];
  for (const handed of [
    { xs: ys, ys: xs },
    { xs: all.subarray(1, 3), ys: floats(0, 0) },
    { xs: floats(0, 0), ys: new Float64Array(all.buffer, 8, 2) },
  ]) {
    expect(gradient("inner", xs, ys, handed)).toEqual({ xs: floats(3, 4), ys: floats(1, 2) });
    expect(all).toEqual(floats(1, 2, 3, 4));
  }
  // Numbers that are only read, and rows
  const [x, k] = [floats(1, 2), floats(3, 4)];
  expect(gradient("scaled", x, k, { xs: k })).toEqual({ xs: floats(6, 16) });
  const m = [floats(1, 2), floats(3, 4)];
  expect(gradient("product", m, x, { m: [m[1], m[0]], v: m[0] })).toEqual({ m: [x, x], v: floats(4, 6) });
  expect([m, k]).toEqual([[floats(1, 2), floats(3, 4)], floats(3, 4)]);
});

test("getters may call the function with the same buffers", () => {
  const args = [[floats(1, 2), floats(3, 4)], floats(5, 6)] as const;
  const expected = gradient("product", ...args);
  const earlier = gradient("product", ...args);
  const again = (): unknown => gradient("product", [floats(9, 9), floats(9, 9)], floats(9, 9), earlier);
  // Of the earlier gradient
  const looking = Object.defineProperty({ m: propertyOf(earlier, "m") }, "v", { get: () => (again(), propertyOf(earlier, "v")) }); // prettier-ignore
  expect(gradient("product", ...args, looking)).toEqual(expected);
  // Of an argument
  const rows = [...args[0]];
  Object.defineProperty(rows, 1, { get: () => (again(), args[0][1]), enumerable: true });
  expect(gradient("product", rows, args[1], earlier)).toEqual(expected);
  const proxy = new Proxy(args[1], { get: (array, key): unknown => (again(), Reflect.get(array, key)) });
  expect(gradient("product", args[0], proxy, earlier)).toEqual(expected);
  // A row that is another one when it is looked at again
  let looks = 0;
  const [first] = arraysIn(earlier);
  const changing = Object.defineProperty([...args[0]], 0, { get: () => (looks++ < 2 ? args[0][0] : first), enumerable: true }); // prettier-ignore
  expect(gradient("product", changing, args[1], earlier)).toEqual(expected);
});

test("an error half-way leaves an earlier gradient that can be handed back again", () => {
  const earlier = gradient("late", floats(1, 2), 0);
  expect(() => gradient("late", floats(3, 4), 2, earlier)).toThrow(RangeError);
  const again = gradient("late", floats(1, 2), 0, earlier);
  expect(again).toEqual(gradient("late", floats(1, 2), 0));
  expect(arraysIn(again)[0]).toBe(arraysIn(earlier)[0]);
});

test("what is no gradient is passed over", () => {
  const expected = gradient("net", ...(cases[5]?.[1]() ?? []));
  for (const other of [null, 0, "", 1, [], {}, { l: null }, { l: { weights: 1, bias: [] }, x: 2 }])
    expect(gradient("net", ...(cases[5]?.[1]() ?? []), other)).toEqual(expected);
});
