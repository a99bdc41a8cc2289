import { describe, expect, test } from "vitest";
import { coreOf } from "./support/core.js";
import { fixtureNames, readFixture } from "./support/fixture.js";
import { afterFlat } from "./support/flat-passes.js";
import { Model } from "./support/model.js";
import { optimise } from "../src/optimise/passes.js";
import { assertFlat } from "../src/flat/check.js";
import { flatten, namesFor } from "../src/flat/flatten.js";
import { NotFlat, parseFlat } from "./support/flat-parser.js";
import { optimiseFlat } from "../src/flat/passes.js";
import { printFlat } from "../src/flat/print.js";
import type { Program } from "../src/flat/program.js";

function expectReadAgain(program: Program): void {
  const text = printFlat(program);
  const read = parseFlat(text, program.data);
  assertFlat(read);
  expect(printFlat(read)).toBe(text);
}

describe("what is printed is read as the same program", () => {
  for (const group of ["paper", "authors", "constructs", "primitives", "models", "parallel", "table1", "gradients"]) {
    test(group, { timeout: 120_000 }, () => {
      for (const name of fixtureNames(group)) {
        const { source, load } = readFixture(group, name);
        const { program } = new Model(source, null, load).core;
        const core = optimise(program);
        const names = namesFor(core);
        expectReadAgain(flatten(program));
        expectReadAgain(optimiseFlat(flatten(core, names), names));
      }
    });
  }
});

test("passes begin with a text, and end with one", () => {
  const text = `function f(xs : [R], n : Z) : R =
  t = for i < n (acc = 0.0)
    check i in xs
    x = xs ! i
    y = exp(x)
    acc1 = acc + y
    yield acc1
  unused = t * 2.0
  yield t

entry f = f
`;
  expect(printFlat(afterFlat(parseFlat(text), "dead-code"))).toBe(text.replace("  unused = t * 2.0\n", ""));
});

test("data types, closures, and marks", () => {
  const { data } = coreOf("data List a = Nil | Cons a (List a)\ndef f (l : List R) : List R = l");
  expectReadAgain(
    parseFlat(
      `lambda fCode[x : R](y : R) : R =
  z = x *! y
  yield z

function g(l : List R, n : Z) : (R, [R], List R) =
  h : R -> R = closure fCode[2.5]
  m = n +? 1
  xs : [R] = []
  e : List R = Nil()
  l2 = Cons(1e+300, l)
  a = switch l {
    Nil ->
      yield -0
    Cons ->
      b = l.Cons.0
      c = h(b)
      yield c
  }
  yield a, xs, l2

entry f = g
`.replace("yield -0", "yield -0.0"),
      data,
    ),
  );
});

test.each([
  ["function f(x : R) : R =\n  z = y\n  yield x\n", "a variable, not y"],
  ["function f(x : R) : R =\n  y = x + 1\n  yield y\n", "a primitive + of R,Z"],
  ["function f(x : R) : R =\n  y = closure g[]\n  yield x\n", "the type of a closure"],
  ["function f(x : R) : R =\n  yield x x\n", "the end"],
])("what is none: %s", (text, message) => {
  expect(() => parseFlat(text)).toThrow(NotFlat);
  expect(() => parseFlat(text)).toThrow(message);
});
