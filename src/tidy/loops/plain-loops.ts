// Loops and branches as a person would write them.
//
//   if (c) { ..; break; } else { B }            if (c) { ..; break; } B
//   for (;;) { if (c) { A; break; } B }         while (!c) { B } A                   where no other way leaves B, or there is no A
//   acc = acc + x                               acc += x

import { not } from "../../typescript/build.js";
import { endsInJump } from "../../typescript/facts.js";
import { mapBlocks, mapExpressions, mapParts, replaced } from "../../typescript/traverse.js";
import { withWaysOutJoined } from "./ways-out.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";

export function withPlainLoops(fn: TsFunction): TsFunction {
  return mapBlocks(fn, (body) => replaced(withWaysOutJoined(replaced(body, withoutElse)), asWhile));
}

/** Updates with `+=` and `-=`; the value is the same. */
export function withUpdates(fn: TsFunction): TsFunction {
  return mapExpressions(fn, (expr, rewriting) => updated(mapParts(expr, rewriting)));
}

function updated(expr: TsExpr): TsExpr {
  if (expr.kind !== "assign" || expr.op !== "=" || expr.target.kind !== "id" || expr.value.kind !== "binary")
    return expr;
  const { op, left, right } = expr.value;
  if ((op !== "+" && op !== "-") || left.kind !== "id" || left.name !== expr.target.name) return expr;
  return { ...expr, op: op === "+" ? "+=" : "-=", value: right };
}

/** What follows a way out needs no `else`. */
function withoutElse(stmt: TsStmt): TsStmt | readonly TsStmt[] {
  if (stmt.kind !== "if" || stmt.else.length === 0) return stmt;
  if (endsInJump(stmt.then)) return [{ ...stmt, else: [] }, ...stmt.else];
  if (endsInJump(stmt.else)) return [{ kind: "if", test: not(stmt.test), then: stmt.else, else: [] }, ...stmt.then];
  return stmt;
}

function asWhile(stmt: TsStmt): TsStmt | readonly TsStmt[] {
  if (stmt.kind !== "loop") return stmt;
  const [exit, ...rest] = stmt.body;
  if (exit?.kind !== "if" || exit.else.length > 0) return stmt;
  const last = exit.then.at(-1);
  if (last?.kind !== "break" || (last.label !== null && last.label !== stmt.label)) return stmt;
  const after = exit.then.slice(0, -1);
  // Other ways out do without what this one does
  if (mentionsLabel(rest, stmt.label, after.length > 0) || mentionsLabel(after, stmt.label, true)) return stmt;
  return [{ kind: "while", test: not(exit.test), body: rest }, ...after];
}

/** Whether there is a jump out of a loop, or to its label, in statements of its body. */
function mentionsLabel(body: readonly TsStmt[], label: string | null, isOwn: boolean): boolean {
  return body.some((stmt): boolean => {
    switch (stmt.kind) {
      case "break":
        return stmt.label === null ? isOwn : stmt.label === label;
      case "continue":
        return stmt.label !== null && stmt.label === label;
      case "if":
        return mentionsLabel(stmt.then, label, isOwn) || mentionsLabel(stmt.else, label, isOwn);
      case "switch":
        return stmt.cases.some((one) => mentionsLabel(one.body, label, false));
      case "loop":
      case "while":
      case "for":
        return mentionsLabel(stmt.body, label, false);
      case "try":
        return mentionsLabel(stmt.body, label, isOwn) || mentionsLabel(stmt.handler, label, isOwn);
      case "block":
        return mentionsLabel(stmt.body, label, isOwn);
      default:
        return false;
    }
  });
}
