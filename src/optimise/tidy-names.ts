// Names after optimisation: copies have made `x17` of `x`, and the `x` that was copied may be gone. Every binder gets the shortest name again.

import { Names } from "../core/names.js";
import type { Program } from "../core/term.js";
import { allNames } from "../core/traverse.js";
import { copyFn } from "./copy.js";
import { contentsOf } from "./measure.js";

/** Renames all that a program binds but its own definitions; `original` are the names before optimisation, `names` learns the new ones. */
export function tidyNames(program: Program, original: ReadonlySet<string>, names: Names): Program {
  const functions = functionNames(program, original);
  const supply = new Names(functions.values());
  const definitions = program.definitions.map((fn) => {
    const variables = supply.inner();
    const fresh = (name: string): string => functions.get(name) ?? variables.fresh(stemOf(name, original));
    return copyFn(fn, functions.get(fn.name) ?? fn.name, { fresh }, { functions });
  });
  const tidy = { ...program, definitions };
  for (const name of allNames(tidy)) names.fresh(name);
  return tidy;
}

/** New names for definitions and local functions. */
function functionNames(program: Program, original: ReadonlySet<string>): ReadonlyMap<string, string> {
  const kept = program.definitions.map(({ name }) => name).filter((name) => original.has(name));
  const supply = new Names(kept);
  const functions = new Map(kept.map((name) => [name, name]));
  const enter = ({ name }: { readonly name: string }): void => {
    if (!functions.has(name)) functions.set(name, supply.fresh(stemOf(name, original)));
  };
  program.definitions.forEach(enter);
  for (const { body } of program.definitions) {
    for (const { functions: local } of contentsOf(body).letRecs) local.forEach(enter);
  }
  return functions;
}

/** A name of the source, or what a generated one was made from. */
function stemOf(name: string, original: ReadonlySet<string>): string {
  if (original.has(name)) return name;
  const stem = name.replace(/\d+$/, "");
  return stem === "" ? name : stem;
}
