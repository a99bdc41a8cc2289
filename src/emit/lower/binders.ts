// The names that target terms bind.

import type { Fn, Term } from "../../target-calculus/term.js";
import { eachSubterm } from "../../target-calculus/traverse.js";

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
    case "scan":
      return [term.index, term.carried];
    case "letRec":
      return term.functions.flatMap((fn) => [fn.name, ...fn.params.map(({ name }) => name)]);
    case "case":
      return term.branches.flatMap(({ vars }) => vars);
    default:
      return [];
  }
}

/** Visits a term and all its subterms, in order, without recursion. */
export function eachTerm(term: Term, visit: (term: Term) => void): void {
  const pending = [term];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    visit(next);
    const parts: Term[] = [];
    eachSubterm(next, (part) => {
      parts.push(part);
    });
    pending.push(...parts.reverse());
  }
}

/** All that a definition binds, in order. */
export function allBinders(fn: Fn): readonly string[] {
  const names = fn.params.map(({ name }) => name);
  eachTerm(fn.body, (term) => {
    names.push(...bindersOf(term));
  });
  return names;
}

/** The variables that a term mentions and does not bind; binders are distinct. */
export function freeVariables(term: Term): ReadonlySet<string> {
  const mentioned = new Set<string>();
  const bound = new Set<string>();
  eachTerm(term, (part) => {
    if (part.kind === "var") mentioned.add(part.name);
    for (const name of bindersOf(part)) bound.add(name);
  });
  for (const name of bound) mentioned.delete(name);
  return mentioned;
}
