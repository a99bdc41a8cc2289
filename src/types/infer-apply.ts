// Application: all arguments of a call are looked at together, so that messages can speak of the call.

import type * as Tree from "../syntax/tree.js";
import { argumentReason, isOutOfOrder } from "./argument-order.js";
import type { Context, Expected } from "./context.js";
import type { Reason, Subject, TypeMistake } from "./mistakes.js";
import { subjectOf } from "./subject.js";
import { type Ty, fnTy, holeTy, prune } from "./ty.js";

type Apply = Extract<Tree.Expr, { kind: "apply" }>;

export type Infer = (cx: Context, expr: Tree.Expr, expected: Expected | null) => Ty;

/** `f s1 .. sn`. */
export function inferApply(cx: Context, call: Apply, expected: Expected | null, infer: Infer): Ty {
  const nodes: Apply[] = [];
  let innermost: Tree.Expr = call;
  for (; innermost.kind === "apply"; innermost = innermost.fn) nodes.push(innermost);
  nodes.reverse();
  const fn = innermost;
  const callee = subjectOf(fn);
  const calleeType = infer(cx, fn, null);
  if (wantsTuple(calleeType, nodes.length)) {
    reportNotFunction(cx, fn, callee, calleeType, calleeType, 0, nodes);
    for (const node of nodes) {
      infer(cx, node.arg, null);
      cx.settle(node, holeTy, null, callee);
    }
    return cx.settle(call, holeTy, expected, callee);
  }
  let type = calleeType;
  let taken = 0;
  for (const node of nodes) {
    const at = prune(type);
    const given = nodes.length;
    if (at.kind === "fn") {
      const position = taken + 1;
      const reason = (): Reason => {
        const use = cx.scope.uses.get(fn);
        const recursive = use?.kind === "function" && use.open;
        return { kind: "argument", callee, position, given, calleeType: cx.show(calleeType), recursive };
      };
      const before = cx.mistakes.length;
      infer(cx, node.arg, { type: at.from, reason });
      // What would be said of the others, and of the result, would follow from this
      type = cx.mistakes.slice(before).some((mistake) => isOutOfPlace(mistake, callee)) ? holeTy : at.to;
    } else if (at.kind === "variable" && at.rigid === null && at.constraint === "any") {
      const arg = infer(cx, node.arg, null);
      const result = cx.unifier.fresh();
      cx.expect(fn.span, fnTy(arg, result), { type: at, reason: { kind: "called" } }, callee);
      type = result;
    } else {
      infer(cx, node.arg, null);
      if (at.kind !== "hole") reportNotFunction(cx, fn, callee, calleeType, type, taken, nodes);
      type = holeTy;
    }
    taken += 1;
    if (node === call) return cx.settle(call, type, expected, subjectOf(call));
    cx.settle(node, type, null, callee);
  }
  return type;
}

/** Whether a mistake is that an argument of a call stands in the place of another. */
function isOutOfPlace(mistake: TypeMistake, callee: Subject): boolean {
  return mistake.kind === "mismatch" && isOutOfOrder(mistake) && argumentReason(mistake)?.callee === callee;
}

function reportNotFunction(
  cx: Context,
  fn: Tree.Expr,
  callee: Subject,
  calleeType: Ty,
  result: Ty,
  takes: number,
  nodes: readonly Apply[],
): void {
  const shown = cx.snapshot();
  const first = nodes[takes]?.arg.span ?? fn.span;
  const last = nodes.at(-1)?.arg.span ?? fn.span;
  cx.mistakes.push({
    kind: "notFunction",
    span: { ...first, end: last.end },
    callee,
    calleeSpan: fn.span,
    type: shown.type(calleeType),
    result: shown.type(result),
    takes,
    given: nodes.length,
    wantsTuple: wantsTuple(calleeType, nodes.length),
  });
}

/** Whether a function takes as one tuple what a call gives it one by one. */
function wantsTuple(calleeType: Ty, given: number): boolean {
  const type = prune(calleeType);
  if (type.kind !== "fn" || given < 2) return false;
  const from = prune(type.from);
  const to = prune(type.to);
  return from.kind === "tuple" && from.items.length === given && to.kind !== "fn" && to.kind !== "variable";
}
