// What of a derived program a module needs, and whether it recurses.

import type { Link } from "../core/term.js";
import type { DataDecl } from "../core/type.js";
import type { Fn, Program, Term } from "../target-calculus/term.js";
import { eachSubterm } from "../target-calculus/traverse.js";
import { hasFunction } from "./interface/public-types.js";

/** A program with the wrappers of definitions that have parameters, and with the definitions that these reach. Constants have no derivatives. */
export function withoutConstants(program: Program, links: Links): Program {
  return reachable({ ...program, wrappers: program.wrappers.filter(({ entry }) => entry.params.length > 0) }, links);
}

export type Links = ReadonlyMap<string, Link>;

/** A program with the definitions that its wrappers and other modules reach; of those of other modules that it calls the text is of no use, nor what they call. */
export function reachable(program: Program, links: Links): Program {
  const { wrappers } = program;
  const reached = new Set<string>();
  const byName = definitionsByName(program);
  const pending = [
    ...wrappers.flatMap(({ fn, gradient }) => (gradient === null ? [fn] : [fn, gradient])).flatMap(calleesOf),
    ...[...links].flatMap(([name, { kind }]) => (kind === "own" ? [name] : [])),
  ];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const fn = byName.get(name);
    if (fn === undefined || reached.has(name)) continue;
    reached.add(name);
    if (links.get(name)?.kind !== "imported") pending.push(...calleesOf(fn));
  }
  return { ...program, definitions: program.definitions.filter(({ name }) => reached.has(name)) };
}

/** Whether the program's depth may depend on its input: through recursive functions, or functions in the source's `data`. */
export function mayRecurse(program: Program, data: readonly DataDecl[]): boolean {
  const hasLocal = program.definitions.some((fn) => termsOf(fn).some((term) => term.kind === "letRec"));
  const holdsFunctions = data.some(({ constructors }) => constructors.some(({ fields }) => fields.some(hasFunction)));
  return hasLocal || holdsFunctions || hasCycle(program);
}

/** Removes definitions that call no others, again and again: what is left calls itself, or something that does. */
function hasCycle(program: Program): boolean {
  const left = new Map(program.definitions.map((fn) => [fn.name, calleesOf(fn)]));
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const [name, callees] of left) if (!callees.some((callee) => left.has(callee))) left.delete(name);
  }
  return left.size > 0;
}

function definitionsByName(program: Program): ReadonlyMap<string, Fn> {
  return new Map(program.definitions.map((fn) => [fn.name, fn]));
}

function calleesOf(fn: Fn): readonly string[] {
  return termsOf(fn).flatMap((term) => (term.kind === "call" ? [term.fn] : []));
}

/** All terms in a definition. */
function termsOf(fn: Fn): readonly Term[] {
  const found = [fn.body];
  // The list grows while it is read
  for (const term of found) {
    eachSubterm(term, (subterm) => {
      found.push(subterm);
    });
  }
  return found;
}
