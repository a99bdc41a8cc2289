// Which parameters of functions that call each other stay the same as long as they do.

import type { Fn, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";

/** For each function the positions of its static parameters that are functions, each with its class: parameters of one class have one value. */
export type Statics = ReadonlyMap<string, ReadonlyMap<number, number>>;

interface Position {
  readonly fn: string;
  readonly index: number;
  /** Positions that must hold the same value. */
  readonly same: Position[];
}

/** The static parameters of function type in a group; empty where it has none. */
export function staticParameters(group: readonly Fn[]): Statics {
  const positions = new Map<string, Position>();
  for (const { name, params } of group) {
    params.forEach((param, index) => {
      if (param.type.kind === "fn") positions.set(keyOf(name, index), { fn: name, index, same: [] });
    });
  }
  if (positions.size === 0) return new Map();
  const dropped = new Set<Position>();
  for (const caller of group) connect(caller, group, positions, dropped);
  return classesOf([...positions.values()], dropped);
}

/** Notes for each call in the group which parameters it passes on. */
function connect(
  caller: Fn,
  group: readonly Fn[],
  positions: ReadonlyMap<string, Position>,
  dropped: Set<Position>,
): void {
  const parameters = new Map(caller.params.map(({ name }, index) => [name, index]));
  const passed = (arg: Term | undefined): Position | undefined => {
    const index = arg?.kind === "var" ? parameters.get(arg.name) : undefined;
    return index === undefined ? undefined : positions.get(keyOf(caller.name, index));
  };
  const members = new Map(group.map((fn) => [fn.name, fn]));
  for (const term of allTerms(caller.body)) {
    if (term.kind !== "call") continue;
    members.get(term.fn)?.params.forEach((_, index) => {
      const to = positions.get(keyOf(term.fn, index));
      if (to === undefined) return;
      const from = passed(term.args[index]);
      if (from === undefined) dropped.add(to);
      else {
        to.same.push(from);
        from.same.push(to);
      }
    });
  }
}

/** The classes in which no position was dropped and no function has two. */
function classesOf(positions: readonly Position[], dropped: ReadonlySet<Position>): Statics {
  const statics = new Map<string, Map<number, number>>();
  const seen = new Set<Position>();
  positions.forEach((start, number) => {
    if (seen.has(start)) return;
    const members = new Set([start]);
    for (const member of members) for (const other of member.same) members.add(other);
    for (const member of members) seen.add(member);
    const functions = new Set([...members].map(({ fn }) => fn));
    if (functions.size < members.size || [...members].some((member) => dropped.has(member))) return;
    for (const { fn, index } of members) {
      const own = statics.get(fn) ?? new Map<number, number>();
      statics.set(fn, own.set(index, number));
    }
  });
  return statics;
}

function keyOf(fn: string, index: number): string {
  return `${fn}/${index}`;
}
