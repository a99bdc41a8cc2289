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
import { splitAtSum } from "../jobs/split.js";
import type { CoreProgram } from "./pipeline.js";

/** Jobs of one gradient: more than there are cores, so that they can be shared out evenly; few where each runs again what stands in front of the fork. */
const most = { usual: 64, afterLoops: 8 };

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
  const parts: Fn[] = [];
  const entries: Entry[] = [];
  const pools: PoolRequest[] = [];
  const leftOut: LeftOut[] = [];
  const wrts = new Map(wrt);
  for (const entry of core.program.entries) {
    if (entry.result.kind !== "real" || entry.isValueOnly === true || entry.params.length === 0) continue;
    const fn = known.definitions.find(({ name }) => name === entry.name);
    const called = { tasks: names.fresh(`${entry.name}Tasks`), job: names.fresh(`${entry.name}Job`), rest: names.fresh(`${entry.name}Rest`) }; // prettier-ignore
    const split = fn === undefined ? null : splitAtSum(fn, names, called);
    if (split === null) {
      leftOut.push({ name: poolNames(entry)[1], reason: "no sum of what a fork gives is taken once" });
      continue;
    }
    const { tasks, job, rest } = split;
    parts.push(tasks, job, rest);
    const extra = (of: typeof tasks): Entry["params"] => of.params.slice(entry.params.length).map(({ name, type }) => ({ kind: "named", name, type })); // prettier-ignore
    const part = (of: typeof tasks, result: Entry["result"]): Entry => ({ name: of.name, doc: "", params: [...entry.params, ...extra(of)], result, resultAlias: "", isInner: true }); // prettier-ignore
    entries.push({ ...part(tasks, int), isValueOnly: true }, part(job, real), part(rest, real));
    const total = rest.params.at(-1)?.name ?? "";
    const active = wrt.get(entry.name);
    if (active !== undefined) {
      wrts.set(job.name, active);
      wrts.set(rest.name, [...active, total]);
    }
    const leaves = leavesOf(entry.params).map(({ leaf }) => leaf.name);
    const places = leaves.flatMap((name, place) =>
      (active?.includes(name) ?? true) ? [{ place, key: propertyName(name) }] : [],
    );
    const jobs = split.hasLoopsBefore ? most.afterLoops : most.usual;
    pools.push({
      entry,
      parts: called,
      total: propertyName(total),
      active: places,
      operations: split.operations,
      most: jobs,
    });
  }
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
