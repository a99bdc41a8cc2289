// Names after optimisation: copies have made `x17` of `x`, and the `x` that was copied may be gone. Every binder gets the shortest name again.

import { Names } from "../core/names.js";
import type { Program } from "../core/term.js";
import { copyFn } from "./copy.js";
import { contentsOf } from "./term-facts.js";
import type { VariableNames } from "./variable-names.js";

/** Renames all that a program binds, but for its own definitions. */
export function tidyNames(program: Program, names: VariableNames): Program {
  const functions = functionNames(program, names);
  const supply = new Names([...functions.values(), ...program.externs.keys()]);
  const given = new Map<string, ReadonlyMap<string, string>>();
  const definitions = program.definitions.map((fn) => {
    const variables = supply.inner();
    const own = new Map<string, string>();
    const fresh = (name: string): string => {
      const tidy = functions.get(name) ?? variables.fresh(names.stemOf(name));
      const called = names.givenTo(name);
      if (called !== null) own.set(tidy, called);
      return tidy;
    };
    const copy = copyFn(fn, functions.get(fn.name) ?? fn.name, { fresh }, { functions });
    given.set(copy.name, own);
    return copy;
  });
  const nameOf = (name: string): string => functions.get(name) ?? name;
  const pullbacks = new Map(
    [...program.pullbacks].map(([name, { of, level, reverse, site }]) => [
      nameOf(name),
      { of: nameOf(of), level, reverse: reverse === null ? null : nameOf(reverse), site },
    ]),
  );
  const checkpoints = new Map([...program.checkpoints].map(([name, { reverse, isGiven, value, text }]) => [nameOf(name), { reverse: nameOf(reverse), isGiven, value: value === null ? null : nameOf(value), text: text === null ? null : nameOf(text) }] as const)); // prettier-ignore
  const partials = new Map([...program.partials].map(([name, its]) => [nameOf(name), nameOf(its)]));
  const texts = new Map([...program.texts].map(([name, text]) => [nameOf(name), nameOf(text)]));
  return { ...program, definitions, given, pullbacks, checkpoints, partials, texts };
}

/** New names for definitions and local functions; those that have their names from the source come first. */
function functionNames(program: Program, names: VariableNames): ReadonlyMap<string, string> {
  const kept = program.definitions.map(({ name }) => name).filter((name) => names.stemOf(name) === name);
  const supply = new Names([...kept, ...program.externs.keys()]);
  const functions = new Map(kept.map((name) => [name, name]));
  const enter = ({ name }: { readonly name: string }): void => {
    if (!functions.has(name)) functions.set(name, supply.fresh(names.stemOf(name)));
  };
  program.definitions.forEach(enter);
  for (const { body } of program.definitions) {
    for (const { functions: local } of contentsOf(body).letRecs) local.forEach(enter);
  }
  return functions;
}
