// Linear forms of integers: c + k1 v1 + .. + kn vn.

export interface Linear {
  readonly constant: number;
  /** The coefficients of variables, none of them 0. */
  readonly terms: ReadonlyMap<string, number>;
}

/** The largest safe integer: that of the smallest is the same. */
export const most = Number.MAX_SAFE_INTEGER;

export const constant = (value: number): Linear => ({ constant: value, terms: new Map() });
export const variable = (name: string): Linear => ({ constant: 0, terms: new Map([[name, 1]]) });

/** a + factor * b */
export function plus(a: Linear, b: Linear, factor = 1): Linear {
  const terms = new Map(a.terms);
  for (const [name, coefficient] of b.terms) {
    const sum = (terms.get(name) ?? 0) + factor * coefficient;
    if (sum === 0) terms.delete(name);
    else terms.set(name, sum);
  }
  return { constant: a.constant + factor * b.constant, terms };
}

export const minus = (a: Linear, b: Linear): Linear => plus(a, b, -1);
export const shifted = (a: Linear, by: number): Linear => ({ constant: a.constant + by, terms: a.terms });
export const times = (a: Linear, factor: number): Linear => plus(constant(0), a, factor);

export function isSame(a: Linear, b: Linear): boolean {
  const { constant, terms } = minus(a, b);
  return constant === 0 && terms.size === 0;
}

/** Whether all numbers of a form are exact: beyond the safe integers, different ones look the same. */
export function isExact({ constant, terms }: Linear): boolean {
  return (
    Number.isSafeInteger(constant) && [...terms.values()].every((coefficient) => Number.isSafeInteger(coefficient))
  );
}

/** How long an array is, its elements are, and so on: as far as that is known. */
export type Shape = readonly Linear[];

/** What several shapes have in common, from the outside. */
export function commonShape([first = [], ...others]: readonly Shape[]): Shape {
  const differs = (length: Linear, place: number): boolean =>
    others.some((other) => {
      const its = other[place];
      return its === undefined || !isSame(its, length);
    });
  const end = first.findIndex(differs);
  return end === -1 ? first : first.slice(0, end);
}
