// `let (x1, d1) = D[t1] in .. let (xn, dn) = D[tn] in ..`, for D[R] = (R, B): what the rules for operations begin with.

import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import type { Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import type { Applied, Operation } from "./operation.js";

/** An operand of an operation of result type R: an atom that holds D of the argument, or a literal of type R. */
export interface Operand {
  readonly kind: "dual" | "literal" | "discrete";
  /** The dual number, the literal, or what has no real in it itself. */
  readonly term: Term;
  /** Of the argument. */
  readonly type: Type;
}

/** The second half of each dual argument of an operation; null for arguments that are none. And what it gives. */
export interface BoundOperands extends Applied {
  readonly backs: readonly (Term | null)[];
}

export function bindOperands(
  operation: Operation,
  operands: readonly Operand[],
  back: Type,
  names: Names,
  body: (bound: BoundOperands) => Term,
): Term {
  const bound = operands.map(({ kind, term, type }) => {
    const hint = b.nameOf(term, "t");
    if (kind === "dual") {
      const [x, d] = [b.param(names.fresh(hint), b.real), b.param(names.fresh(`d${hint}`), back)];
      const wrap = (rest: Term): Term => b.letTuple([x, d], term, rest);
      return { value: b.variable(x.name), back: b.variable(d.name), wrap };
    }
    if (b.isAtom(term)) return { value: term, back: null, wrap: (rest: Term): Term => rest };
    const name = names.fresh(hint);
    return { value: b.variable(name), back: null, wrap: (rest: Term): Term => b.letIn(name, type, term, rest) };
  });
  const values = bound.map(({ value }) => value);
  const backs = bound.map((operand) => operand.back);
  const inner = operation.at(values, names, (applied) => body({ ...applied, backs }));
  return bound.reduceRight((rest, { wrap }) => wrap(rest), inner);
}
