// What a program is after each pass of the stage `adjoint`, as text.

import { emitAdjointModule } from "../adjoint/emit.js";
import { adjointStage } from "../adjoint/stage.js";
import type { SourceFile } from "../syntax/source.js";
import { answer, type Answer } from "./answer.js";
import type { LoadOptions } from "./load-options.js";
import { assertCall, assertPass } from "./options.js";
import { Passes, type PassResult } from "./passes.js";
import { adjointRequest, guarded, toCore, withEarlier, withFitNames } from "./pipeline.js";
import { passNamed } from "./registry.js";
import { withRespectTo } from "./with-respect-to.js";

export interface DumpOptions extends LoadOptions {
  /** The definitions to compile, with what they use; null or left out: all that can be exported. */
  readonly entries?: readonly string[] | null;
  /** As for `compile`: it decides which values have stores. */
  readonly wrt?: readonly string[];
}

/**
 * What a program is after a pass of the stage `adjoint`: core programs in the paper's notation, flat programs in that of src/flat/program.ts, emitted functions
 * in TypeScript, those that the pass changes. A pass that changes something several times is shown each time, under a comment with its name.
 */
export function dump(source: SourceFile, pass: string, options: DumpOptions = {}): Answer<string> {
  assertCall("dump", source, options, ["entries", "load", "wrt"]);
  assertPass("dump", pass);
  const name = passNamed(pass)?.name ?? pass;
  const runs: { readonly number: number; readonly ir: PassResult["form"]["ir"]; readonly text: string }[] = [];
  let number = 0;
  let last: PassResult | null = null;
  const onResult = (result: PassResult): void => {
    if (result.pass.name !== name) return;
    number += 1;
    last = result;
    if (result.isChange) runs.push({ number, ir: result.form.ir, text: result.print() });
  };
  const passes = new Passes(null, { onResult });
  const core = toCore(source, options.entries ?? null, passes, options.load ?? null);
  if (!core.ok) return core;
  const wrt = withRespectTo(options.wrt ?? [], core.value.program.entries, source.name);
  if (!wrt.ok) return withEarlier(core.diagnostics, wrt);
  const text = guarded(source, () => {
    const names = withFitNames(core.value, adjointStage, passes);
    if (!names.ok) return names;
    emitAdjointModule(adjointRequest(core.value, wrt.value, passes));
    const isCode = last === null || last.form.ir === "function" || last.form.ir === "module";
    // Of a pass that runs once, the program behind it is what is asked for, changed or not
    const text = number === 1 && !isCode ? last?.print() : shown(name, runs, isCode ? "//" : "--");
    return answer(text ?? "", names.diagnostics);
  });
  return withEarlier(core.diagnostics, text);
}

function shown(
  name: string,
  runs: readonly { readonly number: number; readonly ir: string; readonly text: string }[],
  comment: string,
): string {
  if (runs.length === 0) return `${comment} ${name} changes nothing\n`;
  return runs
    .map(({ number, ir, text }) => `${comment} ${name}${ir === "function" ? "" : `, run ${number}`}\n\n${text}`)
    .join("\n");
}
