// What every stage is: a transformation of programs, the interface its figure assumes, and how both are written in TypeScript.

import type * as Source from "../core/term.js";
import type * as Target from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import type { TsType } from "../typescript/tree.js";
import type { Abbreviation, MonadNotation } from "../target-calculus/print-type.js";
import type { Names } from "../core/names.js";

export type StageName =
  | "primal" | "forward" | "delta-vector" | "delta" | "delta-let" | "delta-let-array"
  | "d1" | "d2" | "d3" | "d3-map" | "d4" | "d4-one-array" | "contrib" | "tape" | "parallel"; // prettier-ignore

/** What a stage's wrappers compute. */
export type Mode = "primal" | "reverse" | "forward";

/** How a type of the stage's interface is written in TypeScript, and the runtime declaration (`file.name`) it comes from, if any. */
export interface OpaqueType {
  readonly type: TsType;
  readonly runtime: string | null;
}

/**
 * A monoid of the target calculus: `zero` is a constant and `plus` a function of the runtime, as `file.name`; so is `sum`, which takes the
 * number of terms and a function from 0, 1, .. to them, for the term of the same name.
 */
export interface Monoid {
  readonly type: Type;
  readonly zero: string;
  readonly plus: string;
  readonly sum: string;
  /** As the figure writes them: `0Staged` and `+Staged`. */
  readonly symbols: { readonly zero: string; readonly plus: string };
}

export interface Stage {
  readonly name: StageName;
  /** One line, with the figure: what the stage is. */
  readonly title: string;
  /** One or two sentences for `dualrev steps`: what changed against the stage before, and why. */
  readonly change: string;
  readonly mode: Mode;
  /** Suffix of transformed definitions and data types in TypeScript: `sum` becomes `sumD1`; "" for `primal`. */
  readonly suffix: string;
  /** What in the type `D[R]` depends on the type of the program's input, so that definitions cannot be transformed apart from it (KR22 §8.1); null: nothing. */
  readonly ofInput: string | null;
  /** Whether emitted code must recurse as deep as memory allows, beyond the JavaScript stack. */
  readonly deep: boolean;
  /**
   * Whether a pullback reads nothing of the arguments' own memory but parts without a real, which a dual value may pass on: what else it needs it
   * has copied before.
   */
  readonly ownsInput: boolean;
  /** The stage's interface box: operations by name. */
  readonly operations: ReadonlyMap<string, Target.Operation>;
  readonly opaqueTypes: ReadonlyMap<string, OpaqueType>;
  readonly monoids: readonly Monoid[];
  /** Whether the figure writes the stage's monad out as passing an ID along. */
  readonly monad: MonadNotation;
  /**
   * Where computations are tasks, which a scheduler may interrupt: generators in TypeScript, and the declarations of the runtime (`file.name`) that
   * fork them, that are their type, and that have them take turns by a seed.
   */
  readonly tasks?: {
    readonly fork: string;
    readonly forkEach: string;
    readonly computation: string;
    readonly schedule: string;
  };
  /** `D[R]`, by the name that the figure gives it; null where the stage leaves R alone. */
  readonly dual: Abbreviation | null;
  /** The transformation. `names` makes fresh names. */
  transform(program: Source.Program, names: Names): Target.Program;
}
