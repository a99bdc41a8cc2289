// Stages that pair every scalar with a B and stay pure: SV25 Fig. 6 and KR22 Figs. 3, 5 and 7. Their figures differ in B, in what a literal has there, and in what an
// operation makes of what its operands have there; everything else is homomorphic.
// Checked after this pass: G |- t : T implies D[G] |- D[t] : D[T], with D[R] = (R, B).

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import { scalarType } from "../core/build.js";
import { primitive } from "../core/primitives.js";
import * as b from "../target-calculus/build.js";
import { reduceProgram } from "../target-calculus/reduce.js";
import type { Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { congruence, congruentFn } from "./congruence.js";
import type { Wrapping } from "./d1-wrap.js";
import { DualTypes } from "./dual-types.js";
import { FusedDefinitions } from "./fused.js";
import { bindOperands, type BoundOperands, type Operand } from "./operands.js";
import { primitiveOperation, type Operation, type OpTerm } from "./operation.js";
import type { Stage } from "./stage.js";

export interface PairRules {
  /** B. */
  readonly back: Type;
  /** What stands beside a literal. */
  readonly constant: (names: Names) => Term;
  /** What stands beside the result of an operation. */
  readonly operation: (operands: BoundOperands, names: Names) => Term;
}

/** The transformation of a stage whose dual data types have a suffix. */
export function pairing(
  suffix: string,
  rules: PairRules,
  wrap: (program: Source.Program, types: DualTypes, names: Names) => Wrapping,
): Stage["transform"] {
  return (program, names) => {
    const types = new DualTypes(
      program.data,
      { real: b.tupleType(b.real, rules.back), arrow: b.fnType },
      suffix,
      names,
    );
    const d = (t: Source.Term): Term => pairTerm(t, rules, types, names);
    const fused = new FusedDefinitions(program, types, names);
    const rule = (operation: Operation, operands: readonly Operand[]): Term => pairOperation(operation, operands, rules, names); // prettier-ignore
    const definitions = program.definitions.map((fn) => congruentFn(fn, d, types, fused.body(fn, rule)));
    const { functions, wrappers } = wrap(program, types, names);
    return reduceProgram({
      data: [...program.data, ...types.declarations],
      definitions: [...definitions, ...functions],
      wrappers,
    });
  };
}

function pairTerm(start: Source.Term, rules: PairRules, types: DualTypes, names: Names): Term {
  const d = (t: Source.Term): Term => pairTerm(t, rules, types, names);
  const special = (term: OpTerm | (Source.Term & { readonly kind: "real" })): Term => {
    switch (term.kind) {
      // D[r] = (r, constant)
      case "real":
        return b.tuple(b.realLit(term.value), rules.constant(names));
      case "op":
        return primitive(term.op).result === "R"
          ? pairOperation(primitiveOperation(term), operandsOf(term, d), rules, names)
          : discrete(term, d);
    }
  };
  return congruence(start, special, types);
}

// D[op(t1, .., tn)] = let (x1, d1) = D[t1] in .. let (xn, dn) = D[tn] in (op(x1, .., xn), operation of d1, .., dn)
function pairOperation(operation: Operation, operands: readonly Operand[], rules: PairRules, names: Names): Term {
  return bindOperands(operation, operands, rules.back, names, (bound) =>
    b.tuple(bound.result, rules.operation(bound, names)),
  );
}

function operandsOf(term: OpTerm, d: (t: Source.Term) => Term): readonly Operand[] {
  const { params } = primitive(term.op);
  return term.args.map((arg, index): Operand => ({
    kind: params[index] === "R" ? "dual" : "discrete",
    term: d(arg),
    type: scalarType(params[index] ?? "R"),
  }));
}

// SV25 §11: D[sign t] = sign (fst D[t]), and so for every operation whose result is not of type R
function discrete(term: OpTerm, d: (t: Source.Term) => Term): Term {
  const { params } = primitive(term.op);
  const args = term.args.map((arg, index) => (params[index] === "R" ? b.proj(0, d(arg)) : d(arg)));
  return b.op(term.op, args, term.site);
}
