// What a pullback holds, in a process of its own with --expose-gc. Arguments: FAMILY OPERATIONS; prints JSON.

import { exportOf, loadModule, propertyOf } from "../src/driver/evaluate.js";
import { distance } from "./compare.js";
import { summary } from "./measure.js";
import { emittedCode } from "./model.js";
import { gradientName } from "./workload.js";
import { findSavingModel } from "./workloads/memory.js";

export interface Held {
  /** Scalars that are saved by hand. */
  readonly saved: number;
  /** Bytes of the input that the reverse sweep reads. */
  readonly data: number;
  /** Bytes that are alive between `..Vjp` and its pullback and were not before. */
  readonly held: number;
}

/** Bytes alive on the heap and in array buffers, which `external` contains. */
async function bytesAlive(): Promise<number> {
  let bytes = Infinity;
  for (let i = 0; i < mostCollections; i++) {
    globalThis.gc?.();
    // Memory of dead buffers is given back later, by another thread
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { heapUsed, external } = process.memoryUsage();
    const freed = bytes - (heapUsed + external);
    bytes = heapUsed + external;
    if (i > 1 && freed < negligible) break;
  }
  return bytes;
}

/** Collections go on while they find something: compiled code that is replaced dies only after some of them. */
const mostCollections = 20;

/** Bytes that a collection may find without another one after it. */
const negligible = 512;

const kept: unknown[] = [null];

/** How many more bytes are alive with what is made than without: the median of five, each by two that follow each other, since part of the first may be freed behind the second. */
async function bytesOf(make: () => unknown): Promise<number> {
  const sizes: number[] = [];
  for (let i = 0; i < 6; i++) {
    kept[0] = null;
    const before = await bytesAlive();
    kept[0] = make();
    sizes.push((await bytesAlive()) - before);
  }
  kept[0] = null;
  return summary(sizes.slice(1).map((size, i) => (size + (sizes[i] ?? NaN)) / 2)).median;
}

async function measureHeld(family: string, operations: number): Promise<Held> {
  if (globalThis.gc === undefined) throw new Error("no --expose-gc");
  const [small, model] = [findSavingModel(`${family} 100`), findSavingModel(`${family} ${operations}`)];
  const module = loadModule(emittedCode(model, "adjoint"));
  const vjp = exportOf(module, `${model.entry}Vjp`);
  for (let i = 0; i < 100; i++) vjp(...small.args);
  const held = await bytesOf(() => vjp(...model.args));
  const data = model.data === null ? 0 : await bytesOf(model.data);
  const pullback = propertyOf(vjp(...model.args), "pullback");
  if (typeof pullback !== "function") throw new Error("there is no pullback");
  const gradient: unknown = Reflect.apply(exportOf(module, gradientName(model)), undefined, model.args);
  const tape = exportOf(loadModule(emittedCode(model, "tape")), gradientName(model));
  const error = operations > 1e5 ? 0 : distance(gradient, tape(...model.args));
  const pulled: unknown = Reflect.apply(pullback, undefined, [1]);
  if (!(Math.max(error, distance(pulled, propertyOf(gradient, "grad"))) <= 1e-9))
    throw new Error(`${family}: the gradients of tape, of adjoint and by its pullback differ`);
  return { saved: model.saved, data, held };
}

const [family = "", operations = ""] = process.argv.slice(2);
console.log(JSON.stringify(await measureHeld(family, Number(operations))));
