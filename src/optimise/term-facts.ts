// What passes ask of a term: how large it is, what is free in it, whether evaluating it can be left out.

import { primitive } from "../core/primitives.js";
import type { Term } from "../core/term.js";
import { allTerms, binders, subterms } from "../core/traverse.js";

/** The number of a term's nodes; some number above `limit` where there are more. */
export function sizeOf(term: Term, limit = Infinity): number {
  let size = 0;
  const waiting = [term];
  for (let part = waiting.pop(); part !== undefined && size <= limit; part = waiting.pop()) {
    // A binding is written with what it binds
    if (part.kind !== "let") size += 1;
    waiting.push(...subterms(part));
  }
  return size;
}

/** Whether evaluating a term where it stands ends and does not fail, so that it may be left out there. It may not be evaluated elsewhere. */
export function isTotal(root: Term): boolean {
  // Inside a lambda or a function nothing is evaluated yet
  const waiting: Term[] = [root];
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    switch (term.kind) {
      case "call":
      case "app":
        return false;
      case "lam":
        continue;
      case "letRec":
        waiting.push(term.body);
        continue;
      case "op":
        if (mayFail(term)) return false;
        break;
      case "index":
        if (term.site !== null) return false;
        break;
      case "build":
      case "scan":
        if (term.site !== null && !isNaturalLiteral(term.size)) return false;
        break;
      default:
    }
    waiting.push(...subterms(term));
  }
  return true;
}

/** Whether an operation may fail on some arguments of its type. */
export function mayFail({ op, site }: Term & { readonly kind: "op" }): boolean {
  return site !== null && primitive(op).mayFail;
}

function isNaturalLiteral(term: Term): boolean {
  return term.kind === "int" && term.value >= 0;
}

/** What a term uses and does not bind: variables, and the functions that it calls. */
export interface Free {
  readonly variables: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

/** Both in order of occurrence. */
export function freeIn(term: Term): Free {
  const bound = new Set<string>();
  const variables = new Set<string>();
  const functions = new Set<string>();
  for (const part of allTerms(term)) {
    for (const name of binders(part)) bound.add(name);
    if (part.kind === "var") variables.add(part.name);
    if (part.kind === "call") functions.add(part.fn);
  }
  for (const name of bound) {
    variables.delete(name);
    functions.delete(name);
  }
  return { variables, functions };
}

/** What is asked of the bodies of functions again and again, while most of them stay the same. */
export interface Contents {
  /** The number of nodes. */
  readonly size: number;
  /** How often each function is called, in order of occurrence. */
  readonly calls: ReadonlyMap<string, number>;
  /** The bindings of functions, each before those within it. */
  readonly letRecs: readonly LetRec[];
}

type LetRec = Term & { readonly kind: "letRec" };

const known = new WeakMap<Term, Contents>();

export function contentsOf(body: Term): Contents {
  const found = known.get(body) ?? contents(body);
  known.set(body, found);
  return found;
}

function contents(body: Term): Contents {
  const calls = new Map<string, number>();
  const letRecs: LetRec[] = [];
  let size = 0;
  for (const part of allTerms(body)) {
    if (part.kind !== "let") size += 1;
    if (part.kind === "call") calls.set(part.fn, (calls.get(part.fn) ?? 0) + 1);
    if (part.kind === "letRec") letRecs.push(part);
  }
  return { size, calls, letRecs };
}
