// How costs grow: the growth that fits counts best.

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
  { name: "exponential", shapes: bases.map((base) => [one, same, (n) => base ** n]) },
];

export type Growth =
  "constant" | "log n" | "sqrt n" | "linear" | "n log n" | "quadratic" | "exponential" | "not enough sizes";

/** What is needed to tell growths apart. */
const fewest = 4;

/** Errors that are no more than what sizes that iteration make. */
const exact = 0.005;

/** Of a growth that another fits as well, the slower one is named: its errors may be larger by this factor. */
const preference = 2;

/** The growth of counts over sizes: by the least mean squared relative error. */
export function growthOf(sizes: readonly number[], counts: readonly number[]): Growth {
  if (new Set(sizes).size < fewest) return "not enough sizes";
  const fits = growths.map(({ name, shapes }) => ({
    name,
    error: Math.min(...shapes.map((basis) => errorOf(basis, sizes, counts))),
  }));
  const least = Math.min(...fits.map(({ error }) => error));
  return fits.find(({ error }) => error <= Math.max(preference * least, exact))?.name ?? "not enough sizes";
}

/** The root of the mean squared relative error of the best sum of multiples of shapes; infinite where the last one would have to fall. */
function errorOf(basis: readonly Shape[], sizes: readonly number[], counts: readonly number[]): number {
  // Each row divided by its count: errors are relative
  const rows = sizes.map((n, i) => basis.map((shape) => shape(n) / (counts[i] ?? NaN)));
  const coefficients = leastSquares(rows);
  const last = coefficients.at(-1) ?? 0;
  if (!(last > 0)) return Infinity;
  const errors = rows.map((row) => row.reduce((sum, value, k) => sum + value * (coefficients[k] ?? 0), 0) - 1);
  return Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length);
}

/** The coefficients for which the rows give 1 best: by the normal equations, of at most three unknowns. */
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
