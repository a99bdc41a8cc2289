// Reals that carry their derivatives with respect to every input.

export interface Real {
  readonly value: number;
  /** An empty gradient stands for zeros. */
  readonly gradient: readonly number[];
  /** The sums of the absolute values of the products along all paths: what rounding errors of the gradient are relative to. */
  readonly partials: readonly number[];
  /** Calls that D1's backpropagator of this real makes, itself included. */
  readonly calls: number;
  /** What it was computed from; none of a literal and of an input. */
  readonly operands: readonly Real[];
}

export function literal(value: number): Real {
  return { value, gradient: [], partials: [], calls: 1, operands: [] };
}

/** The value of an operation, from its arguments and its partial derivatives there. */
export function operation(value: number, args: readonly (readonly [arg: Real, partial: number])[]): Real {
  const length = Math.max(0, ...args.map(([arg]) => arg.gradient.length));
  const combine = (part: (arg: Real, partial: number, k: number) => number): readonly number[] =>
    Array.from({ length }, (_, k) => args.reduce((sum, [arg, partial]) => sum + part(arg, partial, k), 0));
  return {
    value,
    gradient: combine((arg, partial, k) => times(partial, arg.gradient[k] ?? 0)),
    partials: combine((arg, partial, k) => times(Math.abs(partial), arg.partials[k] ?? 0)),
    calls: args.reduce((sum, [arg]) => sum + arg.calls, 1),
    operands: args.map(([arg]) => arg),
  };
}

/** How many operations on inputs some reals have come from. */
export function operationsBehind(reals: readonly Real[]): number {
  const seen = new Set<Real>();
  const waiting = [...reals];
  for (let real = waiting.pop(); real !== undefined; real = waiting.pop()) {
    if (seen.has(real) || real.gradient.length === 0 || real.operands.length === 0) continue;
    seen.add(real);
    waiting.push(...real.operands);
  }
  return seen.size;
}

/** What does not contribute gives 0, whatever the other factor is. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/**
 * How far the inputs have to move, at least and to first order, until the difference of two reals changes sign; infinite where they do not
 * depend on the inputs or are one.
 */
export function distance(a: Real, b: Real, gap = Math.abs(a.value - b.value)): number {
  if (a === b || Number.isNaN(gap)) return Infinity;
  const length = Math.max(a.gradient.length, b.gradient.length);
  const same = Array.from({ length }, (_, k) => (a.gradient[k] ?? 0) === (b.gradient[k] ?? 0)).every((equal) => equal);
  if (gap === 0 && same) return Infinity;
  const reach = Math.max(0, ...Array.from({ length }, (_, k) => (a.partials[k] ?? 0) + (b.partials[k] ?? 0)));
  return reach === 0 ? Infinity : gap / reach;
}
