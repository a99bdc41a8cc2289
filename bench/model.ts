// A workload's model, compiled and loaded.

import { readFileSync } from "node:fs";
import { emitAdjointModule, emitSweeps, type AdjointRequest } from "../src/adjoint/emit.js";
import { exportOf, loadModule } from "../src/driver/evaluate.js";
import type { EmittedFunction } from "../src/driver/evaluate.js";
import { Passes } from "../src/driver/passes.js";
import { adjointRequest, toCore } from "../src/driver/pipeline.js";
import { compile } from "../src/index.js";
import type { StageName } from "../src/index.js";
import { printModule } from "../src/typescript/print-module.js";
import type { Model } from "./workload.js";

/** The value of a workload's model, as the module of the stage `adjoint` gives it. */
export function loadPrimal(workload: Model): EmittedFunction {
  return exportOf(loadModule(emittedCode(workload, "adjoint")), workload.entry);
}

/** The same in the stage `adjoint`, without what checks arguments: the gradient and what only it calls. */
export function uncheckedCode(model: Model): string {
  const { declarations, runtime } = emitSweeps(requestOf(model, []));
  return printModule({ header: [], declarations: [...declarations, ...runtime] }, "js");
}

/** The JavaScript module of a model's entry in the stage `adjoint`, compiled without some passes. */
export function codeWithout(model: Model, passes: readonly string[]): string {
  return printModule(emitAdjointModule(requestOf(model, passes)), "js");
}

function requestOf({ file, entry }: Model, without: readonly string[]): AdjointRequest {
  const passes = new Passes(null, { runs: ({ name }) => !without.includes(name) });
  const core = toCore({ name: file, text: readFileSync(file, "utf8") }, [entry], passes);
  if (!core.ok) throw new Error(`${file} does not compile`);
  return adjointRequest(core.value, new Map(), passes);
}

/** The JavaScript module of a workload's entry in a stage. The working directory is the repository's root. */
export function emittedCode({ file, entry }: Model, stage: StageName): string {
  const text = readFileSync(file, "utf8");
  const compiled = compile({ name: file, text }, { stage, target: "js", entries: [entry] });
  if (!compiled.ok)
    throw new Error(`${file} does not compile: ${compiled.diagnostics.map(({ title }) => title).join("; ")}`);
  return compiled.value.code;
}
