import { location, type Location } from "../location.js";
import { locationOf } from "../typescript/locate.js";
import { printModuleLines } from "../typescript/print-module.js";
import type { TsDeclaration, TsModule } from "../typescript/tree.js";
import { emitSweeps } from "../adjoint/emit.js";
import { preparedProcedures } from "../adjoint/prepare.js";
import { printPrepared } from "../adjoint/print-prepared.js";
import type { WithRespectTo } from "../emit/interface/interface.js";
import { withSuffix } from "../emit/interface/public-names.js";
import { flatLegend } from "../flat/legend.js";
import { fragmentFile } from "../runtime/fragments.js";
import { plainNames } from "../stages/externs.js";
import { figureOf } from "../stages/figures.js";
import { notationOf, stageNamed as transformationNamed } from "../stages/index.js";
import { type LegendEntry, legendOf } from "../stages/legend.js";
import type { Stage } from "../stages/stage.js";
import type { SourceFile } from "../syntax/source.js";
import { type PrintedPart, printTargetParts } from "../target-calculus/print.js";
import { sweepsPass } from "../tidy/tidy.js";
import { ascii, respelt, unicode } from "../target-calculus/spelling.js";
import { answer, failure, type Answer } from "./answer.js";
import { assertCall } from "./options.js";
import { Passes, type PassResult } from "./passes.js";
import { withRespectTo } from "./with-respect-to.js";
import type { LoadOptions } from "./load-options.js";
import { adjointRequest, type CoreProgram, emit, guarded, toCore, transform, unruledExterns, withEarlier } from "./pipeline.js"; // prettier-ignore
import { isTransformation, stageNamed, stageNames, type AnyStage, type StageName } from "./stages.js";

export interface StepsOptions extends LoadOptions {
  /** The definitions to show, with what they use; null or left out: all that can be exported. */
  readonly entries?: readonly string[] | null;
  /** The first stage to show; null or left out: `primal`. */
  readonly from?: StageName | null;
  /** The last stage to show, not before `from`; null or left out: `adjoint`. */
  readonly to?: StageName | null;
  /** Parameters to differentiate with respect to in the stage `adjoint`, as `loss.x`; of a definition that is not mentioned: all. */
  readonly wrt?: readonly string[];
  /** Whether terms are spelt as the papers print them, and not in ASCII; those of `adjoint` are in ASCII. */
  readonly unicode?: boolean;
  /** Whether parts have `marks`, and functions `lines`: which sub-term of the model stands where. */
  readonly marks?: boolean;
}

/** A program in one stage, for reading. */
export interface Step {
  readonly stage: StageName;
  /** What the stage is, with its figure. */
  readonly title: string;
  /** What changed against the stage before, and why. */
  readonly change: string;
  /** One sentence for each way in which it departs from the figure. */
  readonly departures: readonly string[];
  /** What the notation of `term` means: of what it uses. */
  readonly legend: readonly LegendEntry[];
  /** The interface that the figure assumes: in its notation, and the functions that implement it; "" where there is none. */
  readonly box: { readonly term: string; readonly typescript: readonly Part[] };
  /** The program part by part: `term` is all of them. */
  readonly parts: readonly PrintedPart[];
  /** The TypeScript function by function: `typescript` is all of them. */
  readonly functions: readonly Part[];
  /** The program in the paper's notation; of `adjoint` the flat program with its stores, in that of src/flat/program.ts. */
  readonly term: string;
  /**
   * Of `adjoint`, a line for each function: what its sweeps, as they are written at first, save, compute again, and have no cotangents for, by the names in
   * `term`. Passes over the emitted code may find that less needs to be saved. Empty for other stages.
   */
  readonly resolved: readonly string[];
  /** Of `adjoint`, its functions before any pass over them, an operation for each line: what becomes of `term` and is made `functions`. Empty for other stages. */
  readonly sweeps: readonly Part[];
  /** The program as TypeScript: transformed definitions and wrappers, without interface and runtime. */
  readonly typescript: string;
}

/** Text of a declaration. */
export interface Part {
  readonly name: string;
  readonly text: string;
  /** Whether it belongs to a wrapper. */
  readonly isWrapper: boolean;
  /** The definition that it is the function of; null where it is none's. */
  readonly definition: string | null;
  /** With the option `marks`, the place of the model that each line is from; null where it is from none. Empty without, and where no line has one. */
  readonly lines: readonly (Location | null)[];
}

/** The stages of a program, one after the other. */
export function steps(source: SourceFile, options: StepsOptions = {}): Answer<readonly Step[]> {
  assertCall("steps", source, options, ["entries", "from", "load", "marks", "to", "unicode", "wrt"]);
  const first = options.from == null ? 0 : stageNames.indexOf(options.from);
  const last = options.to == null ? stageNames.length - 1 : stageNames.indexOf(options.to);
  if (first > last) throw new TypeError(`steps: from ${String(options.from)} is behind to ${String(options.to)}`);
  const passes = new Passes(null);
  const isMarked = options.marks === true;
  const core = toCore(source, options.entries ?? null, passes, options.load ?? null, "plain", null, false, isMarked);
  if (!core.ok) return core;
  const wrt = withRespectTo(options.wrt ?? [], core.value.program.entries, source.name);
  if (!wrt.ok) return withEarlier(core.diagnostics, wrt);
  const emitStage = (stage: Stage): Answer<TsModule> =>
    emit(core.value, stage, { wrt: new Map(), counted: false }, passes);
  // Every module holds the primal program too: its names need no second showing
  const plain = emitStage(transformationNamed("primal"));
  if (!plain.ok) return withEarlier(core.diagnostics, plain);
  const primalNames = new Set(plain.value.declarations.map(nameOf));
  const shown: Step[] = [];
  const spelling = options.unicode === true ? unicode : ascii;
  for (const name of stageNames.slice(first, last + 1)) {
    const stage = stageNamed(name);
    if (!isTransformation(stage)) {
      const step = adjointStep(core.value, stage, primalNames, wrt.value);
      if (!step.ok) return withEarlier(core.diagnostics, step);
      shown.push(step.value);
      continue;
    }
    const emitted = emitStage(stage);
    if (!emitted.ok) return withEarlier(core.diagnostics, emitted);
    const seen = stage.mode === "primal" ? new Set<string>() : primalNames;
    const step = guarded(source, () => {
      const target = transform(core.value, stage, passes);
      const { box, departures } = figureOf(stage.name);
      const wrappers = new Set(target.wrappers.map(({ fn: { name: wrapper } }) => wrapper));
      const definitions = new Map(target.definitions.map((fn) => [withSuffix(fn.name, stage.suffix), fn.name]));
      return passes.run("print", () => {
        const placeholders = new Set(plainNames(core.value.program).map(({ plain: own }) => own));
        const definitionsWithText = target.definitions.filter(({ name: own }) => !placeholders.has(own));
        const parts = printTargetParts(
          { ...target, definitions: definitionsWithText },
          notationOf(stage, spelling),
          isMarked,
        );
        const functions = partsOf(programOf(emitted.value, seen), wrappers, definitions);
        const fragments = partsOf(interfaceOf(emitted.value, stage), wrappers, new Map());
        return answer(
          {
            stage: name,
            title: stage.title,
            change: stage.change,
            departures,
            legend: legendOf(stage, target).map(({ symbol, meaning }) => ({
              symbol: respelt(symbol, spelling),
              meaning,
            })),
            box: { term: respelt(box.join("\n"), spelling), typescript: box.length === 0 ? [] : fragments },
            parts,
            functions,
            term: parts.map(({ text }) => `${text}\n`).join("\n"),
            resolved: [],
            sweeps: [],
            typescript: joined(functions),
          },
          [],
        );
      });
    });
    if (!step.ok) return withEarlier(core.diagnostics, step);
    shown.push(step.value);
  }
  return answer(shown, core.diagnostics);
}

function adjointStep(
  core: CoreProgram,
  { name, title, change }: AnyStage,
  seen: ReadonlySet<string>,
  wrt: WithRespectTo,
): Answer<Step> {
  const written: (() => TsDeclaration)[] = [];
  const onResult = ({ pass, form }: PassResult): void => {
    if (pass.name === sweepsPass.name && form.ir === "function") written.push(form.written);
  };
  const passes = new Passes(null, { onResult });
  return guarded(core.source, () => {
    const request = adjointRequest(core, wrt, passes);
    const unruled = unruledExterns(core, request.prepared);
    if (unruled.length > 0) return failure(...unruled);
    const { declarations, resolved } = passes.run("emit", () => emitSweeps(request));
    const own = withoutUnusedTypes(declarations).filter(
      (declaration) => declaration.kind !== "type" || !seen.has(nameOf(declaration)),
    );
    const term = passes.run("print term", () => printPrepared(request.prepared));
    const shown = (all: readonly TsDeclaration[]): readonly Part[] =>
      passes.run("print", () => partsOf({ header: [], declarations: all }, new Set(), new Map()));
    const functions = shown(own);
    const parts = [{ kind: "definition" as const, name: "", text: term.trimEnd(), calls: [], marks: [] }];
    const typescript = joined(functions);
    return answer(
      {
        stage: name,
        title,
        change,
        departures: [],
        legend: flatLegend(preparedProcedures(request.prepared)),
        box: { term: "", typescript: [] },
        parts,
        functions,
        term,
        resolved,
        sweeps: shown(written.map((declaration) => declaration())),
        typescript,
      },
      [],
    );
  });
}

/** Declarations as text, one by one. */
function partsOf(
  { declarations }: TsModule,
  wrappers: ReadonlySet<string>,
  definitions: ReadonlyMap<string, string>,
): readonly Part[] {
  return declarations.map((declaration) => {
    const { text, lines } = printModuleLines({ header: [], declarations: [declaration] }, "ts");
    const places = lines.map(({ stmt, fn }) => (stmt === null ? null : locationOf(stmt)) ?? fn?.[location] ?? null);
    return {
      name: nameOf(declaration),
      text: text.trimEnd(),
      isWrapper: wrappers.has(nameOf(declaration)),
      definition: definitions.get(nameOf(declaration)) ?? null,
      lines: places.some((place) => place !== null) ? places.slice(0, text.trimEnd().split("\n").length) : [],
    };
  });
}

function joined(parts: readonly Part[]): string {
  return parts.map(({ text }) => `${text}\n`).join("\n");
}

/** What a module has of the runtime that implements the interface of its figure, without what that is made of. */
function interfaceOf({ declarations }: TsModule, { operations }: Stage): TsModule {
  const files = new Set([...operations.values()].map(({ runtime }) => fragmentFile(runtime)));
  files.delete("sparse");
  const own = declarations.filter(
    (declaration) => declaration.kind === "fragment" && files.has(fragmentFile(declaration.reference)),
  );
  return { header: [], declarations: own };
}

/** Declarations without the types that no other mentions. */
function withoutUnusedTypes(declarations: readonly TsDeclaration[]): readonly TsDeclaration[] {
  const texts = declarations.map((declaration) => JSON.stringify(declaration));
  return declarations.filter((declaration, index) => {
    const mention = JSON.stringify({ kind: "name", name: nameOf(declaration) }).slice(0, -1);
    return declaration.kind !== "type" || texts.some((text, other) => other !== index && text.includes(mention));
  });
}

/** A module without header, exported interface and runtime, and without the functions and types named in `seen`. */
function programOf({ declarations }: TsModule, seen: ReadonlySet<string>): TsModule {
  const own = declarations.filter((declaration) => {
    if (declaration.kind === "fragment" || (declaration.kind === "function" && declaration.exported)) return false;
    return !seen.has(nameOf(declaration));
  });
  return { header: [], declarations: own };
}

function nameOf(declaration: TsDeclaration): string {
  if (declaration.kind === "function") return declaration.fn.name;
  return declaration.kind === "type" || declaration.kind === "fragment" ? declaration.name : "";
}
