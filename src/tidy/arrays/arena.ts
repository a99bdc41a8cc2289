// Arena allocation.
//
// Arrays of a size that is known at run time only, and that stay inside, are parts of larger ones: V8 takes up to ten times as long for an array that has memory of its own,
// which is most of the time of a function of a few dozen numbers.
//
//   for (..) { const z = new Float64Array(row.length); .. }   =>   for (..) { const z = workArray(row.length); .. }
//   for (..) { const z = zeroRows(rows); .. }                 =>   for (..) { const z = workRows(rows); .. }
//
// Outside of loops they are parts of the workspace of a function that has one:
//
//   const z = new Float64Array(n);   =>   const z = zerosIn(workspace, n);

import { definitionsIn } from "../analysis/definitions.js";
import { mapSame, withParts } from "../../same.js";
import { callOf, id, number } from "../../typescript/build.js";
import {
  hasStatements,
  mapParts,
  mapStmt,
  visitStatements,
  withBody,
  type Rewriting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { isNewArray } from "../analysis/counting.js";
import { Flows } from "../analysis/array-flows.js";
import { isLoop } from "../analysis/loops.js";
import { isCallOf, isNumberCall, type Surroundings } from "../analysis/purity.js";
import { largestSmall } from "./rows.js";

/** The function of the runtime that makes such an array. */
export const workArrayMaker = "adjoint.workArray";

/** The function of the runtime that makes them in a workspace. */
export const workspaceArrayMaker = "workspace.zerosIn";

/** The function of the runtime that makes rows of such arrays. */
export const workRowsMaker = "adjoint.workRows";

export function withWorkArrays(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const maker = surroundings.nameOf(workArrayMaker);
  const rowsMaker = surroundings.nameOf(workRowsMaker);
  const [inWorkspace, workspace] = [surroundings.nameOf(workspaceArrayMaker), workspaceOf(fn, surroundings)];
  if (maker === null) return fn;
  const isNumber = numbersIn(fn, surroundings);
  let known: Flows | null = null;
  const staysInside = (name: string, depth: number): boolean =>
    (known ??= new Flows(fn, surroundings)).from(name, depth) !== null;
  const made = (stmt: TsStmt): TsStmt => {
    if (stmt.kind === "const" && typeof stmt.target === "string") {
      const { target, init } = stmt;
      if (rowsMaker !== null && isCallOf(init, "adjoint.zeroRows", surroundings) && staysInside(target, 1))
        return { ...stmt, init: callOf(id(rowsMaker), ...init.args) };
      return withParts(stmt, { init: madeInside(init, () => staysInside(target, 0)) });
    }
    if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return stmt;
    const { target } = stmt.expr;
    const [of, depth] = target.kind === "index" ? [target.object, 1] : [target, 0];
    const value = madeInside(stmt.expr.value, () => of.kind === "id" && staysInside(of.name, depth));
    return withParts(stmt, { expr: withParts(stmt.expr, { value }) });
  };
  /** An array as a part of a larger one, if nothing but the function sees it. */
  const madeInside = (init: TsExpr, isInside: () => boolean): TsExpr => {
    if (!isNewArray(init)) return init;
    const [size, ...others] = init.args;
    if (size === undefined || others.length > 0 || isSmall(size) || !isNumber(size) || !isInside()) return init;
    // Functions within this one may be called any number of times, and a workspace gives nothing back before the end
    const isOnce = loops === 0 && functions === 0;
    const isOfWorkspace = isOnce && workspace !== null && inWorkspace !== null;
    return isOfWorkspace ? callOf(id(inWorkspace), id(workspace), size) : callOf(id(maker), size);
  };
  let [loops, functions] = [0, 0];
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (!hasStatements(expr)) return expr;
      functions++;
      const inside = mapParts(expr, rewriting);
      functions--;
      return inside;
    },
    block: (body) => mapSame(body, statement),
  };
  const statement = (stmt: TsStmt): TsStmt => {
    if (!isLoop(stmt)) return mapStmt(made(stmt), rewriting);
    loops++;
    const inside = mapStmt(stmt, rewriting);
    loops--;
    return inside;
  };
  return withBody(fn, rewriting.block(fn.body));
}

/** The variable that is a function's workspace. */
function workspaceOf(fn: TsFunction, surroundings: Surroundings): string | null {
  for (const stmt of fn.body) {
    if (stmt.kind !== "const" || typeof stmt.target !== "string") continue;
    if (isCallOf(stmt.init, "workspace.takeWorkspace", surroundings)) return stmt.target;
  }
  return null;
}

/** Whether V8 makes arrays of a size fast. */
function isSmall(size: TsExpr): boolean {
  return size.kind === "number" && size.value <= largestSmall;
}

/** Tells of expressions whether they are numbers as far as can be seen, not arrays that are copied. */
export function numbersIn(fn: TsFunction, surroundings: Surroundings): (expr: TsExpr) => boolean {
  const definitions = definitionsIn(fn);
  const counters = new Map<string, TsExpr>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "for") counters.set(stmt.name, stmt.from);
  });
  for (const { name, type } of fn.params)
    if (type.kind === "name" && type.name === "number") counters.set(name, number(0));
  const isNumber = (expr: TsExpr): boolean => {
    switch (expr.kind) {
      case "number":
        return true;
      case "id": {
        const from = counters.get(expr.name);
        return (definitions.get(expr.name) ?? (from === undefined ? [] : [from])).some(isNumber);
      }
      case "cond":
        return isNumber(expr.then) || isNumber(expr.else);
      case "member":
        return expr.name === "length";
      case "binary":
        return isNumber(expr.left) && isNumber(expr.right);
      case "call":
        return isNumberCall(expr.fn, surroundings);
      default:
        return false;
    }
  };
  return isNumber;
}
