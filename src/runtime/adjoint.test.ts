import { expect, test } from "vitest";
import {
  addToStore,
  collected,
  grown,
  leaveBuffer,
  rowAgain,
  takeBuffer,
  takeStore,
  SavedValues,
  workArray,
  zeroRowsAgain,
  zerosLike,
} from "./adjoint.js";

/** An object with a property of its own that objects have otherwise for their prototype. */
const odd = (x: number): unknown => JSON.parse(`{ "tag": "Odd", "__proto__": { "_0": ${x} }, "constructor": ${x} }`);

test("stores of objects with any fields", () => {
  const table = { Odd: { Odd: ["__proto__", "Inner", "constructor", "number"] }, Inner: ["_0", "number"] };
  const store = zerosLike(odd(3), "Odd", table);
  expect(JSON.stringify(store)).toBe(JSON.stringify(odd(0)));
  addToStore(store, odd(5));
  addToStore(store, odd(2));
  expect(JSON.stringify(store)).toBe(JSON.stringify(odd(7)));
  expect(JSON.stringify(takeStore(store))).toBe(JSON.stringify(odd(7)));
  expect(JSON.stringify(store)).toBe(JSON.stringify(odd(0)));
  expect(Object.getPrototypeOf(store)).toBe(Object.prototype);
});

test("stores of tuples that begin with an array", () => {
  const value = { pair: [Float64Array.of(1, 2), 3], rows: [Float64Array.of(1), Float64Array.of(2, 3)] };
  const table = { Both: ["pair", ["numbers", "number"], "rows", { each: "numbers" }] };
  const store = zerosLike(value, "Both", table);
  expect(store).toEqual({ pair: [new Float64Array(2), 0], rows: [new Float64Array(1), new Float64Array(2)] });
  addToStore(store, value);
  expect(takeStore(store)).toEqual(value);
  expect(store).toEqual(zerosLike(value, "Both", table));
});

test.each([0, 1, 64, 65, 192, 200_000, 1_000_000])(
  "a saved of %i numbers gives them back, as often as it is asked",
  (size) => {
    const saved = new SavedValues();
    for (let i = 0; i < size; i++) saved.pushNumber(i);
    const values = Array.from({ length: Math.min(size, 5000) }, (_, i) => ({ i }));
    for (const value of values) saved.pushValue(value);
    saved.keep();
    for (let run = 0; run < 3; run++) {
      saved.rewind();
      expect(values.map(() => saved.popValue())).toEqual([...values].reverse());
      const popped = Array.from({ length: run === 0 ? Math.floor(size / 2) : size }, () => saved.popNumber());
      expect(popped.every((value, i) => value === size - 1 - i)).toBe(true);
    }
  },
);

/** What any of a saved's fields refers to, each array once. */
function arraysOf(saved: SavedValues): ReadonlySet<Float64Array> {
  const fields: readonly unknown[] = Object.values(saved);
  const held = fields.flatMap((field): readonly unknown[] => (Array.isArray(field) ? field : [field]));
  return new Set(held.filter((each) => each instanceof Float64Array));
}

test.each([100_000, 1_000_000])("a saved of %i numbers keeps no more room than that and a little", (size) => {
  const saved = new SavedValues();
  for (let i = 0; i < size; i++) saved.pushNumber(i);
  saved.keep();
  const numbers = [...arraysOf(saved)].map(({ length }) => length);
  const buffer = numbers.reduce((sum, length) => sum + length, 0);
  expect(buffer - size).toBeLessThan(8192);
});

test("a saved from which all is taken off again and again makes no more room", () => {
  const saved = new SavedValues();
  const buffers = Array.from({ length: 5 }, (_, iteration) => {
    for (let i = 0; i < 1000; i++) saved.pushNumber(iteration * i);
    for (let i = 999; i >= 0; i--) expect(saved.popNumber()).toBe(iteration * i);
    return arraysOf(saved);
  });
  const all = new Set(buffers.flatMap((buffer) => [...buffer]));
  expect(all.size).toBe(buffers[0]?.size);
});

test("arrays to work with are zero, and each has its place", () => {
  const sizes = Array.from({ length: 400 }, (_, i) => [0, 3, 8, 9, 50, 511, 512, 513, 5000][i % 9] ?? 0);
  const arrays = sizes.map((size, i) => {
    const array = workArray(size);
    expect([array.length, array.every((x) => x === 0)]).toEqual([size, true]);
    return array.fill(i);
  });
  expect(arrays.every((array, i) => array.every((x) => x === i))).toBe(true);
});

test("the longer rows of each matrix share the memory of their store", () => {
  const matrices = [[new Float64Array(20).fill(1), new Float64Array(9)], [], [Float64Array.of(4)]];
  const store = zerosLike(matrices, { each: { each: "numbers" } }, {}) as readonly (readonly Float64Array[])[];
  expect(store).toEqual([[new Float64Array(20), new Float64Array(9)], [], [new Float64Array(1)]]);
  expect(store[0]?.[0]?.buffer).toBe(store[0]?.[1]?.buffer);
});

test.each([0, 1, 8, 9, 64, 65, 1000])("%i numbers that have been collected in a buffer", (count) => {
  let buffer: Float64Array = new Float64Array(8);
  for (let i = 0; i < count; i++) {
    if (i === buffer.length) buffer = grown(buffer);
    buffer[i] = i + 0.5;
  }
  expect(collected(buffer, count)).toEqual(Float64Array.from({ length: count }, (_, i) => i + 0.5));
});

test("buffers are given again when they have been left, to one at a time, and no shorter than asked for", () => {
  const buffers = Array.from({ length: 20 }, () => grown(takeBuffer()));
  expect(new Set(buffers).size).toBe(buffers.length);
  for (const buffer of buffers) leaveBuffer(buffer);
  const again = Array.from({ length: 20 }, () => takeBuffer());
  expect(new Set(again).size).toBe(again.length);
  expect(again.filter((buffer) => buffers.includes(buffer)).length).toBe(8);
  leaveBuffer(grown(takeBuffer()));
  expect(takeBuffer(100).length).toBe(100);
});

test("buffers of more than half a megabyte are the collector's", () => {
  const large = new Float64Array(65537);
  leaveBuffer(large);
  expect(takeBuffer()).not.toBe(large);
});

test("memory for rows is that of the rows that are there and have the lengths", () => {
  const [one, two] = [Float64Array.of(1), Float64Array.of(2, 3)];
  const store = [one, two];
  expect(rowAgain(store, 1, 2)).toBe(two);
  expect(rowAgain(store, 0, 2)).toEqual(new Float64Array(2));
  expect(rowAgain(store, 2, 0)).toEqual(new Float64Array(0));
  const rows = [new Float64Array(1), new Float64Array(2)];
  const zeros = zeroRowsAgain(store, rows);
  expect(zeros).toEqual(rows);
  expect([zeros === store, zeros[0] === one, zeros[1] === two]).toEqual([true, true, true]);
  expect(zeroRowsAgain(store, rows.slice(0, 1))).toEqual([new Float64Array(1)]);
  const longer = [{ length: 1 }, { length: 20 }, { length: 9 }];
  expect(zeroRowsAgain(store, longer)).toEqual(longer.map(({ length }) => new Float64Array(length)));
});
