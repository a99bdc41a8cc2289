// The graph of jobs of one run (SV25 §12, Figs. 12 to 14): a fork starts a job for each of its tasks, and a join one for what follows.

/** A part of a run without forks: the IDs that it generates, and what was before it. */
export interface Job {
  readonly id: number;
  /** The places of its reals among those of the run; the ID of one is (id, its place here). */
  readonly reals: number[];
  readonly history: Fork | null;
}

/** The job that forked, and that in which each task has ended. */
export interface Fork {
  readonly before: Job;
  readonly tasks: readonly Job[];
}

/** The jobs of a run that is under way. */
export class Jobs {
  #running: Job = { id: 0, reals: [], history: null };
  #count = 1;

  /** The job that is running; at the end of the run, the last. */
  get last(): Job {
    return this.#running;
  }

  /** Runs tasks, one after the other, each in a job of its own. */
  readonly inParallel = <T>(tasks: readonly (() => T)[]): readonly T[] => {
    const before = this.#running;
    const first = this.#count;
    this.#count += tasks.length + 1;
    const done = tasks.map((task, index) => {
      this.#running = { id: first + index, reals: [], history: null };
      const result = task();
      return { result, end: this.#running };
    });
    this.#running = { id: first + tasks.length, reals: [], history: { before, tasks: done.map(({ end }) => end) } };
    return done.map(({ result }) => result);
  };
}

/** All jobs up to one, in the order in which the program has them, and in how many forks each stands. */
export function jobsUpTo(last: Job): readonly { readonly job: Job; readonly depth: number }[] {
  const found: { readonly job: Job; readonly depth: number }[] = [];
  const pending = [{ job: last, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    found.push(next);
    const { history } = next.job;
    if (history === null) continue;
    pending.push({ job: history.before, depth: next.depth });
    for (const task of history.tasks) pending.push({ job: task, depth: next.depth + 1 });
  }
  return found.reverse();
}

/** The first job of a task that has ended in one. */
export function firstOf(last: Job): Job {
  let job = last;
  while (job.history !== null) job = job.history.before;
  return job;
}
