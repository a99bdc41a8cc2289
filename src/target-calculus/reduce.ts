// Administrative reductions: what SV25 §5.3 calls redexes simplified for readability. They do not change the work of a program.
//
//   let x = a in t                 =>  t[a/x]                          a a variable or a literal
//   let (x1, .., xn) = (t1, .., tn) in u  =>  let x1 = t1 in .. u
//   let x = (let y = s in t) in u  =>  let y = s in let x = t in u     likewise for bind and letTuple
//   do x <- return t; u            =>  let x = t in u                  first law of the monad
//   do x <- t; return x            =>  t                               second law
//   (\_z. b) a                     =>  b[a/z]                          also for a linear lambda named and used once
//   (t1, .., tn).i                 =>  ti                              where the others are atoms or functions
//   0 + t  =>  t,  t + 0  =>  t                                        laws of the monoid
//   let x = \.. in t               =>  t                               x not used in t

import { isAtom } from "./build.js";
import { mapSubterms, eachSubterm } from "./traverse.js";
import type { Fn, Program, Term } from "./term.js";

/** Reduces every definition and wrapper. Binders are distinct before and after. */
export function reduceProgram(program: Program): Program {
  return {
    data: program.data,
    definitions: program.definitions.map(reduceFn),
    wrappers: program.wrappers.map((wrapper) => ({
      ...wrapper,
      fn: reduceFn(wrapper.fn),
      gradient: wrapper.gradient === null ? null : reduceFn(wrapper.gradient),
    })),
  };
}

function reduceFn(fn: Fn): Fn {
  // The second iteration takes what the first has made a redex
  const once = new Reduction(fn.body).reduce(fn.body);
  return { ...fn, body: new Reduction(once).reduce(once) };
}

class Reduction {
  readonly #uses: ReadonlyMap<string, Uses>;
  readonly #replaced = new Map<string, Term>();

  constructor(body: Term) {
    this.#uses = countUses(body);
  }

  /** Follows bindings in a loop: programs may be long chains of them. */
  readonly reduce = (start: Term): Term => {
    const around: Around[] = [];
    let term = start;
    while (isBinding(term)) {
      around.push(...this.#binding(term));
      term = term.body;
    }
    return around.reduceRight<Term>(withBody, this.#unbound(term));
  };

  /** What is left of a binding: the bindings at the top of what it binds, and itself unless it dissolves. */
  #binding(term: Binding): readonly Around[] {
    if (term.kind === "letRec") {
      return [{ ...term, functions: term.functions.map((fn) => ({ ...fn, body: this.reduce(fn.body) })) }];
    }
    const around: Around[] = [];
    let bound = this.reduce(term.bound);
    while (isBinding(bound) && bound.kind !== "letRec") {
      around.push(bound);
      bound = bound.body;
    }
    return [...around, ...this.#bound(term, bound)];
  }

  #bound(term: Exclude<Binding, { readonly kind: "letRec" }>, bound: Term): readonly Around[] {
    switch (term.kind) {
      case "let":
        return this.#dissolves(term.name, bound) ? [] : [{ ...term, bound }];
      case "bind":
        return bound.kind === "return" ? this.#bound({ ...term, kind: "let" }, bound.value) : [{ ...term, bound }];
      case "letTuple":
        if (bound.kind !== "tuple") return [{ ...term, bound }];
        return bound.items.flatMap((item, index): readonly Around[] => {
          const [name, type] = [term.names[index], term.types[index]];
          if (name === undefined || type === undefined || this.#dissolves(name, item)) return [];
          return [{ kind: "let", name, type, bound: item, body: term.body }];
        });
    }
  }

  readonly #unbound = (term: Term): Term => {
    switch (term.kind) {
      case "var":
        return this.#replaced.get(term.name) ?? term;
      case "app":
        return this.#app(term);
      case "proj": {
        const tuple = this.reduce(term.tuple);
        const item = tuple.kind === "tuple" ? tuple.items[term.index] : undefined;
        return item !== undefined && tuple.kind === "tuple" && tuple.items.every((t) => t === item || isSilent(t))
          ? item
          : { ...term, tuple };
      }
      case "plus": {
        const [left, right] = [this.reduce(term.left), this.reduce(term.right)];
        if (left.kind === "zero") return right;
        return right.kind === "zero" ? left : { ...term, left, right };
      }
      default:
        return mapSubterms(term, this.reduce);
    }
  };

  /** Whether a binding needs no name: it is then gone from the reduced term, its value put in place of the name where it is used. */
  #dissolves(name: string, bound: Term): boolean {
    const { all, calls } = this.#uses.get(name) ?? { all: 0, calls: 0 };
    if (isFunction(bound) && all === 0) return true;
    if (!isAtom(bound) && !(bound.kind === "linLam" && all === 1 && calls === 1)) return false;
    this.#replaced.set(name, bound);
    return true;
  }

  #app(term: Term & { readonly kind: "app" }): Term {
    const fn = this.reduce(term.fn);
    const arg = this.reduce(term.arg);
    if (fn.kind === "linLam" && (isPath(arg) || (this.#uses.get(fn.param)?.all ?? 0) <= 1)) {
      this.#replaced.set(fn.param, arg);
      return this.reduce(fn.body);
    }
    return { ...term, fn, arg };
  }
}

type Binding = Term & { readonly kind: "let" | "letTuple" | "letRec" | "bind" };

/** A binding whose body is yet to be put in. */
type Around = Binding;

function isBinding(term: Term): term is Binding {
  return term.kind === "let" || term.kind === "letTuple" || term.kind === "letRec" || term.kind === "bind";
}

/** Puts a body into a binding. `do x <- t; return x` is t: the monad's second law. */
function withBody(body: Term, around: Around): Term {
  const isReturned =
    around.kind === "bind" && body.kind === "return" && body.value.kind === "var" && body.value.name === around.name;
  return isReturned ? around.bound : { ...around, body };
}

/** A term whose evaluation does nothing: it can be left out. */
function isSilent(term: Term): boolean {
  return isAtom(term) || isFunction(term) || (term.kind === "tuple" && term.items.every(isSilent));
}

/** A part of a variable: reading it again is as good as giving it a name. */
function isPath(term: Term): boolean {
  switch (term.kind) {
    case "proj":
      return isPath(term.tuple);
    case "index":
      return term.site === null && isPath(term.array) && isPath(term.index);
    default:
      return isAtom(term);
  }
}

function isFunction(term: Term): boolean {
  return term.kind === "lam" || term.kind === "linLam";
}

/** How often a variable occurs, and how often of these as the function of an application. */
interface Uses {
  readonly all: number;
  readonly calls: number;
}

/** A use in the body of a `build`, `scan` or `sum` that the variable is bound outside of counts as two. */
function countUses(term: Term): ReadonlyMap<string, Uses> {
  const uses = new Map<string, Uses>();
  const depths = new Map<string, number>();
  const count = (name: string, depth: number, call: boolean): void => {
    const times = depth > (depths.get(name) ?? 0) ? 2 : 1;
    const { all, calls } = uses.get(name) ?? { all: 0, calls: 0 };
    uses.set(name, { all: all + times, calls: calls + (call ? times : 0) });
  };
  const waiting: { readonly term: Term; readonly depth: number }[] = [{ term, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { term: t, depth } = next;
    for (const name of boundBy(t)) depths.set(name, depth);
    if (t.kind === "var") {
      count(t.name, depth, false);
    } else if (t.kind === "app" && t.fn.kind === "var") {
      count(t.fn.name, depth, true);
      waiting.push({ term: t.arg, depth });
    } else {
      const isLoop = t.kind === "build" || t.kind === "scan" || t.kind === "sum";
      eachSubterm(t, (part) => waiting.push({ term: part, depth: isLoop && part === t.body ? depth + 1 : depth }));
    }
  }
  return uses;
}

/** The names of a term's own that a reduction may replace. */
function boundBy(term: Term): readonly string[] {
  switch (term.kind) {
    case "let":
    case "bind":
      return [term.name];
    case "letTuple":
      return term.names;
    case "linLam":
      return [term.param];
    default:
      return [];
  }
}
