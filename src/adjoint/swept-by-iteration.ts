// Loops that both sweeps go through at once: each iteration is swept back right behind its forward sweep.
//
//   t.. = f(x ! i)          t1 = f forward(tape, x[i]); s += t1                  s_ = 1 / n
//   s = sum of t..          ..                                           =>      t1 = f forward(tape, x[i]); f reverse(tape, s_); s += t1
//   y = s / n               for each iteration: f reverse(tape, s_)                  y = s / n
//
// It can be done where the cotangents of what the loop gives do not depend on what it computes, as for a sum over examples. The reverse sweep of what
// stands behind the loop comes before it then. Nothing of the iterations is saved, and the tape holds one of them at most. Loops without calls or open ends in their iterations are joined when
// they are written (tidy/loops/joined-loops.ts), where more is known of what they read; that calls take off the tape what others have put on it is certain
// here alone.

import type { Block, Stmt, Var } from "../flat/program.js";
import { visitExpressions, visitNames } from "../typescript/traverse.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import { cannotFail, isSum, usesTape } from "./sums.js";
import { LoopConflict } from "./loop-choices.js";
import type { BlockPlace, Definition, LoopStmt, Places } from "./places.js";
import type { ActiveProgram } from "./stores.js";

type For = Stmt & { readonly kind: "for" };

/** What has been written of the loops of one block that both sweeps go through at once. */
interface WrittenBlock {
  /** The reverse sweep of what stands behind them, which comes before the first of them. */
  readonly start: TsStmt[];
  /** The reverse sweeps of their iterations, from the last loop to the first. */
  readonly backs: Map<For, readonly TsStmt[]>;
  /** The cotangents that their iterations contribute to, loops within them included. */
  readonly touched: Set<string>;
}

/** The loops of a procedure that both sweeps go through at once. */
export class ByIteration {
  readonly #blocks = new Map<BlockPlace, WrittenBlock>();

  constructor(readonly loops: ReadonlySet<LoopStmt>) {}

  /** Notes the reverse sweep of a loop's iterations, and that of its block as far as it has been written since the loop behind it. */
  write(
    loop: For,
    place: BlockPlace,
    start: readonly TsStmt[],
    back: readonly TsStmt[],
    touched: readonly string[],
  ): void {
    const block = this.#blocks.get(place) ?? { start: [], backs: new Map<For, readonly TsStmt[]>(), touched: new Set<string>() }; // prettier-ignore
    // Its cotangents may depend on a later loop
    if (block.backs.size > 0 && mayDepend(start, block.touched)) throw new LoopConflict(loop, "apart");
    this.#blocks.set(place, block);
    block.start.push(...start);
    block.backs.set(loop, back);
    for (const name of touched) block.touched.add(name);
  }

  /** The reverse sweep of a loop's iterations; null where it is not gone through at once, or nothing flows back. */
  back(loop: For, place: BlockPlace): readonly TsStmt[] | null {
    return this.#blocks.get(place)?.backs.get(loop) ?? null;
  }

  /** What comes before the first such loop of a block; null where it has none. */
  startOf(place: BlockPlace): TsStmt[] | null {
    return this.#blocks.get(place)?.start ?? null;
  }

  isAtOnce(stmt: Stmt, place: BlockPlace): boolean {
    return stmt.kind === "for" && this.back(stmt, place) !== null;
  }

  firstIn(place: BlockPlace): For | null {
    return [...(this.#blocks.get(place)?.backs.keys() ?? [])].at(-1) ?? null;
  }

  indices(): readonly Var[] {
    return [...this.#blocks.values()].flatMap(({ backs }) => [...backs.keys()].map(({ index }) => index));
  }
}

/** Whether what comes before loops may read what they change: cotangents in variables, or what is in arrays and objects. */
function mayDepend(before: readonly TsStmt[], changed: ReadonlySet<string>): boolean {
  let found = false;
  visitExpressions(before, (expr) => {
    found ||= isPart(expr) || (expr.kind === "id" && changed.has(expr.name));
  });
  return found;
}

/** The loops of a body that may be gone through at once, unless they are to be `apart`. */
export function loopsByIteration(
  body: Block,
  program: ActiveProgram,
  apart: ReadonlySet<LoopStmt>,
): ReadonlySet<LoopStmt> {
  const found = new Set<LoopStmt>();
  const waiting = [body];
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    for (const loop of loopsOf(block, program)) {
      // Those in front of one whose sweeps are apart take off the tape what is below what that takes off
      if (apart.has(loop)) break;
      found.add(loop);
      waiting.push(loop.body);
    }
  }
  return found;
}

/** Such loops of a block, from the last to the first: nothing but them uses the tape behind the first. */
function loopsOf({ stmts, end }: Block, program: ActiveProgram): readonly For[] {
  const found: For[] = [];
  if (end.kind !== "yield") return found;
  for (const stmt of stmts.toReversed()) {
    if (isSum(stmt, program)) found.push(stmt);
    else if (usesTape(stmt, program)) break;
  }
  return found;
}

/** What the check of a block asks of the procedure. */
export interface IterationContext {
  readonly module: { readonly active: ActiveProgram };
  readonly iterations: ByIteration;
  readonly places: Places;
  readonly outside: readonly { readonly name: string; readonly of: Definition }[];
  name(variable: Var): string;
  isSavedBefore(definition: Definition, block: Block, end: Stmt): boolean;
}

/** What comes before a loop, though it is the reverse sweep of what stands behind it, has to find there what it needs, checked. */
export function expectThere(block: Block, context: IterationContext): void {
  const { iterations, places, outside } = context;
  const place = places.block(block);
  const [loop, start] = [iterations.firstIn(place), iterations.startOf(place)];
  if (loop === null || start === null) return;
  const behind = block.stmts.slice(block.stmts.indexOf(loop) + 1);
  const mayFail = (stmt: Stmt): boolean =>
    !iterations.isAtOnce(stmt, place) && !cannotFail(stmt, context.module.active);
  // What stands behind the loop may end in an error before its reverse sweep: what that takes to be in arrays and objects has to be there
  if (behind.some(mayFail) && mayDepend(start, new Set())) throw new LoopConflict(loop, "apart");
  const { order } = places.definition(loop.index);
  const isLate = (definition: Definition): boolean =>
    definition.order > order && !context.isSavedBefore(definition, block, loop);
  const needed = [...place.needed].map((of) => ({ name: context.name(of.variable), of }));
  const late = new Set([...needed, ...outside].filter(({ of }) => isLate(of)).map(({ name }) => name));
  visitNames(start, (name) => {
    if (late.has(name)) throw new LoopConflict(loop, "apart");
  });
}

/** Whether an expression is something in an array or object, which loops may change. */
function isPart(expr: TsExpr): boolean {
  return expr.kind === "index" || (expr.kind === "member" && expr.name !== "length");
}
