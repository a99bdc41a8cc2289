// What of the runtime the exported functions call.

/** The functions of the runtime that wrappers may call, which parameters must not hide. */
export const runtimeNames = [
  "checkNumber",
  "checkInteger",
  "checkBoolean",
  "checkValue",
  "refuse",
  "copyValue",
  "acceptValue",
  "acceptCopy",
  "acceptNumbers",
  "acceptNumbersCopy",
  "acceptNumbersLike",
  "withinStack",
  "isNumber",
  "isPresent",
  "isRecord",
  "isTuple",
  "refill",
] as const;

export type RuntimeName = (typeof runtimeNames)[number];

/** All of them with their files. */
export const runtimeReferences: readonly string[] = runtimeNames.map(runtimeReference);

/** A function with its file: `file.name`. */
export function runtimeReference(name: RuntimeName): string {
  return `${name === "refill" ? "buffers" : "values"}.${name}`;
}
