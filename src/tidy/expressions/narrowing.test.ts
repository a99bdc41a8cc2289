import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { typeErrors } from "../../../test/support/typecheck.js";
import { withDeclaredTypes } from "./narrowing.js";

const list = `type List = { readonly tag: "Nil" } | { readonly tag: "Cons"; readonly _0: number; readonly _1: List };
type Cons = Extract<List, { readonly tag: "Cons" }>;
function outside(index: number): never { throw new Error(String(index)); }
`;

/** What becomes of a function, which TypeScript has nothing against then, but something before. */
function after(text: string): string {
  const made = afterPass(text, (fn) => withDeclaredTypes(fn, surroundings));
  expect(typeErrors(list + text)).not.toEqual([]);
  expect(typeErrors(list + made)).toEqual([]);
  return made;
}

test("objects whose constructors are tested", () => {
  expect(
    after(`function f(n: number): number {
      const empty: List = { tag: "Nil" };
      const one: List = { tag: "Cons", _0: n, _1: empty };
      let rest: List = one;
      let again: List = n > 0 ? empty : { tag: "Nil" };
      if (again.tag === "Cons") {
        again = { tag: "Nil" };
      }
      if (rest.tag === "Nil") {
        return 0;
      }
      return rest._0;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      const empty = { tag: "Nil" } as List;
      const one = { tag: "Cons", _0: n, _1: empty } as List;
      let rest: List = one;
      let again = (n > 0 ? empty : { tag: "Nil" }) as List;
      if (again.tag === "Cons") {
        again = { tag: "Nil" } as List;
      }
      if (rest.tag === "Nil") {
        return 0;
      }
      return rest._0;
    }
    "
  `);
});

test("objects that are only handed on", () => {
  const text = `function f(n: number): List {
  const empty: List = { tag: "Nil" };
  return { tag: "Cons", _0: n, _1: empty };
}
`;
  expect(afterPass(text, (fn) => withDeclaredTypes(fn, surroundings))).toBe(text);
});

test("objects that are taken for what another constructor makes", () => {
  expect(
    after(`function f(n: number): number {
      const empty: List = { tag: "Nil" };
      return n > 0 ? (empty as Cons)._0 : n;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      const empty = { tag: "Nil" } as List;
      return n > 0 ? (empty as Cons)._0 : n;
    }
    "
  `);
});

test("constants that are carried on", () => {
  expect(
    afterPass(
      `function f(xs: List): readonly List[] {
      const saved: Array<List> = [];
      let rest: List = xs;
      for (;;) {
        saved.push(rest);
        if (rest.tag === "Nil") {
          break;
        }
        const next = rest._1;
        saved.push(next);
        rest = next;
      }
      return saved;
    }`,
      (fn) => withDeclaredTypes(fn, surroundings),
    ),
  ).toMatchInlineSnapshot(`
    "function f(xs: List): readonly List[] {
      const saved: Array<List> = [];
      let rest: List = xs;
      for (;;) {
        saved.push(rest);
        if (rest.tag === "Nil") {
          break;
        }
        const next: List = rest._1;
        saved.push(next);
        rest = next;
      }
      return saved;
    }
    "
  `);
});

test("literals that are compared", () => {
  expect(
    after(`function f(n: number): boolean {
      const two = n > 0 ? 2 : -2;
      const one = 1;
      return two === one || 0 !== (n > 1 ? 1 : 2) || n === one;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): boolean {
      const two = n > 0 ? 2 : -2;
      const one = 1;
      return (
        (two as number) === one || 0 !== ((n > 1 ? 1 : 2) as number) || n === one
      );
    }
    "
  `);
});

test("statements behind an error", () => {
  expect(
    after(`function f(xs: List): number {
      outside(-1);
      return xs.tag === "Nil" ? 0 : xs._0;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: List): number {
      outside(-1);
    }
    "
  `);
});

test("a part of a part of what a variable was, which is its next value", () => {
  const text = `function f(xs: List): number {
  if (xs.tag === "Nil") {
    return 1;
  }
  let ys: List = xs;
  let sum = 0;
  while (ys.tag === "Cons") {
    const rest = ys._1;
    if (rest.tag === "Nil") {
      return sum;
    }
    sum += ys._0 * rest._0;
    ys = rest._1;
  }
  return sum;
}
`;
  expect(afterPass(text, (fn) => withDeclaredTypes(fn, surroundings))).toBe(text.replace("rest._1", "rest._1 as List"));
});

test("a list that a test has told to be empty, which a loop walks all the same", () => {
  const text = `function f(l: List): number {
  let sum = 0;
  if (l.tag === "Nil") {
    let xs: List = l;
    while (xs.tag !== "Nil") {
      sum += xs._0;
      xs = xs._1;
    }
  } else {
    let ys: List = l;
    while (ys.tag !== "Nil") {
      sum += ys._0;
      ys = ys._1;
    }
  }
  return sum;
}
`;
  const after = afterPass(text, (fn) => withDeclaredTypes(fn, surroundings));
  expect(after).toBe(text.replace("let xs: List = l", "let xs = l as List"));
});
