// A model compiled and loaded where it stands: for notebooks, and for pages without a build step.

import { renderDiagnostics } from "../diagnostics/render.js";
import type { SourceFile } from "../syntax/source.js";
import { printToRun } from "../typescript/print-module.js";
import { answer, type Answer } from "./answer.js";
import { derivingFor, type CompileOptions } from "./compile.js";
import { loadModule, type EmittedFunction, type LoadedModule } from "./evaluate.js";
import { importedFunctions } from "./externs.js";
import { textOf, type RunOptions } from "./load-options.js";
import { assertCall, assertText } from "./options.js";
import { Passes } from "./passes.js";
import { emit, guarded, toCore } from "./pipeline.js";
import { defaultStage, stageNamed } from "./stages.js";

export interface LoadModelOptions
  extends RunOptions, Pick<CompileOptions, "debug" | "entries" | "stage" | "with" | "wrt"> {
  /** What messages call the model, and what the paths of its imports are relative to; `model.lam` where left out. */
  readonly name?: string;
}

/** The functions of a model, by their names, where nothing says which they are. */
export type LoadedFunctions = Readonly<Record<string, EmittedFunction>>;

/**
 * Compiles the text of a model, and gives the functions of its module at once: `const { loss, lossGrad } = load(text)`. `M` is their type, which the caller
 * states; nothing checks it.
 *
 * Throws an `Error` where the model has mistakes: its message is what `renderDiagnostics` makes of them, its `cause` the diagnostics. Code is evaluated: a page whose
 * Content-Security-Policy does not allow `unsafe-eval` is told so by an `Error`, and needs `compile`.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- what a text defines is known to the caller alone, as with JSON
export function load<M extends object = LoadedFunctions>(text: string, options?: LoadModelOptions): M;
export function load(text: string, options: LoadModelOptions = {}): object {
  assertText("load", text);
  const source = { name: "model.lam", text };
  assertCall("load", source, options, ["debug", "entries", "externs", "load", "name", "stage", "with", "wrt"]);
  const named = { ...source, name: options.name ?? source.name };
  const linked = linkedModule(named, options);
  if (linked.ok) return Object.fromEntries(evaluated(linked.value).exports);
  const { diagnostics } = linked;
  throw new Error(renderDiagnostics(diagnostics, textOf(named, options.load ?? null)), { cause: diagnostics });
}

interface LinkedModule {
  readonly code: string;
  readonly imported: ReadonlyMap<string, EmittedFunction>;
}

/** The JavaScript of a model, and the functions of the caller's that it uses. */
function linkedModule(source: SourceFile, options: LoadModelOptions): Answer<LinkedModule> {
  const passes = new Passes(null);
  const stage = stageNamed(options.stage ?? defaultStage);
  const { wanted, deriving } = derivingFor(source, stage.mode, options);
  const form = options.debug === true ? "shown" : "plain";
  const core = toCore(source, options.entries ?? null, passes, options.load ?? null, form, deriving.derive);
  if (!core.ok) return core;
  const { wrt, compositions, results } = deriving;
  const emitted = emit(core.value, stage, { wrt, wanted, counted: false, compositions, results }, passes);
  if (!emitted.ok) return emitted;
  return guarded(source, () => {
    const { externs } = core.value.program;
    const imported = importedFunctions(emitted.value, externs.values(), options.externs ?? null);
    if (!imported.ok) return imported;
    const declarations = emitted.value.declarations.filter(({ kind }) => kind !== "import");
    const code = passes.run("print", () => printToRun({ ...emitted.value, declarations }));
    return answer({ code, imported: imported.value }, []);
  });
}

function evaluated({ code, imported }: LinkedModule): LoadedModule {
  try {
    return loadModule(code, imported);
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    const message =
      "load: the Content-Security-Policy of this page does not allow `unsafe-eval`, which load needs: compile the model ahead of time";
    throw new Error(message, { cause: error });
  }
}
