// A result that is only handed on is returned where it is known.
//
//   let r; if (c) { r = a; } else { r = b; } return r                      if (c) return a; return b
//   let r; switch (x.tag) { case "A": r = a; break; .. } return r          switch (x.tag) { case "A": return a; .. }

import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import { surveyed } from "../analysis/survey.js";

export function withEarlyReturns(fn: TsFunction): TsFunction {
  const [last, before] = [fn.body.at(-1), fn.body.at(-2)];
  if (last?.kind !== "return" || last.value?.kind !== "id" || before === undefined) return fn;
  const { name } = last.value;
  const declaration = fn.body.findIndex((stmt) => stmt.kind === "let" && stmt.name === name && stmt.init === null);
  const variable = declaration < 0 ? undefined : surveyed(fn).variables.get(name);
  if (variable?.reads !== 1) return fn;
  let count = 0;

  /** Statements that end in a return where they ended in an assignment; null where they end in something else. */
  const returning = (body: readonly TsStmt[]): readonly TsStmt[] | null => {
    const end = body.at(-1);
    const ended = end === undefined ? null : returningStmt(end);
    return ended === null ? null : [...body.slice(0, -1), ended];
  };
  const returningStmt = (stmt: TsStmt): TsStmt | null => {
    if (stmt.kind === "expr" && stmt.expr.kind === "assign" && stmt.expr.op === "=") {
      if (stmt.expr.target.kind !== "id" || stmt.expr.target.name !== name) return null;
      count++;
      return { kind: "return", value: stmt.expr.value };
    }
    if (stmt.kind === "if" && stmt.else.length > 0) {
      const [then, otherwise] = [returning(stmt.then), returning(stmt.else)];
      return then === null || otherwise === null ? null : { ...stmt, then, else: otherwise };
    }
    if (stmt.kind === "switch") {
      const cases = stmt.cases.map((one) => {
        const end = one.body.at(-1);
        const body = end?.kind === "break" && end.label === null ? returning(one.body.slice(0, -1)) : null;
        return body === null ? null : { ...one, body };
      });
      return cases.some((one) => one === null) ? null : { ...stmt, cases: cases.filter((one) => one !== null) };
    }
    if (stmt.kind === "loop") {
      const body = leaving(stmt.body, stmt.label);
      return body === null ? null : { ...stmt, body };
    }
    return null;
  };
  /** The body of a loop that is only left by returns; null where it cannot be. */
  const leaving = (body: readonly TsStmt[], label: string | null): readonly TsStmt[] | null => {
    const out: TsStmt[] = [];
    for (const stmt of body) {
      switch (stmt.kind) {
        case "break": {
          const assigned = out.pop();
          const ended = assigned === undefined || stmt.label !== label ? null : returningStmt(assigned);
          if (ended === null) return null;
          out.push(ended);
          break;
        }
        case "if": {
          const [then, otherwise] = [leaving(stmt.then, label), leaving(stmt.else, label)];
          if (then === null || otherwise === null) return null;
          out.push({ ...stmt, then, else: otherwise });
          break;
        }
        case "const":
        case "let":
        case "expr":
        case "comment":
        case "continue":
          out.push(stmt);
          break;
        case "for":
        case "while":
        case "loop":
          // A jump out of it to the label of this loop
          if (label !== null) return null;
          out.push(stmt);
          break;
        default:
          return null;
      }
    }
    return out;
  };

  const ended = returningStmt(before);
  if (ended === null || count !== variable.writes) return fn;
  const body = [...fn.body.slice(0, -2), ended];
  return { ...fn, body: body.filter((_, index) => index !== declaration) };
}
