// How passes are run: each under its name, timed, with what it throws turned into an internal error that names it.

import { InternalError } from "../internal-error.js";

/** Told after each pass how long it took. */
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

export class Passes {
  readonly #listener: PassListener | null;

  constructor(listener: PassListener | null) {
    this.#listener = listener;
  }

  /** Runs one pass. Throws `InternalError` and `PassLimit` only. */
  run<T>(name: string, pass: () => T): T {
    const start = performance.now();
    try {
      return pass();
    } catch (error) {
      throw explainThrown(name, error);
    } finally {
      this.#listener?.(name, performance.now() - start);
    }
  }
}

function explainThrown(pass: string, error: unknown): InternalError | PassLimit {
  if (error instanceof InternalError || error instanceof PassLimit) return error;
  if (error instanceof RangeError && error.message.includes("call stack")) return new PassLimit(pass, "depth");
  if (
    error instanceof RangeError &&
    /Invalid (string|array) length|Map maximum size|Set maximum size/.test(error.message)
  ) {
    return new PassLimit(pass, "size");
  }
  return new InternalError(pass, error instanceof Error ? error.message : String(error), stackOf(error));
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? "") : "";
}
