// How the passes walk over terms: part by part, with the bodies of `let` and `let rec` in a loop. What does not change stays the same object, so that
// a pass can tell whether it has done anything.

import type { Fn, Program, Term } from "../core/term.js";
import { mapSame, withParts } from "../same.js";

/** A `let` or `let rec`. Its body is not looked at where it stands for the binding alone. */
export type Binding = Term & { readonly kind: "let" | "letRec" };

export type Simple = Exclude<Term, Binding>;

export function isBinding(term: Term): term is Binding {
  return term.kind === "let" || term.kind === "letRec";
}

/** Puts bindings around a term, the first outermost. */
export function withBindings(around: readonly Binding[], end: Term): Term {
  return around.reduceRight<Term>((body, binding) => (binding.body === body ? binding : { ...binding, body }), end);
}

/** Applies `f` to the immediate subterms, in order of evaluation; the term itself where nothing changes. */
export function mapSubterms(term: Simple, f: (part: Term) => Term): Simple {
  switch (term.kind) {
    case "var":
    case "real":
    case "int":
    case "bool":
      return term;
    case "tuple":
    case "array":
    case "parallel":
      return withParts(term, { items: mapSame(term.items, f) });
    case "proj":
      return withParts(term, { tuple: f(term.tuple) });
    case "lam":
      return withParts(term, { body: f(term.body) });
    case "app":
      return withParts(term, { fn: f(term.fn), arg: f(term.arg) });
    case "call":
    case "op":
    case "con":
      return withParts(term, { args: mapSame(term.args, f) });
    case "case":
      return withParts(term, {
        scrutinee: f(term.scrutinee),
        branches: mapSame(term.branches, (branch) => withParts(branch, { body: f(branch.body) })),
      });
    case "if":
      return withParts(term, { cond: f(term.cond), then: f(term.then), else: f(term.else) });
    case "build":
      return withParts(term, { size: f(term.size), body: f(term.body) });
    case "scan":
      return withParts(term, { size: f(term.size), start: f(term.start), body: f(term.body) });
    case "index":
      return withParts(term, { array: f(term.array), index: f(term.index) });
    case "length":
      return withParts(term, { array: f(term.array) });
  }
}

/** A binding whose bound term, or whose functions' bodies, `f` is applied to. */
export function mapBinding(binding: Binding, f: (part: Term) => Term): Binding {
  if (binding.kind === "let") {
    return withParts(binding, { bound: f(binding.bound) });
  }
  return withParts(binding, { functions: mapSame(binding.functions, (fn) => withBody(fn, f(fn.body))) });
}

/** Rewrites a term from its parts up: `f` gets every term whose parts are done, with a binding's bound term done and its body, too. */
export function rewriteUp(start: Term, f: (term: Term) => Term): Term {
  const around: Binding[] = [];
  let term = start;
  while (isBinding(term)) {
    around.push(mapBinding(term, (part) => rewriteUp(part, f)));
    term = term.body;
  }
  const end = f(mapSubterms(term, (part) => rewriteUp(part, f)));
  return around.reduceRight<Term>((body, binding) => f(binding.body === body ? binding : { ...binding, body }), end);
}

/** Applies `f` to every definition but those that it is known to leave as they are, and learns of these; the program itself where nothing changes. */
export function mapDefinitions(program: Program, f: (fn: Fn) => Fn, settled = new WeakSet<Fn>()): Program {
  const definitions = mapSame(program.definitions, (fn) => {
    const mapped = settled.has(fn) ? fn : f(fn);
    if (mapped === fn) settled.add(fn);
    return mapped;
  });
  return withParts(program, { definitions });
}

export function withBody(fn: Fn, body: Term): Fn {
  return withParts(fn, { body });
}
