/** A broken invariant of the compiler: never the user's mistake. `pass` found it; `dump` is the term or text in question. */
export class InternalError extends Error {
  override readonly name = "InternalError";

  constructor(
    readonly pass: string,
    /** What is wrong, alone. */
    readonly detail: string,
    readonly dump: string = "",
    cause?: unknown,
  ) {
    super(`${pass}: ${detail}${dump === "" ? "" : `\n${dump}`}`, { cause });
  }
}

/** The same, of which it is known that it happened in a pass of the registry, or in the check of what that has made. */
export class PassError extends InternalError {}

/** The default of an exhaustive `switch`: does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new InternalError("unreachable", "a case is missing", JSON.stringify(value));
}
