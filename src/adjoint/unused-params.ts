// Dead-argument elimination.
//
// Parameters that a function does not need, such as the stores of what a forward sweep walks, are left out of it and of its calls.
//
//   f(tape, e, e_) { .. f(tape, e.left, e_.left) .. }     f(tape, e) { .. f(tape, e.left) .. }

import { effect } from "../typescript/build.js";
import { isBlock, isPure } from "../typescript/facts.js";
import {
  mapBlocks,
  mapExpressions,
  mapParts,
  replaced,
  visitNames,
  visitParts,
  visitStmt,
  type Visiting,
} from "../typescript/traverse.js";
import type { TsDeclaration, TsExpr, TsFunction, TsStmt } from "../typescript/tree.js";

/** Functions without what they do not need of their callers. Those that are exported, or are used other than by calls, keep their parameters. */
export function withoutUnusedParams(declarations: readonly TsDeclaration[]): readonly TsDeclaration[] {
  const inner = innerFunctions(declarations);
  const needs = new Needs(inner);
  for (const declaration of declarations) if ("fn" in declaration) needs.add(declaration.fn);
  const needed = needs.all();
  const isKept = (fn: TsFunction, index: number): boolean => {
    const param = fn.params[index];
    return param === undefined || !inner.has(fn.name) || needed.has(keyOf(fn, param.name));
  };
  const withoutArgs = (fn: TsFunction): TsFunction =>
    mapExpressions(fn, (expr, rewriting) => {
      if (expr.kind === "arrow") return withReadParams(expr, mapParts(expr, rewriting));
      const callee = expr.kind === "call" && expr.fn.kind === "id" ? inner.get(expr.fn.name) : undefined;
      if (expr.kind !== "call" || callee === undefined) return mapParts(expr, rewriting);
      const args = expr.args.filter((_, index) => isKept(callee, index));
      return mapParts(args.length === expr.args.length ? expr : { ...expr, args }, rewriting);
    });
  return declarations.map((declaration) => {
    if (!("fn" in declaration)) return declaration;
    const { fn } = declaration;
    const params = fn.params.filter((_, index) => isKept(fn, index));
    if (params.length === fn.params.length) return { ...declaration, fn: withoutArgs(fn) };
    // What is made of such a parameter goes with it
    const isNeeded = (stmt: TsStmt): boolean => !isValue(stmt) || needed.has(keyOf(fn, stmt.target));
    const body = mapBlocks(fn, (stmts) => replaced(stmts, (stmt) => (isNeeded(stmt) ? stmt : [])));
    return { ...declaration, fn: { ...withoutArgs(body), params } };
  });
}

/** A function in an expression, which has lost what read some of its parameters: the last of them go, others begin with `_`. */
function withReadParams(before: TsExpr & { readonly kind: "arrow" }, after: TsExpr): TsExpr {
  if (after === before || after.kind !== "arrow") return after;
  const read = new Set<string>();
  const body = isBlock(after.body) ? after.body : [effect(after.body)];
  visitNames(body, (name) => read.add(name));
  const last = after.params.findLastIndex(({ name }) => read.has(name));
  const params = after.params.slice(0, last + 1);
  return { ...after, params: params.map((param) => (read.has(param.name) ? param : { ...param, name: `_${param.name}` })) }; // prettier-ignore
}

/** Whether a statement only gives a value a name. */
function isValue(stmt: TsStmt): stmt is TsStmt & { readonly kind: "const"; readonly target: string } {
  return stmt.kind === "const" && typeof stmt.target === "string" && isPure(stmt.init);
}

/** The functions all of whose uses are calls in the module, by name. */
function innerFunctions(declarations: readonly TsDeclaration[]): ReadonlyMap<string, TsFunction> {
  const found = new Map<string, TsFunction>();
  for (const declaration of declarations) {
    const isInner = declaration.kind === "generator" || (declaration.kind === "function" && !declaration.exported);
    if (isInner) found.set(declaration.fn.name, declaration.fn);
  }
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "id") found.delete(expr.name);
      else if (expr.kind === "call" && expr.fn.kind === "id") expr.args.forEach(visiting.expr);
      else visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) visitStmt(stmt, visiting);
    },
  };
  for (const declaration of declarations) {
    if ("fn" in declaration) visiting.block(declaration.fn.body);
    else if (declaration.kind === "statement") visiting.block([declaration.stmt]);
  }
  return found;
}

/** A variable of a function; those with one name in one function are needed together. */
function keyOf({ name }: TsFunction, variable: string): string {
  return `${name} ${variable}`;
}

/** Which variables are needed for what functions do: constants where what is made of them is, arguments where the parameters are. */
class Needs {
  readonly #needed = new Set<string>();
  /** What a variable is made of, or given. */
  readonly #sources = new Map<string, string[]>();

  constructor(private readonly inner: ReadonlyMap<string, TsFunction>) {}

  all(): ReadonlySet<string> {
    // Grows while it is gone through
    for (const variable of this.#needed)
      for (const source of this.#sources.get(variable) ?? []) this.#needed.add(source);
    return this.#needed;
  }

  add(fn: TsFunction): void {
    // No function gives anything to the variables of others
    const isAsked = this.inner.has(fn.name);
    /** Where what an expression mentions is needed for a variable; for what the function does if that is null. */
    const usesFor = (variable: string | null): Visiting => {
      const visiting: Visiting = {
        expr: (expr) => {
          const callee = expr.kind === "call" && expr.fn.kind === "id" ? this.inner.get(expr.fn.name) : undefined;
          if (expr.kind === "id") {
            if (isAsked) this.#use(keyOf(fn, expr.name), variable);
          } else if (expr.kind === "call" && callee !== undefined) give(callee, expr.args);
          else visitParts(expr, visiting);
        },
        block: (body) => {
          body.forEach(statement);
        },
      };
      return visiting;
    };
    const give = (callee: TsFunction, args: readonly TsExpr[]): void => {
      for (const [index, { name }] of callee.params.entries()) {
        const arg = args[index];
        if (arg === undefined) continue;
        const given = keyOf(callee, name);
        // What has an effect stays
        if (!isPure(arg)) this.#needed.add(given);
        usesFor(given).expr(arg);
      }
    };
    const statement = (stmt: TsStmt): void => {
      visitStmt(stmt, usesFor(isValue(stmt) ? keyOf(fn, stmt.target) : null));
    };
    fn.body.forEach(statement);
  }

  #use(variable: string, by: string | null): void {
    if (by === null) {
      this.#needed.add(variable);
      return;
    }
    const sources = this.#sources.get(by);
    if (sources === undefined) this.#sources.set(by, [variable]);
    else sources.push(variable);
  }
}
