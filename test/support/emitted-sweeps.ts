// What sweeps of emitted functions are given, and save.

import { compile } from "../../src/driver/compile.js";
import type { StageName } from "../../src/driver/stages.js";

export function codeOf(text: string, stage: StageName): string {
  const compiled = compile({ name: "model.lam", text }, { stage, target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.value.code;
}

/** The parameters of a sweep of a function, but for the stack of saved values, the cotangent of the result and the depth. */
export function paramsOf(text: string, name: string, sweep: "Forward" | "Reverse"): readonly string[] {
  const params = new RegExp(`function ${name}${sweep}\\(([^)]*)\\)`).exec(codeOf(text, "adjoint"))?.[1] ?? "none";
  return params.split(",").map((param) => param.trim()).filter((param) => !/^(saved|result_\d*|depth|)$/.test(param)); // prettier-ignore
}

/** What the forward sweep of a function puts on the stack. */
export function pushed(text: string, name: string): readonly string[] {
  const body = new RegExp(`function ${name}Forward\\(.*?\\n}`, "s").exec(codeOf(text, "adjoint"))?.[0] ?? "";
  return [...body.matchAll(/saved\.push\w+\((.*?)\)/g)].map(([, what = ""]) => what);
}

/** The numbers of a value. */
export function numbersOf(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}
