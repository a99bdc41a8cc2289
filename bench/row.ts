// One row of the benchmark: what is written by hand and what is emitted, each in processes of its own, which take turns.

import type { StageName } from "../src/index.js";
import { summary } from "./measure.js";
import type { Time } from "./measure.js";
import { emittedCode } from "./model.js";
import { inProcess, type Measurement } from "./process.js";
import type { Part } from "./timing.js";
import type { Workload } from "./workload.js";

/** Times of a workload by hand and as generated. */
export interface Row {
  readonly group: string;
  readonly name: string;
  readonly elements: number;
  readonly elsewhere: number | null;
  readonly handPrimal: Time;
  readonly handGradient: Time;
  /** The value, by the module of the first stage. */
  readonly primal: Time;
  readonly gradients: Readonly<Record<string, Time>>;
}

export const timing: Measurement<readonly number[]> = {
  file: "timing",
  isResult: (value): value is readonly number[] =>
    Array.isArray(value) && value.every((item) => typeof item === "number"),
};

export const agreement: Measurement<number> = {
  file: "agreement",
  isResult: (value): value is number => typeof value === "number",
};

/** The largest relative difference from what is written by hand that is let through: sums are added up in different orders. */
const tolerance = 1e-9;

/** How often each function has a process: a machine is not as quick at all times. */
const turns = 5;

export function measureRow(group: string, workload: Workload, stages: readonly [StageName, ...StageName[]]): Row {
  const { name, elements, elsewhere } = workload;
  const modules = stages.map((stage) => ({ stage, code: emittedCode(workload, stage) }));
  for (const { stage, code } of modules) {
    const error = inProcess(agreement, [group, name], code);
    if (!(error <= tolerance)) throw new Error(`${name}, ${stage}: differs from what is written by hand, by ${error}`);
  }
  const sampled = (part: Part, code = "") => ({ part, code, samples: new Array<number>() });
  const [byHand, derivedByHand] = [sampled("primal by hand"), sampled("gradient by hand")];
  const primal = sampled("primal", modules[0]?.code);
  const gradients = modules.map(({ code }) => sampled("gradient", code));
  for (let turn = 0; turn < turns; turn++) {
    for (const { part, code, samples } of [byHand, derivedByHand, primal, ...gradients])
      samples.push(...inProcess(timing, [group, name, part], code));
  }
  return {
    group,
    name,
    elements,
    elsewhere,
    handPrimal: summary(byHand.samples),
    handGradient: summary(derivedByHand.samples),
    primal: summary(primal.samples),
    gradients: Object.fromEntries(stages.map((stage, i) => [stage, summary(gradients[i]?.samples ?? [])])),
  };
}
