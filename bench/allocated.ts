// What one call of a gradient allocates, in a process of its own without collections. Arguments: GROUP NAME; standard input: the module, or nothing for what is written
// by hand. Prints bytes as JSON.

import { readFileSync } from "node:fs";
import { exportOf, functionOf, loadModule } from "../src/driver/evaluate.js";
import { summary } from "./measure.js";
import { gradientName } from "./workload.js";
import { findWorkload } from "./workloads/index.js";

const [group = "", name = ""] = process.argv.slice(2);
const workload = findWorkload(group, name);
const code = readFileSync(0, "utf8");
const gradient = functionOf(code === "" ? workload.gradient : exportOf(loadModule(code), gradientName(workload)));

/** In milliseconds. */
const warmTime = 1500;

const kept: unknown[] = [null];

/** Bytes on the heap and in the memory of typed arrays. */
function bytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function bytesOfCall(): number {
  kept[0] = null;
  globalThis.gc?.();
  const before = bytes();
  kept[0] = gradient(...workload.args);
  return bytes() - before;
}

// Code that is not compiled yet makes an object of every number
for (const end = performance.now() + warmTime; performance.now() < end;) kept[0] = gradient(...workload.args);
console.log(JSON.stringify(summary([1, 2, 3, 4, 5].map(bytesOfCall)).median));
