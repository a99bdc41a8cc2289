// Walking flat blocks.

import type { Block, End } from "../flat/program.js";

/** The blocks that an end chooses between. */
export function subBlocks(end: End): readonly Block[] {
  switch (end.kind) {
    case "yield":
    case "next":
      return [];
    case "if":
      return [end.then, end.else];
    case "switch":
      return end.branches.map(({ body }) => body);
  }
}

/** Whether all ways through a block end in one kind. */
export function leaves(block: Block, kind: "yield" | "next"): boolean {
  return countLeaves(block, kind === "yield" ? "next" : "yield") === 0;
}

function countLeaves({ end }: Block, kind: "yield" | "next"): number {
  switch (end.kind) {
    case "yield":
    case "next":
      return end.kind === kind ? 1 : 0;
    case "if":
      return countLeaves(end.then, kind) + countLeaves(end.else, kind);
    case "switch":
      return end.branches.reduce((sum, { body }) => sum + countLeaves(body, kind), 0);
  }
}
