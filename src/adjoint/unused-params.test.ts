import { expect, test } from "vitest";
import { printed } from "../../test/support/tidied.js";
import { functionsIn } from "../../test/support/typescript-tree.js";
import { withoutUnusedParams } from "./unused-params.js";

/** Functions without the parameters that they do not need; those whose names begin with `out` are exported. */
function after(text: string): string {
  const declarations = functionsIn(text).map((fn) => ({ kind: "function", doc: "", exported: fn.name.startsWith("out"), fn }) as const); // prettier-ignore
  return printed(withoutUnusedParams(declarations).flatMap((each) => (each.kind === "function" ? [each.fn] : [])));
}

test("parameters that are only handed on, by functions that call each other", () => {
  expect(
    after(`
    function outer(e: Expr, e_: Store): number {
      return even(e, e_, 1);
    }
    function even(e: Expr, e_: Store, k: number): number {
      const left_ = e_.left;
      return k + odd(k, left_, e.left);
    }
    function odd(k: number, e_: Store, e: Expr): number {
      const t = even(e.left, e_.left, k);
      return t + even(e.right, e_.right, k);
    }`),
  ).toMatchInlineSnapshot(`
    "function outer(e: Expr, e_: Store): number {
      return even(1);
    }

    function even(k: number): number {
      return k + odd(k);
    }

    function odd(k: number): number {
      const t = even(k);
      return t + even(k);
    }
    "
  `);
});

test("functions in expressions take no more than they hand on", () => {
  expect(
    after(`
    function outer(k: number): Fn {
      return [(x, y) => inner(k, x, y), (x, y) => inner(k, y, x)];
    }
    function inner(k: number, x: number, y: number): number {
      return k * x;
    }`),
  ).toMatchInlineSnapshot(`
    "function outer(k: number): Fn {
      return [(x) => inner(k, x), (_x, y) => inner(k, y)];
    }

    function inner(k: number, x: number): number {
      return k * x;
    }
    "
  `);
});

test("a function that is called is needed", () => {
  const text = `
    function outer(f: Fn): number {
      return inner(f, 2);
    }
    function inner(f: Fn, x: number): number {
      return f(x);
    }`;
  expect(after(text)).toContain("function inner(f: Fn, x: number)");
});

test("not what has an effect, or is needed in the end", () => {
  const text = `
    function outer(x: number): number {
      return first(g(x), x) + third(x);
    }
    function first(x: number, y: number): number {
      return second(y);
    }
    function second(y: number): number {
      const t = y * y;
      let u = 0;
      u += t;
      return u;
    }
    function third(x: number): number {
      return g(first);
    }`;
  expect(after(text)).toMatchInlineSnapshot(`
    "function outer(x: number): number {
      return first(g(x), x) + third();
    }

    function first(x: number, y: number): number {
      return second(y);
    }

    function second(y: number): number {
      const t = y * y;
      let u = 0;
      u += t;
      return u;
    }

    function third(): number {
      return g(first);
    }
    "
  `);
});
