// What the functions of a module call what they hand on to each other. Parameters of exported functions, which callers see, keep their names, and these give way.

import type { Scope } from "../typescript/naming.js";

export interface InnerNames {
  /** The tape. */
  readonly tape: string;
  /** A function as a value, to its sweeps. */
  readonly self: string;
  /** The last parameter of functions that count the words of stack in use. */
  readonly depth: string;
}

/** Names that no other value of a module has. */
export function innerNames(values: Scope): InnerNames {
  return { tape: values.fresh("saved"), self: values.fresh("self"), depth: values.fresh("depth") };
}
