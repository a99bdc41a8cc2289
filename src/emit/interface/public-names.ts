// Names of the emitted interface: those of the source, with what TypeScript does not allow spelled out.

import type { Entry } from "../../core/term.js";
import type { Mode } from "../../stages/stage.js";
import { capitalised, identifier, Scope } from "../../typescript/naming.js";

/** What is exported for a definition besides itself. */
export type Derived = "vjp" | "grad" | "jvp";

/** `loss` and "vjp" give `lossVjp`; `loss_at` gives `loss_at_vjp`. */
export function derivedName(definition: string, derived: Derived): string {
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

/** What may be exported beside values. */
export const allDerived: ReadonlySet<Derived> = new Set(["vjp", "grad", "jvp"]);

/** The names of the functions that are exported for an entry, of its derivatives those that are `wanted`. */
export function exportedNames(entry: Entry, mode: Mode, wanted: ReadonlySet<Derived> = allDerived): readonly string[] {
  const names = [exportedName(entry)];
  if (entry.params.length === 0) return names;
  if (mode === "forward") names.push(derivedName(entry.name, "jvp"));
  if (mode === "reverse") {
    if (wanted.has("vjp")) names.push(derivedName(entry.name, "vjp"));
    if (entry.result.kind === "real" && wanted.has("grad")) names.push(derivedName(entry.name, "grad"));
  }
  return names;
}

/** The name of the function that gives an entry's value. */
export function exportedName(entry: Entry): string {
  return Scope.values().fresh(entry.name);
}
