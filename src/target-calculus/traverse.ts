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
  // prettier-ignore
  switch (term.kind) {
    case "var":
    case "real":
    case "int":
    case "bool":
    case "zero":
    case "impossible": return;
    case "tuple":
    case "array":
    case "parallel":   for (const item of term.items) visit(item); return;
    case "proj":       visit(term.tuple); return;
    case "lam":
    case "linLam":     visit(term.body); return;
    case "app":        visit(term.fn); visit(term.arg); return;
    case "call":
    case "op":
    case "con":
    case "ext":        for (const arg of term.args) visit(arg); return;
    case "let":
    case "letTuple":
    case "bind":       visit(term.bound); visit(term.body); return;
    case "letRec":     for (const fn of term.functions) visit(fn.body); visit(term.body); return;
    case "case":       visit(term.scrutinee); for (const branch of term.branches) visit(branch.body); return;
    case "if":         visit(term.cond); visit(term.then); visit(term.else); return;
    case "partial":    for (const arg of term.args) visit(arg); visit(term.result); visit(term.cotangent); return;
    case "plus":       visit(term.left); visit(term.right); return;
    case "build":
    case "sum":        visit(term.size); visit(term.body); return;
    case "scan":       visit(term.size); visit(term.start); visit(term.body); return;
    case "index":      visit(term.array); visit(term.index); return;
    case "length":     visit(term.array); return;
    case "return":     visit(term.value); return;
  }
}
