import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { typeErrors } from "../../../test/support/typecheck.js";
import { withoutKnownCasts } from "./casts.js";

const list = `type Cons = { readonly tag: "Cons"; _0: number; readonly _1: List };
type List = { readonly tag: "Nil" } | Cons;
`;

/** What becomes of a function, which TypeScript has nothing against. */
function after(text: string): string {
  const made = afterPass(text, (fn) => withoutKnownCasts(fn, surroundings));
  expect(typeErrors(list + made)).toEqual([]);
  return made;
}

test("behind tests", () => {
  expect(
    after(`function f(xs: List, ys: List): number {
      let y = ys.tag === "Cons" && (ys as Cons)._0 > 0 ? (ys as Cons)._0 : 1;
      if (ys.tag !== "Cons") {
        y = 2;
      } else {
        (ys as Cons)._0 += 3;
      }
      switch (ys.tag) {
        case "Cons": {
          y += (ys as Cons)._0;
          break;
        }
      }
      if (xs.tag === "Nil") {
        return y;
      }
      const rest = (xs as Cons)._1;
      return rest.tag === "Nil" ? y : (rest as Cons)._0;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: List, ys: List): number {
      let y = ys.tag === "Cons" && ys._0 > 0 ? ys._0 : 1;
      if (ys.tag !== "Cons") {
        y = 2;
      } else {
        ys._0 += 3;
      }
      switch (ys.tag) {
        case "Cons": {
          y += ys._0;
          break;
        }
      }
      if (xs.tag === "Nil") {
        return y;
      }
      const rest = xs._1;
      return rest.tag === "Nil" ? y : rest._0;
    }
    "
  `);
});

test("where an object has been made, also within functions", () => {
  expect(
    after(`function f(n: number, rest: List): () => number {
      const xs: List = { tag: "Cons", _0: n, _1: rest };
      (xs as Cons)._0 += 1;
      return () => (xs as Cons)._0;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number, rest: List): () => number {
      const xs: List = { tag: "Cons", _0: n, _1: rest };
      xs._0 += 1;
      return () => xs._0;
    }
    "
  `);
});

test("not of what a loop assigns to, nor of what its type depends on", () => {
  const text = `function f(xs: List, n: number): number {
  let ys: List = xs;
  for (let i = 0; i < n; i++) {
    const zs = ys;
    if (zs.tag === "Cons") {
      ys = (zs as Cons)._1;
    }
  }
  if (ys.tag === "Nil") {
    return 0;
  }
  return (ys as Cons)._0;
}
`;
  expect(after(text)).toBe(text);
});
