// A workload's model, compiled and loaded.

import { readFileSync } from "node:fs";
import { exportOf, loadModule } from "../src/driver/evaluate.js";
import type { EmittedFunction } from "../src/driver/evaluate.js";
import { compile } from "../src/index.js";
import type { StageName } from "../src/index.js";
import type { Workload } from "./workload.js";

/** The function of a workload's model in a stage: the primal in `primal`, else `..Grad`, or `..Vjp` where there are cotangents. */
export function loadFunction(workload: Workload, stage: StageName): EmittedFunction {
  const { entry, cotangents } = workload;
  const suffix = stage === "primal" ? "" : cotangents === null ? "Grad" : "Vjp";
  return exportOf(loadModule(emittedCode(workload, stage)), `${entry}${suffix}`);
}

/** The JavaScript module of a workload's entry in a stage. The working directory is the repository's root. */
export function emittedCode({ file, entry }: Workload, stage: StageName): string {
  const text = readFileSync(file, "utf8");
  const compiled = compile({ name: file, text }, { stage, target: "js", entries: [entry] });
  if (!compiled.ok)
    throw new Error(`${file} does not compile: ${compiled.diagnostics.map(({ title }) => title).join("; ")}`);
  return compiled.value.code;
}
