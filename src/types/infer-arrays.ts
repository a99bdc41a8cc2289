// Arrays: literals and elements.

import type * as Tree from "../syntax/tree.js";
import { type Context, type Expected, reasonOf } from "./context.js";
import type { Infer } from "./infer-apply.js";
import { isWrongSince } from "./infer-operators.js";
import type { Reason } from "./mistakes.js";
import type { Snapshot } from "./snapshot.js";
import { subjectOf } from "./subject.js";
import { type Ty, arrayTy, holeTy, intTy, prune } from "./ty.js";

type Of<K extends Tree.Expr["kind"]> = Extract<Tree.Expr, { kind: K }>;

/** `[t1, .., tn]`: what is expected from outside decides the elements' type, else the first element does. */
export function inferArray(cx: Context, expr: Of<"array">, expected: Expected | null, infer: Infer): Ty {
  const wanted = expected === null ? null : prune(expected.type);
  if (expected !== null && wanted?.kind === "array" && !isOpen(wanted.element)) {
    for (const [i, item] of expr.items.entries()) {
      const reason = (shown: Snapshot): Reason => ({ kind: "item", position: i + 1, outer: reasonOf(expected, shown) });
      infer(cx, item, { type: wanted.element, reason });
    }
    return cx.settle(expr, wanted, null, subjectOf(expr));
  }
  const [first, ...others] = expr.items;
  const element = first === undefined ? cx.unifier.fresh() : infer(cx, first, null);
  for (const item of others) {
    const reason = (shown: Snapshot): Reason => ({
      kind: "element",
      first: (first ?? item).span,
      type: shown.type(element),
    });
    infer(cx, item, { type: element, reason });
  }
  return cx.settle(expr, arrayTy(element), expected, subjectOf(expr));
}

/** `a ! i`. */
export function inferIndex(cx: Context, expr: Of<"index">, expected: Expected | null, infer: Infer): Ty {
  const operand = {
    kind: "operand",
    operator: "!",
    operatorSpan: expr.operatorSpan,
    leftOf: null,
    other: null,
  } as const;
  const element = cx.unifier.fresh();
  const before = cx.mistakes.length;
  infer(cx, expr.array, { type: arrayTy(element), reason: { ...operand, side: "left" } });
  const isWrong = isWrongSince(cx, before, expr.operatorSpan);
  infer(cx, expr.index, { type: intTy, reason: { ...operand, side: "right" } });
  return cx.settle(expr, isWrong ? holeTy : element, expected, { kind: "operator", operator: "!" });
}

function isOpen(type: Ty): boolean {
  const end = prune(type);
  return end.kind === "variable" && end.rigid === null && end.constraint === "any";
}
