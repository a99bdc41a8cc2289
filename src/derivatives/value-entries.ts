// Where a rule says a derivative it may fail, as text may. A value runs no rule, and a gradient only those of what depends on what it is taken in: such entries are made so, where a
// rule that they come to may fail. Elsewhere what computes no result is no code anyway.

import * as b from "../core/build.js";
import { Names } from "../core/names.js";
import type { Entry, Fn, Program, Term } from "../core/term.js";
import { allNames, allTerms } from "../core/traverse.js";
import { InternalError } from "../internal-error.js";
import { PassiveCalls } from "./passive-calls.js";
import { reachedFrom } from "./reached.js";

export interface ValueEntries {
  readonly program: Program;
  /** By the name of an entry that has a derivative the name of the one that computes its value. */
  readonly values: ReadonlyMap<string, string>;
}

/** The program with an entry more for the value of each whose rules may fail. `isActive`: whether it is differentiated in the parameter at an index. */
export function withValueEntries(program: Program, isActive: (entry: Entry, index: number) => boolean): ValueEntries {
  const definitions = new Map(program.definitions.map((fn) => [fn.name, fn]));
  const definition = (name: string): Fn => {
    const fn = definitions.get(name);
    if (fn === undefined) throw new InternalError("derivatives", `there is no definition ${name}`);
    return fn;
  };
  const isDefinition = (name: string): boolean => definitions.has(name);
  const reached = (start: string): readonly string[] => [...reachedFrom(start, { definition, isDefinition })];
  const mayFail = (name: string): boolean => [...allTerms(definition(name).body)].some(hasSite);
  const failing = [...program.texts].filter(([name, text]) => {
    if (!isDefinition(name) || !isDefinition(text)) return false;
    const inText = new Set(reached(text));
    return !program.checkpoints.has(name) && reached(name).some((each) => !inText.has(each) && mayFail(each));
  });
  const rules = new Set(failing.map(([name]) => name));
  const affected = program.entries.filter(({ name }) => {
    const all = reached(name);
    return all.some((each) => rules.has(each)) && !all.some((each) => [...allTerms(definition(each).body)].some(isUnknown)); // prettier-ignore
  });
  if (affected.length === 0) return { program, values: new Map() };
  const passive = new PassiveCalls({
    definition,
    isDefinition,
    values: program.texts,
    define: (fn) => definitions.set(fn.name, fn),
    names: new Names(allNames(program)),
  });
  const values = new Map<string, string>();
  const entries: Entry[] = [];
  for (const entry of affected) {
    const { name } = entry;
    const own = definition(name);
    const { params } = own;
    const value = passive.of(name, params.map(() => false)); // prettier-ignore
    const hasValueAlone = entry.isValueOnly === true || params.length === 0;
    const active = hasValueAlone ? value : passive.of(name, params.map((_, index) => isActive(entry, index))); // prettier-ignore
    definitions.set(name, { ...own, body: b.call(active, params.map((param) => b.variable(param.name))) }); // prettier-ignore
    if (hasValueAlone) continue;
    values.set(name, value);
    entries.push({ ...entry, name: value, isValueOnly: true });
  }
  return {
    program: { ...program, definitions: [...definitions.values()], entries: [...program.entries, ...entries] },
    values,
  };
}

function hasSite(term: Term): boolean {
  return "site" in term && term.site !== null;
}

function isUnknown({ kind }: Term): boolean {
  return kind === "lam" || kind === "app";
}
