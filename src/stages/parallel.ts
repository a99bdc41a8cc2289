// SV25 §12: D5, fork-join parallelism. The rules are those of Fig. 10 in the monad M, which gives compound IDs and records how jobs fork and join:
// D5[s |*| t] = D5[s] |*|' D5[t], of any number of tasks, and so of the elements of `parBuild`. "Forks in the primal become joins in the dual."
// Checked after this pass: G |- t : T implies D5[G] |- D5[t] : M D5[T].

import * as b from "../target-calculus/build.js";
import { linearIn, m, stagedInArrays } from "./d4.js";
import { stagedTag } from "./d2.js";
import { interfaceOf, named } from "./interface.js";
import type { Stage } from "./stage.js";
import type { RunMonad } from "./wrap-rebuild.js";

const collector = b.opaque("IArray R");
/** CID = (JID, Z): the ID of a job, and a sequential ID within it. */
const cid = b.opaque("CID");
/** How many jobs there have been, and the last of them, which knows what was before it. */
const graph = b.tupleType(b.int, b.opaque("JobDescr"));
const anyType = { kind: "typeVar", name: "s" } as const;

/** M a = Ref JID -> JobDescr -> IO (JobDescr, a), from (Start, 0, 0) on. */
const monad: RunMonad = {
  state: graph,
  hint: "jobs",
  begun: (run) => b.ext("runTasks", run),
  runType: (type) => type,
  read: "jobGraph",
  lift: (call) => call,
};

export const parallel: Stage = {
  name: "parallel",
  title: "D5: fork-join parallelism (SV25 §12)",
  change:
    "IDs are compound, of a job and a number within it, and their order is partial: it follows the forks and joins of the program. Backpropagators " +
    "of tasks that ran in parallel are resolved in parallel, so that the gradient is as parallel as the program.",
  mode: "reverse",
  suffix: "D5",
  ofInput: "c",
  deep: false,
  ownsInput: false,
  operations: interfaceOf([
    { name: "runTasks", params: [b.computation(anyType)], result: anyType, runtime: "parallel.runTasks" },
    { name: "genID", params: [], result: b.computation(cid), runtime: "parallel.genID" },
    { name: "countIDs", params: [], result: b.computation(b.int), runtime: "parallel.countIDs" },
    { name: "jobGraph", params: [], result: b.computation(graph), runtime: "parallel.jobGraph" },
    { name: "SOneHot", params: [cid, b.real], result: m, runtime: "parallel.sOneHot" },
    { name: "SCall", params: [stagedTag(m, cid), b.real], result: m, runtime: "parallel.sCall" },
    { name: "run", params: [b.int, graph, m], result: collector, runtime: "parallel.run" },
    { name: "index", params: [collector, cid], result: b.real, runtime: "parallel.cotangentAt" },
  ]),
  opaqueTypes: new Map([
    ["CID", { type: named("CompoundID"), runtime: "parallel.CompoundID" }],
    ["JobDescr", { type: named("JobDescr"), runtime: "parallel.JobDescr" }],
    ["Staged c", { type: named("Staged"), runtime: "parallel.Staged" }],
    ["IO ()", { type: named("void"), runtime: null }],
    ["IArray R", { type: named("Float64Array"), runtime: null }],
  ]),
  monoids: [
    {
      type: m,
      zero: "parallel.nothing",
      plus: "parallel.both",
      sum: "parallel.allOf",
      symbols: { zero: "\\_. return ()", plus: ">>" },
    },
  ],
  monad: "named",
  tasks: {
    fork: "parallel.forkOf",
    forkEach: "parallel.forkEach",
    computation: "parallel.Computation",
    schedule: "parallel.takeTurns",
  },
  dual: { name: "D5[R]", type: b.tupleType(b.real, stagedTag(m, cid)) },
  transform: stagedInArrays({ suffix: "D5", id: cid, forks: true }, (names) => ({
    m,
    monad,
    input: {
      collector,
      id: cid,
      // R = \x. do i <- genID; return ((x, (i, SOneHot i)), \a. a[i]), where i is (0, k) for input number k
      tagged: (i) => b.tuple(i, linearIn(names, "SOneHot", i)),
      read: (a, i) => b.ext("index", a, i),
    },
    output: (tagged) => b.proj(1, tagged),
    // run (SAlloc5 >>= \s. d z s >> SResolve jd s)
    run: (inputs, jobs, calls) => b.ext("run", inputs, jobs, calls),
  })),
};
