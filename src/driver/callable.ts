// Definitions compiled to JavaScript and loaded, so that they can be called.

import type { Entry } from "../core/term.js";
import { printToRun } from "../typescript/print-module.js";
import { DualData } from "../derivatives/dual-data.js";
import { leavesOf } from "../emit/interface/interface.js";
import {
  derivedName,
  exportedNames,
  propertyName,
  usualDerived,
  type Derived,
} from "../emit/interface/public-names.js";
import { stageNamed } from "./stages.js";
import type { StageName } from "./stages.js";
import type { ProgramFile } from "../syntax/load.js";
import type { Load } from "../syntax/loaded-file.js";
import type { SourceFile, Span } from "../syntax/source.js";
import { answer, type Answer } from "./answer.js";
import { withoutPartials } from "../derivatives/fused.js";
import { derivativeBounds, type DerivativeBounds } from "./derivative-bounds.js";
import { Deriving } from "./derived-functions.js";
import { exportOf, loadModule, type Counters, type EmittedFunction } from "./evaluate.js";
import { importedFunctions, reported, type ExternModules } from "./externs.js";
import { LoadRecord } from "./load-record.js";
import { Passes } from "./passes.js";
import { emit, guarded, toCore, withEarlier, type CoreProgram } from "./pipeline.js";
import { ValueTypes, type ValueType } from "./value-types.js";

/** A definition that can be called, in one stage. */
export interface Callable {
  /** The files of its program. */
  readonly files: readonly ProgramFile[];
  readonly entry: Entry;
  /** Where the definition's name stands. */
  readonly span: Span;
  readonly stage: StageName;
  readonly params: readonly CallableParam[];
  readonly result: ValueType;
  /** Whether what it runs has a `debug "text"`. */
  readonly usesDebug: boolean;
  /** The value. */
  readonly primal: EmittedFunction;
  /** In a reverse stage: value and pullback. */
  readonly vjp: EmittedFunction | null;
  /** In a forward stage: value and directional derivative. */
  readonly jvp: EmittedFunction | null;
  /** The function of the form that was asked for, `fHvp`; null where there was none, or what it would be is `jvp`. */
  readonly derived: EmittedFunction | null;
  /** Where the program has a `stopGradient`, as `model.lam:3:5`. */
  readonly stops: readonly string[];
  /** The module's counters, where it was emitted with them. */
  readonly counters: Counters | null;
  /** What its derivatives take at most; null where its program has no operations on reals, and where nothing is counted. */
  readonly bounds: DerivativeBounds | null;
}

export interface CallableParam {
  readonly name: string;
  readonly type: ValueType;
  /** Whether there may be reals in it. */
  readonly isActive: boolean;
}

/** What was made, with what was imported for it. */
interface Made {
  readonly made: Answer<Callable>;
  readonly record: LoadRecord;
  readonly externs: ExternModules | null;
}

const cached = new Map<string, Made>();
const cacheSize = 32;

export interface CallableOptions {
  readonly load: Load | null;
  /** What is of the caller's. */
  readonly externs?: ExternModules | null;
  /** With counting instructions. */
  readonly counted?: boolean;
  /** What is needed beside the value, instead of pullback and gradient. */
  readonly form?: PointForm | null;
}

/** Derivatives at a point that modules have as functions of their own. */
export type PointForm = "jvp" | "hvp" | "jacobian" | "hessian";

/** A definition of a model, ready to be called. What was made last is kept, for as long as the files that it imports stay what they were. */
export function callable(
  source: SourceFile,
  entry: string,
  stage: StageName,
  { load, externs = null, counted = false, form = null }: CallableOptions,
): Answer<Callable> {
  const key = JSON.stringify([source.name, entry, stage, counted, form, load === null, source.text]);
  const known = cached.get(key);
  if (known?.externs === externs && known.record.holdsFor(load)) return known.made;
  const passes = new Passes(null);
  const record = new LoadRecord(load);
  const { mode } = stageNamed(stage);
  const wanted = new Set(form === null ? [] : [form]);
  const deriving = new Deriving(
    { wanted, named: [entry], isToldOtherwise: true, mode, file: source.name },
    [],
    source.name,
  );
  const core = toCore(source, [entry], passes, record.load, "plain", form === null ? null : deriving.derive);
  const made = core.ok
    ? withEarlier(core.diagnostics, loadEntry(core.value, entry, stage, counted, passes, { form, externs }))
    : core;
  const [oldest] = cached.keys();
  if (cached.size >= cacheSize && oldest !== undefined) cached.delete(oldest);
  cached.set(key, { made, record, externs });
  return made;
}

/** Emits and loads one definition of a core program. */
export function loadEntry(
  core: CoreProgram,
  name: string,
  stageName: StageName,
  counted: boolean,
  passes: Passes,
  { form = null, externs = null }: Pick<CallableOptions, "form" | "externs"> = {},
): Answer<Callable> {
  const stage = stageNamed(stageName);
  const wanted: ReadonlySet<Derived> = form === null ? usualDerived : new Set([form]);
  const emitted = emit(core, stage, { wrt: new Map(), wanted, counted }, passes);
  if (!emitted.ok) return emitted;
  return guarded(core.source, () => {
    const imported = importedFunctions(emitted.value, core.program.externs.values(), externs);
    if (!imported.ok) return imported;
    const own = emitted.value.declarations.filter(({ kind }) => kind !== "import");
    const code = passes.run("print", () => printToRun({ ...emitted.value, declarations: own }));
    const loaded = passes.run("load", () => loadModule(code, reported(emitted.value, imported.value)));
    const found = core.program.entries.find((entry) => entry.name === name);
    if (found === undefined) throw new Error(`no entry ${name}`);
    const [primal, derived] = exportedNames(found, stage.mode, wanted);
    const types = new ValueTypes(core.program.data);
    const data = new DualData(core.program.data);
    const derivedForm = form === null ? undefined : loaded.exports.get(derivedName(name, form));
    const wrapper = derived === undefined ? null : exportOf(loaded, derived);
    return answer(
      {
        files: core.files,
        entry: found,
        span: spanOf(core, name),
        usesDebug: core.usesDebug,
        stage: stageName,
        params: leavesOf(found.params).map(({ leaf }) => ({
          name: propertyName(leaf.name),
          type: types.of(leaf.type),
          isActive: data.hasReal(leaf.type),
        })),
        result: types.of(found.result),
        primal: exportOf(loaded, primal),
        vjp: stage.mode === "reverse" ? wrapper : null,
        jvp: stage.mode === "forward" ? wrapper : null,
        derived: stage.mode === "forward" && form === "jvp" ? null : (derivedForm ?? null),
        stops: core.stops,
        counters: loaded.counters,
        bounds: counted ? derivativeBounds(withoutPartials(core.program)) : null,
      },
      emitted.diagnostics,
    );
  });
}

function spanOf(core: CoreProgram, name: string): Span {
  for (const group of core.typed.groups) {
    const binding = group.bindings.find((other) => other.name === name);
    if (binding !== undefined) return binding.nameSpan;
  }
  return core.tree.span;
}
