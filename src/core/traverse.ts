// What is done with source terms as trees. Nothing here recurses: terms may be as deep as programs are long.

import type { Program, Term } from "./term.js";

/** The immediate subterms, in order of evaluation. */
export function subterms(term: Term): readonly Term[] {
  switch (term.kind) {
    case "var":
    case "real":
    case "int":
    case "bool":
      return none;
    case "tuple":
    case "array":
    case "parallel":
      return term.items;
    case "proj":
      return [term.tuple];
    case "lam":
      return [term.body];
    case "build":
      return [term.size, term.body];
    case "scan":
      return [term.size, term.start, term.body];
    case "index":
      return [term.array, term.index];
    case "length":
      return [term.array];
    case "app":
      return [term.fn, term.arg];
    case "call":
    case "op":
    case "con":
      return term.args;
    case "let":
      return [term.bound, term.body];
    case "letRec":
      return [...term.functions.map((fn) => fn.body), term.body];
    case "case":
      return [term.scrutinee, ...term.branches.map((branch) => branch.body)];
    case "if":
      return [term.cond, term.then, term.else];
  }
}

const none: readonly Term[] = [];

/** The variables, parameters and local functions that a term itself binds, not its subterms. */
export function binders(term: Term): readonly string[] {
  switch (term.kind) {
    case "lam":
      return [term.param];
    case "build":
      return [term.index];
    case "scan":
      return [term.index, term.carried];
    case "let":
      return [term.name];
    case "letRec":
      return term.functions.flatMap((fn) => [fn.name, ...fn.params.map((param) => param.name)]);
    case "case":
      return term.branches.flatMap((branch) => branch.vars);
    default:
      return [];
  }
}

/** A term and all terms in it, each before what it holds. */
export function allTerms(root: Term): readonly Term[] {
  const terms: Term[] = [];
  const stack = [root];
  for (let term = stack.pop(); term !== undefined; term = stack.pop()) {
    terms.push(term);
    const parts = subterms(term);
    for (let i = parts.length - 1; i >= 0; i -= 1) {
      const part = parts[i];
      if (part !== undefined) stack.push(part);
    }
  }
  return terms;
}

/** Every name of a program's definitions and binders: what fresh names must avoid. */
export function allNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>([...program.derivatives.keys(), ...program.externs.keys()]);
  for (const definition of program.definitions) {
    names.add(definition.name);
    for (const param of definition.params) names.add(param.name);
    for (const part of allTerms(definition.body)) for (const name of binders(part)) names.add(name);
  }
  return names;
}

/**
 * How deep a term's nesting is where passes recurse: one for each level, but for the bodies of `let` and `let rec`, along which they
 * iterate.
 */
export function nestingDepth(root: Term): number {
  let deepest = 0;
  const stack = [{ term: root, depth: 1 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { term, depth } = top;
    deepest = Math.max(deepest, depth);
    for (const part of subterms(term)) {
      const onSpine = (term.kind === "let" || term.kind === "letRec") && part === term.body;
      stack.push({ term: part, depth: onSpine ? depth : depth + 1 });
    }
  }
  return deepest;
}
