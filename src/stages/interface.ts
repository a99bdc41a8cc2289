// The parts of a stage's interface that several stages have.

import { InternalError } from "../internal-error.js";
import type * as Source from "../core/term.js";
import type { ConstructorF } from "../core/type.js";
import type { TsType } from "../typescript/tree.js";
import * as b from "../target-calculus/build.js";
import { DataTypes } from "../target-calculus/data.js";
import type { Operation } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import type { DataType } from "./type-indexed.js";

/** Operations by name; `rest` is null where it is left out. */
export function interfaceOf(
  operations: readonly (Omit<Operation, "rest"> & { readonly rest?: Type })[],
): ReadonlyMap<string, Operation> {
  return new Map(operations.map((operation) => [operation.name, { rest: null, ...operation }]));
}

/** A TypeScript type by its name. */
export const named = (name: string): TsType => ({ kind: "name", name, args: [] });

const s: Type = { kind: "typeVar", name: "s" };

/** The shape of an input, which is a zero of its type, and formal zeros filled in from it (SV25 footnote 30). */
export const shape = { name: "zeroOf", params: [s], result: s, runtime: "sparse.shapeOf" };
export const shapes = [
  shape,
  { name: "fill", params: [s, b.sparse(s)], result: s, runtime: "sparse.fill" },
  // A cotangent at one index of an array, formal zeros at the others
  { name: "oneHot", params: [b.int, b.sparse(s)], result: b.sparse(b.arrayType(s)), runtime: "sparse.oneHot" },
];

/** An array with one element replaced by what a function makes of it. */
export const update = {
  name: "update",
  params: [b.int, b.fnType(s, s), b.arrayType(s)],
  result: b.arrayType(s),
  runtime: "d3.updateAt",
};

/** ID generation, the monad of SV25 Figs. 8 to 10. */
export const ids = [
  { name: "startIDs", params: [], result: b.computation(b.unitType), runtime: "ids.startIDs" },
  { name: "genID", params: [], result: b.computation(b.int), runtime: "ids.genID" },
  { name: "countIDs", params: [], result: b.computation(b.int), runtime: "ids.countIDs" },
];

/** The constructors of a data type with their fields' types. */
export function constructorsOf(program: Source.Program, type: DataType): readonly ConstructorF<Type>[] {
  return new DataTypes(program.data).constructorsOf(type);
}

/** The types of a constructor's fields. */
export function constructorFields(program: Source.Program, type: DataType, con: string): readonly Type[] {
  const constructor = constructorsOf(program, type).find(({ name }) => name === con);
  if (constructor === undefined) throw new InternalError("interleave", `${type.name} has no constructor ${con}`);
  return constructor.fields;
}
