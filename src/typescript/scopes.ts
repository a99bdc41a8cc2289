// Through the variables of a function, scope by scope: each is declared before the statements that may use it.

import { mapSame, withParts } from "../same.js";
import { id } from "./build.js";
import { isBlock } from "./facts.js";
import { mapParts, mapStmt, type Rewriting } from "./traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsTarget } from "./tree.js";

/** The statements or the node that begin a scope. */
export type ScopeKey = readonly TsStmt[] | TsExpr | TsStmt;

/** What is done with variables. */
export interface Naming {
  /** Runs what goes through a scope; the name of a function is one of the scope around it. */
  readonly enter: <T>(key: ScopeKey, inside: () => T) => T;
  /** What a variable of the innermost scope is called. */
  readonly declare: (name: string) => string;
  /** What an identifier is called that stands for a variable, or for something outside of the function. */
  readonly use: (name: string) => string;
}

/** A function with other names; the same object where they are the same. */
export function mapNames(fn: TsFunction, { enter, declare, use }: Naming): TsFunction {
  const named = <T extends { readonly name: string }>(params: readonly T[]): readonly T[] =>
    mapSame(params, (param) => {
      const name = declare(param.name);
      return name === param.name ? param : { ...param, name };
    });
  const target = (given: TsTarget): TsTarget =>
    typeof given === "string" ? declare(given) : mapSame(given, (name) => (name === null ? null : declare(name)));
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (expr.kind === "id") {
        const name = use(expr.name);
        return name === expr.name ? expr : id(name);
      }
      if (expr.kind !== "arrow") return mapParts(expr, rewriting);
      return enter(expr, (): TsExpr => {
        const { params, body } = expr;
        return withParts(expr, { params: named(params), body: isBlock(body) ? sequence(body) : rewriting.expr(body) });
      });
    },
    block: (body) => enter(body, () => sequence(body)),
  };
  const sequence = (body: readonly TsStmt[]): readonly TsStmt[] => mapSame(body, statement);
  const statement = (stmt: TsStmt): TsStmt => {
    switch (stmt.kind) {
      // In the order of evaluation: what is bound is not in scope before
      case "const": {
        const init = rewriting.expr(stmt.init);
        return withParts(stmt, { init, target: target(stmt.target) });
      }
      case "let": {
        const init = stmt.init === null ? null : rewriting.expr(stmt.init);
        return withParts(stmt, { init, name: declare(stmt.name) });
      }
      case "for":
        // What it begins with may not be called as its counter, which is in its scope
        return enter(stmt, () => {
          const from = rewriting.expr(stmt.from);
          const name = declare(stmt.name);
          const [test, step] = [rewriting.expr(stmt.test), rewriting.expr(stmt.step)];
          return withParts(stmt, { name, from, test, step, body: rewriting.block(stmt.body) });
        });
      case "try": {
        const body = rewriting.block(stmt.body);
        return enter(stmt, () =>
          withParts(stmt, { body, param: declare(stmt.param), handler: sequence(stmt.handler) }),
        );
      }
      case "function": {
        const name = declare(stmt.fn.name);
        return withParts(stmt, { fn: enter(stmt, () => withParts(inside(stmt.fn), { name })) });
      }
      default:
        return mapStmt(stmt, rewriting);
    }
  };
  const inside = (each: TsFunction): TsFunction =>
    withParts(each, { params: named(each.params), body: sequence(each.body) });
  return enter(fn.body, () => inside(fn));
}
