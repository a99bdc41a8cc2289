// All workloads, by group.

import type { Group, LazyWorkload, Workload } from "../workload.js";
import { naturalModels } from "../natural/index.js";
import { gradbench } from "./gradbench.js";
import { gradients } from "./gradients.js";
import { models } from "./models/index.js";
import { table1 } from "./table1.js";

export const workloads: readonly {
  readonly group: Group;
  readonly title: string;
  /** Where `elsewhere` was measured. */
  readonly elsewhere: string | null;
  readonly workloads: readonly LazyWorkload[];
}[] = [
  {
    group: "table1",
    title: "SV25 Table 1: lists and closures, as in the paper",
    elsewhere: "Haskell",
    workloads: table1,
  },
  { group: "gradients", title: "Seven gradients, with arrays and records", elsewhere: null, workloads: gradients },
  { group: "gradbench", title: "Models of the GradBench suite", elsewhere: "C++", workloads: gradbench },
  { group: "models", title: "Simulations and a statistical model", elsewhere: null, workloads: models },
];

/** A workload, made. */
export function findWorkload(group: string, name: string): Workload {
  const natural = naturalModels.flatMap(({ workloads: sizes }) => sizes);
  const part = group === "natural" ? natural : workloads.find((other) => other.group === group)?.workloads;
  const lazy = part?.find((workload) => workload.name === name);
  if (lazy === undefined) throw new Error(`there is no workload ${group} ${name}`);
  return lazy.make();
}
