// When numbers agree: relative to the largest of them, so that entries that cancel to zero can be compared.

/** The largest absolute value among finite numbers; 0 of none. */
export function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
}

/** What is smaller has lost digits to underflow on the way. */
const smallest = 1e-290;

/** The position of the first number that differs by more than `relative` times the largest expected one or `scale`; null where none does. */
export function firstDifference(
  got: readonly number[],
  wanted: readonly number[],
  relative: number,
  scale = 0,
): number | null {
  if (got.length !== wanted.length) return Math.min(got.length, wanted.length);
  const allowed = Math.max(smallest, relative * Math.max(largest(wanted), scale));
  const at = got.findIndex((x, i) => {
    const y = wanted[i] ?? NaN;
    return !(x === y || Object.is(x, y) || Math.abs(x - y) <= allowed);
  });
  return at === -1 ? null : at;
}
