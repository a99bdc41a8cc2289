// The coordinator's side of the queue: one job for each shard, and the sum of what comes back. The retries, the jobs of workers that have died, and the
// waiting are BullMQ's.

import { Queue, QueueEvents } from "bullmq";
import type { Evaluation } from "../shared/minimize.js";
import { numbersOf } from "../shared/numbers.js";
import { numbersIn, textOf } from "./exact.js";
import { sumOf, type Part } from "./gradient.js";
import type { Rates } from "./model.grad.js";

export const queueName = "dualrev-shards";

export const localRedis = "redis://127.0.0.1:6379";

/** What a job holds. Its name is that of the shard; the data are where the worker is. */
export interface ShardJob {
  /** The numbers of the rates. */
  readonly rates: string;
}

/** What a job gives: the numbers of a part. */
export type ShardResult = string;

export interface Coordinator {
  /** How many workers there are. */
  readonly workers: number;
  /** Value and gradient of the sum. Throws where a shard fails for good, with its name, and where the server is lost. */
  readonly evaluate: (rates: Rates) => Promise<Evaluation<Rates>>;
  readonly close: () => Promise<void>;
}

export interface CoordinatorOptions {
  readonly redis: string;
  /** The names of the shards, in the order in which they are added up. */
  readonly shards: readonly string[];
  /** How long a shard may take, in ms, with its retries and those before it. */
  readonly patience: number;
}

/** Fails where there is no server, or no worker. */
export async function openCoordinator({ redis, shards, patience }: CoordinatorOptions): Promise<Coordinator> {
  // Where a worker waits for the server, a coordinator gives up: BullMQ would have it wait for jobs that a new server does not know
  let giveUp = (): void => undefined;
  const lost = new Promise<never>((_, reject) => {
    giveUp = () => {
      reject(new Error(`the connection to ${redis} is lost`));
    };
  });
  lost.catch(() => undefined);
  const retryStrategy = (times: number) => {
    if (times <= 5) return 100 * times;
    giveUp();
    return null;
  };
  const connection = { url: redis, retryStrategy };
  const queue = new Queue<ShardJob, ShardResult>(queueName, {
    connection,
    defaultJobOptions: {
      attempts: 3,
      backoff: { type: "exponential", delay: 100 },
      removeOnComplete: { age: 600 },
      removeOnFail: { age: 600 },
    },
  });
  const events = new QueueEvents(queueName, { connection });
  // What they emit is also what they throw
  queue.on("error", () => undefined);
  events.on("error", () => undefined);
  // Each job that is waited for listens
  queue.setMaxListeners(0);
  const close = async () => {
    await Promise.allSettled([events.close(), queue.close()]);
  };

  const evaluate = async (rates: Rates) => {
    const data = { rates: textOf(numbersOf(rates)) };
    const jobs = await queue.addBulk(shards.map((name) => ({ name, data })));
    const partOrError = async (job: (typeof jobs)[number]): Promise<Part | Error> => {
      try {
        return numbersIn(await job.waitUntilFinished(events, patience));
      } catch (error) {
        return new Error(`${job.name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    };
    // All of them, also where one has failed: the error is that of the first shard that has one, and nobody waits any more when it is thrown
    const outcomes = await Promise.race([Promise.all(jobs.map(partOrError)), lost]);
    const parts: Part[] = [];
    for (const outcome of outcomes) {
      if (outcome instanceof Error) {
        // What nobody has taken is of no use
        await Promise.allSettled(jobs.map((job) => job.remove()));
        throw outcome;
      }
      parts.push(outcome);
    }
    return sumOf(rates, parts);
  };

  try {
    await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);
    const workers = await queue.getWorkersCount();
    if (workers === 0) throw new Error(`no worker is there for the queue ${queueName} of ${redis}`);
    return { workers, evaluate, close };
  } catch (error) {
    await close();
    throw error;
  }
}
