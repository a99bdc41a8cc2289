// What it costs to compute a value again, in operations.

import { primitive } from "../core/primitives.js";
import type { Atom, Operation, Var } from "../flat/program.js";
import type { LoopStmt } from "./places.js";

/** Recomputing a value of more operations than this costs more than saving it. */
export const cheapEnough = 8;

const costOf: ReadonlyMap<string, number> = new Map([
  ...["add", "sub", "mul", "neg", "toReal", "addZ", "subZ", "mulZ", "negZ"].map((op) => [op, 1] as const),
  ...["abs", "min", "max", "sign", "relu", "absZ", "minZ", "maxZ"].map((op) => [op, 1] as const),
  ...["div", "sqrt"].map((op) => [op, 4] as const),
]);

/** What an operation costs; infinite where it is not computed again. */
export function operationCost(op: Operation): number {
  switch (op.kind) {
    case "copy":
      return 0;
    case "prim":
      // Both lengths are there
      if (op.op === "sameLength") return 0;
      return op.site === null || primitive(op.op).result !== "Z" ? (costOf.get(op.op) ?? (primitive(op.op).result === "B" ? 1 : Infinity)) : Infinity; // prettier-ignore
    case "field":
    case "cell":
    case "length":
      return 1;
    case "object":
    case "array":
    case "closure":
    case "realStore":
    case "objectStore":
    case "zeroStore":
      return Infinity;
  }
}

/** What an operation that can be computed again reads. */
export function operandsOf(op: Operation): readonly Atom[] {
  switch (op.kind) {
    case "copy":
      return [op.value];
    case "prim":
      return op.args;
    case "field":
      return [op.object];
    case "cell":
      return [op.array, op.index];
    case "length":
      return [op.array];
    default:
      return [];
  }
}

/** An operation that has not failed in the forward sweep; of two lengths that are the same it takes the one that is preferred. */
export function again(op: Operation, isPreferred: (atom: Atom) => boolean): Operation {
  if (op.kind !== "prim" || op.site === null) return op;
  const [first] = op.args;
  // A product without a site is known not to be -0, which is no integer
  if (op.op === "mulZ") return op;
  if (op.op === "sameLength" && first !== undefined) return { kind: "copy", value: op.args.find(isPreferred) ?? first };
  return { ...op, site: null };
}

/** The array of a counted loop that a variable is always an element of; null where there is none. */
export function elementArray(stmt: LoopStmt, variable: Var): Var | null {
  if (stmt.kind !== "for" || stmt.body.end.kind !== "yield") return null;
  const index = stmt.body.end.values.findIndex(
    (value) => value.kind === "var" && value.variable.name === variable.name,
  );
  const elements = stmt.body.end.values.findIndex((value, place) => place >= stmt.params.length && value.kind === "var" && value.variable.name === variable.name); // prettier-ignore
  return index === -1 || elements === -1 ? null : (stmt.arrays[elements - stmt.params.length] ?? null);
}
