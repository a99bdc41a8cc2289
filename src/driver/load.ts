// A model compiled and loaded where it stands: for notebooks, and for pages without a build step.

import { renderDiagnostics } from "../diagnostics/render.js";
import type { SourceFile } from "../syntax/source.js";
import { printToRun, printToRunLines, type PrintedLine } from "../typescript/print-module.js";
import type { TsModule } from "../typescript/tree.js";
import { answer, type Answer } from "./answer.js";
import { derivingFor, type CompileOptions } from "./compile.js";
import { linesBefore, loadModule, type EmittedFunction, type LoadedModule } from "./evaluate.js";
import { importedFunctions } from "./externs.js";
import { textOf, type RunOptions } from "./load-options.js";
import { assertCall, assertText } from "./options.js";
import { Passes } from "./passes.js";
import { emit, guarded, toCore, type CoreProgram } from "./pipeline.js";
import { sourceMapOf } from "./source-map.js";
import { defaultStage, stageNamed } from "./stages.js";

export interface LoadModelOptions
  extends RunOptions, Pick<CompileOptions, "debug" | "entries" | "stage" | "with" | "wrt"> {
  /** What messages call the model, and what the paths of its imports are relative to; `model.lam` where left out. */
  readonly name?: string;
  /** Whether debuggers, and stack traces of `node --enable-source-maps`, show the lines of the model; true where left out. */
  readonly sourceMap?: boolean;
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
  assertCall("load", source, options, [
    "debug",
    "entries",
    "externs",
    "load",
    "name",
    "sourceMap",
    "stage",
    "with",
    "wrt",
  ]);
  const named = { ...source, name: options.name ?? source.name };
  const linked = linkedModule(named, options);
  if (linked.ok) return Object.fromEntries(evaluated(linked.value).exports);
  const { diagnostics } = linked;
  throw new Error(renderDiagnostics(diagnostics, textOf(named, options.load ?? null)), { cause: diagnostics });
}

interface LinkedModule {
  readonly code: string;
  /** What debuggers are told of the code. */
  readonly comments: string;
  readonly imported: ReadonlyMap<string, EmittedFunction>;
}

/** The JavaScript of a model, and the functions of the caller's that it uses. */
function linkedModule(source: SourceFile, options: LoadModelOptions): Answer<LinkedModule> {
  const passes = new Passes(null);
  const stage = stageNamed(options.stage ?? defaultStage);
  const { wanted, deriving } = derivingFor(source, stage.mode, options);
  const form = options.debug === true ? "shown" : "plain";
  const isMapped = options.sourceMap ?? true;
  const core = toCore(source, options.entries ?? null, passes, options.load ?? null, form, deriving.derive, false, isMapped); // prettier-ignore
  if (!core.ok) return core;
  const { wrt, compositions, results } = deriving;
  const emitted = emit(core.value, stage, { wrt, wanted, counted: false, compositions, results }, passes);
  if (!emitted.ok) return emitted;
  return guarded(source, () => {
    const { externs } = core.value.program;
    const imported = importedFunctions(emitted.value, externs.values(), options.externs ?? null);
    if (!imported.ok) return imported;
    const declarations = emitted.value.declarations.filter(({ kind }) => kind !== "import");
    const module = { ...emitted.value, declarations };
    const { code, map } = passes.run("print", () => isMapped ? mapped(module, core.value) : { code: printToRun(module), map: null }); // prettier-ignore
    return answer({ code, comments: commentsFor(source.name, code, map), imported: imported.value }, []);
  });
}

function mapped(module: TsModule, { files }: CoreProgram): { readonly code: string; readonly map: string } {
  const { text, lines } = printToRunLines(module);
  const before = Array.from({ length: linesBefore }, (): PrintedLine => ({ stmt: null, fn: null }));
  const printed = { text: "\n".repeat(linesBefore) + text, lines: [...before, ...lines] };
  return { code: text, map: sourceMapOf(printed, files, { sourceName: urlOf }) };
}

/** The name of the code for debuggers, which is another one for other code, since they keep maps by it, and its map. */
function commentsFor(name: string, code: string, map: string | null): string {
  const url = `//# sourceURL=${urlOf(name)}.js?${digestOf(code + (map ?? ""))}`;
  if (map === null) return url;
  // Of letters that `btoa` takes
  const letters = map.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${url}\n${["//# source", "MappingURL"].join("")}=data:application/json;base64,${btoa(letters)}`;
}

/** What debuggers call a file of the program: a name that is no URL has one of its own kind. It becomes part of a comment: no character of it may end that. */
function urlOf(name: string): string {
  if (/^[a-z][a-z\d+.-]+:\/\/[!-~]*$/i.test(name)) return name;
  return `dualrev:///${name
    // Half of a character has no code
    .replace(/[\ud800-\udfff]/gu, "\ufffd")
    .split("/")
    .filter((part) => part !== "")
    .map(encodeURIComponent)
    .join("/")}`;
}

/** FNV-1a, of 32 bits. */
function digestOf(text: string): string {
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return (digest >>> 0).toString(16);
}

function evaluated({ code, comments, imported }: LinkedModule): LoadedModule {
  try {
    return loadModule(code, imported, comments);
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    const message =
      "load: the Content-Security-Policy of this page does not allow `unsafe-eval`, which load needs: compile the model ahead of time";
    throw new Error(message, { cause: error });
  }
}
