// Comments on what is saved for the reverse sweep say what is saved by the name that it has in the end; those on what is not saved any more go.

import { sameItems } from "../../same.js";
import { mapBlocks, visitParts, visitStatements, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";

const pattern = /^\S+ of (each iteration, for the reverse sweep)$/;

const ofRows = /^\S+ of (.+, row by row)$/;

/** A comment on an array whose rows are saved: it is called after what they are. */
export function rowComment(store: string, which: "each iteration" | "all iterations"): string {
  return `${store} of ${which}, row by row`;
}

/** To be used when variables have their names. */
export function withComments(fn: TsFunction, keep: string | null): TsFunction {
  if (!hasPattern(fn.body)) return fn;
  const stored = storedIn(fn, keep);
  return mapBlocks(fn, (body) =>
    sameItems(
      body,
      body.flatMap((stmt, index) => said(stmt, body[index + 1], stored) ?? []),
    ),
  );
}

/** A statement with what is known by now, if it is a comment; null where it stands above something else than what it explains. */
function said(stmt: TsStmt, next: TsStmt | undefined, stored: ReadonlyMap<string, TsExpr>): TsStmt | null {
  if (stmt.kind !== "comment") return stmt;
  const rows = ofRows.exec(stmt.text)?.[1];
  const rest = pattern.exec(stmt.text)?.[1];
  if (rows === undefined && rest === undefined) return stmt;
  if (next?.kind !== "const" || typeof next.target !== "string" || !makesArray(next.init)) return null;
  if (rows !== undefined) return { kind: "comment", text: `${savedIn(next.target)} of ${rows}` };
  const value = stored.get(next.target);
  if (value === undefined) return stmt;
  return { kind: "comment", text: value.kind === "id" ? `${savedIn(value.name)} of ${rest}` : `Computed in ${rest}` };
}

/** What is saved in an array, or in its rows, by the name of that. */
function savedIn(name: string): string {
  return name.replace(/Saved(?:Rows|Tables)?\d*$/, "");
}

function makesArray({ kind }: TsExpr): boolean {
  return kind === "new" || kind === "call" || kind === "array";
}

function hasPattern(stmts: readonly TsStmt[]): boolean {
  let found = false;
  visitStatements(stmts, (stmt) => {
    if (stmt.kind === "comment" && (pattern.test(stmt.text) || ofRows.test(stmt.text))) found = true;
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
