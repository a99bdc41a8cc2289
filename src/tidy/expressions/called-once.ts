// Inlining of pullbacks that are called once, outside of loops.
//
//   const [a_, y] = pullback(a, 1);      function pullback(x, w) { .. return [w * y, z] }         const x = a; const w = 1; .. const a_ = w * y; const y = z;

import { isBlock } from "../../typescript/facts.js";
import { visitNames, visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsDeclaration, TsExpr, TsFunction, TsStmt, TsTarget } from "../../typescript/tree.js";
import { separated, type Bindings } from "../analysis/bindings.js";
import { surveyed } from "../analysis/survey.js";

/** Those of the named functions of a module that one place calls; each returns at its end alone. */
export function calledOnce(
  declarations: readonly TsDeclaration[],
  named: ReadonlySet<string>,
): ReadonlyMap<string, TsFunction> {
  if (named.size === 0) return new Map();
  const mentions = new Map<string, number>();
  const count = (name: string): void => void mentions.set(name, (mentions.get(name) ?? 0) + 1);
  for (const declaration of declarations) {
    if ("fn" in declaration) visitNames(declaration.fn.body, count);
    else if (declaration.kind === "statement") visitNames([declaration.stmt], count);
  }
  return new Map(
    declarations.flatMap((declaration) => {
      if (declaration.kind !== "function" || !named.has(declaration.fn.name)) return [];
      const { fn } = declaration;
      return mentions.get(fn.name) === 1 && fn.body.at(-1)?.kind === "return" && returnsIn(fn.body) === 1 ? [[fn.name, fn] as const] : []; // prettier-ignore
    }),
  );
}

export function withOnceCalled(fn: TsFunction, bindings: Bindings, once: ReadonlyMap<string, TsFunction>): TsFunction {
  if (once.size === 0) return fn;
  const body = fn.body.flatMap((stmt) => inlinedCall(stmt, bindings, once) ?? [stmt]);
  if (body.length === fn.body.length) return fn;
  // What it has called may do the same
  return withOnceCalled({ ...fn, body }, bindings, once);
}

/** The statements of what a statement calls; null where that is none of these functions. */
function inlinedCall(
  stmt: TsStmt,
  bindings: Bindings,
  once: ReadonlyMap<string, TsFunction>,
): readonly TsStmt[] | null {
  const value = stmt.kind === "const" ? stmt.init : stmt.kind === "return" ? stmt.value : null;
  if (value?.kind !== "call" || value.fn.kind !== "id") return null;
  const callee = once.get(value.fn.name);
  if (callee === undefined) return null;
  const { params, body } = separated(callee, bindings);
  const last = body.at(-1);
  if (last?.kind !== "return" || last.value === null) return null;
  const { variables } = surveyed({ ...callee, params, body });
  const given = params.map(({ name, type }, index): TsStmt => {
    const init = value.args[index] ?? { kind: "undefined" };
    return variables.get(name)?.writes === 0 ? { kind: "const", target: name, type: null, init } : { kind: "let", name, type, init }; // prettier-ignore
  });
  const end = stmt.kind === "const" ? bound(stmt.target, last.value) : [last];
  return [...given, ...body.slice(0, -1), ...end];
}

function bound(target: TsTarget, value: TsExpr): readonly TsStmt[] {
  const plain = value.kind === "as" ? value.expr : value;
  if (typeof target === "string" || plain.kind !== "array") return [{ kind: "const", target, type: null, init: value }];
  return plain.items.flatMap((init, index): TsStmt[] => {
    const name = target[index] ?? null;
    return name === null ? [] : [{ kind: "const", target: name, type: null, init }];
  });
}

/** How many returns of a function its statements hold, without those of functions in it. */
function returnsIn(body: readonly TsStmt[]): number {
  let found = 0;
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind !== "arrow") visitParts(expr, visiting);
      else if (!isBlock(expr.body)) visiting.expr(expr.body);
    },
    block: (stmts) => {
      for (const stmt of stmts) {
        if (stmt.kind === "return") found++;
        if (stmt.kind !== "function") visitStmt(stmt, visiting);
      }
    },
  };
  visiting.block(body);
  return found;
}
