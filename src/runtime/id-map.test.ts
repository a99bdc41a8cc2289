import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { insertWith, lookupID, popHighest, unionWith } from "./id-map.js";
import type { IdMap } from "./id-map.js";

const add = (a: number, b: number): number => a + b;

function mapOf(entries: readonly (readonly [number, number])[]): IdMap<number> {
  return entries.reduce<IdMap<number>>((map, [id, value]) => insertWith(map, id, value, add), null);
}

function modelOf(entries: readonly (readonly [number, number])[]): ReadonlyMap<number, number> {
  const model = new Map<number, number>();
  for (const [id, value] of entries) model.set(id, (model.get(id) ?? 0) + value);
  return model;
}

/** All entries, by popping the highest until none is left. */
function drain(start: IdMap<number>): readonly (readonly [number, number])[] {
  const entries: (readonly [number, number])[] = [];
  let map = start;
  while (map !== null) {
    const { highest, rest } = popHighest(map);
    entries.push([highest.id, highest.value]);
    map = rest;
  }
  return entries;
}

function depthOf(map: IdMap<number>): number {
  return map === null ? 0 : 1 + Math.max(depthOf(map.left), depthOf(map.right));
}

const descending = (model: ReadonlyMap<number, number>): readonly (readonly [number, number])[] =>
  [...model].sort(([a], [b]) => b - a);

const entriesArbitrary = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: -9, max: 9 })));

describe("maps from IDs", () => {
  test("insertWith and popHighest agree with a Map", () => {
    fc.assert(
      fc.property(entriesArbitrary, (entries) => {
        expect(drain(mapOf(entries))).toEqual(descending(modelOf(entries)));
      }),
    );
  });

  test("unionWith adds up what both have", () => {
    fc.assert(
      fc.property(entriesArbitrary, entriesArbitrary, (a, b) => {
        expect(drain(unionWith(mapOf(a), mapOf(b), add))).toEqual(descending(modelOf([...a, ...b])));
      }),
    );
  });

  test("combine gets the first map's value first", () => {
    const first = (a: number): number => a;
    const [a, b] = [mapOf([1, 2, 3, 4, 5].map((id) => [id, 1])), mapOf([3, 4, 5, 6, 7].map((id) => [id, 2]))];
    expect(drain(unionWith(a, b, first)).map(([, value]) => value)).toEqual([2, 2, 1, 1, 1, 1, 1]);
  });

  test("an older map stays as it was", () => {
    const old = mapOf([
      [1, 10],
      [2, 20],
    ]);
    insertWith(old, 2, 5, add);
    expect(drain(old)).toEqual([
      [2, 20],
      [1, 10],
    ]);
    expect(lookupID(old, 2)).toBe(20);
    expect(lookupID(old, 3)).toBeUndefined();
  });

  test.each([1e3, 1e4, 1e5])("%d IDs in a row make a tree of logarithmic depth", (n) => {
    const map = mapOf(Array.from({ length: n }, (_, id) => [id, id]));
    expect(depthOf(map)).toBeLessThan(4 * Math.log2(n));
  });
});
