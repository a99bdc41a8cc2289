// What the table of primitives says of each operation: the columns, and words to fill them in with. All columns are required: a row without one does not compile.

import type { Interval } from "../intervals.js";

/** Types of operands and results: `R`, `Z` and `Bool`. */
export type Scalar = "R" | "Z" | "B";

/** A partial derivative, in terms of the operation's arguments and its result, by operations `Name`. */
export type PartialBy<Name extends string> =
  | { readonly kind: "arg"; readonly index: number }
  | { readonly kind: "result" }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "op"; readonly op: Name; readonly args: readonly PartialBy<Name>[] }
  | {
      readonly kind: "if";
      readonly cond: PartialBy<Name>;
      readonly then: PartialBy<Name>;
      readonly else: PartialBy<Name>;
    };

/** How an operation is written in TypeScript. */
export type Spelling =
  | {
      readonly kind: "infix";
      readonly operator: "+" | "-" | "*" | "/" | "%" | ">>" | "===" | "!==" | "<" | "<=" | ">" | ">=" | "&&" | "||";
    }
  | { readonly kind: "prefix"; readonly operator: "-" }
  | { readonly kind: "same" }
  | { readonly kind: "math"; readonly fn: string }
  /** `fn` of the runtime's `file`. */
  | { readonly kind: "runtime"; readonly file: "numbers" | "debug"; readonly fn: string };

/**
 * Where the arguments are finite, a partial derivative may be infinite or NaN: at a `pole` the value is, too; a `slope` may be infinite where the value is
 * finite, as that of the square root at 0.
 */
export type Singularity = "pole" | "slope";

/** The arguments of an operation as far as they are literals. */
export type Literals = readonly (number | null)[];

/** Whether the result may be finite where this argument is infinite: then the partial derivative is zero there, and what is infinite comes to nothing. */
export type Absorption = (literals: Literals) => boolean;

/** Between which numbers the result is. `isSame`: the first two arguments are one number. */
export type Range = (args: {
  readonly x: Interval;
  readonly y: Interval;
  readonly z: Interval;
  readonly isSame: boolean;
}) => Interval;

/** An equation that holds to the last bit, for infinities, NaN and -0 too; `x + 0 = x` does not, at -0. */
export type Law =
  /** `op x unit = x`, or `op unit x = x`. */
  | { readonly kind: "unit"; readonly unit: number; readonly at: "left" | "right" }
  /** `op (op x) = x`. */
  | { readonly kind: "involution" }
  /** `op x x = x`. */
  | { readonly kind: "idempotent" }
  /** `op x x` is this. */
  | { readonly kind: "constant"; readonly value: boolean };

/** What a literal stands for. */
export type LiteralValue = number | boolean;

interface Typed<P extends readonly Scalar[], R extends Scalar, Source> {
  /** What programs call it, by the type of its first operand where several share a name; null where they cannot name it. */
  readonly source: Source;
  readonly params: P;
  readonly result: R;
}

interface Columns<P extends readonly Scalar[], R extends Scalar, Name extends string> {
  /** As the paper and `dualrev steps` write it: an operator, or a function's name. */
  readonly notation: string;
  readonly typescript: Spelling;
  /** Whether it may end in an error; it takes where it stands as a last argument then. */
  readonly mayFail: boolean;
  /** In additions, what it costs to compute it again; infinite where that costs more than to save it. */
  readonly cost: number | ((literals: Literals) => number);
  readonly singular: Singularity | null;
  /** One for each parameter: null where the parameter or the result is not of type R. */
  readonly absorbs: ForReals<P, R, Absorption>;
  /** Null of truth values. */
  readonly range: R extends "B" ? null : Range;
  /** The value for literals, `NaN` where it is left to the run; null where engines may give other digits than this one. */
  readonly onLiterals: ((x: number, y: number) => LiteralValue) | null;
  readonly laws: readonly Law[];
  /** By parameter where it is smooth, and neither it nor its derivatives are large: from there random programs and tests take arguments. Null of truth values. */
  readonly domain: { readonly [I in keyof P]: P[I] extends "B" ? null : readonly [low: number, high: number] };
  /** One for each parameter: null where the parameter or the result is not of type R. */
  readonly partials: readonly (PartialBy<Name> | null)[];
}

type ForReals<P extends readonly Scalar[], R extends Scalar, T> = {
  readonly [I in keyof P]: P[I] extends "R" ? (R extends "R" ? T : null) : null;
};

/** A row whose partial derivatives are made of the operations `Name`. */
export type Row<P extends readonly Scalar[], R extends Scalar, Source, Name extends string> = Typed<P, R, Source> &
  Columns<P, R, Name>;

/** Any row. */
export interface AnyRow<Name extends string> extends Typed<readonly Scalar[], Scalar, string | null> {
  readonly notation: string;
  readonly typescript: Spelling;
  readonly mayFail: boolean;
  readonly cost: number | ((literals: Literals) => number);
  readonly singular: Singularity | null;
  readonly absorbs: readonly (Absorption | null)[];
  readonly range: Range | null;
  readonly onLiterals: ((x: number, y: number) => LiteralValue) | null;
  readonly laws: readonly Law[];
  readonly domain: readonly (readonly [low: number, high: number] | null)[];
  readonly partials: readonly (PartialBy<Name> | null)[];
}

/** The row itself; it must have a partial derivative for each real that its result depends on. */
export function row<
  const P extends readonly Scalar[],
  const R extends Scalar,
  const Source extends string | null,
  const Name extends string = never,
>(
  columns: Row<P, R, Source, Name> & { readonly partials: ForReals<P, R, PartialBy<string>> },
): Row<P, R, Source, Name> {
  return columns;
}

// Partial derivatives

export const x: PartialBy<never> = { kind: "arg", index: 0 };
export const y: PartialBy<never> = { kind: "arg", index: 1 };
export const z: PartialBy<never> = { kind: "arg", index: 2 };
export const result: PartialBy<never> = { kind: "result" };

export function k(value: number): PartialBy<never> {
  return { kind: "number", value };
}

export function op<const Name extends string, Inner extends string = never>(
  name: Name,
  ...args: readonly PartialBy<Inner>[]
): PartialBy<Name | Inner> {
  return { kind: "op", op: name, args };
}

export function when<Name extends string>(
  cond: PartialBy<Name>,
  then: PartialBy<Name>,
  otherwise: PartialBy<Name>,
): PartialBy<Name> {
  return { kind: "if", cond, then, else: otherwise };
}

// Spellings

export const infix = (operator: Extract<Spelling, { kind: "infix" }>["operator"]): Spelling => ({
  kind: "infix",
  operator,
});
export const minus: Spelling = { kind: "prefix", operator: "-" };
export const same: Spelling = { kind: "same" };
export const math = (fn: string): Spelling => ({ kind: "math", fn });
export const runtime = (fn: string, file: "numbers" | "debug" = "numbers"): Spelling => ({ kind: "runtime", file, fn });

// Absorption

export const yes: Absorption = () => true;
export const no: Absorption = () => false;

// Laws

export const unitLeft = (unit: number): Law => ({ kind: "unit", unit, at: "left" });
export const unitRight = (unit: number): Law => ({ kind: "unit", unit, at: "right" });
