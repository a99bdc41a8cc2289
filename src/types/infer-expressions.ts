// Expressions. `expected`, where there is one, is the type that the surroundings ask for; it reaches the innermost expression that decides,
// so that a mistake is shown where it is. Chains (`let` after `let`, `else if`, operators, application) are walked in loops, since generated
// programs have very long ones.

import type * as Tree from "../syntax/tree.js";
import { type Context, type Expected, reasonOf } from "./context.js";
import { inferApply } from "./infer-apply.js";
import { builtInType } from "./built-in.js";
import { inferArray, inferIndex } from "./infer-arrays.js";
import { inferGroup } from "./infer-groups.js";
import { inferLogical, inferOperators } from "./infer-operators.js";
import { inferPattern } from "./infer-patterns.js";
import { inferField, inferRecord, inferUpdate } from "./infer-records.js";
import { outermost, type Reason } from "./mistakes.js";
import { operationType, useOperation } from "./operations.js";
import { localFunctions } from "./scope.js";
import type { Snapshot } from "./snapshot.js";
import { subjectOf } from "./subject.js";
import { type Ty, boolTy, fnTy, fnTys, holeTy, prune, realTy } from "./ty.js";

type Of<K extends Tree.Expr["kind"]> = Extract<Tree.Expr, { kind: K }>;

/** The type of an expression. */
export function inferExpr(cx: Context, expr: Tree.Expr, expected: Expected | null): Ty {
  return cx.nested("expression", expr.span, () => inferChain(cx, expr, expected), holeTy);
}

/** Follows an expression to where its value comes from; what is passed on the way has the same type. */
function inferChain(cx: Context, start: Tree.Expr, asked: Expected | null): Ty {
  const passed: Tree.Expr[] = [];
  const answers: Ty[] = [];
  const decide = (type: Ty): void => {
    for (const node of passed) cx.types.set(node, type);
    passed.length = 0;
    if (answers.length === 0) answers.push(type);
  };
  let expr = start;
  let expected = asked;
  for (;;) {
    cx.unifier.allowNode();
    switch (expr.kind) {
      case "let":
      case "letFunction":
        inferBinding(cx, expr);
        passed.push(expr);
        expr = expr.body;
        continue;
      case "if": {
        inferExpr(cx, expr.cond, { type: boolTy, reason: { kind: "condition" } });
        expected = inferBranch(cx, expr.then, expected, { kind: "branches", of: "if", first: expr.then.span });
        passed.push(expr);
        expr = expr.else;
        continue;
      }
      case "case": {
        const scrutinee = inferExpr(cx, expr.scrutinee, null);
        let matched: Expected = { type: scrutinee, reason: { kind: "scrutinee", span: expr.scrutinee.span } };
        const last = expr.branches.at(-1);
        const [first] = expr.branches;
        if (last === undefined || first === undefined) {
          decide(cx.settle(expr, holeTy, expected, { kind: "other" }));
          return answers[0] ?? holeTy;
        }
        const reason: Reason = { kind: "branches", of: "case", first: first.body.span };
        for (const branch of expr.branches) {
          const before = cx.mistakes.length;
          inferPattern(cx, branch.pattern, matched);
          // The others would not fit what is matched for the same reason
          if (
            cx.mistakes
              .slice(before)
              .some((mistake) => mistake.kind === "mismatch" && mistake.span === branch.pattern.span)
          )
            matched = { ...matched, type: holeTy };
          if (branch !== last) expected = inferBranch(cx, branch.body, expected, reason);
        }
        passed.push(expr);
        expr = last.body;
        continue;
      }
      case "binary":
        if (expr.operator === "::") {
          const { result, tail } = inferCons(cx, expr, expected);
          decide(result);
          expected = tail;
          expr = expr.right;
          continue;
        }
        break;
      default:
        break;
    }
    const type = inferNode(cx, expr, expected);
    decide(type);
    return answers[0] ?? type;
  }
}

/** A branch that is not the last. Where nothing is expected of the branches yet, this one decides what is expected of the others. */
function inferBranch(cx: Context, body: Tree.Expr, expected: Expected | null, reason: Reason): Expected {
  const open = expected === null || (prune(expected.type).kind === "variable" && !isRigid(expected.type));
  const type = inferExpr(cx, body, expected);
  return open ? { type, reason } : expected;
}

function isRigid(type: Ty): boolean {
  const end = prune(type);
  return end.kind === "variable" && end.rigid !== null;
}

function inferNode(cx: Context, expr: Tree.Expr, expected: Expected | null): Ty {
  switch (expr.kind) {
    case "variable":
      return inferVariable(cx, expr, expected);
    case "constructor": {
      const info = cx.constructorNamed(expr.name);
      if (info === null) return cx.settle(expr, holeTy, expected, { kind: "other" });
      cx.constructors.set(expr, info);
      const { fields, result } = cx.constructorAt(info);
      return cx.settle(expr, fnTys(fields, result), expected, subjectOf(expr));
    }
    case "real":
      if (!Number.isFinite(Number(expr.text))) {
        cx.mistakes.push({ kind: "realRange", text: expr.text, span: expr.span });
      }
      return cx.settle(expr, realTy, expected, subjectOf(expr));
    case "number":
      if (!Number.isSafeInteger(Number(expr.text))) {
        cx.mistakes.push({ kind: "integerRange", text: expr.text, span: expr.span });
      }
      return cx.settle(expr, cx.unifier.fresh("numeric"), expected, subjectOf(expr));
    case "boolean":
      return cx.settle(expr, boolTy, expected, subjectOf(expr));
    case "tuple":
    case "parallel":
      return inferTuple(cx, expr, expected);
    case "array":
      return inferArray(cx, expr, expected, inferExpr);
    case "index":
      return inferIndex(cx, expr, expected, inferExpr);
    case "field":
      return inferField(cx, expr, expected, inferExpr);
    case "record":
      return inferRecord(cx, expr, expected, inferExpr);
    case "update":
      return inferUpdate(cx, expr, expected, inferExpr);
    case "operator":
      return inferOperatorFunction(cx, expr, expected);
    case "lambda":
      return inferLambda(cx, expr, expected);
    case "apply":
      return inferApply(cx, expr, expected, inferExpr);
    case "ascribed": {
      const type = cx.annotation(expr.type);
      const before = cx.mistakes.length;
      inferExpr(cx, expr.expr, { type, reason: { kind: "annotation", span: expr.type.span, name: null } });
      // Either may be what is meant
      const isWrong = cx.mistakes.slice(before).some((mistake) => {
        const reason = mistake.kind === "mismatch" ? outermost(mistake.reason) : null;
        return reason?.kind === "annotation" && reason.span === expr.type.span;
      });
      return cx.settle(expr, isWrong ? holeTy : type, expected, subjectOf(expr));
    }
    case "binary":
      if (expr.operator === "&&" || expr.operator === "||") return inferLogical(cx, expr, expected, inferExpr);
      return inferOperators(cx, expr, expected, inferExpr);
    case "negate":
      return inferOperators(cx, expr, expected, inferExpr);
    // Followed by inferChain
    case "let":
    case "letFunction":
    case "if":
    case "case":
      return inferChain(cx, expr, expected);
  }
}

function inferVariable(cx: Context, expr: Of<"variable">, expected: Expected | null): Ty {
  const use = cx.scope.uses.get(expr);
  const subject = { kind: "name", name: expr.name.name } as const;
  switch (use?.kind) {
    case undefined:
      return cx.settle(expr, holeTy, expected, subject);
    case "local":
      return cx.settle(expr, use.type, expected, subject);
    case "function": {
      if (use.variables.length === 0) return cx.settle(expr, use.type, expected, subject);
      const args = use.variables.map(({ constraint }) => cx.unifier.fresh(constraint));
      cx.instances.set(expr, args);
      const [type = holeTy] = cx.unifier.instantiate(use.variables, [use.type], args);
      return cx.settle(expr, type, expected, subject);
    }
    case "primitive": {
      const operation = useOperation(use.name, cx.unifier);
      cx.instances.set(expr, [operation.operand]);
      return cx.settle(expr, operationType(operation), expected, subject);
    }
    case "builtIn":
      return cx.settle(expr, builtInType(use.name, cx.unifier.fresh(), cx.unifier.fresh()), expected, subject);
    case "projection": {
      const items = [cx.unifier.fresh(), cx.unifier.fresh()];
      return cx.settle(expr, fnTy({ kind: "tuple", items }, items[use.index] ?? holeTy), expected, subject);
    }
  }
}

function inferTuple(cx: Context, expr: Of<"tuple" | "parallel">, expected: Expected | null): Ty {
  const wanted = expected === null ? null : prune(expected.type);
  if (expected !== null && wanted?.kind === "tuple" && wanted.items.length === expr.items.length) {
    for (const [i, item] of expr.items.entries()) {
      const reason = (shown: Snapshot): Reason => ({
        kind: "component",
        position: i + 1,
        outer: reasonOf(expected, shown),
      });
      inferExpr(cx, item, { type: wanted.items[i] ?? holeTy, reason });
    }
    return cx.settle(expr, wanted, null, subjectOf(expr));
  }
  const items = expr.items.map((item) => inferExpr(cx, item, null));
  return cx.settle(expr, { kind: "tuple", items }, expected, subjectOf(expr));
}

function inferLambda(cx: Context, expr: Of<"lambda">, expected: Expected | null): Ty {
  const params: Ty[] = [];
  let rest: Ty | null = expected === null ? null : prune(expected.type);
  for (const param of expr.params) {
    if (expected !== null && rest?.kind === "fn") {
      params.push(inferPattern(cx, param, { type: rest.from, reason: { kind: "parameter" } }));
      rest = prune(rest.to);
    } else {
      params.push(inferPattern(cx, param, null));
      rest = null;
    }
  }
  const [only] = expr.params;
  const items = expr.params.length === 1 && only?.kind === "tuple" ? only.items.length : null;
  const body = inferExpr(
    cx,
    expr.body,
    expected === null || rest === null
      ? null
      : { type: rest, reason: items === null ? expected.reason : tupleLambdaReason(items, expected) },
  );
  return cx.settle(expr, fnTys(params, body), expected, subjectOf(expr));
}

function tupleLambdaReason(items: number, expected: Expected): (shown: Snapshot) => Reason {
  return (shown) => ({ kind: "tupleLambda", items, outer: reasonOf(expected, shown) });
}

/** `(+)`, `(::)`, `(&&)`. */
function inferOperatorFunction(cx: Context, expr: Of<"operator">, expected: Expected | null): Ty {
  const { operator } = expr;
  if (operator === "&&" || operator === "||") {
    return cx.settle(expr, fnTys([boolTy, boolTy], boolTy), expected, subjectOf(expr));
  }
  if (operator === "::") {
    const info = cx.constructorNamed({ name: "Cons", span: expr.span });
    if (info === null) return cx.settle(expr, holeTy, expected, subjectOf(expr));
    cx.constructors.set(expr, info);
    const { fields, result } = cx.constructorAt(info);
    return cx.settle(expr, fnTys(fields, result), expected, subjectOf(expr));
  }
  const operation = useOperation(operator, cx.unifier);
  cx.instances.set(expr, [operation.operand]);
  return cx.settle(expr, operationType(operation), expected, subjectOf(expr));
}

/** One cell of `x :: y :: ..`: the constructor `Cons` in scope. */
function inferCons(
  cx: Context,
  expr: Of<"binary">,
  expected: Expected | null,
): { readonly result: Ty; readonly tail: Expected } {
  const info = cx.constructorNamed({ name: "Cons", span: expr.operatorSpan });
  const operand = { kind: "operand", operator: "::", operatorSpan: expr.operatorSpan, leftOf: null } as const;
  const other = { kind: "other" } as const;
  const shape = info === null ? null : cx.constructorAt(info);
  if (info === null || shape?.fields.length !== 2) {
    if (info !== null) {
      const fields = info.fields.length;
      cx.mistakes.push({ kind: "infixConstructor", span: expr.operatorSpan, fields, declared: info.span });
    }
    inferExpr(cx, expr.left, null);
    const result = cx.settle(expr, holeTy, expected, other);
    return { result, tail: { type: holeTy, reason: { ...operand, side: "right", other: null } } };
  }
  cx.constructors.set(expr, info);
  const [head = holeTy, tail = holeTy] = shape.fields;
  const result = cx.settle(expr, shape.result, expected, { kind: "operator", operator: "::" });
  inferExpr(cx, expr.left, { type: head, reason: { ...operand, side: "left", other: null } });
  const reason = (shown: Snapshot): Reason => {
    return { ...operand, side: "right", other: { type: shown.type(head), span: expr.left.span } };
  };
  return { result, tail: { type: tail, reason } };
}

function inferBinding(cx: Context, expr: Of<"let" | "letFunction">): void {
  const bindings = localFunctions(expr);
  if (bindings !== null) {
    inferLocalFunctions(cx, expr, bindings);
    return;
  }
  if (expr.kind !== "let") return;
  const { pattern, bound } = expr;
  if (pattern.kind === "variable" || pattern.kind === "wildcard") {
    const type = inferExpr(cx, bound, null);
    inferPattern(cx, pattern, { type, reason: { kind: "bound", span: bound.span } });
  } else if (pattern.kind === "ascribed") {
    const type = inferPattern(cx, pattern, null);
    inferExpr(cx, bound, { type, reason: { kind: "annotation", span: pattern.type.span, name: null } });
  } else {
    const type = inferExpr(cx, bound, null);
    inferPattern(cx, pattern, { type, reason: { kind: "bound", span: bound.span } });
  }
}

function inferLocalFunctions(
  cx: Context,
  expr: Of<"let" | "letFunction">,
  bindings: readonly Tree.FunctionBinding[],
): void {
  const recursive = expr.kind === "letFunction" && expr.recursive;
  const members = bindings.flatMap((binding) => {
    const symbol = cx.scope.functions.get(binding.name);
    return symbol === undefined
      ? []
      : [{ binding, symbol, origin: { doc: "", own: true, extern: null, isFused: false } }];
  });
  inferGroup(cx, members, recursive, (body, expected) => {
    // Counts twice, as it takes twice the stack
    cx.nested("expression", body.span, () => inferExpr(cx, body, expected), holeTy);
  });
}
