// Every stage, in the order in which `dualrev steps` shows them.

import { sameType } from "../target-calculus/data.js";
import type { Notation } from "../target-calculus/print.js";
import { ascii, type Spelling } from "../target-calculus/spelling.js";
import { contribStage } from "./contrib.js";
import { d1 } from "./d1.js";
import { d2 } from "./d2.js";
import { d3 } from "./d3.js";
import { d3Map } from "./d3-map.js";
import { d4, d4OneArray } from "./d4.js";
import { delta } from "./delta.js";
import { deltaLet, deltaLetArray } from "./delta-let.js";
import { deltaVector } from "./delta-vector.js";
import { forward } from "./forward.js";
import { parallel } from "./parallel.js";
import { primal } from "./primal.js";
import type { Stage, StageName } from "./stage.js";
import { tape } from "./tape.js";

const stages: { readonly [S in StageName]: Stage } = {
  primal,
  forward,
  "delta-vector": deltaVector,
  delta,
  "delta-let": deltaLet,
  "delta-let-array": deltaLetArray,
  d1,
  d2,
  d3,
  "d3-map": d3Map,
  d4,
  "d4-one-array": d4OneArray,
  contrib: contribStage,
  tape,
  parallel,
};

/** All stages' names, in order. */
export const stageNames: readonly StageName[] = Object.values(stages).map(({ name }) => name);

export function stageNamed(name: StageName): Stage {
  return stages[name];
}

/** How terms of a stage are printed. */
export function notationOf(stage: Stage, spelling: Spelling = ascii): Notation {
  return {
    spelling,
    monad: stage.monad,
    dual: stage.dual,
    monoid: (type) => stage.monoids.find((monoid) => sameType(monoid.type, type))?.symbols ?? null,
  };
}

/** Whether a text names a stage. */
export function isStageName(name: string): name is StageName {
  return Object.hasOwn(stages, name);
}
