// What the stages of KR22 §5 have in common: the derivative of an operation as a linear combination of what its operands carry, and Deltas.

import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import type { Term } from "../target-calculus/term.js";
import { named } from "./interface.js";
import type { BoundOperands } from "./operands.js";
import type { Monoid, OpaqueType } from "./stage.js";

/** The terms of the combination: d1_op(x1..xn)(1) times u1, .., dn_op(x1..xn)(1) times un; ui itself where the partial derivative is 1, as in Fig. 5. */
export function deltaOf({ backs, partials }: BoundOperands, scale: string): readonly Term[] {
  return partials.map(({ index, isOne, times }) => {
    const u = backs[index] ?? b.tuple();
    return isOne ? u : b.ext(scale, times(b.realLit(1)), u);
  });
}

/** `\_z. scale z u`. */
export function outputDelta(u: Term, scale: string, names: Names): Term {
  const z = names.fresh("z");
  return b.linLam(z, b.real, b.ext(scale, b.variable(z), u));
}

export const delta = b.opaque("Delta");

/** Zero. */
export const zero = b.zero(delta);

/** Add (Scale (d1_op(x1..xn)(1)) u1) (.. (Scale (dn_op(x1..xn)(1)) un)). */
export function addDeltas(operands: BoundOperands): Term {
  const terms = deltaOf(operands, "Scale");
  return terms.length === 0 ? zero : terms.reduceRight((sum, term) => b.ext("Add", term, sum));
}

/** The constructors that all Deltas have. */
export const deltaOperations = [
  { name: "Scale", params: [b.real, delta], result: delta, runtime: "delta.scaleDelta" },
  { name: "Add", params: [delta, delta], result: delta, runtime: "delta.addDeltas" },
];

/** `eval x u z` in an array, by number. */
export const slots = b.opaque("Array R");
export const slotOperations = [
  { name: "zeros", params: [b.int], result: slots, runtime: "delta.zeroSlots" },
  { name: "eval", params: [b.real, delta, slots], result: slots, runtime: "delta.evalInArray" },
  { name: "lookup", params: [slots, b.int], result: b.real, runtime: "delta.slotAt" },
];

export const deltaType: readonly [string, OpaqueType] = ["Delta", { type: named("Delta"), runtime: "delta.Delta" }];
export const slotsType: readonly [string, OpaqueType] = ["Array R", { type: named("Float64Array"), runtime: null }];

export const deltaMonoid: Monoid = {
  type: delta,
  zero: "delta.zeroDelta",
  plus: "delta.addDeltas",
  sum: "delta.sumDeltas",
  symbols: { zero: "Zero", plus: "`Add`" },
};
