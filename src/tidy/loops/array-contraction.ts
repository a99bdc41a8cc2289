// Array contraction.
//
// A new array of which a loop uses in each iteration the element of that iteration alone is a variable of the iteration.
//
//   const x = new Float64Array(n);
//   for (i < n) { x[i] = e; y_[i] += x[i] * d }        for (i < n) { const x1 = e; y_[i] += x1 * d }
//
// Where a branch sets it, what the variable is in front of the branch is what elements are which nothing has set.

import { mapSame } from "../../same.js";
import { id, number, typeName } from "../../typescript/build.js";
import { calledAfter, withoutLast } from "../../typescript/called.js";
import { isMath, isName, reads } from "../../typescript/facts.js";
import { mapBlocks, mapParts, mapStmt, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsType } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { countsByOne, elementsOf, isElement, iterationsOf, type For } from "../analysis/counting.js";
import { surveyed } from "../analysis/survey.js";
import { commentOn } from "../arrays/row-offsets.js";

type Definition = TsStmt & { readonly kind: "const" };

const numberType = typeName("number");
const no: TsExpr = { kind: "boolean", value: false };

export function withoutOwnElements(fn: TsFunction, bindings: Bindings): TsFunction {
  const { variables } = surveyed(fn);
  const block = (body: readonly TsStmt[]): readonly TsStmt[] => {
    let out = body;
    for (const stmt of body) {
      if (stmt.kind !== "const" || typeof stmt.target !== "string") continue;
      const array = stmt.target;
      const made = madeBy(stmt);
      if (made === null) continue;
      const loop = out.find(
        (other): other is For => other.kind === "for" && countsByOne(other) && elementsOf(other, array) > 0,
      );
      if (loop === undefined || variables.get(loop.name)?.writes !== 1 || !isSize(made.size, loop)) continue;
      if (elementsOf(loop, array) !== variables.get(array)?.reads) continue;
      const contracted: For = { ...loop, body: withVariable(loop, array, made.element, bindings) };
      const comment = commentOn(stmt, out);
      out = out.flatMap((other) =>
        other === stmt || other === comment ? [] : other === loop ? [contracted] : [other],
      );
    }
    return out;
  };
  return mapBlocks(fn, block);
}

/** The size of the array that a statement makes, and the type of its elements; null where it makes none. */
function madeBy({ init, type }: Definition): { readonly size: TsExpr; readonly element: TsType } | null {
  const [size] = init.kind === "new" ? init.args : [];
  if (init.kind !== "new" || size === undefined) return null;
  if (isName(init.fn, "Float64Array")) return { size, element: numberType };
  const [element] = type?.kind === "name" && type.name === "Array" ? type.args : [];
  return isName(init.fn, "Array") && element !== undefined ? { size, element } : null;
}

/** Whether an array is one of as many zeros as an expression says: that is a number, not an array that is copied. */
function isSize(size: TsExpr, loop: For): boolean {
  const iterations = iterationsOf(loop);
  if (size.kind === "id") return iterations !== null && isName(iterations, size.name);
  return size.kind === "number" || (size.kind === "member" && size.name === "length") || (size.kind === "call" && isMath(size.fn)); // prettier-ignore
}

/** The body of a loop with a variable in place of the element of its iteration. */
function withVariable({ name, body }: For, array: string, element: TsType, bindings: Bindings): readonly TsStmt[] {
  const variable = bindings.fresh(bindings.wanted(array));
  const [unset, read] = declarationOf(variable, element);
  const rewritten = withElement(body, array, name, variable, id(variable));
  const at = rewritten.stmts.findIndex((stmt, place) => stmt !== body[place]);
  const first = rewritten.stmts[at];
  const value = first === undefined ? null : firstValue(first, variable);
  if (value === null) {
    const wanted = bindings.wanted(array);
    const saved = withoutLast(wanted, "saved");
    if (saved !== wanted) bindings.rename(variable, calledAfter(saved, "kept"));
    const { stmts } = withElement(body, array, name, variable, read);
    return [...stmts.slice(0, at), unset, ...stmts.slice(at)];
  }
  const declared: TsStmt = rewritten.writes === 1 ? { kind: "const", target: variable, type: null, init: value } : { kind: "let", name: variable, type: null, init: value }; // prettier-ignore
  return mapSame(rewritten.stmts, (stmt) => (stmt === first ? declared : stmt));
}

/** Statements with a variable for an element that they assign to, and an expression where they read it; how often they assign. */
function withElement(
  body: readonly TsStmt[],
  array: string,
  index: string,
  variable: string,
  read: TsExpr,
): { readonly stmts: readonly TsStmt[]; readonly writes: number } {
  let writes = 0;
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (isElement(expr, array, index)) return read;
      if (expr.kind !== "assign" || !isElement(expr.target, array, index)) return mapParts(expr, rewriting);
      writes++;
      return { ...expr, target: id(variable), value: rewriting.expr(expr.value) };
    },
    block: (stmts) => mapSame(stmts, (stmt) => mapStmt(stmt, rewriting)),
  };
  return { stmts: rewriting.block(body), writes };
}

/** How a variable is declared that is what a new element is, and read where it has been set. */
function declarationOf(name: string, element: TsType): readonly [TsStmt, TsExpr] {
  const zero = element.kind !== "name" ? null : element.name === "number" ? number(0) : element.name === "boolean" ? no : null; // prettier-ignore
  if (zero !== null) return [{ kind: "let", name, type: null, init: zero }, id(name)];
  const type: TsType = { kind: "union", members: [element, typeName("undefined")] };
  return [
    { kind: "let", name, type, init: null },
    { kind: "as", expr: id(name), type: element },
  ];
}

/** What a variable that is zero is set to by a statement that does nothing else; null where it does. */
function firstValue(stmt: TsStmt, variable: string): TsExpr | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || !isName(stmt.expr.target, variable)) return null;
  const { op, value } = stmt.expr;
  return reads(value, variable) || (op !== "=" && op !== "+=") ? null : value;
}
