import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withAdjacentUses } from "./adjacent.js";

const after = (text: string): string => afterPass(text, (fn) => withAdjacentUses(fn, surroundings));

test("what a call gives is used next", () => {
  expect(
    after(`function f(x: number): number {
      let a = 1;
      const t = g(x);
      a = t;
      const t1 = g(a);
      a += t1;
      const t2 = g(a);
      return t2 as number;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      let a = 1;
      a = g(x);
      a += g(a);
      return g(a) as number;
    }
    "
  `);
});

test("not where something else is done before, or it is used again", () => {
  expect(
    after(`function f(x: number, store: Store): number {
      let a = 1;
      const t = g(store);
      store.slot_ += t;
      const t1 = g(a);
      g(a);
      a = t1;
      const t2 = g(a);
      a = t2;
      let b = 1;
      const h = () => {
        b = 2;
      };
      const t3 = h();
      b += t3;
      return a + t2 + b;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, store: Store): number {
      let a = 1;
      const t = g(store);
      store.slot_ += t;
      const t1 = g(a);
      g(a);
      a = t1;
      const t2 = g(a);
      a = t2;
      let b = 1;
      const h = () => {
        b = 2;
      };
      const t3 = h();
      b += t3;
      return a + t2 + b;
    }
    "
  `);
});

test("a variable begins with what a constant of its type is", () => {
  expect(
    after(`function f(x: number): unknown {
      const end: List = { tag: "Nil" };
      let rest: List = end;
      const other: Cell = { tag: "Nil" };
      let cell: List = other;
      const twice: List = { tag: "Nil" };
      let first: List = twice;
      rest = twice;
      return [rest, cell, first];
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): unknown {
      let rest: List = { tag: "Nil" };
      const other: Cell = { tag: "Nil" };
      let cell: List = other;
      const twice: List = { tag: "Nil" };
      let first: List = twice;
      rest = twice;
      return [rest, cell, first];
    }
    "
  `);
});

test("values with types, where the type is asked for", () => {
  expect(
    afterPass(
      `function f(n: number, other: List): List {
        let rest: List = other;
        let any = other;
        if (n > 1) {
          const first: List = { tag: "Cons", _0: n, _1: rest };
          rest = first;
          const second: List = { tag: "Nil" };
          any = second;
          const third: List = { tag: "Nil" };
          return third;
        }
        g(() => {
          const fourth: List = { tag: "Nil" };
          return fourth;
        });
        const last: Cell = { tag: "Cons", _0: n, _1: any };
        return last;
      }`,
      (fn) => withAdjacentUses(fn, surroundings),
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: number, other: List): List {
      let rest: List = other;
      let any = other;
      if (n > 1) {
        rest = { tag: "Cons", _0: n, _1: rest };
        const second: List = { tag: "Nil" };
        any = second;
        return { tag: "Nil" };
      }
      g(() => {
        const fourth: List = { tag: "Nil" };
        return fourth;
      });
      const last: Cell = { tag: "Cons", _0: n, _1: any };
      return last;
    }
    "
  `);
});

test("objects that are made before others, and assigned behind them", () => {
  expect(
    after(`function f(n: number, other: List): List {
      let rest: List = other;
      let store: Store = g(n);
      if (n > 1) {
        const cell: List = { tag: "Cons", _0: n, _1: other };
        const cell_: Store = { tag: "Cons", _0: 0, _1: store };
        rest = cell;
        store = cell_;
      } else if (n > 0) {
        const cell: List = { tag: "Cons", _0: n, _1: rest };
        rest = other;
        rest = cell;
      } else {
        const cell: List = { tag: "Cons", _0: n, _1: rest };
        store = g(n);
        rest = cell;
      }
      return h(rest, store);
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number, other: List): List {
      let rest: List = other;
      let store: Store = g(n);
      if (n > 1) {
        rest = { tag: "Cons", _0: n, _1: other };
        store = { tag: "Cons", _0: 0, _1: store };
      } else if (n > 0) {
        const cell: List = { tag: "Cons", _0: n, _1: rest };
        rest = other;
        rest = cell;
      } else {
        const cell: List = { tag: "Cons", _0: n, _1: rest };
        store = g(n);
        rest = cell;
      }
      return h(rest, store);
    }
    "
  `);
});
