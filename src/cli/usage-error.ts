/** What the command line promises to scripts. */
export const exitCodes = { ok: 0, diagnostics: 1, usage: 2, internal: 70 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A command that cannot be carried out as it was given: a missing file, an option that does not fit. Shown as one line; exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
