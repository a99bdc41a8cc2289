// What stands between a caller's earlier gradient and the next one.

import { describe, expect, it } from "vitest";
import { buffersIn, numbersFor, refill } from "./buffers.js";

const floats = (...numbers: number[]): Float64Array => Float64Array.from(numbers);

describe("buffersIn", () => {
  it("finds arrays in order, by part", () => {
    const [a, b, c, d] = [floats(1), floats(2), floats(3), floats(4)];
    const list = { tag: "Cons", _0: c, _1: { tag: "Cons", _0: d, _1: { tag: "Nil" } } };
    const found = buffersIn({ net: { rows: [a, b], n: 1 }, skipped: floats(9), list, k: 2 }, [
      "net",
      null,
      ["list", ["k"]],
    ]);
    expect(found.map(({ arrays }) => arrays)).toEqual([[a, b], [], [c, d]]);
    expect(found[0]?.arrays[1]).toBe(b);
  });

  it("finds an array that is there twice once", () => {
    const shared = floats(1);
    const found = buffersIn({ x: shared, y: [shared, shared] }, ["x", "y"]);
    expect(found.map(({ arrays }) => arrays)).toEqual([[shared], [undefined, undefined]]);
  });

  it("has nothing without a gradient, and ends in one that contains itself", () => {
    expect(buffersIn(undefined, ["x"])).toEqual([]);
    const loop: { self: unknown; x: Float64Array } = { self: null, x: floats(1) };
    loop.self = loop;
    expect(buffersIn({ loop }, ["loop"])[0]?.arrays).toEqual([floats(1)]);
  });

  it("goes down a million cells", () => {
    let list: object = { tag: "Nil" };
    for (let i = 0; i < 1e6; i++) list = { tag: "Cons", _0: null, _1: list };
    expect(buffersIn({ list }, ["list"])[0]?.arrays).toEqual([]);
  });
});

describe("numbersFor", () => {
  it("gives arrays that have the length, and new ones in place of others", () => {
    const [a, b] = [floats(1, 2), floats(3)];
    const [buffers] = buffersIn({ x: [a, b] }, ["x"]);
    expect(numbersFor(buffers, 2)).toBe(a);
    expect(numbersFor(buffers, 2)).toEqual(floats(0, 0));
    expect(numbersFor(buffers, 1)).toEqual(floats(0));
    expect(numbersFor(undefined, 1)).toEqual(floats(0));
  });
});

describe("refill", () => {
  it("moves a value into earlier arrays where they have the lengths", () => {
    const earlier = { x: [floats(1, 2), floats(3), floats(4)] };
    const [first, second, third] = earlier.x;
    const [buffers] = buffersIn(earlier, ["x"]);
    const value = refill([floats(5, 6), floats(7, 8), floats(9)], buffers);
    expect(value).toEqual([floats(5, 6), floats(7, 8), floats(9)]);
    expect(value.map((array) => [first, second, third].indexOf(array))).toEqual([0, -1, 2]);
    expect(second).toEqual(floats(3));
  });

  it("leaves a value without buffers as it is", () => {
    const value = floats(1);
    expect(refill(value, undefined)).toBe(value);
  });
});
