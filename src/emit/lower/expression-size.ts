// Which terms are written as one expression inside a conditional, and how large that expression is.

import { subtermsOf } from "../../target-calculus/traverse.js";
import type { Term } from "../../target-calculus/term.js";
import type { OccurrenceTable } from "./occurrences.js";

/** The largest branch of a conditional expression; beyond it the branches are statements. */
const largestBranch = 16;

/** How often a conditional expression may read one field where it stands. */
const mostFieldReads = 2;

export class ExpressionSize {
  readonly #occurrences: OccurrenceTable;
  readonly #isRecord: (data: string) => boolean;
  readonly #sizes = new Map<Term, number>();

  constructor(occurrences: OccurrenceTable, isRecord: (data: string) => boolean) {
    this.#occurrences = occurrences;
    this.#isRecord = isRecord;
  }

  /** Whether an `if` or `case` is written as a conditional expression. */
  isConditional(term: Term): boolean {
    return this.#of(term) < Infinity;
  }

  /** Says that a term needs statements after all. */
  forbid(term: Term): void {
    this.#sizes.set(term, Infinity);
  }

  #of(term: Term): number {
    const known = this.#sizes.get(term);
    if (known !== undefined) return known;
    const size = this.#measure(term);
    this.#sizes.set(term, size);
    return size;
  }

  #sum(terms: readonly Term[], own: number): number {
    return terms.reduce((sum, term) => (sum === Infinity ? sum : sum + this.#of(term)), own);
  }

  #measure(term: Term): number {
    switch (term.kind) {
      case "var":
      case "real":
      case "int":
      case "bool":
      case "zero":
      case "impossible":
        return 1;
      case "array":
      case "tuple":
      case "parallel":
      case "lam":
      case "linLam":
      case "call":
      case "ext":
      case "index":
        return this.#sum(subtermsOf(term), 2);
      case "app":
        return term.fn.kind === "lam" || term.fn.kind === "linLam" ? Infinity : this.#sum([term.fn, term.arg], 1);
      case "proj":
      case "op":
      case "length":
      case "plus":
        return this.#sum(subtermsOf(term), 1);
      case "con":
        return this.#sum(term.args, 4);
      case "partial":
        return this.#sum([...term.args, term.cotangent], 2);
      case "sum":
        return term.type.kind === "computation" ? Infinity : this.#sum([term.size, term.body], 4);
      case "return":
        return this.#of(term.value);
      case "if":
        return this.#branches([term.then, term.else], this.#of(term.cond));
      case "case":
        return this.#case(term);
      case "build":
      case "scan":
      case "let":
      case "bind":
      case "letTuple":
      case "letRec":
        return Infinity;
    }
  }

  #branches(branches: readonly Term[], test: number): number {
    const sizes = branches.map((branch) => this.#of(branch));
    if (sizes.some((size) => size > largestBranch)) return Infinity;
    return sizes.reduce((sum, size) => sum + size, test + 4);
  }

  /** Fields are read where they are used, so they must be used little, and not where TypeScript would forget the test. */
  #case(term: Term & { readonly kind: "case" }): number {
    const [only] = term.branches;
    if (only !== undefined && this.#isRecord(term.data)) return this.#sum([term.scrutinee, only.body], 1);
    if (term.scrutinee.kind !== "var" || term.branches.length !== 2) return Infinity;
    for (const name of term.branches.flatMap(({ vars }) => vars)) {
      const { uses, captured, examined } = this.#occurrences.of(name);
      if (uses > mostFieldReads || captured || examined) return Infinity;
    }
    return this.#branches(
      term.branches.map(({ body }) => body),
      1,
    );
  }
}
