// The invariants of programs with stores. They find our mistakes, not the user's.

import { FlatChecker } from "../flat/check.js";
import { printProcedure } from "../flat/print.js";
import type { Procedure, Var } from "../flat/program.js";
import { boundWithin, operationsOf } from "../flat/traverse.js";
import { InternalError } from "../internal-error.js";
import type { Prepared } from "./prepare.js";
import type { ActiveProgram } from "./stores.js";

/**
 * Throws an `InternalError` that names the procedure unless both versions of each procedure are flat procedures; the active one binds the stores of what it binds,
 * and the store of an object holds the stores of what the object holds.
 */
export function assertStores(prepared: Prepared): void {
  const { flat, active } = prepared;
  const ofActive = [...active.procedures.values()].map(({ procedure }) => procedure);
  const plain = new FlatChecker(flat.data, flat.procedures);
  for (const procedure of flat.procedures) plain.procedure(procedure);
  const callable = [...flat.procedures, ...ofActive];
  const checker = new FlatChecker(flat.data, callable, true);
  for (const procedure of ofActive) {
    checker.procedure(procedure);
    assertBound(procedure, active);
  }
}

/** `active` knows which variable is whose store. */
function assertBound(procedure: Procedure, active: ActiveProgram): void {
  const fail = (message: string): never => {
    throw new InternalError("stores check", `[${procedure.name}] ${message}`, printProcedure(procedure));
  };
  const variables = [...procedure.captured, ...procedure.params, ...boundWithin(procedure.body)];
  const bound = new Set(variables.map(({ name }) => name));
  const operations = operationsOf(procedure.body);
  const storeOf = (variable: Var): Var | null => (variable.rep.kind === "store" ? null : active.storeOf(variable));
  for (const variable of variables) {
    const store = storeOf(variable);
    if (store === null) continue;
    if (!bound.has(store.name)) fail(`${variable.name} has no store`);
    const [object, made] = [operations.get(variable.name), operations.get(store.name)];
    if (object?.kind !== "object" || made?.kind !== "objectStore") continue;
    object.args.forEach((arg, index) => {
      const wanted = arg.kind === "var" ? storeOf(arg.variable) : null;
      if (wanted !== null && (made.args[index] ?? null) === null) fail(`${store.name} lacks the store ${wanted.name}`);
    });
  }
}
