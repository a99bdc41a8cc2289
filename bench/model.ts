// A workload's model, compiled and loaded.

import { readFileSync } from "node:fs";
import { exportOf, functionOf, loadModule, propertyOf } from "../src/driver/evaluate.js";
import { compile } from "../src/index.js";
import type { StageName } from "../src/index.js";
import type { Workload } from "./workload.js";

/** The model's primal and gradient in a stage, as functions of nothing: on the workload's own arguments. */
export interface Model {
  readonly primal: () => unknown;
  readonly gradient: () => unknown;
}

export function loadModel({ file, entry, args, cotangents }: Workload, stage: StageName): Model {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  const compiled = compile({ name: file, text }, { stage, target: "js", entries: [entry] });
  if (!compiled.ok)
    throw new Error(`${file} does not compile: ${compiled.diagnostics.map(({ title }) => title).join("; ")}`);
  const module = loadModule(compiled.value.code);
  const primal = exportOf(module, entry);
  if (cotangents === null) {
    const gradient = exportOf(module, `${entry}Grad`);
    return { primal: () => primal(...args), gradient: () => gradient(...args) };
  }
  const vjp = exportOf(module, `${entry}Vjp`);
  return {
    primal: () => primal(...args),
    gradient: () => {
      const result = vjp(...args);
      const pullback = functionOf(propertyOf(result, "pullback"));
      return { value: propertyOf(result, "value"), jacobian: cotangents.map((cotangent) => pullback(cotangent)) };
    },
  };
}
