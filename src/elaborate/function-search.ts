// Functions in types, and the way to them.

import { printType } from "../core/print-type.js";
import type { DataTypes } from "../core/type-parts.js";
import type { Type } from "../core/type.js";
import type { TypeStep } from "./mistakes.js";

/** A type, and the way to it from another one that it is in. */
interface Found {
  readonly type: Type;
  readonly step: TypeStep | null;
  readonly from: Found | null;
}

/** Looks for functions in types, also in the fields of their data types. */
export class FunctionSearch {
  /** Data types in which there are none. */
  readonly #without = new Set<string>();

  constructor(private readonly data: DataTypes) {}

  /** The first function in a type, and the way to it: the shortest there is. */
  firstIn(root: Type): { readonly type: Type; readonly path: readonly TypeStep[] } | null {
    const seen = new Set<string>();
    const queue: Found[] = [{ type: root, step: null, from: null }];
    for (const found of queue) {
      if (found.type.kind === "fn") return { type: found.type, path: pathTo(found) };
      for (const [type, step] of this.#parts(found.type, seen)) queue.push({ type, step, from: found });
    }
    for (const key of seen) this.#without.add(key);
    return null;
  }

  /** What a type is made of; nothing for a data type that has been `seen`, or is known. */
  #parts(type: Type, seen: Set<string>): readonly (readonly [Type, TypeStep])[] {
    switch (type.kind) {
      case "tuple":
        return type.items.map((item, index) => [item, { kind: "component", index: index + 1 }]);
      case "array":
        return [[type.element, { kind: "element" }]];
      case "data": {
        const key = printType(type);
        if (seen.has(key) || this.#without.has(key)) return [];
        seen.add(key);
        return this.data.constructorsOf(type).flatMap(({ name, fields, fieldNames }) =>
          fields.map((field, index) => {
            const step = { kind: "field", data: type, constructor: name, index: index + 1, name: fieldNames?.[index] ?? null } as const; // prettier-ignore
            return [field, step] as const;
          }),
        );
      }
      default:
        return [];
    }
  }
}

function pathTo(found: Found): readonly TypeStep[] {
  const path: TypeStep[] = [];
  for (let at: Found | null = found; at !== null; at = at.from) if (at.step !== null) path.push(at.step);
  return path.reverse();
}
