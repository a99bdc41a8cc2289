// The monad of KR22 Fig. 11, which gives IDs and gathers the Deltas that are bound to them, and `eval` in a map.

import { cost } from "./cost.js";
import { evalInto } from "./delta.js";
import type { Delta } from "./delta.js";
import { countIDs, genID, startIDs } from "./ids.js";

/** DeltaBinds = [(DeltaId, Delta)], the newest first; the empty list is null. */
export type DeltaBinds = DeltaBind | null;

export interface DeltaBind {
  readonly id: number;
  readonly delta: Delta;
  readonly older: DeltaBinds;
}

/** DeltaState = (DeltaId, DeltaBinds): the next ID, and what is bound to those before it. */
export interface DeltaState {
  readonly next: number;
  readonly binds: DeltaBinds;
}

/** What a Delta evaluates to, by ID: used linearly, so that it is changed in place. */
export type DeltaMap = Map<number, number>;

let deltaBinds: DeltaBinds = null;

/** Starts a run: IDs count from 0, and nothing is bound. */
export function startDeltas(): void {
  startIDs();
  deltaBinds = null;
}

/** Binds a Delta to a fresh ID. */
export function deltaLet(delta: Delta): number {
  cost.arrayOperations += 1; // cost
  const id = genID();
  deltaBinds = { id, delta, older: deltaBinds };
  return id;
}

/** The state of this run. */
export function deltaState(): DeltaState {
  return { next: countIDs(), binds: deltaBinds };
}

/** A Delta inside all bindings of a run, the oldest outermost. */
export function runDelta(state: DeltaState, delta: Delta): Delta {
  let whole = delta;
  for (let bind = state.binds; bind !== null; bind = bind.older) {
    whole = { kind: "Let", id: bind.id, bound: bind.delta, body: whole };
  }
  return whole;
}

/** The next ID of a run: as many slots as it needs. */
export function slotsOf(state: DeltaState): number {
  return state.next;
}

export function emptyMap(): DeltaMap {
  return new Map();
}

/** eval, in a map. */
export function evalInMap(x: number, delta: Delta, map: DeltaMap): DeltaMap {
  evalInto(x, delta, {
    // addDelta
    add: (id, more) => {
      cost.mapOperations += 1; // cost
      map.set(id, (map.get(id) ?? 0) + more);
    },
    // lookup and delete
    take: (id) => {
      cost.mapOperations += 1; // cost
      const known = map.get(id) ?? 0;
      map.delete(id);
      return known;
    },
  });
  return map;
}

export function lookupOrZero(map: DeltaMap, id: number): number {
  return map.get(id) ?? 0;
}
