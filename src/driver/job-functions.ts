// What a module with `openLossPool` is made of: the parts of the definitions whose gradient threads compute, as further definitions.

import type { Entry, Fn, Program } from "../core/term.js";
import { Names } from "../core/names.js";
import { allNames } from "../core/traverse.js";
import { int, real } from "../core/type.js";
import { withKnownFunctions, withoutPullbackCode } from "../derivatives/prepare.js";
import { poolNames, type PoolRequest, sharedNames } from "../jobs/pools.js";
import type { LeftOut } from "../emit/left-out.js";
import { leavesOf, type WithRespectTo } from "../emit/interface/interface.js";
import { exportedName, propertyName } from "../emit/interface/public-names.js";
import { splitAtSum } from "../jobs/fork-sum.js";
import { ForkTrees } from "../jobs/fork-tree.js";
import type { CoreProgram } from "./pipeline.js";

/** Jobs of one gradient: more than there are cores, so that they can be shared out evenly; few where each runs again what stands in front of the fork. */
const most = { usual: 64, afterLoops: 8 };

/** A definition in parts. */
interface Split {
  /** How many tasks there are; null: as many as are asked for. */
  readonly tasks: Fn | null;
  readonly job: Fn;
  readonly rest: Fn;
  /** The parameter of the rest for what jobs give. */
  readonly given: string;
  readonly arity: number;
  readonly operations: number;
  readonly most: number;
}

function splitOf(fn: Fn, trees: ForkTrees, names: Names): Split | null {
  const called = { job: names.fresh(`${fn.name}Job`), rest: names.fresh(`${fn.name}Rest`) };
  const givenTo = (rest: Fn): string => rest.params.at(-1)?.name ?? "";
  const sum = splitAtSum(fn, names, { ...called, tasks: names.fresh(`${fn.name}Tasks`) });
  if (sum !== null) {
    return { ...sum, given: givenTo(sum.rest), arity: 0, most: sum.hasLoopsBefore ? most.afterLoops : most.usual };
  }
  const tree = trees.split(fn, called);
  return tree === null ? null : { ...tree, given: givenTo(tree.rest), tasks: null, operations: 0, most: most.usual };
}

export interface WithJobs {
  readonly core: CoreProgram;
  readonly wrt: WithRespectTo;
  readonly pools: readonly PoolRequest[];
  readonly leftOut: readonly LeftOut[];
  /** Names of the model that the module needs for pools. */
  readonly taken: readonly string[];
}

/** A program with the parts of every definition that gives a number and whose fork threads can share. */
export function withJobs(core: CoreProgram, wrt: WithRespectTo): WithJobs {
  const known = withKnownFunctions(core.withPullbacks);
  const names = new Names([...allNames(known), ...core.program.entries.map(({ name }) => name)]);
  const trees = new ForkTrees(known, names);
  const parts: Fn[] = [];
  const entries: Entry[] = [];
  const pools: PoolRequest[] = [];
  const leftOut: LeftOut[] = [];
  const wrts = new Map(wrt);
  for (const entry of core.program.entries) {
    if (entry.result.kind !== "real" || entry.isValueOnly === true || entry.params.length === 0) continue;
    const fn = known.definitions.find(({ name }) => name === entry.name);
    const split = fn === undefined ? null : splitOf(fn, trees, names);
    if (split === null) {
      leftOut.push({
        name: poolNames(entry)[1],
        reason: "it takes no sum of what a fork gives once, and forks no numbers",
      });
      continue;
    }
    const { tasks, job, rest, given, arity, operations, most } = split;
    parts.push(...(tasks === null ? [] : [tasks]), job, rest);
    const part = (of: Fn, result: Entry["result"]): Entry => {
      const more = of.params
        .slice(entry.params.length)
        .map(({ name, type }) => ({ kind: "named" as const, name, type }));
      return { name: of.name, doc: "", params: [...entry.params, ...more], result, resultAlias: "", isInner: true };
    };
    if (tasks !== null) entries.push({ ...part(tasks, int), isValueOnly: true });
    entries.push(part(job, real), part(rest, real));
    const active = wrt.get(entry.name);
    if (active !== undefined) wrts.set(job.name, active).set(rest.name, [...active, given]);
    const leaves = leavesOf(entry.params).map(({ leaf }) => leaf);
    const places = leaves.flatMap(({ name }, place) =>
      (active?.includes(name) ?? true) ? [{ place, key: propertyName(name) }] : [],
    );
    const integers = leaves.flatMap(({ type }, place) => (type.kind === "int" ? [place] : []));
    pools.push({
      entry,
      parts: { tasks: tasks?.name ?? null, job: job.name, rest: rest.name },
      given: propertyName(given),
      active: places,
      integers,
      operations,
      most,
      arity,
    });
  }
  parts.push(...trees.called());
  // The definitions stay as they are, so that what is exported of them does: what the parts call is there, or has been made for them
  const given = new Set(core.withPullbacks.definitions.map(({ name }) => name));
  const made = known.definitions.filter(({ name }) => !given.has(name));
  const withPullbacks: Program = {
    ...core.withPullbacks,
    definitions: [...core.withPullbacks.definitions, ...made, ...parts],
    entries: [...core.withPullbacks.entries, ...entries],
  };
  const own = new Set([...core.program.entries.map(exportedName), ...core.program.data.map(({ name }) => name), ...core.typed.aliases.map(({ name }) => name)]); // prettier-ignore
  const needed = pools.flatMap(({ entry }) => poolNames(entry));
  return {
    taken: pools.length === 0 ? [] : [...sharedNames, ...needed].filter((name) => own.has(name)),
    core: pools.length === 0 ? core : { ...core, withPullbacks, program: withoutPullbackCode(withPullbacks) },
    wrt: wrts,
    pools,
    leftOut,
  };
}
