// Which functions of a group need each other.

import type { Fn } from "../core/term.js";
import { components } from "../components.js";
import { contentsOf } from "./term-facts.js";

/** Functions that call each other, directly or not; or one that need not. */
export interface Group {
  readonly functions: readonly Fn[];
  readonly recursive: boolean;
}

/** Definitions, or the functions of a `let rec`, in groups, each after those that it calls. */
export function groupsOf(functions: readonly Fn[]): readonly Group[] {
  const called = new Map(functions.map((fn) => [fn.name, contentsOf(fn.body).calls]));
  const byName = new Map(functions.map((fn) => [fn.name, fn]));
  const edges = ({ name }: Fn): readonly Fn[] =>
    [...(called.get(name)?.keys() ?? [])].flatMap((callee) => byName.get(callee) ?? []);
  return components(functions, edges).map((members) => ({
    functions: members,
    recursive: members.length > 1 || members.some(({ name }) => called.get(name)?.has(name) === true),
  }));
}
