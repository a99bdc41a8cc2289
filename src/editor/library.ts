// The types of what comes with the compiler, which a program that does not use it does not infer.

import { printType } from "../core/print-type.js";
import { analyse } from "../driver/analyse.js";
import { typeOf } from "../types/binding-type.js";
import { standardTexts } from "./entities.js";

const known = new Map<string, ReadonlyMap<string, string>>();

/** By name the types of the definitions of the prelude, or a file of `std/`; null for other files. */
export function libraryTypes(file: string): ReadonlyMap<string, string> | null {
  const text = standardTexts.get(file);
  if (text === undefined) return null;
  let types = known.get(file);
  if (types === undefined) {
    const { typed } = analyse({ name: file, text }, null);
    const all = typed.groups.flatMap(({ bindings }) => bindings.filter(({ own }) => own));
    const plain = (text: string, numeric: readonly string[]): string => numeric.reduce((shown, name) => shown.replaceAll(new RegExp(`\\b${name}\\b`, "g"), "number"), text); // prettier-ignore
    types = new Map(
      all.map((binding) => {
        const numeric = binding.typeParams.filter((param) => param.numeric).map(({ name }) => name);
        return [binding.sourceName, plain(printType(typeOf(binding)), numeric)];
      }),
    );
    known.set(file, types);
  }
  return types;
}
