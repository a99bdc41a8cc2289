import type { SourceFile } from "../syntax/source.js";
import { isRepeated, toAdjoint, type PassName, type PassResult } from "./adjoint-passes.js";
import { answer, type Answer } from "./answer.js";
import { Passes } from "./passes.js";
import { guarded, type LoadOptions, toCore, withEarlier } from "./pipeline.js";
import { withRespectTo } from "./with-respect-to.js";

export interface DumpOptions extends LoadOptions {
  /** The definitions to compile, with what they use; null or left out: all that can be exported. */
  readonly entries?: readonly string[] | null;
  /** As for `compile`: it decides which values have stores. */
  readonly wrt?: readonly string[];
}

/**
 * What a program is after a pass of the stage `adjoint`, as text: core programs in the paper's notation, flat programs in that of src/flat/program.ts. A
 * pass that runs several times is shown each time that it changes something, under a comment that counts its runs.
 */
export function dump(source: SourceFile, pass: PassName, options: DumpOptions = {}): Answer<string> {
  const passes = new Passes(null);
  const core = toCore(source, options.entries ?? null, passes, options.load ?? null);
  if (!core.ok) return core;
  const { program } = core.value;
  const wrt = withRespectTo(options.wrt ?? [], program.entries, source.name);
  if (!wrt.ok) return withEarlier(core.diagnostics, wrt);
  return guarded(source, () => {
    const runs: { readonly result: PassResult; readonly isChange: boolean }[] = [];
    let before: object = program;
    toAdjoint(program, wrt.value, passes, (result) => {
      if (result.pass === pass) runs.push({ result, isChange: result.program !== before });
      before = result.program;
    });
    const text = passes.run("print", () => {
      const [only] = runs;
      if (only !== undefined && !isRepeated(pass)) return only.result.print();
      const shown = runs.flatMap(({ result, isChange }, index) =>
        isChange ? [`-- ${pass}, run ${index + 1}\n\n${result.print()}`] : [],
      );
      return shown.length === 0 ? `-- ${pass} changes nothing\n` : shown.join("\n");
    });
    return answer(text, core.diagnostics);
  });
}
