// Tail calls; those of a function to itself are loops in TypeScript.

import type { Fn, Term } from "../../target-calculus/term.js";
import type { DeepCalls } from "./deep-normal.js";

/** Whether a function calls itself in tail position. */
export function tailCallsItself(fn: Fn): boolean {
  return tailCalls(fn.body, null).some((call) => call.kind === "call" && call.fn === fn.name);
}

/**
 * The calls in tail position. In a function's deep version, what follows a binding that may be deep is left to another function, so that
 * tail position is in what is bound.
 */
export function tailCalls(body: Term, deep: DeepCalls | null): readonly Term[] {
  const calls: Term[] = [];
  const visit = (start: Term): void => {
    let term = start;
    for (;;) {
      switch (term.kind) {
        case "call":
          calls.push(term);
          return;
        case "let":
        case "bind":
          term = deep?.in(term.bound) === true ? term.bound : term.body;
          continue;
        case "letTuple":
        case "letRec":
          term = term.body;
          continue;
        case "return":
          term = term.value;
          continue;
        case "app":
          if (term.fn.kind !== "lam" && term.fn.kind !== "linLam") {
            calls.push(term);
            return;
          }
          term = term.fn.body;
          continue;
        case "if":
          visit(term.then);
          term = term.else;
          continue;
        case "case":
          for (const { body } of term.branches) visit(body);
          return;
        default:
          return;
      }
    }
  };
  visit(body);
  return calls;
}
