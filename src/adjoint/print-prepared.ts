// A program with its stores as text, for who looks at it.

import { printFlat } from "../flat/print.js";
import type { Program } from "../flat/program.js";
import { preparedProcedures, type Prepared } from "./prepare.js";
import { activeName } from "./stores.js";

/** The procedures that have adjoint code, with their stores, and those that they call for values alone. */
export function withStoresAlone(prepared: Prepared): Program {
  const { flat, active } = prepared;
  const entries = flat.entries.flatMap(({ procedure, ...entry }) => {
    const name = activeName(procedure);
    return active.procedures.has(name) ? [{ ...entry, procedure: name }] : [];
  });
  return { data: flat.data, procedures: preparedProcedures(prepared), entries };
}

/** `withStoresAlone` as text. */
export function printPrepared(prepared: Prepared): string {
  return printFlat(withStoresAlone(prepared));
}
