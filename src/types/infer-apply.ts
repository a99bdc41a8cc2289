// Application: all arguments of a call are looked at together, so that messages can speak of the call.

import type { Type } from "../core/type.js";
import type * as Tree from "../syntax/tree.js";
import { argumentReason, isOutOfOrder } from "./argument-order.js";
import { type Context, type Expected, reasonOf } from "./context.js";
import { outermost, type Mismatch, type Reason, type Subject } from "./mistakes.js";
import type { Snapshot } from "./snapshot.js";
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
    reportNotFunction(cx, { fn, callee, calleeType, result: calleeType, takes: 0, nodes, inner: null, declared: null });
    for (const node of nodes) {
      infer(cx, node.arg, null);
      cx.settle(node, holeTy, null, callee);
    }
    return cx.settle(call, holeTy, expected, callee);
  }
  const most = mostArguments(calleeType);
  // What wrong arguments make of it is not to be shown
  const declared = most !== null && nodes.length > most ? cx.show(calleeType) : null;
  let type = calleeType;
  let taken = 0;
  /** What is wrong with the arguments: the result, as it is known, is not to be blamed for it as well. */
  const wrong: Mismatch[] = [];
  let isUnknown = false;
  for (const node of nodes) {
    const at = prune(type);
    const given = nodes.length;
    if (at.kind === "fn") {
      const position = taken + 1;
      const reason = (shown: Snapshot): Reason => {
        const use = cx.scope.uses.get(fn);
        const recursive = use?.kind === "function" && use.open;
        const operator = leftOperandOf(expected, shown);
        const hidesPrelude = cx.scope.hiding.has(fn);
        return { kind: "argument", callee, position, given, calleeType: shown.type(calleeType), recursive, operator, hidesPrelude }; // prettier-ignore
      };
      const before = cx.mistakes.length;
      infer(cx, node.arg, { type: at.from, reason });
      const found = cx.mistakes.slice(before).filter((mistake) => mistake.kind === "mismatch");
      wrong.push(...found.filter((mistake) => isAbout(mistake, callee)));
      // What would be said of the others would follow from this
      type = found.some((mistake) => isOutOfPlace(mistake, callee)) ? holeTy : at.to;
    } else if (at.kind === "variable" && at.rigid === null && at.constraint === "any") {
      const arg = infer(cx, node.arg, null);
      const result = cx.unifier.fresh();
      cx.expect(fn.span, fnTy(arg, result), { type: at, reason: { kind: "called" } }, callee);
      type = result;
    } else {
      infer(cx, node.arg, null);
      const isSurplus = at.kind !== "hole" || taken === most;
      if (isSurplus && !nodes.some(({ arg }) => isUndefined(cx, arg))) {
        cx.retract(wrong);
        const inner = taken === 0 ? functionNamed(cx, node.arg) : functionIn(wrong);
        const told = wrong.length > 0 ? declared : null;
        reportNotFunction(cx, { fn, callee, calleeType, result: type, takes: taken, nodes, inner, declared: told });
      }
      type = holeTy;
    }
    isUnknown ||= isUndefined(cx, node.arg);
    taken += 1;
    if (node === call) {
      const result = isUnknown || wrong.length > 0 ? holeTy : type;
      return cx.settle(call, result, expected, subjectOf(call));
    }
    cx.settle(node, type, null, callee);
  }
  return type;
}

/** How many arguments something of the type takes; null where its result may be a function. */
function mostArguments(type: Ty): number | null {
  let count = 0;
  let rest = prune(type);
  for (; rest.kind === "fn"; rest = prune(rest.to)) count += 1;
  const isOpen = rest.kind === "hole" || (rest.kind === "variable" && rest.rigid === null && rest.constraint === "any");
  return isOpen ? null : count;
}

/** The operator that has a call with this expectation as its left operand. */
function leftOperandOf(expected: Expected | null, shown: Snapshot): string | null {
  const reason = expected === null ? null : reasonOf(expected, shown);
  return reason?.kind === "operand" && reason.side === "left" ? reason.operator : null;
}

/** Whether an argument of a call, or a part of one, is not of its parameter's type. */
function isAbout({ reason }: Mismatch, callee: Subject): boolean {
  const whole = outermost(reason);
  return whole.kind === "argument" && whole.callee === callee;
}

/** Whether a mistake is that an argument of a call stands in the place of another. */
function isOutOfPlace(mistake: Mismatch, callee: Subject): boolean {
  return isOutOfOrder(mistake) && argumentReason(mistake)?.callee === callee;
}

/** A name that means nothing, which may well have been meant as a part of the name or the operator beside it. */
function isUndefined(cx: Context, arg: Tree.Expr): boolean {
  return (
    (arg.kind === "variable" && !cx.scope.uses.has(arg)) || (arg.kind === "constructor" && !cx.hasConstructor(arg.name))
  );
}

/** The first argument that is a function by its name where none is wanted. */
function functionIn(wrong: readonly Mismatch[]): string | null {
  for (const { subject, found } of wrong) if (subject.kind === "name" && found.kind === "fn") return subject.name;
  return null;
}

/** The name of a function that is an argument of what is none: `a mod b`. */
function functionNamed(cx: Context, arg: Tree.Expr): string | null {
  const type = cx.types.get(arg);
  return arg.kind === "variable" && type !== undefined && prune(type).kind === "fn" ? arg.name.name : null;
}

/** A call with more arguments than the callee takes. */
interface Surplus {
  readonly fn: Tree.Expr;
  readonly callee: Subject;
  readonly calleeType: Ty;
  /** What the callee is after the arguments that it takes. */
  readonly result: Ty;
  readonly takes: number;
  readonly nodes: readonly Apply[];
  readonly inner: string | null;
  /** The callee's type as it was in front of its arguments; null where these fit. */
  readonly declared: Type | null;
}

function reportNotFunction(cx: Context, surplus: Surplus): void {
  const { fn, callee, calleeType, result, takes, nodes, inner, declared } = surplus;
  const shown = cx.snapshot();
  const first = nodes[takes]?.arg.span ?? fn.span;
  const last = nodes.at(-1)?.arg.span ?? fn.span;
  cx.mistakes.push({
    kind: "notFunction",
    span: { ...first, end: last.end },
    callee,
    calleeSpan: fn.span,
    type: declared ?? shown.type(calleeType),
    result: shown.type(result),
    takes,
    given: nodes.length,
    wantsTuple: wantsTuple(calleeType, nodes.length),
    inner,
    repair: null,
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
