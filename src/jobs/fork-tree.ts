// What of a definition runs in parallel where no sum says how many tasks there are: the tree of the forks `t1 |*| .. |*| tn` of numbers that it comes to,
// in branches and in functions that recurse, too. Of forks one after the other the first counts, and of those in its tasks, and so on, until there are
// `jobs` tasks; those are the leaves. A definition f is two, beside itself:
//
//   fJob(x, jobs, at)             the value of task `at`; 0 where there is none, since a branch was taken that does not fork
//   fRest(x, jobs, at, values)    = f(x), with values ! (at + k) in the place of task k
//
//   fJob[t0 |*| .. |*| tn](jobs, at) = tk where inner = 1, else fJob[tk](inner, at mod inner)       inner = jobs / (n + 1), k = at / inner
//   fRest[t0 |*| .. |*| tn](jobs, at, values) = (r0, .., rn)      rk = values ! (at + k inner) where inner = 1, else fRest[tk](inner, at + k inner, values)
//
// and as in the source in all other terms; a tk that does not fork is its first task. The gradient of f is that of fRest in x and, times those in `values`, the sum of those of fJob.

import { locatedFn } from "../core/locate.js";
import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Fn, Param, Program, Term } from "../core/term.js";
import { allTerms, subterms } from "../core/traverse.js";
import { TypeOf } from "../core/type-of.js";
import { copyFn } from "../optimise/copy.js";
import { isBinding, mapSubterms, withBindings, type Binding, type Simple } from "../optimise/rewrite.js";

/** A definition in parts. */
export interface ForkTree {
  readonly job: Fn;
  readonly rest: Fn;
  /** How many tasks a fork has, at most: `jobs` is a power of it. */
  readonly arity: number;
}

/** Names of what is made of a function: of one task, and without those that jobs do. */
type Called = Readonly<Record<Part, string>>;
type Part = "job" | "rest";

/** Where in the tree a term is: so many tasks are below it; `at` is the one that is wanted, or the place of the first one's value in `values`. */
type Place =
  | { readonly part: "job"; readonly jobs: Term; readonly at: Term }
  | { readonly part: "rest"; readonly jobs: Term; readonly at: Term; readonly values: Term };

type Fork = Term & { readonly kind: "parallel" };

const [one, zero] = [b.intLit(1), b.intLit(0)];
const op = (name: "addZ" | "subZ" | "mulZ" | "divZ" | "eqZ", left: Term, right: Term): Term => b.op(name, [left, right], null); // prettier-ignore

/** The forks of a program. */
export class ForkTrees {
  readonly #names: Names;
  readonly #definitions: ReadonlyMap<string, Fn>;
  readonly #forks: ReadonlySet<Term>;
  readonly #arity: number;
  /** Functions that come to a fork, local ones too. */
  readonly #leading = new Set<string>();
  readonly #called = new Map<string, Called>();

  constructor(program: Program, names: Names) {
    this.#names = names;
    this.#definitions = new Map(program.definitions.map((fn) => [fn.name, fn]));
    const forks = forksOfNumbers(program);
    this.#forks = new Set(forks);
    this.#arity = Math.max(0, ...forks.map(({ items }) => items.length));
    const terms = forks.length === 0 ? [] : program.definitions.flatMap(({ body }) => allTerms(body));
    const functions = [...program.definitions, ...terms.flatMap((term) => (term.kind === "letRec" ? term.functions : []))]; // prettier-ignore
    for (let before = -1; before < this.#leading.size;) {
      before = this.#leading.size;
      for (const { name, body } of functions)
        if (!this.#leading.has(name) && this.#leads(body)) this.#leading.add(name);
    }
  }

  /** The parts of a definition, under these names; null where it does not come to a fork. */
  split(fn: Fn, called: Called): ForkTree | null {
    if (!this.#leads(fn.body)) return null;
    return {
      job: this.#copied(fn, "job", called.job),
      rest: this.#copied(fn, "rest", called.rest),
      arity: this.#arity,
    };
  }

  /** The parts of definitions that other parts call. */
  called(): readonly Fn[] {
    const made: Fn[] = [];
    // What is made may call more
    for (const [name, called] of this.#called) {
      const fn = this.#definitions.get(name);
      if (fn !== undefined) made.push(this.#copied(fn, "job", called.job), this.#copied(fn, "rest", called.rest));
    }
    return made;
  }

  #copied(fn: Fn, part: Part, name: string): Fn {
    return copyFn(this.#partOf(fn, part, name), name, this.#names);
  }

  #partOf(fn: Fn, part: Part, name: string): Fn {
    const [jobs, at, values] = [this.#names.fresh("jobs"), this.#names.fresh("at"), this.#names.fresh("values")];
    const place = { jobs: b.variable(jobs), at: b.variable(at) };
    const more: Param[] = [b.param(jobs, b.int), b.param(at, b.int)];
    if (part === "job") return locatedFn(b.fn(name, [...fn.params, ...more], b.real, this.#term(fn.body, { ...place, part })), fn); // prettier-ignore
    more.push(b.param(values, b.arrayType(b.real)));
    return locatedFn(b.fn(name, [...fn.params, ...more], fn.result, this.#term(fn.body, { ...place, part, values: b.variable(values) })), fn); // prettier-ignore
  }

  #nameOf(fn: string, part: Part): string {
    const called = this.#called.get(fn) ?? { job: this.#names.fresh(`${fn}Job`), rest: this.#names.fresh(`${fn}Rest`) };
    this.#called.set(fn, called);
    return called[part];
  }

  /** Whether a term comes to a fork, which it evaluates at most once. */
  #leads(start: Term): boolean {
    let term = start;
    for (; isBinding(term); term = term.body) if (term.kind === "let" && this.#leads(term.bound)) return true;
    if (this.#forks.has(term) || (term.kind === "call" && this.#leading.has(term.fn))) return true;
    return [...evaluatedParts(term), ...branchesOf(term)].some((part) => this.#leads(part));
  }

  /** The part of a term that comes to a fork. */
  #term(start: Term, place: Place): Term {
    const around: Binding[] = [];
    let term = start;
    for (; isBinding(term); term = term.body) {
      if (term.kind === "letRec") {
        const leading = term.functions.filter(({ name }) => this.#leading.has(name));
        const parts = leading.map((fn) => this.#partOf(fn, place.part, this.#nameOf(fn.name, place.part)));
        around.push({ ...term, functions: [...term.functions, ...parts] });
      } else if (this.#leads(term.bound)) {
        const bound = this.#term(term.bound, place);
        return withBindings(around, place.part === "job" ? bound : { ...term, bound });
      } else {
        around.push(term);
      }
    }
    return withBindings(around, this.#simple(term, place));
  }

  #simple(term: Simple, place: Place): Term {
    if (term.kind === "parallel" && this.#forks.has(term)) return this.#fork(term, place);
    const first = evaluatedParts(term).find((part) => this.#leads(part));
    if (first !== undefined) {
      const inner = this.#term(first, place);
      return place.part === "job" ? inner : mapSubterms(term, (part) => (part === first ? inner : part));
    }
    if (term.kind === "call") {
      const more = place.part === "job" ? [place.jobs, place.at] : [place.jobs, place.at, place.values];
      return b.call(this.#nameOf(term.fn, place.part), [...term.args, ...more]);
    }
    const branches = new Set(branchesOf(term));
    return mapSubterms(term, (part) => {
      if (!branches.has(part)) return part;
      if (this.#leads(part)) return this.#term(part, place);
      return place.part === "job" ? b.realLit(0) : part;
    });
  }

  #fork({ items }: Fork, place: Place): Term {
    const inner = this.#names.fresh("inner");
    const below = b.variable(inner);
    const isTask = op("eqZ", below, one);
    const within = (term: Term): Term => b.letIn(inner, b.int, op("divZ", place.jobs, b.intLit(this.#arity)), term);
    if (place.part === "rest") {
      const results = items.map((item, k) => {
        const at = op("addZ", place.at, op("mulZ", b.intLit(k), below));
        const value = b.indexOf(place.values, at, null);
        return this.#leads(item) ? b.ifThenElse(isTask, value, this.#term(item, { ...place, jobs: below, at })) : value;
      });
      return within(b.tuple(...results));
    }
    const [task, rest] = [this.#names.fresh("task"), this.#names.fresh("at")];
    const at = b.variable(rest);
    const chosen = items.reduceRight<Term>((others, item, k) => {
      const inside = this.#leads(item)
        ? b.ifThenElse(isTask, item, this.#term(item, { ...place, jobs: below, at }))
        : b.ifThenElse(op("eqZ", at, zero), item, b.realLit(0));
      return b.ifThenElse(op("eqZ", b.variable(task), b.intLit(k)), inside, others);
    }, b.realLit(0));
    const restOf = op("subZ", place.at, op("mulZ", b.variable(task), below));
    return within(b.letIn(task, b.int, op("divZ", place.at, below), b.letIn(rest, b.int, restOf, chosen)));
  }
}

/** What a term evaluates, once and always, in order. */
function evaluatedParts(term: Simple): readonly Term[] {
  switch (term.kind) {
    case "lam":
      return [];
    case "build":
      return [term.size];
    case "scan":
      return [term.size, term.start];
    case "if":
      return [term.cond];
    case "case":
      return [term.scrutinee];
    default:
      return subterms(term);
  }
}

/** What a term evaluates one of. */
function branchesOf(term: Simple): readonly Term[] {
  if (term.kind === "if") return [term.then, term.else];
  return term.kind === "case" ? term.branches.map(({ body }) => body) : [];
}

function forksOfNumbers(program: Program): readonly Fork[] {
  const types = new TypeOf(program);
  return program.definitions.flatMap((fn) => {
    // Definitions may have names in common
    types.enter(fn);
    return allTerms(fn.body).filter((term): term is Fork => {
      types.enterBinders(term);
      return term.kind === "parallel" && term.items.every((item) => types.of(item).kind === "real");
    });
  });
}
