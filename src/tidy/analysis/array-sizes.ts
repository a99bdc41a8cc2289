// Numbers that an array may have as its size wherever they are known: lengths of arrays that are there, and what is about as large. A parameter may be
// negative, or too large, which is an error only where an array is made.

import { isMath, isNumber, isSameExpr } from "../../typescript/facts.js";
import { visitExpressions, visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction } from "../../typescript/tree.js";
import { isCallOf, type Surroundings } from "./purity.js";
import { definitionsIn } from "./definitions.js";
import { isSettled, surveyed } from "./survey.js";

/** What is added to a length at most. */
const little = 2 ** 16;

/** Tells of literals and of variables that nothing changes whether they are sizes. */
export function sizesOf(fn: TsFunction, surroundings: Surroundings): (size: TsExpr) => boolean {
  const definitions = definitionsIn(fn);
  const isLittle = (expr: TsExpr): boolean => expr.kind === "number" && expr.value >= 0 && expr.value <= little;
  const isSize = (expr: TsExpr): boolean => {
    switch (expr.kind) {
      case "number":
        return isLittle(expr);
      case "id":
        return definitions.get(expr.name)?.every(isSize) === true;
      case "cond":
        return isSize(expr.then) && isSize(expr.else);
      case "member":
        return expr.name === "length";
      case "binary":
        return expr.op === "+" && isSize(expr.left) && isLittle(expr.right);
      case "call":
        if (expr.fn.kind === "member") return isMath(expr.fn) && expr.fn.name === "max" && expr.args.every(isSize);
        return isCallOf(expr, "numbers.sameLength", surroundings);
      default:
        return false;
    }
  };
  return (size) => (size.kind === "number" || size.kind === "id") && isSize(size);
}

/** Tells whether one number is written as another one and 1 more, or is a constant that is. */
export function oneMoreIn(fn: TsFunction): (more: TsExpr, less: TsExpr) => boolean {
  const inits = new Map<string, TsExpr>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "const" && typeof stmt.target === "string") inits.set(stmt.target, stmt.init);
  });
  return (more, less) => {
    const sum = more.kind === "id" ? inits.get(more.name) : more;
    return sum?.kind === "binary" && sum.op === "+" && isNumber(sum.right, 1) && isSameExpr(sum.left, less);
  };
}

/** By the constants that are lengths of variables these, which stay the arrays that they are. */
export function lengthsIn(fn: TsFunction): ReadonlyMap<string, string> {
  const survey = surveyed(fn);
  const lengths = new Map<string, string>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string" || stmt.init.kind !== "member") return;
    const { object, name } = stmt.init;
    if (name === "length" && object.kind === "id" && isSettled(survey, object.name, stmt))
      lengths.set(stmt.target, object.name);
  });
  return lengths;
}

/** Tells of a variable whether all arrays that it ever is have a size, which nothing changes. */
export function alwaysOfSize(fn: TsFunction, surroundings: Surroundings): (array: string, size: TsExpr) => boolean {
  const given = new Map<string, TsExpr[]>();
  const give = (name: string, value: TsExpr): void => {
    const values = given.get(name) ?? [];
    values.push(value);
    given.set(name, values);
  };
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "const" && typeof stmt.target === "string") give(stmt.target, stmt.init);
    if (stmt.kind === "let" && stmt.init !== null) give(stmt.name, stmt.init);
  });
  visitExpressions(fn.body, (expr) => {
    if (expr.kind === "assign" && expr.target.kind === "id") give(expr.target.name, expr.value);
  });
  const lengths = lengthsIn(fn);
  const { variables } = surveyed(fn);
  return (array, size) => {
    if (size.kind === "id" && variables.get(size.name)?.writes !== 0) return false;
    // What is one of them is looked at in its turn
    const names = new Set([array]);
    for (const name of names) {
      if (size.kind === "id" && lengths.get(size.name) === name) continue;
      const made = given.get(name) ?? [];
      if (made.length === 0) return false;
      for (const each of made) {
        const own = each.kind === "new" && each.args.length === 1 ? each.args[0] : undefined;
        const [rows = each] = isCallOf(each, "adjoint.zeroRows", surroundings) ? each.args : [];
        const like = own === undefined ? rows : lengthOf(own);
        if (like?.kind === "id") names.add(like.name);
        else if (!isSameExpr(own, size)) return false;
      }
    }
    return true;
  };
}

/** What a number is written as the length of; null where it is not. */
function lengthOf(size: TsExpr): TsExpr | null {
  return size.kind === "member" && size.name === "length" ? size.object : null;
}
