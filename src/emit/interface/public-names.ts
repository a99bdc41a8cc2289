// Names of the emitted interface: those of the source, with what TypeScript does not allow spelled out.

import { capitalised, identifier } from "../../typescript/naming.js";

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
export function isSnakeCase(name: string): boolean {
  return /[^_]_+[^_]/.test(name);
}

/** A name as the key of an object, where reserved words are allowed: `x'` becomes `xPrime`, `new` stays. */
export function propertyName(name: string): string {
  const plain = identifier(name);
  return plain === `${name}_` ? name : plain;
}
