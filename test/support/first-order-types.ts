// Random first-order types over a few data types, and models whose one definition gives its argument back.

import fc from "fast-check";
import { printType } from "../../src/core/print-type.js";
import { bool, int, real, unit, type DataDecl, type Type } from "../../src/core/type.js";

const a: Type = { kind: "typeVar", name: "a" };
const data = (name: string, ...args: readonly Type[]): Type => ({ kind: "data", name, args });
const array = (element: Type): Type => ({ kind: "array", element });
const tuple = (...items: readonly Type[]): Type => ({ kind: "tuple", items });

const list: DataDecl = {
  name: "List",
  params: ["a"],
  constructors: [
    { name: "Nil", fields: [], fieldNames: null },
    { name: "Cons", fields: [a, data("List", a)], fieldNames: null },
  ],
  doc: "",
};

/** Enumerations, unions, records with names that need care, recursion through lists and arrays, parameters that stand in arrays. */
const own: readonly DataDecl[] = [
  {
    name: "Colour",
    params: [],
    constructors: ["Red", "Green", "Blue"].map((name) => ({ name, fields: [], fieldNames: null })),
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
      { name: "Nowhere", fields: [], fieldNames: null },
    ],
    doc: "",
  },
  {
    name: "Both",
    params: ["a"],
    constructors: [
      { name: "Both", fields: [array(a), tuple(a, real), a], fieldNames: ["items", "first", "a"] },
      { name: "Neither", fields: [a], fieldNames: null },
    ],
    doc: "",
  },
];

/** The data types that random types mention. */
export const declarations: readonly DataDecl[] = [list, ...own];

/** First-order types, nested a few levels deep. */
export const firstOrderTypes: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Type>(real, int, bool, unit, data("Shape"), data("Colour"), array(real), array(array(real))),
    tie("type").map(array),
    fc.array(tie("type"), { minLength: 2, maxLength: 3 }).map((items): Type => tuple(...items)),
    fc.constantFrom("List", "Rose", "Camera", "Both").chain((name) => tie("type").map((arg) => data(name, arg))),
    fc.tuple(tie("type"), tie("type")).map(([left, right]) => data("+", left, right)),
  ),
})).type;

/** A model whose definition `same` gives its argument `x` back; with `alias`, the types are written by names of their own. */
export function identityModel(type: Type, alias: boolean): string {
  const declared = own.map(({ name, params, constructors }) => {
    const printed = constructors.map(({ name: constructor, fields, fieldNames }) => {
      if (fieldNames === null) return printType(data(constructor, ...fields));
      return `${constructor} { ${fieldNames.map((field, i) => `${field} : ${printType(fields[i] ?? real)}`).join(", ")} }`;
    });
    return `data ${[name, ...params].join(" ")} = ${printed.join(" | ")}`;
  });
  const aliases = alias ? [`type Input = ${printType(type)}`, "type Pair a = (a, [a])"] : [];
  const written = alias ? "Input" : printType(type);
  const pair = alias ? `def both (p : ${printType(data("Pair", type))}) : Pair Input = p` : "";
  return [...declared, ...aliases, pair, `def same (x : ${written}) : ${written} = x`].join("\n");
}
