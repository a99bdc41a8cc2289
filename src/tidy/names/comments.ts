// Comments on what is saved for the reverse sweep say what is saved by the name that it has in the end; those on what is not saved any more go.

import { nameOf, savedIn } from "../../typescript/called.js";
import { mapBlocks, visitParts, visitStatements, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";

/** The comments of a function whose variables have the names that they shall have: what they are on is not said yet. */
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
  const visiting: Visiting = {
    expr: (expr) => {
      if (
        expr.kind === "assign" &&
        expr.op === "=" &&
        expr.target.kind === "index" &&
        expr.target.object.kind === "id"
      ) {
        stored.set(expr.target.object.name, expr.value);
      }
      if (
        expr.kind === "call" &&
        expr.fn.kind === "member" &&
        expr.fn.name === "push" &&
        expr.fn.object.kind === "id"
      ) {
        const [value] = expr.args;
        if (value !== undefined) stored.set(expr.fn.object.name, value);
      }
      if (expr.kind === "call" && expr.fn.kind === "id" && expr.fn.name === keep) {
        const [array, value] = expr.args;
        if (array?.kind === "id" && value !== undefined) stored.set(array.name, value);
      }
      visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) {
        visitStmt(stmt, visiting);
      }
    },
  };
  visiting.block(fn.body);
  return stored;
}
