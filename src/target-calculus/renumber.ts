// Names of generated variables are numbered anew in each function, in the order in which they are bound: `x1` is not the hundredth `x` of the
// program. What the source program binds keeps its name. A pair `let (x1, dx1) = ..`, a value and its backpropagator, has one number.

import { mapSubterms, eachSubterm } from "./traverse.js";
import type { Fn, Program, Term } from "./term.js";

/** `given`: the names of the source program. Variables are distinct within each function afterwards, too, and from all functions. */
export function renumberProgram(program: Program, given: ReadonlySet<string>): Program {
  const { definitions, wrappers } = program;
  const all = [...definitions, ...wrappers.flatMap(({ fn, gradient }) => (gradient === null ? [fn] : [fn, gradient]))];
  const functions = new Set(all.flatMap(functionsIn));
  const renumber = (fn: Fn): Fn => new Renumbering(fn, given, functions).fn(fn);
  return {
    ...program,
    definitions: definitions.map(renumber),
    wrappers: wrappers.map((wrapper) => ({
      ...wrapper,
      fn: renumber(wrapper.fn),
      gradient: wrapper.gradient === null ? null : renumber(wrapper.gradient),
    })),
  };
}

/** The names of a function, and of those that are local to it. */
function functionsIn({ name, body }: Fn): readonly string[] {
  const names = [name];
  eachInOrder(body, (term) => {
    if (term.kind === "letRec") names.push(...term.functions.map((fn) => fn.name));
  });
  return names;
}

/** Visits a term and all of its parts, each before those that follow it. */
function eachInOrder(start: Term, visit: (term: Term) => void): void {
  const waiting = [start];
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    visit(term);
    const parts: Term[] = [];
    eachSubterm(term, (part) => parts.push(part));
    waiting.push(...parts.reverse());
  }
}

/** What a term binds, in groups that have one number. */
function bindersOf(term: Term): readonly (readonly string[])[] {
  switch (term.kind) {
    case "let":
    case "bind":
      return [[term.name]];
    case "letTuple":
      return arePair(term.names) ? [term.names] : term.names.map((name) => [name]);
    case "lam":
    case "linLam":
      return [[term.param]];
    case "letRec":
      return term.functions.flatMap((fn) => fn.params.map(({ name }) => [name]));
    case "case":
      return term.branches.flatMap(({ vars }) => vars.map((name) => [name]));
    case "build":
    case "sum":
      return [[term.index]];
    case "scan":
      return [[term.index], [term.carried]];
    default:
      return [];
  }
}

function stemOf(name: string): string {
  return name.replace(/\d+$/, "");
}

function arePair([value = "", back = "", ...more]: readonly string[]): boolean {
  return more.length === 0 && stemOf(back) === `d${stemOf(value)}`;
}

class Renumbering {
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();
  /** By stem, the number that was given last. */
  readonly #last = new Map<string, number>();

  constructor(fn: Fn, given: ReadonlySet<string>, functions: ReadonlySet<string>) {
    const groups = fn.params.map(({ name }): readonly string[] => [name]);
    eachInOrder(fn.body, (term) => groups.push(...bindersOf(term)));
    const kept = groups.flat().filter((name) => given.has(name));
    this.#taken = new Set([...functions, ...kept]);
    for (const group of groups) this.#number(group.filter((name) => !given.has(name)));
  }

  /** Gives the names of a group the least number that is free for all of them. */
  #number(group: readonly string[]): void {
    if (group.length === 0) return;
    const stems = group.map(stemOf);
    const key = stems.join(" ");
    const names = (count: number): readonly string[] => stems.map((stem) => (count === 0 ? stem : `${stem}${count}`));
    // A backpropagator has the number of the value that was bound last under its name
    const partner = /^d(.+)$/.exec(key)?.[1];
    const wish = partner === undefined ? undefined : this.#last.get(partner);
    let count =
      wish !== undefined && names(wish).every((name) => !this.#taken.has(name)) ? wish : (this.#next.get(key) ?? 0);
    while (names(count).some((name) => name === "" || this.#taken.has(name))) count += 1;
    if (count !== wish) this.#next.set(key, count + 1);
    for (const stem of stems) this.#last.set(stem, count);
    for (const [i, name] of names(count).entries()) {
      this.#taken.add(name);
      this.#names.set(group[i] ?? "", name);
    }
  }

  fn(fn: Fn): Fn {
    const params = fn.params.map((param) => ({ ...param, name: this.#name(param.name) }));
    return { ...fn, params, body: this.#term(fn.body) };
  }

  readonly #name = (name: string): string => this.#names.get(name) ?? name;

  /** Follows the bodies of bindings in a loop: programs may be long chains of them. */
  readonly #term = (start: Term): Term => {
    const around: ((body: Term) => Term)[] = [];
    let term = start;
    for (;;) {
      if (term.kind === "let" || term.kind === "bind") {
        const head = { ...term, name: this.#name(term.name), bound: this.#term(term.bound) };
        around.push((body) => ({ ...head, body }));
      } else if (term.kind === "letTuple") {
        const head = { ...term, names: term.names.map(this.#name), bound: this.#term(term.bound) };
        around.push((body) => ({ ...head, body }));
      } else if (term.kind === "letRec") {
        const head = { ...term, functions: term.functions.map((fn) => this.fn(fn)) };
        around.push((body) => ({ ...head, body }));
      } else break;
      term = term.body;
    }
    return around.reduceRight((body, wrap) => wrap(body), this.#unbound(term));
  };

  #unbound(term: Term): Term {
    const mapped = mapSubterms(term, this.#term);
    switch (mapped.kind) {
      case "var":
        return { ...mapped, name: this.#name(mapped.name) };
      case "lam":
      case "linLam":
        return { ...mapped, param: this.#name(mapped.param) };
      case "case": {
        const branches = mapped.branches.map((branch) => ({ ...branch, vars: branch.vars.map(this.#name) }));
        return { ...mapped, branches };
      }
      case "build":
      case "sum":
        return { ...mapped, index: this.#name(mapped.index) };
      case "scan":
        return { ...mapped, index: this.#name(mapped.index), carried: this.#name(mapped.carried) };
      default:
        return mapped;
    }
  }
}
