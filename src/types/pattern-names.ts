// The names that patterns bind. Walks with a list of what is still to do and no recursion, since programs nest deeply.

import type * as Tree from "../syntax/tree.js";
import { suggest } from "./suggest.js";

/** The names of a constructor's fields; none where it is unknown, or its fields have no names. */
export type FieldsOf = (constructor: string) => readonly string[];

/** The patterns and what is in them, in order. */
function* partsOf(patterns: readonly Tree.Pattern[]): Generator<Tree.Pattern> {
  const todo = [...patterns].reverse();
  for (let pattern = todo.pop(); pattern !== undefined; pattern = todo.pop()) {
    yield pattern;
    if (pattern.kind === "tuple") todo.push(...[...pattern.items].reverse());
    else if (pattern.kind === "constructor") todo.push(...[...pattern.args].reverse());
    else if (pattern.kind === "record") todo.push(...pattern.fields.map((field) => field.pattern).reverse());
    else if (pattern.kind === "ascribed") todo.push(pattern.pattern);
  }
}

/** The names that patterns bind, in order. */
export function patternNames(patterns: readonly Tree.Pattern[]): readonly Tree.Ident[] {
  return [...partsOf(patterns)].flatMap((pattern) => (pattern.kind === "variable" ? [pattern.name] : []));
}

/**
 * What the misspelt fields of records seem to mean, where a field stands for a variable of its name: `C { floats }` binds `float` as well, so
 * that the mistake is told once.
 */
export function meantFields(patterns: readonly Tree.Pattern[], fieldsOf: FieldsOf): readonly Tree.Ident[] {
  return [...partsOf(patterns)].flatMap((pattern) => {
    if (pattern.kind !== "record") return [];
    const known = fieldsOf(pattern.name.name);
    const given = new Set(pattern.fields.map(({ name }) => name.name));
    return pattern.fields.flatMap(({ name, pattern: inner }): readonly Tree.Ident[] => {
      const isShort = inner.kind === "variable" && inner.name === name;
      if (!isShort || known.includes(name.name)) return [];
      const meant = suggest(name.name, known).filter((field) => !given.has(field));
      return meant.map((field) => ({ name: field, span: name.span }));
    });
  });
}
