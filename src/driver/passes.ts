// How passes are run: each under its name, timed, checked and shown where that is asked for, with what it throws turned into an internal error that names it.

import type { Prepared } from "../adjoint/prepare.js";
import type * as Core from "../core/term.js";
import type * as Flat from "../flat/program.js";
import { InternalError, PassError } from "../internal-error.js";
import type { Around, PassInfo } from "../pass.js";
import type { TsDeclaration, TsFunction } from "../typescript/tree.js";
import type { Form } from "./forms.js";

/** Told after each pass how long it took, without the passes that ran inside it. */
export type PassListener = (pass: string, milliseconds: number) => void;

/** A pass ran out of the JavaScript stack or of memory for one object: the program is too large or too deep for the compiler. */
export class PassLimit extends Error {
  override readonly name = "PassLimit";

  constructor(
    readonly pass: string,
    readonly limit: "depth" | "size",
  ) {
    super(`${pass}: the program is too ${limit === "depth" ? "deep" : "large"}`);
  }
}

/** What a program is after a run of a pass. */
export interface PassResult {
  readonly pass: PassInfo;
  readonly isChange: boolean;
  readonly form: Form;
}

/** What is asked of the passes of the stage `adjoint`. */
export interface Asked {
  /** Whether a pass runs, `within` a function or over the whole program; those without which there is no program run anyway. */
  readonly runs: (pass: PassInfo, within: string | null) => boolean;
  /** Throws an `InternalError` where an invariant of a form does not hold; null: nothing is checked after passes. */
  readonly check: ((form: Form) => void) | null;
  readonly onResult: (result: PassResult) => void;
}

const plain: Asked = { runs: () => true, check: null, onResult: () => undefined };

export class Passes {
  readonly #listener: PassListener | null;
  readonly #asked: Asked;
  /** The pass that is running, and how long passes inside it have taken. */
  #running: { inside: number } | null = null;

  constructor(listener: PassListener | null, asked: Partial<Asked> = {}) {
    this.#listener = listener;
    this.#asked = { ...plain, ...asked };
  }

  /** Whether the invariants of programs are checked after each pass. */
  get verifies(): boolean {
    return this.#asked.check !== null;
  }

  /** Runs one pass. Throws `PassError` and `PassLimit` only. */
  run<T>(name: string, pass: () => T): T {
    const start = performance.now();
    const outer = this.#running;
    const running = { inside: 0 };
    this.#running = running;
    try {
      return pass();
    } catch (error) {
      throw explainThrown(name, error);
    } finally {
      const spent = performance.now() - start;
      if (outer !== null) outer.inside += spent;
      this.#running = outer;
      this.#listener?.(name, spent - running.inside);
    }
  }

  readonly core: Around<Core.Program> = this.#around((program) => ({ ir: "core", program }));
  readonly flat: Around<Flat.Program> = this.#around((program) => ({ ir: "flat", program }));
  readonly stores: Around<Prepared> = this.#around((program) => ({ ir: "stores", program }));
  readonly module: Around<readonly TsDeclaration[]> = this.#around((program) => ({ ir: "module", program }));
  readonly function = (written: (fn: TsFunction) => TsDeclaration): Around<TsFunction> =>
    this.#around((program) => ({ ir: "function", program, written: () => written(program) }));

  #around<T>(formOf: (program: T) => Form): Around<T> {
    return (pass, before, run) => {
      if (before !== null && pass.isNeeded !== true) {
        const form = formOf(before);
        if (!this.#asked.runs(pass, form.ir === "function" ? form.program.name : null)) return before;
      }
      const after = this.run(pass.name, run);
      const isChange = after !== before;
      const form = formOf(after);
      const { check } = this.#asked;
      if (isChange && check !== null) {
        this.run(`check ${pass.name}`, () => {
          assertAfter(pass, () => { check(form); }); // prettier-ignore
        });
      }
      this.#asked.onResult({ pass, isChange, form });
      return after;
    };
  }
}

/** What a checker finds is a mistake of the pass, whichever part of the checker finds it. */
function assertAfter(pass: PassInfo, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof InternalError)) throw error;
    throw new PassError(pass.name, `what it has made breaks an invariant: ${error.detail}`, error.dump, error);
  }
}

function explainThrown(pass: string, error: unknown): PassError | PassLimit {
  if (error instanceof PassError || error instanceof PassLimit) return error;
  if (error instanceof InternalError) {
    const detail = error.pass === pass ? error.detail : `${error.pass}: ${error.detail}`;
    return new PassError(pass, detail, error.dump, error);
  }
  if (error instanceof RangeError && error.message.includes("call stack")) return new PassLimit(pass, "depth");
  if (
    error instanceof RangeError &&
    /Invalid (string|array) length|Map maximum size|Set maximum size/.test(error.message)
  ) {
    return new PassLimit(pass, "size");
  }
  return new PassError(pass, error instanceof Error ? error.message : String(error), "", error);
}
