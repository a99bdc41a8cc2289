// KR22 §3, Figs. 3 and 16: forward mode: R becomes (R, R), a value with its tangent; everything else is homomorphic.
// Checked after this pass: G |- t : T implies F[G] |- F[t] : F[T].

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import { primitive } from "../core/primitives.js";
import * as b from "../target-calculus/build.js";
import { reduceProgram } from "../target-calculus/reduce.js";
import type { Program, Term } from "../target-calculus/term.js";
import { congruence, congruentFn } from "./congruence.js";
import { DualTypes } from "./dual-types.js";
import { wrapForward } from "./forward-wrap.js";
import { interfaceOf } from "./interface.js";
import type { Operand, Operation } from "./monadic.js";
import { bindOperands } from "./operands.js";
import { activeParams, partialOf } from "./operation.js";
import type { Stage } from "./stage.js";

function forwardTerm(start: Source.Term, types: DualTypes, names: Names): Term {
  const f = (t: Source.Term): Term => forwardTerm(t, types, names);
  const special = (term: Operation | (Source.Term & { readonly kind: "real" })): Term => {
    switch (term.kind) {
      // F[r] = (r, 0)
      case "real":
        return b.tuple(b.realLit(term.value), b.realLit(0));
      case "op":
        return primitive(term.op).result === "R" ? forwardOperation(term, f, names) : forwardDiscrete(term, f);
    }
  };
  return congruence(start, special, types);
}

// F[op(t1, .., tn)] = let (x1, dx1) = F[t1] in .. (op(x1..xn), d1_op(x1..xn)(dx1) + .. + dn_op(x1..xn)(dxn))
function forwardOperation(term: Operation, f: (t: Source.Term) => Term, names: Names): Term {
  const { params } = primitive(term.op);
  const operands = term.args.map((arg, index): Operand => ({
    kind: params[index] === "R" ? "dual" : "discrete",
    term: f(arg),
  }));
  return bindOperands(term, operands, b.real, names, ({ values, backs, result }) => {
    const tangents = activeParams(term.op).map((index) =>
      partialOf(term.op, index, values, result, backs[index] ?? b.realLit(0)),
    );
    return b.tuple(result, b.sum(b.real, tangents));
  });
}

function forwardDiscrete(term: Operation, f: (t: Source.Term) => Term): Term {
  const { params } = primitive(term.op);
  const args = term.args.map((arg, index) => (params[index] === "R" ? b.proj(0, f(arg)) : f(arg)));
  return b.op(term.op, args, term.site);
}

function transform(program: Source.Program, names: Names): Program {
  const rules = { real: b.tupleType(b.real, b.real), arrow: b.fnType };
  const types = new DualTypes(program.data, rules, "Forward", names);
  const definitions = program.definitions.map((fn) => congruentFn(fn, (t) => forwardTerm(t, types, names), types));
  const { functions, wrappers } = wrapForward(program, types, names);
  return reduceProgram({
    data: [...program.data, ...types.declarations],
    definitions: [...definitions, ...functions],
    wrappers,
  });
}

export const forward: Stage = {
  name: "forward",
  title: "Forward mode (KR22 Figs. 3 and 16)",
  change:
    "Every scalar is paired with its tangent, and an operation works out both: one directional derivative for each run.",
  mode: "forward",
  suffix: "Forward",
  deep: true,
  ownsInput: false,
  operations: interfaceOf([]),
  opaqueTypes: new Map(),
  monoids: [],
  monad: "named",
  dual: null,
  transform,
};
