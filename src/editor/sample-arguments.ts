// Arguments to begin with, for a definition that is to be run.

import type { Analysis } from "../driver/analyse.js";
import { exportsOf } from "../elaborate/elaborate.js";
import { entryOf } from "../elaborate/entries.js";
import { leavesOf } from "../emit/interface/parameters.js";
import { layoutsOf } from "../emit/layouts.js";
import { DataTypes, substitute } from "../core/type-parts.js";
import type { Type } from "../core/type.js";

/** A data type in a data type, and so on, no deeper than this. */
const maxDepth = 6;

/** A document of arguments by parameter name, of the right types; null where the definition is not exported. */
export function sampleArguments({ typed }: Analysis, definition: string): Readonly<Record<string, unknown>> | null {
  const found = exportsOf(typed).exported.find(({ binding }) => binding.sourceName === definition);
  if (found === undefined) return null;
  const data = new DataTypes(typed.data);
  return Object.fromEntries(leavesOf(entryOf(found).params).map(({ leaf }) => [leaf.name, sample(leaf.type, data, 0)]));
}

function sample(type: Type, data: DataTypes, depth: number): unknown {
  switch (type.kind) {
    case "real":
    case "int":
      return 1;
    case "bool":
      return true;
    case "tuple":
      return type.items.length === 0 ? null : type.items.map((item) => sample(item, data, depth + 1));
    case "array":
      // A square matrix that can be divided by, whether it has to be symmetric, positive or neither
      if (type.element.kind === "array" && type.element.element.kind === "real") return [[2, 1], [1, 3]]; // prettier-ignore
      return [1, 2].map(() => sample(type.element, data, depth + 1));
    case "data": {
      const decl = data.decl(type.name);
      const at = new Map(decl.params.map((param, i) => [param, type.args[i] ?? type]));
      const layouts = layoutsOf(decl);
      // The constructor without fields, if any, ends a list
      const [made] = decl.constructors
        .map((constructor, i) => ({ constructor, layout: layouts[i] }))
        .sort((one, other) => one.constructor.fields.length - other.constructor.fields.length);
      if (made?.layout === undefined || depth > maxDepth) return null;
      const { constructor, layout } = made;
      const fields = constructor.fields.map((field, i) => [layout.keys[i] ?? "", sample(substitute(field, at), data, depth + 1)]); // prettier-ignore
      return { ...(layout.isTagged ? { tag: constructor.name } : {}), ...Object.fromEntries(fields) };
    }
    case "fn":
    case "typeVar":
      return null;
  }
}
