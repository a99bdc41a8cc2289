// Tail duplication of returns.
//
// Results that are only handed on are returned where they are known.
//
//   let r; if (c) { r = a; } else { r = b; } return r                      if (c) return a; return b
//   let r; switch (x.tag) { case "A": r = a; break; .. } return r          switch (x.tag) { case "A": return a; .. }
//   let r; let s; if (c) { r = a; s = x; } else { .. } return [r, s]       if (c) return [a, x]; ..

import { visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { surveyed } from "../analysis/survey.js";

export function withEarlyReturns(fn: TsFunction): TsFunction {
  const last = fn.body.at(-1);
  const names = last?.kind === "return" ? variablesOf(last.value) : [];
  const isDeclared = (stmt: TsStmt): boolean => stmt.kind === "let" && stmt.init === null && names.includes(stmt.name);
  if (names.length === 0 || fn.body.filter(isDeclared).length !== names.length) return fn;
  const variables = names.map((name) => surveyed(fn).variables.get(name));
  if (variables.some((variable) => variable?.reads !== 1)) return fn;
  let count = 0;

  /** Statements that assign to all variables as a return of what they assign; null for others. */
  const returnOf = (assignments: readonly TsStmt[]): TsStmt | null => {
    const values = assignments.flatMap((stmt, index) => {
      if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return [];
      return stmt.expr.target.kind === "id" && stmt.expr.target.name === names[index] ? [stmt.expr.value] : [];
    });
    const [only] = values;
    if (only === undefined || values.length !== names.length) return null;
    count++;
    return { kind: "return", value: last?.kind === "return" && last.value?.kind === "array" ? { kind: "array", items: values } : only }; // prettier-ignore
  };
  /** Statements that end in a return where they ended in assignments; null where they end in something else. */
  const returning = (body: readonly TsStmt[]): readonly TsStmt[] | null => {
    const returned = returnOf(body.slice(-names.length));
    if (returned !== null) return [...body.slice(0, -names.length), returned];
    const end = body.at(-1);
    const ended = end === undefined ? null : returningStmt(end);
    return ended === null ? null : [...body.slice(0, -1), ended];
  };
  const returningStmt = (stmt: TsStmt): TsStmt | null => {
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
      const body = leaving(stmt.body, stmt.label, false);
      if (body === null) return null;
      return { ...stmt, label: stmt.label !== null && jumpsTo(body, stmt.label) ? stmt.label : null, body };
    }
    return null;
  };
  /** The body of a loop that is only left by returns; null where it cannot be. */
  const leaving = (body: readonly TsStmt[], label: string | null, isInSwitch: boolean): readonly TsStmt[] | null => {
    const out: TsStmt[] = [];
    for (const stmt of body) {
      switch (stmt.kind) {
        case "break": {
          if (isInSwitch && stmt.label === null) {
            out.push(stmt);
            break;
          }
          const ended = stmt.label === label ? returning(out) : null;
          if (ended === null) return null;
          out.splice(0, out.length, ...ended);
          break;
        }
        case "if": {
          const [then, otherwise] = [leaving(stmt.then, label, isInSwitch), leaving(stmt.else, label, isInSwitch)];
          if (then === null || otherwise === null) return null;
          out.push({ ...stmt, then, else: otherwise });
          break;
        }
        case "switch": {
          const bodies = stmt.cases.map((one) => leaving(one.body, label, true));
          if (label === null || bodies.includes(null)) return null;
          out.push({ ...stmt, cases: stmt.cases.map((one, index) => ({ ...one, body: bodies[index] ?? [] })) });
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
          if (label !== null && jumpsTo([stmt], label)) return null;
          out.push(stmt);
          break;
        default:
          return null;
      }
    }
    return out;
  };

  const ended = returning(fn.body.slice(0, -1));
  if (ended === null || variables.some((variable) => variable?.writes !== count)) return fn;
  return { ...fn, body: ended.filter((stmt) => !isDeclared(stmt)) };
}

/** Whether there is a jump to a label in statements. */
function jumpsTo(body: readonly TsStmt[], label: string): boolean {
  let found = false;
  visitStatements(body, (stmt) => {
    if ((stmt.kind === "break" || stmt.kind === "continue") && stmt.label === label) found = true;
  });
  return found;
}

/** The variables that a result is, or consists of, each once; none for other results. */
function variablesOf(value: TsExpr | null): readonly string[] {
  const items = value?.kind === "array" ? value.items : value === null ? [] : [value];
  const names = items.flatMap((item) => (item.kind === "id" ? [item.name] : []));
  return names.length === items.length && new Set(names).size === names.length ? names : [];
}
