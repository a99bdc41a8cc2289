import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { withEarlyReturns } from "./returns.js";

const after = (text: string): string => afterPass(text, withEarlyReturns);

test("results of branches", () => {
  expect(
    after(`function f(n: number): number {
      let result: number;
      if (n > 0) {
        result = g(n);
      } else {
        if (n === 0) {
          result = 1;
        } else {
          const t = g(-n);
          result = t * t;
        }
      }
      return result;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      if (n > 0) {
        return g(n);
      } else if (n === 0) {
        return 1;
      } else {
        const t = g(-n);
        return t * t;
      }
    }
    "
  `);
});

test("results of loops", () => {
  expect(
    after(`function f(n: number): number {
      let i = n;
      let result: number;
      for (;;) {
        if (g(i)) {
          result = i;
          break;
        }
        if (h(i)) {
          result = -i;
          break;
        }
        for (;;) {
          if (g(0)) {
            break;
          }
        }
        i = i - 1;
      }
      return result;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let i = n;
      for (;;) {
        if (g(i)) {
          return i;
        }
        if (h(i)) {
          return -i;
        }
        for (;;) {
          if (g(0)) {
            break;
          }
        }
        i = i - 1;
      }
    }
    "
  `);
});

test("not where the result is needed otherwise, or not assigned last", () => {
  expect(
    after(`function f(n: number): number {
      let result: number;
      if (n > 0) {
        result = 1;
        tape.pushNumber(n);
      } else {
        result = 2;
      }
      return result;
    }
    function g(n: number): number {
      let result: number;
      for (;;) {
        result = n;
        tape.pushNumber(n);
        break;
      }
      return result;
    }
    function h(n: number): number {
      let result: number;
      if (n > 0) {
        result = 1;
      } else {
        result = 2;
        tape.pushNumber(result);
        result = 3;
      }
      return result;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let result: number;
      if (n > 0) {
        result = 1;
        tape.pushNumber(n);
      } else {
        result = 2;
      }
      return result;
    }

    function g(n: number): number {
      let result: number;
      for (;;) {
        result = n;
        tape.pushNumber(n);
        break;
      }
      return result;
    }

    function h(n: number): number {
      let result: number;
      if (n > 0) {
        result = 1;
      } else {
        result = 2;
        tape.pushNumber(result);
        result = 3;
      }
      return result;
    }
    "
  `);
});
