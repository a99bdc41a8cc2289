// The compiler in one straight line, every pass under its name:
//
//   texts --parse--> trees --infer--> typed tree --elaborate--> core --transform--> target --emit--> TypeScript tree --print--> text
//
// A phase that finds mistakes is the last one to run, so that no message is the consequence of another.

import { assertProgram } from "../core/check.js";
import { elaborateProgram, type Labels } from "../elaborate/elaborate.js";
import type { CoreForm } from "../elaborate/session.js";
import { Names } from "../core/names.js";
import type * as Source from "../core/term.js";
import { allNames } from "../core/traverse.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { Outcome } from "../outcome.js";
import { withoutPartials, withPartials } from "../derivatives/fused.js";
import { plainPartials } from "../derivatives/plain-partials.js";
import { withoutDerivativesApart } from "../derivatives/apart.js";
import { withoutDerivatives, withoutPullbackCode, withoutRules } from "../derivatives/prepare.js";
import { explainDerivatives } from "../diagnostics/explain-derivatives.js";
import { explainEntries, explainLeftOut } from "../diagnostics/explain-entries.js";
import { explainLoading } from "../diagnostics/explain-imports.js";
import { explainNames } from "../diagnostics/explain-names.js";
import { explainSyntax } from "../diagnostics/explain-syntax.js";
import { explainTypes } from "../diagnostics/explain-types.js";
import { checkNames } from "../emit/interface/clashes.js";
import { type PoolRequest, withPools } from "../jobs/pools.js";
import { withComposed, withoutOtherForms, type Composition } from "../emit/composed-functions.js";
import { emitModule } from "../emit/emit.js";
import { withImportsFirst } from "../emit/externs.js";
import type { LeftOut } from "../emit/left-out.js";
import { usualDerived, type Derived } from "../emit/interface/public-names.js";
import { withOwnMemory } from "../emit/own-memory.js";
import type { WithRespectTo } from "../emit/interface/interface.js";
import { PublicTypes } from "../emit/interface/public-types.js";
import { typeName } from "../typescript/build.js";
import type { TsModule } from "../typescript/tree.js";
import { placeholders, plainNames, withPlainExterns } from "../stages/externs.js";
import { stageNamed } from "../stages/index.js";
import { emitAdjointModule, type AdjointRequest } from "../adjoint/emit.js";
import type { Prepared } from "../adjoint/prepare.js";
import { toAdjoint } from "./to-adjoint.js";
import { isTransformation, type AnyStage } from "./stages.js";
import type { Stage } from "../stages/stage.js";
import { loadProgram, type LoadedProgram, type ProgramFile } from "../syntax/load.js";
import { standardName, type Load } from "../syntax/loaded-file.js";
import { parseModule } from "../syntax/parse.js";
import { baseName, externPath, importPath } from "../syntax/paths.js";
import { positionAt, type SourceFile, type Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { assertTarget } from "../target-calculus/check.js";
import { DataTypes } from "../target-calculus/data.js";
import { renumberProgram } from "../target-calculus/renumber.js";
import type * as Target from "../target-calculus/term.js";
import { inferAll, type InferredProgram } from "../types/infer.js";
import type * as Typed from "../types/typed.js";
import { version } from "../version.js";
import { answer, failure, type Answer } from "./answer.js";
import { preludeSource } from "./load-options.js";
import { standardFiles } from "./standard-files.js";
import { PassLimit, Passes } from "./passes.js";
import { siteIn } from "./error-sites.js";

let preludeTree: Tree.Module | null = null;

/** A program ready for any stage, with what the emitted interface takes from earlier trees. */
export interface CoreProgram {
  readonly source: SourceFile;
  /** The model and the files that it imports. */
  readonly files: readonly ProgramFile[];
  readonly tree: Tree.Module;
  readonly typed: Typed.Module;
  readonly program: Source.Program;
  /** The same with what adjoint code computes the pullbacks in it by. */
  readonly withPullbacks: Source.Program;
  readonly leftOut: readonly LeftOut[];
  /** Whether it has a `debug "text"`. */
  readonly usesDebug: boolean;
  /** For a trace: what `debug` shows. */
  readonly labels: Labels;
  /** Where it has a `stopGradient`, as `model.lam:3:5`, each place once. */
  readonly stops: readonly string[];
}

/** A module that has been type-checked. */
export interface CheckedModule {
  readonly files: readonly ProgramFile[];
  readonly tree: Tree.Module;
  readonly typed: Typed.Module;
  /** Whether derivatives are taken in it, or said by rules: otherwise nothing can be wrong with them. */
  readonly usesDerivatives: boolean;
}

export function parse(source: SourceFile, passes: Passes): Answer<Tree.Module> {
  return guarded(source, () =>
    explained(
      passes.run("parse", () => parseModule(source)),
      explainSyntax,
    ),
  );
}

function parseProgram(source: SourceFile, load: Load | null, passes: Passes): Answer<LoadedProgram> {
  return guarded(source, () =>
    explained(
      passes.run("parse", () => loadProgram(source, load, standardFiles)),
      explainLoading,
    ),
  );
}

/** Up to the typed tree. `load` null: the model may not import other files. */
export function typeCheck(source: SourceFile, passes: Passes, load: Load | null = null): Answer<CheckedModule> {
  const parsed = parseProgram(source, load, passes);
  if (!parsed.ok) return parsed;
  const { files, imported } = parsed.value;
  const [{ tree }] = files;
  return guarded(source, () => {
    const prelude = preludeModule(passes);
    const inferred = passes.run("infer", () => {
      const { value, mistakes, program } = inferAll(tree, prelude, imported);
      return { value: { typed: value, usesDerivatives: mentionsDerivatives(program) }, mistakes: mistakes() };
    });
    const typed = explained(inferred, explainTypes);
    if (!typed.ok) return withEarlier(parsed.diagnostics, typed);
    return withEarlier(parsed.diagnostics, answer({ files, tree, ...typed.value }, typed.diagnostics));
  });
}

/** The prelude, read once. */
export function preludeModule(passes: Passes): Tree.Module {
  return (preludeTree ??= passes.run("parse prelude", () => parseModule(preludeSource)).value);
}

const withoutDerivative: ReadonlySet<string> = new Set([
  "build",
  "parBuild",
  "buildScan",
  "index",
  "length",
  "fail text",
  "failAt text",
]);

/** Whether a program names a function that is, or may have in it, a derivative. */
export function mentionsDerivatives(program: InferredProgram | null): boolean {
  if (program === null) return false;
  for (const use of program.scope.uses.values())
    if (use.kind === "builtIn" && !withoutDerivative.has(use.name)) return true;
  return [...program.scope.references.keys()].some(({ definition }) => definition?.item.isFused === true);
}

/** Adds to an elaborated program what is exported beside its own definitions. */
export type Derive = (program: Source.Program) => Answer<Source.Program>;

/** Up to the core calculus. `entries` null: every definition that can be exported. `isLibrary`: files are compiled apart from each other. `isLocated`: for a source map. */
export function toCore(
  source: SourceFile,
  entries: readonly string[] | null,
  passes: Passes,
  load: Load | null = null,
  form: CoreForm = "plain",
  derive: Derive | null = null,
  isLibrary = false,
  isLocated = false,
): Answer<CoreProgram> {
  const checked = typeCheck(source, passes, load);
  if (!checked.ok) return checked;
  return guarded(source, () => {
    const outcome = passes.run("elaborate", () => elaborate(checked.value, entries, form, isLibrary, isLocated));
    const elaborated = explained(outcome, explainEntries);
    if (!elaborated.ok) return withEarlier(checked.diagnostics, elaborated);
    const { program: own, fused } = elaborated.value;
    const paths = withExternPaths(own, source);
    const program = form === "plain" ? withPartials(paths, fused) : paths;
    const derived = derive === null ? answer(program, []) : derive(program);
    if (!derived.ok) return withEarlier(checked.diagnostics, derived);
    const resolved = resolve(checked.value, derived.value, entries, source, passes);
    if (!resolved.ok) return withEarlier(checked.diagnostics, resolved);
    const core = { value: { ...elaborated.value, program: resolved.value }, diagnostics: elaborated.diagnostics };
    passes.run("check core", () => {
      assertProgram(core.value.program, form === "traced");
    });
    return withEarlier(
      checked.diagnostics,
      answer(
        {
          source,
          ...checked.value,
          program: withoutPullbackCode(core.value.program),
          withPullbacks: withoutPartials(core.value.program),
          leftOut: core.value.leftOut.map(explainLeftOut),
          usesDebug: core.value.usesDebug,
          labels: core.value.labels,
          stops: stopsOf(elaborated.value.program),
        },
        core.diagnostics,
      ),
    );
  });
}

function elaborate(
  { typed, files }: CheckedModule,
  entries: readonly string[] | null,
  form: CoreForm,
  isLibrary = false,
  isLocated = false,
) {
  const { name: place, text } = preludeSource;
  const byName = new Map(files.map((file) => [file.name, file]));
  const position = (span: Span) => {
    const file = byName.get(span.file) ?? { place, text };
    const { line, column } = positionAt(file.text, span.start);
    return `${file.place}:${line}:${column}`;
  };
  // What comes with the compiler has no module of its own
  const apart = new Set(files.flatMap((file) => (isLibrary && file.name !== standardName(file.place) ? [file.name] : []))); // prettier-ignore
  const isApart = (file: string): boolean => apart.has(file);
  return elaborateProgram(typed, { entries, position, prelude: preludeSource.name, form, isApart, isLocated });
}

/** A program without derivatives. Which operation of a rule is not linear is looked for in a program whose operations all have sites. */
function resolve(
  checked: CheckedModule,
  program: Source.Program,
  entries: readonly string[] | null,
  source: SourceFile,
  passes: Passes,
): Answer<Source.Program> {
  const outcome = passes.run("derivatives", () => withoutDerivativesApart(program));
  const isWhere = outcome.mistakes.some(({ kind }) => kind === "notLinear");
  const traced = isWhere ? withoutDerivatives(elaborate(checked, entries, "traced").value.program).mistakes : [];
  return explained(outcome, (mistake) => {
    const same = traced.find((each) => each.kind === "notLinear" && mistake.kind === "notLinear" && each.span?.start === mistake.span?.start); // prettier-ignore
    const at = same?.kind === "notLinear" ? same.at : null;
    const place = at === null ? null : (siteIn(checked.files, `${at.definition} (${at.position}): `)?.span ?? null);
    return explainDerivatives(mistake, { file: source.name, start: 0, end: 0 }, place);
  });
}

/** What is wrong with the derivatives in a model, as far as what can be exported comes to them. */
export function mistakesInDerivatives(checked: CheckedModule, source: SourceFile): readonly Diagnostic[] {
  if (!checked.usesDerivatives) return [];
  const found = guarded(source, () => {
    const { value, mistakes } = elaborate(checked, null, "plain");
    const program = withPartials(value.program, value.fused);
    const functions = mistakes.filter(({ kind }) => kind === "derivativeOfFunctions");
    if (mistakes.length > 0) return functions.length > 0 ? failure(...functions.map(explainEntries)) : answer(null, []);
    return resolve(checked, program, null, source, new Passes(null));
  });
  return found.diagnostics;
}

/** Paths to what is the caller's, from the folder of the model. */
function withExternPaths(program: Source.Program, model: SourceFile): Source.Program {
  const placed = ({ path, span, ...extern }: Source.Extern): Source.Extern => {
    return { ...extern, path: externPath(model.name, span.file, path), span };
  };
  return { ...program, externs: new Map([...program.externs].map(([name, extern]) => [name, placed(extern)])) };
}

function stopsOf({ derivatives }: Source.Program): readonly string[] {
  const stops = [...derivatives.values()].filter(({ kind }) => kind === "stop");
  return [...new Set(stops.flatMap(({ site }) => (site === null ? [] : [site.position])))];
}

/** A stage's transformation, and the check of its typing statement where passes are checked. */
export function transform(core: CoreProgram, stage: Stage, passes: Passes): Target.Program {
  const { program, plain } = plainPartials(withPlainExterns(programFor(core, stage)));
  const given = allNames({ ...program, definitions: [...plain, ...program.definitions] });
  const target = passes.run(stage.name, () => {
    const { definitions, ...rest } = renumberProgram(stage.transform(program, new Names(given)), given);
    return { ...rest, definitions: [...placeholders(program), ...plain, ...definitions] };
  });
  if (passes.verifies) {
    passes.run(`check ${stage.name}`, () => {
      assertTarget(target, stage, new DataTypes(target.data));
    });
  }
  return target;
}

/** Rules are for derivatives, and partial derivatives of fused definitions for reverse stages. */
function programFor({ program }: CoreProgram, { mode }: Stage): Source.Program {
  switch (mode) {
    case "primal":
      return withoutPartials(withoutRules(program));
    case "forward":
      return withoutPartials(program);
    case "reverse":
      return program;
  }
}

export interface EmitOptions {
  readonly wrt: WithRespectTo;
  /** The derivatives that are exported; all where left out. */
  readonly wanted?: ReadonlySet<Derived>;
  /** With counting instructions, for `dualrev cost`. */
  readonly counted: boolean;
  /** Functions that are made of others. */
  readonly compositions?: readonly Composition[];
  /** The data types that results of further functions are. */
  readonly results?: readonly string[];
  /** Definitions whose gradients several threads compute, and how the module names the file that a worker runs. */
  readonly pools?: readonly PoolRequest[];
  readonly worker?: string;
  /** Whether files are compiled apart from each other; the module imports them by their paths from the folder of the model. */
  readonly isLibrary?: boolean;
}

/** From the core calculus to a module in a stage. */
export function emit(core: CoreProgram, stage: AnyStage, options: EmitOptions, passes: Passes): Answer<TsModule> {
  const { source, typed, program, leftOut } = core;
  const {
    wrt,
    wanted = usualDerived,
    counted,
    compositions = [],
    results = [],
    isLibrary = false,
    pools = [],
    worker = "",
  } = options;
  const whole = (module: TsModule): TsModule => {
    const places = isTransformation(stage) ? typeName("ArrayLike", typeName("number")) : typeName("Int32Array");
    const declarations = withPools(pools, withComposed(compositions, module.declarations, places), worker);
    const made = withOwnMemory(withoutOtherForms({ ...module, declarations }, results));
    return { ...made, declarations: withImportsFirst(made.declarations) };
  };
  return guarded(source, () => {
    const names = withFitNames(core, stage, passes);
    if (!names.ok) return names;
    if (!isTransformation(stage)) {
      const request = { ...adjointRequest(core, wrt, passes), wanted, counted };
      const unruled = unruledExterns(core, request.prepared);
      if (unruled.length > 0) return failure(...unruled);
      return answer(
        passes.run("emit", () => whole(emitAdjointModule(request))),
        names.diagnostics,
      );
    }
    if (stage.mode !== "primal" && core.program.externs.size > 0) {
      const unruled = unruledExterns(core, toAdjoint(core.withPullbacks, wrt, passes));
      if (unruled.length > 0) return failure(...unruled);
    }
    const primal = transform(core, stageNamed("primal"), passes);
    const derived = stage.mode === "primal" ? null : transform(core, stage, passes);
    const file = baseName(source.name);
    const { aliases } = typed;
    const module = passes.run("emit", () =>
      whole(
        emitModule({
          version,
          file,
          stage,
          program,
          plain: plainNames(program),
          primal,
          derived,
          aliases,
          leftOut,
          wrt,
          wanted,
          counted,
          pathOf: isLibrary ? (path) => importPath(source.name, path) : null,
        }),
      ),
    );
    return answer(module, names.diagnostics);
  });
}

/** What is the caller's and is differentiated, without a rule. */
export function unruledExterns({ program, source }: CoreProgram, { unruled }: Prepared): readonly Diagnostic[] {
  const model = { file: source.name, start: 0, end: 0 };
  return [...program.externs].flatMap(([name, extern]) =>
    unruled.has(name) ? [explainDerivatives({ kind: "unruledExtern", extern }, model, null)] : [],
  );
}

/** Whether what a stage would export has names that TypeScript can have. */
export function withFitNames(
  { files, tree, typed, program }: CoreProgram,
  { mode }: AnyStage,
  passes: Passes,
): Answer<null> {
  const imported = files.slice(1).map((file) => file.tree);
  const types = new PublicTypes(program.data, typed.aliases);
  const mistakes = passes.run("check names", () =>
    checkNames({ tree, imported, entries: program.entries, types, mode }),
  );
  return answer(null, mistakes.map(explainNames));
}

/** A core program as adjoint code is written of it. */
export function adjointRequest(core: CoreProgram, wrt: WithRespectTo, passes: Passes): AdjointRequest {
  const { source, typed, program, leftOut } = core;
  return {
    version,
    file: baseName(source.name),
    program,
    prepared: toAdjoint(core.withPullbacks, wrt, passes),
    aliases: typed.aliases,
    leftOut,
    wrt,
    wanted: usualDerived,
    counted: false,
    around: passes,
  };
}

/** Turns a pass that hit a limit into a diagnostic about the whole file. */
export function guarded<T>(source: SourceFile, run: () => Answer<T>): Answer<T> {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PassLimit)) throw error;
    return failure({
      code: error.limit === "depth" ? "E0701" : "E0702",
      severity: "error",
      title:
        error.limit === "depth"
          ? "this program is nested too deeply for the compiler"
          : "this program grows too large for the compiler",
      span: { file: source.name, start: 0, end: 0 },
      label: "",
      related: [],
      notes: [`the pass \`${error.pass}\` ran out of ${error.limit === "depth" ? "stack" : "room"}`],
      hint:
        error.limit === "depth"
          ? "give names to parts of the deepest expressions, as definitions of their own"
          : "split the program into smaller definitions",
    });
  }
}

/** A phase's answer in words. */
export function explained<T, M>(outcome: Outcome<T, M>, explain: (mistake: M) => Diagnostic): Answer<T> {
  return answer(outcome.value, outcome.mistakes.map(explain));
}

/** An answer with the warnings of the phases before it. */
export function withEarlier<T>(earlier: readonly Diagnostic[], later: Answer<T>): Answer<T> {
  return { ...later, diagnostics: [...earlier, ...later.diagnostics] };
}
