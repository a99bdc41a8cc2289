// The order of compound IDs against reachability in the graph of jobs, and the scheduler, on random shapes of programs.

import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { cost } from "./cost.js";
import * as parallel from "./parallel.js";
import type { CompoundID, Computation, JobDescr } from "./parallel.js";

/** A program that only generates IDs, and forks: one after the other. */
type Shape = readonly (null | readonly Shape[])[];

const { shapes } = fc.letrec<{ shapes: Shape }>((tie) => ({
  shapes: fc.array(
    fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.array(tie("shapes"), { minLength: 0, maxLength: 3 }) as fc.Arbitrary<readonly Shape[]>,
    ),
    { maxLength: 4 },
  ),
}));

function* runOf(shape: Shape, ids: CompoundID[]): Computation<null> {
  for (const part of shape) {
    if (part === null) ids.push(yield* parallel.genID());
    else yield* parallel.forkOf(...part.map((task) => () => runOf(task, ids)));
  }
  return null;
}

function graphOf(shape: Shape): { readonly ids: readonly CompoundID[]; readonly last: JobDescr } {
  const ids: CompoundID[] = [];
  const [, last] = parallel.runTasks(function* () {
    yield* runOf(shape, ids);
    return yield* parallel.jobGraph();
  });
  return { ids, last };
}

/** What follows each job at once, from forks to tasks and from tasks to joins. */
function successorsIn(last: JobDescr): ReadonlyMap<number, readonly number[]> {
  const successors = new Map<number, number[]>();
  const edge = (from: number, to: number): void => {
    successors.set(from, [...(successors.get(from) ?? []), to]);
  };
  const firstOf = (descr: JobDescr): number => (descr.history === null ? descr.job : firstOf(descr.history.before));
  const visit = ({ history, job }: JobDescr): void => {
    if (history === null) return;
    const { before, tasks } = history;
    for (const task of tasks) {
      edge(before.job, firstOf(task));
      edge(task.job, job);
      visit(task);
    }
    if (tasks.length === 0) edge(before.job, job);
    visit(before);
  };
  visit(last);
  return successors;
}

function reaches(successors: ReadonlyMap<number, readonly number[]>, from: number, to: number): boolean {
  const seen = new Set<number>();
  const pending = [...(successors.get(from) ?? [])];
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    if (job === to) return true;
    if (seen.has(job)) continue;
    seen.add(job);
    pending.push(...(successors.get(job) ?? []));
  }
  return false;
}

afterEach(() => {
  parallel.takeTurns(null);
  cost.resolved = null;
});

describe("compound IDs", () => {
  test("one is before another where it is reached in the graph of jobs", () => {
    fc.assert(
      fc.property(shapes, fc.option(fc.nat()), (shape, seed) => {
        parallel.takeTurns(seed);
        const { ids, last } = graphOf(shape);
        const isBefore = parallel.orderOf(last);
        const successors = successorsIn(last);
        for (const one of ids.slice(0, 20)) {
          for (const other of ids.slice(0, 20)) {
            const isReached = one[0] === other[0] ? one[1] < other[1] : reaches(successors, one[0], other[0]);
            expect([one, other, isBefore(one, other)]).toEqual([one, other, isReached]);
          }
        }
      }),
    );
  });

  test("each is generated once, whatever the order", () => {
    fc.assert(
      fc.property(shapes, fc.nat(), (shape, seed) => {
        parallel.takeTurns(null);
        const inOrder = graphOf(shape).ids.length;
        parallel.takeTurns(seed);
        const { ids } = graphOf(shape);
        expect(new Set(ids.map(String)).size).toBe(inOrder);
        expect(ids.length).toBe(inOrder);
      }),
    );
  });
});

describe("resolving", () => {
  test("takes each ID once, and after all that come behind it", () => {
    fc.assert(
      fc.property(shapes, fc.option(fc.nat()), (shape, seed) => {
        parallel.takeTurns(seed);
        const ids: CompoundID[] = [];
        const graph = parallel.runTasks(function* () {
          yield* runOf(shape, ids);
          return yield* parallel.jobGraph();
        });
        const isBefore = parallel.orderOf(graph[1]);
        const resolved: CompoundID[] = (cost.resolved = []);
        parallel.run(0, graph, parallel.nothing);
        expect(resolved.map(String).sort()).toEqual(ids.map(String).sort());
        for (const [place, id] of resolved.entries()) {
          expect(resolved.slice(place + 1).filter((later) => isBefore(id, later))).toEqual([]);
        }
      }),
    );
  });

  test("tells a call of what is resolved already", () => {
    parallel.takeTurns(1);
    let early: CompoundID = [0, 0];
    const graph = parallel.runTasks(function* () {
      early = yield* parallel.genID();
      const late = yield* parallel.genID();
      expect(late).toEqual([0, 1]);
      return yield* parallel.jobGraph();
    });
    const toLate = (): parallel.Action => parallel.sCall([[0, 1], () => parallel.nothing], 1);
    expect(() => parallel.run(0, graph, parallel.sCall([early, toLate], 1))).toThrow("resolved already");
  });
});

describe("tasks that fail", () => {
  const failing = (name: string, ids: number) =>
    function* (): Computation<null> {
      for (let id = 0; id < ids; id++) yield* parallel.genID();
      throw new RangeError(name);
    };
  const working = function* (): Computation<null> {
    for (let id = 0; id < 9; id++) yield* parallel.genID();
    return null;
  };

  test("end the program with the error of the first, whichever comes to it first", () => {
    for (let seed = 0; seed < 100; seed++) {
      parallel.takeTurns(seed);
      const run = (): unknown =>
        parallel.runTasks(() => parallel.forkOf(working, failing("first", 7), failing("second", 0), working));
      expect(run).toThrow("first");
    }
  });

  test("leave the next run as it is", () => {
    expect(() => parallel.runTasks(() => parallel.forkOf(failing("first", 1), working))).toThrow("first");
    expect(graphOf([null, [[null], [null]]]).ids).toEqual([[0, 0], [1, 0], [2, 0]]); // prettier-ignore
  });
});

test("a longest path is that of the tasks which take longest", () => {
  cost.overlap = 0;
  const before = cost.primitives;
  const task = (work: number, ...inside: readonly (() => Computation<null>)[]) =>
    function* (): Computation<null> {
      cost.primitives += work;
      yield* parallel.forkOf(...inside);
      return null;
    };
  parallel.runTasks(() => parallel.forkOf(task(3, task(5), task(3)), task(10, task(5), task(10)), task(4)));
  expect(cost.primitives - before).toBe(3 + 5 + 3 + 10 + 5 + 10 + 4);
  expect(cost.primitives - before - cost.overlap).toBe(20);
});
