// From `.lam` text to the text of a module without interface: what tests of the lowering run.

import { elaborateProgram } from "../../src/elaborate/elaborate.js";
import { Names } from "../../src/core/names.js";
import { allNames } from "../../src/core/traverse.js";
import { lowerProgram } from "../../src/emit/lower/lower.js";
import { Scope } from "../../src/typescript/naming.js";
import { printModule } from "../../src/typescript/print-module.js";
import type { TsDeclaration } from "../../src/typescript/tree.js";
import { preludeText } from "../../src/prelude/embedded.js";
import { fragmentName, fragmentsFor } from "../../src/runtime/fragments.js";
import { stageNamed } from "../../src/stages/index.js";
import type { Stage, StageName } from "../../src/stages/stage.js";
import type { Span } from "../../src/syntax/source.js";
import { parseModule } from "../../src/syntax/parse.js";
import type * as Target from "../../src/target-calculus/term.js";
import { inferModule } from "../../src/types/infer.js";
import { withoutTypes } from "./typecheck.js";

export interface Emitted {
  /** The declarations of the program alone. */
  readonly own: string;
  /** With the runtime that they need, and an export of every definition and wrapper. */
  readonly text: string;
}

export interface EmitOptions {
  readonly stage?: StageName;
  readonly counted?: boolean;
}

/** A program's definitions and wrappers in a stage. */
export function emitSource(source: string, { stage = "primal", counted = false }: EmitOptions = {}): Emitted {
  const tree = parseModule({ name: "model.lam", text: source });
  const typed = inferModule(tree.value, parseModule({ name: "prelude.lam", text: preludeText }).value);
  const position = ({ start }: Span): string => `model.lam:${start}`;
  const core = elaborateProgram(typed.value, { entries: null, position, prelude: "prelude.lam" });
  const mistakes = [...tree.mistakes, ...typed.mistakes, ...core.mistakes];
  if (mistakes.length > 0) throw new Error(JSON.stringify(mistakes, null, 2));
  const chosen = stageNamed(stage);
  return emitTarget(chosen.transform(core.value.program, new Names(allNames(core.value.program))), chosen, counted);
}

export function emitTarget(program: Target.Program, stage: Stage, counted = false): Emitted {
  const { declarations, references, functionNames } = lowerProgram(program, stage, {
    counted,
    values: Scope.values(),
    types: Scope.types(),
    dataNames: new Map(),
    linked: null,
    wishes: new Map(),
  });
  const fragments = fragmentsFor(references, { counted }).map(({ reference, ts, js }): TsDeclaration => ({
    kind: "fragment",
    ts,
    js,
    reference,
    name: fragmentName(reference),
    isDirect: true,
  }));
  const print = (all: readonly TsDeclaration[]): string => printModule({ header: [], declarations: all }, "ts");
  const names = new Set(functionNames.values());
  return {
    own: print(declarations).replace(/^\/\*[^]*?\*\/\s*/, ""),
    text: `${print([...declarations, ...fragments])}\nexport { ${[...names].join(", ")} };\n`,
  };
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
