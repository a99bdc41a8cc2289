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

test("results of cases", () => {
  expect(
    after(`function f(x: Expr): number {
      let result: number;
      switch (x.tag) {
        case "Const": {
          result = x._0;
          break;
        }
        case "Add": {
          const t = f(x._0);
          if (t > 0) {
            result = t;
          } else {
            result = t + f(x._1);
          }
          break;
        }
        default: {
          result = 0;
          break;
        }
      }
      return result;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Expr): number {
      switch (x.tag) {
        case "Const": {
          return x._0;
        }
        case "Add": {
          const t = f(x._0);
          if (t > 0) {
            return t;
          } else {
            return t + f(x._1);
          }
        }
        default: {
          return 0;
        }
      }
    }
    "
  `);
});

test("not where a case does something else in the end", () => {
  const text = `function f(x: Expr): number {
      let result: number;
      switch (x.tag) {
        case "Const": {
          result = x._0;
          break;
        }
        case "Add": {
          result = f(x._0);
          g(x);
          break;
        }
      }
      return result;
    }`;
  expect(after(text)).toBe(afterPass(text, (fn) => fn));
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

test("several results", () => {
  expect(
    after(`function f(x: T, n: number): readonly [number, T] {
      let y: number;
      let rest: T;
      if (n > 1) {
        y = n;
        rest = x;
      } else {
        const t = g(n);
        y = t;
        rest = x._0;
      }
      return [y, rest];
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: T, n: number): readonly [number, T] {
      if (n > 1) {
        return [n, x];
      } else {
        const t = g(n);
        return [t, x._0];
      }
    }
    "
  `);
});

test("a loop that is left out of a switch", () => {
  expect(
    after(`function f(xs: T): readonly [number, T] {
      let acc = 0;
      let rest = xs;
      let y: number;
      let left: T;
      loop: for (;;) {
        switch (rest.tag) {
          case "A": {
            if (acc > 3) { y = 1; left = xs; break loop; }
            break;
          }
          case "B": { for (;;) { if (g(acc)) { break; } } break; }
          default: { y = acc; left = rest; break loop; }
        }
        acc += 1;
        rest = rest._0;
      }
      return [y, left];
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: T): readonly [number, T] {
      let acc = 0;
      let rest = xs;
      for (;;) {
        switch (rest.tag) {
          case "A": {
            if (acc > 3) {
              return [1, xs];
            }
            break;
          }
          case "B": {
            for (;;) {
              if (g(acc)) {
                break;
              }
            }
            break;
          }
          default: {
            return [acc, rest];
          }
        }
        acc += 1;
        rest = rest._0;
      }
    }
    "
  `);
});

test("not where something else is assigned in between, or in another order", () => {
  const text = `function f(x: T, n: number): readonly [number, T] {
  let y: number;
  let rest: T;
  if (n > 1) {
    y = n;
    rest = x;
  } else {
    rest = g(x);
    y = h(x);
  }
  return [y, rest];
}
`;
  expect(after(text)).toBe(text);
});
