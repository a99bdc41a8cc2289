// Poisson regression over shards: how many claims do policies have? Data are in files, which workers read: only rates, the names of shards, values and gradients go through the queue.
// With a Redis server and some workers: tsx examples/sharded/main.ts FOLDER [--redis URL]

import process from "node:process";
import { parseArgs } from "node:util";
import { isMain } from "../shared/is-main.js";
import { minimizeElsewhere, type Evaluation, type Minimum } from "../shared/minimize.js";
import type { Rates } from "./model.grad.js";
import { localRedis, openCoordinator } from "./queue.js";
import { shardsIn, truth } from "./shards.js";

export const start: Rates = { base: 0, weights: new Float64Array(truth.weights.length) };

/** The most likely rates. */
export function fit(evaluate: (rates: Rates) => Promise<Evaluation<Rates>>): Promise<Minimum<Rates>> {
  return minimizeElsewhere(start, evaluate, { tolerance: 1e-4, iterations: 50 });
}

export function report({ at: rates }: Minimum<Rates>): string {
  const [young = NaN, city = NaN, power = NaN, before = NaN] = rates.weights.map(Math.exp);
  return `${Math.exp(rates.base).toFixed(4)} claims a year, times ${young.toFixed(2)} where the driver is young,
${city.toFixed(2)} in a city, ${power.toFixed(2)} for each 10 kW, and ${before.toFixed(2)} after a claim.`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { redis: { type: "string", default: localRedis }, patience: { type: "string", default: "600000" } },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new Error("the folder is missing");
  const shards = await shardsIn(folder);
  const coordinator = await openCoordinator({ redis: values.redis, shards, patience: Number(values.patience) });
  console.log(`${shards.length} shards, ${coordinator.workers} workers.`);
  console.log(report(await fit(coordinator.evaluate)));
  await coordinator.close();
}

if (isMain(import.meta.url)) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    // At once: where the server is lost, BullMQ goes on to wait for its jobs
    process.exit(1);
  });
}
