// What the reverse sweep of a block does besides contributing to cotangents.

import type { Block, End, Operation, Stmt } from "../flat/program.js";
import { subBlocks } from "./blocks.js";

/** Whether a procedure is called in its active version. */
type IsActive = (fn: string) => boolean;

/** Whether the reverse sweep of what ends so changes slots, or takes from the tape. */
export function hasEffects(end: End, block: Block | null, isActive: IsActive): boolean {
  const stmts = block === null ? [] : block.stmts;
  return (
    stmts.some((stmt) => stmtHasEffects(stmt, isActive)) ||
    subBlocks(end).some((inner) => hasEffects(inner.end, inner, isActive))
  );
}

/** What makes slots, which the reverse sweep takes from. */
const makesSlots: ReadonlySet<Operation["kind"]> = new Set([
  "closure",
  "objectStore",
  "realStore",
  "zeroStore",
] as const);

function stmtHasEffects(stmt: Stmt, isActive: IsActive): boolean {
  switch (stmt.kind) {
    case "check":
      return false;
    case "let":
      return makesSlots.has(stmt.op.kind);
    case "choose":
      return hasEffects(stmt.end, null, isActive);
    case "call":
      return isActive(stmt.fn);
    case "apply":
      return true;
    case "loop":
    case "for":
      return hasEffects(stmt.body.end, stmt.body, isActive);
  }
}

/** Whether the tape is used in a block. */
export function hasCalls(block: Block, isActive: IsActive): boolean {
  return (
    block.stmts.some((stmt) => stmtCalls(stmt, isActive)) ||
    subBlocks(block.end).some((inner) => hasCalls(inner, isActive))
  );
}

/** Whether a statement uses the tape. */
export function stmtCalls(stmt: Stmt, isActive: IsActive): boolean {
  switch (stmt.kind) {
    case "check":
    case "let":
      return false;
    case "choose":
      return subBlocks(stmt.end).some((inner) => hasCalls(inner, isActive));
    case "call":
      return isActive(stmt.fn);
    case "apply":
      return true;
    case "loop":
    case "for":
      return hasCalls(stmt.body, isActive);
  }
}
