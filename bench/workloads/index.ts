// All workloads, by group.

import type { Group, LazyWorkload } from "../workload.js";
import { gradbench } from "./gradbench.js";
import { gradients } from "./gradients.js";
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
];
