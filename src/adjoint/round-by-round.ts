// Loops that both sweeps go through at once: each round is swept back right behind its forward sweep.
//
//   t.. = f(x ! i)          t1 = f forward(tape, x[i]); s += t1                  s_ = 1 / n
//   s = sum of t..          ..                                           =>      t1 = f forward(tape, x[i]); f reverse(tape, s_); s += t1
//   y = s / n               for each round: f reverse(tape, s_)                  y = s / n
//
// It can be done where the cotangents of what the loop gives do not depend on what it computes, as for a sum over examples. Nothing of the rounds is
// saved, and the tape holds one of them at most. Loops without calls are joined when they are written (tidy/loops/joined-loops.ts), where more is known of
// what they read; that calls take off the tape what others have put on it is certain here alone.

import type { Block, Stmt, Var } from "../flat/program.js";
import { atomsOf, boundBy } from "../flat/traverse.js";
import { visitNames } from "../typescript/traverse.js";
import type { TsStmt } from "../typescript/tree.js";
import { stmtCalls } from "./effects.js";
import { LoopConflict } from "./loop-choices.js";
import type { Definition, LoopStmt, Places } from "./places.js";
import type { ActiveProgram } from "./stores.js";

type For = Stmt & { readonly kind: "for" };

/** The reverse sweeps of what stands behind a loop, which comes before it, and of a round. */
export interface WrittenRounds {
  readonly before: TsStmt[];
  readonly back: readonly TsStmt[];
}

/** The loops of a procedure that both sweeps go through at once. */
export class RoundByRound {
  readonly #written = new Map<For, WrittenRounds>();

  constructor(readonly loops: ReadonlySet<LoopStmt>) {}

  /** Tells what the reverse sweep of a loop is: it has been written. */
  write(loop: For, rounds: WrittenRounds): void {
    this.#written.set(loop, rounds);
  }

  /** What has been written for a loop; null where its sweeps go through it one after the other, or nothing flows back. */
  of(loop: For): WrittenRounds | null {
    return this.#written.get(loop) ?? null;
  }

  indices(): readonly Var[] {
    return [...this.#written.keys()].map(({ index }) => index);
  }

  /** What comes before such a loop of a block; null where it has none. */
  startOf(block: Block): TsStmt[] | null {
    const loop = this.loopIn(block);
    return loop === null ? null : (this.of(loop)?.before ?? null);
  }

  /** The loop of a block for which something has been written. */
  loopIn({ stmts }: Block): For | null {
    return stmts.find((stmt): stmt is For => stmt.kind === "for" && this.#written.has(stmt)) ?? null;
  }
}

/** The loops of a body that may be gone through at once, unless they are to be `apart`: one of each block, the last that uses the tape. */
export function loopsRoundByRound(
  body: Block,
  program: ActiveProgram,
  apart: ReadonlySet<LoopStmt>,
): ReadonlySet<LoopStmt> {
  const found = new Set<LoopStmt>();
  for (let block: Block | null = body; block !== null;) {
    const loop: For | null = loopOf(block, program);
    const isTaken: boolean = loop !== null && !apart.has(loop);
    if (loop !== null && isTaken) found.add(loop);
    block = isTaken ? (loop?.body ?? null) : null;
  }
  return found;
}

/** A body in which what stands behind such loops and needs none of them comes before them: the reverse sweeps may need it there. */
export function withRoundsLast(body: Block, program: ActiveProgram): Block {
  const loop = loopOf(body, program);
  if (loop === null) return body;
  const at = body.stmts.indexOf(loop);
  const [early, late]: [Stmt[], Stmt[]] = [[], [{ ...loop, body: withRoundsLast(loop.body, program) }]];
  const behind = new Set(boundBy(loop).map(({ name }) => name));
  for (const stmt of body.stmts.slice(at + 1)) {
    if (isMovable(stmt) && atomsOf(stmt).every((atom) => atom.kind !== "var" || !behind.has(atom.variable.name)))
      early.push(stmt);
    else {
      late.push(stmt);
      for (const { name } of boundBy(stmt)) behind.add(name);
    }
  }
  return { ...body, stmts: [...body.stmts.slice(0, at), ...early, ...late] };
}

/** Whether a statement does nothing but compute a number, which always succeeds. */
function isMovable(stmt: Stmt): boolean {
  return stmt.kind === "let" && (stmt.op.kind === "length" || (stmt.op.kind === "prim" && stmt.op.site === null));
}

function loopOf({ stmts, end }: Block, { activity, procedures }: ActiveProgram): For | null {
  const last = stmts.findLast((stmt) => stmtCalls(stmt, (fn) => procedures.has(fn)));
  if (last?.kind !== "for" || end.kind !== "yield" || last.body.end.kind !== "yield") return null;
  // Elements have their cotangents when all is behind them; those of a sum are the same in each round
  return last.params.every(isScalar) && !last.arrays.some((array) => activity.has(array)) ? last : null;
}

/** Whether the reverse sweep of a round has nothing of a variable that the round before changes. */
export function isScalar({ rep }: Var): boolean {
  return rep.kind === "real" || rep.kind === "int" || rep.kind === "bool";
}

/** What the check of a block asks of the procedure. */
export interface RoundContext {
  readonly rounds: RoundByRound;
  readonly places: Places;
  readonly outside: readonly { readonly name: string; readonly of: Definition }[];
  name(variable: Var): string;
  isSavedBefore(definition: Definition, block: Block, end: Stmt): boolean;
}

/** What comes before a loop, though it is the reverse sweep of what stands behind it, has to find there what it needs. */
export function expectThere(block: Block, context: RoundContext): void {
  const { rounds, places, outside } = context;
  const loop = rounds.loopIn(block);
  const before = rounds.startOf(block);
  if (loop === null || before === null) return;
  const { order } = places.definition(loop.index);
  const isLate = (definition: Definition): boolean =>
    definition.order > order && !context.isSavedBefore(definition, block, loop);
  const needed = [...places.block(block).needed].map((of) => ({ name: context.name(of.variable), of }));
  const late = new Set([...needed, ...outside].filter(({ of }) => isLate(of)).map(({ name }) => name));
  visitNames(before, (name) => {
    if (late.has(name)) throw new LoopConflict(loop, "apart", `${name} is not there before the loop`);
  });
}
