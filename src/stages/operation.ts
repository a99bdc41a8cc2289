// What the rules for `op(t1, .., tn)` share: the partial derivatives that contribute, and where they need the result.

import { primitive } from "../core/primitives.js";
import type { OpName, Partial } from "../core/primitives.js";
import type { Term } from "../target-calculus/term.js";

/** The parameters of type R whose partial derivative is not the constant 0: those that pass a cotangent on. */
export function activeParams(op: OpName): readonly number[] {
  return primitive(op).partials.flatMap((partial, index) =>
    partial === null || (partial.kind === "number" && partial.value === 0) ? [] : [index],
  );
}

/** Whether a partial derivative of the operation is written with the operation's result. */
export function usesResult(op: OpName): boolean {
  return activeParams(op).some((index) => {
    const partial = primitive(op).partials[index];
    return partial !== undefined && partial !== null && mentionsResult(partial);
  });
}

function mentionsResult(partial: Partial): boolean {
  switch (partial.kind) {
    case "result":
      return true;
    case "arg":
    case "number":
      return false;
    case "op":
      return partial.args.some(mentionsResult);
    case "if":
      return [partial.cond, partial.then, partial.else].some(mentionsResult);
  }
}

/** `d_index op(args)(cotangent)`. */
export function partialOf(op: OpName, index: number, args: readonly Term[], result: Term, cotangent: Term): Term {
  return { kind: "partial", op, index, args, result, cotangent };
}
