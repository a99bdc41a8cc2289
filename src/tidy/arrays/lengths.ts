// Live-range shrinking.
//
// A function that is returned keeps no array for its length alone, nor does one that it does not keep need a copy.
//
//   const x1 = acceptNumbersCopy(x, "f: x");              const x1 = acceptNumbers(x, "f: x");
//   const n = x1.length;                                  const n = x1.length;
//   return () => new Float64Array(x1.length)              return () => new Float64Array(n)

import { mapSame } from "../../same.js";
import { id } from "../../typescript/build.js";
import { isBlock } from "../../typescript/facts.js";
import {
  mapParts,
  mapStmt,
  visitExpressions,
  visitNames,
  visitParts,
  visitStmt,
  withBody,
  type Rewriting,
  type Visiting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { isCallOf, isNumberCall, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js"; // prettier-ignore

export function withoutKeptArrays(fn: TsFunction, surroundings: Surroundings): TsFunction {
  return withoutCopiesOf(withKnownLengths(fn), surroundings);
}

/** Functions that use the lengths of arrays that are known outside of them. */
function withKnownLengths(fn: TsFunction): TsFunction {
  if (!fn.body.some((stmt) => arrayOfLength(stmt) !== null) || !surveyed(fn).hasFunctions) return fn;
  const growing = namesGrowing(fn);
  const lengths = new Map<string, string>();
  const inside: Rewriting = {
    expr: (expr) => {
      const array =
        expr.kind === "member" && expr.name === "length" && expr.object.kind === "id" ? expr.object.name : "";
      const length = lengths.get(array);
      return length === undefined ? mapParts(expr, inside) : id(length);
    },
    block: (body) => mapSame(body, (stmt) => mapStmt(stmt, inside)),
  };
  const outside: Rewriting = {
    expr: (expr) => mapParts(expr, expr.kind === "arrow" ? inside : outside),
    block: (body) => mapSame(body, (stmt) => mapStmt(stmt, outside)),
  };
  const body = mapSame(fn.body, (stmt) => {
    const array = arrayOfLength(stmt);
    if (
      array !== null &&
      stmt.kind === "const" &&
      typeof stmt.target === "string" &&
      isConstant(fn, array) &&
      !growing.has(array)
    )
      lengths.set(array, stmt.target);
    return lengths.size === 0 ? stmt : mapStmt(stmt, outside);
  });
  return withBody(fn, body);
}

/** `n`, of `const l = n.length`. */
function arrayOfLength(stmt: TsStmt): string | null {
  if (stmt.kind !== "const" || stmt.init.kind !== "member" || stmt.init.name !== "length") return null;
  return stmt.init.object.kind === "id" ? stmt.init.object.name : null;
}

/** Arguments that are not copied where no function uses them, and nothing else keeps them. */
function withoutCopiesOf(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const plain = surroundings.nameOf("values.acceptNumbers");
  const isCopy = (expr: TsExpr): boolean => isCallOf(expr, "values.acceptNumbersCopy", surroundings);
  const copies = new Set(
    fn.body.flatMap((stmt) => (stmt.kind === "const" && typeof stmt.target === "string" && isCopy(stmt.init) ? [stmt.target] : [])), // prettier-ignore
  );
  if (copies.size === 0 || plain === null) return fn;
  for (const name of namesKept(fn, surroundings)) copies.delete(name);
  const body = mapSame(fn.body, (stmt): TsStmt => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string" || !copies.has(stmt.target)) return stmt;
    return stmt.init.kind === "call" ? { ...stmt, init: { ...stmt.init, fn: id(plain) } } : stmt;
  });
  return withBody(fn, body);
}

/** The variables that functions use, or that are used as a whole, but by what leaves them as they are. */
function namesKept(fn: TsFunction, surroundings: Surroundings): ReadonlySet<string> {
  const kept = new Set<string>();
  const keep = (stmts: readonly TsStmt[]): void => {
    visitNames(stmts, (name) => kept.add(name));
  };
  const part = (expr: TsExpr): void => {
    if (expr.kind !== "id") visiting.expr(expr);
  };
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "id") kept.add(expr.name);
      else if (expr.kind === "assign" && expr.target.kind === "index") {
        visitParts(expr.target, visiting);
        visiting.expr(expr.value);
      } else if (expr.kind === "member" && expr.name === "length") part(expr.object);
      else if (expr.kind === "index") {
        part(expr.object);
        visiting.expr(expr.index);
      } else if (expr.kind === "call" && (isNumberCall(expr.fn, surroundings) || isFilling(expr.fn))) {
        visiting.expr(expr.fn);
        expr.args.forEach(part);
      } else if (expr.kind === "arrow") {
        keep(isBlock(expr.body) ? expr.body : [{ kind: "expr", expr: expr.body }]);
      } else visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) {
        if (stmt.kind === "function") keep(stmt.fn.body);
        else visitStmt(stmt, visiting);
      }
    },
  };
  visiting.block(fn.body);
  return kept;
}

/** Whether a call writes what it is given into an array of numbers. */
function isFilling(fn: TsExpr): boolean {
  return fn.kind === "member" && fn.name === "set";
}

function isConstant(fn: TsFunction, name: string): boolean {
  return surveyed(fn).variables.get(name)?.kind === "const";
}

/** Arrays that something is pushed onto. */
function namesGrowing(fn: TsFunction): ReadonlySet<string> {
  const growing = new Set<string>();
  visitExpressions(fn.body, (expr) => {
    if (expr.kind === "member" && expr.name === "push" && expr.object.kind === "id") growing.add(expr.object.name);
  });
  return growing;
}
