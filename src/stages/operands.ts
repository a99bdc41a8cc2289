// `let (x1, d1) = D[t1] in .. let (xn, dn) = D[tn] in ..`, for D[R] = (R, B): what the rules for operations begin with.

import type { Names } from "../core/names.js";
import { primitive } from "../core/primitives.js";
import * as b from "../target-calculus/build.js";
import type { Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import type { Operand, Operation } from "./monadic.js";
import { usesResult } from "./operation.js";

/** The parts of an operation's dual arguments, as atoms, and its result. */
export interface BoundOperands {
  readonly values: readonly Term[];
  /** The second half of each dual number; null for arguments that are none. */
  readonly backs: readonly (Term | null)[];
  /** `op(x1, .., xn)`, bound to a variable where a partial derivative uses it. */
  readonly result: Term;
}

export function bindOperands(
  { op, site }: Operation,
  operands: readonly Operand[],
  back: Type,
  names: Names,
  body: (bound: BoundOperands) => Term,
): Term {
  const { params } = primitive(op);
  const bound = operands.map(({ kind, term }, index) => {
    const hint = b.nameOf(term, "t");
    if (kind === "dual") {
      const [x, d] = [b.param(names.fresh(hint), b.real), b.param(names.fresh(`d${hint}`), back)];
      const wrap = (rest: Term): Term => b.letTuple([x, d], term, rest);
      return { value: b.variable(x.name), back: b.variable(d.name), wrap };
    }
    if (b.isAtom(term)) return { value: term, back: null, wrap: (rest: Term): Term => rest };
    const name = names.fresh(hint);
    const type = params[index] === "Z" ? b.int : b.bool;
    return { value: b.variable(name), back: null, wrap: (rest: Term): Term => b.letIn(name, type, term, rest) };
  });
  const values = bound.map(({ value }) => value);
  const applied = b.op(op, values, site);
  const y = usesResult(op) ? names.fresh("y") : null;
  const result = y === null ? applied : b.variable(y);
  const inner = body({ values, backs: bound.map((operand) => operand.back), result });
  return bound.reduceRight((rest, { wrap }) => wrap(rest), y === null ? inner : b.letIn(y, b.real, applied, inner));
}
