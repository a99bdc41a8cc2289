// The interface of SV25 §12: a monad of tasks that fork and join, compound IDs, and staged calls by job.
//
// A computation is a generator, which a scheduler may interrupt wherever it yields: at every ID that is generated, and at every backpropagator
// that is resolved. In order nothing yields; by a seed tasks take turns at random, and what they give must not depend on it.

import { cost, workSoFar } from "./cost.js";
import { endless } from "./limits.js";

/** CID = (JID, Z): the ID of a job, and a sequential ID within it. */
export type CompoundID = readonly [job: number, id: number];

/** JobDescr = (History, JID, Z): what was before a job, and how many IDs it has generated. */
export interface JobDescr {
  readonly history: Fork | null;
  readonly job: number;
  ids: number;
}

/** Fork JobDescr JobDescr JobDescr, of any number of tasks: the job that forked, and that in which each task has ended. */
export interface Fork {
  readonly before: JobDescr;
  readonly tasks: readonly JobDescr[];
}

/** M a. */
export type Computation<T> = Generator<undefined, T, undefined>;

/** A backpropagator's result: `Staged c -> IO ()`. */
export type Action = (staged: Staged) => void;

/** The staging cells of one job. */
export interface Cells {
  readonly backpropagators: ((argument: number) => Action)[];
  readonly arguments: Float64Array;
}

/** Staged c = (Array _R, Array (Array (_R -o (Staged c -> IO ()), _R))): the outer index of the second is the job. */
export interface Staged {
  readonly collected: Float64Array;
  readonly jobs: readonly Cells[];
  /** Where tasks take turns, what is checked of each call; else nothing is. */
  readonly isBefore: ((one: CompoundID, other: CompoundID) => boolean) | null;
}

/** The job that is running, and how many there have been. */
let running: JobDescr = { history: null, job: 0, ids: 0 };
let jobCount = 0;

/** The backpropagator that is called. */
let resolved: CompoundID = [0, 0];

/** Gives numbers from 0 to 1; null where tasks run in order. */
let random: (() => number) | null = null;

/** Has tasks take turns by a seed, at every ID and every backpropagator; null: has them run in order. */
export function takeTurns(seed: number | null): void {
  if (seed === null) {
    random = null;
    return;
  }
  let state = seed;
  random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Runs a computation from the first job on, to its result. */
export function runTasks<T>(main: () => Computation<T>): T {
  const [before, countBefore] = [running, jobCount];
  try {
    running = { history: null, job: 0, ids: 0 };
    jobCount = 1;
    return finish(main());
  } finally {
    running = before;
    jobCount = countBefore;
  }
}

function finish<T>(computation: Computation<T>): T {
  for (;;) {
    const step = computation.next();
    if (step.done === true) return step.value;
  }
}

/** genID = \ref (h, j, n). return ((h, j, n + 1), (j, n)) */
export function* genID(): Computation<CompoundID> {
  if (random !== null) yield;
  if (running.ids === 2 ** 22) endless(running.ids);
  return [running.job, running.ids++];
}

/** How many IDs the running job has generated. */
export function* countIDs(): Computation<number> {
  if (random !== null) yield;
  // The input has its IDs, and the program begins // cost
  cost.overlap = workSoFar(); // cost
  return running.ids;
}

/** How many jobs there have been, and the last of them. */
export function* jobGraph(): Computation<readonly [number, JobDescr]> {
  if (random !== null) yield;
  return [jobCount, running];
}

/** s |*|' t, of any number of tasks: each in a job of its own, and what follows in another. */
export function* forkOf<T extends readonly unknown[]>(
  ...tasks: { readonly [K in keyof T]: () => Computation<T[K]> }
): Computation<T> {
  return (yield* forkAll(tasks)) as unknown as T;
}

/** |*|' t, of as many tasks as an array has elements. */
export function* forkEach<T>(size: number, task: (index: number) => Computation<T>): Computation<T[]> {
  return yield* forkAll(Array.from({ length: size }, (_, index) => () => task(index)));
}

function* forkAll<T>(tasks: readonly (() => Computation<T>)[]): Computation<T[]> {
  const before = running;
  const first = jobCount;
  if (first > 2 ** 22) endless(first);
  jobCount += tasks.length + 1;
  const ends: JobDescr[] = tasks.map((_, index) => ({ history: null, job: first + index, ids: 0 }));
  const results = yield* inParallel(tasks, ends);
  running = { history: { before, tasks: ends }, job: first + tasks.length, ids: 0 };
  return results;
}

/**
 * Runs tasks, each in a job of `jobs`, in which the job that it has ended in takes its place. Where several fail, the first in the program does: those
 * behind it are given up.
 */
function* inParallel<T>(tasks: readonly (() => Computation<T>)[], jobs: JobDescr[]): Computation<T[]> {
  const results: T[] = [];
  // The next one last, so that it is taken off at once
  let alive = tasks.map((task, index) => ({ index, run: task() })).reverse();
  let failed: { readonly error: unknown } | null = null;
  let span = 0; // cost
  const workBefore = workSoFar(); // cost
  const overlapBefore = cost.overlap; // cost
  while (alive.length > 0) {
    const end = alive.length - 1;
    const at = random === null ? end : Math.floor(random() * alive.length);
    const next = alive[at];
    if (next === undefined) break;
    const startOfTask = workSoFar() - cost.overlap; // cost
    running = jobs[next.index] ?? running;
    try {
      const step = next.run.next();
      jobs[next.index] = running;
      if (step.done === true) {
        results[next.index] = step.value;
        const last = alive.pop();
        if (last !== undefined && last !== next) alive[at] = last;
      }
    } catch (error) {
      failed = { error };
      alive = alive.filter(({ index }) => index < next.index);
    }
    span = Math.max(span, workSoFar() - cost.overlap - startOfTask); // cost
    if (random !== null) yield;
  }
  if (failed !== null) throw failed.error;
  cost.overlap = overlapBefore + workSoFar() - workBefore - span; // cost
  return results;
}

/** 0 of the monoid `Staged c -> IO ()`. */
export const nothing = (): void => undefined;

/** + of the monoid `Staged c -> IO ()`. */
export function both(f: Action, g: Action): Action {
  cost.monoidOperations += 1; // cost
  return (staged) => {
    f(staged);
    g(staged);
  };
}

/** term(0) >> .. >> term(size - 1). */
export function allOf(size: number, term: (index: number) => Action): Action {
  cost.monoidOperations += size; // cost
  return (staged) => {
    for (let index = 0; index < size; index++) term(index)(staged);
  };
}

/** SCall ((j, i), f) a (c, m): m[j][i] := (f, a + a') where m[j][i] = (_, a'); atomic, where tasks run at the same time. */
export function sCall(
  [id, backpropagator]: readonly [CompoundID, (cotangent: number) => Action],
  argument: number,
): Action {
  return (staged) => {
    cost.arrayOperations += 1; // cost
    if (staged.isBefore !== null && !staged.isBefore(id, resolved))
      throw new Error("dualrev: a call of a backpropagator that is resolved already");
    const cells = staged.jobs[id[0]];
    if (cells === undefined) return;
    cells.backpropagators[id[1]] = backpropagator;
    cells.arguments[id[1]] = (cells.arguments[id[1]] ?? 0) + argument;
  };
}

/** SOneHot i a (c, m): c[i] := a + c[i]; atomic, where tasks run at the same time. */
export function sOneHot([, id]: CompoundID, cotangent: number): Action {
  return (staged) => {
    cost.arrayOperations += 1; // cost
    staged.collected[id] = (staged.collected[id] ?? 0) + cotangent;
  };
}

/** SAlloc5: the collector for the input's scalars, and for each of so many jobs as many staging cells as it has IDs; an allocation counts once. */
export function* sAlloc(inputs: number, count: number, last: JobDescr): Computation<Staged> {
  cost.arrayOperations += 2; // cost
  const jobs = Array.from({ length: count }, (): Cells => ({ backpropagators: [], arguments: new Float64Array(0) }));
  yield* allocateTask(last, jobs);
  return { collected: new Float64Array(inputs), jobs, isBefore: random === null ? null : orderOf(last) };
}

/** Makes the cells of a job and of those before it, of tasks in parallel. */
function* allocateTask(last: JobDescr, jobs: Cells[]): Computation<null> {
  let descr = last;
  for (;;) {
    const { history, job, ids } = descr;
    cost.arrayOperations += 1; // cost
    jobs[job] = { backpropagators: Array.from({ length: ids }, () => () => nothing), arguments: new Float64Array(ids) };
    if (history === null) return null;
    yield* inParallel(
      history.tasks.map((task) => () => allocateTask(task, jobs)),
      [...history.tasks],
    );
    descr = history.before;
  }
}

/**
 * SResolve: resolveTask (history, jid, n) resolves the IDs n - 1 .. 0 of the job jid; then, of `Fork jd0 jds`, the tasks jds in parallel; then jd0.
 */
export function* sResolve(last: JobDescr, staged: Staged): Computation<null> {
  let descr = last;
  for (;;) {
    const { history, job, ids } = descr;
    const cells = staged.jobs[job];
    for (let id = ids - 1; id >= 0; id--) {
      // What is left are the input's own IDs // cost
      if (job === 0 && id === staged.collected.length - 1) cost.path = workSoFar() - cost.overlap; // cost
      if (random !== null) yield;
      cost.arrayOperations += 1; // cost
      cost.backpropagators += 1; // cost
      resolved = [job, id];
      cost.resolved?.push(resolved); // cost
      cells?.backpropagators[id]?.(cells.arguments[id] ?? 0)(staged);
    }
    if (history === null) return null;
    const { before, tasks } = history;
    yield* inParallel(
      tasks.map((task) => () => sResolve(task, staged)),
      [...tasks],
    );
    descr = before;
  }
}

/** run (SAlloc5 >>= \s. d z s >> SResolve jd s), the collector frozen: it is not written any more. */
export function run(inputs: number, [count, last]: readonly [number, JobDescr], calls: Action): Float64Array {
  return runTasks(function* () {
    const staged = yield* sAlloc(inputs, count, last);
    // The calls of the outputs come after all that has been computed
    resolved = [last.job, last.ids];
    calls(staged);
    yield* sResolve(last, staged);
    if (inputs === 0) cost.path = workSoFar() - cost.overlap; // cost
    return staged.collected;
  });
}

/** The cotangent collected for an input scalar. */
export function cotangentAt(collected: Float64Array, [, id]: CompoundID): number {
  return collected[id] ?? 0;
}

// Forks and joins make a series-parallel order.

/**
 * The strict order of compound IDs in the graph of jobs that ends in `last` (SV25 §12.2): by job, within one by sequential ID. One job is before another where it
 * comes first whether tasks are walked left to right or right to left.
 */
export function orderOf(last: JobDescr): (one: CompoundID, other: CompoundID) => boolean {
  const [left, right] = [walked(last, false), walked(last, true)];
  const isFirst = (walk: ReadonlyMap<number, number>, one: number, other: number): boolean =>
    (walk.get(one) ?? 0) < (walk.get(other) ?? 0);
  return ([job, id], [otherJob, otherId]) =>
    job === otherJob ? id < otherId : isFirst(left, job, otherJob) && isFirst(right, job, otherJob);
}

/** The places of the jobs in a walk from the last to the first, counted downwards: tasks from right to left, or from left to right. */
function walked(last: JobDescr, isReversed: boolean): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  const pending: JobDescr[] = [last];
  for (let descr = pending.pop(); descr !== undefined; descr = pending.pop()) {
    places.set(descr.job, -places.size);
    if (descr.history === null) continue;
    const { before, tasks } = descr.history;
    pending.push(before, ...(isReversed ? [...tasks].reverse() : tasks));
  }
  return places;
}
