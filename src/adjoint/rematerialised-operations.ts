// How operations of the forward sweep are computed again.

import type { Atom, Operation, Var } from "../flat/program.js";
import type { LoopStmt } from "./places.js";

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
