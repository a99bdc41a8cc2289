// What is decided of loops before the sweeps of a procedure are written, and decided otherwise where these show that it cannot be.

import type { LoopStmt } from "./places.js";

export interface LoopChoices {
  /** Loops whose iterations have arrays of their own, though each could write over what the one before it has made (in-place.ts). */
  readonly separate: ReadonlySet<LoopStmt>;
  /** Loops of which the forward sweep comes first, though both could go through the iterations at once (swept-by-iteration.ts). */
  readonly apart: ReadonlySet<LoopStmt>;
}

/** A choice cannot be made for a loop. */
export class LoopConflict extends Error {
  constructor(
    readonly loop: LoopStmt,
    readonly choice: keyof LoopChoices,
  ) {
    super(`a loop has to be ${choice}`);
  }
}

/** Calls `attempt` until nothing that it writes stands against what has been decided. */
export function choosing<T>(attempt: (choices: LoopChoices) => T): T {
  const choices = { separate: new Set<LoopStmt>(), apart: new Set<LoopStmt>() };
  for (;;) {
    try {
      return attempt(choices);
    } catch (error) {
      if (!(error instanceof LoopConflict) || choices[error.choice].has(error.loop)) throw error;
      choices[error.choice].add(error.loop);
    }
  }
}
