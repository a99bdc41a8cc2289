import { expect, test } from "vitest";
import { functionsIn } from "../../test/support/typescript-tree.js";
import { printed } from "../../test/support/tidied.js";
import type { TsDeclaration } from "../typescript/tree.js";
import { withoutTwins } from "./same-functions.js";
import { withoutUnusedValues } from "./used-types.js";

/** What becomes of functions, the first of which is exported. */
function after(text: string): string {
  const declarations = functionsIn(text).map((fn, index): TsDeclaration => ({ kind: "function", doc: "", exported: index === 0, fn })); // prettier-ignore
  const left = withoutUnusedValues(withoutTwins(declarations, "stackLimit"));
  return printed(left.flatMap((declaration) => ("fn" in declaration ? [declaration.fn] : [])));
}

test("functions that call themselves, or each other, with more room for the stack", () => {
  expect(
    after(`
      function f(t: T): number {
        return evenForward(t, 27) + even(t, 27);
      }
      function evenForward(t: T, depth: number): number {
        if (depth > stackLimit) { return runDeep(evenDeep(t)); }
        return t.tag === "Leaf" ? 1 : 2 * oddForward(t._0, depth + 47);
      }
      function oddForward(t: T, depth: number): number {
        if (depth > stackLimit) { return runDeep(oddDeep(t)); }
        return t.tag === "Leaf" ? 0 : evenForward(t._0, depth + 41);
      }
      function even(t: T, depth: number): number {
        if (depth > stackLimit) { return runDeep(evenDeep(t)); }
        return t.tag === "Leaf" ? 1 : 2 * odd(t._0, depth + 43);
      }
      function odd(t: T, depth: number): number {
        if (depth > stackLimit) { return runDeep(oddDeep(t)); }
        return t.tag === "Leaf" ? 0 : even(t._0, depth + 45);
      }`),
  ).toMatchInlineSnapshot(`
    "function f(t: T): number {
      return even(t, 27) + even(t, 27);
    }

    function even(t: T, depth: number): number {
      if (depth > stackLimit) {
        return runDeep(evenDeep(t));
      }
      return t.tag === "Leaf" ? 1 : 2 * odd(t._0, depth + 47);
    }

    function odd(t: T, depth: number): number {
      if (depth > stackLimit) {
        return runDeep(oddDeep(t));
      }
      return t.tag === "Leaf" ? 0 : even(t._0, depth + 45);
    }
    "
  `);
});

test("not functions of different definitions, those that call different ones, nor with other numbers", () => {
  const text = `function f(x: number): number {
  return a(x, 1) + a2(x, 1) + c(x) + c2(x) + e(x) + a3(x, 1);
}

function a(x: number, n: number): number {
  return n > x ? x : a(x, n + 1);
}

function a2(x: number, n: number): number {
  return n > x ? x : a2(x, n + 2);
}

function c(x: number): number {
  return a(x, 3);
}

function c2(x: number): number {
  return a2(x, 3);
}

function e(x: number): number {
  return a(x, 3);
}

function a3(x: number, n: number): number {
  return n > x ? x : a(x, n + 1) + 0;
}
`;
  expect(after(text)).toBe(text);
});

test("a variable that is called like a function that goes, or like the one that stays, is not that function", () => {
  const left = after(`
      function f(x: T): number {
        const g = h2(x);
        const h2s = [h1(x), h2(x)];
        const k = (h1: T): number => h1.back(h2s) + h2(g);
        return k(x);
      }
      function h1(x: T): number {
        return x.a;
      }
      function h2(x: T): number {
        return x.a;
      }`);
  expect(left).toMatchInlineSnapshot(`
    "function f(x: T): number {
      const g = h1(x);
      const h2s = [h1(x), h1(x)];
      const k = (h2: T) => h2.back(h2s) + h1(g);
      return k(x);
    }

    function h1(x: T): number {
      return x.a;
    }

    function h2(x: T): number {
      return x.a;
    }
    "
  `);
});
