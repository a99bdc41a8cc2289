// One row of the benchmark: what is written by hand and what is emitted, each in processes of its own, which take turns.

import type { StageName } from "../src/index.js";
import { summary } from "./measure.js";
import type { Time } from "./measure.js";
import { emittedCode } from "./model.js";
import { inProcess, type Measurement } from "./process.js";
import type { Part } from "./timing.js";
import { takesEarlier, type Workload } from "./workload.js";

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
  /** The gradient of the first stage where the one before is handed back; null where it uses none of its memory. */
  readonly again: Time | null;
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
export const tolerance = 1e-9;

/** One function of a workload, and the module that has it; none of those by hand. */
export interface Timed {
  readonly part: Part;
  readonly code: string;
}

/** Times functions of a workload, each in so many processes of its own, which take turns: a machine is not as quick at all times. */
export function timesOf(group: string, name: string, timed: readonly Timed[], turns: number): readonly Time[] {
  const samples = timed.map(() => new Array<number>());
  for (let turn = 0; turn < turns; turn++) {
    timed.forEach(({ part, code }, i) => samples[i]?.push(...inProcess(timing, [group, name, part], code)));
  }
  return samples.map(summary);
}

export function measureRow(group: string, workload: Workload, stages: readonly [StageName, ...StageName[]]): Row {
  const { name, elements, elsewhere } = workload;
  const modules = stages.map((stage) => ({ stage, code: emittedCode(workload, stage) }));
  for (const { stage, code } of modules) {
    const error = inProcess(agreement, [group, name], code);
    if (!(error <= tolerance)) throw new Error(`${name}, ${stage}: differs from what is written by hand, by ${error}`);
  }
  const timed: readonly Timed[] = [
    { part: "primal by hand", code: "" },
    { part: "gradient by hand", code: "" },
    { part: "primal", code: modules[0]?.code ?? "" },
    ...modules.map(({ code }) => ({ part: "gradient", code }) as const),
  ];
  const [first] = modules;
  const again: readonly Timed[] = first !== undefined && takesEarlier(first.code, workload) ? [{ part: "again", code: first.code }] : []; // prettier-ignore
  const [handPrimal, handGradient, primal, ...gradients] = timesOf(group, name, [...timed, ...again], 5);
  if (!handPrimal || !handGradient || !primal) throw new Error("nothing was measured");
  const byStage = Object.fromEntries(stages.flatMap((stage, i) => (gradients[i] ? [[stage, gradients[i]]] : [])));
  return { group, name, elements, elsewhere, handPrimal, handGradient, primal, gradients: byStage, again: gradients[stages.length] ?? null }; // prettier-ignore
}
