// Flat statements told where they are from.

import { locate, location, relocate, type Located, type Location } from "../location.js";
import type { Block, Stmt } from "./program.js";
import { blocksOf } from "./traverse.js";

/** Tells the statements that have been added to a list since it had `before` of them, and those in their blocks, unless they know better. */
export function locateStmts(stmts: readonly Stmt[], before: number, at: Location | undefined): void {
  if (at === undefined) return;
  for (const stmt of stmts.slice(before)) {
    // Then what stands in its blocks knows, too
    if (stmt[location] !== undefined) continue;
    for (const block of blocksOf(stmt)) locateBlock(block, at);
    locate(stmt, at);
    // Passes take operations from one statement to another
    if (stmt.kind === "let") locate(stmt.op, at);
  }
}

function locateBlock(block: Block, at: Location): void {
  locateStmts(block.stmts, 0, at);
  const { end } = block;
  if (end[location] !== undefined) return;
  if (end.kind === "if") [end.then, end.else].forEach((inner) => { locateBlock(inner, at); }); // prettier-ignore
  if (end.kind === "switch") for (const { body } of end.branches) locateBlock(body, at);
  locate(end, at);
}

/** Tells the last of the statements that have been added which variable of the author's it is for. */
export function nameLast(stmts: readonly Stmt[], before: number, at: Location | undefined): void {
  const last = stmts.length > before ? stmts.at(-1) : undefined;
  if (last === undefined || at === undefined || at.variable === null) return;
  const known = last[location];
  const all: Located[] = last.kind === "let" ? [last, last.op] : [last];
  for (const part of all) {
    if (known?.variable === null) relocate(part, { ...known, variable: at.variable });
    else locate(part, at);
  }
}
