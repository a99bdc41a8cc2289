import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bool, int, real, unit, type DataDecl, type Type } from "../src/core/type.js";
import { printJson } from "../src/driver/json.js";
import { ValueTypes } from "../src/driver/value-types.js";
import { decodeValue, realsOf, withReals } from "../src/driver/values.js";
import { valuesOf } from "./support/arbitrary-values.js";

const numRuns = Number(process.env["DUALREV_RUNS"] ?? 50);
const a: Type = { kind: "typeVar", name: "a" };
const data = (name: string, ...args: readonly Type[]): Type => ({ kind: "data", name, args });
const array = (element: Type): Type => ({ kind: "array", element });
const decls: readonly DataDecl[] = [
  {
    name: "List",
    params: ["a"],
    constructors: [
      { name: "Nil", fields: [], fieldNames: null },
      { name: "Cons", fields: [a, data("List", a)], fieldNames: null },
    ],
    doc: "",
  },
  {
    name: "Rose",
    params: ["a"],
    constructors: [{ name: "Rose", fields: [a, data("List", data("Rose", a)), bool], fieldNames: null }],
    doc: "",
  },
  {
    name: "Camera",
    params: ["a"],
    constructors: [
      { name: "Camera", fields: [real, a, array(data("Camera", a))], fieldNames: ["__proto__", "new", "lens'"] },
    ],
    doc: "",
  },
  {
    name: "Shape",
    params: [],
    constructors: [
      { name: "Circle", fields: [real, int], fieldNames: ["radius", "tag"] },
      { name: "Path", fields: [array(array(real)), array(bool)], fieldNames: null },
    ],
    doc: "",
  },
];
const types = new ValueTypes(decls);
const type = types.of({
  kind: "tuple",
  items: [data("Rose", { kind: "tuple", items: [real, int] }), data("+", unit, data("List", real))],
});

/** First-order types, nested a few levels deep. */
const firstOrder = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Type>(real, int, bool, unit, data("Shape")),
    tie("type").map(array),
    fc.array(tie("type"), { minLength: 2, maxLength: 3 }).map((items): Type => ({ kind: "tuple", items })),
    fc.constantFrom("List", "Rose", "Camera").chain((name) => tie("type").map((arg) => data(name, arg))),
    fc.tuple(tie("type"), tie("type")).map(([left, right]) => data("+", left, right)),
  ),
})).type;

const randomValue = fc
  .oneof(
    fc.constant(type),
    firstOrder.map((random) => types.of(random)),
  )
  .chain((of) => valuesOf(of).map((value) => ({ of, value })));

describe("random values of random types", () => {
  it("are the same after printing and reading", () => {
    fc.assert(
      fc.property(randomValue, ({ of, value }) => {
        expect(decodeValue(JSON.parse(printJson(value)), of, "x")).toEqual({ ok: true, value });
      }),
      { numRuns },
    );
  });

  it("are made of their real numbers", () => {
    fc.assert(
      fc.property(randomValue, ({ of, value }) => {
        const reals = realsOf(value, of);
        expect(withReals(value, of, reals, "value")).toEqual(value);
        const doubled = reals.map((real) => 2 * real);
        expect(realsOf(withReals(value, of, doubled, "cotangent"), of)).toEqual(doubled);
      }),
      { numRuns },
    );
  });
});
