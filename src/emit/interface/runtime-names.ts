// What of the runtime the exported functions call.

/** By file of the runtime: the functions that wrappers may call, which parameters must not hide. */
const namesByFile = {
  values: [
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
  ],
  buffers: ["refill"],
  compressed: ["mergedRows"],
  workspace: ["takeWorkspace", "leaveWorkspace"],
} as const;

export type RuntimeName = (typeof namesByFile)[keyof typeof namesByFile][number];

const fileByName: ReadonlyMap<RuntimeName, string> = new Map(
  Object.entries(namesByFile).flatMap(([file, names]) => names.map((name) => [name, file] as const)),
);

export const runtimeNames: readonly RuntimeName[] = [...fileByName.keys()];

/** A function with its file: `file.name`. */
export function runtimeReference(name: RuntimeName): string {
  return `${fileByName.get(name) ?? ""}.${name}`;
}

/** All of them with their files. */
export const runtimeReferences: readonly string[] = runtimeNames.map(runtimeReference);
