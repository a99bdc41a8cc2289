// Dead-store elimination of a zero.
//
// A cotangent that is gathered begins with its first contribution, any other variable with its first value.
//
//   let z = 0; .. z += e                        let z = e
//   let z = 0; .. z = e                         let z = e
//   let z = 0; if (c) z += a; else z += b       let z = c ? a : b
//
//   let z = 0;                                  let z: number;
//   if (c) { ..; z += a; }                      if (c) { ..; z = a; }
//   else { ..; z += b; }                        else { ..; z = b; }
//
//   let z: boolean;                             let z = c || b
//   if (c) z = true; else z = b;
//
//   let z: number; ..; z = e                    ..; let z = e
//
//   let z = 0; .. y += z                        let z = 0; ..

import { mapSame, sameItems, withParts } from "../../same.js";
import { assign, binary, cond, id, number, simplifiedConditional, unary } from "../../typescript/build.js";
import { reads } from "../../typescript/facts.js";
import { mapBlocks, replaced, visitNames } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsType } from "../../typescript/tree.js";
import { isTotal, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";
import { widthOf } from "../analysis/width.js";

const numberType: TsType = { kind: "name", name: "number", args: [] };

/** A longer conditional is easier to read as a statement. */
const longestConditional = 60;

export function withFirstContributions(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const isSettled = (init: TsExpr): boolean =>
    init.kind === "number" || (init.kind === "id" && surveyed(fn).variables.get(init.name)?.writes === 0);
  return mapBlocks(fn, (body) => gathered(body, isSettled, surroundings));
}

function gathered(
  body: readonly TsStmt[],
  isSettled: (init: TsExpr) => boolean,
  surroundings: Surroundings,
): readonly TsStmt[] {
  const out: (TsStmt | null)[] = [];
  /** Variables that nothing has been said of since they were declared; without an initial value for null. */
  const open = new Map<string, { readonly slot: number; readonly init: TsExpr | null }>();
  const initial = (name: string): TsExpr | null => open.get(name)?.init ?? null;
  const isUnset = (name: string): boolean => open.get(name)?.init === null;
  const isZeroNow = (expr: TsExpr): boolean => {
    const init = expr.kind === "id" ? initial(expr.name) : null;
    return init !== null && isZero(init);
  };
  for (const stmt of body) {
    if (addsTo(stmt, isZeroNow)) continue;
    const begun = open.size === 0 ? null : (first(stmt, initial, surroundings) ?? chosen(stmt, isUnset, surroundings));
    if (begun !== null) {
      const place = open.get(begun.name);
      if (place !== undefined) out[place.slot] = null;
    }
    const zeros =
      begun !== null || !hasBranches(stmt)
        ? []
        : [...open].flatMap(([name, { init }]) => (init !== null && isZero(init) ? [name] : []));
    const branches = zeros.length > 0 ? begunInBranches(stmt, zeros) : stmt;
    for (const name of branches === stmt ? [] : zeros) {
      const slot = open.get(name)?.slot;
      if (slot !== undefined && isSetBy(branches, name))
        out[slot] = { kind: "let", name, type: numberType, init: null };
    }
    if (open.size > 0) visitNames([stmt], (name) => open.delete(name));
    const kept: TsStmt = begun === null ? branches : { kind: "let", name: begun.name, type: null, init: begun.value };
    const slot = out.push(kept) - 1;
    if (kept.kind !== "let") continue;
    if (kept.init === null ? isPlain(kept.type) : kept.type === null && isSettled(kept.init)) open.set(kept.name, { slot, init: kept.init }); // prettier-ignore
  }
  return sameItems(
    body,
    out.filter((stmt) => stmt !== null),
  );
}

/** What a statement gives a variable that has its initial value until then. */
function first(
  stmt: TsStmt,
  initial: (name: string) => TsExpr | null,
  surroundings: Surroundings,
): { readonly name: string; readonly value: TsExpr } | null {
  const added = contribution(stmt);
  if (added !== null) {
    const init = initial(added.name);
    if (init === null || reads(added.value, added.name)) return null;
    return { name: added.name, value: sum(init, added) };
  }
  if (stmt.kind !== "if" || stmt.then.length > 1 || stmt.else.length > 1) return null;
  const [then, otherwise] = [stmt.then[0], stmt.else[0]].map((one) => (one === undefined ? null : contribution(one)));
  const name = then?.name ?? otherwise?.name;
  if (name === undefined || (then !== null && otherwise !== null && then?.name !== otherwise?.name)) return null;
  // What else stands in a branch
  if ((then ?? null) === null && stmt.then.length > 0) return null;
  if ((otherwise ?? null) === null && stmt.else.length > 0) return null;
  const init = initial(name);
  if (init === null || !isZero(init)) return null;
  const value = cond(stmt.test, then ? sum(init, then) : init, otherwise ? sum(init, otherwise) : init);
  const isGood = !reads(value, name) && isTotal(value, surroundings) && widthOf(value) <= longestConditional;
  return isGood ? { name, value } : null;
}

/** What a statement gives a variable that has no value until then; where it has branches, both, which do nothing else. */
function chosen(
  stmt: TsStmt,
  isUnset: (name: string) => boolean,
  surroundings: Surroundings,
): { readonly name: string; readonly value: TsExpr } | null {
  const set = contribution(stmt);
  if (set !== null) return set.op === "=" && isUnset(set.name) ? set : null;
  if (stmt.kind !== "if" || stmt.then.length !== 1 || stmt.else.length !== 1) return null;
  const [then = null, otherwise = null] = [...stmt.then, ...stmt.else].map(
    (inner) => contribution(inner) ?? told(inner, isUnset, surroundings),
  );
  if (then?.op !== "=" || otherwise?.op !== "=" || then.name !== otherwise.name || !isUnset(then.name)) return null;
  const value = simplifiedConditional(stmt.test, then.value, otherwise.value);
  const isGood = isTotal(value, surroundings) && widthOf(value) <= longestConditional;
  return isGood ? { name: then.name, value } : null;
}

/** What a choice within a choice gives a variable, where it is written without a further conditional. */
function told(stmt: TsStmt, isUnset: (name: string) => boolean, surroundings: Surroundings): Contribution | null {
  const inner = stmt.kind === "if" ? chosen(stmt, isUnset, surroundings) : null;
  return inner === null || inner.value.kind === "cond" ? null : { ...inner, op: "=" };
}

/** Whether a statement adds nothing but an expression to a variable. */
function addsTo(stmt: TsStmt, isAdded: (expr: TsExpr) => boolean): boolean {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.target.kind !== "id") return false;
  return (stmt.expr.op === "+=" || stmt.expr.op === "-=") && isAdded(stmt.expr.value);
}

function hasBranches({ kind }: TsStmt): boolean {
  return kind === "if" || kind === "switch" || kind === "block";
}

/** A statement in whose branches variables that are zero before it are set where they are first added to. */
function begunInBranches(stmt: TsStmt, zeros: readonly string[]): TsStmt {
  switch (stmt.kind) {
    case "if":
      return withParts(stmt, { then: begun(stmt.then, zeros), else: begun(stmt.else, zeros) });
    case "switch":
      return withParts(stmt, {
        cases: mapSame(stmt.cases, (one) => withParts(one, { body: begun(one.body, zeros) })),
      });
    case "block":
      return withParts(stmt, { body: begun(stmt.body, zeros) });
    default:
      return stmt;
  }
}

function begun(body: readonly TsStmt[], zeros: readonly string[]): readonly TsStmt[] {
  const open = new Set(zeros);
  return replaced(body, (stmt) => {
    if (open.size === 0) return stmt;
    const added = contribution(stmt);
    const isFirst = added !== null && added.op !== "=" && open.has(added.name) && !reads(added.value, added.name);
    // Nothing is added, as far as is known by now
    if (isFirst && isZero(added.value)) return stmt;
    const set = isFirst ? assign(id(added.name), sum(number(0), added)) : begunInBranches(stmt, [...open]);
    visitNames([stmt], (name) => open.delete(name));
    return set;
  });
}

/** Whether both branches of a statement set a variable. */
function isSetBy(stmt: TsStmt, name: string): boolean {
  const added = contribution(stmt);
  if (added !== null) return added.name === name && added.op === "=";
  if (stmt.kind === "block") return stmt.body.some((inner) => isSetBy(inner, name));
  if (stmt.kind !== "if") return false;
  return [stmt.then, stmt.else].every((branch) => branch.some((inner) => isSetBy(inner, name)));
}

/** Whether values of a type are what expressions of one kind give, without a declaration. */
function isPlain(type: TsType | null): boolean {
  return type?.kind === "name" && (type.name === "number" || type.name === "boolean");
}

function isZero(init: TsExpr): boolean {
  return init.kind === "number" && init.value === 0;
}

interface Contribution {
  readonly name: string;
  readonly op: "=" | "+=" | "-=";
  readonly value: TsExpr;
}

function contribution(stmt: TsStmt): Contribution | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.target.kind !== "id") return null;
  const { op, target, value } = stmt.expr;
  return op === "??=" ? null : { name: target.name, op, value };
}

function sum(init: TsExpr, { op, value }: Contribution): TsExpr {
  if (op === "=") return value;
  if (!isZero(init)) return binary(op === "+=" ? "+" : "-", init, value);
  if (op === "+=") return value;
  return value.kind === "number" ? number(-value.value) : unary("-", value);
}
