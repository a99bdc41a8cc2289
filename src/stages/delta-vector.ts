// KR22 §5.1, Figs. 5 and 6: reverse mode #1: R becomes (R, dS), a value with its whole gradient; everything else is homomorphic.
// Checked after this pass: G |- t : T implies D1[G] |- D1[t] : D1[T].

import * as b from "../target-calculus/build.js";
import { deltaOf, outputDelta } from "./deltas.js";
import { ids, interfaceOf, named } from "./interface.js";
import { pairing, type PairRules } from "./pairs.js";
import type { Stage } from "./stage.js";
import { pureIDs, wrapRebuild } from "./wrap-rebuild.js";

/** dS: a number for each of the input's scalars. */
const vector = b.opaque("dS");

const rules: PairRules = {
  back: vector,
  // D1[r] = (r, zeros)
  constant: () => b.zero(vector),
  // D1[op(t1, .., tn)] = let (x1, ds1) = D1[t1] in .. (op(x1..xn), d1_op(x1..xn)(1) (x) ds1 (+) .. (+) dn_op(x1..xn)(1) (x) dsn)
  operation: (operands) => b.sum(vector, deltaOf(operands, "scale")),
};

export const deltaVector: Stage = {
  name: "delta-vector",
  title: "Reverse mode #1: gradients as vectors (KR22 Figs. 5 and 6)",
  change:
    "Every scalar is paired with its derivatives in all scalars of the input, where forward mode has one tangent: one run gives the whole gradient, " +
    "but each operation works on vectors as long as the input.",
  mode: "reverse",
  suffix: "Vector",
  ofInput: "dS",
  deep: true,
  ownsInput: false,
  operations: interfaceOf([
    ...ids,
    { name: "onehot", params: [b.int], result: vector, runtime: "delta-vector.oneHotVector" },
    { name: "scale", params: [b.real, vector], result: vector, runtime: "delta-vector.scaleVector" },
    { name: "index", params: [vector, b.int], result: b.real, runtime: "delta-vector.componentOf" },
  ]),
  opaqueTypes: new Map([["dS", { type: named("Float64Array"), runtime: null }]]),
  monoids: [
    {
      type: vector,
      zero: "delta-vector.zeros",
      plus: "delta-vector.addVectors",
      sum: "delta-vector.sumVectors",
      symbols: { zero: "zeros", plus: "(+)" },
    },
  ],
  monad: "state",
  dual: { name: "D1[R]", type: b.tupleType(b.real, vector) },
  transform: pairing("Vector", rules, (program, types, names) =>
    wrapRebuild(program, types, names, {
      m: vector,
      monad: pureIDs,
      input: { collector: vector, tagged: (i) => b.ext("onehot", i), read: (ds, i) => b.ext("index", ds, i) },
      output: (ds) => outputDelta(ds, "scale", names),
      // Fig. 6 multiplies by the cotangent at the inputs
      run: (_inputs, _all, ds) => ds,
    }),
  ),
};
