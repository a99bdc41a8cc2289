// What is done with source terms as trees. Nothing here recurses: terms may be as deep as programs are long.

import type { Program, Term } from "./term.js";

/** The immediate subterms, in order of evaluation. */
export function subterms(term: Term): readonly Term[] {
  switch (term.kind) {
    case "var":
    case "real":
    case "int":
    case "bool":
      return [];
    case "tuple":
    case "parallel":
      return term.items;
    case "proj":
      return [term.tuple];
    case "lam":
      return [term.body];
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

/** The variables, parameters and local functions that a term itself binds, not its subterms. */
export function binders(term: Term): readonly string[] {
  switch (term.kind) {
    case "lam":
      return [term.param];
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

/** A term with `f` of its immediate subterms. */
export function mapSubterms(term: Term, f: (term: Term) => Term): Term {
  // prettier-ignore
  switch (term.kind) {
    case "var":
    case "real":
    case "int":
    case "bool":     return term;
    case "tuple":
    case "parallel": return { ...term, items: term.items.map(f) };
    case "proj":     return { ...term, tuple: f(term.tuple) };
    case "lam":      return { ...term, body: f(term.body) };
    case "app":      return { ...term, fn: f(term.fn), arg: f(term.arg) };
    case "call":
    case "op":
    case "con":      return { ...term, args: term.args.map(f) };
    case "let":      return { ...term, bound: f(term.bound), body: f(term.body) };
    case "letRec":   return { ...term, functions: term.functions.map((fn) => ({ ...fn, body: f(fn.body) })), body: f(term.body) };
    case "case":     return { ...term, scrutinee: f(term.scrutinee), branches: term.branches.map((branch) => ({ ...branch, body: f(branch.body) })) };
    case "if":       return { ...term, cond: f(term.cond), then: f(term.then), else: f(term.else) };
  }
}

/** A term and all terms in it, each before what it holds. */
export function* allTerms(root: Term): Generator<Term, void, undefined> {
  const stack = [root];
  for (let term = stack.pop(); term !== undefined; term = stack.pop()) {
    yield term;
    const parts = subterms(term);
    for (let i = parts.length - 1; i >= 0; i -= 1) {
      const part = parts[i];
      if (part !== undefined) stack.push(part);
    }
  }
}

/** The variables that occur free. Binders are distinct within a program, so that what a term binds is nowhere free in it. */
export function freeVariables(term: Term): ReadonlySet<string> {
  const used = new Set<string>();
  const bound: string[] = [];
  for (const part of allTerms(term)) {
    if (part.kind === "var") used.add(part.name);
    bound.push(...binders(part));
  }
  for (const name of bound) used.delete(name);
  return used;
}

/** The known functions that are called and not defined within the term. */
export function freeFunctions(term: Term): ReadonlySet<string> {
  const used = new Set<string>();
  const defined: string[] = [];
  for (const part of allTerms(term)) {
    if (part.kind === "call") used.add(part.fn);
    if (part.kind === "letRec") defined.push(...part.functions.map((fn) => fn.name));
  }
  for (const name of defined) used.delete(name);
  return used;
}

/** Every name of a program's definitions and binders: what fresh names must avoid. */
export function allNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
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
