// KR22 §3, Figs. 3 and 16: forward mode: R becomes (R, R), a value with its tangent; everything else is homomorphic.
// Checked after this pass: G |- t : T implies F[G] |- F[t] : F[T].

import * as b from "../target-calculus/build.js";
import { wrapForward } from "./forward-wrap.js";
import { interfaceOf } from "./interface.js";
import { pairing, type PairRules } from "./pairs.js";
import type { Stage } from "./stage.js";

const rules: PairRules = {
  back: b.real,
  // F[r] = (r, 0)
  constant: () => b.realLit(0),
  // F[op(t1, .., tn)] = let (x1, dx1) = F[t1] in .. (op(x1..xn), d1_op(x1..xn)(dx1) + .. + dn_op(x1..xn)(dxn))
  operation: ({ backs, partials }) =>
    b.sum(
      b.real,
      partials.map(({ index, times }) => times(backs[index] ?? b.realLit(0))),
    ),
};

export const forward: Stage = {
  name: "forward",
  title: "Forward mode (KR22 Figs. 3 and 16)",
  change:
    "Every scalar is paired with its tangent, and an operation works out both: one directional derivative for each run.",
  mode: "forward",
  suffix: "Forward",
  ofInput: null,
  deep: true,
  ownsInput: false,
  operations: interfaceOf([]),
  opaqueTypes: new Map(),
  monoids: [],
  monad: "named",
  dual: null,
  transform: pairing("Forward", rules, wrapForward),
};
