// Congruence for target terms: the immediate subterms of a term, read and replaced.

import type { Fn, Term } from "./term.js";

/** Replaces each immediate subterm, in order of evaluation where there is one. */
export function mapSubterms(term: Term, f: (term: Term) => Term): Term {
  // prettier-ignore
  switch (term.kind) {
    case "var":
    case "real":
    case "int":
    case "bool":
    case "zero":
    case "impossible": return term;
    case "tuple":
    case "array":
    case "parallel":   return { ...term, items: term.items.map(f) };
    case "proj":       return { ...term, tuple: f(term.tuple) };
    case "lam":
    case "linLam":     return { ...term, body: f(term.body) };
    case "app":        return { ...term, fn: f(term.fn), arg: f(term.arg) };
    case "call":
    case "op":
    case "con":
    case "ext":        return { ...term, args: term.args.map(f) };
    case "let":
    case "letTuple":
    case "bind":       return { ...term, bound: f(term.bound), body: f(term.body) };
    case "letRec":     return { ...term, functions: term.functions.map((fn): Fn => ({ ...fn, body: f(fn.body) })), body: f(term.body) };
    case "case":       return { ...term, scrutinee: f(term.scrutinee), branches: term.branches.map((branch) => ({ ...branch, body: f(branch.body) })) };
    case "if":         return { ...term, cond: f(term.cond), then: f(term.then), else: f(term.else) };
    case "partial":    return { ...term, args: term.args.map(f), result: f(term.result), cotangent: f(term.cotangent) };
    case "plus":       return { ...term, left: f(term.left), right: f(term.right) };
    case "build":
    case "sum":        return { ...term, size: f(term.size), body: f(term.body) };
    case "scan":       return { ...term, size: f(term.size), start: f(term.start), body: f(term.body) };
    case "index":      return { ...term, array: f(term.array), index: f(term.index) };
    case "length":     return { ...term, array: f(term.array) };
    case "return":     return { ...term, value: f(term.value) };
  }
}

/** Visits each immediate subterm, in the same order. */
export function eachSubterm(term: Term, visit: (term: Term) => void): void {
  mapSubterms(term, (part) => {
    visit(part);
    return part;
  });
}

/** The immediate subterms, in the same order. */
export function subtermsOf(term: Term): readonly Term[] {
  const found: Term[] = [];
  eachSubterm(term, (part) => found.push(part));
  return found;
}
