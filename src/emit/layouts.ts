// How values of data types are laid out as objects, inside emitted modules and outside alike:
//
//   data Camera = Camera { rotation : Vec3, focal : R }     { rotation, focal }
//   data Shape = Circle { radius : R } | Square R           { tag: "Circle", radius }, { tag: "Square", _0 }

import { InternalError } from "../internal-error.js";
import { sumDecl } from "../core/type.js";
import type { DataDeclF } from "../core/type.js";
import { propertyName } from "./interface/public-names.js";

/** The objects that a constructor makes. */
export interface Layout {
  /** Whether they say which constructor has made them: not those of a data type that has just one, with named fields. */
  readonly isTagged: boolean;
  /** The properties that hold the fields, in order. */
  readonly keys: readonly string[];
}

/** The layouts of a data type's constructors, in order. */
export function layoutsOf({ constructors }: DataDeclF<unknown>): readonly Layout[] {
  return constructors.map(({ fields, fieldNames }) => {
    const isTagged = constructors.length > 1 || fieldNames === null;
    return { isTagged, keys: fieldNames === null ? fields.map((_, index) => fieldName(index)) : keysOf(fieldNames, isTagged) }; // prettier-ignore
  });
}

/** Layouts by data type and constructor. */
export class Layouts {
  readonly #layouts = new Map<string, ReadonlyMap<string, Layout>>();

  constructor(decls: readonly DataDeclF<unknown>[]) {
    for (const decl of [sumDecl, ...decls]) {
      const layouts = layoutsOf(decl);
      const named = decl.constructors.flatMap(({ name }, index): (readonly [string, Layout])[] => {
        const layout = layouts[index];
        return layout === undefined ? [] : [[name, layout]];
      });
      this.#layouts.set(decl.name, new Map(named));
    }
  }

  of(data: string, con: string): Layout {
    const layout = this.#layouts.get(data)?.get(con);
    if (layout === undefined) throw new InternalError("emit", `${data} has no constructor ${con}`);
    return layout;
  }

  /** Whether values of a data type are plain objects without a tag. */
  isRecord(data: string): boolean {
    const layouts = this.#layouts.get(data);
    return layouts?.size === 1 && [...layouts.values()].every(({ isTagged }) => !isTagged);
  }
}

/** The property that holds a field without a name. */
export function fieldName(index: number): string {
  return `_${index}`;
}

/** Field names as properties; those that would be the same as another, or as the tag, get an `_`. */
function keysOf(names: readonly string[], isTagged: boolean): readonly string[] {
  const taken = new Set(isTagged ? ["tag"] : []);
  return names.map((name) => {
    let key = propertyName(name);
    while (taken.has(key)) key += "_";
    taken.add(key);
    return key;
  });
}
