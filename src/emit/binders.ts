// The names that target terms bind.

import type { Fn, Term } from "../target/term.js";
import { eachSubterm } from "../target/traverse.js";

/** What a term itself binds, not its subterms. */
export function bindersOf(term: Term): readonly string[] {
  switch (term.kind) {
    case "let":
    case "bind":
      return [term.name];
    case "letTuple":
      return term.names;
    case "lam":
    case "linLam":
      return [term.param];
    case "build":
    case "sum":
      return [term.index];
    case "letRec":
      return term.functions.flatMap((fn) => [fn.name, ...fn.params.map(({ name }) => name)]);
    case "case":
      return term.branches.flatMap(({ vars }) => vars);
    default:
      return [];
  }
}

/** All that a definition binds, in order. */
export function allBinders(fn: Fn): readonly string[] {
  const names = fn.params.map(({ name }) => name);
  const visit = (term: Term): void => {
    names.push(...bindersOf(term));
    eachSubterm(term, visit);
  };
  visit(fn.body);
  return names;
}

/** The variables that a term mentions and does not bind; binders are distinct. */
export function freeVariables(term: Term): ReadonlySet<string> {
  const mentioned = new Set<string>();
  const bound = new Set<string>();
  const visit = (part: Term): void => {
    if (part.kind === "var") mentioned.add(part.name);
    for (const name of bindersOf(part)) bound.add(name);
    eachSubterm(part, visit);
  };
  visit(term);
  for (const name of bound) mentioned.delete(name);
  return mentioned;
}
