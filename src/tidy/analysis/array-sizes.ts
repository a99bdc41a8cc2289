// Numbers that an array may have as its size wherever they are known: lengths of arrays that are there, and what is about as large. A parameter may be
// negative, or too large, which is an error only where an array is made.

import { isMath, isNumber, isSameExpr } from "../../typescript/facts.js";
import { visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction } from "../../typescript/tree.js";
import type { Surroundings } from "./purity.js";
import { definitionsIn } from "./definitions.js";
import { isSettled, surveyed } from "./survey.js";

/** What is added to a length at most. */
const little = 2 ** 16;

/** Tells of literals and of variables that nothing changes whether they are sizes. */
export function sizesOf(fn: TsFunction, { reference }: Surroundings): (size: TsExpr) => boolean {
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
        if (expr.fn.kind === "id") return reference(expr.fn.name) === "numbers.sameLength";
        return isMath(expr.fn) && expr.fn.kind === "member" && expr.fn.name === "max" && expr.args.every(isSize);
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
