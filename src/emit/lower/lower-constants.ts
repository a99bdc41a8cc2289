// Constants: definitions without parameters, computed at most once.

import type { DefinitionContext, KnownFunction } from "./frame.js";
import { lowerFunction } from "./lower-function.js";
import type { Scope } from "../../typescript/naming.js";
import * as ts from "../../typescript/build.js";
import type { TsDeclaration, TsExpr } from "../../typescript/tree.js";

export interface LoweredConstant {
  readonly declarations: readonly TsDeclaration[];
  /** The variable that remembers the value; null where the constant is a `const` of the module. */
  readonly memo: string | null;
}

/** `const g = 9.81;`, or a function that remembers what it has computed: always one where other modules call it (`isLinked`), which do not know what it is. */
export function lowerConstant(
  known: KnownFunction,
  context: DefinitionContext,
  values: Scope,
  isLinked: boolean,
): LoweredConstant {
  const functions = lowerFunction(known, context, values, 0);
  const [plain] = functions;
  const [only, ...others] = plain?.body ?? [];
  const value = only?.kind === "return" && others.length === 0 ? only.value : null;
  if (!isLinked && value !== null && isArithmetic(value)) {
    return { declarations: [{ kind: "statement", doc: "", stmt: ts.constant(known.name, null, value) }], memo: null };
  }
  const memo = values.fresh(`${known.name}Value`);
  const type = context.module.types.lower(known.fn.result);
  const remembered: TsDeclaration = {
    kind: "statement",
    doc: "",
    stmt: { kind: "let", name: memo, type: { kind: "union", members: [type, ts.typeName("undefined")] }, init: null },
  };
  const declarations = functions.flatMap((fn): readonly TsDeclaration[] => {
    if (fn !== plain) return [{ kind: "function", doc: "", exported: false, fn }];
    const compute = value ?? ts.callOf(ts.thunk(fn.body));
    const remember: TsExpr = { kind: "assign", op: "??=", target: ts.id(memo), value: compute };
    return [{ kind: "function", doc: "", exported: false, fn: { ...fn, body: [ts.returned(remember)] } }];
  });
  return { declarations: [remembered, ...declarations], memo };
}

/** Numbers, other constants and arithmetic: cheap, total and without effect, so that bundlers can drop it. */
function isArithmetic(expr: TsExpr): boolean {
  switch (expr.kind) {
    case "number":
    case "boolean":
    case "id":
      return true;
    case "unary":
      return isArithmetic(expr.arg);
    case "binary":
      return isArithmetic(expr.left) && isArithmetic(expr.right);
    default:
      return false;
  }
}
