// What random programs are made of, and how much of it is compared.

import { preludeCalls } from "./random-prelude.js";
import type { Verdict } from "./harness.js";
import { constructsOf, type RandomProgram } from "./random-program.js";

/** What random programs show: each must occur. */
export const constructs: readonly string[] = [
  // Arrays
  "empty array", "array literal", "build", "build of size zero", "build with a state", "build as long as another", "ragged arrays", "index", "index of a build", "index of a row",
  "length", "sum over an array", "loop along an array", ...Object.keys(preludeCalls).map((name) => `prelude ${name}`),
  "prelude dot", "prelude zip", "prelude zipWith", "prelude zipWith3", "prelude slice", "prelude matVec", "prelude matMul",
  // Records
  "record by name", "field", "record update", "record pattern",
  // Control
  "let", "if", "case", "loop", "recursion over data", "parallel", "projection", "not used",
  // Functions
  "lambda applied", "variable applied", "polymorphic function applied", "local polymorphic function", "builtin as a value",
  // Closures that escape, and values on several paths
  "array of closures", "list of closures", "composed closures", "closure returned from a branch", "closure in a pair", "closure from a loop",
  "alias in a tuple", "alias in an array", "alias in a closure", "alias in data and a closure", "argument used twice",
  "alias in the arguments", "parameter given back",
  // What must leave no trace
  "singular branch not taken", "singular loop of no iterations", "loop of no iterations",
  // Run-time errors
  "index that may fail", "build that may fail", "integer operation that may fail", "lengths that may differ",
]; // prettier-ignore

export class Statistics {
  agreeing = 0;
  withGradient = 0;
  #failing = 0;
  #tooMuch = 0;
  #illConditioned = 0;
  #finiteDifferences = 0;
  #active = 0;
  #reaching = 0;
  #programs = 0;
  readonly #counts = new Map<string, number>();

  program(program: RandomProgram): void {
    this.#programs += 1;
    for (const construct of new Set(constructsOf(program))) {
      this.#counts.set(construct, this.programsWith(construct) + 1);
    }
  }

  verdict(verdict: Verdict): void {
    switch (verdict.kind) {
      case "agree": {
        const { finiteDifferences, hasGradient, operations, reaching } = verdict.facts;
        this.agreeing += 1;
        if (hasGradient) this.withGradient += 1;
        if (finiteDifferences) this.#finiteDifferences += 1;
        if (operations > 0) {
          this.#active += 1;
          this.#reaching += reaching / operations;
        }
        break;
      }
      case "fail":
        this.#failing += 1;
        break;
      case "ill-conditioned":
        this.#illConditioned += 1;
        break;
      case "too much work":
        this.#tooMuch += 1;
        break;
      case "differ":
        break;
    }
  }

  /** How many programs show a construct. */
  programsWith(construct: string): number {
    return this.#counts.get(construct) ?? 0;
  }

  constructs(): readonly string[] {
    return [...this.#counts.keys()];
  }

  /** Of a program's operations on what depends on the inputs, how many reach the result: the mean over programs, since one may do more operations than all others. */
  get reaching(): number {
    return this.#reaching / Math.max(1, this.#active);
  }

  text(): string {
    const share = (count: number): string => `${((100 * count) / Math.max(1, this.#programs)).toFixed(1)} %`;
    const lines = [
      `${this.#programs} programs: ${share(this.agreeing)} compared, ${share(this.withGradient)} with a gradient, ${share(this.#finiteDifferences)} with finite differences, ${share(this.#failing)} fail, ${share(this.#tooMuch)} are too much work, ${share(this.#illConditioned)} differ where rounding may`,
      `${(100 * this.reaching).toFixed(1)} % of a program's operations on inputs reach the result`,
      ...[...this.#counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${share(count).padStart(7)}  ${name}`),
    ];
    return lines.join("\n");
  }
}
