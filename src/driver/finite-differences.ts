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
export function finiteDifferences(f: Scalar, at: readonly number[]): Differences {
  const entries = at.map((_, index) => differenceAt(f, at, index, 1));
  return { gradient: entries.map(({ derivative }) => derivative), errors: entries.map(({ error }) => error) };
}

type Scalar = (point: readonly number[]) => number;

/** The derivative by one number of the point; the first step is `scale` times the usual one. */
function differenceAt(f: Scalar, at: readonly number[], index: number, scale: number): Difference {
  return ridders((x) => f(at.with(index, x)), at[index] ?? NaN, scale);
}

interface Difference {
  readonly derivative: number;
  readonly error: number;
}

const shrink = 1.6;
const rows = 12;

/** No step from a small number goes to the other side of 0, where the function may be another one, or none; from next to nothing it does, or rounding would be all. */
function firstStep(size: number): number {
  const usual = 0.02 * Math.max(1, size);
  return size === 0 ? usual : Math.min(usual, Math.max(0.5 * size, 1e-5));
}

function ridders(f: (x: number) => number, center: number, scale: number): Difference {
  let best = { derivative: NaN, error: Infinity };
  const start = scale * firstStep(Math.abs(center));
  let last: readonly number[] = [];
  let isFlat = true;
  for (let row = 0; row < rows; row += 1) {
    const step = start / shrink ** row;
    const [high, low] = [center + step, center - step];
    const [above, below] = [f(high), f(low)];
    if (above !== below) isFlat = false;
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
  // What is rounded away on the way to a value, as in 1 - tanh 40, does not show in it
  return isFlat ? { ...best, error: Math.max(best.error, Number.EPSILON) } : best;
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
  size = 0,
): readonly Disagreement[] {
  const slack = tolerance * Math.max(size, largestOf([...exact, ...differences.gradient]));
  return exact.flatMap((entry, index) => {
    const derivative = differences.gradient[index] ?? NaN;
    const error = differences.errors[index] ?? Infinity;
    return agree(entry, { derivative, error }, slack) ? [] : [{ index, exact: entry, differences: derivative }];
  });
}

function agree(exact: number, { derivative, error }: Difference, slack: number): boolean {
  return (
    Object.is(exact, derivative) ||
    Math.abs(exact - derivative) <= slack + 10 * error ||
    (!Number.isFinite(exact) && !Number.isFinite(error))
  );
}

/** The largest absolute value of some numbers that is finite; 0 of none. */
export function largestOf(numbers: readonly number[]): number {
  return numbers.filter(Number.isFinite).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}

/** What shorter steps begin with: a function that changes fast needs them, though rounding weighs more there. */
const shorter = [2 ** -4, 2 ** -8, 2 ** -12, 2 ** -16];

/**
 * The entries in which a gradient of `f` differs from finite differences, as `compareGradients` says, also of shorter steps. Those count whose error is far less
 * than what the first ones differ by.
 */
export function disagreements(
  f: Scalar,
  at: readonly number[],
  exact: readonly number[],
  tolerance = 1e-6,
): readonly Disagreement[] {
  return disagreementsOf((index, scale) => differenceAt(f, at, index, scale), exact, tolerance, 0);
}

type Curve = (t: number) => readonly number[];

/** The same for the derivative of a curve at `center`, an entry for each of its numbers; `size` is what they are small or large beside. */
export function disagreementsAlong(
  curve: Curve,
  center: number,
  exact: readonly number[],
  size: number,
): readonly Disagreement[] {
  const known = new Map<number, readonly number[]>();
  const at = (t: number): readonly number[] => {
    const point = known.get(t) ?? curve(t);
    known.set(t, point);
    return point;
  };
  return disagreementsOf((index, scale) => ridders((t) => at(t)[index] ?? NaN, center, scale), exact, 1e-6, size);
}

function disagreementsOf(
  difference: (index: number, scale: number) => Difference,
  exact: readonly number[],
  tolerance: number,
  size: number,
): readonly Disagreement[] {
  const entries = exact.map((_, index) => difference(index, 1));
  const all = { gradient: entries.map(({ derivative }) => derivative), errors: entries.map(({ error }) => error) };
  const slack = tolerance * Math.max(size, largestOf(exact));
  return compareGradients(exact, all, tolerance, size).filter(({ index, exact: entry, differences }) => {
    const far = Math.abs(entry - differences);
    return !shorter.some((scale) => {
      const shorterOne = difference(index, scale);
      return 1e4 * shorterOne.error <= far && agree(entry, shorterOne, slack);
    });
  });
}

/** What explains disagreements in a program with `stopGradient`, as a further line; none where there are none. */
export function stopsLine(lines: readonly string[], stops: readonly string[]): readonly string[] {
  if (lines.length === 0 || stops.length === 0) return [];
  return [`finite differences do not stop at \`stopGradient\`, which is at ${stops.join(", ")}`];
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
