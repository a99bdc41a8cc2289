// From `.lam` text to the text of a module without interface: what tests of the lowering run.

import { elaborateProgram } from "../../src/core/elaborate.js";
import { Names } from "../../src/core/names.js";
import { lowerProgram } from "../../src/emit/lower.js";
import type { Lowered } from "../../src/emit/lower.js";
import { Scope } from "../../src/emit/naming.js";
import { fragmentsFor } from "../../src/runtime/fragments.js";
import { stageNamed } from "../../src/stages/index.js";
import type { Stage } from "../../src/stages/stage.js";
import { parseModule } from "../../src/syntax/parse.js";
import type * as Target from "../../src/target/term.js";
import { inferModule } from "../../src/types/infer.js";
import { plainPrint } from "./plain-print.js";
import { withoutTypes } from "./typecheck.js";

export interface Emitted {
  readonly lowered: Lowered;
  readonly program: Target.Program;
  /** The declarations of the program alone. */
  readonly own: string;
  /** With the runtime that they need, and an export of every definition and wrapper. */
  readonly text: string;
}

export interface EmitOptions {
  readonly stage?: Stage["name"];
  readonly counted?: boolean;
  readonly prelude?: string;
}

export function emitSource(
  source: string,
  { stage = "primal", counted = false, prelude = "" }: EmitOptions = {},
): Emitted {
  const tree = parseModule({ name: "model.lam", text: source });
  const typed = inferModule(tree.value, parseModule({ name: "prelude.lam", text: prelude }).value);
  const core = elaborateProgram(typed.value, { entries: null, position: ({ start }) => `model.lam:${start}` });
  const mistakes = [...tree.mistakes, ...typed.mistakes, ...core.mistakes];
  if (mistakes.length > 0) throw new Error(JSON.stringify(mistakes, null, 2));
  const chosen = stageNamed(stage);
  const { program } = core.value;
  const names = program.definitions.flatMap((fn) => [fn.name, ...JSON.stringify(fn).matchAll(/"(?:name|param)":"([^"]*)"/g)].map((m) => (typeof m === "string" ? m : (m[1] ?? "")))); // prettier-ignore
  return emitTarget(chosen.transform(program, new Names(names)), chosen, counted);
}

export function emitTarget(program: Target.Program, stage: Stage, counted = false): Emitted {
  const lowered = lowerProgram(program, stage, {
    counted,
    values: Scope.values(),
    types: Scope.types(),
    dataNames: new Map(),
    wishes: new Map(),
  });
  const own = plainPrint(lowered.declarations);
  const fragments = fragmentsFor(lowered.references, { counted }).map(({ ts }) => ts);
  const names = new Set(lowered.functionNames.values());
  return { lowered, program, own, text: [own, ...fragments, `export { ${[...names].join(", ")} };`].join("\n\n") };
}

type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** Runs a module's text; gives what it exports. */
export async function load(text: string): Promise<Functions> {
  const url = `data:text/javascript;base64,${Buffer.from(withoutTypes(text)).toString("base64")}`;
  const module: unknown = await import(/* @vite-ignore */ url);
  if (!isFunctions(module)) throw new Error("not a module");
  return module;
}

function isFunctions(module: unknown): module is Functions {
  return typeof module === "object" && module !== null;
}
