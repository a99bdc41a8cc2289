// What variables of emitted code are called after: a variable of the program, and what they are of it.
//
//   x_       the cotangent of x                          xSaved       x of each iteration of a loop
//   xKept    x, in front of the choice that computes it  xSavedRows   xSaved of each iteration of a loop around that one
//   xAt      how far the reverse sweep is in xSaved

/** "carried": the cotangent that a loop of the reverse sweep carries. */
export type Role = "cotangent" | "carried" | "saved" | "kept" | "cursor";

export interface Called {
  /** The variable, as an identifier. */
  readonly of: string;
  /** What it is of that; of what that is, and so on. */
  readonly as: readonly Role[];
  /** The compiler has made up the name. */
  readonly isOwn?: true;
}

const suffixes: Readonly<Record<Role, string>> = {
  cotangent: "_",
  carried: "_",
  saved: "Saved",
  kept: "Kept",
  cursor: "At",
};

export function calledPlainly(of: string): Called {
  return { of, as: [] };
}

export function calledAfter({ of, as }: Called, role: Role): Called {
  return { of, as: [...as, role] };
}

/** The name as text. What is saved in loops inside of loops is a row, or a table of rows, for each iteration of the outer one. */
export function nameOf({ of, as }: Called): string {
  const end = withoutRoles(as, ["saved"]);
  const depth = as.length - end.length;
  const saved = depth === 0 ? "" : depth === 1 ? "Saved" : depth === 2 ? "SavedRows" : "SavedTables";
  return `${of}${end.map((role) => suffixes[role]).join("")}${saved}`;
}

/** Whether something is where values of a variable are saved: an array, or a variable of the function around both sweeps. */
export function isPlace({ as }: Called): boolean {
  return withoutRoles(as, places).length < as.length;
}

/** What is saved in a place; in the rows of it. */
export function savedIn({ of, as }: Called): Called {
  return { of, as: withoutRoles(as, places) };
}

const places: readonly Role[] = ["saved", "kept"];

/** Without the last role, if it is this one. */
export function withoutLast(called: Called, role: Role): Called {
  return called.as.at(-1) === role ? { of: called.of, as: called.as.slice(0, -1) } : called;
}

/** Saved once, if more often. */
export function savedOnce(called: Called): Called {
  const as = withoutRoles(called.as, ["saved"]);
  return as.length < called.as.length ? { of: called.of, as: [...as, "saved"] } : called;
}

function withoutRoles(as: readonly Role[], roles: readonly Role[]): readonly Role[] {
  return as.slice(0, as.findLastIndex((role) => !roles.includes(role)) + 1);
}
