// A choice between operations, which the reverse sweep makes again.

import { InternalError } from "../internal-error.js";
import type { Block, End, Operation, Var } from "../flat/program.js";
import { assign, id } from "../typescript/build.js";
import type { TsStmt, TsType } from "../typescript/tree.js";
import { atomExpr, lowerOperation, type Place } from "./operations.js";

interface Again {
  readonly place: Place;
  readonly type: TsType;
  /** The name of a variable of a branch. */
  readonly own: (variable: Var) => string;
  /** The name of another variable, which is needed then. */
  readonly needed: (variable: Var) => string;
  /** An operation of a branch, as it is computed again. */
  readonly again: (op: Operation, branch: Block) => Operation;
}

/** Declares a variable, and gives it the value that the choice has given it. */
export function chosenAgain(variable: Var, choice: End, { place, type, own, needed, again }: Again): readonly TsStmt[] {
  const inside = new Set<string>();
  const within: Place = { ...place, name: (other) => (inside.has(other.name) ? own(other) : needed(other)) };
  const name = own(variable);
  const written = (end: End): readonly TsStmt[] => {
    if (end.kind === "yield") return end.values.map((value) => assign(id(name), atomExpr(value, within)));
    if (end.kind !== "if") throw new InternalError("adjoint", "a case is not computed again");
    return [{ kind: "if", test: atomExpr(end.cond, within), then: block(end.then), else: block(end.else) }];
  };
  const block = (branch: Block): readonly TsStmt[] => {
    const stmts = branch.stmts.flatMap((stmt): readonly TsStmt[] => {
      if (stmt.kind !== "let") return [];
      const init = lowerOperation(again(stmt.op, branch), stmt.result, within);
      inside.add(stmt.result.name);
      return [{ kind: "const", target: own(stmt.result), type: null, init }];
    });
    return [...stmts, ...written(branch.end)];
  };
  return [{ kind: "let", name, type, init: null }, ...written(choice)];
}
