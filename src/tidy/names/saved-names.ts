// What is saved under a name of the compiler's own, and has turned out to be a variable of the source, is called after that one.
//
//   t3Saved[i] = total;  ..  const t3 = t3Saved[i]        totalSaved[i] = total;  ..  const total = totalSaved[i]

import { isTemporary } from "../../flat/naming.js";
import { visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction } from "../../typescript/tree.js";
import { isLocal, type Bindings } from "../analysis/bindings.js";
import { storedIn } from "./comments.js";

/** Where something is saved: an array, or a variable of the function around both sweeps. */
const place = /^(.+?)(?:Saved|Kept)+\d*$/;

/** Whether a name is of the compiler's own making, also where it is that of a place in which a variable is saved. */
export function isNameless(wanted: string, { temporary }: Bindings): boolean {
  return isTemporary(place.exec(wanted)?.[1] ?? wanted, temporary);
}

/** Saved in two loops, one inside the other, and in three of them or more. */
const nested = /(?:Saved){2,}(?=\d*$)/;

/** A name for what is saved in loops inside of loops: each iteration of the outer loop saves a row, or a table of rows. */
export function nestedName(wanted: string): string {
  return wanted.replace(nested, (all) => (all === "SavedSaved" ? "SavedRows" : "SavedTables"));
}

/** Changes the names that variables of a function have in the end. */
export function renameSaved(fn: TsFunction, bindings: Bindings, keep: string | null): void {
  const renamed = new Map<string, string>();
  const rename = (name: string, value: TsExpr, suffix: string): void => {
    if (value.kind !== "id" || !isLocal(value.name) || !isLocal(name)) return;
    const [wanted, own] = [bindings.wanted(value.name), bindings.wanted(name)];
    if (!place.test(own) || !isNameless(own, bindings) || isNameless(wanted, bindings)) return;
    renamed.set(name, wanted);
    bindings.rename(name, `${wanted}${suffix}`);
  };
  // An array stands before what is stored in the arrays that are stored in it
  for (const [array, value] of [...storedIn(fn, keep)].reverse()) rename(array, value, "Saved");
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return;
    const { target, value } = stmt.expr;
    if (target.kind === "id") rename(target.name, value, "Kept");
  });
  if (renamed.size === 0) return;
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string" || !isNameless(bindings.wanted(stmt.target), bindings))
      return;
    const saved = renamed.get(placeOf(stmt.init) ?? "");
    if (saved === undefined) return;
    bindings.rename(stmt.target, saved);
    renamed.set(stmt.target, saved.replace(/Saved\d*$/, ""));
  });
}

/** Where an expression has its value from. */
function placeOf(expr: TsExpr): string | null {
  if (expr.kind === "as") return placeOf(expr.expr);
  if (expr.kind === "index") return placeOf(expr.object);
  return expr.kind === "id" ? expr.name : null;
}
