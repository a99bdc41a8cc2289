// A block with those that its tests lead to: what is done in it at most once.

import { mapSame, withParts } from "../../same.js";
import type { TsStmt } from "../../typescript/tree.js";

type Block = readonly TsStmt[];

/** A block, and those that its tests lead to. */
export function* branchesIn(block: Block): Generator<Block, void, undefined> {
  yield block;
  for (const stmt of block) {
    if (stmt.kind !== "if") continue;
    yield* branchesIn(stmt.then);
    yield* branchesIn(stmt.else);
  }
}

/** The block with `change` of it, and of those that its tests lead to, itself before what is in it. */
export function mapBranches(block: Block, change: (block: Block) => Block): Block {
  return mapSame(change(block), (stmt) => {
    if (stmt.kind !== "if") return stmt;
    return withParts(stmt, { then: mapBranches(stmt.then, change), else: mapBranches(stmt.else, change) });
  });
}
