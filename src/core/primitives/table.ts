// The table of primitives: one row for each operation, and what the rows say together. A partial derivative made of an operation that has no row does not compile.

import { integers } from "./integers.js";
import { powers } from "./powers.js";
import { arithmetic, elementary } from "./reals.js";
import type { AnyRow } from "./row.js";
import { special } from "./special.js";
import { tests } from "./tests.js";

const rows = { ...arithmetic, ...elementary, ...powers, ...special, ...integers, ...tests };

export type OpName = keyof typeof rows;

/** The operations from integers to an integer. */
export type IntegerOp = {
  [Name in OpName]: (typeof rows)[Name] extends { readonly params: readonly "Z"[]; readonly result: "Z" }
    ? Name
    : never;
}[OpName];

/** What programs can name, operators among it. */
export type SourceName = Exclude<(typeof rows)[OpName]["source"], null>;

export const table: { readonly [Name in OpName]: AnyRow<OpName> } = rows;
