// Gives the variables of a tidied function their names.

import { InternalError } from "../../internal-error.js";
import { id } from "../../typescript/build.js";
import { isBlock } from "../../typescript/facts.js";
import { mapParts, mapStmt, visitParts, visitStmt, type Rewriting, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsParam, TsStmt } from "../../typescript/tree.js";
import { isLocal, namesOf, type Bindings } from "../analysis/bindings.js";
import { nestedName } from "./saved-names.js";

/** What a stretch of code in which names are declared mentions: its own variables, those further out, and what is outside of the function. */
type Mentions = ReadonlySet<string>;

/** By the statements or the node that begin a scope. */
type ScopeKey = readonly TsStmt[] | TsExpr | TsStmt;

/** A function whose variables have the names that they are wished to have, with numbers where those would stand for others. */
export function named(fn: TsFunction, bindings: Bindings): TsFunction {
  const mentions = mentionsIn(fn);
  const final = new Map<string, string>();
  const taken: Set<string>[] = [];
  const enter = <T>(key: ScopeKey, body: () => T): T => {
    const names = new Set<string>();
    for (const name of mentions.get(key) ?? []) {
      if (!isLocal(name)) names.add(name);
      else if (final.has(name)) names.add(final.get(name) ?? name);
    }
    taken.push(names);
    const result = body();
    taken.pop();
    return result;
  };
  const declare = (name: string): string => {
    const names = taken.at(-1) ?? new Set<string>();
    const wanted = nestedName(bindings.wanted(name));
    let chosen = wanted;
    for (let count = 1; names.has(chosen); count++) chosen = `${wanted.replace(/\d+$/, "")}${count}`;
    names.add(chosen);
    final.set(name, chosen);
    return chosen;
  };
  const nameOf = (name: string): string => {
    if (!isLocal(name)) return name;
    const found = final.get(name);
    if (found === undefined) throw new InternalError("tidy", `${name} is used before it is declared`);
    return found;
  };
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (expr.kind === "id") return id(nameOf(expr.name));
      if (expr.kind !== "arrow") return mapParts(expr, rewriting);
      return enter(expr, (): TsExpr => {
        const params = expr.params.map((param) => ({ ...param, name: declare(param.name) }));
        return { ...expr, params, body: isBlock(expr.body) ? sequence(expr.body) : rewriting.expr(expr.body) };
      });
    },
    block: (body) => enter(body, () => sequence(body)),
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
        return enter(stmt, (): TsStmt => {
          const name = declare(stmt.name);
          const [test, step] = [rewriting.expr(stmt.test), rewriting.expr(stmt.step)];
          return { kind: "for", name, from, test, step, body: rewriting.block(stmt.body) };
        });
      }
      case "try": {
        const body = rewriting.block(stmt.body);
        return enter(stmt, (): TsStmt => {
          const param = declare(stmt.param);
          return { ...stmt, body, param, handler: sequence(stmt.handler) };
        });
      }
      case "function": {
        const name = declare(stmt.fn.name);
        return enter(stmt, (): TsStmt => {
          const params = stmt.fn.params.map((param) => ({ ...param, name: declare(param.name) }));
          return { kind: "function", fn: { ...stmt.fn, name, params, body: sequence(stmt.fn.body) } };
        });
      }
      default:
        return mapStmt(stmt, rewriting);
    }
  };
  return enter(fn.body, () => {
    const params = fn.params.map((param): TsParam => ({ ...param, name: declare(param.name) }));
    return { ...fn, params, body: sequence(fn.body) };
  });
}

/** For every scope what it mentions, scopes within it included. */
function mentionsIn(fn: TsFunction): ReadonlyMap<ScopeKey, Mentions> {
  const all = new Map<ScopeKey, Mentions>();
  const open: Set<string>[] = [];
  const owners = new Map<string, number>();
  const within = (key: ScopeKey, body: () => void): void => {
    const names = new Set<string>();
    all.set(key, names);
    open.push(names);
    body();
    open.pop();
  };
  const declare = (name: string): void => {
    owners.set(name, open.length - 1);
  };
  const mention = (name: string): void => {
    const owner = owners.get(name) ?? 0;
    // A scope that mentions it has told those around it
    for (let depth = open.length - 1; depth >= owner; depth--) {
      const names = open[depth];
      if (names === undefined || names.has(name)) return;
      names.add(name);
    }
  };
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "id") mention(expr.name);
      else if (expr.kind !== "arrow") visitParts(expr, visiting);
      else {
        within(expr, () => {
          for (const { name } of expr.params) declare(name);
          if (isBlock(expr.body)) sequence(expr.body);
          else visiting.expr(expr.body);
        });
      }
    },
    block: (body) => {
      within(body, () => {
        sequence(body);
      });
    },
  };
  const sequence = (body: readonly TsStmt[]): void => {
    for (const stmt of body) statement(stmt);
  };
  const statement = (stmt: TsStmt): void => {
    switch (stmt.kind) {
      case "const":
        visiting.expr(stmt.init);
        namesOf(stmt.target).forEach(declare);
        return;
      case "let":
        if (stmt.init !== null) visiting.expr(stmt.init);
        declare(stmt.name);
        return;
      case "for":
        within(stmt, () => {
          // JavaScript takes a name in it for the loop's own variable
          visiting.expr(stmt.from);
          declare(stmt.name);
          visiting.expr(stmt.test);
          visiting.expr(stmt.step);
          visiting.block(stmt.body);
        });
        return;
      case "try":
        visiting.block(stmt.body);
        within(stmt, () => {
          declare(stmt.param);
          sequence(stmt.handler);
        });
        return;
      case "function":
        declare(stmt.fn.name);
        within(stmt, () => {
          for (const { name } of stmt.fn.params) declare(name);
          sequence(stmt.fn.body);
        });
        return;
      default:
        visitStmt(stmt, visiting);
    }
  };
  within(fn.body, () => {
    for (const { name } of fn.params) declare(name);
    sequence(fn.body);
  });
  return all;
}
