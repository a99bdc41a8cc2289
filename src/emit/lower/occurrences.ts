// How the variables of a definition are used: how often, from inside functions, and where TypeScript's narrowing matters.

import { primitive } from "../../core/primitives.js";
import type { Fn, Term } from "../../target-calculus/term.js";
import { eachSubterm } from "../../target-calculus/traverse.js";

export interface Occurrences {
  readonly uses: number;
  /** Used in a lambda or local function that does not bind it. */
  readonly captured: boolean;
  /** Taken apart by a `case`, compared, or the condition of an `if`. */
  readonly examined: boolean;
}

const unused: Occurrences = { uses: 0, captured: false, examined: false };

/** The occurrences of every variable of a definition. */
export class OccurrenceTable {
  readonly #table = new Map<string, { uses: number; captured: boolean; examined: boolean }>();
  /** The function that binds each variable, as a number. */
  readonly #owners = new Map<string, number>();
  #functions = 0;

  constructor(definition: Fn) {
    this.#enter(
      definition.params.map(({ name }) => name),
      definition.body,
    );
  }

  of(name: string): Occurrences {
    return this.#table.get(name) ?? unused;
  }

  #enter(params: readonly string[], body: Term): void {
    const owner = ++this.#functions;
    for (const param of params) this.#owners.set(param, owner);
    this.#walk(body, owner);
  }

  #entry(name: string): { uses: number; captured: boolean; examined: boolean } {
    const known = this.#table.get(name);
    if (known !== undefined) return known;
    const entry = { ...unused };
    this.#table.set(name, entry);
    return entry;
  }

  #examine(term: Term): void {
    if (term.kind === "var") this.#entry(term.name).examined = true;
  }

  #walk(start: Term, owner: number): void {
    let term = start;
    for (;;) {
      switch (term.kind) {
        case "let":
        case "bind":
          this.#walk(term.bound, owner);
          this.#owners.set(term.name, owner);
          term = term.body;
          continue;
        case "letTuple":
          this.#walk(term.bound, owner);
          for (const name of term.names) this.#owners.set(name, owner);
          term = term.body;
          continue;
        case "letRec":
          for (const fn of term.functions)
            this.#enter(
              fn.params.map(({ name }) => name),
              fn.body,
            );
          term = term.body;
          continue;
        case "var": {
          const entry = this.#entry(term.name);
          entry.uses += 1;
          if (this.#owners.get(term.name) !== owner) entry.captured = true;
          return;
        }
        case "lam":
        case "linLam":
          this.#enter([term.param], term.body);
          return;
        case "build":
          this.#owners.set(term.index, owner);
          break;
        case "scan":
          this.#owners.set(term.index, owner);
          this.#owners.set(term.carried, owner);
          break;
        case "sum":
          // Written as a function of the index, but for computations
          if (term.type.kind === "computation") {
            this.#owners.set(term.index, owner);
            break;
          }
          this.#walk(term.size, owner);
          this.#enter([term.index], term.body);
          return;
        case "case":
          this.#examine(term.scrutinee);
          this.#walk(term.scrutinee, owner);
          for (const branch of term.branches) {
            for (const name of branch.vars) this.#owners.set(name, owner);
            this.#walk(branch.body, owner);
          }
          return;
        case "if":
          this.#examine(term.cond);
          break;
        case "op":
          if (/^(eq|ne)/.test(term.op))
            term.args.forEach((arg) => {
              this.#examine(arg);
            });
          break;
        case "partial":
          // A partial derivative with cases compares its arguments
          if (primitive(term.op).partials[term.index]?.kind === "if") for (const arg of term.args) this.#examine(arg);
          break;
        default:
      }
      eachSubterm(term, (part) => {
        this.#walk(part, owner);
      });
      return;
    }
  }
}
