// Counting instructions for `dualrev cost`, in the statements that the passes have left.
//
//   acc += xs[i]!;    is    countPrimitive(acc += countCell(xs[i]!));
//
// Every operation on numbers is one primitive, those on the counters of loops and on addresses, too: the other stages count these where the program has them, as
// the prelude's loops do, and here nothing tells them apart any more. What checks and converts the arguments of exported functions is not counted, in no stage.

import { effects } from "../runtime/effects.js";
import { fragmentFile } from "../runtime/fragments.js";
import { mapSame } from "../same.js";
import { callOf, effect, member, number } from "../typescript/build.js";
import { mapParts, mapStmt, type Rewriting } from "../typescript/traverse.js";
import type { Refer } from "../emit/lower/lower-operators.js";
import type { TsBinaryOp, TsDeclaration, TsExpr, TsFunction, TsStmt } from "../typescript/tree.js";

export interface CountingContext {
  readonly refer: Refer;
  /** By name what a function is of the runtime, or what it does as that does. */
  readonly called: ReadonlyMap<string, string>;
  /** What functions call the parameter that counts the words of stack in use. */
  readonly depth: string;
  /** The functions that stand between callers and the program. */
  readonly boundary: ReadonlySet<string>;
}

/** The declarations with instructions that count what their functions do. */
export function withCounting(
  declarations: readonly TsDeclaration[],
  context: CountingContext,
): readonly TsDeclaration[] {
  const counting = new Counting(context);
  return declarations.map((declaration) => {
    const isCounted = declaration.kind === "function" || declaration.kind === "generator";
    if (!isCounted || context.boundary.has(declaration.fn.name)) return declaration;
    return { ...declaration, fn: counting.function(declaration.fn) };
  });
}

type Counter = "countPrimitive" | "countCell" | "countCells";

class Counting {
  readonly #context: CountingContext;
  readonly #inside: Rewriting = {
    expr: (expr) => this.#expr(expr),
    block: (body) => mapSame(body, (stmt) => this.#stmt(stmt)),
  };

  constructor(context: CountingContext) {
    this.#context = context;
  }

  function(fn: TsFunction): TsFunction {
    return { ...fn, body: this.#entered(this.#inside.block(fn.body)) };
  }

  #entered(body: readonly TsStmt[]): readonly TsStmt[] {
    const calls = member(this.#context.refer("cost.cost"), "functionCalls");
    return [effect({ kind: "assign", op: "+=", target: calls, value: number(1) }), ...body];
  }

  #stmt(stmt: TsStmt): TsStmt {
    return stmt.kind === "function" ? { ...stmt, fn: this.function(stmt.fn) } : mapStmt(stmt, this.#inside);
  }

  #expr(expr: TsExpr): TsExpr {
    const inside = mapParts(expr, this.#inside);
    return this.#counters(expr).reduce((counted, counter) => this.#counted(counter, counted), inside);
  }

  #counted(counter: Counter, value: TsExpr): TsExpr {
    return callOf(this.#context.refer(`cost.${counter}`), value);
  }

  /** What an expression does itself, beside its parts. */
  #counters(expr: TsExpr): readonly Counter[] {
    switch (expr.kind) {
      case "binary":
        return this.#isOfNumbers(expr.op, expr.left, expr.right) ? ["countPrimitive"] : [];
      case "unary":
        return expr.op === "-" && expr.arg.kind !== "number" ? ["countPrimitive"] : [];
      case "index":
        return expr.certain ? ["countCell"] : [];
      case "new":
        // With more arguments it is a part of memory that was counted
        return expr.args.length === 1 ? ["countCells"] : [];
      case "call":
        return this.#ofCall(expr.fn);
      case "assign":
        return ofAssignment(expr.op, expr.target);
      case "id":
      case "number":
      case "string":
      case "boolean":
      case "null":
      case "undefined":
      case "cond":
      case "member":
      case "arrow":
      case "object":
      case "array":
      case "as":
      case "yield":
        return [];
    }
  }

  #isOfNumbers(op: TsBinaryOp, left: TsExpr, right: TsExpr): boolean {
    if (op === "&&" || op === "||" || op === "??") return false;
    const isDepth = left.kind === "id" && left.name === this.#context.depth;
    return !isDepth && [left, right].every(mayBeNumber);
  }

  #ofCall(fn: TsExpr): readonly Counter[] {
    if (fn.kind === "member") {
      if (fn.object.kind === "id" && fn.object.name === "Math") return ["countPrimitive"];
      return overElements.has(fn.name) ? ["countCells"] : [];
    }
    const reference = fn.kind === "id" ? (this.#context.called.get(fn.name) ?? "") : "";
    if (fragmentFile(reference) === "numbers") return ["countPrimitive"];
    const gives = effects.get(reference)?.gives;
    return gives === "zeros" || gives === "copy" ? ["countCells"] : [];
  }
}

/** Methods of arrays that do something with each element, and give the array, or a new one. */
const overElements: ReadonlySet<string> = new Set(["fill", "copyWithin", "reverse", "slice", "map", "concat"]);

function ofAssignment(op: "=" | "+=" | "-=" | "??=", target: TsExpr): readonly Counter[] {
  // A literal index is that of a component of a tuple
  const isCell = target.kind === "index" && target.index.kind !== "number";
  const written: readonly Counter[] = isCell ? ["countCell"] : [];
  return op === "+=" || op === "-=" ? ["countPrimitive", ...written, ...written] : written;
}

/** Whether the operands of an operator can be numbers, and are no names of constructors, and nothing that may be absent. */
function mayBeNumber(operand: TsExpr): boolean {
  return operand.kind !== "string" && operand.kind !== "null" && operand.kind !== "undefined";
}
