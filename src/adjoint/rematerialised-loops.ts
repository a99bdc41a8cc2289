// Part of a loop that is cheap to run again: what computes some of its variables, iteration after iteration, without what else it does. A loop inside a loop
// would have to save an array for every iteration of the one around it; run again in the reverse sweep, it fills one array anew each time.

import type { Operation, Stmt, Var } from "../flat/program.js";
import { operands } from "../flat/traverse.js";

type For = Stmt & { readonly kind: "for" };
type Let = Stmt & { readonly kind: "let" };

/** The part of a loop's body that computes some variables: the parameters that it carries, by position, and its steps in order. */
export interface Slice {
  readonly params: readonly number[];
  readonly steps: readonly Let[];
}

/** What an iteration may cost, in operations. */
const cheapIteration = 8;

/** The slice that computes `targets`; null where it is not made of a few cheap operations. `cost` is that of an operation. */
export function sliceOf(stmt: For, targets: readonly Var[], cost: (op: Operation) => number): Slice | null {
  const { stmts, end } = stmt.body;
  if (end.kind !== "yield") return null;
  const lets = new Map(
    stmts.flatMap((inner): [string, Let][] => (inner.kind === "let" ? [[inner.result.name, inner]] : [])),
  );
  const defined = new Set(stmts.flatMap((inner) => definitions(inner)));
  const params = new Map(stmt.params.map((param, index) => [param.name, index]));
  const wanted = new Set<string>();
  const pending = targets.map(({ name }) => name);
  // What a loop inside it saves, for one
  if (pending.some((name) => !params.has(name) && !lets.has(name))) return null;
  let sum = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    const param = params.get(name);
    const step = lets.get(name);
    if (param !== undefined) {
      const next = end.values[param];
      if (next?.kind === "var") pending.push(next.variable.name);
    } else if (step !== undefined) {
      sum += cost(step.op);
      if (sum > cheapIteration) return null;
      for (const operand of operands(step.op)) if (operand.kind === "var") pending.push(operand.variable.name);
    } else if (defined.has(name)) {
      // The result of a loop, a call or a choice
      return null;
    }
  }
  return {
    params: stmt.params.flatMap((param, index) => (wanted.has(param.name) ? [index] : [])),
    steps: stmts.filter((inner): inner is Let => inner.kind === "let" && wanted.has(inner.result.name)),
  };
}

function definitions(stmt: Stmt): readonly string[] {
  if (stmt.kind === "let") return [stmt.result.name];
  if (stmt.kind === "check") return [];
  const arrays = stmt.kind === "for" || stmt.kind === "loop" ? stmt.arrays : [];
  return [...stmt.results, ...arrays].map(({ name }) => name);
}
