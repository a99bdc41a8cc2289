import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { withJoinedCases, withoutEmptyCases } from "./cases.js";

const after = (text: string): string => afterPass(text, (fn) => withoutEmptyCases(withJoinedCases(fn)));

test("what is done with the most constructors is the default", () => {
  expect(
    after(`function f(x: T, a: number): number {
      let y: number;
      switch (x.tag) {
        case "A": { const u = g(x._0); y = u; break; }
        case "B": { const u = g(a); y = u; break; }
        case "C": { y = a; break; }
        case "D": { const v = g(a); y = v; break; }
      }
      return y;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: T, a: number): number {
      let y: number;
      switch (x.tag) {
        case "A": {
          const u = g(x._0);
          y = u;
          break;
        }
        case "C": {
          y = a;
          break;
        }
        default: {
          const u = g(a);
          y = u;
          break;
        }
      }
      return y;
    }
    "
  `);
});

test("one constructor and all others are two branches", () => {
  expect(
    after(`function f(x: T, a: number): number {
      loop: for (;;) {
        switch (x.tag) {
          case "A": { break loop; }
          case "B": { g(a); break; }
          case "C": { break loop; }
        }
      }
      switch (x.tag) {
        case "A": { return a; }
        case "B": { g(a); return a; }
        case "C": { return a; }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: T, a: number): number {
      loop: for (;;) {
        if (x.tag === "B") {
          g(a);
        } else {
          break loop;
        }
      }
      if (x.tag === "B") {
        g(a);
        return a;
      } else {
        return a;
      }
    }
    "
  `);
});

test("nothing is done by default", () => {
  expect(
    after(`function f(x: T): void {
      switch (x.tag) {
        case "A": { g(x._0); break; }
        case "B": { break; }
        case "C": { h(x._0); break; }
        case "D": { break; }
      }
      switch (x.tag) {
        case "A": { break; }
        case "B": { break; }
        case "C": { h(x._0); break; }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: T): void {
      switch (x.tag) {
        case "A": {
          g(x._0);
          break;
        }
        case "C": {
          h(x._0);
          break;
        }
      }
      if (x.tag === "C") {
        h(x._0);
      }
    }
    "
  `);
});

test("the same with all constructors", () => {
  expect(
    after(`function f(x: T): void {
      switch (x.tag) {
        case "A": { g(); break; }
        case "B": { g(); break; }
        case "C": { g(); break; }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: T): void {
      g();
    }
    "
  `);
});

test("not where fields are read, which belong to one constructor each", () => {
  expect(
    after(`function f(xs: T[], i: number): number {
      switch (xs[i]!.tag) {
        case "A": { return xs[i]!._0; }
        case "B": { return xs[i]!._0; }
        case "C": { return 0; }
        case "D": { return 1; }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: readonly T[], i: number): number {
      switch (xs[i]!.tag) {
        case "A": {
          return xs[i]!._0;
        }
        case "B": {
          return xs[i]!._0;
        }
        case "C": {
          return 0;
        }
        case "D": {
          return 1;
        }
      }
    }
    "
  `);
});

test("a switch with a way out within a case stays one", () => {
  expect(
    after(`function f(x: T): void {
      switch (x.tag) {
        case "A": { if (c) { break; } g(); break; }
        case "B": { g(); break; }
        case "C": { g(); break; }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: T): void {
      switch (x.tag) {
        case "A": {
          if (c) {
            break;
          }
          g();
          break;
        }
        default: {
          g();
          break;
        }
      }
    }
    "
  `);
});

test("a default stays one for the constructors that it is for", () => {
  expect(
    after(`function f(x: T): void {
      switch (x.tag) {
        case "A": { g(); break; }
        case "B": { g(); break; }
        case "C": { h(); break; }
        default: { h(); break; }
      }
      switch (x.tag) {
        case "A": { g(); break; }
        case "B": { g(); break; }
        case "C": { break; }
        default: { break; }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: T): void {
      switch (x.tag) {
        case "A": {
          g();
          break;
        }
        case "B": {
          g();
          break;
        }
        default: {
          h();
          break;
        }
      }
      switch (x.tag) {
        case "A": {
          g();
          break;
        }
        case "B": {
          g();
          break;
        }
      }
    }
    "
  `);
});
