// Statements that can be done in another place.

import { isScalar, yieldOf } from "./build.js";
import { freeVariables } from "./free-variables.js";
import type { Block, Operation, Rep, Stmt } from "./program.js";
import { blocksOf, boundBy, branchesOf, operationsOf } from "./traverse.js";

/** Whether a statement can be done later, elsewhere or not at all. */
export function isPure(stmt: Stmt): boolean {
  return isPlainly(stmt, isPureOperation);
}

/** Whether all that it can fail by is that lengths differ that must be the same. */
export function comparesLengths(stmt: Stmt): boolean {
  return isPlainly(stmt, (op) => isPureOperation(op) || (op.kind === "prim" && op.op === "sameLength"));
}

export function isPureBlock(block: Block): boolean {
  return isPlainlyBlock(block, isPureOperation);
}

/** What is the caller's may throw: it is called where the program calls it, or not at all. */
function isPureOperation(op: Operation): boolean {
  return op.kind === "prim" ? op.site === null : op.kind !== "extern";
}

function isPlainly(stmt: Stmt, isPlain: (op: Operation) => boolean): boolean {
  switch (stmt.kind) {
    case "let":
      return isPlain(stmt.op);
    case "choose":
      return branchesOf(stmt.end).every((block) => isPlainlyBlock(block, isPlain));
    case "for":
      return isPlainlyBlock(stmt.body, isPlain);
    default:
      return false;
  }
}

function isPlainlyBlock({ stmts, end }: Block, isPlain: (op: Operation) => boolean): boolean {
  return stmts.every((stmt) => isPlainly(stmt, isPlain)) && branchesOf(end).every((block) => isPlainlyBlock(block, isPlain)); // prettier-ignore
}

/** Whether a statement does nothing but compute numbers and arrays of them, and cannot fail but by lengths that differ. */
export function isPlain(stmt: Stmt): boolean {
  if (!comparesLengths(stmt) || !operationsIn(stmt).every(isPlainOperation)) return false;
  const isOfScalars = (rep: Rep): boolean => isScalar(rep) || (stmt.kind !== "choose" && rep.kind === "array" && isOfScalars(rep.element)); // prettier-ignore
  return boundBy(stmt).every(({ rep }) => isOfScalars(rep));
}

function isPlainOperation({ kind }: Operation): boolean {
  return kind === "prim" || kind === "length" || kind === "field" || kind === "cell" || kind === "array";
}

/** The operations in a statement. */
export function operationsIn(stmt: Stmt): readonly Operation[] {
  if (stmt.kind === "let") return [stmt.op];
  return blocksOf(stmt).flatMap((block) => [...operationsOf(block).values()]);
}

/** Some statements with those that they are computed from; `sources`: by variable the statement that binds it. */
export function withSources(stmts: Iterable<Stmt>, sources: ReadonlyMap<string, Stmt>): ReadonlySet<Stmt> {
  const all = new Set(stmts);
  for (const stmt of all) {
    for (const { name } of freeVariables(yieldOf([stmt], []))) {
      const source = sources.get(name);
      if (source !== undefined) all.add(source);
    }
  }
  return all;
}
