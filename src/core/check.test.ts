import { describe, expect, test } from "vitest";
import { InternalError } from "../internal-error.js";
import * as b from "./build.js";
import { assertProgram } from "./check.js";
import type { Program, Term } from "./term.js";
import type { Type } from "./type.js";

const list: Program["data"][number] = {
  name: "List",
  params: ["a"],
  constructors: [
    { name: "Nil", fields: [], fieldNames: null },
    { name: "Cons", fields: [b.typeVar("a"), b.dataType("List", b.typeVar("a"))], fieldNames: null },
  ],
  doc: "",
};

/** A program with the function `f(x : R, ys : List R) : result = body`. */
function program(result: Type, body: Term): Program {
  const params = [b.param("x", b.real), b.param("ys", b.dataType("List", b.real))];
  return {
    data: [list],
    definitions: [b.fn("f", params, result, body)],
    entries: [],
    given: new Map(),
    derivatives: new Map(),
    externs: new Map(),
    pullbacks: new Map(),
    checkpoints: new Map(),
    partials: new Map(),
    links: new Map(),
    texts: new Map(),
  };
}

const x = b.variable("x");
const ys = b.variable("ys");

/** The rule that a program breaks. */
function broken(result: Type, body: Term): string {
  try {
    assertProgram(program(result, body));
  } catch (error) {
    if (error instanceof InternalError) return error.message.split("\n")[0] ?? "";
    throw error;
  }
  return "none";
}

test("a well-typed program passes", () => {
  const branches = [
    { con: "Nil", vars: [], body: b.realLit(1) },
    {
      con: "Cons",
      vars: ["y", "rest"],
      body: b.op("mul", [b.variable("y"), b.call("f", [x, b.variable("rest")])], null),
    },
  ];
  expect(broken(b.real, b.caseOf(ys, "List", branches))).toBe("none");
});

describe("what breaks a rule is found", () => {
  test.each<[string, Type, Term, string]>([
    ["a name that is not in scope", b.real, b.variable("z"), "[var] z is not in scope"],
    ["a result of another type", b.int, x, "[function] the body of f has the type R and should have Z"],
    [
      "an argument of another type",
      b.real,
      b.op("add", [x, b.intLit(1)], null),
      "[op] argument 2 has the type Z and should have R",
    ],
    [
      "an element of another type",
      b.arrayType(b.real),
      b.array(b.real, [x, b.intLit(1)]),
      "[array] an element has the type Z and should have R",
    ],
    [
      "an array of another type",
      b.arrayType(b.int),
      b.array(b.real, [x]),
      "[function] the body of f has the type [R] and should have [Z]",
    ],
    [
      "a size that is no integer",
      b.arrayType(b.real),
      b.build(x, "i", b.real, x, null),
      "[build] the size has the type R and should have Z",
    ],
    [
      "a body of another type",
      b.arrayType(b.real),
      b.build(b.intLit(1), "i", b.real, b.variable("i"), null),
      "[build] the body has the type Z and should have R",
    ],
    [
      "an index that has left its scope",
      b.int,
      b.indexOf(b.build(b.intLit(1), "i", b.int, b.variable("i"), null), b.variable("i"), null),
      "[var] i is not in scope",
    ],
    ["an index into a number", b.real, b.indexOf(x, b.intLit(0), null), "[index] an index into R"],
    [
      "an index that is no integer",
      b.real,
      b.indexOf(b.array(b.real, [x]), x, null),
      "[index] the index has the type R and should have Z",
    ],
    ["the length of data", b.int, b.length(ys), "[length] the length of List R"],
    ["a missing argument", b.real, b.call("f", [x]), "[call] 1 arguments instead of 2"],
    ["a definition that does not exist", b.real, b.call("g", []), "[call] the function g is not in scope"],
    [
      "a place for one that cannot fail",
      b.real,
      b.op("neg", [x], { definition: "f", position: "", via: "" }),
      "[op] neg has no site",
    ],
    [
      "a missing branch",
      b.real,
      b.caseOf(ys, "List", [{ con: "Nil", vars: [], body: x }]),
      "[case] not one branch for each constructor",
    ],
    ["a component too many", b.real, b.proj(2, b.tuple(x, x)), "[proj] component 2 of a value of type (R, R)"],
    ["a number as a function", b.real, b.app(x, x), "[app] applies a value of type R"],
    [
      "branches of two types",
      b.real,
      b.ifThenElse(b.boolLit(true), x, b.boolLit(true)),
      "[if] the second branch has the type Bool and should have R",
    ],
    ["a type variable", b.real, b.letIn("z", b.typeVar("a"), x, x), "[type] the type variable a is left"],
    [
      "a field of another type",
      b.dataType("List", b.int),
      b.con("Cons", b.dataType("List", b.int), [x, ys]),
      "[con] argument 1 has the type R and should have Z",
    ],
    ["a variable bound twice", b.real, b.letIn("x", b.real, x, x), "[binder] x is bound twice"],
    [
      "a local function called like a definition",
      b.real,
      b.letRec([b.fn("f", [], b.real, x)], x),
      "[binder] f is defined twice",
    ],
  ])("%s", (_, result, body, message) => {
    expect(broken(result, body)).toBe(`core check: ${message}`);
  });

  test("a variable outside its scope", () => {
    const body = b.tuple(b.letIn("y", b.real, x, b.variable("y")), b.variable("y"));
    expect(broken(b.tupleType(b.real, b.real), body)).toBe("core check: [var] y is not in scope");
  });

  test("an entry without a definition", () => {
    const entry = { name: "g", doc: "", params: [], result: b.real, resultAlias: "" };
    expect(() => {
      assertProgram({ ...program(b.real, x), entries: [entry] });
    }).toThrow("the entry g has no definition");
  });
});
