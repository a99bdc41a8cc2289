// KR22 §5.2, Figs. 7 and 8: reverse mode #2: R becomes (R, Delta), a value with its gradient as data, which `eval` adds up in place; everything else is
// homomorphic.
// Checked after this pass: G |- t : T implies D2[G] |- D2[t] : D2[T].

import * as b from "../target-calculus/build.js";
import { addDeltas, delta as deltas, deltaMonoid, deltaOperations, deltaType, outputDelta, slotOperations, slots, slotsType, zero } from "./deltas.js"; // prettier-ignore
import { ids, interfaceOf } from "./interface.js";
import { pairing, type PairRules } from "./pairs.js";
import type { Stage } from "./stage.js";
import { pureIDs, wrapRebuild } from "./wrap-rebuild.js";

const rules: PairRules = {
  back: deltas,
  // D2[r] = (r, Zero)
  constant: () => zero,
  // D2[op(t1, .., tn)] = let (x1, u1) = D2[t1] in .. (op(x1..xn), Add (Scale (d1_op(x1..xn)(1)) u1) (.. (Scale (dn_op(x1..xn)(1)) un)))
  operation: addDeltas,
};

export const delta: Stage = {
  name: "delta",
  title: "Reverse mode #2: gradients as data (KR22 Figs. 7 and 8)",
  change:
    "What a scalar carries is no longer a vector, but a Delta: the sums and multiples of one-hot vectors that would make it up. `eval` adds them to one " +
    "vector in place. It cannot see that two parts of a Delta are the same, so sharing costs exponential time.",
  mode: "reverse",
  suffix: "Delta",
  ofInput: null,
  deep: true,
  ownsInput: false,
  operations: interfaceOf([
    ...ids,
    { name: "OneHot", params: [b.int], result: deltas, runtime: "delta.oneHotDelta" },
    ...deltaOperations,
    ...slotOperations,
  ]),
  opaqueTypes: new Map([deltaType, slotsType]),
  monoids: [deltaMonoid],
  monad: "state",
  dual: { name: "D2[R]", type: b.tupleType(b.real, deltas) },
  transform: pairing("Delta", rules, (program, types, names) =>
    wrapRebuild(program, types, names, {
      m: deltas,
      monad: pureIDs,
      input: { collector: slots, tagged: (i) => b.ext("OneHot", i), read: (z, i) => b.ext("lookup", z, i) },
      output: (u) => outputDelta(u, "Scale", names),
      run: (inputs, _all, u) => b.ext("eval", b.realLit(1), u, b.ext("zeros", inputs)),
    }),
  ),
};
