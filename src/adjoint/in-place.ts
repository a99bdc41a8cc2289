// Loops that carry arrays and make each from the one before, element by element (`iterate n (map step) xs`): one array is enough, written over in place,
// and one array of cotangents on the way back.
//
//   xs' = for n (p = xs).. ([q] = for i < length p .. f (p ! i) ..; q)
//
// An array p is carried in place where the loop that makes the next one, q, is the only one to read p, at the index that it writes q at. The reverse
// sweep must not need what p has held: where it does, iterations have arrays of their own.

import type { Atom, Block, End, Operation, Stmt, Var } from "../flat/program.js";
import { operands } from "../flat/traverse.js";
import { subBlocks } from "./blocks.js";

type For = Stmt & { readonly kind: "for" };

/** An array that a loop carries in place: `param` and `next` are `result` all along. */
export interface InPlace {
  readonly param: Var;
  readonly next: Var;
  readonly result: Var;
  readonly init: Atom;
}

/** The arrays that a loop can carry in place. `isKept`: whether each iteration hands on what is as long as a parameter. */
export function carriedInPlace(stmt: For, isKept: (param: Var) => boolean): readonly InPlace[] {
  const { end, stmts } = stmt.body;
  if (end.kind !== "yield") return [];
  const found = stmt.params.flatMap((param, index) => {
    const [next, result, init] = [end.values[index], stmt.results[index], stmt.init[index]];
    if (param.rep.kind !== "array" || param.rep.element.kind !== "real") return [];
    if (next?.kind !== "var" || result === undefined || init === undefined) return [];
    const maker = stmts.find((other): other is For => other.kind === "for" && other.arrays.some(({ name }) => name === next.variable.name)); // prettier-ignore
    if (maker === undefined || !isElementwise(stmt.body, param, next.variable, maker)) return [];
    return [{ param, next: next.variable, result, init }];
  });
  return found.every(({ param }) => isKept(param)) ? found : [];
}

/** Whether `param` is read by `maker` alone, at its index, and `next` is nothing but what the next iteration gets. */
function isElementwise(body: Block, param: Var, next: Var, maker: For): boolean {
  const isFine = (stmt: Stmt, within: boolean): boolean => {
    switch (stmt.kind) {
      // What is checked of an array is its length
      case "check":
        return true;
      case "let":
        return isFineOperation(stmt.op, within);
      case "choose":
        return isFineEnd(stmt.end, within);
      case "call":
        return !mentions(stmt.args, [param, next]);
      case "apply":
        return !mentions([stmt.fn, ...stmt.args], [param, next]);
      case "loop":
      case "for":
        return !mentions(stmt.init, [param, next]) && isFineBlock(stmt.body, within || stmt === maker);
    }
  };
  const isFineOperation = (op: Operation, within: boolean): boolean => {
    if (op.kind === "length") return true;
    const atoms = operands(op);
    if (!mentions(atoms, [param, next])) return true;
    const isOwnCell = op.kind === "cell" && isVar(op.array, param) && isVar(op.index, maker.index);
    return isOwnCell && within;
  };
  const isFineBlock = (block: Block, within: boolean): boolean =>
    block.stmts.every((stmt) => isFine(stmt, within)) && isFineEnd(block.end, within);
  const isFineEnd = (end: End, within: boolean): boolean =>
    (end.kind === "yield" || end.kind === "next" ? !mentions(end.values, [param, next]) : true) &&
    subBlocks(end).every((block) => isFineBlock(block, within));
  const { end } = body;
  const isYieldedOnce = end.kind === "yield" && end.values.filter((value) => isVar(value, next)).length === 1;
  const isKept = end.kind === "yield" && end.values.some((value) => isVar(value, param));
  return isYieldedOnce && !isKept && body.stmts.every((stmt) => isFine(stmt, false));
}

function isVar(atom: Atom, variable: Var): boolean {
  return atom.kind === "var" && atom.variable.name === variable.name;
}

function mentions(atoms: readonly Atom[], variables: readonly Var[]): boolean {
  return atoms.some((atom) => variables.some((variable) => isVar(atom, variable)));
}
