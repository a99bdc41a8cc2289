// Loops in the place of which others stand: what passes over loops have in common.

import { location } from "../location.js";
import { locateStmts } from "./locate.js";
import type { Block, Program, Stmt } from "./program.js";
import { mapBlocks } from "./traverse.js";

export type Loop = Stmt & { readonly kind: "loop" };
export type For = Stmt & { readonly kind: "for" };

/**
 * The program with other statements in the place of loops, inner ones first; `rewrite` gives null for a loop that stays. Procedures in which none changes are
 * the same objects, others are made precise again.
 */
export function withLoopsRewritten(program: Program, rewrite: (loop: Loop | For) => readonly Stmt[] | null): Program {
  let changes = 0;
  const block = ({ stmts, end }: Block): Block => ({ stmts: stmts.flatMap(statement), end: mapBlocks(end, block) });
  const statement = (stmt: Stmt): readonly Stmt[] => {
    switch (stmt.kind) {
      case "choose":
        return [{ ...stmt, end: mapBlocks(stmt.end, block) }];
      case "loop":
      case "for": {
        const inner = { ...stmt, body: block(stmt.body) };
        const stmts = rewrite(inner);
        if (stmts !== null) changes += 1;
        locateStmts(stmts ?? [], 0, stmt[location]);
        return stmts ?? [inner];
      }
      default:
        return [stmt];
    }
  };
  const procedures = program.procedures.map((procedure) => {
    const before = changes;
    const next = { ...procedure, body: block(procedure.body) };
    return changes === before ? procedure : next;
  });
  return { ...program, procedures };
}
