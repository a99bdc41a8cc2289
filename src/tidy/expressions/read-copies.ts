// Copy elision.
//
// A copy of an array that is only read, while nothing changes the array, is the array itself.
//
//   const x_ = new Float64Array(n);  x_.set(given);  .. x_[i] ..          .. given[i] ..
//   const kept = y.slice();  return { value: kept.slice(), .. }           return { value: y.slice(), .. }
//
// So is a copy of which nothing is read later but its length, and a returned copy of an array that the function has made and hands to nobody else.
//
//   const x_ = new Float64Array(n); .. return { x: x_.slice() }           .. return { x: x_ }

import { id } from "../../typescript/build.js";
import {
  mapBlocks,
  mapExpressions,
  mapParts,
  mapStmt,
  visitParts,
  visitStmt,
  type Rewriting,
  type Visiting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { filledFrom, isNewArray } from "../analysis/counting.js";
import type { Surroundings } from "../analysis/purity.js";
import { isSettled, surveyed } from "../analysis/survey.js";

export function withoutReadCopies(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const survey = surveyed(fn);
  const { variables, places } = survey;
  const arrays = new Map<string, Uses>();
  const same = new Map<string, string>();
  const isConstant = (name: string): boolean => variables.get(name)?.kind === "const";
  /** Whether a copy that a statement makes may be what it is a copy of. */
  const isNeedless = (copy: string, of: string, made: TsStmt): boolean => {
    if (!isConstant(copy) || !isConstant(of) || same.has(of)) return false;
    if (arrays.size === 0) findUses(fn, surroundings, arrays);
    const [ofCopy, ofArray] = [arrays.get(copy), arrays.get(of)];
    if (ofCopy === undefined || ofArray === undefined || ofCopy.isHandedOn || ofArray.isHandedOn) return false;
    const changes = [...ofCopy.changes.filter(({ stmt }) => filledFrom(stmt, copy) !== of), ...ofArray.changes];
    const from = places.get(made)?.position ?? -1;
    // What a function within changes may change later
    return changes.every(({ stmt, isInside }) => !isInside && (places.get(stmt)?.position ?? Infinity) < from);
  };
  /** Whether a copy is copied by the statement behind it, and then only as long as what it is a copy of. */
  const isHandedBack = (copy: string, of: string, made: TsStmt, next: TsStmt | undefined): boolean => {
    if (!isConstant(copy) || same.has(of) || !isSettled(survey, of, made) || !isReturnOfCopies(next)) return false;
    if (arrays.size === 0) findUses(fn, surroundings, arrays);
    const uses = arrays.get(copy);
    if (uses === undefined || uses.isHandedOn || uses.changes.length > 0) return false;
    return uses.reads.every(({ stmt, isInside }) => stmt === next && !isInside);
  };
  const left = mapBlocks(fn, (body) => {
    const gone = new Set<TsStmt>();
    body.forEach((stmt, index) => {
      const next = body[index + 1];
      if (stmt.kind !== "const" || typeof stmt.target !== "string") return;
      const filling = next !== undefined && isNewArray(stmt.init) ? filledFrom(next, stmt.target) : null;
      const source = filling ?? slicedFrom(stmt.init);
      if (source === null) return;
      const isLast = filling === null && isHandedBack(stmt.target, source, stmt, next);
      if (!isLast && !isNeedless(stmt.target, source, stmt)) return;
      same.set(stmt.target, source);
      gone.add(stmt);
      if (filling !== null && next !== undefined) gone.add(next);
    });
    return gone.size === 0 ? body : body.filter((stmt) => !gone.has(stmt));
  });
  if (same.size === 0) return fn;
  return mapExpressions(left, (expr, rewriting) => {
    const array = expr.kind === "id" ? same.get(expr.name) : undefined;
    return array === undefined ? mapParts(expr, rewriting) : id(array);
  });
}

/** The function with arrays of its own returned as they are. */
export function withoutReturnedCopies(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const last = fn.body.at(-1);
  if (last?.kind !== "return" || last.value === null) return fn;
  const own = new Set(fn.body.flatMap((stmt) => (stmt.kind === "const" && typeof stmt.target === "string" && isNewArray(stmt.init) ? [stmt.target] : []))); // prettier-ignore
  if (own.size === 0) return fn;
  const uses = new Map<string, Uses>();
  findUses(fn, surroundings, uses);
  const isAlone = (name: string): boolean => {
    const { isHandedOn = true, isMeasuredInside = true, changes = [], reads = [] } = uses.get(name) ?? {};
    return !isHandedOn && !isMeasuredInside && ![...changes, ...reads].some(({ isInside }) => isInside) && reads.filter(({ stmt }) => stmt === last).length === 1; // prettier-ignore
  };
  const returning: Rewriting = {
    expr: (expr) => {
      const name = slicedFrom(expr);
      return name !== null && own.has(name) && isAlone(name) ? id(name) : mapParts(expr, returning);
    },
    block: (body) => body,
  };
  const end = mapStmt(last, returning);
  return end === last ? fn : { ...fn, body: [...fn.body.slice(0, -1), end] };
}

/** `a`, of `a.slice()`. */
function slicedFrom(expr: TsExpr): string | null {
  if (expr.kind !== "call" || expr.fn.kind !== "member" || expr.fn.name !== "slice" || expr.args.length > 0)
    return null;
  return expr.fn.object.kind === "id" ? expr.fn.object.name : null;
}

/** Whether a statement returns an object of copies and functions, and does nothing else. */
function isReturnOfCopies(stmt: TsStmt | undefined): boolean {
  if (stmt?.kind !== "return" || stmt.value?.kind !== "object") return false;
  return stmt.value.fields.every(({ value }) => value.kind === "arrow" || slicedFrom(value) !== null);
}

/** What is done to an array. */
interface Uses {
  /** The statements that change elements; whether they are those of a function within. */
  readonly changes: { readonly stmt: TsStmt; readonly isInside: boolean }[];
  /** Those that read elements, or copy them. */
  readonly reads: { readonly stmt: TsStmt | null; readonly isInside: boolean }[];
  /** Whether anything else than a read of an element or its length, or a copy, is done with it. */
  isHandedOn: boolean;
  /** Whether a function within looks at its length, which is 0 once the caller has transferred its memory. */
  isMeasuredInside: boolean;
}

function findUses(fn: TsFunction, surroundings: Surroundings, found: Map<string, Uses>): void {
  let current: TsStmt | null = null;
  let functions = 0;
  const of = (name: string): Uses => {
    const uses = found.get(name) ?? { changes: [], reads: [], isHandedOn: false, isMeasuredInside: false };
    found.set(name, uses);
    return uses;
  };
  const changed = (array: TsExpr): void => {
    if (array.kind !== "id") visiting.expr(array);
    else if (current !== null) of(array.name).changes.push({ stmt: current, isInside: functions > 0 });
  };
  const read = (array: TsExpr): void => {
    if (array.kind === "id") of(array.name).reads.push({ stmt: current, isInside: functions > 0 });
    else visiting.expr(array);
  };
  /** Its length is looked at, which stays the same. */
  const measured = (array: TsExpr): void => {
    if (array.kind !== "id") visiting.expr(array);
    else if (functions > 0) of(array.name).isMeasuredInside = true;
    else of(array.name);
  };
  const visiting: Visiting = {
    expr: (expr) => {
      switch (expr.kind) {
        case "id":
          of(expr.name).isHandedOn = true;
          return;
        case "index":
          read(expr.object);
          visiting.expr(expr.index);
          return;
        case "assign":
          if (expr.target.kind === "index") {
            changed(expr.target.object);
            visiting.expr(expr.target.index);
          } else visiting.expr(expr.target);
          visiting.expr(expr.value);
          return;
        case "member":
          if (expr.name === "length") measured(expr.object);
          else visiting.expr(expr.object);
          return;
        case "call":
          called(expr);
          return;
        case "arrow":
          functions += 1;
          visitParts(expr, visiting);
          functions -= 1;
          return;
        default:
          visitParts(expr, visiting);
      }
    },
    block: (body) => {
      for (const stmt of body) {
        current = stmt;
        if (stmt.kind === "function") functions += 1;
        visitStmt(stmt, visiting);
        if (stmt.kind === "function") functions -= 1;
      }
    },
  };
  const called = (expr: TsExpr & { readonly kind: "call" }): void => {
    const [first, second, third] = expr.args;
    if (slicedFrom(expr) !== null && expr.fn.kind === "member") read(expr.fn.object);
    else if (expr.fn.kind === "member" && expr.fn.name === "set" && first !== undefined) {
      changed(expr.fn.object);
      read(first);
    } else if (expr.fn.kind === "id" && third !== undefined && isLike(expr.fn.name)) {
      for (const arg of [first, second]) if (arg !== undefined) visiting.expr(arg);
      measured(third);
    } else visitParts(expr, visiting);
  };
  /** The third argument says how long an array must be. */
  const isLike = (name: string): boolean => surroundings.reference(name) === "values.acceptNumbersLike";
  visiting.block(fn.body);
}
