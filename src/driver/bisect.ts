// Which pass of the stage `adjoint` is the first after which a value or a gradient is another one.

import { withStoresAlone } from "../adjoint/print-prepared.js";
import { adjointStage } from "../adjoint/stage.js";
import type { Extern } from "../core/term.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { runFlat, type RunOptions } from "../flat/interpreter.js";
import type { Program, Var } from "../flat/program.js";
import { InternalError } from "../internal-error.js";
import { isOverEmitted } from "../pass.js";
import type { SourceFile } from "../syntax/source.js";
import { answer, failure, type Answer } from "./answer.js";
import { loadEntry, type Callable } from "./callable.js";
import { largestOf, testWeights } from "./finite-differences.js";
import { assertForm, type Form } from "./forms.js";
import { differentiate } from "./differentiate.js";
import type { LoadOptions } from "./load-options.js";
import { assertCall, assertEntry } from "./options.js";
import { Passes, type Asked } from "./passes.js";
import { toCore, withEarlier, type CoreProgram } from "./pipeline.js";
import { noGradient, readArguments } from "./run-failures.js";
import { sweepsPass } from "../tidy/tidy.js";
import { realsOf, withReals } from "./values.js";

export interface BisectOptions extends LoadOptions {
  /** Runs emitted code, which a mistake may have made endless: throws where it takes too long. Left out: it runs as long as it takes. */
  readonly limited?: Limited;
}

export type Limited = <T>(run: () => T) => T;

export interface BisectResult {
  /** How many runs of passes there were. */
  readonly runs: number;
  /** The first pass after which a number is another one, or an invariant does not hold; null where there is none. */
  readonly guilty: Guilty | null;
}

export interface Guilty {
  readonly pass: string;
  /** The emitted function that it worked on; null where it worked on the whole program. */
  readonly within: string | null;
  /** What it does wrong: how it fails, or what is wrong after it. */
  readonly problem: string;
}

/** The reals of a value, and of a gradient where there is one. */
interface Numbers {
  readonly value: readonly number[];
  readonly gradient: readonly number[] | null;
}

/** What a definition gives at a point, or what it throws. */
type Outcome = Numbers | { readonly error: string };

/** Relative to a number; to the largest number beside it; and what a gradient of nothing but rounding may be, relative to the value. */
const tolerance = 1e-9;
const besideLargest = 1e-12;
const rounding = 1e-15;

/** What takes more statements of a flat program is taken for an endless loop. */
const mostSteps = 50_000_000;

/**
 * Runs `entry` at `args`, and at two points beside, after every pass of the stage `adjoint`: core programs in the stage `tape`, flat ones in an interpreter, emitted
 * functions as modules in which the later passes are left out. All are compared with the stage `tape`.
 */
export function bisect(
  source: SourceFile,
  entry: string,
  args: unknown,
  options: BisectOptions = {},
): Answer<BisectResult> {
  assertCall("bisect", source, options, ["limited", "load"]);
  assertEntry("bisect", entry);
  const core = toCore(source, [entry], new Passes(null), options.load ?? null);
  if (!core.ok) return core;
  const [extern] = core.value.program.externs.values();
  if (extern !== undefined) return failure(notFollowed(extern));
  const reference = loadEntry(core.value, entry, "tape", false, new Passes(null));
  if (!reference.ok) return withEarlier(core.diagnostics, reference);
  const definition = reference.value;
  if (definition.vjp === null) return failure(noGradient(definition));
  const point = readArguments(definition, args);
  if (!point.ok) return withEarlier(core.diagnostics, point);
  const points = [0, 1, -1].map((by) => beside(definition, point.value, by));
  return answer(
    new Bisection(core.value, entry, points, definition, options.limited ?? ((run) => run())).result(),
    core.diagnostics,
  );
}

/** Flat programs are interpreted, and what is the caller's has no text. */
function notFollowed({ name, span }: Extern): Diagnostic {
  return {
    code: "E0606",
    severity: "error",
    title: `what \`${name}\` does is not in the model: its passes cannot be compared`,
    span,
    label: "it is declared here",
    related: [],
    notes: [],
    hint: "`dualrev grad --check` compares with finite differences",
  };
}

/** The point, with each real changed by up to a thousandth of itself. */
function beside({ params }: Callable, point: readonly unknown[], by: number): readonly unknown[] {
  const reals = params.map(({ type }, i) => realsOf(point[i], type));
  const weights = testWeights(reals.flat().length);
  let next = 0;
  return params.map(({ type }, i) => {
    const changed = (reals[i] ?? []).map((real) => real * (1 + (by * (weights[next++] ?? 0)) / 1024));
    return withReals(point[i], type, changed, "value");
  });
}

/** A run of a pass, and what it has made. */
interface Snapshot {
  readonly pass: string;
  readonly form: Form;
}

class Bisection {
  readonly #wanted: readonly Outcome[];

  constructor(
    private readonly core: CoreProgram,
    private readonly entry: string,
    private readonly points: readonly (readonly unknown[])[],
    /** In the stage `tape`. */
    private readonly definition: Callable,
    private readonly limited: Limited,
  ) {
    this.#wanted = this.#outcomes((point) => derivativeAt(definition, point));
  }

  result(): BisectResult {
    const early: Snapshot[] = [];
    const late: { readonly pass: string; readonly within: string | null }[] = [];
    const broken = this.#compiled({
      onResult: ({ pass, form, isChange }) => {
        if (isChange && form.ir !== "function" && form.ir !== "module") early.push({ pass: pass.name, form });
      },
      runs: (pass, within) => {
        if (isOverEmitted(pass)) late.push({ pass: pass.name, within });
        return true;
      },
    });
    const runs = early.length + late.length;
    const found = (problem: string | null, pass: string, within: string | null = null): BisectResult =>
      ({ runs, guilty: problem === null ? null : { pass, within, problem } }); // prettier-ignore
    const among = (snapshots: readonly Snapshot[]): BisectResult | null => {
      const wrong = firstWrong(snapshots, ({ form }) => this.#problemOf(form));
      return wrong === null ? null : found(wrong.problem, wrong.item.pass);
    };
    const guilty = among(early);
    if (guilty !== null) return guilty;
    if (broken instanceof InternalError && late.length === 0) return found(broken.detail, broken.pass);
    const sweeps = { pass: sweepsPass.name, within: null };
    const wrong = firstWrong([sweeps, ...late].map((run, limit) => ({ ...run, limit })), ({ limit }) => {
      let count = 0;
      return this.#problemIn(this.#compiled({ runs: (pass) => !isOverEmitted(pass) || count++ < limit }));
    }); // prettier-ignore
    if (wrong === null) return found(null, "");
    // Of flat programs values alone have been looked at: what is wrong with the sweeps may be a derivative of a core program
    const ofCore = wrong.item.limit === 0 ? among(early.filter(({ form }) => form.ir === "core")) : null;
    return ofCore ?? found(wrong.problem, wrong.item.pass, wrong.item.within);
  }

  /** The definition in the stage `adjoint`, or the invariant that a pass has broken. */
  #compiled(asked: Partial<Asked>): Callable | InternalError {
    try {
      const made = loadEntry(
        this.core,
        this.entry,
        adjointStage.name,
        false,
        new Passes(null, { check: assertForm, ...asked }),
      );
      if (!made.ok) throw new InternalError("bisect", "the definition does not compile any more");
      return made.value;
    } catch (error) {
      if (error instanceof InternalError) return error;
      throw error;
    }
  }

  #problemIn(compiled: Callable | InternalError): string | null {
    return compiled instanceof InternalError ? compiled.detail : this.#differenceOf(this.#outcomes((point) => derivativeAt(compiled, point))); // prettier-ignore
  }

  /** What is wrong with a program between two passes. */
  #problemOf(form: Form): string | null {
    switch (form.ir) {
      case "core": {
        const made = loadEntry({ ...this.core, program: form.program }, this.entry, "tape", false, new Passes(null));
        if (!made.ok) return "after this pass the definition does not compile any more";
        return this.#differenceOf(this.#outcomes((point) => derivativeAt(made.value, point)));
      }
      case "flat":
        return this.#problemOfFlat(form.program, {});
      case "stores": {
        const { flat, active } = form.program;
        const ofActive = [...active.procedures.values()].map(({ procedure }) => procedure);
        const program = { ...withStoresAlone(form.program), procedures: [...flat.procedures, ...ofActive] };
        const hasStore = (param: Var): boolean => active.storeOf(param) !== null;
        return this.#problemOfFlat(program, { hasStore });
      }
      case "function":
      case "module":
        return null;
    }
  }

  /** What is wrong with a flat program: its values say so, taken for numbers that are known from what they have the derivative of, too. */
  #problemOfFlat(program: Program, options: RunOptions): string | null {
    const { entry, result } = this.definition;
    const all = (known: "value" | "from"): readonly Outcome[] =>
      this.#outcomes((point) => {
        const value = runFlat(program, entry, point, entry.result, { ...options, known, budget: mostSteps });
        return { value: realsOf(value, result), gradient: null };
      });
    return this.#differenceOf(all("value")) ?? this.#differenceOf(all("from"));
  }

  #outcomes(run: (point: readonly unknown[]) => Numbers): readonly Outcome[] {
    return this.points.map((point) => {
      try {
        return this.limited(() => run(point));
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) };
      }
    });
  }

  #differenceOf(found: readonly Outcome[]): string | null {
    for (const [index, got] of found.entries()) {
      const wanted = this.#wanted[index];
      if (wanted === undefined) continue;
      if ("error" in got || "error" in wanted) {
        if ("error" in got && "error" in wanted) continue;
        return `after this pass ${told(got)}, not ${told(wanted)}`;
      }
      const difference =
        differenceIn("value", got.value, wanted.value, 0) ??
        differenceIn("gradient", got.gradient, wanted.gradient, rounding * largestOf(wanted.value));
      if (difference !== null) return `after this pass ${difference}`;
    }
    return null;
  }
}

/** The first item with which something is wrong, found by halving: what is wrong once is so from then on. Null where nothing is wrong with the last one. */
function firstWrong<T>(
  items: readonly T[],
  problemOf: (item: T) => string | null,
): { readonly item: T; readonly problem: string } | null {
  let [right, end] = [0, items.length];
  let found: { readonly item: T; readonly problem: string } | null = null;
  for (let place = end - 1; right < end; place = Math.floor((right + end) / 2)) {
    const item = items[place];
    if (item === undefined) break;
    const problem = problemOf(item);
    if (problem === null) right = place + 1;
    else [end, found] = [place, { item, problem }];
  }
  return found;
}

/** Value and gradient, the latter of the result's reals weighted as always. */
function derivativeAt(definition: Callable, point: readonly unknown[]): Numbers {
  const { value, pull } = differentiate(definition, point);
  const reals = realsOf(value, definition.result);
  const gradient = pull(testWeights(reals.length));
  return { value: reals, gradient: definition.params.flatMap(({ name, type }) => realsOf(gradient[name], type)) };
}

function told(outcome: Outcome): string {
  return "error" in outcome ? `it fails (${outcome.error})` : "it gives a value";
}

/** `slack`: what numbers may differ by, however small they are. */
function differenceIn(
  what: string,
  got: readonly number[] | null,
  wanted: readonly number[] | null,
  slack: number,
): string | null {
  if (got === null || wanted === null) return null;
  if (got.length !== wanted.length) return `the ${what} has ${got.length} numbers, not ${wanted.length}`;
  const least = Math.max(slack, besideLargest * largestOf(wanted));
  const place = got.findIndex((x, i) => {
    const other = wanted[i] ?? NaN;
    return (
      !Object.is(x, other) && x !== other && !(Math.abs(x - other) <= Math.max(least, tolerance * Math.abs(other)))
    );
  });
  if (place === -1) return null;
  const number = got.length === 1 ? `the ${what}` : `number ${place} of the ${what}`;
  return `${number} is ${String(got[place])}, not ${String(wanted[place])}`;
}
