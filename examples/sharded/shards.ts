// Shards of the data: files of policies. As a program, `tsx examples/sharded/shards.ts FOLDER` writes eight of them, in the place of what an insurer has.

import { mkdirSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { isMain } from "../shared/is-main.js";
import { normalNumber, randomNumbers } from "../shared/random.js";
import type { Rates } from "./model.grad.js";

/** What the model's `loss` takes, beside the rates. */
export interface Policies {
  readonly years: Float64Array;
  readonly claims: Float64Array;
  /** A row for each policy. */
  readonly features: readonly Float64Array[];
}

/** A shard that can be read, and is none. To read it again is of no use. */
export class BadShard extends Error {}

/** What a file begins with: it has these bytes where its byte order is that of the machine. */
const marker = 6.02214076e23;

const extension = ".shard";

/**
 * A shard as a file: float64 in the machine's byte order, which are the marker, how many policies there are, how many features each has, the years,
 * the claims, and the features row by row.
 */
export function writeShard(folder: string, name: string, { years, claims, features }: Policies): void {
  const width = features[0]?.length ?? 0;
  const numbers = [marker, years.length, width, ...years, ...claims, ...features.flatMap((row) => [...row])];
  writeFileSync(pathOf(folder, name), Float64Array.from(numbers));
}

/** Reads a shard. All arrays are parts of one. Throws `BadShard` where the file is no shard, or not all of one. */
export async function readShard(folder: string, name: string): Promise<Policies> {
  const path = pathOf(folder, name);
  const bytes = await readFile(path);
  const numbers = new Float64Array(Math.floor(bytes.length / 8));
  bytes.copy(new Uint8Array(numbers.buffer));
  const [first, count = NaN, width = NaN] = numbers;
  if (first !== marker) throw new BadShard(`${path} is no shard`);
  const size = 8 * (3 + count * (2 + width));
  if (bytes.length !== size) throw new BadShard(`${path} has ${bytes.length} bytes, and should have ${size}`);
  if (!numbers.every(Number.isFinite)) throw new BadShard(`${path} has numbers that are not finite`);
  const part = (start: number, length: number) => numbers.subarray(start, start + length);
  return {
    years: part(3, count),
    claims: part(3 + count, count),
    features: Array.from({ length: count }, (_, i) => part(3 + 2 * count + i * width, width)),
  };
}

/** The names of the shards in a folder, in their order: the one in which they are added up. */
export async function shardsIn(folder: string): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(extension));
  return files.map((file) => file.slice(0, -extension.length)).sort();
}

/** Where a shard is. */
export function pathOf(folder: string, name: string): string {
  return join(folder, name + extension);
}

/** The rates that the policies are made with. */
export const truth: Rates = {
  base: Math.log(0.08),
  weights: Float64Array.from([1.6, 1.3, 1.1, 2], (factor) => Math.log(factor)),
};

/** Policies as there might be: for each, whether the driver is young, whether it is in a city, the power in tens of kW from the mean, whether there was a claim the year before. */
export function madePolicies(count: number, seed: number): Policies {
  const random = randomNumbers(seed);
  const chance = (share: number) => (random() < share ? 1 : 0);
  const features = Array.from({ length: count }, () =>
    Float64Array.of(chance(0.15), chance(0.4), 2 * normalNumber(random), chance(0.1)),
  );
  const years = Float64Array.from(features, () => 0.1 + 0.9 * random());
  const claims = years.map((time, i) => {
    const row = features[i] ?? [];
    const mean = time * Math.exp(truth.weights.reduce((sum, weight, j) => sum + weight * (row[j] ?? NaN), truth.base));
    return poissonNumber(mean, random);
  });
  return { years, claims, features };
}

/** A number of the Poisson distribution, by Knuth's method. */
function poissonNumber(mean: number, random: () => number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}

/** Writes a shard of policies for each year from 2018 to 2025. */
export function writeShards(folder: string, policies: number): void {
  mkdirSync(folder, { recursive: true });
  for (let year = 2018; year <= 2025; year++) writeShard(folder, `claims-${year}`, madePolicies(policies, year));
}

if (isMain(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("the folder is missing");
  writeShards(folder, 5000);
}
