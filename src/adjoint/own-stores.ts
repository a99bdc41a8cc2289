// Stores that the reverse sweep has for itself: nothing of the forward sweep holds them, neither a value nor a call. It makes them when it needs them,
// new for every run, and in a loop new for every iteration; nothing of them is saved. That of an element of an array that iterations change is not among them: it is saved,
// which is less than the array as it was.

import type { Atom, Operation, Procedure, Stmt, Var } from "../flat/program.js";
import { allBlocks, atomsOf, operands } from "../flat/traverse.js";
import { updatedArrays } from "../flat/updates.js";

type Call = Stmt & { readonly kind: "call" };

/** What is asked about a procedure whose own stores are wanted. */
interface Asked {
  /** The names of all stores of its variables. */
  readonly stores: ReadonlySet<string>;
  /** Whether both sweeps are one function, and nobody else is given the stores of its results. */
  readonly isJoint: boolean;
  /** Whether only the reverse sweep of what is called is given an argument. */
  readonly isGivenBack: (call: Call, index: number) => boolean;
}

/** The names of those stores of a procedure's variables that only its reverse sweep uses. */
export function ownStores(procedure: Procedure, { stores, isJoint, isGivenBack }: Asked): ReadonlySet<string> {
  const held = new Set<string>();
  const updated = updatedArrays(procedure);
  /** By a store that is part of another one, or it, that other one. */
  const parents = new Map<string, string>();
  const made = new Set(procedure.params.map(({ name }) => name));
  const hold = (atoms: readonly Atom[]): void => {
    for (const atom of atoms) if (atom.kind === "var") held.add(atom.variable.name);
  };
  const visit = (stmt: Stmt): void => {
    const whole = stmt.kind === "let" && stores.has(stmt.result.name) ? wholeOf(stmt.op) : null;
    if (stmt.kind === "let" && (whole !== null || stmt.op.kind === "realStore" || stmt.op.kind === "zeroStore"))
      made.add(stmt.result.name);
    if (stmt.kind === "call") hold(stmt.args.filter((_, index) => !isGivenBack(stmt, index)));
    else if (stmt.kind !== "let") hold(atomsOf(stmt));
    else if (whole === null) hold(operands(stmt.op));
    else {
      parents.set(stmt.result.name, whole.name);
      if (updated.has(whole.name)) held.add(stmt.result.name);
    }
  };
  const isGiven = (atom: Atom): boolean => !isJoint || atom.kind !== "var" || !stores.has(atom.variable.name);
  for (const { stmts, end } of allBlocks(procedure.body)) {
    stmts.forEach(visit);
    if (end === procedure.body.end && end.kind === "yield") hold(end.values.filter(isGiven));
    else if (end.kind === "yield" || end.kind === "next") hold(end.values);
  }
  for (const start of [...held]) {
    for (let name = parents.get(start); name !== undefined && !held.has(name); name = parents.get(name)) held.add(name);
  }
  return new Set([...stores].filter((name) => made.has(name) && !held.has(name)));
}

/** The store that a store is part of. */
export function wholeOf(op: Operation): Var | null {
  const whole = op.kind === "copy" ? op.value : op.kind === "cell" ? op.array : op.kind === "field" ? op.object : null;
  return whole?.kind === "var" ? whole.variable : null;
}
