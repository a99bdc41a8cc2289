import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withCellsOfLists } from "./list-cells.js";

const known = { ...surroundings, nameOf: (reference: string) => (reference === "lists.listCell" ? "listCell" : null) };
const after = (text: string): string => afterPass(text, (fn) => withCellsOfLists(fn, known));

test("cells that become the list of the next iteration", () => {
  expect(
    after(`function f(rows: readonly Float64Array[]): unknown {
      let rest: unknown = null;
      for (let at = rows.length - 1; at >= 0; at--) {
        const row = rows[at]!;
        let items: unknown = null;
        for (let i = 0; i < row.length; i++) {
          items = { tag: "Cons", _0: row[i]!, _1: items };
        }
        const cell: unknown = { tag: "Row", _0: items, _1: rest };
        rest = cell;
      }
      return rest;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(rows: readonly Float64Array[]): unknown {
      let rest: unknown = null;
      for (let at = rows.length - 1; at >= 0; at--) {
        const row = rows[at]!;
        let items: unknown = null;
        for (let i = 0; i < row.length; i++) {
          items = listCell("Cons", row[i]!, items, row.length);
        }
        rest = listCell("Row", items, rest, rows.length);
      }
      return rest;
    }
    "
  `);
});

test("other objects stay literals", () => {
  const text = `function f(n: number): unknown {
  let rest: unknown = null;
  let other: unknown = null;
  for (let i = 0; i < n; i++) {
    const named: unknown = { tag: "Cons", head: i, tail: rest };
    rest = named;
  }
  for (let i = 0; i < n; i++) {
    const three: unknown = { tag: "Cons", _0: i, _1: rest, _2: i };
    rest = three;
  }
  for (let i = 0; i < n; i++) {
    const pair: unknown = { tag: "Cons", _0: i, _1: other };
    rest = pair;
  }
  for (let i = 1; i < n; i += 2) {
    const cell: unknown = { tag: "Cons", _0: i, _1: rest };
    rest = cell;
  }
  other = { tag: "Cons", _0: n, _1: rest };
  return [other, rest];
}
`;
  expect(after(text)).toBe(text);
});
