// Parameters: those that nothing uses are dropped, and tuples that are only taken apart are passed as their components.
//
//   let rec go(i, p) = .. p.0 .. p.1 .. go(i + 1, (s, t)) in go(0, (a, b))   =>   let rec go(i, x, y) = .. x .. y .. go(i + 1, s, t) in go(0, a, b)
//
// Entries keep their parameters. An argument that may fail or not end is evaluated in a `let` before a call that does not take it any more.

import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Fn, Param, Program, Term } from "../core/term.js";
import { subterms } from "../core/traverse.js";
import { contentsOf, isTotal } from "./term-facts.js";
import { isBinding, mapBinding, mapDefinitions, mapSubterms, withBindings, withBody, type Binding } from "./rewrite.js";

export function reduceParameters(program: Program, names: Names): Program {
  const plans = new Plans(program, names);
  if (plans.areEmpty()) return program;
  return mapDefinitions(program, (fn) => new Rewriting(plans, names).fn(fn));
}

/** What becomes of a parameter. */
type Plan =
  | { readonly kind: "keep" }
  | { readonly kind: "drop"; readonly param: Param }
  | { readonly kind: "split"; readonly param: Param; readonly parts: readonly Param[] };

const keep: Plan = { kind: "keep" };

/** Tuples with more components are passed as they are. */
const mostParts = 8;

/** How a parameter is used in its function. */
interface Uses {
  /** As a whole, not to be passed on as the same parameter. */
  whole: boolean;
  /** By a component. */
  parts: boolean;
  /** As the result of its function, of a tuple. */
  result: boolean;
  /** What variables the components are bound to, for names. */
  readonly names: (string | undefined)[];
}

class Plans {
  readonly #plans = new Map<string, readonly Plan[]>();
  readonly #names: Names;

  constructor(program: Program, names: Names) {
    this.#names = names;
    const entries = new Set(program.entries.map(({ name }) => name));
    for (const fn of program.definitions) {
      const uses = new Map<string, Uses>();
      const functions = [fn, ...contentsOf(fn.body).letRecs.flatMap((binding) => binding.functions)];
      for (const { params } of functions) {
        for (const { name } of params) uses.set(name, { whole: false, parts: false, result: false, names: [] });
      }
      countUses(functions, uses);
      for (const each of functions) {
        if (entries.has(each.name)) continue;
        const plans = withSome(each.params.map((param) => this.#planFor(param, uses.get(param.name))));
        if (plans.some(({ kind }) => kind !== "keep")) this.#plans.set(each.name, plans);
      }
    }
  }

  areEmpty(): boolean {
    return this.#plans.size === 0;
  }

  of(fn: string): readonly Plan[] | null {
    return this.#plans.get(fn) ?? null;
  }

  #planFor(param: Param, uses: Uses | undefined): Plan {
    const { name, type } = param;
    if (uses === undefined || uses.whole) return keep;
    if (!uses.parts) return uses.result ? keep : { kind: "drop", param };
    if (type.kind !== "tuple" || type.items.length > mostParts) return keep;
    const parts = type.items.map((item, index) => b.param(this.#names.fresh(uses.names[index] ?? name), item));
    return { kind: "split", param, parts };
  }
}

/** A function keeps a parameter: without any it would be a constant, or a join point. */
function withSome(plans: readonly Plan[]): readonly Plan[] {
  return plans.every(({ kind }) => kind === "drop") ? [keep, ...plans.slice(1)] : plans;
}

/** A term, and the function whose result it is; null where it is something else. */
interface Waiting {
  readonly term: Term;
  readonly result: Fn | null;
}

/**
 * Notes how parameters are used. Passing one on to its own function at its own place is no use; a tuple that the function ends with can be made
 * at the end.
 */
function countUses(functions: readonly Fn[], uses: ReadonlyMap<string, Uses>): void {
  const [outermost] = functions;
  if (outermost === undefined) return;
  const own = new Map(functions.map((fn) => [fn.name, fn]));
  const waiting: Waiting[] = [{ term: outermost.body, result: outermost }];
  const inside = (...terms: readonly Term[]): void => {
    for (const term of terms) waiting.push({ term, result: null });
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { term, result } = next;
    switch (term.kind) {
      case "var": {
        const found = uses.get(term.name);
        const isResult = result?.params.some(({ name, type }) => name === term.name && type.kind === "tuple") === true;
        if (found === undefined) break;
        if (isResult) found.result = true;
        else found.whole = true;
        break;
      }
      case "let":
        if (term.bound.kind === "proj" && term.bound.tuple.kind === "var") {
          const found = uses.get(term.bound.tuple.name);
          if (found !== undefined) found.names[term.bound.index] ??= term.name;
        }
        inside(term.bound);
        waiting.push({ term: term.body, result });
        break;
      case "letRec":
        for (const fn of term.functions) waiting.push({ term: fn.body, result: fn });
        waiting.push({ term: term.body, result });
        break;
      case "if":
        inside(term.cond);
        waiting.push({ term: term.then, result }, { term: term.else, result });
        break;
      case "case":
        inside(term.scrutinee);
        waiting.push(...term.branches.map(({ body }) => ({ term: body, result })));
        break;
      case "proj": {
        const found = term.tuple.kind === "var" ? uses.get(term.tuple.name) : undefined;
        if (found === undefined) inside(term.tuple);
        else found.parts = true;
        break;
      }
      case "call": {
        const params = own.get(term.fn)?.params ?? [];
        inside(...term.args.filter((arg, index) => arg.kind !== "var" || params[index]?.name !== arg.name));
        break;
      }
      default:
        inside(...subterms(term));
    }
  }
}

class Rewriting {
  readonly #plans: Plans;
  readonly #names: Names;
  /** The components of parameters that are split. */
  readonly #parts = new Map<string, readonly Param[]>();

  constructor(plans: Plans, names: Names) {
    this.#plans = plans;
    this.#names = names;
  }

  readonly fn = (fn: Fn): Fn => {
    const plans = this.#plans.of(fn.name);
    if (plans === null) return withBody(fn, this.term(fn.body));
    const params = fn.params.flatMap((param, index): readonly Param[] => {
      const plan = plans[index] ?? keep;
      if (plan.kind === "keep") return [param];
      if (plan.kind === "drop") return [];
      this.#parts.set(param.name, plan.parts);
      return plan.parts;
    });
    return { ...fn, params, body: this.term(fn.body) };
  };

  readonly term = (start: Term): Term => {
    const around: Binding[] = [];
    let term = start;
    while (isBinding(term)) {
      around.push(
        term.kind === "let" ? mapBinding(term, this.term) : { ...term, functions: term.functions.map(this.fn) },
      );
      term = term.body;
    }
    const end = this.#simple(term, around);
    return withBindings(around, end);
  };

  #simple(term: Exclude<Term, Binding>, around: Binding[]): Term {
    if (term.kind === "proj" && term.tuple.kind === "var") {
      const part = this.#parts.get(term.tuple.name)?.[term.index];
      return part === undefined ? term : b.variable(part.name);
    }
    if (term.kind === "var") {
      const parts = this.#parts.get(term.name);
      return parts === undefined ? term : b.tuple(...parts.map(({ name }) => b.variable(name)));
    }
    const plans = term.kind === "call" ? this.#plans.of(term.fn) : null;
    if (term.kind !== "call" || plans === null) return mapSubterms(term, this.term);
    const args = term.args.flatMap((arg, index) => this.#argument(arg, plans[index] ?? keep, around));
    return { ...term, args };
  }

  #argument(arg: Term, plan: Plan, around: Binding[]): readonly Term[] {
    if (plan.kind === "keep") return [this.term(arg)];
    const passed = arg.kind === "var" ? this.#parts.get(arg.name) : undefined;
    if (plan.kind === "drop") {
      if (!isTotal(arg)) this.#bind(plan.param, this.term(arg), around);
      return [];
    }
    if (passed !== undefined) return passed.map(({ name }) => b.variable(name));
    const tuple = this.term(arg);
    if (tuple.kind === "tuple") return tuple.items;
    const whole = b.isAtom(tuple) ? tuple : this.#bind(plan.param, tuple, around);
    return plan.parts.map((_, index) => b.proj(index, whole));
  }

  #bind({ name, type }: Param, bound: Term, around: Binding[]): Term {
    const fresh = this.#names.fresh(name);
    around.push({ kind: "let", name: fresh, type, bound, body: bound });
    return b.variable(fresh);
  }
}
