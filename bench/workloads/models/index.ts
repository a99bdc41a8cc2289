// Simulations and a statistical model, of the kind that are written by users: arrays that loops carry, arrays of records, rows of parameters.

import type { LazyWorkload } from "../../workload.js";
import { gravity } from "./gravity.js";
import { markov } from "./markov.js";
import { reaction } from "./reaction.js";

export const models: readonly LazyWorkload[] = [
  ...[3, 10, 30].map((n) => ({ name: `n-body ${n}`, make: () => gravity(n) })),
  ...[10, 100, 1000].map((n) => ({ name: `reaction ${n}`, make: () => reaction(n) })),
  ...[10, 100, 1000].map((n) => ({ name: `markov ${n}`, make: () => markov(n) })),
];
