// What a program is after each pass of the stage `adjoint`, as text.

import { emitAdjointModule } from "../adjoint/emit.js";
import { adjointStage } from "../adjoint/stage.js";
import type { SourceFile } from "../syntax/source.js";
import { answer, type Answer } from "./answer.js";
import { derivingFor, type CompileOptions } from "./compile.js";
import { printForm, type Form } from "./forms.js";
import type { LoadOptions } from "./load-options.js";
import { assertCall, shown } from "./options.js";
import { Passes, type PassResult } from "./passes.js";
import { adjointRequest, guarded, toCore, withEarlier, withFitNames } from "./pipeline.js";
import { passNamed, passNames } from "./registry.js";

export interface DumpOptions extends LoadOptions {
  /** The definitions to compile, with what they use; null or left out: all that can be exported. */
  readonly entries?: readonly string[] | null;
  /** As for `compile`: it decides which values have stores. */
  readonly wrt?: readonly string[];
  /** As for `compile`. */
  readonly with?: NonNullable<CompileOptions["with"]>;
}

/**
 * What a program is after a pass of the stage `adjoint`: core programs in the paper's notation, flat programs in that of src/flat/program.ts, emitted functions
 * in TypeScript, those that the pass changes. A pass that changes something several times is shown each time, under a comment with its name.
 */
export function dump(source: SourceFile, pass: string, options: DumpOptions = {}): Answer<string> {
  assertCall("dump", source, options, ["entries", "load", "with", "wrt"]);
  const info = passNamed(pass);
  if (info === null)
    throw new TypeError(`dump: the pass must be one of ${passNames.join(", ")}, and is ${shown(pass)}`);
  const isCode = info.out === "function" || info.out === "module";
  const changes: { readonly run: number; readonly form: Form }[] = [];
  let runs = 0;
  let last: Form | null = null;
  const onResult = ({ pass: { name }, form, isChange }: PassResult): void => {
    if (name !== info.name) return;
    runs += 1;
    last = form;
    if (isChange) changes.push({ run: runs, form });
  };
  const passes = new Passes(null, { onResult });
  const { wanted, deriving } = derivingFor(source, adjointStage.mode, options);
  const core = toCore(source, options.entries ?? null, passes, options.load ?? null, "plain", deriving.derive);
  if (!core.ok) return core;
  const text = guarded(source, () => {
    const names = isCode ? withFitNames(core.value, adjointStage, passes) : answer(null, []);
    if (!names.ok) return names;
    const request = { ...adjointRequest(core.value, deriving.wrt, passes), wanted };
    if (isCode) emitAdjointModule(request);
    // Of a pass that runs once, the program behind it is what is asked for, changed or not
    if (!isCode && runs === 1 && last !== null) return answer(printForm(last), []);
    const comment = `${isCode ? "//" : "--"} ${info.name}`;
    const shown = changes.map(({ run, form }) => `${comment}${form.ir === "function" ? "" : `, run ${run}`}\n\n${printForm(form)}`); // prettier-ignore
    return answer(shown.length === 0 ? `${comment} changes nothing\n` : shown.join("\n"), names.diagnostics);
  });
  return withEarlier(core.diagnostics, text);
}
