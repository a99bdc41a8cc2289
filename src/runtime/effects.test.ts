// The table of effects says what the functions do: each is called with numbers of all kinds, with what is frozen, and with what is shared between its arguments.

import { describe, expect, test } from "vitest";
import * as adjoint from "./adjoint.js";
import * as arrays from "./arrays.js";
import * as buffers from "./buffers.js";
import * as compressed from "./compressed.js";
import { effects } from "./effects.js";
import * as limits from "./limits.js";
import * as numbers from "./numbers.js";
import * as values from "./values.js";
import * as workspace from "./workspace.js";

const files: Readonly<Record<string, object>> = {
  adjoint,
  arrays,
  buffers,
  compressed,
  limits,
  numbers,
  values,
  workspace,
};

type Runtime = (...args: readonly unknown[]) => unknown;

function runtimeFunction(reference: string): Runtime {
  const [file = "", name = ""] = reference.split(".");
  const found: unknown = Reflect.get(files[file] ?? {}, name);
  if (typeof found !== "function") throw new Error(`there is no ${reference}`);
  return (...args) => {
    const result: unknown = Reflect.apply(found, undefined, args);
    return result;
  };
}

const rows = [...effects];

test.each(["numbers", "values"])("every function of %s.ts has a row", (file) => {
  const functions = Object.entries(files[file] ?? {}).filter(([, value]) => typeof value === "function");
  expect(functions.map(([name]) => `${file}.${name}`).filter((reference) => !effects.has(reference))).toEqual([]);
});

test.each(rows)("%s is there", (reference) => {
  expect(runtimeFunction(reference)).toBeTypeOf("function");
});

const extremes = [
  0,
  -0,
  1,
  -1,
  2,
  3,
  0.5,
  -2.5,
  700,
  -800,
  5e-324,
  1e-310,
  1e300,
  -1e300,
  2 ** 53,
  Infinity,
  -Infinity,
  NaN,
];

/** What an integer may be. */
const integers = extremes.filter(Number.isSafeInteger);

describe("what gives a number gives one", () => {
  const ofNumbers = rows.filter(([reference, { gives }]) => gives === "number" && reference.startsWith("numbers."));
  test.each(ofNumbers)("%s", (reference, { mayFail }) => {
    const call = runtimeFunction(reference);
    const ofReal = /floorInt|roundInt|truncateInt/.test(reference);
    for (const x of mayFail && !ofReal ? integers : extremes) {
      for (const y of mayFail ? integers : extremes) {
        for (const z of [x, 0, 1, NaN]) {
          const args = !mayFail ? [x, y, z] : ofReal ? [x, "here"] : [x, y, "here"];
          try {
            expect(call(...args)).toBeTypeOf("number");
          } catch (error) {
            expect(mayFail && error instanceof RangeError, `${reference} ${args.join(" ")}`).toBe(true);
          }
        }
      }
    }
  });
});

const shapes: values.ShapeTable = { P: ["x", "number", "ys", "numbers"] };
const shared = Float64Array.of(1, 2, 3);

/** Arguments that functions of values leave as they are; some have the same array in two places. */
const left: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  "values.checkValue": [[{ x: 1, ys: shared }, "P", shapes, "p"], [[shared, shared], { each: "numbers" }, shapes, "p"]],
  "values.checkNumber": [[1, "x"]],
  "values.checkInteger": [[1, "x"]],
  "values.checkBoolean": [[true, "x"]],
  "values.checkTuple": [[[shared, shared], "x", 2]],
  "values.checkRecord": [[{ x: 1 }, "x", "a record"]],
  "values.checkTag": [[{ tag: "A" }, "x", ["A", "B"], "a tag"]],
  "values.refuse": [[{ x: 1, ys: shared }, "P", shapes, "p"]],
  "values.acceptValue": [[{ x: 1, ys: shared }, "P", shapes, "p"], [[shared, shared], { each: "numbers" }, shapes, "p"]],
  "values.acceptCopy": [[{ x: 1, ys: shared }, "P", shapes, "p"], [[shared, shared], { each: "numbers" }, shapes, "p"]],
  "values.acceptNumbers": [[shared, "x"], [[1, 2], "x"]],
  "values.acceptNumbersLike": [[shared, "x", shared]],
  "values.acceptNumbersCopy": [[shared, "x"]],
  "values.acceptNumber": [[1, "x"]],
  "values.acceptInteger": [[1, "x"]],
  "values.acceptBoolean": [[true, "x"]],
  "values.acceptNull": [[null, "x"]],
  "values.acceptArray": [[[1, 2], "x", (x: unknown) => x]],
  "values.acceptRows": [[[shared, shared, [1, 2]], "x"]],
  "values.describe": [[{ x: 1, ys: [shared, shared] }]],
  "values.isNumber": [[1], [shared]],
  "values.isBoolean": [[1]],
  "values.isArray": [[[shared]]],
  "values.isFloat64Array": [[shared]],
  "values.isPresent": [[{}]],
  "values.isRecord": [[{ x: shared }]],
  "values.isTuple": [[[shared, shared], 2]],
  "values.copyValue": [[{ x: 1, ys: shared }, "P", shapes], [[shared, shared], { each: "numbers" }, shapes]],
  "adjoint.zerosLike": [[{ x: 1, ys: shared }, "P", shapes], [[shared, shared], { each: "numbers" }, shapes]],
  "adjoint.zeroRows": [[[shared, shared]]],
  "adjoint.rowAgain": [[[shared, shared], 1, 2], [[shared], 2, 5]],
  "adjoint.workArray": [[3], [100]],
  "adjoint.workRows": [[[shared, shared]]],
  "adjoint.takeRoom": [[]],
  "adjoint.withRoom": [[shared, 2], [shared, 2000]],
  "adjoint.takePlaces": [[]],
  "adjoint.withPlaces": [[Int32Array.of(1, 2), 2], [Int32Array.of(1, 2), 2000]],
  "adjoint.leavePlaces": [[Int32Array.of(1, 2)]],
  "workspace.zerosIn": [[workspace.takeWorkspace(), 3], [workspace.takeWorkspace(), 100]],
  "workspace.leaveWorkspace": [[workspace.takeWorkspace(), shared]],
  "workspace.numbersRead": [[{ numbers: new Float64Array(8), taken: 0 }, shared, 1, 2, null]],
  "buffers.earlierArrays": [[{ xs: shared }, { xs: Float64Array.of(4, 5, 6) }], [{ xs: shared, ys: shared }, { xs: shared, ys: shared }, shared]],
  "arrays.outside": [[shared, 3, "here"]],
  "arrays.arraySize": [[3, "here"], [-1, "here"]],
  "limits.endless": [[3]],
}; // prettier-ignore

/** All objects of a value; a workspace is none. */
function objectsIn(value: unknown, found = new Set<object>()): ReadonlySet<object> {
  if (typeof value !== "object" || value === null || found.has(value) || "taken" in value) return found;
  found.add(value);
  if (value instanceof Float64Array || value instanceof Int32Array) found.add(value.buffer);
  else for (const part of Object.values(value)) objectsIn(part, found);
  return found;
}

function frozen(value: unknown): void {
  for (const each of objectsIn(value))
    if (!ArrayBuffer.isView(each) && !(each instanceof ArrayBuffer)) Object.freeze(each);
}

/** What the arguments hold, as text. */
const contents = (args: readonly unknown[]): string => JSON.stringify(args, (_, value: unknown) => (value instanceof Float64Array || value instanceof Int32Array ? [...value] : typeof value === "object" && value !== null && "taken" in value ? null : value)); // prettier-ignore

describe("what is left stays as it is, also where it is frozen and where arguments share it", () => {
  const reading = rows.filter(([reference, { given }]) => given === "left" && !reference.startsWith("numbers."));
  test.each(reading)("%s", (reference, { gives, mayFail }) => {
    const calls = left[reference] ?? [];
    expect(calls.length).toBeGreaterThan(0);
    for (const args of calls) {
      frozen(args);
      const before = contents(args);
      try {
        const result = runtimeFunction(reference)(...args);
        if (gives === "number") expect(result).toBeTypeOf("number");
        const own = [...objectsIn(result)];
        const old = objectsIn(args);
        if (gives === "copy" || gives === "zeros") expect(own.filter((each) => old.has(each))).toEqual([]);
        if (gives === "zeros") expect(own.every((each) => !(each instanceof Float64Array) || each.every((x) => x === 0))).toBe(true); // prettier-ignore
      } catch (error) {
        if (!mayFail) throw error;
        expect(error instanceof RangeError || error instanceof TypeError).toBe(true);
      }
      expect(contents(args)).toBe(before);
    }
  });
});

describe("what is changed is", () => {
  test("takeStore and addToStore: the numbers of a store, also one that holds an array twice", () => {
    const numbersOf = Float64Array.of(1, 2);
    adjoint.addToStore([numbersOf, numbersOf], [Float64Array.of(1, 1), Float64Array.of(10, 10)]);
    expect([...numbersOf]).toEqual([12, 13]);
    const taken = adjoint.takeStore([numbersOf]);
    expect([...numbersOf]).toEqual([0, 0]);
    expect(taken).toEqual([Float64Array.of(12, 13)]);
  });

  test("refill: its arrays are those of the earlier gradient", () => {
    const [fresh, old] = [{ xs: Float64Array.of(1) }, { xs: Float64Array.of(9) }];
    const { xs } = old;
    expect(buffers.refill(fresh, old, []).xs).toBe(xs);
    expect([...xs]).toEqual([1]);
  });

  test("mergedRows: its arrays are those that it is given", () => {
    const matrix = { rows: 1, rowStart: [0, 2], column: [1, 0], values: Float64Array.of(5, 6) };
    expect(compressed.mergedRows(matrix).values).toBe(matrix.values);
    expect([...matrix.values]).toEqual([6, 5]);
  });

  test("setField: the field of an object", () => {
    const object = {};
    values.setField(object, "x", 1);
    expect(object).toEqual({ x: 1 });
  });

  test("noteFilled: it keeps nothing but what tells lists apart", () => {
    const filled = new Set<unknown>();
    expect(buffers.noteFilled(null, filled)).toBeTypeOf("boolean");
  });
});
