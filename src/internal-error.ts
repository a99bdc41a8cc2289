/** A broken invariant of the compiler: never the user's mistake. `pass` found it; `dump` is the term or text in question. */
export class InternalError extends Error {
  override readonly name = "InternalError";

  constructor(
    readonly pass: string,
    message: string,
    readonly dump: string = "",
  ) {
    super(`${pass}: ${message}${dump === "" ? "" : `\n${dump}`}`);
  }
}

/** The default of an exhaustive `switch`: does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new InternalError("unreachable", "a case is missing", JSON.stringify(value));
}
