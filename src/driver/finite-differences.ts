// Derivatives by finite differences: what `dualrev grad --check` and the tests compare gradients with.

/** A gradient, and an estimate of the error of each entry. */
export interface Differences {
  readonly gradient: readonly number[];
  readonly errors: readonly number[];
}

/**
 * The gradient of `f` at a point by central differences whose step shrinks, extrapolated to step 0 (Ridders 1982). About
 * 20 evaluations of `f` for each number of the point.
 */
export function finiteDifferences(f: (point: readonly number[]) => number, at: readonly number[]): Differences {
  const gradient: number[] = [];
  const errors: number[] = [];
  at.forEach((center, index) => {
    const along = (x: number): number => f(at.with(index, x));
    const { derivative, error } = ridders(along, center);
    gradient.push(derivative);
    errors.push(error);
  });
  return { gradient, errors };
}

const shrink = 1.6;
const rows = 12;

function ridders(f: (x: number) => number, center: number): { derivative: number; error: number } {
  let best = { derivative: NaN, error: Infinity };
  const start = 0.02 * Math.max(1, Math.abs(center));
  let last: readonly number[] = [];
  for (let row = 0; row < rows; row += 1) {
    const step = start / shrink ** row;
    const [high, low] = [center + step, center - step];
    const [above, below] = [f(high), f(low)];
    const current = [(above - below) / (high - low)];
    // What rounding alone does to the difference
    const rounding = (Number.EPSILON * (Math.abs(above) + Math.abs(below))) / (high - low);
    let factor = shrink * shrink;
    for (const [order, before] of last.entries()) {
      const coarse = current[order] ?? NaN;
      const finer = (coarse * factor - before) / (factor - 1);
      factor *= shrink * shrink;
      const error = Math.max(Math.abs(finer - coarse), Math.abs(finer - before)) + rounding;
      current.push(finer);
      if (error <= best.error) best = { derivative: finer, error };
    }
    last = current;
  }
  return best;
}

/** An entry in which two gradients differ. */
export interface Disagreement {
  /** Its position in the gradients. */
  readonly index: number;
  readonly exact: number;
  readonly differences: number;
}

/**
 * The entries in which a gradient differs from finite differences by more than `tolerance`, relative to the largest entry of either, and
 * by more than the differences' own error allows. Entries that finite differences cannot tell (NaN, infinite) are left out where the error says so.
 */
export function compareGradients(
  exact: readonly number[],
  differences: Differences,
  tolerance = 1e-6,
): readonly Disagreement[] {
  const finite = [...exact, ...differences.gradient].filter(Number.isFinite).map(Math.abs);
  const largest = finite.reduce((a, b) => Math.max(a, b), 0);
  return exact.flatMap((entry, index) => {
    const approximate = differences.gradient[index] ?? NaN;
    const error = differences.errors[index] ?? Infinity;
    const agree =
      Object.is(entry, approximate) ||
      Math.abs(entry - approximate) <= tolerance * largest + 10 * error ||
      (!Number.isFinite(entry) && !Number.isFinite(error));
    return agree ? [] : [{ index, exact: entry, differences: approximate }];
  });
}

/** Numbers in [-1, 1] that look random and are always the same: what a result that is not a scalar is contracted with. */
export function testWeights(count: number): readonly number[] {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return (2 * state) / 2 ** 32 - 1;
  });
}

/** The sum of products. */
export function contract(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, entry, index) => sum + entry * (right[index] ?? 0), 0);
}
