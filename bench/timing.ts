// One function of a workload, in a process of its own, without the compiler: garbage of others, and types that they show the engine, would slow it. Arguments:
// GROUP NAME PART; standard input: the module that has the part, but for those by hand. Prints nanoseconds for one call, sample by sample, as JSON.

import { readFileSync } from "node:fs";
import { exportOf, loadModule } from "../src/driver/evaluate.js";
import { loopOf, loopWithBuffers, samplesOf } from "./measure.js";
import type { Loop } from "./measure.js";
import { gradientName, type Workload } from "./workload.js";
import { findWorkload } from "./workloads/index.js";
import { findSavingModel, type SavingModel } from "./workloads/memory.js";

/** Value and gradient, by hand and generated; `again`: the gradient where the one before is handed back, to be filled again. */
export const parts = ["primal by hand", "gradient by hand", "primal", "gradient", "again"] as const;

export type Part = (typeof parts)[number];

function loopAround(model: Workload | SavingModel, part: Part): Loop {
  const { args, cotangents } = model;
  const ofModule = (name: string): unknown => exportOf(loadModule(readFileSync(0, "utf8")), name);
  switch (part) {
    case "primal by hand":
      return loopOf(writtenByHand(model).primal, args, null);
    case "gradient by hand":
      return loopOf(writtenByHand(model).gradient, args, cotangents);
    case "primal":
      return loopOf(ofModule(model.entry), args, null);
    case "gradient":
      return loopOf(ofModule(gradientName(model)), args, cotangents);
    case "again":
      return loopWithBuffers(ofModule(gradientName(model)), args);
  }
}

function writtenByHand(model: Workload | SavingModel): Workload {
  if (!("primal" in model)) throw new Error(`nothing is written by hand for ${model.name}`);
  return model;
}

const [group = "", name = "", wanted = ""] = process.argv.slice(2);
const part = parts.find((each) => each === wanted);
if (part === undefined) throw new Error(`no part ${wanted} of a workload`);
const model = group === "memory" ? findSavingModel(name) : findWorkload(group, name);
const operations = "elements" in model ? model.elements : model.operations;
console.log(JSON.stringify(samplesOf(loopAround(model, part), operations >= 100_000 ? 1 : 4, 9)));
