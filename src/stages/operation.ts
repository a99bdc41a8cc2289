// What the rules for `op(t1, .., tn)` share: the partial derivatives that contribute, and where they need the result.

import { primitive } from "../core/primitives.js";
import type { OpName, Partial } from "../core/primitives.js";
import * as b from "../target/build.js";
import type { Term } from "../target/term.js";

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

/**
 * Where a contribution goes to whose partial derivative is kept as a number: `here`, or `nowhere` where the derivative's definition chooses 0, as
 * that of `relu` does below 0. `partialOf` gives 0 there for every cotangent; the number 0 times an infinite one would be NaN.
 */
export function destination(
  op: OpName,
  index: number,
  args: readonly Term[],
  result: Term,
  { here, nowhere }: { readonly here: Term; readonly nowhere: Term },
): Term {
  const value = (partial: Partial): Term => {
    switch (partial.kind) {
      case "arg":
        return args[partial.index] ?? b.realLit(NaN);
      case "result":
        return result;
      case "number":
        return b.realLit(partial.value);
      case "op":
        return b.op(partial.op, partial.args.map(value), null);
      case "if":
        return b.ifElse(value(partial.cond), value(partial.then), value(partial.else));
    }
  };
  const choose = (partial: Partial): Term => {
    if (partial.kind === "number" && partial.value === 0) return nowhere;
    if (partial.kind !== "if") return here;
    const [cond, then, otherwise] = [value(partial.cond), choose(partial.then), choose(partial.else)];
    if (then === otherwise) return then;
    const known = decided(cond);
    return known === null ? b.ifElse(cond, then, otherwise) : known ? then : otherwise;
  };
  const partial = primitive(op).partials[index] ?? null;
  return partial === null ? nowhere : choose(partial);
}

/** What a test of equality gives where both sides are literals, as it is with the exponent of `x ^ 2`. */
function decided(cond: Term): boolean | null {
  if (cond.kind !== "op" || cond.op !== "eq") return null;
  const [left, right] = cond.args.map(literal);
  return typeof left !== "number" || typeof right !== "number" ? null : left === right;
}

function literal(term: Term): number | null {
  if (term.kind === "real" || term.kind === "int") return term.value;
  const [arg] = term.kind === "op" && term.op === "toReal" ? term.args : [];
  return arg === undefined ? null : literal(arg);
}
