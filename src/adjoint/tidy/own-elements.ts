// A new array of which a loop uses in each round the element of that round alone is a variable of the round.
//
//   const x = new Float64Array(n);
//   for (i < n) { x[i] = e; y_[i] += x[i] * d }        for (i < n) { const x1 = e; y_[i] += x1 * d }

import { mapSame } from "../../same.js";
import { id, number, reads } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "./bindings.js";
import { mapBlocks } from "./blocks.js";
import { countsByOne, elementsOf, isElement, isName, roundsOf, type For } from "./counting.js";
import { isMath } from "./purity.js";
import { surveyed } from "./survey.js";
import { mapParts, mapStmt, type Rewriting } from "./walk.js";

export function withoutOwnElements(fn: TsFunction, bindings: Bindings): TsFunction {
  const { variables } = surveyed(fn);
  const block = (body: readonly TsStmt[]): readonly TsStmt[] => {
    let out = body;
    for (const stmt of body) {
      if (stmt.kind !== "const" || typeof stmt.target !== "string") continue;
      const array = stmt.target;
      const size = sizeOfNew(stmt);
      if (size === null) continue;
      const loop = out.find(
        (other): other is For => other.kind === "for" && countsByOne(other) && elementsOf(other, array) > 0,
      );
      if (loop === undefined || variables.get(loop.name)?.writes !== 1 || !isSize(size, loop)) continue;
      if (elementsOf(loop, array) !== variables.get(array)?.reads) continue;
      const contracted: For = { ...loop, body: withVariable(loop, array, bindings) };
      out = out.flatMap((other) => (other === stmt ? [] : other === loop ? [contracted] : [other]));
    }
    return out;
  };
  return mapBlocks(fn, block);
}

/** What an array of numbers is made of; null where a statement makes none. */
function sizeOfNew({ init, type }: TsStmt & { readonly kind: "const" }): TsExpr | null {
  if (init.kind !== "new") return null;
  const [element] = type?.kind === "name" && type.name === "Array" ? type.args : [];
  const isOfIntegers = isName(init.fn, "Array") && element?.kind === "name" && element.name === "number";
  return isOfIntegers || isName(init.fn, "Float64Array") ? (init.args[0] ?? null) : null;
}

/** Whether an array is one of as many zeros as an expression says: that is a number, not an array that is copied. */
function isSize(size: TsExpr, loop: For): boolean {
  const rounds = roundsOf(loop);
  if (size.kind === "id") return rounds !== null && isName(rounds, size.name);
  return size.kind === "number" || (size.kind === "member" && size.name === "length") || (size.kind === "call" && isMath(size.fn)); // prettier-ignore
}

/** The body of a loop with a variable in place of the element of its round. */
function withVariable({ name, body }: For, array: string, bindings: Bindings): readonly TsStmt[] {
  const variable = bindings.fresh(bindings.wanted(array));
  let writes = 0;
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (isElement(expr, array, name)) return id(variable);
      if (expr.kind !== "assign" || !isElement(expr.target, array, name)) return mapParts(expr, rewriting);
      writes++;
      return { ...expr, target: id(variable), value: rewriting.expr(expr.value) };
    },
    block: (stmts) => mapSame(stmts, (stmt) => mapStmt(stmt, rewriting)),
  };
  const rewritten = rewriting.block(body);
  const at = rewritten.findIndex((stmt, place) => stmt !== body[place]);
  const first = rewritten[at];
  const value = first === undefined ? null : firstValue(first, variable);
  if (value === null) return [{ kind: "let", name: variable, type: null, init: number(0) }, ...rewritten];
  const declared: TsStmt = writes === 1 ? { kind: "const", target: variable, type: null, init: value } : { kind: "let", name: variable, type: null, init: value }; // prettier-ignore
  return mapSame(rewritten, (stmt) => (stmt === first ? declared : stmt));
}

/** What a variable that is zero is set to by a statement that does nothing else; null where it does. */
function firstValue(stmt: TsStmt, variable: string): TsExpr | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || !isName(stmt.expr.target, variable)) return null;
  const { op, value } = stmt.expr;
  return reads(value, variable) || (op !== "=" && op !== "+=") ? null : value;
}
