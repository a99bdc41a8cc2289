// What is saved under a name of the compiler's own, and has turned out to be a variable of the source, is called after that one.
//
//   t3Saved[i] = total;  ..  const t3 = t3Saved[i]        totalSaved[i] = total;  ..  const total = totalSaved[i]

import { visitStatements } from "../../typescript/traverse.js";
import { calledAfter, isPlace, savedIn, withoutLast, type Called, type Role } from "../../typescript/called.js";
import type { TsExpr, TsFunction } from "../../typescript/tree.js";
import { isLocal, isStep, type Bindings } from "../analysis/bindings.js";
import { storedIn } from "./comments.js";

/** Whether nobody has named a variable, or what is saved in it. */
export function isNameless(wanted: Called, { temporary }: Bindings): boolean {
  return isStep(savedIn(wanted), temporary);
}

/** Changes the names that variables of a function have in the end. */
export function renameSaved(fn: TsFunction, bindings: Bindings, keep: string | null): void {
  const renamed = new Map<string, Called>();
  const rename = (name: string, value: TsExpr, role: Role): void => {
    if (value.kind !== "id" || !isLocal(value.name) || !isLocal(name)) return;
    const [wanted, own] = [bindings.wanted(value.name), bindings.wanted(name)];
    if (!isPlace(own) || !isNameless(own, bindings) || isNameless(wanted, bindings)) return;
    renamed.set(name, wanted);
    bindings.rename(name, calledAfter(wanted, role));
  };
  // An array stands before what is stored in the arrays that are stored in it
  for (const [array, value] of [...storedIn(fn, keep)].reverse()) rename(array, value, "saved");
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return;
    const { target, value } = stmt.expr;
    if (target.kind === "id") rename(target.name, value, "kept");
  });
  if (renamed.size === 0) return;
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string" || !isNameless(bindings.wanted(stmt.target), bindings))
      return;
    const saved = renamed.get(placeOf(stmt.init) ?? "");
    if (saved === undefined) return;
    bindings.rename(stmt.target, saved);
    renamed.set(stmt.target, withoutLast(saved, "saved"));
  });
}

/** Where an expression has its value from. */
function placeOf(expr: TsExpr): string | null {
  if (expr.kind === "as") return placeOf(expr.expr);
  if (expr.kind === "index") return placeOf(expr.object);
  return expr.kind === "id" ? expr.name : null;
}
