// The table of primitives: one row for each operation, and what the rows say together. A partial derivative made of an operation that has no row does not compile.

import { failures } from "./failures.js";
import { integers } from "./integers.js";
import { powers } from "./powers.js";
import { arithmetic, elementary } from "./reals.js";
import type { AnyRow } from "./row.js";
import { shown } from "./shown.js";
import { special } from "./special.js";
import { tests } from "./tests.js";

const computing = { ...arithmetic, ...elementary, ...powers, ...special, ...integers, ...tests };
const rows = { ...computing, ...shown, ...failures };

export type OpName = keyof typeof rows;

/** The operations that compute an integer from integers. */
export type IntegerOp = {
  [Name in keyof typeof computing]: (typeof rows)[Name] extends {
    readonly params: readonly "Z"[];
    readonly result: "Z";
  }
    ? Name
    : never;
}[keyof typeof computing];

/** What programs can name, operators among it. */
export type SourceName = Exclude<(typeof rows)[OpName]["source"], null>;

export const table: { readonly [Name in OpName]: AnyRow<OpName> } = rows;

/** Whether an operation shows its operand: two that are the same are two, and none is left out. */
export function isShown(op: OpName): op is keyof typeof shown {
  return op in shown;
}
