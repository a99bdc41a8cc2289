// What all Wraps share: one wrapper for each entry, over fresh parameters of the definition's own types.

import { InternalError } from "../internal-error.js";
import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import type { Fn, Param, Term, Wrapped } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";

/** An entry's definition with fresh names for its parameters: what a wrapper is made of. */
export interface Target {
  readonly definition: Source.Fn;
  readonly params: readonly Param[];
  /** `S`: the parameter's type where there is one, else the tuple of all of them. */
  readonly input: Type;
  /** A value of type `S` from one term for each parameter. */
  readonly whole: (parts: readonly Term[]) => Term;
}

/** Makes the wrapper of every entry. */
export function wrapEntries(
  program: Source.Program,
  names: Names,
  wrap: (target: Target) => {
    readonly fn: Omit<Fn, "name">;
    readonly gradient: Omit<Fn, "name"> | null;
    readonly collector: Type | null;
  },
  label: string,
): readonly Wrapped[] {
  const definitions = new Map(program.definitions.map((definition) => [definition.name, definition]));
  return program.entries.map((entry) => {
    const definition = definitions.get(entry.name);
    if (definition === undefined)
      throw new InternalError("wrap", `the entry ${entry.name} is not among the definitions`);
    const params = definition.params.map(({ name, type }) => b.param(names.fresh(name), type));
    const { fn, gradient, collector } = wrap({
      definition,
      params,
      input: wholeOf(
        params.map(({ type }) => type),
        (types) => b.tupleType(...types),
      ),
      whole: (parts) => wholeOf(parts, (items) => b.tuple(...items)),
    });
    return {
      entry,
      fn: { name: names.fresh(`${entry.name}${label}`), ...fn },
      gradient: gradient === null ? null : { name: names.fresh(`${entry.name}Gradient`), ...gradient },
      collector,
    };
  });
}

/** One part stands for itself; several, or none, are a tuple. */
function wholeOf<T>(parts: readonly T[], tuple: (parts: readonly T[]) => T): T {
  const [first, ...rest] = parts;
  return first !== undefined && rest.length === 0 ? first : tuple(parts);
}
