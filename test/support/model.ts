// A program, ready to run in every stage: what the end-to-end tests have in common.

import type { Entry, EntryParam } from "../../src/core/term.js";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.js";
import { renderDiagnostics } from "../../src/diagnostics/render.js";
import {
  exportOf,
  functionOf,
  loadModule,
  propertyOf,
  type EmittedFunction,
  type LoadedModule,
} from "../../src/driver/evaluate.js";
import { assertForm } from "../../src/driver/forms.js";
import { Passes } from "../../src/driver/passes.js";
import { emit, toCore, type CoreProgram } from "../../src/driver/pipeline.js";
import { textOf } from "../../src/driver/load-options.js";
import { ValueTypes, type ValueType } from "../../src/driver/value-types.js";
import { oneHotCotangent, realsOf, withReals } from "../../src/driver/values.js";
import { printToRun } from "../../src/typescript/print-module.js";
import type { WithRespectTo } from "../../src/emit/interface/interface.js";
import { exportedNames } from "../../src/emit/interface/public-names.js";
import { derivedName, propertyName } from "../../src/emit/interface/public-names.js";
import type { TsModule } from "../../src/typescript/tree.js";
import { stageNamed } from "../../src/driver/stages.js";
import type { StageName } from "../../src/driver/stages.js";
import type { Load } from "../../src/syntax/loaded-file.js";
import type { SourceFile } from "../../src/syntax/source.js";

export interface Parameter {
  readonly name: string;
  readonly type: ValueType;
}

/** A run of an entry in a stage; a constant has no derivative in any. */
export type Run = { readonly kind: "primal"; readonly value: unknown } | Derived;

export type Derived =
  Forward | { readonly kind: "reverse"; readonly value: unknown; readonly pullback: EmittedFunction };

export interface Forward {
  readonly kind: "forward";
  readonly value: unknown;
  readonly jvp: EmittedFunction;
}

/** The text of a model that does not compile, with its diagnostics. */
export class DoesNotCompile extends Error {}

export class Model {
  readonly core: CoreProgram;
  readonly #types: ValueTypes;
  readonly #modules = new Map<StageName, LoadedModule>();

  /** Throws `DoesNotCompile`. `entries` null: all that can be exported. */
  constructor(
    readonly source: SourceFile,
    entries: readonly string[] | null = null,
    load: Load | null = null,
    /** Passes of the stage `adjoint` that are left out. */
    readonly without: ReadonlySet<string> = new Set(),
  ) {
    const core = toCore(source, entries, new Passes(null), load);
    if (!core.ok) throw new DoesNotCompile(renderAll(source, load, core.diagnostics));
    this.core = core.value;
    this.#types = new ValueTypes(core.value.program.data);
  }

  entry(name: string): Entry {
    const entry = this.core.program.entries.find((e) => e.name === name);
    if (entry === undefined) throw new Error(`${this.source.name} has no entry ${name}`);
    return entry;
  }

  parameters(entry: string): readonly Parameter[] {
    const flat = (param: EntryParam): readonly Parameter[] =>
      param.kind === "named" ? [{ name: param.name, type: this.#types.of(param.type) }] : param.items.flatMap(flat);
    return this.entry(entry).params.flatMap(flat);
  }

  result(entry: string): ValueType {
    return this.#types.of(this.entry(entry).result);
  }

  /** The module of a stage, checked after each pass; of a transformation, against the typing statement of its figure. */
  emit(stage: StageName, wrt: WithRespectTo = new Map(), counted = false): TsModule {
    const passes = new Passes(null, { check: assertForm, runs: ({ name }) => !this.without.has(name) });
    const emitted = emit(this.core, stageNamed(stage), { wrt, counted }, passes);
    if (!emitted.ok) throw new DoesNotCompile(renderAll(this.source, null, emitted.diagnostics));
    return emitted.value;
  }

  module(stage: StageName): LoadedModule {
    const known = this.#modules.get(stage);
    if (known !== undefined) return known;
    const module = loadModule(printToRun(this.emit(stage)));
    this.#modules.set(stage, module);
    return module;
  }

  /** The module of a stage with derivatives by some of the parameters of every entry. */
  moduleFor(stage: StageName, params: readonly string[]): LoadedModule {
    const wrt = new Map(this.core.program.entries.map(({ name }) => [name, params]));
    return loadModule(printToRun(this.emit(stage, wrt)));
  }

  /** One run of an entry: what `fVjp` gives in a reverse stage, `f` elsewhere. */
  run(entry: string, stage: StageName, args: readonly unknown[]): Run {
    const { mode } = stageNamed(stage);
    const module = this.module(stage);
    if (mode !== "reverse" || args.length === 0) {
      const value = exportOf(module, exportedNames(this.entry(entry), mode)[0])(...args);
      if (mode === "primal" || args.length === 0) return { kind: "primal", value };
      return { kind: "forward", value, jvp: exportOf(module, derivedName(entry, "jvp")) };
    }
    const result = exportOf(module, derivedName(entry, "vjp"))(...args);
    return {
      kind: "reverse",
      value: propertyOf(result, "value"),
      pullback: functionOf(propertyOf(result, "pullback")),
    };
  }

  /** Whether the module of a stage has the gradient of an entry by itself, `fGrad`. */
  hasGradient(entry: string, stage: StageName): boolean {
    const isReverse = stageNamed(stage).mode === "reverse";
    return isReverse && this.parameters(entry).length > 0 && this.result(entry).kind === "real";
  }

  /** What `fGrad` gives, in new memory and in that of an earlier gradient; its pullback takes the cotangent 1 alone. */
  gradient(entry: string, stage: StageName, args: readonly unknown[]): Run {
    const grad = exportOf(this.module(stage), derivedName(entry, "grad"));
    const [result, earlier] = [grad(...args), grad(...args)];
    spoil(propertyOf(earlier, "grad"));
    if (!sameValue(result, grad(...args, propertyOf(earlier, "grad"))))
      throw new Error(`the gradient of ${entry} is another one in the memory of an earlier one`);
    return { kind: "reverse", value: propertyOf(result, "value"), pullback: () => propertyOf(result, "grad") };
  }

  /** The Jacobian, a row for each real of the result: by pullbacks of unit cotangents, or by unit tangents. */
  rows(entry: string, run: Derived, args: readonly unknown[]): readonly (readonly number[])[] {
    const result = this.result(entry);
    const outputs = realsOf(run.value, result);
    if (run.kind === "reverse") {
      return outputs.map((_, k) => this.pullBack(entry, run, args, oneHotCotangent(run.value, result, k)));
    }
    const columns = this.parameters(entry).flatMap(({ type }, which) =>
      realsOf(args[which], type).map((_, position) => {
        const tangents = this.tangents(entry, args, 0);
        tangents[which] = oneHotCotangent(args[which], type, position);
        return realsOf(propertyOf(run.jvp(...args, ...tangents), "tangent"), result);
      }),
    );
    return outputs.map((_, k) => columns.map((column) => column[k] ?? NaN));
  }

  /** The gradient for a cotangent of the result. */
  pullBack(entry: string, run: Derived, args: readonly unknown[], cotangent: unknown): readonly number[] {
    if (run.kind === "forward") {
      const weights = realsOf(cotangent, this.result(entry));
      const rows = this.rows(entry, run, args);
      const columns = (rows[0] ?? []).map((_, k) => rows.map((row) => row[k] ?? NaN));
      return columns.map((column) => column.reduce((sum, partial, i) => sum + partial * (weights[i] ?? NaN), 0));
    }
    const gradient = run.pullback(cotangent);
    const names = this.parameters(entry).map(({ name }) => propertyName(name));
    return this.realsOfGradient(entry, args, names.map((name) => propertyOf(gradient, name))); // prettier-ignore
  }

  /** The sum of the gradient's entries, by one tangent of ones. */
  alongOnes(entry: string, run: Forward, args: readonly unknown[], cotangent: unknown): number {
    const tangent = propertyOf(run.jvp(...args, ...this.tangents(entry, args, 1)), "tangent");
    const weights = realsOf(cotangent, this.result(entry));
    return realsOf(tangent, this.result(entry)).reduce((sum, x, i) => sum + x * (weights[i] ?? NaN), 0);
  }

  private tangents(entry: string, args: readonly unknown[], all: number): unknown[] {
    return this.parameters(entry).map(({ type }, i) => {
      const reals = realsOf(args[i], type).map(() => all);
      return withReals(args[i], type, reals, "cotangent");
    });
  }

  /** The reals of a gradient, which must have the shape of the arguments. */
  realsOfGradient(entry: string, args: readonly unknown[], gradient: readonly unknown[]): readonly number[] {
    return this.parameters(entry).flatMap(({ name, type }, i) => {
      const reals = realsOf(gradient[i], type);
      const shape = withReals(args[i], type, reals, "cotangent");
      if (!sameValue(shape, gradient[i])) throw new Error(`the gradient of ${name} has not the shape of ${name}`);
      return reals;
    });
  }
}

function renderAll(source: SourceFile, load: Load | null, diagnostics: readonly Diagnostic[]): string {
  return renderDiagnostics(diagnostics, textOf(source, load), { colors: false, limit: 10 });
}

/** Puts other numbers into the arrays of numbers in a value: iterative, for long lists. */
function spoil(value: unknown): void {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (part instanceof Float64Array) part.fill(NaN);
    else if (isKeyed(part)) waiting.push(...Object.values(part));
  }
}

/** Whether two values are the same down to the signs of their zeros' absence; iterative, for long lists. */
export function sameValue(left: unknown, right: unknown): boolean {
  const waiting: unknown[] = [left, right];
  while (waiting.length > 0) {
    const [b, a] = [waiting.pop(), waiting.pop()];
    if (a === b || Object.is(a, b)) continue;
    if (!isKeyed(a) || !isKeyed(b)) return false;
    if (a instanceof Float64Array && b instanceof Float64Array) {
      if (a.length !== b.length || !a.every((x, i) => x === b[i] || Object.is(x, b[i]))) return false;
      continue;
    }
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) waiting.push(a[key], b[key]);
  }
  return true;
}

function isKeyed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
