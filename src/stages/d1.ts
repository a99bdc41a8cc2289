// SV25 §5.2, Fig. 6: D1, the naive transformation, from Source (Fig. 4) to Target (Fig. 5), with §11 (recursion, sums, data types).
// Checked after this pass: G |- t : T implies D1[G] |- D1[t] : D1[T].
//
// Departs from SV25 §5.2: `c` is abstract in the transformed definitions, and stands for `0 | S` in the wrapper of a program with input
// type S; where S holds sums or data types it has no static zero (footnote 30), so Wrap fills formal zeros in from the input's shape.

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import { primitive } from "../core/primitives.js";
import * as b from "../target-calculus/build.js";
import type { Program, Term } from "../target-calculus/term.js";
import { congruence, congruentFn } from "./congruence.js";
import { DualTypes } from "./dual-types.js";
import type { Operand, Operation } from "./monadic.js";
import { bindOperands } from "./operands.js";
import { activeParams, partialOf } from "./operation.js";
import { interfaceOf, named, shapes } from "./interface.js";
import { reduceProgram } from "../target-calculus/reduce.js";
import { wrap1 } from "./d1-wrap.js";
import type { Stage } from "./stage.js";

/** The codomain of backpropagators. */
export const c = b.opaque("c");

/** D1[R] = (R, _R -o c). */
export const d1Real = b.tupleType(b.real, b.linear(b.real, c));

function d1Term(start: Source.Term, types: DualTypes, names: Names): Term {
  const d1 = (t: Source.Term): Term => d1Term(t, types, names);
  const special = (term: Operation | (Source.Term & { readonly kind: "real" })): Term => {
    switch (term.kind) {
      // D1[r] = (r, \_(z : _R). 0c)
      case "real":
        return b.tuple(b.realLit(term.value), b.linLam(names.fresh("z"), b.real, b.zero(c)));
      case "op":
        return primitive(term.op).result === "R" ? d1Operation(term, d1, names) : d1Discrete(term, d1);
    }
  };
  return congruence(start, special, types);
}

// D1[op(t1, .., tn)] = let (x1, d1) = D1[t1] in .. let (xn, dn) = D1[tn]
//                      in (op(x1, .., xn), \_(z : _R). d1 (d1_op(x1..xn)(z)) + .. + dn (dn_op(x1..xn)(z)))
function d1Operation(term: Operation, d1: (t: Source.Term) => Term, names: Names): Term {
  const { params } = primitive(term.op);
  const operands = term.args.map((arg, index): Operand => {
    const kind = params[index] === "R" ? "dual" : "discrete";
    return { kind, term: d1(arg) };
  });
  return bindOperands(term, operands, b.linear(b.real, c), names, ({ values, backs, result }) => {
    const z = names.fresh("z");
    const calls = activeParams(term.op).map((index) =>
      b.app(backs[index] ?? b.tuple(), partialOf(term.op, index, values, result, b.variable(z))),
    );
    return b.tuple(result, b.linLam(z, b.real, b.sum(c, calls)));
  });
}

// §11: D1[sign t] = sign (fst D1[t]), and so for every operation whose result is not of type R.
function d1Discrete(term: Operation, d1: (t: Source.Term) => Term): Term {
  const { params } = primitive(term.op);
  const args = term.args.map((arg, index) => (params[index] === "R" ? b.proj(0, d1(arg)) : d1(arg)));
  return b.op(term.op, args, term.site);
}

function transform(program: Source.Program, names: Names): Program {
  const types = new DualTypes(program.data, { real: d1Real, arrow: (from, to) => b.fnType(from, to) }, "D1", names);
  const definitions = program.definitions.map((fn) => congruentFn(fn, (t) => d1Term(t, types, names), types));
  const { functions, wrappers } = wrap1(program, types, c, names);
  return reduceProgram({
    data: [...program.data, ...types.declarations],
    definitions: [...definitions, ...functions],
    wrappers,
  });
}

export const d1: Stage = {
  name: "d1",
  title: "D1: naive dual numbers with backpropagators (SV25 Figs. 6 and 7)",
  change:
    "Every scalar is paired with a backpropagator, a linear function from its cotangent to the input's; an operation calls those of its " +
    "arguments. Each use of a value calls its backpropagator once more, so sharing costs exponential time.",
  mode: "reverse",
  suffix: "D1",
  deep: false,
  ownsInput: false,
  operations: interfaceOf(shapes),
  opaqueTypes: new Map([
    ["c", { type: named("Sparse"), runtime: "sparse.Sparse" }],
    ["Sparse", { type: named("Sparse"), runtime: "sparse.Sparse" }],
  ]),
  monoids: [
    { type: c, zero: "sparse.none", plus: "sparse.plus", sum: "sparse.sumOf", symbols: { zero: "0c", plus: "+c" } },
  ],
  monad: "named",
  dual: { name: "D1[R]", type: d1Real },
  transform,
};
