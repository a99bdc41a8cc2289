// Inference for tests: from text to types and rendered mistakes.

import { readFileSync } from "node:fs";
import { printType } from "../src/core/print-type.js";
import { explainTypes } from "../src/diagnostics/explain-types.js";
import { renderDiagnostic } from "../src/diagnostics/render.js";
import { parseModule } from "../src/syntax/parse.js";
import type { ImportItem, Module } from "../src/syntax/tree.js";
import { inferModule } from "../src/types/infer.js";
import type * as Typed from "../src/types/typed.js";

export const preludeText = readFileSync(new URL("../src/prelude/prelude.lam", import.meta.url), "utf8");

export function parsed(name: string, text: string): Module {
  const { value, mistakes } = parseModule({ name, text });
  if (mistakes.length > 0) throw new Error(`${name} has syntax mistakes: ${JSON.stringify(mistakes)}`);
  return value;
}

const prelude = parsed("prelude.lam", preludeText);

/** Other files by their path. */
type Files = Readonly<Record<string, string>>;

/** The file `m.lam`, with what it imports from `files`. */
export function infer(text: string, files: Files = {}): ReturnType<typeof inferModule> {
  const main = parsed("m.lam", text);
  const modules = new Map([["m.lam", main]]);
  const imported = new Map<ImportItem, Module>();
  const todo = [main];
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    for (const item of file.items) {
      if (item.kind !== "import") continue;
      const { path } = item;
      let module = modules.get(path);
      if (module === undefined) {
        const other = files[path];
        if (other === undefined) throw new Error(`there is no file ${path}`);
        module = parsed(path, other);
        modules.set(path, module);
        todo.push(module);
      }
      imported.set(item, module);
    }
  }
  return inferModule(main, prelude, imported);
}

/** `f : a number -> R`, with `number` after the type parameters that range over R and Z. */
export function printBinding({ name, typeParams, params, result }: Typed.Binding): string {
  const type = params.reduceRight<Typed.Type>((to, param) => ({ kind: "fn", from: param.type, to }), result);
  const forAll = typeParams.map((param) => `${param.name}${param.numeric ? " number" : ""}. `).join("");
  return `${name} : ${forAll}${printType(type)}`;
}

/** The types of the file's own definitions, one a line; of a text without mistakes. */
export function typesOf(text: string, files: Files = {}): string {
  const { value, mistakes } = infer(text, files);
  if (mistakes.length > 0) throw new Error(mistakesOf(text, files));
  return value.groups
    .flatMap((group) => group.bindings)
    .filter((binding) => binding.own)
    .map(printBinding)
    .join("\n");
}

/** The mistakes as the user sees them. */
export function mistakesOf(text: string, files: Files = {}): string {
  const textOf = (file: string): string | null => (file === "m.lam" ? text : (files[file] ?? null));
  return infer(text, files)
    .mistakes.map((mistake) => renderDiagnostic(explainTypes(mistake), textOf, false))
    .join("\n");
}
