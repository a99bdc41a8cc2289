// While a function is tidied, every variable has a name that no other has; at the end each gets back the name that it had, with a number where that
// would now stand for another.

import { isTemporary } from "../../flat/naming.js";
import { InternalError } from "../../internal-error.js";
import { id } from "../../typescript/build.js";
import { isBlock } from "../../typescript/facts.js";
import { mapParts, mapStmt, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsTarget } from "../../typescript/tree.js";

/** Names of variables of the function that is tidied: no identifier is like them. */
export class Bindings {
  readonly #wanted = new Map<string, string>();
  #count = 0;

  /** `temporary`: the stem of variables that are called so only because all variables have names. */
  constructor(readonly temporary = "t") {}

  fresh(wanted: string): string {
    this.#count++;
    const name = `${wanted}#${this.#count}`;
    this.#wanted.set(name, wanted);
    return name;
  }

  /** The name that a variable has in the end, if possible. */
  wanted(name: string): string {
    const found = this.#wanted.get(name);
    if (found === undefined) throw new InternalError("tidy", `${name} is no variable`);
    return found;
  }

  /** Whether what a variable is called in the end is a name of the compiler's own. */
  isTemporary(name: string): boolean {
    return isTemporary(this.wanted(name), this.temporary);
  }

  /** Gives a variable another name in the end. */
  rename(name: string, wanted: string): void {
    this.#wanted.set(name, wanted);
  }
}

/** Whether a name is that of a variable of the function that is tidied. */
export function isLocal(name: string): boolean {
  return name.includes("#");
}

export function namesOf(target: TsTarget): readonly string[] {
  return typeof target === "string" ? [target] : target.flatMap((name) => (name === null ? [] : [name]));
}

/** Gives every variable a name of its own; `wish` tells what it is to be called in the end. */
export function separated(
  fn: TsFunction,
  bindings: Bindings,
  wish: (name: string) => string = (name) => name,
): TsFunction {
  const scopes: Map<string, string>[] = [];
  const declare = (name: string): string => {
    const fresh = bindings.fresh(wish(name));
    scopes.at(-1)?.set(name, fresh);
    return fresh;
  };
  const within = <T>(body: () => T): T => {
    scopes.push(new Map());
    const result = body();
    scopes.pop();
    return result;
  };
  const resolve = (name: string): string => {
    for (let depth = scopes.length - 1; depth >= 0; depth--) {
      const found = scopes[depth]?.get(name);
      if (found !== undefined) return found;
    }
    return name;
  };
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (expr.kind === "id") return id(resolve(expr.name));
      if (expr.kind !== "arrow") return mapParts(expr, rewriting);
      return within((): TsExpr => {
        const params = expr.params.map((param) => ({ ...param, name: declare(param.name) }));
        return { ...expr, params, body: isBlock(expr.body) ? sequence(expr.body) : rewriting.expr(expr.body) };
      });
    },
    block: (body) => within(() => sequence(body)),
  };
  const sequence = (body: readonly TsStmt[]): readonly TsStmt[] => body.map(statement);
  const statement = (stmt: TsStmt): TsStmt => {
    switch (stmt.kind) {
      case "const": {
        const init = rewriting.expr(stmt.init);
        const target = typeof stmt.target === "string" ? declare(stmt.target) : stmt.target.map((name) => (name === null ? null : declare(name))); // prettier-ignore
        return { ...stmt, target, init };
      }
      case "let": {
        const init = stmt.init === null ? null : rewriting.expr(stmt.init);
        return { ...stmt, name: declare(stmt.name), init };
      }
      case "for": {
        const from = rewriting.expr(stmt.from);
        return within(() => {
          const name = declare(stmt.name);
          return mapStmt({ ...stmt, name, from }, { ...rewriting, expr: (expr) => (expr === from ? from : rewriting.expr(expr)) }); // prettier-ignore
        });
      }
      case "try": {
        const body = rewriting.block(stmt.body);
        return within(() => {
          const param = declare(stmt.param);
          return { ...stmt, body, param, handler: sequence(stmt.handler) };
        });
      }
      case "function": {
        const name = declare(stmt.fn.name);
        return within(() => {
          const params = stmt.fn.params.map((param) => ({ ...param, name: declare(param.name) }));
          return { kind: "function", fn: { ...stmt.fn, name, params, body: sequence(stmt.fn.body) } };
        });
      }
      default:
        return mapStmt(stmt, rewriting);
    }
  };
  return within(() => {
    const params = fn.params.map((param) => ({ ...param, name: declare(param.name) }));
    return { ...fn, params, body: sequence(fn.body) };
  });
}
