import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withNarrowScopes } from "./scopes.js";

const after = (text: string): string => afterPass(text, (fn) => withNarrowScopes(fn, surroundings));
const isKept = (text: string): boolean => after(text) === afterPass(text, (fn) => fn);

test("a variable that one branch alone reads is declared there", () => {
  expect(
    after(`function f(x: number): number {
      let sum = 0;
      let t: number;
      let u: number;
      if (x > 0) {
        t = x * x;
        sum += t;
        u = 0;
      } else {
        t = 0;
        u = x * 3;
        sum -= u;
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      let sum = 0;
      if (x > 0) {
        let t: number = x * x;
        sum += t;
      } else {
        let u: number = x * 3;
        sum -= u;
      }
      return sum;
    }
    "
  `);
});

test("not where others read it, or computing what is set may do something", () => {
  const around = (body: string): string =>
    `function f(x: number): number { let sum = 0; let t: number; ${body} return sum; }`;
  for (const body of [
    "if (x > 0) { t = x * x; sum += t; } else { t = 0; } sum += t;",
    "if (x > 0) { t = x * x; sum += t; } else { t = 1; sum -= t; }",
    "if (x > 0) { t = x * x; sum += t; } else { t = g(x); }",
    "if (x > 0) { if (x > 1) { t = x; } else { t = 1; } sum += t; } else { t = 0; }",
  ])
    expect(isKept(around(body)), body).toBe(true);
});
