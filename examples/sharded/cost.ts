// What the queue costs for each shard, against what is computed. With a Redis server and some workers: tsx examples/sharded/cost.ts FOLDER [--redis URL]

import { rmSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { partOf, sumOf } from "./gradient.js";
import { localRedis, openCoordinator } from "./queue.js";
import { readShard, shardsIn, truth, writeShards } from "./shards.js";

/** How many policies a shard has. With one there is little but the queue. */
const sizes = [1, 1_000, 10_000, 100_000];

/** How long each of some things takes, in ms: the shortest of its times. They take turns, for twenty seconds. */
async function quickest(...things: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const best = things.map(() => Infinity);
  const end = performance.now() + 20_000;
  while (performance.now() < end) {
    for (const [i, run] of things.entries()) {
      const start = performance.now();
      await run();
      best[i] = Math.min(best[i] ?? Infinity, performance.now() - start);
    }
  }
  return best;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { redis: { type: "string", default: localRedis } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("the folder is missing");

console.log("ms for each of 8 shards, read and computed:");
for (const size of sizes) {
  const set = `cost-${size}`;
  writeShards(join(folder, set), size);
  try {
    const shards = (await shardsIn(join(folder, set))).map((name) => `${set}/${name}`);
    const here = async () => {
      const parts = [];
      for (const name of shards) parts.push(partOf(truth, await readShard(folder, name)));
      return sumOf(truth, parts);
    };
    const coordinator = await openCoordinator({ redis: values.redis, shards, patience: 60_000 });
    try {
      const times = await quickest(here, () => coordinator.evaluate(truth));
      const [one, other] = times.map((ms) => (ms / shards.length).toFixed(2).padStart(6));
      console.log(
        `${String(size).padStart(6)} policies: ${one} in this process, ${other} by the queue, ${coordinator.workers} at work`,
      );
    } finally {
      await coordinator.close();
    }
  } finally {
    rmSync(join(folder, set), { recursive: true });
  }
}
