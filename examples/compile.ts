// npm run examples: compiles every model of this folder to the module beside it, in the default stage. The same for one
// of them: dualrev compile examples/kalman-filter/model.lam --entry loss --wrt loss.level -o examples/kalman-filter/model.grad.ts

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, renderDiagnostics, textOf, type SourceFile } from "../src/index.js";
import { isMain } from "./shared/is-main.js";

export interface Example {
  readonly name: string;
  /** The definitions that its program uses. */
  readonly entries: readonly string[];
  /** What they are differentiated with respect to: not the data. */
  readonly wrt: readonly string[];
}

export const examples: readonly Example[] = [
  { name: "logistic-regression", entries: ["probability", "loss"], wrt: ["loss.model"] },
  { name: "lotka-volterra", entries: ["trajectory", "residuals"], wrt: ["residuals.model"] },
  { name: "inverse-kinematics", entries: ["hand", "residuals"], wrt: ["residuals.angles"] },
  { name: "two-spirals", entries: ["score", "loss"], wrt: ["loss.network"] },
  { name: "gaussian-mixture", entries: ["loss"], wrt: ["loss.components"] },
  { name: "bundle-adjustment", entries: ["project", "loss"], wrt: ["loss.cameras", "loss.points"] },
  { name: "kalman-filter", entries: ["loss"], wrt: ["loss.level"] },
  { name: "sharded", entries: ["loss", "prior"], wrt: ["loss.rates", "prior.rates"] },
];

function pathOf(example: Example, file: string): string {
  return fileURLToPath(new URL(`${example.name}/${file}`, import.meta.url));
}

export function modelOf(example: Example): SourceFile {
  const name = pathOf(example, "model.lam");
  return { name, text: readFileSync(name, "utf8") };
}

/** The module that is committed. */
export function committedModule(example: Example): string {
  return readFileSync(pathOf(example, "model.grad.ts"), "utf8");
}

/** The module as the compiler makes it now. */
export function compiledModule(example: Example): string {
  const source = modelOf(example);
  const { entries, wrt } = example;
  const result = compile(source, { entries, wrt, command: "npm run examples" });
  if (result.ok) return result.value.code;
  throw new Error(renderDiagnostics(result.diagnostics, textOf(source), { colors: false, limit: 10 }));
}

if (isMain(import.meta.url)) {
  for (const example of examples) writeFileSync(pathOf(example, "model.grad.ts"), compiledModule(example));
}
