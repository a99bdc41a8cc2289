// Arguments to begin with, for a definition that is to be run.

import type { Analysis } from "../driver/analyse.js";
import { exportsOf } from "../elaborate/elaborate.js";
import { entryOf } from "../elaborate/entries.js";
import { leavesOf } from "../emit/interface/parameters.js";
import { layoutsOf } from "../emit/layouts.js";
import { DataTypes, substitute } from "../core/type-parts.js";
import type { Type } from "../core/type.js";

/** The reals, one after the other: if all were equal, variances would be 0, and what is divided by them infinite. */
const reals = [1, 0.8, 1.2, 0.9, 1.1, 0.7, 1.3];

/** A data type in a data type, and so on, no deeper than this. */
const maxDepth = 6;

/** A document of arguments by parameter name, of the right types; null where the definition is not exported. */
export function sampleArguments({ typed }: Analysis, definition: string): Readonly<Record<string, unknown>> | null {
  const found = exportsOf(typed).exported.find(({ binding }) => binding.sourceName === definition);
  if (found === undefined) return null;
  const samples = new Samples(new DataTypes(typed.data));
  return Object.fromEntries(leavesOf(entryOf(found).params).map(({ leaf }) => [leaf.name, samples.of(leaf.type, 0)]));
}

/** One document's samples. */
class Samples {
  readonly #data: DataTypes;
  /** How many reals there are already. */
  #count = 0;

  constructor(data: DataTypes) {
    this.#data = data;
  }

  of(type: Type, depth: number): unknown {
    switch (type.kind) {
      case "real":
        return reals[this.#count++ % reals.length];
      case "int":
        return 1;
      case "bool":
        return true;
      case "tuple":
        return type.items.length === 0 ? null : type.items.map((item) => this.of(item, depth + 1));
      case "array":
        // A square matrix that can be divided by, whether it has to be symmetric, positive or neither
        if (type.element.kind === "array" && type.element.element.kind === "real") return [[2, 1], [1, 3]]; // prettier-ignore
        return [1, 2].map(() => this.of(type.element, depth + 1));
      case "data":
        return this.#ofData(type, depth);
      case "fn":
      case "typeVar":
        return null;
    }
  }

  #ofData(type: Extract<Type, { readonly kind: "data" }>, depth: number): unknown {
    const decl = this.#data.decl(type.name);
    const at = new Map(decl.params.map((param, i) => [param, type.args[i] ?? type]));
    const layouts = layoutsOf(decl);
    const isOwn = (field: Type): boolean => field.kind === "data" && field.name === type.name;
    // The one without fields, if any, ends a list
    const all = decl.constructors
      .map((constructor, i) => ({ constructor, layout: layouts[i] }))
      .sort((one, other) => one.constructor.fields.length - other.constructor.fields.length);
    const made = (which: (typeof all)[number] | undefined, rest: (() => unknown) | null): unknown => {
      if (which?.layout === undefined || depth > maxDepth) return null;
      const { constructor, layout } = which;
      const fields = constructor.fields.map((field, i) => {
        const value = rest !== null && isOwn(field) ? rest() : this.of(substitute(field, at), depth + 1);
        return [layout.keys[i] ?? "", value];
      });
      return { ...(layout.isTagged ? { tag: constructor.name } : {}), ...Object.fromEntries(fields) };
    };
    const end = (): unknown => made(all[0], null);
    const [, more] = all;
    const isList = all.length === 2 && more?.constructor.fields.filter(isOwn).length === 1 && all[0]?.constructor.fields.length === 0; // prettier-ignore
    // Two elements, as an array has
    return isList ? made(more, () => made(more, end)) : end();
  }
}
