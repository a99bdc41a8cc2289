// Where the variables of a function are declared, read and assigned to.

import { isBlock } from "../../typescript/facts.js";
import { visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { namesOf } from "./bindings.js";

export interface Variable {
  readonly kind: "param" | "const" | "let";
  /** The loop's body or the function that it belongs to: what is run as often as its declaration. */
  readonly nest: number;
  /** The function that it belongs to. */
  readonly owner: number;
  /** How often it is read; `x += e` reads x too. */
  readonly reads: number;
  readonly writes: number;
  /** Where it was last written. */
  readonly lastWrite: number;
  /** Whether a function inside of its own writes it. */
  readonly isWrittenInside: boolean;
}

/** A variable while its function is read. */
type Counted = { -readonly [K in keyof Variable]: Variable[K] };

/** Where a statement stands. */
export interface Place {
  /** In the text. */
  readonly position: number;
  readonly nest: number;
}

/** Every variable of a function, and the place of each statement. */
export interface Survey {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly places: ReadonlyMap<TsStmt, Place>;
  /** Whether there are functions in it. */
  readonly hasFunctions: boolean;
}

/** Whether a variable keeps the value that it has at a statement, for as long as what the statement declares is there. */
export function isSettled({ variables, places }: Survey, name: string, stmt: TsStmt): boolean {
  const variable = variables.get(name);
  if (variable === undefined) return false;
  if (variable.writes === 0) return true;
  const place = places.get(stmt);
  const isAfter = place !== undefined && variable.lastWrite < place.position;
  return isAfter && !variable.isWrittenInside && variable.nest === place.nest;
}

const known = new WeakMap<TsFunction, Survey>();

/** A survey is kept as long as its function: passes that change nothing hand the function on. */
export function surveyed(fn: TsFunction): Survey {
  const found = known.get(fn);
  if (found !== undefined) return found;
  const survey = surveyOf(fn);
  known.set(fn, survey);
  return survey;
}

function surveyOf(fn: TsFunction): Survey {
  const variables = new Map<string, Counted>();
  const places = new Map<TsStmt, Place>();
  let [position, count, nest, owner] = [0, 0, 0, 0];
  let hasFunctions = false;
  const declare = (name: string, kind: Variable["kind"]): void => {
    variables.set(name, { kind, nest, owner, reads: 0, writes: 0, lastWrite: -1, isWrittenInside: false });
  };
  const repeated = (isFunction: boolean, body: () => void): void => {
    const before = [nest, owner] as const;
    count++;
    nest = count;
    if (isFunction) {
      owner = count;
      hasFunctions = true;
    }
    body();
    [nest, owner] = before;
  };
  const assign = (expr: TsExpr & { readonly kind: "assign" }): void => {
    if (expr.target.kind !== "id") visitParts(expr.target, visiting);
    visiting.expr(expr.value);
    const variable = expr.target.kind === "id" ? variables.get(expr.target.name) : undefined;
    if (variable === undefined) return;
    variable.writes++;
    if (expr.op !== "=") variable.reads++;
    variable.lastWrite = position;
    if (variable.owner !== owner) variable.isWrittenInside = true;
  };
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "id") {
        const variable = variables.get(expr.name);
        if (variable !== undefined) variable.reads++;
      } else if (expr.kind === "assign") assign(expr);
      else if (expr.kind === "arrow") {
        repeated(true, () => {
          for (const { name } of expr.params) declare(name, "param");
          if (isBlock(expr.body)) visiting.block(expr.body);
          else visiting.expr(expr.body);
        });
      } else visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) statement(stmt);
    },
  };
  const statement = (stmt: TsStmt): void => {
    position++;
    places.set(stmt, { position, nest });
    switch (stmt.kind) {
      case "const":
        visiting.expr(stmt.init);
        for (const name of namesOf(stmt.target)) declare(name, "const");
        return;
      case "let":
        if (stmt.init !== null) visiting.expr(stmt.init);
        declare(stmt.name, "let");
        return;
      case "for":
        visiting.expr(stmt.from);
        repeated(false, () => {
          declare(stmt.name, "let");
          visiting.expr(stmt.test);
          visiting.block(stmt.body);
          visiting.expr(stmt.step);
          // Within the body, a variable that only the step changes is a constant
          const variable = variables.get(stmt.name);
          if (variable?.writes === 1) variable.lastWrite = -1;
        });
        return;
      case "loop":
      case "while":
      case "try":
        repeated(false, () => {
          if (stmt.kind === "try") declare(stmt.param, "param");
          visitStmt(stmt, visiting);
        });
        return;
      case "function":
        declare(stmt.fn.name, "const");
        repeated(true, () => {
          for (const { name } of stmt.fn.params) declare(name, "param");
          visiting.block(stmt.fn.body);
        });
        return;
      default:
        visitStmt(stmt, visiting);
    }
  };
  for (const { name } of fn.params) declare(name, "param");
  visiting.block(fn.body);
  return { variables, places, hasFunctions };
}
