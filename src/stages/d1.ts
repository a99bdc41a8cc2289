// SV25 §5.2, Fig. 6: D1, the naive transformation, from Source (Fig. 4) to Target (Fig. 5), with §11 (recursion, sums, data types).
// Checked after this pass: G |- t : T implies D1[G] |- D1[t] : D1[T].
//
// Departs from SV25 §5.2: `c` is abstract in the transformed definitions, and stands for `0 | S` in the wrapper of a program with input
// type S; where S holds sums or data types it has no static zero (footnote 30), so Wrap fills formal zeros in from the input's shape.

import * as b from "../target-calculus/build.js";
import { wrap1 } from "./d1-wrap.js";
import { interfaceOf, named, shapes } from "./interface.js";
import { pairing, type PairRules } from "./pairs.js";
import type { Stage } from "./stage.js";

/** The codomain of backpropagators. */
const c = b.opaque("c");

const rules: PairRules = {
  back: b.linear(b.real, c),
  // D1[r] = (r, \_(z : _R). 0c)
  constant: (names) => b.linLam(names.fresh("z"), b.real, b.zero(c)),
  // D1[op(t1, .., tn)] = let (x1, d1) = D1[t1] in .. let (xn, dn) = D1[tn]
  //                      in (op(x1, .., xn), \_(z : _R). d1 (d1_op(x1..xn)(z)) + .. + dn (dn_op(x1..xn)(z)))
  operation: ({ backs, partials }, names) => {
    const z = names.fresh("z");
    const calls = partials.map(({ index, times }) => b.app(backs[index] ?? b.tuple(), times(b.variable(z))));
    return b.linLam(z, b.real, b.sum(c, calls));
  },
};

export const d1: Stage = {
  name: "d1",
  title: "D1: naive dual numbers with backpropagators (SV25 Figs. 6 and 7)",
  change:
    "Every scalar is paired with a backpropagator, a linear function from its cotangent to the input's; an operation calls those of its " +
    "arguments. Each use of a value calls its backpropagator once more, so sharing costs exponential time.",
  mode: "reverse",
  suffix: "D1",
  ofInput: "c",
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
  dual: { name: "D1[R]", type: b.tupleType(b.real, rules.back) },
  transform: pairing("D1", rules, (program, types, names) => wrap1(program, types, c, names)),
};
