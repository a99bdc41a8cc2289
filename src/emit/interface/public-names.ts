// Names of the emitted interface: those of the source, with what TypeScript does not allow spelled out.

import type { Entry } from "../../core/term.js";
import type { Mode } from "../../stages/stage.js";
import { capitalised, identifier, Scope } from "../../typescript/naming.js";

/** What is exported for a definition besides itself. */
export type Derived = (typeof derivedNames)[number];

/** In the order in which a module has them. */
export const derivedNames = ["vjp", "grad", "jvp", "hvp", "jacobian", "hessian", "linearize", "flat"] as const;

export function isDerived(name: unknown): name is Derived {
  return derivedNames.some((derived) => derived === name);
}

/** `loss` and "vjp" give `lossVjp`; `loss_at` gives `loss_at_vjp`. */
export function derivedName(
  definition: string,
  derived: Derived | "pack" | "unpack" | "sparseJacobian" | "denseJacobian",
): string {
  return withSuffix(definition, derived);
}

/** `sum` and "D1" give `sumD1`; `sum_up` gives `sum_up_d1`. */
export function withSuffix(definition: string, suffix: string): string {
  const name = propertyName(definition);
  return isSnakeCase(definition) ? `${name}_${suffix.toLowerCase()}` : `${name}${capitalised(suffix)}`;
}

/** Whether a name has an `_` inside. */
function isSnakeCase(name: string): boolean {
  return /[^_]_+[^_]/.test(name);
}

/** A name as the key of an object, where reserved words are allowed: `x'` becomes `xPrime`, `new` stays. */
export function propertyName(name: string): string {
  const plain = identifier(name);
  return plain === `${name}_` ? name : plain;
}

/** What is exported beside values where nothing else is said. */
export const usualDerived: ReadonlySet<Derived> = new Set(["vjp", "grad"]);

/** The names of the functions that are exported for an entry, of its derivatives those that are `wanted`. */
export function exportedNames(
  entry: Entry,
  mode: Mode,
  wanted: ReadonlySet<Derived> = usualDerived,
): readonly string[] {
  const names = [exportedName(entry)];
  if (hasValueAlone(entry)) return names;
  if (mode === "forward") names.push(derivedName(entry.name, "jvp"));
  if (mode === "reverse") {
    if (wanted.has("vjp")) names.push(derivedName(entry.name, "vjp"));
    if (entry.result.kind === "real" && wanted.has("grad")) names.push(derivedName(entry.name, "grad"));
  }
  return names;
}

/** Whether an entry has no derivatives: a constant, or one that is a derivative. */
export function hasValueAlone({ params, isValueOnly }: Entry): boolean {
  return params.length === 0 || isValueOnly === true;
}

/** Derivatives that are entries beside the one that they are of; others are made of these, or of the stage's own. */
const entryForms = ["jvp", "hvp", "jacobian", "hessian"] as const;

/** Of the entries of a module those that it has a derivative of. */
export function differentiated(entries: readonly Entry[], mode: Mode, wanted: ReadonlySet<Derived>): readonly Entry[] {
  const derived = new Set(entries.flatMap(({ name, isValueOnly }) => (isValueOnly === true ? [name] : [])));
  return entries.filter(
    (entry) =>
      !hasValueAlone(entry) &&
      (exportedNames(entry, mode, wanted).length > 1 ||
        entryForms.some((form) => derived.has(derivedName(entry.name, form)))),
  );
}

/** The name of the function that gives an entry's value. */
export function exportedName(entry: Entry): string {
  return Scope.values().fresh(entry.name);
}
