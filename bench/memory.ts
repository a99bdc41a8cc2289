// What a pullback holds, and how the time of a gradient grows, in a process of its own with --expose-gc. Arguments: FAMILY OPERATIONS; prints JSON.

import { exportOf, loadModule, propertyOf } from "../src/driver/evaluate.js";
import { distance } from "./compare.js";
import { loopOf, measure } from "./measure.js";
import type { Time } from "./measure.js";
import { emittedCode } from "./model.js";
import { gradientName } from "./workload.js";
import { savingFamilies } from "./workloads/memory.js";

export interface Saving {
  readonly name: string;
  readonly operations: number;
  /** Scalars that are saved by hand. */
  readonly saved: number;
  /** Bytes of the input that the reverse sweep reads. */
  readonly data: number;
  /** Bytes that are alive between `..Vjp` and its pullback and were not before. */
  readonly held: number;
  readonly primal: Time;
  readonly gradient: Time;
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

/** How many more bytes are alive with what is made than without: the median of five, since the engine makes and drops code meanwhile. */
async function bytesOf(make: () => unknown): Promise<number> {
  const sizes: number[] = [];
  for (let i = 0; i < 5; i++) {
    kept[0] = null;
    const before = await bytesAlive();
    kept[0] = make();
    sizes.push((await bytesAlive()) - before);
  }
  kept[0] = null;
  return sizes.sort((a, b) => a - b)[2] ?? NaN;
}

/** Milliseconds in which what is to be measured is called before. */
const warmTime = 500;

async function measureSaving(family: string, operations: number): Promise<Saving> {
  const make = savingFamilies.find(({ name }) => name === family)?.make;
  if (make === undefined || globalThis.gc === undefined) throw new Error(`no model ${family}, or no --expose-gc`);
  const module = loadModule(emittedCode(make(100), "adjoint"));
  const vjp = exportOf(module, `${make(100).entry}Vjp`);
  const model = make(operations);
  // Compiled code is held, too: it is made by these calls
  for (let i = 0; i < 100; i++) vjp(...make(100).args);
  for (const start = performance.now(); performance.now() - start < warmTime;) vjp(...model.args);
  const held = await bytesOf(() => vjp(...model.args));
  const data = await bytesOf(model.data);
  const pullback = propertyOf(vjp(...model.args), "pullback");
  if (typeof pullback !== "function") throw new Error("there is no pullback");
  const gradient = loopOf(exportOf(module, gradientName(model)), model.args, null);
  const tape = exportOf(loadModule(emittedCode(make(100), "tape")), gradientName(model));
  const error = operations > 1e5 ? 0 : distance(gradient(1), tape(...model.args));
  const pulled: unknown = Reflect.apply(pullback, undefined, [1]);
  if (!(Math.max(error, distance(pulled, propertyOf(gradient(1), "grad"))) <= 1e-9))
    throw new Error(`${family}: the gradients of tape, of adjoint and by its pullback differ`);
  const primal = loopOf(exportOf(module, model.entry), model.args, null);
  const [primalTime, gradientTime] = measure([primal, gradient], 1, operations > 1e6 ? 3 : 9);
  if (primalTime === undefined || gradientTime === undefined) throw new Error("nothing was measured");
  return {
    name: family,
    operations: model.operations,
    saved: model.saved,
    data,
    held,
    primal: primalTime,
    gradient: gradientTime,
  };
}

const [family = "", operations = ""] = process.argv.slice(2);
console.log(JSON.stringify(await measureSaving(family, Number(operations))));
