// L-BFGS: Nocedal & Wright, Numerical Optimization, algorithms 7.4 and 7.5, with a backtracking line search.

import { numbersOf, withNumbers } from "./numbers.js";

export interface Minimum<T> {
  readonly at: T;
  readonly value: number;
  /** The largest entry of the gradient. */
  readonly slope: number;
  readonly iterations: number;
}

export interface MinimizeOptions {
  /** The slope to stop at. */
  readonly tolerance: number;
  readonly iterations: number;
}

/** How many earlier steps are remembered. */
const memory = 10;

interface Place {
  readonly numbers: readonly number[];
  readonly value: number;
  readonly gradient: readonly number[];
}

interface Step {
  readonly step: readonly number[];
  /** By how much the gradient changed. */
  readonly change: readonly number[];
}

export interface Evaluation<T> {
  readonly value: number;
  readonly gradient: T;
}

/** A local minimum of a function of records and arrays, from its value and gradient. Stops early where no step makes the value smaller. */
export function minimize<T>(start: T, evaluate: (at: T) => Evaluation<T>, options: MinimizeOptions): Minimum<T> {
  const search = points(start, options);
  let next = search.next();
  while (next.done !== true) next = search.next(evaluate(next.value));
  return next.value;
}

/** The same of a function that is evaluated elsewhere. */
export async function minimizeElsewhere<T>(
  start: T,
  evaluate: (at: T) => Promise<Evaluation<T>>,
  options: MinimizeOptions,
): Promise<Minimum<T>> {
  const search = points(start, options);
  let next = search.next();
  while (next.done !== true) next = search.next(await evaluate(next.value));
  return next.value;
}

/** Gives the points where it wants value and gradient, and takes these; returns the minimum. */
function* points<T>(start: T, { tolerance, iterations }: MinimizeOptions): Generator<T, Minimum<T>, Evaluation<T>> {
  function* at(numbers: readonly number[]): Generator<T, Place, Evaluation<T>> {
    const { value, gradient } = yield withNumbers(start, numbers);
    return { numbers, value, gradient: numbersOf(gradient) };
  }
  let here = yield* at(numbersOf(start));
  let steps: Step[] = [];
  let iteration = 0;
  for (; iteration < iterations && largest(here.gradient) > tolerance; iteration++) {
    const direction = descent(here.gradient, steps);
    const slope = dot(direction, here.gradient);
    let length = steps.length === 0 ? Math.min(1, 1 / largest(here.gradient)) : 1;
    let there = yield* at(along(here.numbers, length, direction));
    while (!(there.value <= here.value + 1e-4 * length * slope) && length > 1e-10) {
      length /= 2;
      there = yield* at(along(here.numbers, length, direction));
    }
    if (!(there.value < here.value)) {
      if (steps.length === 0) break;
      steps = [];
      continue;
    }
    const step = along(there.numbers, -1, here.numbers);
    const change = along(there.gradient, -1, here.gradient);
    if (dot(step, change) > 0) steps = [...steps.slice(1 - memory), { step, change }];
    here = there;
  }
  return {
    at: withNumbers(start, here.numbers),
    value: here.value,
    slope: largest(here.gradient),
    iterations: iteration,
  };
}

/** Minus the gradient times the inverse of the Hessian, as far as earlier steps show it. */
function descent(gradient: readonly number[], steps: readonly Step[]): readonly number[] {
  let q = gradient;
  const shares = steps.toReversed().map(({ step, change }) => {
    const share = dot(step, q) / dot(step, change);
    q = along(q, -share, change);
    return share;
  });
  const last = steps.at(-1);
  if (last !== undefined) q = scaled(dot(last.step, last.change) / dot(last.change, last.change), q);
  steps.forEach(({ step, change }, i) => {
    q = along(q, (shares.at(-1 - i) ?? 0) - dot(change, q) / dot(step, change), step);
  });
  return scaled(-1, q);
}

function dot(x: readonly number[], y: readonly number[]): number {
  return x.reduce((sum, entry, i) => sum + entry * (y[i] ?? NaN), 0);
}

function scaled(factor: number, x: readonly number[]): number[] {
  return x.map((entry) => factor * entry);
}

/** `from + length * direction`. */
function along(from: readonly number[], length: number, direction: readonly number[]): number[] {
  return from.map((entry, i) => entry + length * (direction[i] ?? NaN));
}

function largest(x: readonly number[]): number {
  return x.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
}
