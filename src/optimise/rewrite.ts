// How the passes walk over terms: part by part, with the bodies of `let` and `let rec` in a loop. What does not change stays the same object, so that
// a pass can tell whether it has done anything.

import type { Fn, Program, Term } from "../core/term.js";
import { mapSame } from "../same.js";

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
    case "parallel": {
      const items = mapSame(term.items, f);
      return items === term.items ? term : { ...term, items };
    }
    case "proj": {
      const tuple = f(term.tuple);
      return tuple === term.tuple ? term : { ...term, tuple };
    }
    case "lam": {
      const body = f(term.body);
      return body === term.body ? term : { ...term, body };
    }
    case "app": {
      const [fn, arg] = [f(term.fn), f(term.arg)];
      return fn === term.fn && arg === term.arg ? term : { ...term, fn, arg };
    }
    case "call":
    case "op":
    case "con": {
      const args = mapSame(term.args, f);
      return args === term.args ? term : { ...term, args };
    }
    case "case": {
      const scrutinee = f(term.scrutinee);
      const branches = mapSame(term.branches, (branch) => {
        const body = f(branch.body);
        return body === branch.body ? branch : { ...branch, body };
      });
      return scrutinee === term.scrutinee && branches === term.branches ? term : { ...term, scrutinee, branches };
    }
    case "if": {
      const [cond, then, otherwise] = [f(term.cond), f(term.then), f(term.else)];
      if (cond === term.cond && then === term.then && otherwise === term.else) return term;
      return { ...term, cond, then, else: otherwise };
    }
    case "build": {
      const [size, body] = [f(term.size), f(term.body)];
      return size === term.size && body === term.body ? term : { ...term, size, body };
    }
    case "scan": {
      const [size, start, body] = [f(term.size), f(term.start), f(term.body)];
      if (size === term.size && start === term.start && body === term.body) return term;
      return { ...term, size, start, body };
    }
    case "index": {
      const [array, index] = [f(term.array), f(term.index)];
      return array === term.array && index === term.index ? term : { ...term, array, index };
    }
    case "length": {
      const array = f(term.array);
      return array === term.array ? term : { ...term, array };
    }
  }
}

/** A binding whose bound term, or whose functions' bodies, `f` is applied to. */
export function mapBinding(binding: Binding, f: (part: Term) => Term): Binding {
  if (binding.kind === "let") {
    const bound = f(binding.bound);
    return bound === binding.bound ? binding : { ...binding, bound };
  }
  const functions = mapSame(binding.functions, (fn) => withBody(fn, f(fn.body)));
  return functions === binding.functions ? binding : { ...binding, functions };
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
  return definitions === program.definitions ? program : { ...program, definitions };
}

export function withBody(fn: Fn, body: Term): Fn {
  return body === fn.body ? fn : { ...fn, body };
}
