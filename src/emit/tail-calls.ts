// Tail calls of a function to itself, which are loops in TypeScript.

import type { Fn, Term } from "../target/term.js";

/** Whether a function calls itself in tail position. */
export function tailCallsItself(fn: Fn): boolean {
  return hasTailCall(fn.body, fn.name);
}

function hasTailCall(start: Term, name: string): boolean {
  let term = start;
  for (;;) {
    switch (term.kind) {
      case "call":
        return term.fn === name;
      case "let":
      case "bind":
      case "letTuple":
      case "letRec":
        term = term.body;
        continue;
      case "return":
        term = term.value;
        continue;
      case "app":
        if (term.fn.kind !== "lam" && term.fn.kind !== "linLam") return false;
        term = term.fn.body;
        continue;
      case "if":
        if (hasTailCall(term.then, name)) return true;
        term = term.else;
        continue;
      case "case":
        return term.branches.some(({ body }) => hasTailCall(body, name));
      default:
        return false;
    }
  }
}
