// Part of a loop that is cheap to run again: what computes some of its variables, iteration after iteration, without what else it does. A loop inside a loop
// would have to save an array for every iteration of the one around it; run again in the reverse sweep, it fills one array anew each time.

import { atomOf, letOf } from "../flat/build.js";
import type { Operation, Procedure, Stmt, Var } from "../flat/program.js";
import { operands } from "../flat/traverse.js";
import { InternalError } from "../internal-error.js";
import { procedureAlone } from "./rematerialised-operations.js";

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

/** What is to be known of a loop whose slice is run again. */
interface Alone {
  /** The variables that are saved, and the arrays of what they are in each iteration. */
  readonly saves: readonly { readonly saved: Var; readonly of: { readonly variable: Var } }[];
  /** An operation as it is computed again. */
  readonly again: (op: Operation) => Operation;
  /** A variable for the count, or 0 where that is negative; null where it never is. */
  readonly size: Var | null;
}

/** A procedure that does nothing but run a slice, which puts what is saved of each iteration into arrays. */
export function sliceAlone(stmt: For, { params, steps }: Slice, { saves, again, size }: Alone): Procedure {
  const pick = <T>(all: readonly T[]): readonly T[] => params.flatMap((index) => all.slice(index, index + 1));
  const { end } = stmt.body;
  if (end.kind !== "yield") throw new InternalError("adjoint", "a loop that ends in several ways is not run again");
  const nexts = pick(end.values);
  const most: Operation = { kind: "prim", op: "maxZ", args: [stmt.count, { kind: "int", value: 0 }], site: null };
  const loop: For = {
    ...stmt,
    count: size === null ? stmt.count : atomOf(size),
    params: pick(stmt.params),
    init: pick(stmt.init),
    results: [],
    arrays: saves.map(({ saved }) => saved),
    body: {
      stmts: steps.map((step) => ({ ...step, op: again(step.op) })),
      end: { kind: "yield", values: [...nexts, ...saves.map(({ of }) => atomOf(of.variable))] },
    },
  };
  return procedureAlone(size === null ? [loop] : [letOf(size, most), loop]);
}

function definitions(stmt: Stmt): readonly string[] {
  if (stmt.kind === "let") return [stmt.result.name];
  if (stmt.kind === "check") return [];
  const arrays = stmt.kind === "for" || stmt.kind === "loop" ? stmt.arrays : [];
  return [...stmt.results, ...arrays].map(({ name }) => name);
}
