import { describe, expect, test } from "vitest";
import { fill, none, oneHot, plus, shapeOf, sumOf } from "./sparse.js";

describe("cotangents with formal zeros", () => {
  test("the formal zero is a unit", () => {
    expect(plus(none, [1, none])).toEqual([1, none]);
    expect(plus([1, none], none)).toEqual([1, none]);
  });

  test("tuples and data are added part by part", () => {
    expect(plus([1, none, [2, none]], [10, 3, [none, 4]])).toEqual([11, 3, [2, 4]]);
    expect(
      plus({ tag: "Cons", _0: 1, _1: none }, { tag: "Cons", _0: none, _1: { tag: "Cons", _0: 2, _1: none } }),
    ).toEqual({
      tag: "Cons",
      _0: 1,
      _1: { tag: "Cons", _0: 2, _1: none },
    });
  });

  test("arrays are one-hot, and add up by index", () => {
    const cotangent = sumOf(5, (i) => oneHot(i % 3, i));
    expect(fill([0, 0, 0, 0], cotangent)).toEqual([3, 5, 2, 0]);
    expect(fill(new Float64Array(4), cotangent)).toEqual(Float64Array.of(3, 5, 2, 0));
    expect(fill([[0, 0], [0]], oneHot(1, oneHot(0, 7)))).toEqual([[0, 0], [7]]);
    expect(fill({ tag: "Box", _0: [[0, 0]] }, { tag: "Box", _0: oneHot(0, [none, 2]) })).toEqual({
      tag: "Box",
      _0: [[0, 2]],
    });
    expect(sumOf(0, () => 1)).toBe(none);
  });

  test("a record with fields like those of a map is a record", () => {
    const record = { id: 1, value: 2, left: none, elements: none };
    expect(plus(record, record)).toEqual({ id: 2, value: 4, left: none, elements: none });
  });

  test("the shape keeps what is no number", () => {
    const input = { tag: "Cons", _0: [3, true, null], _1: { tag: "Nil" } };
    expect(shapeOf(input)).toEqual({ tag: "Cons", _0: [0, true, null], _1: { tag: "Nil" } });
    expect(shapeOf([Float64Array.of(1, 2), new Float64Array()])).toEqual([Float64Array.of(0, 0), new Float64Array()]);
  });

  test("formal zeros are filled in from the shape", () => {
    const shape = { tag: "Cons", _0: [0, 0], _1: { tag: "Nil" } };
    expect(fill(shape, { tag: "Cons", _0: [5, none], _1: none })).toEqual({
      tag: "Cons",
      _0: [5, 0],
      _1: { tag: "Nil" },
    });
    expect(fill(0, none)).toBe(0);
  });
});
