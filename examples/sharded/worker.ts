// A worker: takes shards from the queue, reads each in its own folder, and gives back value and gradient. Start as many as there are cores, on any machine
// that has the files: tsx examples/sharded/worker.ts FOLDER [--redis URL] [--lock MS]

import process from "node:process";
import { parseArgs } from "node:util";
import { UnrecoverableError, Worker } from "bullmq";
import { withNumbers } from "../shared/numbers.js";
import { numbersIn, textOf } from "./exact.js";
import { partOf } from "./gradient.js";
import type { Rates } from "./model.grad.js";
import { localRedis, queueName, type ShardJob, type ShardResult } from "./queue.js";
import { BadShard, readShard } from "./shards.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { redis: { type: "string", default: localRedis }, lock: { type: "string", default: "30000" } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("the folder is missing");
/** How long a shard may take, in ms: who holds one for longer without a sign of life has died, and another worker gets it. Nothing is renewed while the module computes. */
const lock = Number(values.lock);

const worker = new Worker<ShardJob, ShardResult>(
  queueName,
  async (job) => {
    console.log(`${job.name}: begun`);
    try {
      return textOf(partOf(ratesOf(job.data), await readShard(folder, job.name)));
    } catch (error) {
      // A file that is not there may come, and is tried again
      throw error instanceof BadShard ? new UnrecoverableError(error.message) : error;
    }
  },
  {
    connection: { url: values.redis },
    lockDuration: lock,
    stalledInterval: lock / 2,
    // The same shard may lose several workers without a fault of its own
    maxStalledCount: 5,
  },
);

function ratesOf(job: ShardJob): Rates {
  const numbers = numbersIn(job.rates);
  return withNumbers({ base: 0, weights: new Float64Array(numbers.length - 1) }, numbers);
}

worker.on("ready", () => {
  console.log("ready");
});
worker.on("failed", (job, error) => {
  console.error(`${job?.name ?? "a shard"}: ${error.message}`);
});
worker.on("error", (error) => {
  console.error(error.message);
});

// A worker that is asked to end finishes its shard
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void worker.close());
