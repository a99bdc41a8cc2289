// Lists and arrays have functions of the same meaning: what is meant where one stands for the other.

import type { Type } from "../core/type.js";

/** Whether a type is one of the prelude's lists. */
export function isList(type: Type): boolean {
  return type.kind === "data" && type.name === "List";
}

/** The prelude's functions on lists that have the same meaning on arrays, by the name of those. */
export const listFunctions: ReadonlyMap<string, string> = new Map([
  ["map", "listMap"], ["zipWith", "listZipWith"], ["foldl", "listFoldl"], ["foldr", "listFoldr"], ["sum", "listSum"],
  ["product", "listProduct"], ["length", "listLength"], ["append", "listAppend"], ["reverse", "listReverse"],
  ["concat", "listConcat"], ["all", "listAll"], ["any", "listAny"], ["replicate", "listReplicate"], ["range", "listRange"],
]); // prettier-ignore

/** Those on arrays, by the name of those on lists. */
export const arrayFunctions: ReadonlyMap<string, string> = new Map([...listFunctions].map(([array, list]) => [list, array])); // prettier-ignore
