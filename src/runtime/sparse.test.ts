import { describe, expect, test } from "vitest";
import { fill, none, plus, shapeOf } from "./sparse.js";

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

  test("the shape keeps what is no number", () => {
    const input = { tag: "Cons", _0: [3, true, null], _1: { tag: "Nil" } };
    expect(shapeOf(input)).toEqual({ tag: "Cons", _0: [0, true, null], _1: { tag: "Nil" } });
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
