// What partial derivatives of fused definitions are computed by is no part of what a reverse stage transforms: it is copied where that is used by both, and stands in
// the stage's program as it is.

import * as b from "../core/build.js";
import { Names } from "../core/names.js";
import { rootsOf, type Fn, type Program } from "../core/term.js";
import { allNames } from "../core/traverse.js";
import { copyFn } from "../optimise/copy.js";
import { rewriteUp, withBody } from "../optimise/rewrite.js";
import { contentsOf } from "../optimise/term-facts.js";

/** The program that a stage transforms, and definitions that it does not. */
export interface Split {
  readonly program: Program;
  readonly plain: readonly Fn[];
}

export function plainPartials(program: Program): Split {
  const { partials } = program;
  if (partials.size === 0) return { program, plain: [] };
  const byName = new Map(program.definitions.map((fn) => [fn.name, fn]));
  const reached = (start: readonly string[], isEnd: (name: string) => boolean): ReadonlySet<string> => {
    const seen = new Set(start);
    for (const name of seen) {
      const fn = isEnd(name) ? undefined : byName.get(name);
      if (fn !== undefined) for (const callee of contentsOf(fn.body).calls.keys()) if (byName.has(callee)) seen.add(callee); // prettier-ignore
    }
    return seen;
  };
  const transformed = reached(rootsOf(program), (name) => partials.has(name));
  const used = reached([...partials].flatMap(([name, its]) => (transformed.has(name) ? [its] : [])), () => false); // prettier-ignore
  const names = new Names(allNames(program));
  const copies = new Map([...used].filter((name) => transformed.has(name)).map((name) => [name, names.fresh(`${name}Plain`)])); // prettier-ignore
  const plain = program.definitions.flatMap((fn): Fn[] => {
    if (!used.has(fn.name)) return [];
    const copy = copies.get(fn.name);
    if (copy !== undefined) return [copyFn(fn, copy, names, { functions: copies })];
    return [withBody(fn, rewriteUp(fn.body, (term) => (term.kind === "call" ? b.call(copies.get(term.fn) ?? term.fn, term.args) : term)))]; // prettier-ignore
  });
  return { program: { ...program, definitions: program.definitions.filter(({ name }) => transformed.has(name)) }, plain }; // prettier-ignore
}
