/** What the command line promises to scripts. */
export const exitCodes = { ok: 0, diagnostics: 1, usage: 2, internal: 70 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** How a command tells its exit code where that is not 0. */
export type SetExitCode = (code: ExitCode) => void;
