// Groups of definitions or local functions: inferred together at one type each, then generalised.

import type * as Tree from "../syntax/tree.js";
import type { Context, Expected } from "./context.js";
import { inferPattern } from "./infer-patterns.js";
import { settlePostponed } from "./infer-records.js";
import type { FunctionSymbol } from "./scope.js";
import { type Ty, type TypeVariables, type Variable, fnTys } from "./ty.js";

export interface GroupMember {
  readonly binding: Tree.FunctionBinding;
  readonly symbol: FunctionSymbol;
  readonly origin: Origin;
}

/** What the item of a definition says beside its text. */
export interface Origin {
  readonly doc: string;
  readonly own: boolean;
  readonly extern: Tree.ExternItem | null;
  readonly isFused: boolean;
}

/** Gives the symbols of a group their types. `inferBody` infers an expression. */
export function inferGroup(
  cx: Context,
  members: readonly GroupMember[],
  recursive: boolean,
  inferBody: (body: Tree.Expr, expected: Expected) => void,
): void {
  const { unifier } = cx;
  unifier.level += 1;
  const signatures = members.map((member) => readSignature(cx, member));
  if (recursive) {
    for (const { member, type } of signatures) {
      member.symbol.type = type;
      member.symbol.open = true;
    }
  }
  for (const { member, result, variables } of signatures) {
    const { name, result: annotated, body } = member.binding;
    const expected: Expected = {
      type: result,
      reason:
        annotated === null
          ? { kind: "recursion", name: name.name }
          : { kind: "annotation", span: annotated.span, name: name.name },
    };
    cx.withTypeVariables(variables, () => {
      inferBody(body, expected);
    });
  }
  if (cx.postponed.length > 0) settlePostponed(cx, unifier.level - 1);
  unifier.level -= 1;
  for (const { member, type } of signatures) {
    const { symbol, binding } = member;
    symbol.type = type;
    symbol.open = false;
    symbol.variables = unifier.generalise(type, (variable) => isQuantified(variable, binding));
  }
}

/** Numeric variables are generalised in bindings with parameters alone; those of `==` never: one definition compares one type. */
function isQuantified({ constraint }: Variable, { params }: Tree.FunctionBinding): boolean {
  return constraint === "any" || (constraint === "numeric" && params.length > 0);
}

interface Signature {
  readonly member: GroupMember;
  readonly type: Ty;
  readonly result: Ty;
  readonly variables: TypeVariables;
}

function readSignature(cx: Context, member: GroupMember): Signature {
  const { params, result, name } = member.binding;
  const variables: TypeVariables = { owner: name, level: cx.unifier.level, variables: new Map() };
  return cx.withTypeVariables(variables, () => {
    const types = params.map((param) => inferPattern(cx, param, null));
    const resultType = result === null ? cx.unifier.fresh() : cx.annotation(result);
    return { member, type: fnTys(types, resultType), result: resultType, variables };
  });
}
