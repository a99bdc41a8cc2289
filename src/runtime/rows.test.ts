import { expect, test } from "vitest";
import { fetchRows } from "./rows.js";

interface Cell {
  readonly _0: unknown;
  _1: unknown;
}

function listOf(items: readonly unknown[], end: unknown = { tag: "Nil" }): unknown {
  return items.reduceRight((rest: unknown, item) => ({ tag: "Cons", _0: item, _1: rest }), end);
}

/** A list that says how many of its cells are looked at. */
function counted(length: number): { readonly list: unknown; readonly seen: () => number } {
  let seen = 0;
  let list: unknown = { tag: "Nil" };
  for (let i = 0; i < length; i++) {
    const rest = list;
    list = {
      tag: "Cons",
      _0: i,
      get _1() {
        seen += 1;
        return rest;
      },
    };
  }
  return { list, seen: () => seen };
}

test("eight rows are gone through at a time, as far as all of them reach", () => {
  const rows = [5, 5, 5, 5, 5, 5, 5, 3, 9].map(counted);
  const all = listOf(rows.map(({ list }) => list));
  fetchRows(all, 8);
  expect(rows.map(({ seen }) => seen())).toEqual([4, 4, 4, 4, 4, 4, 4, 3, 0]);
  for (const row of [1, 7, 9]) fetchRows(all, row);
  expect(rows[0]?.seen()).toBe(4);
});

test("of long rows only what stays near", () => {
  const rows = Array.from({ length: 8 }, () => counted(2000));
  fetchRows(listOf(rows.map(({ list }) => list)), 0);
  expect(rows.map(({ seen }) => seen())).toEqual(new Array(8).fill(512));
});

test("what is no list of lists is left for those who read it", () => {
  const iteration: Cell = { _0: 1, _1: null };
  iteration._1 = iteration;
  const strange = [null, undefined, 5, "x", true, [], {}, iteration, listOf([1], null), listOf([1], 7)];
  for (const end of [null, undefined, 0, "y", listOf([listOf([1])], null)])
    for (let i = 0; i <= strange.length; i++) fetchRows(listOf([...strange.slice(i), ...strange.slice(0, i)], end), 0);
  const all: Cell = { _0: iteration, _1: null };
  all._1 = all;
  fetchRows(all, 0);
});
