/** A command that cannot be carried out as it was given: a missing file, an option that does not fit. Shown as one line; exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
