// Inlining of pullbacks that one place calls.
//
//   const [a_, y] = pullback(a, 1);      function pullback(x, w) { .. return [w * y, z] }         const x = a; const w = 1; .. const a_ = w * y; const y = z;

import { isBlock } from "../../typescript/facts.js";
import {
  mapBlocks,
  visitNames,
  visitParts,
  visitStatements,
  visitStmt,
  type Visiting,
} from "../../typescript/traverse.js";
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
      return mentions.get(fn.name) === 1 && fn.body.at(-1)?.kind === "return" && returnsIn(fn.body) === 1 && !hasLabels(fn.body) ? [[fn.name, fn] as const] : []; // prettier-ignore
    }),
  );
}

export function withOnceCalled(fn: TsFunction, bindings: Bindings, once: ReadonlyMap<string, TsFunction>): TsFunction {
  if (once.size === 0) return fn;
  // What calls itself is not called from anywhere else
  const left = new Map([...once].filter(([name]) => name !== fn.name));
  const inlined = mapBlocks(fn, (body) => {
    const called = body.flatMap((stmt) => {
      const callee = calleeOf(stmt, left);
      const stmts = callee === null ? null : inlinedCall(stmt, callee, bindings);
      if (callee === null || stmts === null) return [stmt];
      left.delete(callee.name);
      return stmts;
    });
    return called;
  });
  // What it has called may do the same
  return inlined === fn ? fn : withOnceCalled(inlined, bindings, left);
}

function calleeOf(stmt: TsStmt, once: ReadonlyMap<string, TsFunction>): TsFunction | null {
  const value = calledBy(stmt);
  return value?.fn.kind === "id" ? (once.get(value.fn.name) ?? null) : null;
}

/** The call whose result a statement binds, or returns. */
function calledBy(stmt: TsStmt): (TsExpr & { readonly kind: "call" }) | null {
  const value = stmt.kind === "const" ? stmt.init : stmt.kind === "return" ? stmt.value : null;
  return value?.kind === "call" ? value : null;
}

/** The statements of what a statement calls; null where they end in no result. */
function inlinedCall(stmt: TsStmt, callee: TsFunction, bindings: Bindings): readonly TsStmt[] | null {
  const { params, body } = separated(callee, bindings);
  const last = body.at(-1);
  if (last?.kind !== "return" || last.value === null) return null;
  const { variables } = surveyed({ ...callee, params, body });
  const given = params.map(({ name, type }, index): TsStmt => {
    const init = calledBy(stmt)?.args[index] ?? { kind: "undefined" };
    return variables.get(name)?.writes === 0 ? { kind: "const", target: name, type: null, init } : { kind: "let", name, type, init }; // prettier-ignore
  });
  const end = stmt.kind === "const" ? bound(stmt.target, last.value) : [last];
  return [...given, ...body.slice(0, -1), ...end];
}

function bound(target: TsTarget, value: TsExpr): readonly TsStmt[] {
  const plain = value.kind === "as" ? value.expr : value;
  if (typeof target === "string" || plain.kind !== "array") {
    // Arrays of numbers are what they are
    const isNumbers = value.kind === "as" && value.type.kind === "name" && value.type.name === "Float64Array";
    return [{ kind: "const", target, type: null, init: isNumbers ? plain : value }];
  }
  return plain.items.flatMap((init, index): TsStmt[] => {
    const name = target[index] ?? null;
    return name === null ? [] : [{ kind: "const", target: name, type: null, init }];
  });
}

/** Whether loops have labels, which those around the call may have, too. */
function hasLabels(body: readonly TsStmt[]): boolean {
  let found = false;
  visitStatements(body, (stmt) => {
    if (stmt.kind === "loop" && stmt.label !== null) found = true;
  });
  return found;
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
