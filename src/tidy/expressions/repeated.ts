// Common-subexpression elimination.
//
// What is computed again from the same constants is computed once.
//
//   return { x: -(y / (y * y + x * x)), y: x / (y * y + x * x) }
//     =>
//   const t = y * y + x * x;
//   return { x: -(y / t), y: x / t }

import { withParts } from "../../same.js";
import { numberText } from "../../key.js";
import { constant, id } from "../../typescript/build.js";
import { isMath } from "../../typescript/facts.js";
import { mapParts, mapStmt, replaced, visitExpressions, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { isNumberCall, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";
import { grownIn } from "../analysis/uses.js";

/** What is longer is not looked for. */
const longest = 15;
/** What is worth a constant of its own: more than one product or sum. */
const worth = 2;

/** What takes no longer than to keep what it gives. */
const cheap: ReadonlySet<string> = new Set(["max", "min", "abs"]);

/** A value of numbers and constants: a text for all that give the same, how many operations it has, and how long they take. */
interface Value {
  readonly key: string;
  readonly size: number;
  readonly weight: number;
  /** Whether it is a number, whatever the constants are. */
  readonly isNumber: boolean;
  readonly isLiteral: boolean;
}

const operators: ReadonlyMap<string, number> = new Map([["+", 1], ["-", 1], ["*", 1], ["/", 2]]); // prettier-ignore

export function withRepeatedOnce(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  const grown = grownIn(fn.body);
  const values = new WeakMap<TsExpr, Value>();
  // A variable that only the step of a loop changes is a constant in its body
  const isConstant = (name: string): boolean => {
    const variable = variables.get(name);
    return variable?.writes === 0 || (variable?.writes === 1 && variable.lastWrite === -1);
  };
  const valueOf = (expr: TsExpr): Value | null => {
    const known = values.get(expr);
    if (known !== undefined) return known;
    const value = made(expr);
    if (value !== null) values.set(expr, value);
    return value;
  };
  const made = (expr: TsExpr): Value | null => {
    switch (expr.kind) {
      case "number":
        return { key: numberText(expr.value), size: 1, weight: 0, isNumber: true, isLiteral: true };
      case "id":
        return isConstant(expr.name) ? { key: expr.name, size: 1, weight: 0, isNumber: false, isLiteral: false } : null;
      case "unary":
        return expr.op === "-" ? composed("-", 0, [expr.arg], false) : null;
      case "binary": {
        const weight = operators.get(expr.op);
        if (weight === undefined) return null;
        return composed(expr.op, weight, [expr.left, expr.right], expr.op === "*" || expr.op === "+");
      }
      case "call":
        if (isMath(expr.fn) && expr.fn.kind === "member")
          return composed(expr.fn.name, cheap.has(expr.fn.name) ? 0 : worth, expr.args, false);
        // What has not failed does not fail when it is called again
        return expr.fn.kind === "id" && isNumberCall(expr.fn, surroundings)
          ? composed(expr.fn.name, worth, expr.args, false)
          : null;
      case "string":
        return { key: JSON.stringify(expr.value), size: 1, weight: 0, isNumber: false, isLiteral: true };
      case "member": {
        const { object, name } = expr;
        const isLength = name === "length" && object.kind === "id" && isConstant(object.name) && !grown.has(object.name); // prettier-ignore
        return isLength ? { key: `${object.name}.length`, size: 1, weight: 0, isNumber: true, isLiteral: false } : null;
      }
      default:
        return null;
    }
  };
  const composed = (op: string, weight: number, parts: readonly TsExpr[], isSymmetric: boolean): Value | null => {
    const found = parts.map(valueOf).filter((value) => value !== null);
    const size = found.reduce((sum, part) => sum + part.size, 1);
    if (found.length < parts.length || size > longest) return null;
    // Texts are added, too
    const isNumber = op !== "+" || found.some((part) => part.isNumber && part.size > 1);
    const isLiteral = found.every((part) => part.isLiteral);
    const keys = found.map((part) => part.key);
    if (isSymmetric && isNumber) keys.sort();
    const sum = isLiteral ? 0 : found.reduce((before, part) => before + part.weight, weight);
    return { key: `${op}(${keys.join(",")})`, size, weight: sum, isNumber, isLiteral };
  };
  const once = new Once(valueOf, () => bindings.fresh(bindings.temporary));
  return withBody(fn, once.block(fn.body, new Map()));
}

class Once {
  constructor(
    private readonly valueOf: (expr: TsExpr) => Value | null,
    private readonly fresh: () => string,
  ) {}

  /** Statements in which constants stand for what they are; `outside`: the constants around, by what they are. */
  block(body: readonly TsStmt[], outside: ReadonlyMap<string, string>): readonly TsStmt[] {
    const constants = new Map(outside);
    const left = new Map<string, number>();
    for (const stmt of body) this.#count(stmt, left, 1);
    return replaced(body, (stmt) => {
      const before: TsStmt[] = [];
      const next = this.#statement(stmt, constants, left, before);
      this.#count(stmt, left, -1);
      if (next.kind === "const" && typeof next.target === "string") {
        const value = this.valueOf(next.init);
        if (value !== null && value.weight > 0 && !constants.has(value.key)) constants.set(value.key, next.target);
      }
      // A call that would have failed before
      if (next.kind === "expr" && next.expr.kind === "id") return before;
      return before.length === 0 ? next : [...before, next];
    });
  }

  #statement(stmt: TsStmt, constants: Map<string, string>, left: Map<string, number>, before: TsStmt[]): TsStmt {
    /** `isMet`: whether the expression is computed whenever the statement is come to. */
    const rewritten = (expr: TsExpr, isMet: boolean): TsExpr => {
      const value = this.valueOf(expr);
      if (value !== null && value.weight >= worth) {
        const known = constants.get(value.key);
        if (known !== undefined) return id(known);
        if (isMet && (left.get(value.key) ?? 0) > 1) return id(added(expr, value));
      }
      return parts(expr, isMet);
    };
    const added = (expr: TsExpr, { key }: Value): string => {
      const others = (left.get(key) ?? 0) - 1;
      // What is in the others is not computed any more
      for (const [part, times] of this.#keysIn(expr))
        if (part !== key) left.set(part, (left.get(part) ?? 0) - others * times);
      const init = parts(expr, true);
      const name = this.fresh();
      constants.set(key, name);
      before.push(constant(name, null, init));
      return name;
    };
    const within = (isMet: boolean): Rewriting => ({
      expr: (expr) => rewritten(expr, isMet),
      block: (body) => this.block(body, constants),
    });
    const parts = (expr: TsExpr, isMet: boolean): TsExpr => {
      if (expr.kind === "cond") {
        const test = rewritten(expr.test, isMet);
        return mapParts(expr, {
          ...within(false),
          expr: (part) => (part === expr.test ? test : rewritten(part, false)),
        });
      }
      const isChoice = expr.kind === "binary" && (expr.op === "&&" || expr.op === "||" || expr.op === "??");
      return mapParts(expr, within(isMet && !isChoice && expr.kind !== "arrow"));
    };
    // Of loops, what they count from and to is left as other passes know it
    if (stmt.kind === "for") return mapStmt(stmt, { ...within(false), expr: (expr) => expr });
    if (stmt.kind !== "const") return mapStmt(stmt, within(stmt.kind !== "while" && stmt.kind !== "try"));
    // What has a name already gets no other one, unless a constant before it is the same
    const same = constants.get(this.valueOf(stmt.init)?.key ?? "");
    return withParts(stmt, { init: same === undefined ? parts(stmt.init, true) : id(same) });
  }

  /** How often what is worth it is in a statement, added to what is known. */
  #count(stmt: TsStmt, counts: Map<string, number>, step: number): void {
    visitExpressions([stmt], (expr) => {
      const key = this.#keyOf(expr);
      if (key !== null) counts.set(key, (counts.get(key) ?? 0) + step);
    });
  }

  #keysIn(expr: TsExpr): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    this.#count({ kind: "expr", expr }, counts, 1);
    return counts;
  }

  #keyOf(expr: TsExpr): string | null {
    const value = this.valueOf(expr);
    return value !== null && value.weight >= worth ? value.key : null;
  }
}
