import { expect, test } from "vitest";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import { extentsOf, TakenNames } from "./extents.js";

test("of two extents one lies within the other, or they are apart", () => {
  const [fn] = functionsIn(`function f(a: number): number {
    const b = a;
    for (let i = 0; i < b; i++) {
      const c = i;
      g((d: number) => d + c);
    }
    if (b > 0) {
      let e = 1;
      e += 1;
    }
    return b;
  }`);
  if (fn === undefined) throw new Error("no function");
  const extents = extentsOf(fn);
  const isWithin = (inner: string, outer: string): boolean => {
    const [a, b] = [extents.get(inner), extents.get(outer)];
    return a !== undefined && b !== undefined && b.from <= a.from && a.to <= b.to;
  };
  const names = ["a", "b", "i", "c", "d", "e"];
  expect(names.map((outer) => names.filter((inner) => isWithin(inner, outer)).join(""))).toEqual([
    "abicde",
    "abicde",
    "icd",
    "cd",
    "d",
    "e",
  ]);
});

test("a name is free where no scope with it overlaps", () => {
  const taken = new TakenNames();
  taken.add("x", { from: 10, to: 20 });
  taken.add("x", { from: 2, to: 5 });
  taken.add("x", { from: 30, to: 31 });
  const free = (from: number, to: number): boolean => taken.isFree("x", { from, to });
  expect([free(0, 1), free(6, 9), free(21, 29), free(32, 40)]).toEqual([true, true, true, true]);
  expect([free(0, 40), free(3, 4), free(12, 13), free(8, 22), free(28, 32)]).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(taken.isFree("y", { from: 0, to: 40 })).toBe(true);
});
