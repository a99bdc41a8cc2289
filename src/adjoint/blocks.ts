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
