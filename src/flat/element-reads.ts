// Arrays of which a program does no more than to read elements and to ask for lengths: what stands for them in other forms.

import { location } from "../location.js";
import { isVariable } from "./build.js";
import { Copy } from "./copy.js";
import { locateStmts } from "./locate.js";
import type { Atom, Block, Operation, Program, Stmt, Var } from "./program.js";
import { allBlocks, atomsOf, mapBlocks, operationsOf } from "./traverse.js";

/** The operation that gives an atom; undefined where none does. */
export type OperationOf = (atom: Atom | undefined) => Operation | undefined;

export function operationsIn(program: Program): OperationOf {
  const definitions = new Map(program.procedures.flatMap(({ body }) => [...operationsOf(body)]));
  return (atom) => (atom?.kind === "var" ? definitions.get(atom.variable.name) : undefined);
}

export function isLengthOf(array: Var, op: Operation | undefined): boolean {
  return op?.kind === "length" && isVariable(op.array, array);
}

/** Whether a block does no more with an array than to read elements, and to ask for its length. */
export function isOnlyRead(block: Block, array: Var): boolean {
  const isFine = (stmt: Stmt): boolean =>
    (stmt.kind === "let" && (isLengthOf(array, stmt.op) || (stmt.op.kind === "cell" && !isVariable(stmt.op.index, array)))) ||
    stmt.kind === "check" || !atomsOf(stmt).some((atom) => isVariable(atom, array)); // prettier-ignore
  return [...allBlocks(block)].every(
    ({ stmts, end }) => stmts.every(isFine) && ((end.kind !== "yield" && end.kind !== "next") || !end.values.some((value) => isVariable(value, array))),
  ); // prettier-ignore
}

/** What stands for an array: its length, and what gives the element at an index. */
export interface InPlace {
  readonly length: Atom;
  /** Binds `element`. */
  readonly elementAt: (element: Var, at: Atom, out: Stmt[]) => void;
}

/** The block in which something else stands for an array that it only reads. */
export function withoutArray(block: Block, array: Var, { length, elementAt }: InPlace): Block {
  const lengths = new Map<string, Atom>();
  const inner = ({ stmts, end }: Block): Block => ({ stmts: stmts.flatMap(statement), end: mapBlocks(end, inner) });
  const statement = (stmt: Stmt): readonly Stmt[] => {
    switch (stmt.kind) {
      case "let": {
        const { result, op } = stmt;
        if (isLengthOf(array, op)) {
          lengths.set(result.name, length);
          return [];
        }
        if (op.kind !== "cell" || !isVariable(op.array, array)) return [stmt];
        const out: Stmt[] = [];
        elementAt(result, op.index, out);
        locateStmts(out, 0, stmt[location]);
        return out;
      }
      case "check":
        return stmt.check.kind === "inRange" && isVariable(stmt.check.array, array) ? [{ ...stmt, check: { ...stmt.check, array: length } }] : [stmt]; // prettier-ignore
      case "choose":
        return [{ ...stmt, end: mapBlocks(stmt.end, inner) }];
      case "loop":
      case "for":
        return [{ ...stmt, body: inner(stmt.body) }];
      case "call":
      case "apply":
        return [stmt];
    }
  };
  const read = inner(block);
  return new Copy(null, lengths).block(read);
}
