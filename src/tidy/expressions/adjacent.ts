// Forward substitution, of neighbours.
//
// What a call gives is written where it is used, when that is the very next thing to be done.
//
//   const t = f(x); return t                return f(x)
//   const t = f(x); y += t                  y += f(x)
//   const a: T = e; let b: T = a            let b: T = e
//   const a: T = e; return a                return e                where the function gives a T
//
// Objects are also written where they are used a little later, when what stands in between makes and assigns values alone.
//
//   const a: T = { .. }; const b: U = { .. }; x = a; y = b           x = { .. }; y = { .. }

import { keyOf } from "../../key.js";
import { mapBlocks, visitNames, visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsType } from "../../typescript/tree.js";
import { isFresh, isTotal, type Surroundings } from "../analysis/purity.js";
import { surveyed, type Variable } from "../analysis/survey.js";

export function withAdjacentUses(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const lets = new Map<string, TsType | null>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "let") lets.set(stmt.name, stmt.type);
  });
  const variables: Variables = (name) => surveyed(fn).variables.get(name);
  /** The type that is asked of what a statement uses; null where nobody says. */
  const wantedType = (stmt: TsStmt, name: string): TsType | null => {
    if (stmt.kind === "let") return stmt.type;
    // A function within this one has a result of its own
    if (stmt.kind === "return") return variables(name)?.owner === 0 ? resultOf(fn) : null;
    const isAssignment = stmt.kind === "expr" && stmt.expr.kind === "assign" && stmt.expr.op === "=";
    return isAssignment && stmt.expr.target.kind === "id" ? (lets.get(stmt.expr.target.name) ?? null) : null;
  };
  return mapBlocks(fn, (body) => joined(body, variables, wantedType, surroundings));
}

/** The type of what a function returns; of a generator function what it gives in the end. */
function resultOf({ result }: TsFunction): TsType {
  const [only] = result.kind === "name" && result.name === "Deep" ? result.args : [];
  return only ?? result;
}

type Const = TsStmt & { readonly kind: "const" };
type Variables = (name: string) => Variable | undefined;

function joined(
  body: readonly TsStmt[],
  variables: Variables,
  wantedType: (stmt: TsStmt, name: string) => TsType | null,
  surroundings: Surroundings,
): readonly TsStmt[] {
  const out: TsStmt[] = [];
  for (const stmt of body) {
    const place = placeOf(stmt, out, surroundings);
    const before = out[place];
    const isTyped = before?.kind === "const" && before.type !== null && typeof before.target === "string";
    const isSaid = !isTyped || keyOf(wantedType(stmt, before.target)) === keyOf(before.type);
    const used = before?.kind === "const" && isSaid ? using(stmt, before, variables) : null;
    if (used !== null) out.splice(place, 1);
    out.push(used ?? stmt);
  }
  return out;
}

/** Where the constant stands that a statement hands on: the last statement, or an object further up that can be made later; -1 where there is none. */
function placeOf(stmt: TsStmt, before: readonly TsStmt[], surroundings: Surroundings): number {
  const last = before.length - 1;
  const value = stmt.kind === "expr" && stmt.expr.kind === "assign" ? stmt.expr.value : null;
  if (value?.kind !== "id") return last;
  const isMade = (expr: TsExpr): boolean => isTotal(expr, surroundings) || isFresh(expr, surroundings);
  const assigned = new Set<string>();
  for (let place = last; place >= 0; place--) {
    const other = before[place];
    if (other?.kind === "const" && other.target === value.name) {
      if (place === last) return last;
      let isSame = isFresh(other.init, surroundings);
      visitNames([other], (name) => { if (assigned.has(name)) isSame = false; }); // prettier-ignore
      return isSame ? place : -1;
    }
    if (
      other?.kind === "expr" &&
      other.expr.kind === "assign" &&
      other.expr.target.kind === "id" &&
      isMade(other.expr.value)
    )
      assigned.add(other.expr.target.name);
    else if (other?.kind !== "const" || !isMade(other.init)) return -1;
  }
  return -1;
}

/** A statement with a value in the place of the variable that it uses first. */
function using(stmt: TsStmt, { target, init: value }: Const, variables: Variables): TsStmt | null {
  const isIt = (expr: TsExpr | null): boolean =>
    expr?.kind === "id" && expr.name === target && variables(expr.name)?.reads === 1;
  switch (stmt.kind) {
    case "let":
      return isIt(stmt.init) ? { ...stmt, init: value } : null;
    case "return":
      if (isIt(stmt.value)) return { kind: "return", value };
      if (stmt.value?.kind === "as" && isIt(stmt.value.expr)) return { kind: "return", value: { ...stmt.value, expr: value } }; // prettier-ignore
      return null;
    case "expr": {
      const { expr } = stmt;
      if (expr.kind !== "assign" || !isIt(expr.value) || expr.target.kind !== "id") return null;
      // What the value does cannot change the variable
      if (variables(expr.target.name)?.isWrittenInside !== false) return null;
      return { kind: "expr", expr: { ...expr, value } };
    }
    default:
      return null;
  }
}
