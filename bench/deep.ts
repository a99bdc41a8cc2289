// Recursion of some depth, in a process of its own. Arguments: FAMILY LEVELS; prints JSON.

import { exportOf, loadModule } from "../src/driver/evaluate.js";
import { distance } from "./compare.js";
import { loopOf } from "./measure.js";
import type { Loop } from "./measure.js";
import { emittedCode, loadPrimal } from "./model.js";
import { gradientName } from "./workload.js";
import { deepFamilies } from "./workloads/memory.js";

export interface Depth {
  readonly name: string;
  readonly levels: number;
  /** Nanoseconds; the value, by the module of the stage `adjoint`. */
  readonly primal: number;
  readonly gradients: { readonly adjoint: number; readonly tape: number };
}

/** Nanoseconds of a third call: a million levels take seconds. */
function timeOfThird(loop: Loop): number {
  loop(1);
  const start = performance.now();
  loop(1);
  return (performance.now() - start) * 1e6;
}

function measureDepth(family: string, levels: number): Depth {
  const model = deepFamilies.find(({ name }) => name === family)?.make(levels);
  if (model === undefined) throw new Error(`there is no model ${family}`);
  const gradient = (stage: "adjoint" | "tape") =>
    loopOf(exportOf(loadModule(emittedCode(model, stage)), gradientName(model)), model.args, null);
  const [adjoint, tape] = [gradient("adjoint"), gradient("tape")];
  if (!(distance(adjoint(1), tape(1)) <= 1e-9)) throw new Error(`${family}: adjoint and tape differ`);
  const primal = loopOf(loadPrimal(model), model.args, null);
  primal(1);
  const [primalTime, adjointTime, tapeTime] = [primal, adjoint, tape].map(timeOfThird);
  if (primalTime === undefined || adjointTime === undefined || tapeTime === undefined) throw new Error("nothing was measured");
  return { name: family, levels, primal: primalTime, gradients: { adjoint: adjointTime, tape: tapeTime } };
} // prettier-ignore

const [family = "", levels = ""] = process.argv.slice(2);
console.log(JSON.stringify(measureDepth(family, Number(levels))));
