import { describe, expect, test } from "vitest";
import * as b from "./build.js";
import { assertTarget } from "./check.js";
import { DataTypes } from "./data.js";
import type { Term } from "./term.js";
import type { Type } from "./type.js";

const stage = { name: "test", operations: new Map() };

function check(body: Term, result: Type): () => void {
  const definition = b.fn("f", [b.param("x", b.real), b.param("d", b.linear(b.real, b.opaque("c")))], result, body);
  return () => {
    assertTarget({ data: [], definitions: [definition], wrappers: [] }, stage, new DataTypes([]));
  };
}

const x = b.variable("x");
const z = b.variable("z");
const back = (body: Term): Term => b.linLam("z", b.real, body);
const c = b.opaque("c");

describe("typing", () => {
  test("an operation's arguments have its types", () => {
    expect(check(b.op("add", [x, x], null), b.real)).not.toThrow();
    expect(check(b.op("add", [x, b.tuple()], null), b.real)).toThrow(/argument 2 has the type \(\) and should have R/);
  });

  test("a definition has its result type", () => {
    expect(check(x, b.int)).toThrow(/the body of f has the type R and should have Z/);
  });

  test("variables are in scope", () => {
    expect(check(b.variable("y"), b.real)).toThrow(/y is not in scope/);
  });

  test("an array of what a body gives, a computation of one where the body is a computation", () => {
    const n = b.length(b.variable("xs"));
    const loop = (body: Term): Term =>
      b.letIn("xs", b.arrayType(b.real), { kind: "array", element: b.real, items: [x] }, b.build(n, "i", b.real, body));
    const element = b.indexOf(b.variable("xs"), b.variable("i"));
    expect(check(loop(element), b.arrayType(b.real))).not.toThrow();
    expect(check(loop(b.ret(element)), b.computation(b.arrayType(b.real)))).not.toThrow();
    expect(check(loop(b.variable("i")), b.arrayType(b.real))).toThrow(/the body has the type Z and should have R/);
    expect(check(b.indexOf(x, b.variable("i")), b.real)).toThrow(/i is not in scope/);
    expect(check(b.length(x), b.int)).toThrow(/R has no length/);
  });

  test("a sum is in the monoid that it names", () => {
    const two: Term = { kind: "int", value: 2 };
    expect(check(b.sumOver(c, two, "i", b.app(b.variable("d"), x)), c)).not.toThrow();
    expect(check(b.sumOver(c, x, "i", b.app(b.variable("d"), x)), c)).toThrow(/the size has the type R/);
    expect(check(b.sumOver(c, two, "i", x), c)).toThrow(/the body has the type R and should have c/);
    const nothing = b.ret(b.tuple());
    expect(check(b.sumOver(b.computation(b.unitType), two, "i", nothing), b.computation(b.unitType))).not.toThrow();
  });

  test("the body of a bind is a computation", () => {
    expect(check(b.bind("y", b.real, b.ret(x), x), b.real)).toThrow(/not a computation/);
    expect(check(b.bind("y", b.real, b.ret(x), b.ret(b.variable("y"))), b.computation(b.real))).not.toThrow();
  });
});

describe("linear lambdas", () => {
  test("what Fig. 5 allows", () => {
    const partial: Term = { kind: "partial", op: "mul", index: 0, args: [x, x], result: x, cotangent: z };
    const twice = b.plus(c, b.app(b.variable("d"), z), b.app(b.variable("d"), partial));
    expect(check(back(twice), b.linear(b.real, c))).not.toThrow();
    expect(check(back(b.zero(c)), b.linear(b.real, c))).not.toThrow();
  });

  test("sums over what an array of cotangents holds", () => {
    const each = b.app(b.variable("d"), b.indexOf(z, b.variable("i")));
    const total = (body: Term): Term =>
      b.linLam("z", b.arrayType(b.real), b.sumOver(c, { kind: "int", value: 2 }, "i", body));
    expect(check(total(each), b.linear(b.arrayType(b.real), c))).not.toThrow();
    expect(check(total(b.app(b.variable("d"), x)), b.linear(b.arrayType(b.real), c))).toThrow(/not linear in z/);
    const size = b.linLam("z", b.arrayType(b.real), b.sumOver(c, b.length(z), "i", each));
    expect(check(size, b.linear(b.arrayType(b.real), c))).toThrow(/not linear in z/);
  });

  test.each([
    ["a constant that is not zero", back(x)],
    ["a product", back(b.op("mul", [z, z], null))],
    ["a partial derivative that depends on the cotangent", back({ kind: "partial", op: "mul", index: 0, args: [z, x], result: x, cotangent: z })], // prettier-ignore
    [
      "a condition on the cotangent",
      back({ kind: "if", cond: b.op("gt", [z, x], null), then: z, else: b.zero(b.real) }),
    ],
  ])("not %s", (_, term) => {
    expect(check(term, b.linear(b.real, b.real))).toThrow(/not linear in z/);
  });
});
