// Between which numbers a real is: what may overflow, and what cannot. Inputs are taken to be of moderate size, and so are sums and products of what is;
// exponentials, powers, quotients and logarithms may be infinite.

import { type OpName, type Partial } from "./primitives.js";

/** The numbers from one to another, both included; an infinite bound says that the number may be infinite, or NaN. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Stands for any number of moderate size: the product of two is still finite. */
const huge = 1e150;
/** What is beyond this is of moderate size, but nothing more is known of it. */
const exact = 1e100;
/** A number that is not 0 is no closer to it: its reciprocal is of moderate size. */
const least = 1 / exact;
/** A power with a higher exponent may overflow. */
const highestExponent = 8;

export const moderate: Interval = { low: -huge, high: huge };
export const positive: Interval = { low: 1, high: huge };
export const natural: Interval = { low: 0, high: huge };
const any: Interval = { low: -Infinity, high: Infinity };
const unit: Interval = { low: -1, high: 1 };
const angle: Interval = { low: -Math.PI, high: Math.PI };

export function point(value: number): Interval {
  return between(value, value);
}

export function mayBeInfinite({ low, high }: Interval): boolean {
  return low === -Infinity || high === Infinity;
}

export function mayBeZero({ low, high }: Interval): boolean {
  return low <= 0 && high >= 0;
}

/** What may be infinite in either direction may be the difference of two such numbers. */
function mayBeNaN({ low, high }: Interval): boolean {
  return low === -Infinity && high === Infinity;
}

function union(a: Interval, b: Interval): Interval {
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}

/** An interval with `next` in it, whose bounds can grow a few times only. */
export function widened(old: Interval, next: Interval): Interval {
  const low = next.low >= old.low ? old.low : ([1, 0, -1, -huge].find((bound) => bound <= next.low) ?? -Infinity);
  const high = next.high <= old.high ? old.high : ([0, 1, huge].find((bound) => bound >= next.high) ?? Infinity);
  return { low, high };
}

/** What a comparison says of a number. One that does not hold says nothing of NaN. */
export type Assumption =
  | { readonly kind: "above" | "below"; readonly bound: number; readonly isStrict: boolean; readonly holds: boolean }
  | { readonly kind: "other"; readonly than: number };

/** The numbers of an interval of which an assumption holds. */
export function assuming(interval: Interval, assumption: Assumption): Interval {
  const { low, high } = interval;
  if (assumption.kind !== "other" && !assumption.holds && mayBeInfinite(interval)) return interval;
  switch (assumption.kind) {
    case "above":
      return { low: Math.max(low, assumption.bound + (assumption.isStrict ? least : 0)), high };
    case "below":
      return { low, high: Math.min(high, assumption.bound - (assumption.isStrict ? least : 0)) };
    case "other":
      return { low: low === assumption.than ? low + least : low, high: high === assumption.than ? high - least : high };
  }
}

/** Bounds that have been computed: NaN, of two infinite ones, says nothing. */
function between(low: number, high: number): Interval {
  return { low: Number.isNaN(low) ? -Infinity : moderated(low), high: Number.isNaN(high) ? Infinity : moderated(high) };
}

function moderated(bound: number): number {
  return Number.isFinite(bound) && Math.abs(bound) > exact ? Math.sign(bound) * huge : bound;
}

/** What an operation gives. `isSame`: its two arguments are one number. */
export function intervalOf(op: OpName, args: readonly Interval[], isSame: boolean): Interval {
  const [x = any, y = any, z = any] = args;
  const rising = (f: (bound: number) => number): Interval => between(f(x.low), f(x.high));
  switch (op) {
    case "add":
    case "addZ":
      return between(x.low + y.low, x.high + y.high);
    case "sub":
    case "subZ":
      return between(x.low - y.high, x.high - y.low);
    case "mul":
    case "mulZ":
      return isSame ? square(x) : product(x, y);
    case "div":
      return quotient(x, y);
    case "neg":
    case "negZ":
      return between(-x.high, -x.low);
    case "abs":
    case "absZ":
      return between(Math.max(0, x.low, -x.high), Math.max(-x.low, x.high));
    case "min":
    case "minZ":
      return between(Math.min(x.low, y.low), Math.min(x.high, y.high));
    case "max":
    case "maxZ":
      return between(Math.max(x.low, y.low), Math.max(x.high, y.high));
    case "relu":
      return rising((bound) => Math.max(bound, 0));
    case "sin":
    case "cos":
      return mayBeInfinite(x) ? any : unit;
    case "sign":
    case "tanh":
    case "erf":
      return mayBeNaN(x) ? any : unit;
    case "asin":
    case "acos":
      return x.low < -1 || x.high > 1 ? any : angle;
    case "atan":
      return mayBeNaN(x) ? any : angle;
    case "atan2":
      return mayBeNaN(x) || mayBeNaN(y) ? any : angle;
    case "sigmoid":
      return mayBeNaN(x) ? any : { low: 0, high: 1 };
    case "softplus":
      return mayBeNaN(x) ? any : between(0, Math.max(1, x.high + 1));
    case "exp":
      return rising(Math.exp);
    case "expm1":
      return rising(Math.expm1);
    case "sinh":
      return rising(Math.sinh);
    case "cosh":
      return between(1, Math.cosh(Math.max(-x.low, x.high)));
    case "log":
      return rising((bound) => Math.log(Math.max(bound, 0)));
    case "log1p":
      return rising((bound) => Math.log1p(Math.max(bound, -1)));
    case "sqrt":
      return x.low < 0 ? any : rising(Math.sqrt);
    case "pow":
    case "powInt":
      return power(x, y);
    case "powSlope":
      return union(point(0), product(y, power(x, between(y.low - 1, y.high - 1))));
    case "powRate":
      return union(point(0), product(power(x, y), intervalOf("log", [x], false)));
    case "overSquares": {
      const squares = intervalOf("add", [square(y), square(z)], false);
      return union(point(0), quotient(x, squares));
    }
    case "lgamma":
    case "digamma":
      return x.low > 0 ? between(-1 / x.low, x.high === Infinity ? Infinity : huge) : any;
    case "toReal":
      return x;
    default:
      return moderate;
  }
}

function square({ low, high }: Interval): Interval {
  const least = low <= 0 && high >= 0 ? 0 : Math.min(low * low, high * high);
  return between(least, Math.max(low * low, high * high));
}

function product(x: Interval, y: Interval): Interval {
  // Zero times what is infinite is no number
  const mayBeNone = (mayBeInfinite(x) && mayBeZero(y)) || (mayBeInfinite(y) && mayBeZero(x));
  if (mayBeNone) return any;
  const bounds = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high];
  return between(Math.min(...bounds), Math.max(...bounds));
}

function quotient(x: Interval, y: Interval): Interval {
  if (y.low > 0 || y.high < 0) return product(x, between(1 / y.high, 1 / y.low));
  if (y.low < 0 || x.low < 0) return any;
  return between(0, Infinity);
}

/** x ^ y. */
function power(x: Interval, y: Interval): Interval {
  const exponent = y.low === y.high ? y.low : null;
  const isSmall = exponent !== null && exponent > 0 && exponent <= highestExponent;
  const isEven = exponent !== null && exponent % 2 === 0;
  if (x.low < 0 && exponent !== null && !Number.isInteger(exponent)) return any;
  if (!isSmall) return x.low >= 0 || isEven ? { low: 0, high: Infinity } : any;
  const bound = raised(Math.max(Math.abs(x.low), Math.abs(x.high)), exponent);
  if (x.low >= 0) return between(raised(x.low, exponent), bound);
  return between(isEven ? 0 : -bound, bound);
}

function raised(bound: number, exponent: number): number {
  return bound === Infinity ? Infinity : Math.min(bound ** exponent, huge);
}

/** What a partial derivative is, of arguments and a result within these intervals. `isSame`: two arguments are one number. */
export function partialInterval(
  partial: Partial,
  args: readonly Interval[],
  result: Interval,
  isSame: boolean,
): Interval {
  const value = (part: Partial): Interval => partialInterval(part, args, result, isSame);
  switch (partial.kind) {
    case "arg":
      return args[partial.index] ?? any;
    case "result":
      return result;
    case "number":
      return point(partial.value);
    case "op": {
      const [left, right] = partial.args;
      const isSquare = left?.kind === "arg" && right?.kind === "arg" && (left.index === right.index || isSame);
      const values = partial.args.map(value);
      // What may be infinite may be NaN, also in a function whose values are bounded
      const isUnknown = partial.args.some((part, index) => part.kind !== "op" && mayBeInfinite(values[index] ?? any));
      return isUnknown ? any : intervalOf(partial.op, values, isSquare);
    }
    case "if":
      return union(value(partial.then), value(partial.else));
  }
}
