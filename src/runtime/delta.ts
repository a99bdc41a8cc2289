// Deltas, KR22 Figs. 7 and 11: the derivative of a scalar as data, and `eval`.

import { cost } from "./cost.js";
import { scale } from "./numbers.js";

/**
 * Fig. 7: Delta = Zero | OneHot n | Scale R Delta | Add Delta Delta.
 * Fig. 11: Delta = Zero | Scale R Delta | Add Delta Delta | Var DeltaId | Let DeltaId Delta Delta.
 */
export type Delta =
  | { readonly kind: "Zero" }
  | { readonly kind: "Scale"; readonly factor: number; readonly delta: Delta }
  | { readonly kind: "Add"; readonly left: Delta; readonly right: Delta }
  | { readonly kind: "OneHot" | "Var"; readonly id: number }
  | { readonly kind: "Let"; readonly id: number; readonly bound: Delta; readonly body: Delta };

export const zeroDelta: Delta = { kind: "Zero" };

/** The Delta of the input's scalar with a number. */
export function oneHotDelta(id: number): Delta {
  return { kind: "OneHot", id };
}

/** A Delta that stands for what is bound to an ID, or an input. */
export function varDelta(id: number): Delta {
  return { kind: "Var", id };
}

export function scaleDelta(factor: number, delta: Delta): Delta {
  return { kind: "Scale", factor, delta };
}

export function addDeltas(left: Delta, right: Delta): Delta {
  return { kind: "Add", left, right };
}

/** Add term(0) (Add .. term(size - 1)); Zero where there are none. */
export function sumDeltas(size: number, term: (index: number) => Delta): Delta {
  if (size === 0) return zeroDelta;
  let sum = term(size - 1);
  for (let index = size - 2; index >= 0; index--) sum = addDeltas(term(index), sum);
  return sum;
}

/** Numbers by ID, 0 where nothing has been added. They are used linearly: written in place. */
export interface Slots {
  readonly add: (id: number, x: number) => void;
  /** What has been added to an ID that is not asked for again. */
  readonly take: (id: number) => number;
}

/** A Delta that waits, with what it is multiplied by; where it is bound to an ID, with what that has come to then. */
interface Waiting {
  readonly x: number;
  readonly id: number | null;
  readonly delta: Delta;
}

/**
 * eval x u um, of KR22 Figs. 8 and 11, with a stack: Deltas are as deep as programs are long. What is bound waits until the body is done: of nested bindings
 * the newest comes first. A zero factor contributes nothing.
 */
export function evalInto(x: number, delta: Delta, slots: Slots): void {
  const stack: Waiting[] = [];
  let next: Waiting | undefined = { x, id: null, delta };
  while (next !== undefined) {
    let at = next.id === null ? next.x : slots.take(next.id);
    let u = next.delta;
    while (at !== 0 && u.kind !== "Zero") {
      cost.backpropagators += 1; // cost
      if (u.kind === "Scale") {
        // eval x (Scale y u) um = eval (x * y) u um
        at = scale(at, u.factor);
        u = u.delta;
      } else if (u.kind === "Add") {
        // eval x (Add u1 u2) um = eval x u2 (eval x u1 um)
        stack.push({ x: at, id: null, delta: u.right });
        u = u.left;
      } else if (u.kind === "Let") {
        // eval x (Let uid u1 u2) um = let um2 = eval x u2 um in case lookup uid um2 of Nothing -> um2; Just y -> eval y u1 (delete uid um2)
        stack.push({ x: 0, id: u.id, delta: u.bound });
        u = u.body;
      } else {
        // eval x (OneHot n) z = addAt n x z          eval x (Var uid) um = addDelta uid x um
        slots.add(u.id, at);
        break;
      }
    }
    next = stack.pop();
  }
}

export function zeroSlots(size: number): Float64Array {
  cost.arrayOperations += size; // cost
  return new Float64Array(size);
}

/** eval, in an array. */
export function evalInArray(x: number, delta: Delta, slots: Float64Array): Float64Array {
  evalInto(x, delta, {
    add: (id, more) => {
      cost.arrayOperations += 1; // cost
      slots[id] = (slots[id] ?? 0) + more;
    },
    take: (id) => {
      cost.arrayOperations += 1; // cost
      return slots[id] ?? 0;
    },
  });
  return slots;
}

/** What has come to an input's scalar. */
export function slotAt(slots: Float64Array, id: number): number {
  return slots[id] ?? 0;
}
