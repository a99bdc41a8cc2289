// Between which numbers a real is: what may overflow, and what cannot. Inputs are taken to be of moderate size, and so are sums and products of what is;
// exponentials, powers, quotients and logarithms may be infinite.

/** The numbers from one to another, both included; an infinite bound says that the number may be infinite, or NaN. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Stands for any number of moderate size: the product of two is still finite. */
export const huge = 1e150;
/** What is beyond this is of moderate size, but nothing more is known of it. */
export const exact = 1e100;
/** A number that is not 0 is no closer to it: its reciprocal is of moderate size. */
const least = 1 / exact;
/** A power with a higher exponent may overflow. */
const highestExponent = 8;

export const moderate: Interval = { low: -huge, high: huge };
export const positive: Interval = { low: 1, high: huge };
export const natural: Interval = { low: 0, high: huge };
export const any: Interval = { low: -Infinity, high: Infinity };
export const unit: Interval = { low: -1, high: 1 };
export const angle: Interval = { low: -Math.PI, high: Math.PI };

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
export function mayBeNaN({ low, high }: Interval): boolean {
  return low === -Infinity && high === Infinity;
}

export function union(a: Interval, b: Interval): Interval {
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
export function between(low: number, high: number): Interval {
  return { low: Number.isNaN(low) ? -Infinity : moderated(low), high: Number.isNaN(high) ? Infinity : moderated(high) };
}

function moderated(bound: number): number {
  return Number.isFinite(bound) && Math.abs(bound) > exact ? Math.sign(bound) * huge : bound;
}

/** What a function that rises gives. */
export function rising({ low, high }: Interval, f: (bound: number) => number): Interval {
  return between(f(low), f(high));
}

/** What an exponential gives: beyond what is moderate a bound is as good as infinite. */
export function growing(x: Interval, f: (bound: number) => number): Interval {
  const [low, high] = [f(x.low), f(x.high)];
  return between(low < -huge ? -Infinity : Math.min(low, huge), high > huge ? Infinity : Math.max(high, -huge));
}

export function sum(x: Interval, y: Interval): Interval {
  return between(x.low + y.low, x.high + y.high);
}

export function shifted({ low, high }: Interval, by: number): Interval {
  return between(low + by, high + by);
}

export function absolute({ low, high }: Interval): Interval {
  return between(Math.max(0, low, -high), Math.max(-low, high));
}

/** `sqrt (x ^ 2 + y ^ 2)`. */
export function length(x: Interval, y: Interval): Interval {
  const [a, b] = [absolute(x), absolute(y)];
  return between(Math.hypot(a.low, b.low), Math.hypot(a.high, b.high));
}

/** `log x`. */
export function logarithm(x: Interval): Interval {
  return rising(x, (bound) => Math.log(Math.max(bound, 0)));
}

export function square({ low, high }: Interval): Interval {
  const least = low <= 0 && high >= 0 ? 0 : Math.min(low * low, high * high);
  return between(least, Math.max(low * low, high * high));
}

export function product(x: Interval, y: Interval): Interval {
  // Zero times what is infinite is no number
  const mayBeNone = (mayBeInfinite(x) && mayBeZero(y)) || (mayBeInfinite(y) && mayBeZero(x));
  if (mayBeNone) return any;
  const bounds = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high];
  return between(Math.min(...bounds), Math.max(...bounds));
}

export function quotient(x: Interval, y: Interval): Interval {
  if (y.low > 0 || y.high < 0) return product(x, between(1 / y.high, 1 / y.low));
  if (y.low < 0 || x.low < 0) return any;
  return between(0, Infinity);
}

/** x ^ y. */
export function power(x: Interval, y: Interval): Interval {
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
