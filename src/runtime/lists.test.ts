import { expect, test } from "vitest";
import { listCell } from "./lists.js";

test.each([2, 1_000_000])("cells of a list of %i are what literals are", (length) => {
  const end = { tag: "Nil" } as const;
  const cell = listCell("Cons", 1.5, end, length);
  expect(cell).toStrictEqual({ tag: "Cons", _0: 1.5, _1: end });
  expect(Object.getPrototypeOf(cell)).toBe(Object.prototype);
  expect(Object.keys(cell)).toEqual(["tag", "_0", "_1"]);
  expect(cell._1).toBe(end);
});
