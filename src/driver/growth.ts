// How costs grow: the growth that fits counts clearly better than all others, if one does.

type Shape = (n: number) => number;

const one: Shape = () => 1;
const same: Shape = (n) => n;
const log: Shape = (n) => Math.log(Math.max(n, 1));

/** The bases of recursions that call themselves once and a half, as Fibonacci's, twice, three and four times. */
const bases = [1.5, (1 + Math.sqrt(5)) / 2, 2, 3, 4];

/** The growths that are told apart, the slowest first: a count is a sum of multiples of one of the lists of shapes. */
const growths: readonly { readonly name: Growth; readonly shapes: readonly (readonly Shape[])[] }[] = [
  { name: "constant", shapes: [[one]] },
  { name: "log n", shapes: [[one, log]] },
  { name: "sqrt n", shapes: [[one, Math.sqrt]] },
  { name: "linear", shapes: [[one, same]] },
  { name: "n log n", shapes: [[one, same, (n) => n * log(n)]] },
  { name: "quadratic", shapes: [[one, same, (n) => n * n]] },
  { name: "n^2 log n", shapes: [[one, same, (n) => n * n, (n) => n * n * log(n)]] },
  { name: "cubic", shapes: [[one, same, (n) => n * n, (n) => n * n * n]] },
  { name: "exponential", shapes: bases.map((base) => [one, same, (n) => base ** n]) },
];

/** Of counts that several growths fit about as well the growth is undecided. */
export type Growth = "constant" | "log n" | "sqrt n" | "linear" | "n log n" | "quadratic" | "n^2 log n" | "cubic" | "exponential" | "undecided" | "not enough sizes"; // prettier-ignore

/** What is needed to tell growths apart. */
const fewest = 4;

/** Errors that leave nothing for a faster growth to explain. */
const exact = 0.005;

/** Errors of a growth that does not fit, even where the others fit worse. */
const most = 0.07;

/** By what factor the errors of a growth have to be less than those of a slower one, of the exponential one, and than those of a faster one. */
const [overSlower, ofExponential, overFaster] = [2, 5, 1.5];

interface Fit {
  readonly name: Growth;
  readonly error: number;
}

/** The growth of counts over sizes: the one with clearly less relative error than any other. */
export function growthOf(given: readonly number[], counted: readonly number[]): Growth {
  const sizes = [...new Set(given)].sort((one, other) => one - other);
  const counts = sizes.map((size) => counted[given.indexOf(size)] ?? NaN);
  if (sizes.length < fewest) return "not enough sizes";
  const fits = growths.map(({ name, shapes }): Fit => {
    const isExcluded =
      (name === "exponential" && !isSteady(sizes, counts)) ||
      ((name === "cubic" || name === "n^2 log n") && lastPower(sizes, counts) < 1.5);
    return { name, error: isExcluded ? Infinity : Math.min(...shapes.map((basis) => errorOf(basis, sizes, counts))) };
  });
  // Of few sizes an exponential growth fits many, since its base is chosen, too
  const mostOf = ({ name }: Fit): number => (name === "exponential" ? Math.min(most, (sizes.length - fewest + 1) * exact) : most); // prettier-ignore
  const decided = fits.find((fit, i) => fit.error <= mostOf(fit) && fits.every((other, j) => i === j || (i < j ? isPlainer(fit, other) : explainsMore(fit, other)))); // prettier-ignore
  return decided?.name ?? "undecided";
}

/** Whether a growth is the better one of it and a faster one. */
function isPlainer(fit: Fit, faster: Fit): boolean {
  // Sums of the faster ones have these as parts
  const isPart = fit.name === "constant" || fit.name === "linear" || (fit.name === "quadratic" && (faster.name === "cubic" || faster.name === "n^2 log n")); // prettier-ignore
  return (isPart && fit.error <= Math.max(exact, faster.error)) || fit.error * overFaster <= faster.error;
}

/** Whether a growth is the better one of it and a slower one. */
function explainsMore(fit: Fit, slower: Fit): boolean {
  return fit.error * (fit.name === "exponential" ? ofExponential : overSlower) < slower.error;
}

/** Whether the last two factors by which counts grow for one more are about the same, or the last one is larger: those of powers fall. */
function isSteady(sizes: readonly number[], counts: readonly number[]): boolean {
  const factors = sizes.slice(1).map((n, i) => ((counts[i + 1] ?? NaN) / (counts[i] ?? NaN)) ** (1 / (n - (sizes[i] ?? NaN)))); // prettier-ignore
  const [before = NaN, last = NaN] = factors.slice(-2);
  return last - 1 >= 0.9 * (before - 1);
}

/** The power of the size by which counts grow between the last two sizes. */
function lastPower(sizes: readonly number[], counts: readonly number[]): number {
  const rise = (values: readonly number[]): number => Math.log((values.at(-1) ?? NaN) / (values.at(-2) ?? NaN));
  return rise(counts) / rise(sizes);
}

/** The root of the mean squared relative error of the best sum of multiples of shapes, for each size that is not needed to find them; infinite where the last shape would have to fall. */
function errorOf(basis: readonly Shape[], sizes: readonly number[], counts: readonly number[]): number {
  // Each row divided by its count: errors are relative
  const rows = sizes.map((n, i) => basis.map((shape) => shape(n) / (counts[i] ?? NaN)));
  const coefficients = leastSquares(rows);
  const last = coefficients.at(-1) ?? 0;
  if (!(last > 0)) return Infinity;
  const errors = rows.map((row) => row.reduce((sum, value, k) => sum + value * (coefficients[k] ?? 0), 0) - 1);
  const free = errors.length - basis.length;
  return free > 0 ? Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / free) : Infinity;
}

/** The coefficients for which the rows give 1 best: by the normal equations, of at most four unknowns. */
function leastSquares(rows: readonly (readonly number[])[]): readonly number[] {
  const width = rows[0]?.length ?? 0;
  const column = (k: number): readonly number[] => rows.map((row) => row[k] ?? 0);
  const target = rows.map(() => 1);
  const columns = Array.from({ length: width }, (_, k) => column(k));
  return solve(columns.map((one) => [...columns.map((other) => dot(one, other)), dot(one, target)]));
}

/** The solution of linear equations, each its coefficients and then its right side: elimination of the first unknown, by the equation where it counts most. */
function solve(equations: readonly (readonly number[])[]): readonly number[] {
  const [pivot, ...others] = [...equations].sort((one, other) => Math.abs(other[0] ?? 0) - Math.abs(one[0] ?? 0));
  if (pivot === undefined) return [];
  const [first = 0, ...rest] = pivot;
  const reduced = others.map(([own = 0, ...parts]) => parts.map((part, i) => part - (own / first) * (rest[i] ?? 0)));
  const solved = solve(reduced);
  const known = solved.reduce((sum, value, i) => sum + value * (rest[i] ?? 0), 0);
  return [((rest.at(-1) ?? 0) - known) / first, ...solved];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
