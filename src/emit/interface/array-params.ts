// Arrays of a data type's type variable: `[a]` in `data Signal a = Signal R [a]` is a Float64Array where a is R, and an ordinary array for any other
// type. So the array's type is a type parameter of its own in TypeScript: `Signal<number, Float64Array>`, `Signal<boolean, readonly boolean[]>`.

import { sumDecl } from "../../core/type.js";
import type { DataDecl, Type } from "../../target-calculus/type.js";
import { mapType } from "../../target-calculus/data.js";

/** By data type: those of its parameters for which there is such an array, as positions. */
export type ArrayParams = ReadonlyMap<string, readonly number[]>;

/** The arrays of type variables in data declarations, found to a fixed point: declarations mention each other. */
export function arrayParamsOf(decls: readonly DataDecl[]): ArrayParams {
  const found = new Map<string, Set<number>>([sumDecl, ...decls].map(({ name }) => [name, new Set<number>()]));
  const size = (): number => [...found.values()].reduce((sum, { size: count }) => sum + count, 0);
  for (let before = -1; before !== size();) {
    before = size();
    for (const { name, params, constructors } of decls) {
      const own = found.get(name);
      const add = (type: Type): void => {
        if (type.kind === "typeVar") own?.add(params.indexOf(type.name));
      };
      const visit = (type: Type): Type => {
        if (type.kind === "array") add(type.element);
        if (type.kind === "data") {
          for (const place of found.get(type.name) ?? []) {
            const arg = type.args[place];
            if (arg !== undefined) add(arg);
          }
        }
        return mapType(type, visit);
      };
      for (const { fields } of constructors) fields.forEach(visit);
    }
  }
  return new Map([...found].map(([name, places]) => [name, [...places].sort((a, b) => a - b)]));
}
