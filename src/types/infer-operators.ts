// Arithmetic and comparisons.

import type { OverloadedName } from "../core/primitives.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { Context, Expected } from "./context.js";
import type { Infer } from "./infer-apply.js";
import { type OperationUse, useOperation } from "./operations.js";
import { outermost, type Reason } from "./mistakes.js";
import { subjectOf } from "./subject.js";
import { type Ty, boolTy, holeTy, prune } from "./ty.js";

type Binary = Extract<Tree.Expr, { kind: "binary" }>;
type Negate = Extract<Tree.Expr, { kind: "negate" }>;
type Arithmetic = Exclude<Tree.BinaryOperator, "&&" | "||" | "::">;

interface Operation {
  readonly node: Binary;
  readonly operator: Arithmetic;
}

/** `-s`, and `s op t` with every operation that its left operands are. */
export function inferOperators(cx: Context, expr: Binary | Negate, expected: Expected | null, infer: Infer): Ty {
  if (expr.kind === "negate") return inferNegation(cx, expr, expected, infer);
  const operations: Operation[] = [];
  let leftmost: Tree.Expr = expr;
  while (leftmost.kind === "binary") {
    const operator = arithmetic(leftmost.operator);
    if (operator === null) break;
    operations.push({ node: leftmost, operator });
    leftmost = leftmost.left;
  }
  let leftType: Ty | null = null;
  for (let i = operations.length - 1; i >= 0; i -= 1) {
    const operation = operations[i];
    if (operation === undefined) break;
    const leftOf = operations[i - 1]?.operator ?? null;
    leftType = inferOperation(cx, { ...operation, leftOf }, leftType, i === 0 ? expected : null, infer);
  }
  return leftType ?? holeTy;
}

/** `s && t`, `s || t`, with every such operation that the left operand is. */
export function inferLogical(cx: Context, expr: Binary, expected: Expected | null, infer: Infer): Ty {
  const nodes: Binary[] = [];
  let leftmost: Tree.Expr = expr;
  while (leftmost.kind === "binary" && isLogical(leftmost.operator)) {
    nodes.push(leftmost);
    leftmost = leftmost.left;
  }
  nodes.reverse();
  for (const node of nodes) {
    const { operator, operatorSpan, left, right } = node;
    const before = cx.mistakes.length;
    if (left === leftmost) infer(cx, left, { type: boolTy, reason: operandReason(operator, "left", operatorSpan) });
    infer(cx, right, { type: boolTy, reason: operandReason(operator, "right", operatorSpan) });
    const isWrong = isWrongSince(cx, before, operatorSpan);
    cx.settle(node, isWrong ? holeTy : boolTy, node === expr ? expected : null, { kind: "operator", operator });
  }
  return boolTy;
}

/** `leftType` is the type of the left operand where that is inferred already. */
function inferOperation(
  cx: Context,
  { node, operator, leftOf }: Operation & { readonly leftOf: string | null },
  leftType: Ty | null,
  expected: Expected | null,
  infer: Infer,
): Ty {
  const use = useOperation(operator, cx.unifier);
  cx.instances.set(node, [use.operand]);
  const left: Expected = { type: use.params[0] ?? holeTy, reason: operandReason(operator, "left", node.operatorSpan) };
  const before = cx.mistakes.length;
  if (leftType === null) infer(cx, node.left, left);
  else cx.expect(node.left.span, leftType, left, subjectOf(node.left));
  infer(cx, node.right, rightOperand(node, { ...operandReason(operator, "right", node.operatorSpan), leftOf }, use));
  const result = isWrongSince(cx, before, node.operatorSpan) ? holeTy : use.result;
  return cx.settle(node, result, expected, { kind: "operator", operator });
}

/** The right operand; where it must have the left one's type, the message can say so. */
function rightOperand(node: Binary, reason: OperandReason, { params, operand }: OperationUse): Expected {
  const type = params[1] ?? holeTy;
  const isShared = type === operand && params[0] === operand && reason.operator !== "/";
  if (!isShared) return { type, reason };
  return {
    type,
    reason: (shown) => {
      const left = prune(operand);
      const isKnown = left.kind === "real" || left.kind === "int" || left.kind === "bool";
      return { ...reason, other: isKnown ? { type: shown.type(left), span: node.left.span } : null };
    },
  };
}

function inferNegation(cx: Context, expr: Negate, expected: Expected | null, infer: Infer): Ty {
  const use = useOperation("negate", cx.unifier);
  cx.instances.set(expr, [use.operand]);
  const operatorSpan: Span = { ...expr.span, end: expr.span.start + 1 };
  const before = cx.mistakes.length;
  infer(cx, expr.expr, { type: use.operand, reason: operandReason("-", "only", operatorSpan) });
  return cx.settle(expr, isWrongSince(cx, before, operatorSpan) ? holeTy : use.result, expected, {
    kind: "operator",
    operator: "-",
  });
}

/** Whether an operand of the operation has been found wrong: its result, as it is known, is not to be blamed for it as well. */
export function isWrongSince({ mistakes }: Context, before: number, operatorSpan: Span): boolean {
  return mistakes.slice(before).some((mistake) => {
    const reason = mistake.kind === "mismatch" ? outermost(mistake.reason) : null;
    return reason?.kind === "operand" && reason.operatorSpan === operatorSpan;
  });
}

type OperandReason = Extract<Reason, { kind: "operand" }>;

function operandReason(operator: string, side: OperandReason["side"], operatorSpan: Span): OperandReason {
  return { kind: "operand", operator, side, operatorSpan, leftOf: null, other: null };
}

function arithmetic(operator: Tree.BinaryOperator): (Arithmetic & OverloadedName) | null {
  return isLogical(operator) || operator === "::" ? null : operator;
}

function isLogical(operator: Tree.BinaryOperator): operator is "&&" | "||" {
  return operator === "&&" || operator === "||";
}
