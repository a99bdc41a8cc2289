// The invariants of a function between the passes that tidy it. They find our mistakes, not the user's.

import { InternalError } from "../internal-error.js";
import { isBlock } from "../typescript/facts.js";
import { visitParts, visitStmt, type Visiting } from "../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../typescript/tree.js";
import { isLocal, namesOf } from "./analysis/bindings.js";

/**
 * Throws an `InternalError` that names the function unless each of its variables is declared once, is used only behind its declaration and in its block, and is
 * assigned to only where it is no constant; and unless each `break` and `continue` is in a loop, or `switch`, that it can mean.
 */
export function assertFunction(fn: TsFunction): void {
  new Checker(fn.name).function(fn.params, fn.body);
}

class Checker {
  readonly #declared = new Set<string>();
  readonly #scopes: Set<string>[] = [];
  readonly #constants = new Set<string>();
  /** The labels of the loops around, null for one without; "switch" for a `switch`. */
  #around: readonly (string | null)[] = [];

  constructor(private readonly name: string) {}

  function(params: readonly { readonly name: string }[], body: readonly TsStmt[]): void {
    const around = this.#around;
    this.#around = [];
    this.#within(() => {
      for (const { name } of params) this.#declare(name, false);
      this.#stmts(body);
    });
    this.#around = around;
  }

  readonly #visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "id") this.#use(expr.name);
      else if (expr.kind === "arrow") {
        if (isBlock(expr.body)) this.function(expr.params, expr.body);
        else {
          const { body } = expr;
          this.#within(() => {
            for (const { name } of expr.params) this.#declare(name, false);
            this.#visiting.expr(body);
          });
        }
      } else {
        if (expr.kind === "assign" && expr.target.kind === "id" && this.#constants.has(expr.target.name)) {
          this.#fail(`the constant ${expr.target.name} is assigned to`);
        }
        visitParts(expr, this.#visiting);
      }
    },
    block: (body) => {
      this.#within(() => {
        this.#stmts(body);
      });
    },
  };

  #stmts(stmts: readonly TsStmt[]): void {
    for (const stmt of stmts) this.#stmt(stmt);
  }

  #stmt(stmt: TsStmt): void {
    switch (stmt.kind) {
      case "const":
        this.#visiting.expr(stmt.init);
        for (const name of namesOf(stmt.target)) this.#declare(name, true);
        return;
      case "let":
        if (stmt.init !== null) this.#visiting.expr(stmt.init);
        this.#declare(stmt.name, false);
        return;
      case "function":
        this.#declare(stmt.fn.name, true);
        this.function(stmt.fn.params, stmt.fn.body);
        return;
      case "for":
        this.#visiting.expr(stmt.from);
        this.#within(() => {
          this.#declare(stmt.name, false);
          this.#visiting.expr(stmt.test);
          this.#visiting.expr(stmt.step);
          this.#inside(null, stmt.body);
        });
        return;
      case "while":
        this.#visiting.expr(stmt.test);
        this.#inside(null, stmt.body);
        return;
      case "loop":
        this.#inside(stmt.label, stmt.body);
        return;
      case "try":
        this.#visiting.block(stmt.body);
        this.#within(() => {
          this.#declare(stmt.param, false);
          this.#stmts(stmt.handler);
        });
        return;
      case "switch": {
        const around = this.#around;
        this.#around = [...around, "switch"];
        visitStmt(stmt, this.#visiting);
        this.#around = around;
        return;
      }
      case "break":
      case "continue":
        this.#leave(stmt.kind, stmt.label);
        return;
      default:
        visitStmt(stmt, this.#visiting);
    }
  }

  #inside(label: string | null, body: readonly TsStmt[]): void {
    const around = this.#around;
    this.#around = [...around, label];
    this.#visiting.block(body);
    this.#around = around;
  }

  #leave(kind: "break" | "continue", label: string | null): void {
    const loops = this.#around.filter((each) => each !== "switch");
    if (
      label !== null ? !loops.includes(label) : kind === "continue" ? loops.length === 0 : this.#around.length === 0
    ) {
      this.#fail(`a ${kind} outside of its loop`);
    }
  }

  #within(run: () => void): void {
    this.#scopes.push(new Set());
    run();
    this.#scopes.pop();
  }

  #declare(name: string, isConstant: boolean): void {
    if (!isLocal(name)) return;
    if (this.#declared.has(name)) this.#fail(`${name} is declared twice`);
    this.#declared.add(name);
    if (isConstant) this.#constants.add(name);
    this.#scopes.at(-1)?.add(name);
  }

  #use(name: string): void {
    if (isLocal(name) && !this.#scopes.some((scope) => scope.has(name))) this.#fail(`${name} is used where it is not declared`); // prettier-ignore
  }

  #fail(message: string): never {
    throw new InternalError("function check", `[${this.name}] ${message}`);
  }
}
