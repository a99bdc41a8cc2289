import { emitAdjointModule } from "../adjoint/emit.js";
import { adjointStage } from "../adjoint/stage.js";
import type { WithRespectTo } from "../emit/interface/interface.js";
import type { SourceFile } from "../syntax/source.js";
import { printModule } from "../typescript/print-module.js";
import { isEmittedPass, isRepeated, toAdjoint, type EmittedPassName, type PassName, type PassResult, type ProgramPassName } from "./adjoint-passes.js"; // prettier-ignore
import { answer, type Answer } from "./answer.js";
import { assertCall, assertPass } from "./options.js";
import { Passes } from "./passes.js";
import type { LoadOptions } from "./load-options.js";
import { adjointRequest, type CoreProgram, guarded, toCore, withEarlier, withFitNames } from "./pipeline.js"; // prettier-ignore
import { withRespectTo } from "./with-respect-to.js";

export interface DumpOptions extends LoadOptions {
  /** The definitions to compile, with what they use; null or left out: all that can be exported. */
  readonly entries?: readonly string[] | null;
  /** As for `compile`: it decides which values have stores. */
  readonly wrt?: readonly string[];
}

/**
 * What a program is after a pass of the stage `adjoint`, as text: core programs in the paper's notation, flat programs in that of src/flat/program.ts, emitted
 * functions in TypeScript. A pass that runs several times is shown each time that it changes something, under a comment with its name.
 */
export function dump(source: SourceFile, pass: PassName, options: DumpOptions = {}): Answer<string> {
  assertCall("dump", source, options, ["entries", "load", "wrt"]);
  assertPass("dump", pass);
  const passes = new Passes(null);
  const core = toCore(source, options.entries ?? null, passes, options.load ?? null);
  if (!core.ok) return core;
  const wrt = withRespectTo(options.wrt ?? [], core.value.program.entries, source.name);
  if (!wrt.ok) return withEarlier(core.diagnostics, wrt);
  const text = guarded(source, () => {
    if (!isEmittedPass(pass)) return answer(programsAfter(pass, core.value, wrt.value, passes), []);
    const names = withFitNames(core.value, adjointStage, passes);
    if (!names.ok) return names;
    return answer(functionsAfter(pass, core.value, wrt.value, passes), names.diagnostics);
  });
  return withEarlier(core.diagnostics, text);
}

function programsAfter(pass: ProgramPassName, { program }: CoreProgram, wrt: WithRespectTo, passes: Passes): string {
  const runs: { readonly result: PassResult; readonly isChange: boolean }[] = [];
  let before: object = program;
  toAdjoint(program, wrt, passes, (result) => {
    if (result.pass === pass) runs.push({ result, isChange: result.program !== before });
    before = result.program;
  });
  const [only] = runs;
  if (only !== undefined && !isRepeated(pass)) return only.result.print();
  const shown = runs.flatMap(({ result, isChange }, index) =>
    isChange ? [`-- ${pass}, run ${index + 1}\n\n${result.print()}`] : [],
  );
  return shown.length === 0 ? `-- ${pass} changes nothing\n` : shown.join("\n");
}

/** Each function that the pass changes, before those that follow have changed it. */
function functionsAfter(pass: EmittedPassName, core: CoreProgram, wrt: WithRespectTo, passes: Passes): string {
  const shown: string[] = [];
  const request = adjointRequest(core, wrt, passes);
  emitAdjointModule(request, (name, written) => {
    if (name === pass) shown.push(printModule({ header: [pass], declarations: [written()] }, "ts"));
  });
  return shown.length === 0 ? `// ${pass} changes nothing\n` : shown.join("\n");
}
