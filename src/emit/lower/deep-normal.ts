// The normal form of a function's deep version: calls that may be deep stand in tail position, or are what a `let` binds. What else holds
// such calls and is not in tail position (an `if`, a `case`) is bound by a `let` too, with its own parts in normal form.
//
//   x + sum(rest)                becomes  let value = sum(rest) in x + value
//   f (if c then sum(xs) else 0)  becomes  let arg = if c then sum(xs) else 0 in f arg

import { isAtom, variable } from "../../target-calculus/build.js";
import type { Names } from "../../core/names.js";
import type { Fn, Term } from "../../target-calculus/term.js";
import { eachSubterm } from "../../target-calculus/traverse.js";
import type { Type } from "../../target-calculus/type.js";
import type { Typing } from "./typing.js";

/** Which calls may be deep; functions inside a term are no part of it. */
export class DeepCalls {
  readonly #isDeepCall: (term: Term) => boolean;
  readonly #known = new Map<Term, boolean>();

  constructor(isDeepCall: (term: Term) => boolean) {
    this.#isDeepCall = isDeepCall;
  }

  isCall(term: Term): boolean {
    return (term.kind === "call" || term.kind === "app") && this.#isDeepCall(term);
  }

  /** Whether evaluating a term may make such a call. */
  in(term: Term): boolean {
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const found = this.isCall(term) || this.#inParts(term);
    this.#known.set(term, found);
    return found;
  }

  #inParts(term: Term): boolean {
    if (term.kind === "lam" || term.kind === "linLam") return false;
    if (term.kind === "letRec") return this.in(term.body);
    if (term.kind === "app" && (term.fn.kind === "lam" || term.fn.kind === "linLam")) {
      return this.in(term.arg) || this.in(term.fn.body);
    }
    let found = false;
    eachSubterm(term, (part) => {
      found ||= this.in(part);
    });
    return found;
  }
}

/** Puts a function's body in normal form. */
export function deepNormal(fn: Fn, calls: DeepCalls, typing: Typing, names: Names): Fn {
  return { ...fn, body: new Normalisation(calls, typing, names).tail(fn.body) };
}

class Normalisation {
  readonly #calls: DeepCalls;
  readonly #typing: Typing;
  readonly #names: Names;

  constructor(calls: DeepCalls, typing: Typing, names: Names) {
    this.#calls = calls;
    this.#typing = typing;
    this.#names = names;
  }

  /** A term in tail position. */
  tail(term: Term): Term {
    if (!this.#calls.in(term)) return term;
    switch (term.kind) {
      case "let":
      case "bind":
        return this.#bound(term.bound, (bound) => ({ ...term, kind: "let", bound, body: this.tail(term.body) }));
      case "letTuple":
        return this.#bound(term.bound, (bound) => {
          if (!this.#calls.in(bound)) return { ...term, bound, body: this.tail(term.body) };
          const { name, type } = this.#fresh("pair", term.bound);
          const body: Term = { ...term, bound: variable(name), body: this.tail(term.body) };
          return { kind: "let", name, type, bound, body };
        });
      case "letRec":
        return { ...term, body: this.tail(term.body) };
      case "return":
        return this.tail(term.value);
      case "if":
        return this.#operands([term.cond], ([cond = term]) => ({
          ...term,
          cond,
          then: this.tail(term.then),
          else: this.tail(term.else),
        }));
      case "case":
        return this.#operands([term.scrutinee], ([scrutinee = term]) => ({
          ...term,
          scrutinee,
          branches: term.branches.map((branch) => ({ ...branch, body: this.tail(branch.body) })),
        }));
      default:
        return this.#simple(term, (result) => result);
    }
  }

  /** What a `let` binds: bindings inside it come before it. */
  #bound(term: Term, rest: (bound: Term) => Term): Term {
    if (!this.#calls.in(term)) return rest(term);
    switch (term.kind) {
      case "let":
      case "bind":
        return this.#bound(term.bound, (bound) => ({
          ...term,
          kind: "let",
          bound,
          body: this.#bound(term.body, rest),
        }));
      case "letRec":
        return { ...term, body: this.#bound(term.body, rest) };
      case "return":
        return this.#bound(term.value, rest);
      case "letTuple":
      case "if":
      case "case":
        return rest(this.tail(term));
      default:
        return this.#simple(term, rest);
    }
  }

  /** A term that evaluates its parts and then does something with their values. */
  #simple(term: Term, rest: (result: Term) => Term): Term {
    switch (term.kind) {
      case "array":
      case "tuple":
      case "parallel":
        return this.#operands(term.items, (items) => rest({ ...term, items }));
      case "call":
      case "op":
      case "con":
      case "ext":
        return this.#operands(term.args, (args) => rest({ ...term, args }));
      case "proj":
        return this.#operands([term.tuple], ([tuple = term]) => rest({ ...term, tuple }));
      case "index":
        return this.#operands([term.array, term.index], ([array = term, index = term]) =>
          rest({ ...term, array, index }),
        );
      case "length":
        return this.#operands([term.array], ([array = term]) => rest({ ...term, array }));
      // Their bodies make no such calls (deep-loops.ts)
      case "build":
      case "sum":
        return this.#operands([term.size], ([size = term]) => rest({ ...term, size }));
      case "scan":
        return this.#operands([term.size, term.start], ([size = term, start = term]) => rest({ ...term, size, start }));
      case "plus":
        return this.#operands([term.left, term.right], ([left = term, right = term]) => rest({ ...term, left, right }));
      case "partial":
        return this.#operands([...term.args, term.result, term.cotangent], (parts) => {
          const [result = term, cotangent = term] = parts.slice(term.args.length);
          return rest({ ...term, args: parts.slice(0, term.args.length), result, cotangent });
        });
      case "app": {
        const { fn } = term;
        if (fn.kind === "lam" || fn.kind === "linLam") {
          return this.#bound({ kind: "let", name: fn.param, type: fn.type, bound: term.arg, body: fn.body }, rest);
        }
        return this.#operands([fn, term.arg], ([head = term, arg = term]) => rest({ ...term, fn: head, arg }));
      }
      default:
        return rest(term);
    }
  }

  /** Operands, first to last: up to the last that may be deep, they are bound to names. */
  #operands(terms: readonly Term[], rest: (terms: readonly Term[]) => Term): Term {
    const last = terms.reduce((found, term, index) => (this.#calls.in(term) ? index : found), -1);
    const from = (index: number, done: readonly Term[]): Term => {
      const term = terms[index];
      if (term === undefined) return rest(done);
      const isStable = isAtom(term) || term.kind === "lam" || term.kind === "linLam";
      if (index > last || isStable) return from(index + 1, [...done, term]);
      return this.#bound(term, (bound) => {
        const { name, type } = this.#fresh("value", term);
        const body = from(index + 1, [...done, variable(name)]);
        return { kind: "let", name, type, bound, body };
      });
    };
    return from(0, []);
  }

  /** A variable for the value of a term; whether a call of it may be deep is asked while the rest is put in normal form. */
  #fresh(hint: string, term: Term): { readonly name: string; readonly type: Type } {
    const name = this.#names.fresh(hint);
    const type = this.#typing.of(term);
    this.#typing.bind(name, type);
    return { name, type };
  }
}
