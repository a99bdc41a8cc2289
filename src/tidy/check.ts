// The invariants of a function between the passes that tidy it. They find our mistakes, not the user's.

import { InternalError } from "../internal-error.js";
import { mapNames } from "../typescript/scopes.js";
import { visitParts, visitStmt, type Visiting } from "../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../typescript/tree.js";
import { isLocal } from "./analysis/bindings.js";
import { surveyed } from "./analysis/survey.js";

type Fail = (message: string) => never;

/**
 * Throws an `InternalError` that names the function unless each of its variables is declared once, is used only behind its declaration and in its block, and is
 * assigned to only where it is no constant; and unless each `break` and `continue` is in a loop, or `switch`, that it can mean.
 */
export function assertFunction(fn: TsFunction): void {
  const fail: Fail = (message) => {
    throw new InternalError("function check", `[${fn.name}] ${message}`);
  };
  assertScopes(fn, fail);
  for (const [name, { kind, writes }] of surveyed(fn).variables)
    if (kind === "const" && writes > 0) fail(`the constant ${name} is assigned to`);
  assertJumps(fn, fail);
}

function assertScopes(fn: TsFunction, fail: Fail): void {
  const declared = new Set<string>();
  const scopes: Set<string>[] = [];
  mapNames(fn, {
    enter: (_, inside) => {
      scopes.push(new Set());
      const result = inside();
      scopes.pop();
      return result;
    },
    declare: (name) => {
      if (isLocal(name) && declared.has(name)) fail(`${name} is declared twice`);
      declared.add(name);
      scopes.at(-1)?.add(name);
      return name;
    },
    use: (name) => {
      if (isLocal(name) && !scopes.some((scope) => scope.has(name))) fail(`${name} is used where it is not declared`);
      return name;
    },
  });
}

function assertJumps(fn: TsFunction, fail: Fail): void {
  /** The labels of the loops around, null for one without; "switch" for a `switch`. */
  let around: readonly (string | null)[] = [];
  const inside = (next: readonly (string | null)[], run: () => void): void => {
    const outer = around;
    around = next;
    run();
    around = outer;
  };
  const visiting: Visiting = {
    expr: (expr) => {
      inside(expr.kind === "arrow" ? [] : around, () => {
        visitParts(expr, visiting);
      });
    },
    block: (body) => {
      body.forEach(statement);
    },
  };
  const statement = (stmt: TsStmt): void => {
    if (stmt.kind === "break" || stmt.kind === "continue") {
      const loops = around.filter((each) => each !== "switch");
      const candidates = stmt.kind === "continue" ? loops : around;
      if (stmt.label === null ? candidates.length === 0 : !loops.includes(stmt.label))
        fail(`a ${stmt.kind} outside of its loop`);
    }
    inside(insideOf(stmt, around), () => {
      visitStmt(stmt, visiting);
    });
  };
  visiting.block(fn.body);
}

function insideOf(stmt: TsStmt, around: readonly (string | null)[]): readonly (string | null)[] {
  switch (stmt.kind) {
    case "function":
      return [];
    case "loop":
      return [...around, stmt.label];
    case "for":
    case "while":
      return [...around, null];
    case "switch":
      return [...around, "switch"];
    default:
      return around;
  }
}
