// How functions are called across modules that are compiled apart: neither knows which functions of the other one recurse, so that all that one can get from the other takes the depth
// of the stack: definitions that others call, and function values.

import type { Fn } from "../../target-calculus/term.js";
import type { Convention, FunctionType, Lambda } from "./convention.js";

export class OpenConvention implements Convention {
  readonly isOpen = true;
  readonly #own: Convention;
  readonly #linked: (name: string) => boolean;

  /** `own`: how the module's own functions recurse. `isLinked`: whether a definition is called from other modules, or of one of them. */
  constructor(own: Convention, isLinked: (name: string) => boolean) {
    this.#own = own;
    this.#linked = isLinked;
  }

  takesDepth(fn: Fn): boolean {
    return this.#linked(fn.name) || this.#own.takesDepth(fn);
  }

  typeTakesDepth(type: FunctionType): boolean {
    // Linear functions are pullbacks, which no program mentions
    return type.kind === "fn" || this.#own.typeTakesDepth(type);
  }

  lambdaTakesDepth(lambda: Lambda): boolean {
    return lambda.kind === "lam" || this.#own.lambdaTakesDepth(lambda);
  }

  lambdaCycleOf(lambda: Lambda): number | null {
    return this.#own.lambdaCycleOf(lambda);
  }

  cycleOf(fn: Fn): number | null {
    return this.#own.cycleOf(fn);
  }

  typeCycleOf(type: FunctionType): number | null {
    return this.#own.typeCycleOf(type);
  }
}
