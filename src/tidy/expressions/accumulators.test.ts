import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withFirstContributions } from "./accumulators.js";

const after = (text: string): string => afterPass(text, (fn) => withFirstContributions(fn, surroundings));

test("the first contribution is where it begins", () => {
  expect(
    after(`function f(x: number): number {
      let a_ = 0;
      let b_ = 0;
      let c_ = x;
      a_ += x * x;
      a_ += x;
      b_ -= x;
      c_ += a_;
      return a_ + b_ + c_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      let a_ = x * x;
      a_ += x;
      let b_ = -x;
      let c_ = x + a_;
      return a_ + b_ + c_;
    }
    "
  `);
});

test("of a branch", () => {
  expect(
    after(`function f(x: number, c: boolean): number {
      let a_ = 0;
      if (c) a_ += x;
      else a_ -= 2;
      let b_ = 0;
      if (c) b_ += x;
      let d_ = 0;
      if (c) {
        g(x);
        d_ += x;
      }
      return a_ + b_ + d_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, c: boolean): number {
      let a_ = c ? x : -2;
      let b_ = c ? x : 0;
      let d_ = 0;
      if (c) {
        g(x);
        d_ = x;
      }
      return a_ + b_ + d_;
    }
    "
  `);
});

test("not where what it begins with has changed", () => {
  expect(
    after(`function f(x: number): number {
      let a = x;
      let b_ = a;
      a = 2;
      b_ += x;
      return a + b_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      let a = x;
      let b_ = a;
      a = 2;
      b_ += x;
      return a + b_;
    }
    "
  `);
});

test("not where it has been read, nor in a loop", () => {
  expect(
    after(`function f(x: number): number {
      let a_ = 0;
      g(a_);
      a_ += x;
      let b_ = 0;
      for (let i = 0; i < 3; i++) b_ += x;
      let c_ = 0;
      c_ += c_ + 1;
      return a_ + b_ + c_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      let a_ = 0;
      g(a_);
      a_ += x;
      let b_ = 0;
      for (let i = 0; i < 3; i++) {
        b_ += x;
      }
      let c_ = 0;
      c_ += c_ + 1;
      return a_ + b_ + c_;
    }
    "
  `);
});

test("of branches that do more", () => {
  expect(
    after(`function f(x: number, c: boolean): number {
      let a_ = 0;
      let b_ = 0;
      let d_ = 0;
      if (c) {
        g(x);
        a_ += x;
        a_ += x;
        b_ -= x;
      } else {
        if (x < 0) {
          g(x);
          a_ += 3;
        } else {
          g(a_);
          a_ += 4;
        }
        for (let i = 0; i < 3; i++) {
          d_ += i;
        }
        d_ += 2;
      }
      return a_ + b_ + d_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, c: boolean): number {
      let a_ = 0;
      let b_ = 0;
      let d_ = 0;
      if (c) {
        g(x);
        a_ = x;
        a_ += x;
        b_ = -x;
      } else {
        if (x < 0) {
          g(x);
          a_ = 3;
        } else {
          g(a_);
          a_ += 4;
        }
        for (let i = 0; i < 3; i++) {
          d_ += i;
        }
        d_ += 2;
      }
      return a_ + b_ + d_;
    }
    "
  `);
});

test("of the cases of a switch", () => {
  expect(
    after(`function f(x: { readonly tag: "A" | "B" | "C" }): number {
      let a_ = 0;
      switch (x.tag) {
        case "A": {
          g(x);
          a_ += 1;
          break;
        }
        case "B": {
          a_ += a_ + 1;
          break;
        }
        case "C": {
          break;
        }
      }
      return a_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: { readonly tag: "A" | "B" | "C" }): number {
      let a_ = 0;
      switch (x.tag) {
        case "A": {
          g(x);
          a_ = 1;
          break;
        }
        case "B": {
          a_ += a_ + 1;
          break;
        }
        case "C": {
          break;
        }
      }
      return a_;
    }
    "
  `);
});

test("of variables that both branches set", () => {
  expect(
    after(`function f(x: number, c: boolean): number {
      let stops: boolean;
      if (x < 1) stops = true;
      else stops = c;
      let a: number;
      if (stops) a = x;
      else a = 2 * x;
      let b: number;
      g(x);
      if (c) b = g(x);
      else b = 2;
      let d: number;
      if (c) d = 1;
      else {
        g(x);
        d = 2;
      }
      return a + b + d;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, c: boolean): number {
      let stops = x < 1 || c;
      let a = stops ? x : 2 * x;
      let b: number;
      g(x);
      if (c) {
        b = g(x);
      } else {
        b = 2;
      }
      let d: number;
      if (c) {
        d = 1;
      } else {
        g(x);
        d = 2;
      }
      return a + b + d;
    }
    "
  `);
});

test("of a variable that is set once", () => {
  expect(
    after(`function f(x: number): number {
      let i = 0;
      let at: number;
      while (i < x) {
        i += 1;
      }
      at = i;
      let other: readonly number[];
      other = g(at);
      return at + other[0]!;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      let i = 0;
      while (i < x) {
        i += 1;
      }
      let at = i;
      let other: readonly number[];
      other = g(at);
      return at + other[0]!;
    }
    "
  `);
});

test("what is still zero is not added", () => {
  expect(
    after(`function f(x: Float64Array): number {
      let s = 0;
      let t = x[0]!;
      t += s;
      s = t;
      for (let i = 0; i < 3; i++) s += x[i]!;
      return s;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array): number {
      let t = x[0]!;
      let s = t;
      for (let i = 0; i < 3; i++) {
        s += x[i]!;
      }
      return s;
    }
    "
  `);
});

test("a truth that is told by two tests", () => {
  expect(
    after(`function f(a: number, b: number): boolean {
      let t: boolean;
      if (a <= b) t = true;
      else if (b !== b) t = true;
      else t = false;
      return t;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(a: number, b: number): boolean {
      let t = a <= b || b !== b;
      return t;
    }
    "
  `);
});
