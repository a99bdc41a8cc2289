// Merging of equal branches.
//
// Constructors with which the same is done are one case.
//
//   switch (x.tag) { case "A": f(); break; case "B": y = 0; break; case "C": y = 0; break; .. }
//                                               switch (x.tag) { case "A": f(); break; .. default: y = 0; break; }
//   switch (x.tag) { case "A": f(); break; default: y = 0; break; }
//                                               if (x.tag === "A") { f(); } else { y = 0; }
//
// Every switch has a case for each constructor (`switchOnTag`), or a default.

import { keyOf } from "../../key.js";
import { mapSame } from "../../same.js";
import { binary } from "../../typescript/build.js";
import { isSameExpr } from "../../typescript/facts.js";
import { mapBlocks, replaced, visitExpressions, visitStatements } from "../../typescript/traverse.js";
import type { TsCase, TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { namesOf } from "../analysis/bindings.js";

type Switch = TsStmt & { readonly kind: "switch" };

export function withJoinedCases(fn: TsFunction): TsFunction {
  return mapBlocks(fn, (body) => replaced(body, (stmt) => (stmt.kind === "switch" ? asBranches(joined(stmt)) : stmt)));
}

/** Without cases, and defaults, in which nothing is done by default. */
export function withoutEmptyCases(fn: TsFunction): TsFunction {
  return mapBlocks(fn, (body) =>
    mapSame(body, (stmt) => {
      if (stmt.kind !== "switch") return stmt;
      const isNothing = (one: TsCase): boolean => withoutBreak(one.body)?.length === 0;
      if (stmt.cases.some((one) => one.test === null && !isNothing(one))) return stmt;
      const cases = stmt.cases.filter((one) => !isNothing(one));
      return cases.length === stmt.cases.length ? stmt : { ...stmt, cases };
    }),
  );
}

/** A switch whose default is for the most constructors with which the same is done. */
function joined(stmt: Switch): Switch {
  const groups = new Map<string, TsCase[]>();
  for (const one of stmt.cases) {
    if (readsFields(one.body, stmt.subject)) continue;
    const key = shapeOf(one.body);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const isDefault = ({ test }: TsCase): boolean => test === null;
  const candidates = stmt.cases.some(isDefault) ? [...groups.values()].filter((group) => group.some(isDefault)) : [...groups.values()]; // prettier-ignore
  let most: readonly TsCase[] = [];
  for (const group of candidates) if (group.length >= most.length) most = group;
  const [first, second] = most;
  if (first === undefined || second === undefined) return stmt;
  const others = stmt.cases.filter((one) => !most.includes(one));
  return { ...stmt, cases: [...others, { test: null, body: first.body }] };
}

/** Whether statements read more of an object than its tag: TypeScript would not know the type behind another constructor's. */
function readsFields(body: readonly TsStmt[], subject: TsExpr): boolean {
  if (subject.kind !== "member") return true;
  let found = false;
  visitExpressions(body, (expr) => {
    if (expr.kind === "member" && expr.name !== "tag" && isSameExpr(expr.object, subject.object)) found = true;
  });
  return found;
}

/** Statements as a text that does not depend on what the variables are called that they declare. */
function shapeOf(body: readonly TsStmt[]): string {
  const places = new Map<string, number>();
  const declare = (name: string): void => {
    places.set(JSON.stringify(name), places.size);
  };
  visitStatements(body, (stmt) => {
    if (stmt.kind === "const") namesOf(stmt.target).forEach(declare);
    else if (stmt.kind === "let" || stmt.kind === "for") declare(stmt.name);
  });
  return keyOf(body).replace(/"(?:[^"\\]|\\.)*"/g, (text) => String(places.get(text) ?? text));
}

/** A switch over one constructor, or none, as what a person would write. */
function asBranches(stmt: Switch): TsStmt | readonly TsStmt[] {
  const [first, second] = stmt.cases;
  if (stmt.cases.length > 2 || first === undefined) return stmt;
  const then = withoutBreak(first.body);
  const otherwise = second === undefined ? [] : withoutBreak(second.body);
  if (then === null || otherwise === null) return stmt;
  if (first.test === null) return then;
  if (second !== undefined && second.test !== null) return stmt;
  return { kind: "if", test: binary("===", stmt.subject, first.test), then, else: otherwise };
}

/** The body of a case without the break that it ends with; null where there is another way out of the switch in it. */
function withoutBreak(body: readonly TsStmt[]): readonly TsStmt[] | null {
  const last = body.at(-1);
  const rest = last?.kind === "break" && last.label === null ? body.slice(0, -1) : body;
  return hasBreak(rest) ? null : rest;
}

/** Whether there is a way out of the innermost switch or loop around statements in them. */
function hasBreak(body: readonly TsStmt[]): boolean {
  return body.some((stmt) => {
    switch (stmt.kind) {
      case "break":
        return stmt.label === null;
      case "if":
        return hasBreak(stmt.then) || hasBreak(stmt.else);
      case "try":
        return hasBreak(stmt.body) || hasBreak(stmt.handler);
      case "block":
        return hasBreak(stmt.body);
      default:
        return false;
    }
  });
}
