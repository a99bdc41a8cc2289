import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { LeftOut } from "../emit/left-out.js";
import {
  derivedName,
  derivedNames,
  exportedNames,
  isDerived,
  usualDerived,
  type Derived,
} from "../emit/interface/public-names.js";
import { type Importing, importingRuntime, libraryNeeds } from "../emit/shared-runtime.js";
import type { TsModule } from "../typescript/tree.js";
import { printDeclarationFile, printModule, printModuleLines } from "../typescript/print-module.js";
import type { Stage } from "../stages/stage.js";
import { defaultStage, isTransformation, problemApart, stageNamed, type AnyStage } from "./stages.js";
import type { StageName } from "./stages.js";
import { importPath } from "../syntax/paths.js";
import type { SourceFile } from "../syntax/source.js";
import { answer, failure, type Answer } from "./answer.js";
import { assertCall } from "./options.js";
import { Passes, type PassListener } from "./passes.js";
import { assertForm } from "./forms.js";
import type { LoadOptions } from "./load-options.js";
import { emit, guarded, toCore, withEarlier, type CoreProgram } from "./pipeline.js";
import { warningsOf } from "./warnings.js";
import { withJobs, type WithJobs } from "./job-functions.js";
import { poolNames, workerText } from "../jobs/pools.js";
import { Deriving, nameTaken, withNeeded } from "./derived-functions.js";
import { mapComment, sourceMapOf, type SourceMapOptions } from "./source-map.js";

export interface CompileOptions extends LoadOptions {
  /** The transformation that makes the derivative; `defaultStage` where left out. */
  readonly stage?: StageName;
  /** The definitions to export; null or left out: all that can be. */
  readonly entries?: readonly string[] | null;
  /** Parameters to differentiate with respect to, as `loss.x`; of a definition that is not mentioned: all. */
  readonly wrt?: readonly string[];
  /**
   * What is exported beside values: "vjp", "jvp", "jacobian" and "linearize", of what gives one number also "grad", "hvp", "hessian" and "flat"; "vjp" and "grad" where
   * left out, "all" for all that there is. A stage of forward mode has "jvp" in any case.
   */
  readonly with?: readonly (Derived | "all")[];
  /** Whether the module shows on standard error, or the console, what `debug "text"` is given, and in a gradient of the stage `adjoint` its derivative. */
  readonly debug?: boolean;
  /**
   * Of definitions that take the sum of what a fork gives, in the stage `adjoint`, also `openLossPool`: the gradient on several threads. How the module names the file
   * beside it that a worker runs, `./model.worker.js`; the file's text is `worker` in the result.
   */
  readonly threads?: string;
  /** The language of the module; "ts" where left out. With "js" the types are in `declarations`. */
  readonly target?: "ts" | "js";
  /** Whether the typing statement of the stage's figure is checked on its output; a violation is thrown as an `InternalError`. */
  readonly verify?: boolean;
  /** The module that has the parts of the runtime, as an import names it (`./runtime.js`); left out: the module has them itself. */
  readonly runtime?: string;
  /**
   * Whether the module has its definitions' differentiated forms for other modules, and imports those of definitions of other files: each file is compiled apart from those that
   * import it. It needs `runtime`, for the modules of one program share what that keeps; in a stage whose D[R] does not depend on the input.
   */
  readonly library?: boolean;
  /** With `library`, how the module imports that of a file, given the file's path from the folder of the model; left out: by that path, `.lam` replaced by `.js`. */
  readonly modulePath?: (path: string) => string;
  /** How the module imports a file that the model has functions from, given its path from the folder of the model; left out: by that path. */
  readonly externPath?: (path: string) => string;
  /**
   * Whether the result has a source map of the module, as `map`: from the lines of its functions to the expressions of the model, and of what it imports, whose values or
   * derivatives they compute. With the name of the module's `file`, the module says that the map is beside it.
   */
  readonly sourceMap?: boolean | SourceMapOptions;
  /** The command that makes the module again, for its header. */
  readonly command?: string;
  /** Told how long each pass took. */
  readonly onPass?: PassListener;
}

/** An emitted module. */
export interface CompiledModule {
  /** The text of the module: TypeScript, or JavaScript for the target `js`. */
  readonly code: string;
  /** For the target `js`, the text of its `.d.ts`; null for `ts`. */
  readonly declarations: string | null;
  /** With the option `sourceMap`, the text of the map of `code`: version 3, with the texts of the files that it mentions; null without. */
  readonly map: string | null;
  /** With the option `threads`, the text of the file that a worker runs, for either target; null where no definition has a pool. */
  readonly worker: string | null;
  /** The names of the exported functions. */
  readonly exports: readonly string[];
  /** Definitions of the file that are not exported, and why. */
  readonly leftOut: readonly LeftOut[];
  /** The paths of the files that the model imports, and that these import in turn. */
  readonly imports: readonly string[];
  /** What the module imports from that of the option `runtime`: for `printRuntime`. */
  readonly needs: readonly string[];
}

/** Compiles a model to a module with its values and derivatives. */
export function compile(source: SourceFile, options: CompileOptions = {}): Answer<CompiledModule> {
  assertCall("compile", source, options, [
    "command",
    "debug",
    "entries",
    "externPath",
    "library",
    "load",
    "modulePath",
    "onPass",
    "runtime",
    "sourceMap",
    "stage",
    "target",
    "threads",
    "verify",
    "with",
    "wrt",
  ]);
  const passes = new Passes(options.onPass ?? null, { check: options.verify === true ? assertForm : null });
  const stage = stageNamed(options.stage ?? defaultStage);
  const isLibrary = options.library === true;
  const mapping = mappingOf(options);
  if (isLibrary) assertLibrary(stage, options.runtime ?? null);
  const { wanted, deriving } = derivingFor(source, stage.mode, options);
  const core = toCore(
    source,
    options.entries ?? null,
    passes,
    options.load ?? null,
    options.debug === true ? "shown" : "plain",
    deriving.derive,
    isLibrary,
    mapping !== null,
  );
  if (!core.ok) return failure(...withOrders(core.diagnostics, source, options));
  const { compositions, results, leftOut: derivedLeftOut } = deriving;
  const worker = options.threads ?? null;
  if (worker !== null) assertThreads(stage, options);
  const alone: WithJobs = { core: core.value, wrt: deriving.wrt, pools: [], leftOut: [], taken: [] };
  const {
    core: own,
    wrt,
    pools,
    leftOut: noPools,
    taken,
  } = worker === null ? alone : withJobs(core.value, deriving.wrt);
  if (taken.length > 0) return failure(...taken.map((name) => nameTaken(name, "threads", source.name)));
  const whole = { ...own, leftOut: [...own.leftOut, ...derivedLeftOut, ...noPools] };
  // A pool needs the gradients of the parts
  const exported = worker === null ? wanted : new Set<Derived>([...wanted, "grad"]);
  const made = { wrt, wanted: exported, counted: false, compositions, results, isLibrary, pools, worker: worker ?? "" };
  const emitted = emit(whole, stage, made, passes);
  if (!emitted.ok) return withEarlier(core.diagnostics, emitted);
  const target = options.target ?? "ts";
  const { module, references } = importing(
    withImports(withCommand(emitted.value, options.command ?? null), pathsOf(core.value, options)),
    options.runtime ?? null,
  );
  return guarded(source, () => {
    const { code, map } = passes.run("print", () => printed(module, target, core.value, mapping));
    const declarations = target === "ts" ? null : passes.run("print declarations", () => printDeclarationFile(module));
    const own = core.value.program.entries.flatMap((entry) => exportedNames(entry, stage.mode, exported));
    const ofPools = pools.length === 0 ? [] : [...pools.map(({ entry }) => poolNames(entry)[1]), "serveJobs"];
    const exports = [...own, ...ofPools, ...compositions.map(({ entry, form }) => derivedName(entry.name, form))];
    const { files, leftOut } = whole;
    const imports = files.slice(1).map(({ name }) => name);
    const needs = isLibrary && isTransformation(stage) ? libraryNeeds(stage) : references;
    const serving = worker === null || pools.length === 0 ? null : workerText(emitted.value.header[0] ?? "", worker);
    const compiled = { code, map, declarations, worker: serving, exports, leftOut, imports, needs };
    const told = [...core.diagnostics, ...emitted.diagnostics];
    const linked = [...core.value.program.links.values()].flatMap(({ kind, name }) => (kind === "own" ? [name] : []));
    return answer(compiled, [...told, ...warningsOf(core.value, source, told, [...(options.entries ?? []), ...linked])]); // prettier-ignore
  });
}

/** The forms that are second derivatives. */
const secondOrder: readonly Derived[] = ["hvp", "hessian"];

/** Mistakes of which those that only a second derivative makes say so. */
function withOrders(
  mistakes: readonly Diagnostic[],
  source: SourceFile,
  options: CompileOptions,
): readonly Diagnostic[] {
  const asked = options.with?.includes("all") === true ? derivedNames : (options.with ?? []).filter(isDerived);
  const second = asked.filter((form) => secondOrder.includes(form));
  if (second.length === 0 || !mistakes.some(({ code }) => code === unruled)) return mistakes;
  const first = compile(source, { ...options, onPass: () => undefined, with: asked.filter((form) => !second.includes(form)) }); // prettier-ignore
  const forms = second.map((form) => `\`${form}\``).join(" and ");
  const [are, they] = second.length === 1 ? ["is a second derivative", "it differentiates"] : ["are second derivatives", "they differentiate"]; // prettier-ignore
  const note = `${forms} ${are}, and ${they} what rules call: the other forms do not.`;
  return mistakes.map((mistake) => {
    const isFirst = first.diagnostics.some(({ code, span }) => code === unruled && span.file === mistake.span.file && span.start === mistake.span.start); // prettier-ignore
    return mistake.code !== unruled || isFirst ? mistake : { ...mistake, notes: [...mistake.notes, note] };
  });
}

/** The code of a function of the caller's that is differentiated, and has no rule. */
const unruled = "E0509";

/** What is exported of each definition, and what makes the definitions that derivatives are. */
export function derivingFor(
  source: SourceFile,
  mode: Stage["mode"],
  options: Pick<CompileOptions, "with" | "wrt" | "entries">,
): { readonly wanted: ReadonlySet<Derived>; readonly deriving: Deriving } {
  const isAll = options.with?.includes("all") ?? false;
  const asked = isAll ? derivedNames : options.with?.filter(isDerived);
  const wanted = withNeeded(asked === undefined ? usualDerived : new Set(asked));
  const named = isAll ? [] : (options.entries ?? []);
  const deriving = new Deriving({ wanted, named, mode, file: source.name }, options.wrt ?? [], source.name);
  return { wanted, deriving };
}

/** What is asked of a source map; null where none is. */
function mappingOf({ sourceMap = false }: CompileOptions): SourceMapOptions | null {
  return sourceMap === true ? {} : sourceMap === false ? null : sourceMap;
}

/** The text of a module, with its map where that is asked for. */
function printed(
  module: TsModule,
  target: "ts" | "js",
  { files }: CoreProgram,
  mapping: SourceMapOptions | null,
): Pick<CompiledModule, "code" | "map"> {
  if (mapping === null) return { code: printModule(module, target), map: null };
  const lines = printModuleLines(module, target);
  const end = mapping.file === undefined ? "" : mapComment(mapping.file);
  return { code: lines.text + end, map: sourceMapOf(lines, files, mapping) };
}

function importing(module: TsModule, runtime: string | null): Importing {
  return runtime === null ? { module, references: [] } : importingRuntime(module, runtime);
}

/** How the module imports what is at a path from the folder of the model. */
function pathsOf({ source, files }: CoreProgram, options: CompileOptions): (path: string) => string {
  const { library = false, modulePath = usualModule, externPath = (path: string): string => path } = options;
  const models = new Set(library ? files.map(({ name }) => importPath(source.name, name)) : []);
  return (path) => (models.has(path) ? modulePath(path) : externPath(path));
}

const usualModule = (path: string): string => path.replace(/\.lam$/, ".js");

/** Throws a TypeError where threads are asked for that there are not. */
function assertThreads(stage: AnyStage, { library, runtime, debug }: CompileOptions): void {
  const problem = isTransformation(stage)
    ? "are those of the stage adjoint"
    : library === true || runtime !== undefined
      ? "need the runtime in the module itself"
      : debug === true
        ? "do not go with debug"
        : null;
  if (problem !== null) throw new TypeError(`compile: threads ${problem}`);
}

/** Throws a TypeError where a stage, or a runtime in each module, does not let files be compiled apart. */
function assertLibrary(stage: AnyStage, runtime: string | null): void {
  const problem = problemApart(stage) ?? (runtime === null ? "its modules share a runtime: it needs the option runtime" : null); // prettier-ignore
  if (problem !== null) throw new TypeError(`compile: the option library: ${problem}`);
}

function withImports(module: TsModule, pathOf: (path: string) => string): TsModule {
  const declarations = module.declarations.map((each) => (each.kind === "import" ? { ...each, from: pathOf(each.from) } : each)); // prettier-ignore
  return { ...module, declarations };
}

function withCommand(module: TsModule, command: string | null): TsModule {
  const [first = "", ...others] = module.header;
  return command === null ? module : { ...module, header: [first, `Made by: ${command}`, ...others] };
}
