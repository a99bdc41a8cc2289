// Inference for tests: from text to types and rendered mistakes.

import { readFileSync } from "node:fs";
import { printType } from "../src/core/print-type.js";
import { explainTypes } from "../src/diagnostics/explain-types.js";
import { renderDiagnostic } from "../src/diagnostics/render.js";
import { parseModule } from "../src/syntax/parse.js";
import type { Module } from "../src/syntax/tree.js";
import { inferModule } from "../src/types/infer.js";
import type * as Typed from "../src/types/typed.js";

export const preludeText = readFileSync(new URL("../src/prelude/prelude.lam", import.meta.url), "utf8");

export function parsed(name: string, text: string): Module {
  const { value, mistakes } = parseModule({ name, text });
  if (mistakes.length > 0) throw new Error(`${name} has syntax mistakes: ${JSON.stringify(mistakes)}`);
  return value;
}

const prelude = parsed("prelude.lam", preludeText);

export function infer(text: string): ReturnType<typeof inferModule> {
  return inferModule(parsed("m.lam", text), prelude);
}

/** `f : a number -> R`, with `number` after the type parameters that range over R and Z. */
export function printBinding({ name, typeParams, params, result }: Typed.Binding): string {
  const type = params.reduceRight<Typed.Type>((to, param) => ({ kind: "fn", from: param.type, to }), result);
  const forAll = typeParams.map((param) => `${param.name}${param.numeric ? " number" : ""}. `).join("");
  return `${name} : ${forAll}${printType(type)}`;
}

/** The types of the file's own definitions, one a line; of a text without mistakes. */
export function typesOf(text: string): string {
  const { value, mistakes } = infer(text);
  if (mistakes.length > 0) throw new Error(mistakesOf(text));
  return value.groups
    .flatMap((group) => group.bindings)
    .filter((binding) => binding.own)
    .map(printBinding)
    .join("\n");
}

/** The mistakes as the user sees them. */
export function mistakesOf(text: string): string {
  const textOf = (file: string): string | null => (file === "m.lam" ? text : null);
  return infer(text)
    .mistakes.map((mistake) => renderDiagnostic(explainTypes(mistake), textOf, false))
    .join("\n");
}
