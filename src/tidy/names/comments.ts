// Comments on what is saved for the reverse sweep say what is saved by the name that it has in the end; those on what is not saved any more go.

import { nameOf, savedIn } from "../../typescript/called.js";
import { isName } from "../../typescript/facts.js";
import { mapBlocks, visitExpressions, visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";

/** A function whose comments say what they are on, or leave that to `named`, which comes next: the names that variables wish for are known. */
export function withComments(fn: TsFunction, bindings: Bindings, keep: string | null): TsFunction {
  if (!hasComments(fn.body)) return fn;
  const stored = storedIn(fn, keep);
  return mapBlocks(fn, (body) => body.flatMap((stmt, index) => said(stmt, body[index + 1], stored, bindings) ?? []));
}

/** A statement with what is known by now, if it is a comment; null where it stands above something else than what it explains. */
function said(
  stmt: TsStmt,
  next: TsStmt | undefined,
  stored: ReadonlyMap<string, TsExpr>,
  bindings: Bindings,
): TsStmt | null {
  if (stmt.kind !== "comment" || stmt.on === undefined) return stmt;
  if (next?.kind !== "const" || typeof next.target !== "string" || !makesArray(next.init)) return null;
  const { text } = stmt;
  const value = stmt.on === "rows" ? undefined : stored.get(next.target);
  if (value?.kind === "id") return { kind: "comment", text, subject: value.name };
  if (value !== undefined) return { kind: "comment", text: `Computed in ${text}` };
  return { kind: "comment", text: `${nameOf(savedIn(bindings.wanted(next.target)))} of ${text}` };
}

function makesArray({ kind }: TsExpr): boolean {
  return kind === "new" || kind === "call" || kind === "array";
}

function hasComments(stmts: readonly TsStmt[]): boolean {
  let found = false;
  visitStatements(stmts, (stmt) => {
    if (stmt.kind === "comment" && stmt.on !== undefined) found = true;
  });
  return found;
}

/** By array: what is stored in it; `keep` is the function that adds to one. */
export function storedIn(fn: TsFunction, keep: string | null): ReadonlyMap<string, TsExpr> {
  const stored = new Map<string, TsExpr>();
  visitExpressions(fn.body, (expr) => {
    if (expr.kind === "assign" && expr.op === "=" && expr.target.kind === "index" && expr.target.object.kind === "id")
      stored.set(expr.target.object.name, expr.value);
    if (expr.kind !== "call") return;
    const isPush = expr.fn.kind === "member" && expr.fn.name === "push";
    const [array, value] = isPush ? [expr.fn.object, expr.args[0]] : isName(expr.fn, keep ?? "") ? expr.args : [];
    if (value !== undefined && array.kind === "id") stored.set(array.name, value);
  });
  return stored;
}
