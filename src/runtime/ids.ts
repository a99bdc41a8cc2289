// ID generation, the state monad of SV25 Figs. 8 to 10: the state is the next ID.

import { endless } from "./limits.js";

let nextID = 0;

/** Starts a run: IDs count from 0. */
export function startIDs(): void {
  nextID = 0;
}

/** A fresh ID. */
export function genID(): number {
  const id = nextID;
  if (id === 2 ** 22) endless(id);
  nextID += 1;
  return id;
}

/** How many IDs have been generated in this run. */
export function countIDs(): number {
  return nextID;
}
