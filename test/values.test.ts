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
];
const type = new ValueTypes(decls).of({
  kind: "tuple",
  items: [data("Rose", { kind: "tuple", items: [real, int] }), data("+", unit, data("List", real))],
});

describe("random values", () => {
  it("are the same after printing and reading", () => {
    fc.assert(
      fc.property(valuesOf(type), (value) => {
        expect(decodeValue(JSON.parse(printJson(value)), type, "x")).toEqual({ ok: true, value });
      }),
      { numRuns },
    );
  });

  it("are made of their real numbers", () => {
    fc.assert(
      fc.property(valuesOf(type), (value) => {
        const reals = realsOf(value, type);
        expect(withReals(value, type, reals, "value")).toEqual(value);
        const doubled = reals.map((real) => 2 * real);
        expect(realsOf(withReals(value, type, doubled, "cotangent"), type)).toEqual(doubled);
      }),
      { numRuns },
    );
  });
});
