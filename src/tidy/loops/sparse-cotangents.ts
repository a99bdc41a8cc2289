// Sparse cotangents.
//
// The cotangent of an array of which one element has been read is zero but for that element: of the loop that hands the cotangents of all elements on, one iteration is left.
//
//   const ys_ = new Float64Array(n); ys_[at] += y_;
//   for (let i = 0; i < n; i++) { const t_ = ys_[i]; .. x_[i] += scale(t_, p) .. }
//     =>
//   const t_ = y_; .. x_[at] += scale(t_, p) ..
//
// All that an iteration does is to add what vanishes with the cotangent: what a cotangent is multiplied with is guarded, or known to be finite.

import { constant, id, unary } from "../../typescript/build.js";
import { isName, isPure, isSameExpr } from "../../typescript/facts.js";
import { mapBlocks, mapParts, mapStmt, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { arrayMadeBy, isElement, iterationsOf, type For } from "../analysis/counting.js";
import { mentionsIn, namesIn } from "../analysis/mentions.js";
import { isTotal, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";

export function withSparseCotangents(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  const isSettled = (expr: TsExpr): boolean => expr.kind === "number" || (expr.kind === "id" && variables.get(expr.name)?.writes === 0); // prettier-ignore

  /** The one element that is not zero, and the loop over all of them; null where more is done with the array. */
  const sparse = (stmt: TsStmt, body: readonly TsStmt[]): Sparse | null => {
    const made = arrayMadeBy(stmt);
    if (made === null || !isSettled(made.size)) return null;
    const { array } = made;
    const [write, loop, ...others] = body.filter((each) => each !== stmt && namesIn([each], array) > 0);
    const cotangent = write === undefined ? null : contributionTo(write, array);
    if (write === undefined || cotangent === null || loop?.kind !== "for" || others.length > 0) return null;
    const iterations = iterationsOf(loop);
    if (iterations === null || !isSameExpr(iterations, made.size) || variables.get(loop.name)?.writes !== 1)
      return null;
    if (!new Vanishing(array, loop, surroundings).holds) return null;
    return { made: stmt, write, loop, array, ...cotangent };
  };

  return mapBlocks(fn, (body) => {
    let out = body;
    for (const stmt of body) {
      const found = sparse(stmt, out);
      if (found === null) continue;
      const { made, write, loop, array, index, value } = found;
      const kept = (wanted: string, expr: TsExpr): { readonly name: TsExpr; readonly stmts: readonly TsStmt[] } => {
        if (isSettled(expr)) return { name: expr, stmts: [] };
        const name = bindings.fresh(wanted);
        return { name: id(name), stmts: [constant(name, null, expr)] };
      };
      const [at, cotangent] = [kept("at", index), kept("t_", value)];
      out = out.flatMap((each) => {
        if (each === made) return [];
        if (each === write) return [...at.stmts, ...cotangent.stmts];
        return each === loop ? iterationOf(loop, array, at.name, cotangent.name) : [each];
      });
    }
    return out;
  });
}

interface Sparse {
  readonly made: TsStmt;
  readonly write: TsStmt;
  readonly loop: For;
  readonly array: string;
  readonly index: TsExpr;
  readonly value: TsExpr;
}

/** Which element of an array a statement adds something to, and what. */
function contributionTo(stmt: TsStmt, array: string): { readonly index: TsExpr; readonly value: TsExpr } | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign") return null;
  const { op, target, value } = stmt.expr;
  if (target.kind !== "index" || !isName(target.object, array)) return null;
  if (!isPure(target.index) || mentions(target.index, array) || mentions(value, array)) return null;
  if (op === "+=") return { index: target.index, value };
  return op === "-=" ? { index: target.index, value: unary("-", value) } : null;
}

function mentions(expr: TsExpr, name: string): boolean {
  return mentionsIn([{ kind: "expr", expr }], name);
}

/** The iteration of a loop in which its counter is `at`; the element of the array there is `value`. */
function iterationOf(loop: For, array: string, at: TsExpr, value: TsExpr): readonly TsStmt[] {
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (isElement(expr, array, loop.name)) return value;
      return isName(expr, loop.name) ? at : mapParts(expr, rewriting);
    },
    block: (body) => body.map((stmt) => mapStmt(stmt, rewriting)),
  };
  return rewriting.block(loop.body);
}

/** Whether an iteration of a loop does nothing where the element of an array at its index is zero. */
class Vanishing {
  readonly holds: boolean;
  /** Variables of the iteration that are zero then, and those of them that it changes. */
  readonly #zero = new Set<string>();
  readonly #own = new Set<string>();

  constructor(
    private readonly array: string,
    private readonly loop: For,
    private readonly surroundings: Surroundings,
  ) {
    this.holds = loop.body.every((stmt) => this.#stmt(stmt));
  }

  #stmt(stmt: TsStmt): boolean {
    switch (stmt.kind) {
      case "const":
        if (typeof stmt.target !== "string") return false;
        if (!this.#vanishes(stmt.init)) return this.#isOther(stmt.init);
        this.#zero.add(stmt.target);
        return true;
      case "let":
        if (stmt.init === null || !this.#vanishes(stmt.init)) return false;
        this.#zero.add(stmt.name);
        this.#own.add(stmt.name);
        return true;
      case "expr":
        return stmt.expr.kind === "assign" && this.#assign(stmt.expr);
      case "for":
        return (
          [stmt.from, stmt.test].every((part) => this.#isOther(part)) && stmt.body.every((each) => this.#stmt(each))
        );
      case "if":
        return this.#isOther(stmt.test) && [...stmt.then, ...stmt.else].every((each) => this.#stmt(each));
      case "comment":
        return true;
      default:
        return false;
    }
  }

  #assign({ op, target, value }: TsExpr & { readonly kind: "assign" }): boolean {
    const isSum = op === "=" && value.kind === "binary" && (value.op === "+" || value.op === "-");
    // x = x + e
    if (isSum && target.kind === "id" && isName(value.left, target.name) && this.#vanishes(value.right)) return true;
    if (!this.#vanishes(value)) return false;
    if (target.kind === "id") return this.#own.has(target.name) || op === "+=" || op === "-=";
    return target.kind === "index" && (op === "+=" || op === "-=") && this.#isOther(target.object) && this.#isOther(target.index); // prettier-ignore
  }

  /** Whether an expression is computed of what has nothing to do with the cotangent, and fails nowhere. */
  #isOther(expr: TsExpr): boolean {
    return isTotal(expr, this.surroundings) && !mentions(expr, this.array);
  }

  #vanishes(expr: TsExpr): boolean {
    switch (expr.kind) {
      case "number":
        return expr.value === 0;
      case "id":
        return this.#zero.has(expr.name);
      case "index":
        return isElement(expr, this.array, this.loop.name);
      case "unary":
        return expr.op === "-" && this.#vanishes(expr.arg);
      case "binary": {
        const [left, right] = [this.#vanishes(expr.left), this.#vanishes(expr.right)];
        if (expr.op === "+" || expr.op === "-") return left && right;
        if (expr.op === "*") return (left && this.#isFactor(expr.right)) || (right && this.#isFactor(expr.left));
        return expr.op === "/" && left && this.#isFactor(expr.right);
      }
      case "cond":
        return this.#isOther(expr.test) && this.#vanishes(expr.then) && this.#vanishes(expr.else);
      case "call": {
        const [first, second, ...others] = expr.args;
        const called = expr.fn.kind === "id" ? this.surroundings.reference(expr.fn.name) : null;
        if (called === "numbers.ratio" && first !== undefined && second !== undefined)
          return this.#vanishes(first) && this.#isFactor(second);
        if (called !== "numbers.scale" || first === undefined || second === undefined || others.length > 0)
          return false;
        return (this.#vanishes(first) && this.#isFactor(second)) || (this.#vanishes(second) && this.#isFactor(first));
      }
      default:
        return false;
    }
  }

  #isFactor(expr: TsExpr): boolean {
    return this.#vanishes(expr) || this.#isOther(expr);
  }
}
