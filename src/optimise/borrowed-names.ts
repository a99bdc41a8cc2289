// What a variable that the author has not named is called after: the parameter that it is passed to, or what its loop comes by.
//
//   let next = update(acc, seen) in ..   =>   acc called belief        where  update(belief, x) = ..
//   let drawdown = let rec go(i, acc) = if .. then acc else go(i + 1, ..) in go(0, 0) in ..   =>   acc called drawdown

import type { Fn, Program, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import type { VariableNames } from "./variable-names.js";

/** Has nothing but names changed, by `names`. */
export function borrowNames({ definitions }: Program, names: VariableNames): void {
  const functions = new Map(definitions.map((fn) => [fn.name, fn]));
  const terms = definitions.flatMap(({ body }) => allTerms(body));
  // A parameter says what a variable is in each iteration, a result only what it is in the end
  for (const term of terms) {
    if (term.kind !== "letRec") continue;
    const own = new Map(term.functions.map((fn) => [fn.name, fn]));
    const calls = term.functions.flatMap(({ body }) => allTerms(body)).filter((each) => isCallOf(own, each));
    fromParameters(calls, own, names);
    // What a loop begins with is something else than what it carries
    if (calls.length === 0) for (const fn of term.functions) functions.set(fn.name, fn);
  }
  fromParameters(terms, functions, names);
  for (const term of terms) {
    if (term.kind !== "let") continue;
    for (const result of carriedResults(term.bound)) names.merge(result, term.name);
  }
}

function isCallOf(functions: ReadonlyMap<string, Fn>, term: Term): boolean {
  return term.kind === "call" && functions.has(term.fn);
}

/** Looks at the calls of these functions among terms. */
function fromParameters(terms: readonly Term[], functions: ReadonlyMap<string, Fn>, names: VariableNames): void {
  for (const term of terms) {
    if (term.kind !== "call") continue;
    const params = functions.get(term.fn)?.params ?? [];
    term.args.forEach((arg, index) => {
      const param = params[index];
      if (arg.kind === "var" && param !== undefined) names.merge(arg.name, param.name);
    });
  }
}

/** The parameters of local functions that a term's value may be. */
function carriedResults(bound: Term): readonly string[] {
  const functions = new Map<string, Fn>();
  const params = new Set<string>();
  const results: string[] = [];
  const waiting = [bound];
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    switch (term.kind) {
      case "let":
        waiting.push(term.body);
        break;
      case "letRec":
        for (const fn of term.functions) {
          functions.set(fn.name, fn);
          for (const { name } of fn.params) params.add(name);
        }
        waiting.push(term.body);
        break;
      case "if":
        waiting.push(term.then, term.else);
        break;
      case "case":
        waiting.push(...term.branches.map(({ body }) => body));
        break;
      case "call": {
        const fn = functions.get(term.fn);
        // Each body is looked at once
        functions.delete(term.fn);
        if (fn !== undefined) waiting.push(fn.body);
        break;
      }
      case "var":
        if (params.has(term.name)) results.push(term.name);
        break;
      default:
        break;
    }
  }
  return results;
}
