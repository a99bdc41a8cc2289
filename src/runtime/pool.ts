// Gradients on several threads: a sum over the tasks of a fork in parts, each the job of a thread.
//
// What is a job depends on sizes alone, and what jobs give is added up in their order: the result is the same to the last bit for any number of threads,
// and in every run. What fails in a job, or is not finite there, is computed again as a whole on the calling thread, which tells the error of the program.

/** What has numbers, or what has such in turn: a gradient, an array. */
type Numbers = Fields | unknown[] | Float64Array;

/** What has fields. */
interface Fields {
  [key: string]: unknown;
}

/** Value and gradient. */
interface ValueGrad {
  readonly value: number;
  readonly grad: object;
}

/** A definition that is lossRest(x, the sum of lossJob(x, first, count)), or the tree of forks lossRest(x, jobs, 0, [lossJob(x, jobs, 0), lossJob(x, jobs, 1), ..]). */
export interface Parts {
  /** The whole gradient, on this thread. */
  readonly whole: (...args: never[]) => ValueGrad;
  /** How many tasks there are; null: a tree has as many as there are jobs, a power of `arity`. */
  readonly tasks: ((...args: never[]) => number) | null;
  readonly arity: number;
  /** The sum of so many tasks from one on, or one task of so many, with its gradient. */
  readonly job: (...args: never[]) => ValueGrad;
  /** What is made of that, with its gradient, which has that of the sum, or of the values, too. */
  readonly rest: (...args: never[]) => ValueGrad;
  /** Their key in that. */
  readonly given: string;
  /** The places of the arguments that are differentiated, and their keys in a gradient. */
  readonly active: readonly number[];
  /** The places of integers, which may say how often something is repeated. */
  readonly integers: readonly number[];
  readonly keys: readonly string[];
  /** Operations of a task; and the most jobs that pay. */
  readonly operations: number;
  readonly most: number;
}

/** Definitions in parts, by name. */
export interface PartsByName {
  readonly [name: string]: Parts;
}

/** How a pool is opened. */
interface Opening {
  /** How many threads; left out: as many as the machine has cores. */
  readonly threads?: number;
  /** The work of a thread that pays, in operations; 300000 where left out. */
  readonly minWork?: number;
  /** Starts a worker that calls `serveJobs`; left out: the module's own, `.worker.js` beside it. */
  readonly worker?: () => PoolWorker;
}

/** What a pool needs of a worker, of a page or of Node. */
export interface PoolWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
  on?(event: string, listener: (value: unknown) => void): unknown;
  addEventListener?(event: string, listener: (event: { readonly data?: unknown }) => void): unknown;
  ref?(): void;
  unref?(): void;
}

/** One gradient to be computed by all threads. */
interface Call {
  readonly id: number;
  readonly entry: string;
  readonly args: readonly unknown[];
  readonly tasks: number;
  readonly jobs: number;
  readonly size: number;
  /** Which job is next, how many are done, whether one has failed, each on a cache line of its own; and of each job whether it is done. */
  readonly control: Int32Array;
  /** The value of each job, and the numbers of its gradient. */
  readonly results: Float64Array;
}

const nextJob = 0;
const doneJobs = 32;
const failure = 64;
const jobFlags = 96;

/** Jobs of one gradient hold so many numbers at most; those of a tree fewer, whose sizes do not tell whether so many pay. */
const mostNumbers = { ofSum: 2 ** 22, ofTree: 2 ** 17 };

/** Arrays of so many numbers are copied for all threads, shorter ones for each. */
const longArray = 1024;

/** So deep in arguments such arrays are looked for. */
const mostLevels = 4;

/** How often a thread looks before it waits: some 20 microseconds. */
const spins = 2000;

/** After so many milliseconds without news a thread that waits does itself what is missing: others may have ended. */
const patience = 1000;

/** A module of Node; undefined elsewhere. */
function builtIn(name: string): unknown {
  const host = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } };
  return host.process?.getBuiltinModule?.(name);
}

// Node has no such name; nothing else runs as long as the call takes.

/** Starts a worker by `new Worker(..)`, which is what bundlers look for. In Node its own class goes by that name during this call. */
export function startWorker(start: () => PoolWorker): PoolWorker {
  const threads = builtIn("node:worker_threads") as { readonly Worker: unknown } | undefined;
  if (threads === undefined) return start();
  const before = Object.getOwnPropertyDescriptor(globalThis, "Worker");
  Object.defineProperty(globalThis, "Worker", { value: threads.Worker, configurable: true });
  try {
    return start();
  } finally {
    if (before === undefined) Reflect.deleteProperty(globalThis, "Worker");
    else Object.defineProperty(globalThis, "Worker", before);
  }
}

function coreCount(): number {
  const os = builtIn("node:os") as { readonly availableParallelism?: () => number } | undefined;
  const page = globalThis as { readonly navigator?: { readonly hardwareConcurrency?: number } };
  return os?.availableParallelism?.() ?? page.navigator?.hardwareConcurrency ?? 1;
}

/** Calls a function for every number in a value, in one order for values of one shape, and puts what it gives in the number's place. */
function changeNumbers(root: Numbers, change: (x: number) => number): void {
  const pending: Numbers[] = [root];
  for (let holder = pending.pop(); holder !== undefined; holder = pending.pop()) {
    if (holder instanceof Float64Array) {
      for (let at = 0; at < holder.length; at++) holder[at] = change(holder[at] as number);
      continue;
    }
    const inner: Numbers[] = [];
    const changed = (part: unknown): unknown => {
      if (typeof part === "number") return change(part);
      if (typeof part === "object" && part !== null) inner.push(part as Numbers);
      return part;
    };
    if (Array.isArray(holder)) for (let at = 0; at < holder.length; at++) holder[at] = changed(holder[at]);
    else for (const key of Object.keys(holder)) holder[key] = changed(holder[key]);
    for (let part = inner.pop(); part !== undefined; part = inner.pop()) pending.push(part);
  }
}

/** How many numbers a value has, integers too, which gradients have zeros for. */
function countNumbers(root: unknown): number {
  if (typeof root === "number") return 1;
  if (ArrayBuffer.isView(root) && "length" in root) return Number(root.length);
  let count = 0;
  const pending: unknown[] = [root];
  for (let part = pending.pop(); pending.length > 0 || part !== undefined; part = pending.pop()) {
    if (typeof part === "number") count += 1;
    else if (ArrayBuffer.isView(part) && "length" in part) count += Number(part.length);
    else if (typeof part === "object" && part !== null)
      for (const inner of Array.isArray(part) ? (part as unknown[]) : Object.values(part))
        if (typeof inner === "number") count += 1;
        else pending.push(inner);
  }
  return count;
}

/** How arguments are sent to threads. */
interface Sending {
  /** A copy in memory that threads share. */
  readonly copied: (xs: ArrayLike<number>) => Float64Array;
  /** Whether the caller goes on meanwhile, and may change them. */
  readonly isLater: boolean;
}

/** An argument as it is sent to threads: with copies of its long arrays in memory that they share, and of all else that may change until they are done. */
function sent(arg: unknown, sending: Sending, levels = mostLevels): unknown {
  const { copied, isLater } = sending;
  if (typeof arg !== "object" || arg === null) return arg;
  if (arg instanceof Float64Array) {
    if (Object.prototype.toString.call(arg.buffer) === "[object SharedArrayBuffer]") return arg;
    if (arg.length >= longArray) return copied(arg);
    return isLater ? arg.slice() : arg;
  }
  if (Array.isArray(arg)) {
    if (typeof arg[0] === "object" && levels > 0) return arg.map((part) => sent(part, sending, levels - 1));
    return isLater ? clone(arg) : arg;
  }
  // What another kind of object gives is known to itself alone
  const prototype: unknown = Object.getPrototypeOf(arg);
  if (prototype !== Object.prototype && prototype !== null) return arg;
  if (levels === 0) return isLater ? clone(arg) : arg;
  return Object.fromEntries(Object.entries(arg).map(([key, part]) => [key, sent(part, sending, levels - 1)]));
}

/** A copy, where there can be one. */
function clone(arg: object): unknown {
  if (Array.isArray(arg) && typeof arg[0] === "number") return arg.slice();
  try {
    return (globalThis as unknown as { readonly structuredClone: (value: object) => unknown }).structuredClone(arg);
  } catch {
    return arg;
  }
}

/** How many numbers arguments have, and how often integers among them may say that something is repeated: what tells the work. */
function sizeOfAll({ integers }: Parts, args: readonly unknown[]): number {
  return args.reduce((size: number, arg, place) => size + (integers.includes(place) ? Math.abs(Number(arg)) : countNumbers(arg)), 0); // prettier-ignore
}

/** How many tasks a sum has; where it cannot say, none: the gradient as a whole tells what is wrong. */
function tasksOf(tasks: (...args: never[]) => number, args: readonly unknown[]): number {
  try {
    return tasks(...(args as never[]));
  } catch {
    return 0;
  }
}

// Of a tree, sizes do not tell the work.

/** How many tasks there are, and how many jobs of them pay: 0 where none do. Of a tree there are jobs wherever it forks. */
function shared(parts: Parts, args: readonly unknown[], size: number, minWork: number): readonly [number, number] {
  const most = Math.min(parts.most, (parts.tasks === null ? mostNumbers.ofTree : mostNumbers.ofSum) / (size + 1));
  if (parts.tasks === null) {
    let jobs = minWork === Infinity ? 0 : 1;
    while (jobs > 0 && jobs * parts.arity <= most) jobs *= parts.arity;
    return [jobs, jobs];
  }
  const tasks = tasksOf(parts.tasks, args);
  const work = parts.operations * Math.max(tasks, sizeOfAll(parts, args));
  if (tasks < 2 || work < 2 * minWork) return [tasks, 0];
  // Smaller ones than what pays alone, so that threads end at the same time; but each has a whole gradient to set to zero, and to be added
  const pays = (minWork / 8) * (1 + size / 2500);
  return [tasks, Math.floor(Math.min(tasks, most, work / pays))];
}

/** Takes one job after the other, until none is left. */
function runJobs(parts: Parts, call: Call): void {
  const { control, jobs } = call;
  for (let job = Atomics.add(control, nextJob, 1); job < jobs; job = Atomics.add(control, nextJob, 1)) {
    if (Atomics.load(control, failure) !== 0) return;
    runJob(parts, call, job);
  }
}

/** Does a job, and says so; where two threads do the same one, they write the same. */
function runJob(parts: Parts, call: Call, job: number): void {
  const { control, size, results } = call;
  try {
    writeJob(parts, call, job, results.subarray(job * (size + 1), (job + 1) * (size + 1)));
  } catch {
    Atomics.store(control, failure, 1);
  }
  if (Atomics.exchange(control, jobFlags + job, 1) === 0) Atomics.add(control, doneJobs, 1);
  Atomics.notify(control, doneJobs);
}

/** Waits until all jobs are done, or one has failed. */
function waitForJobs(parts: Parts, call: Call): void {
  const { control, jobs } = call;
  for (let spin = 0; spin < spins && Atomics.load(control, doneJobs) < jobs; spin++);
  for (let done = Atomics.load(control, doneJobs); done < jobs; done = Atomics.load(control, doneJobs)) {
    if (Atomics.load(control, failure) !== 0) return;
    if (Atomics.wait(control, doneJobs, done, patience) !== "timed-out") continue;
    for (let job = 0; job < jobs; job++) {
      const isDone = Atomics.load(control, jobFlags + job) !== 0;
      if (!isDone) runJob(parts, call, job);
    }
  }
}

/** The value of a job, and the numbers of its gradient. */
function writeJob(parts: Parts, { args, tasks, jobs }: Call, job: number, out: Float64Array): void {
  const [first, end] = [Math.floor((job * tasks) / jobs), Math.floor(((job + 1) * tasks) / jobs)];
  const which = parts.tasks === null ? [jobs, job] : [first, end - first];
  const { value, grad } = parts.job(...([...args, ...which] as never[]));
  out[0] = value;
  let at = 1;
  changeNumbers(partOf(grad, parts.keys), (x) => {
    out[at++] = x;
    return x;
  });
  assertShape(at, out.length);
}

/** Of a gradient, what belongs to the definition's own parameters. */
function partOf(grad: object, keys: readonly string[]): Fields {
  return Object.fromEntries(keys.map((key) => [key, (grad as Fields)[key]]));
}

/** A gradient has the numbers of its arguments, or what is at a place of one would be added to another. */
function assertShape(found: number, expected: number): void {
  if (found !== expected) throw new Error("dualrev: a gradient has another shape than its arguments");
}

/** Value and gradient from those of all jobs, in their order; null where one is missing, or something is not finite, which products could take for something else. */
function joined(parts: Parts, { args, jobs, size, control, results }: Call): ValueGrad | null {
  if (Atomics.load(control, failure) !== 0 || Atomics.load(control, doneJobs) < jobs) return null;
  const values = Float64Array.from({ length: jobs }, (_, job) => results[job * (size + 1)] as number);
  const given = parts.tasks === null ? [jobs, 0, values] : [values.reduce((sum, value) => sum + value, 0)];
  const { value, grad } = parts.rest(...([...args, ...given] as never[]));
  const factors = (grad as Fields)[parts.given] as number | ArrayLike<number>;
  const sums = new Float64Array(size + 1);
  for (let job = 0; job < jobs; job++) {
    const start = job * (size + 1);
    const factor = typeof factors === "number" ? factors : (factors[job] as number);
    if (!Number.isFinite(factor)) return null;
    for (let at = 0; at <= size; at++) sums[at] = (sums[at] as number) + factor * (results[start + at] as number);
  }
  if (!sums.every(Number.isFinite)) return null;
  const own = partOf(grad, parts.keys);
  let at = 1;
  changeNumbers(own, (x) => x + (sums[at++] as number));
  assertShape(at, size + 1);
  return { value, grad: own };
}

/** A call that threads are doing, and who waits for it. */
interface Running {
  readonly call: Call;
  readonly done: () => void;
  readonly failed: (error: Error) => void;
}

/** Whether nothing is left to do: all jobs are done, or one has failed, after which the others do not matter, even where they have no end. */
function isOver({ control, jobs }: Call): boolean {
  return Atomics.load(control, failure) !== 0 || Atomics.load(control, doneJobs) >= jobs;
}

/** The threads of one pool. */
class Threads {
  readonly #start: () => PoolWorker;
  readonly #workers = new Set<PoolWorker>();
  #running: Running | null = null;
  #isClosed = false;

  constructor(start: () => PoolWorker) {
    this.#start = start;
  }

  get count(): number {
    return this.#workers.size;
  }

  /** Starts a thread, which answers once it is there. */
  async add(): Promise<void> {
    const worker = this.#start();
    await new Promise<void>((ready, failed) => {
      const listen = (event: string, then: (value: unknown) => void): void => {
        if (worker.on !== undefined) worker.on(event, then);
        else
          worker.addEventListener?.(event, (value) => {
            then(event === "message" ? value.data : undefined);
          });
      };
      const ended = (error: unknown): void => {
        const reason = error instanceof Error ? error : new Error("a thread of the pool has ended");
        if (this.#workers.delete(worker) && !this.#isClosed) this.#replaced(reason);
        failed(reason);
      };
      listen("message", () => {
        ready();
        const running = this.#running;
        if (running !== null && isOver(running.call)) running.done();
      });
      listen("error", ended);
      listen("exit", ended);
    });
    worker.unref?.();
    if (this.#isClosed) await worker.terminate();
    else this.#workers.add(worker);
  }

  /** Another thread takes the place of one that has ended; a call that was running fails then. */
  #replaced(reason: Error): void {
    const running = this.#running;
    const failed = (): void => running?.failed(reason);
    this.add().then(failed, failed);
  }

  /** Has all threads do a call, without waiting for them; false where there is none, or arguments cannot be copied, as proxies. */
  begin(call: Call): boolean {
    try {
      for (const worker of this.#workers) worker.postMessage(call);
      return this.#workers.size > 0;
    } catch {
      return false;
    }
  }

  /** Has all threads do a call, as `begin` does, and one at a time. */
  async run(call: Call): Promise<boolean> {
    const workers = [...this.#workers];
    for (const worker of workers) worker.ref?.();
    try {
      return await new Promise<boolean>((done, failed) => {
        this.#running = { call, done: () => { done(true); }, failed }; // prettier-ignore
        if (!this.begin(call)) done(false);
      });
    } finally {
      this.#running = null;
      for (const worker of workers) worker.unref?.();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const workers = [...this.#workers];
    this.#workers.clear();
    this.#running?.failed(closed());
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function closed(): Error {
  return new Error("the pool is closed");
}

/** Where gradients are computed. */
type Mode = "workers" | "one thread: no SharedArrayBuffer" | "one thread: one core";

/** What computes gradients. */
export interface Pool {
  readonly threads: number;
  readonly mode: Mode;
  grad(entry: string, args: readonly unknown[]): Promise<ValueGrad>;
  gradSync(entry: string, args: readonly unknown[]): ValueGrad;
  share(xs: ArrayLike<number>): Float64Array;
  close(): Promise<void>;
}

/** Opens a pool; what computes on one thread has the same interface, and the same results. */
export async function openPool(all: PartsByName, options: Opening, own: () => PoolWorker): Promise<Pool> {
  const wanted = options.threads ?? coreCount();
  if (!Number.isSafeInteger(wanted) || wanted < 1) throw new RangeError(`threads must be an integer from 1 on, got ${wanted}`); // prettier-ignore
  const given = options.minWork ?? 300_000;
  if (typeof given !== "number" || !(given >= 0)) throw new RangeError(`minWork must be a number from 0 on, got ${given}`); // prettier-ignore
  const minWork = Math.max(1, given);
  const isShared = typeof SharedArrayBuffer !== "undefined";
  const mode: Mode = !isShared ? "one thread: no SharedArrayBuffer" : wanted === 1 ? "one thread: one core" : "workers";
  const threads = new Threads(options.worker ?? own);
  let isOpen = true;
  let calls = 0;
  let last: Promise<unknown> = Promise.resolve();
  if (mode === "workers") {
    try {
      await Promise.all(Array.from({ length: wanted }, () => threads.add()));
    } catch (error) {
      await threads.close();
      throw error;
    }
  }
  const numbers = (length: number): Float64Array => isShared ? new Float64Array(new SharedArrayBuffer(length * 8) as unknown as ArrayBuffer) : new Float64Array(length); // prettier-ignore
  const shareable = (xs: ArrayLike<number>): Float64Array => {
    const copy = numbers(xs.length);
    copy.set(xs);
    return copy;
  };

  /** What is to be done for a gradient; null: it is one job. */
  const planned = (entry: string, args: readonly unknown[], isLater: boolean): Call | null => {
    const parts = partsOf(all, entry);
    if (!isOpen) throw closed();
    const size = parts.active.reduce((sum, place) => sum + countNumbers(args[place]), 0);
    const [tasks, jobs] = shared(parts, args, size, minWork);
    if (jobs < 2) return null;
    const words = jobFlags + jobs;
    const control = isShared
      ? new Int32Array(new SharedArrayBuffer(words * 4) as unknown as ArrayBuffer)
      : new Int32Array(words);
    calls += 1;
    const results = numbers(jobs * (size + 1));
    const given = mode === "workers" ? args.map((arg) => sent(arg, { copied: shareable, isLater })) : args;
    return { id: calls, entry, args: given, tasks, jobs, size, control, results };
  };
  const whole = (entry: string, args: readonly unknown[]): ValueGrad => partsOf(all, entry).whole(...(args as never[]));
  const finished = (call: Call): ValueGrad => joined(partsOf(all, call.entry), call) ?? whole(call.entry, call.args);
  const alone = (call: Call): ValueGrad => {
    runJobs(partsOf(all, call.entry), call);
    return finished(call);
  };

  const pool: Pool = {
    get threads() {
      return mode === "workers" ? threads.count : 1;
    },
    mode,
    async grad(entry, args) {
      const call = planned(entry, args, true);
      if (call === null) return whole(entry, args);
      if (mode !== "workers") return alone(call);
      // One gradient after the other: each has all threads
      const ran = last.then(() => {
        if (!isOpen) throw closed();
        return threads.run(call);
      });
      last = ran.catch(() => null);
      return (await ran) ? finished(call) : alone(call);
    },
    gradSync(entry, args) {
      const call = planned(entry, args, false);
      if (call === null) return whole(entry, args);
      if (mode !== "workers") return alone(call);
      assertMayWait(call.control);
      if (!threads.begin(call)) return alone(call);
      waitForJobs(partsOf(all, entry), call);
      return finished(call);
    },
    share(xs) {
      if (!isNumbers(xs)) throw new TypeError("share: xs must be an array of numbers");
      return shareable(xs);
    },
    async close() {
      isOpen = false;
      await threads.close();
    },
  };
  // `await using`, where there is such a thing
  const dispose: unknown = Reflect.get(Symbol, "asyncDispose");
  if (typeof dispose === "symbol") Object.defineProperty(pool, dispose, { value: () => pool.close() });
  return pool;
}

function isNumbers(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("length" in value)) return false;
  return Array.prototype.every.call(value, (x) => typeof x === "number");
}

/** Throws where waiting is not allowed. */
function assertMayWait(control: Int32Array): void {
  try {
    // It is not that number, so that nothing is waited for
    Atomics.wait(control, nextJob, -1, 0);
  } catch {
    throw new TypeError(
      "a page's main thread may not wait: there is a promise of the gradient, by the name without Sync",
    );
  }
}

function partsOf(definitions: PartsByName, entry: string): Parts {
  const parts = definitions[entry];
  if (parts === undefined) throw new Error(`no jobs for ${entry}`);
  return parts;
}

/** In a worker: does the jobs of gradients that it is sent. */
export function serve(all: PartsByName): void {
  const threads = builtIn("node:worker_threads") as { readonly parentPort: PoolWorker | null } | undefined;
  const port = threads?.parentPort ?? (globalThis as unknown as PoolWorker);
  const answer = (message: unknown): void => {
    const call = message as Call;
    runJobs(partsOf(all, call.entry), call);
    port.postMessage(call.id);
  };
  if (port.on !== undefined) port.on("message", answer);
  else
    port.addEventListener?.("message", ({ data }) => {
      answer(data);
    });
  port.postMessage(0);
}
