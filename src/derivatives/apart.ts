// Derivatives of a program whose definitions are compiled apart: functions become known (prepare.ts) in copies of what derivatives are taken of alone, since all else is to be
// called as its file has it.
//
//   def f x = g x + h x                         f, g, h    as they are
//   def h x = derivative (\y. g y) x      =>    h          with the derivative of a copy of g

import { Names } from "../core/names.js";
import type { Entry, Fn, Link, Program } from "../core/term.js";
import { allNames } from "../core/traverse.js";
import { DataTypes } from "../core/type-parts.js";
import type { DerivativeMistake } from "../core/derivative.js";
import { FunctionSearch } from "../elaborate/function-search.js";
import { copyFn } from "../optimise/copy.js";
import { removeDeadCode } from "../optimise/dead-code.js";
import { contentsOf } from "../optimise/term-facts.js";
import type { Outcome } from "../outcome.js";
import { withoutDerivatives } from "./prepare.js";

/** The program without derivatives. What takes derivatives of functions that it is given stands where it is used. */
export function withoutDerivativesApart(program: Program): Outcome<Program, DerivativeMistake> {
  if (program.links.size === 0 || program.derivatives.size === 0) return withoutDerivatives(program);
  const taking = takingDerivatives(program);
  const isFirstOrder = firstOrder(program);
  const links = new Map([...program.links].map(([name, link]): [string, Link] => [name, taking.has(name) && !isFirstOrder(name) ? { ...link, kind: "included" } : link])); // prettier-ignore
  const alone = program.definitions.filter(({ name }) => taking.has(name) && isFirstOrder(name));
  const { value, mistakes } = withoutDerivatives(removeDeadCode({ ...program, links: new Map(), entries: alone.map(entryOf) })); // prettier-ignore
  if (mistakes.length > 0) return { value: program, mistakes };
  return { value: removeDeadCode({ ...joined(program, value, taking), links }), mistakes };
}

/** The definitions in which derivatives are taken, also of what they are given by others that take functions. */
function takingDerivatives(program: Program): ReadonlySet<string> {
  const isFirstOrder = firstOrder(program);
  const taking = new Set<string>();
  for (let before = -1; before < taking.size;) {
    before = taking.size;
    for (const { name, body } of program.definitions) {
      const calls = [...contentsOf(body).calls.keys()];
      const takes = (callee: string): boolean => program.derivatives.has(callee) || (taking.has(callee) && !isFirstOrder(callee)); // prettier-ignore
      if (calls.some(takes)) taking.add(name);
    }
  }
  return taking;
}

function firstOrder({ definitions, data }: Program): (name: string) => boolean {
  const search = new FunctionSearch(new DataTypes(data));
  const isFirstOrder = ({ params, result }: Fn): boolean => [...params.map(({ type }) => type), result].every((type) => search.firstIn(type) === null); // prettier-ignore
  const found = new Set(definitions.filter(isFirstOrder).map(({ name }) => name));
  return (name) => found.has(name);
}

/** What takes derivatives is that of `resolved`, which has other names for what it shares with the rest of the program. */
function joined(program: Program, resolved: Program, taking: ReadonlySet<string>): Program {
  const names = new Names([...allNames(program), ...allNames(resolved)]);
  const functions = new Map(resolved.definitions.filter(({ name }) => !taking.has(name)).map(({ name }) => [name, names.fresh(name)])); // prettier-ignore
  const renamed = (name: string): string => functions.get(name) ?? name;
  const copies = resolved.definitions.map((fn) => copyFn(fn, renamed(fn.name), names, { functions }));
  return {
    ...program,
    data: resolved.data,
    derivatives: new Map(),
    definitions: [...copies, ...program.definitions.filter(({ name }) => !taking.has(name))],
    texts: new Map([...resolved.texts].map(([name, text]) => [renamed(name), renamed(text)])),
  };
}

function entryOf({ name, params, result }: Fn): Entry {
  return { name, doc: "", params: params.map((param) => ({ kind: "named", ...param })), result, resultAlias: "" };
}
