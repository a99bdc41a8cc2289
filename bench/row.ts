// One row of the benchmark, in a process of its own, so that types and garbage of one row do not slow another. Arguments: GROUP NAME STAGE..;
// prints JSON.

import type { StageName } from "../src/index.js";
import { isStageName } from "../src/driver/stages.js";
import { distance } from "./compare.js";
import { loopOf, measure } from "./measure.js";
import type { Loop, Time } from "./measure.js";
import { loadGradient, loadPrimal } from "./model.js";
import type { Workload } from "./workload.js";
import { findWorkload } from "./workloads/index.js";

/** Times of a workload by hand and as generated. */
export interface Row {
  readonly group: string;
  readonly name: string;
  readonly elements: number;
  readonly elsewhere: number | null;
  readonly handPrimal: Time;
  readonly handGradient: Time;
  /** The value, by the module of the stage `adjoint`. */
  readonly primal: Time;
  readonly gradients: Readonly<Record<string, Time>>;
}

/** The largest relative difference from what is written by hand that is let through: sums are added up in different orders. */
const tolerance = 1e-9;

function measureRow(group: string, workload: Workload, stages: readonly StageName[]): Row {
  const { name, args, cotangents, elements, elsewhere } = workload;
  const hand = [loopOf(workload.primal, args, null), loopOf(workload.gradient, args, cotangents)] as const;
  const primal = loopOf(loadPrimal(workload), args, null);
  const gradients = stages.map((stage) => loopOf(loadGradient(workload, stage), args, cotangents));
  check(`${name}, primal`, primal, hand[0]);
  gradients.forEach((gradient, i) => {
    check(`${name}, ${String(stages[i])}`, gradient, hand[1]);
  });
  const big = elements >= 100_000;
  const times = measure([...hand, primal, ...gradients], big ? 1 : 4, big ? 9 : 15);
  const [handPrimal, handGradient, primalTime, ...gradientTimes] = times;
  if (!handPrimal || !handGradient || !primalTime) throw new Error("nothing was measured");
  const byStage = Object.fromEntries(gradientTimes.map((time, i) => [String(stages[i]), time]));
  return { group, name, elements, elsewhere, handPrimal, handGradient, primal: primalTime, gradients: byStage };
}

function check(name: string, generated: Loop, byHand: Loop): void {
  const error = distance(generated(1), byHand(1));
  if (!(error <= tolerance)) throw new Error(`${name}: differs from what is written by hand, by ${error}`);
}

const [group = "", name = "", ...stages] = process.argv.slice(2);
console.log(JSON.stringify(measureRow(group, findWorkload(group, name), stages.filter(isStageName))));
