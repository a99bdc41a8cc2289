// How operations of the forward sweep are computed again.

import type { Atom, Block, End, Operation, Procedure, Stmt, Var } from "../flat/program.js";
import { mapBlocks } from "../flat/traverse.js";
import { InternalError } from "../internal-error.js";
import type { LoopStmt } from "./places.js";

/** An operation that has not failed in the forward sweep; of two lengths that are the same it takes the one that is preferred. */
export function again(op: Operation, isPreferred: (atom: Atom) => boolean): Operation {
  if (op.kind !== "prim" || op.site === null) return op;
  const [first] = op.args;
  // A product without a site is known not to be -0, which is no integer
  if (op.op === "mulZ") return op;
  if (op.op === "sameLength" && first !== undefined) return { kind: "copy", value: op.args.find(isPreferred) ?? first };
  return { ...op, site: null };
}

/** How the operations of a block are computed again. */
type Again = (op: Operation, block: Block) => Operation;

/** A procedure that does nothing but run a loop, or choose, again: without tests of what has not failed, and without stores. */
export function runAgain(stmt: Stmt, againIn: Again): Procedure {
  const within = (block: Block): Block => ({ stmts: block.stmts.flatMap((inner) => inside(inner, block)), end: mapBlocks(block.end, within) }); // prettier-ignore
  const inside = (inner: Stmt, block: Block): readonly Stmt[] => {
    switch (inner.kind) {
      case "check":
        return [];
      case "let":
        return inner.result.rep.kind === "store" ? [] : [{ ...inner, op: againIn(inner.op, block) }];
      case "choose":
        return [{ ...inner, end: mapBlocks(inner.end, within) }];
      case "for":
        return [{ ...inner, body: within(inner.body) }];
      default:
        throw new InternalError("adjoint", `a ${inner.kind} is not run again`);
    }
  };
  return procedureAlone(inside(stmt, { stmts: [stmt], end: nothing }));
}

/** A procedure that runs some statements, and gives nothing. */
export function procedureAlone(stmts: readonly Stmt[]): Procedure {
  const body: Block = { stmts, end: nothing };
  return { name: "", definition: "", captured: [], params: [], results: [], kind: "function", body };
}

const nothing: End = { kind: "yield", values: [] };

/** The array of a counted loop that a variable is always an element of; null where there is none. */
export function elementArray(stmt: LoopStmt, variable: Var): Var | null {
  if (stmt.kind !== "for" || stmt.body.end.kind !== "yield") return null;
  const index = stmt.body.end.values.findIndex(
    (value) => value.kind === "var" && value.variable.name === variable.name,
  );
  const elements = stmt.body.end.values.findIndex((value, place) => place >= stmt.params.length && value.kind === "var" && value.variable.name === variable.name); // prettier-ignore
  return index === -1 || elements === -1 ? null : (stmt.arrays[elements - stmt.params.length] ?? null);
}
