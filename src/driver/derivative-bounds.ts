// By how much derivatives may take more operations than what they are of: as much as the operation whose derivative takes most.

import { derivativeWork } from "../core/derivative-work.js";
import { primitive, type Literals } from "../core/primitives.js";
import type { Program, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";

/** A derivative takes at most so many times the operations, because of an operation of the program. */
export interface Bound {
  readonly times: number;
  /** As `dualrev steps` writes it. */
  readonly operation: string;
}

export interface DerivativeBounds {
  readonly jvp: Bound;
  readonly vjp: Bound;
}

/** The bounds of one derivative of a program, in which those that it takes itself are resolved; null of one without operations on reals. */
export function derivativeBounds(program: Program): DerivativeBounds | null {
  const operations = program.definitions.flatMap(({ body }) => allTerms(body)).flatMap(workOf);
  const largest = (kind: "jvp" | "vjp"): Bound | null =>
    operations.reduce<Bound | null>(
      (most, { operation, work }) => (work[kind] > (most?.times ?? 1) ? { times: work[kind], operation } : most),
      null,
    );
  const [jvp, vjp] = [largest("jvp"), largest("vjp")];
  return jvp === null || vjp === null ? null : { jvp, vjp };
}

function workOf(term: Term) {
  if (term.kind !== "op") return [];
  const literals: Literals = term.args.map((arg) => (arg.kind === "real" || arg.kind === "int" ? arg.value : null));
  return [{ operation: primitive(term.op).notation, work: derivativeWork(term.op, literals) }];
}
