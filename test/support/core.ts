// Programs of the source calculus from text.

import { readFileSync } from "node:fs";
import { allNames } from "../../src/core/traverse.js";
import { elaborateProgram } from "../../src/elaborate/elaborate.js";
import { Names } from "../../src/core/names.js";
import type * as Source from "../../src/core/term.js";
import { stageNamed } from "../../src/stages/index.js";
import type { StageName } from "../../src/stages/stage.js";
import type { Span } from "../../src/syntax/source.js";
import { parseModule } from "../../src/syntax/parse.js";
import type * as Target from "../../src/target-calculus/term.js";
import { inferModule } from "../../src/types/infer.js";

const prelude = readFileSync(new URL("../../src/prelude/prelude.lam", import.meta.url), "utf8");

/** The core program of a model that has no mistakes. */
export function coreOf(text: string): Source.Program {
  const own = parseModule({ name: "model.lam", text });
  const typed = inferModule(own.value, parseModule({ name: "prelude.lam", text: prelude }).value);
  const position = ({ start }: Span): string => `model.lam:${start}`;
  const core = elaborateProgram(typed.value, { entries: null, position, prelude: "prelude.lam" });
  const mistakes = [...own.mistakes, ...typed.mistakes, ...core.mistakes];
  if (mistakes.length > 0) throw new Error(JSON.stringify(mistakes));
  return core.value.program;
}

/** What a stage makes of a model. */
export function stagedOf(text: string, stage: StageName): Target.Program {
  const program = coreOf(text);
  return stageNamed(stage).transform(program, new Names(allNames(program)));
}
