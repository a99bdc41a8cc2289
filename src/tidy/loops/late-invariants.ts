// Loop-invariant code motion, in what is emitted.
//
// What costs something and is the same in every iteration of a loop is computed once, in front of it; and so is what has a name anyway.
//
//   for (..) x[i] *= 1 / total              const inverse = 1 / total; for (..) x[i] *= inverse
//   for (..) { const t = dx * dx; .. }      const t = dx * dx; for (..) { .. }
//   for (..) { const r = rows[k]; .. }      const r = rows[k]; for (..) { .. }                where the loop changes numbers alone
//
// What stands in front of a loop already is not computed again.

import { withParts } from "../../same.js";
import { keyOf } from "../../key.js";
import { id } from "../../typescript/build.js";
import {
  hasStatements,
  mapParts,
  mapStmt,
  replaced,
  visitExpressions,
  visitParts,
  visitStmt,
  withBody,
  type Rewriting,
  type Visiting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { isLocal, namesOf, type Bindings } from "../analysis/bindings.js";
import { Memory } from "../analysis/memory.js";
import { isLoop } from "../analysis/loops.js";
import { isCallOf, isTotal, isTotalCall, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";
import { grownIn } from "../analysis/uses.js";

export function withInvariantsOutside(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const invariants = new Invariants(fn);
  const memory = new Memory(fn, surroundings);
  const outside: Rewriting = {
    expr: (expr) => (hasStatements(expr) ? mapParts(expr, outside) : expr),
    block: (body) =>
      invariants.within(() =>
        replaced(body, (stmt) => {
          if (!isLoop(stmt)) return mapStmt(stmt, outside);
          const before: TsStmt[] = [];
          const loop = hoisted(stmt, before, bindings, surroundings, invariants, memory);
          // Loops further in
          const inner = mapStmt(loop, outside);
          return before.length === 0 ? inner : [...before, inner];
        }),
      ),
  };
  return withBody(fn, outside.block(fn.body));
}

/** The constants in scope that stand in front of loops, and of nothing that changes. */
class Invariants {
  readonly #fn: TsFunction;
  readonly #names = new Map<string, string>();
  readonly #order: string[] = [];
  /** Constants that are no arrays where their loops have no iterations: nobody may ask for their lengths in front of one. */
  readonly mayBeMissing = new Set<string>();

  constructor(fn: TsFunction) {
    this.#fn = fn;
  }

  /** What is added within `f` is out of scope after it. */
  within<T>(f: () => T): T {
    const start = this.#order.length;
    const result = f();
    for (const key of this.#order.splice(start)) this.#names.delete(key);
    return result;
  }

  /** The constant that is an expression; null where there is none. */
  nameOf(init: TsExpr): string | null {
    return this.#names.get(keyOf(init)) ?? null;
  }

  add(name: string, init: TsExpr): void {
    const { variables } = surveyed(this.#fn);
    const key = keyOf(init);
    let isFixed = !this.#names.has(key);
    visitExpressions([{ kind: "expr", expr: init }], (expr) => {
      // A length may be that of an array that gets longer
      if (expr.kind === "member" && expr.name === "length") isFixed = false;
      if (expr.kind === "id" && isLocal(expr.name) && (variables.get(expr.name)?.writes ?? 1) > 0) isFixed = false;
    });
    if (!isFixed) return;
    this.#names.set(key, name);
    this.#order.push(key);
  }
}

function hoisted(
  loop: TsStmt,
  before: TsStmt[],
  bindings: Bindings,
  surroundings: Surroundings,
  invariants: Invariants,
  memory: Memory,
): TsStmt {
  const [changed, grown] = [changesIn(loop), grownIn([loop])];
  let changesNumbers: boolean | null = null;
  /** Whether an expression is an item of an array that holds no numbers, and nothing else is changed in the loop but numbers. */
  const isFixedRow = ({ object, index, certain }: TsExpr & { readonly kind: "index" }): boolean =>
    certain && object.kind === "id" && isInvariant(object) && !invariants.mayBeMissing.has(object.name) && isInvariant(index) &&
    !memory.holdsNumbers(object.name) && (changesNumbers ??= changesNumbersAlone(loop, memory, surroundings)); // prettier-ignore
  // Of a choice the index may be none where it is not made
  const direct = new Set<TsStmt>(loop.kind === "for" || loop.kind === "while" || loop.kind === "loop" ? loop.body : []);
  const known = new Map<string, string>();
  /** Constants that have another name already. */
  const renamed = new Map<string, string>();
  const isInvariant = (expr: TsExpr): boolean => {
    switch (expr.kind) {
      case "id":
        return isLocal(expr.name) && !changed.has(expr.name);
      case "number":
        return true;
      case "unary":
        return isInvariant(expr.arg);
      case "binary":
        return isInvariant(expr.left) && isInvariant(expr.right);
      case "call":
        return isTotalCall(expr.fn, surroundings) && expr.args.every(isInvariant);
      case "index":
        return isFixedRow(expr);
      case "member":
        return (
          isLength(expr) &&
          isInvariant(expr.object) &&
          !(expr.object.kind === "id" && invariants.mayBeMissing.has(expr.object.name)) &&
          !(expr.object.kind === "id" && grown.has(expr.object.name))
        );
      default:
        return false;
    }
  };
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (expr.kind === "id") {
        const same = renamed.get(expr.name);
        return same === undefined ? expr : id(same);
      }
      if (!isCostly(expr) || !isTotal(expr, surroundings) || !isInvariant(expr)) return mapParts(expr, rewriting);
      const key = keyOf(expr);
      const same = known.get(key) ?? invariants.nameOf(expr);
      const name = same ?? bindings.fresh(isInverse(expr) ? "inverse" : "fixed");
      if (same === null) {
        before.push({ kind: "const", target: name, type: null, init: expr });
        invariants.add(name, expr);
      }
      known.set(key, name);
      return id(name);
    },
    block: (body) =>
      replaced(body, (stmt) => {
        if (stmt.kind !== "const" || typeof stmt.target !== "string" || !isComputed(stmt.init)) return mapStmt(stmt, rewriting); // prettier-ignore
        const isHere = stmt.init.kind !== "index" || direct.has(stmt);
        if (!isHere || !isTotal(stmt.init, surroundings) || !isInvariant(stmt.init)) return mapStmt(stmt, rewriting);
        const same = known.get(keyOf(stmt.init)) ?? invariants.nameOf(stmt.init);
        if (same !== null) {
          renamed.set(stmt.target, same);
          return [];
        }
        known.set(keyOf(stmt.init), stmt.target);
        invariants.add(stmt.target, stmt.init);
        if (stmt.init.kind === "index") invariants.mayBeMissing.add(stmt.target);
        before.push(stmt);
        changed.delete(stmt.target);
        return [];
      }),
  };
  if (loop.kind !== "for") return mapStmt(loop, rewriting);
  return withParts(loop, { body: rewriting.block(loop.body) });
}

function isInverse(expr: TsExpr): boolean {
  return expr.kind === "binary" && expr.op === "/" && expr.left.kind === "number" && expr.left.value === 1;
}

/** Not a name or a literal alone. */
function isComputed(expr: TsExpr): boolean {
  return expr.kind === "binary" || expr.kind === "unary" || expr.kind === "call" || expr.kind === "index" || isLength(expr); // prettier-ignore
}

function isLength(expr: TsExpr): expr is TsExpr & { readonly kind: "member" } {
  return expr.kind === "member" && expr.name === "length" && expr.object.kind === "id";
}

/** A division or a function, and not of literals alone. */
function isCostly(expr: TsExpr): boolean {
  if (expr.kind === "binary" && expr.op === "/") return !isLiteral(expr.left) || !isLiteral(expr.right);
  if (expr.kind === "binary") return isCostly(expr.left) || isCostly(expr.right);
  if (expr.kind === "unary") return isCostly(expr.arg);
  return expr.kind === "call" && !expr.args.every(isLiteral);
}

function isLiteral(expr: TsExpr): boolean {
  return expr.kind === "number";
}

/** Whether a loop changes no elements of arrays but numbers, and nothing that it calls changes any. */
function changesNumbersAlone(loop: TsStmt, memory: Memory, surroundings: Surroundings): boolean {
  let isSo = true;
  visitExpressions([loop], (expr) => {
    if (expr.kind === "assign" && expr.target.kind === "index")
      isSo &&= expr.target.object.kind === "id" && memory.holdsNumbers(expr.target.object.name);
    else if (expr.kind === "assign") isSo &&= expr.target.kind === "id";
    const mayChange = expr.kind === "call" && !isTotalCall(expr.fn, surroundings);
    if (expr.kind === "arrow" || (mayChange && !isCallOf(expr, "arrays.outside", surroundings))) isSo = false;
  });
  return isSo;
}

/** Variables that are declared in a loop, or assigned to. */
function changesIn(loop: TsStmt): Set<string> {
  const changed = new Set<string>();
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "assign" && expr.target.kind === "id") changed.add(expr.target.name);
      if (expr.kind === "arrow") for (const { name } of expr.params) changed.add(name);
      visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) statement(stmt);
    },
  };
  const statement = (stmt: TsStmt): void => {
    if (stmt.kind === "const") for (const name of namesOf(stmt.target)) changed.add(name);
    if (stmt.kind === "let" || stmt.kind === "for") changed.add(stmt.name);
    if (stmt.kind === "try") changed.add(stmt.param);
    if (stmt.kind === "function") for (const { name } of [stmt.fn, ...stmt.fn.params]) changed.add(name);
    visitStmt(stmt, visiting);
  };
  statement(loop);
  return changed;
}
