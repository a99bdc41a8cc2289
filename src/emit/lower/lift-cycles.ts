// Lambda lifting of what recurses: functions that take part in a cycle of calls are written in two versions, and what stands inside such a
// function would be written twice for each function around it. So these become definitions of their own, which take what they capture as
// parameters:
//
//   \s. k (x + s)                         becomes  \s. sumClosure(k, x, s)     with sumClosure(k, x, s) = k (x + s)
//   let rec go y = .. x .. go .. in t     becomes  t                           with go(x, y) = .. x .. go(x, ..) ..
//
// Lambdas that recurse are lifted wherever they stand; local functions where what is around them recurses, or what is lifted calls them.

import { inPlaceOf, locate, location } from "../../location.js";
import { Names } from "../../core/names.js";
import { isAtom, variable } from "../../target-calculus/build.js";
import type { Fn, Param, Program, Term } from "../../target-calculus/term.js";
import { eachSubterm, mapSubterms } from "../../target-calculus/traverse.js";
import { allBinders, bindersOf, eachTerm } from "./binders.js";
import type { Convention, Lambda } from "./convention.js";
import { functionsOf } from "./program-typing.js";
import type { ProgramTyping } from "./program-typing.js";
import type { Typing } from "./typing.js";

/** The program itself where there is nothing to lift. */
export function liftCycles(program: Program, convention: Convention, typing: ProgramTyping): Program {
  const functions = functionsOf(program);
  let known: Names | null = null;
  const names = (): Names => (known ??= new Names(functions.flatMap((fn) => [fn.name, ...allBinders(fn)])));
  const lifted: Fn[] = [];
  const lift = (fn: Fn): Fn => {
    const lifting = new Lifting(fn, convention, names, typing.of(fn));
    const result = lifting.result();
    lifted.push(...lifting.lifted);
    return result;
  };
  const definitions = program.definitions.map(lift);
  const wrappers = program.wrappers.map((wrapper) => ({
    ...wrapper,
    fn: lift(wrapper.fn),
    gradient: wrapper.gradient === null ? null : lift(wrapper.gradient),
  }));
  return lifted.length === 0 ? program : { ...program, definitions: [...definitions, ...lifted], wrappers };
}

/** A lambda or local function that becomes a definition. */
interface Lifted {
  readonly name: string;
  readonly body: Term;
  readonly free: Set<string>;
  readonly bound: ReadonlySet<string>;
  /** Local functions outside of it that it calls. */
  readonly calls: ReadonlySet<string>;
}

class Lifting {
  readonly lifted: Fn[] = [];
  readonly #definition: Fn;
  readonly #convention: Convention;
  readonly #names: () => Names;
  readonly #typing: Typing;
  readonly #locals = new Map<string, Fn>();
  readonly #chosen = new Map<Fn | Lambda, Lifted>();

  constructor(definition: Fn, convention: Convention, names: () => Names, typing: Typing) {
    this.#definition = definition;
    this.#convention = convention;
    this.#names = names;
    this.#typing = typing;
  }

  result(): Fn {
    this.#choose(this.#definition.body, this.#convention.cycleOf(this.#definition) !== null);
    if (this.#chosen.size === 0) return this.#definition;
    this.#chooseCalled();
    this.#completeFree();
    const typing = this.#typing;
    const order = allBinders(this.#definition);
    const extra = (lifted: Lifted): readonly string[] => order.filter((name) => lifted.free.has(name));
    const rewrite = (term: Term): Term => {
      switch (term.kind) {
        case "lam":
        case "linLam": {
          const lifted = this.#chosen.get(term);
          if (lifted === undefined) break;
          const args = [...extra(lifted), term.param].map(variable);
          return { ...term, body: { kind: "call", fn: lifted.name, args } };
        }
        case "letRec": {
          const functions = term.functions.filter((fn) => !this.#chosen.has(fn));
          const body = rewrite(term.body);
          const kept = functions.map((fn): Fn => ({ ...fn, body: rewrite(fn.body) }));
          return kept.length === 0 ? body : { kind: "letRec", functions: kept, body };
        }
        case "call": {
          const local = this.#locals.get(term.fn);
          const lifted = local === undefined ? undefined : this.#chosen.get(local);
          if (lifted === undefined) break;
          return { ...term, fn: lifted.name, args: [...extra(lifted).map(variable), ...term.args.map(rewrite)] };
        }
        default:
      }
      return mapSubterms(term, rewrite);
    };
    for (const [node, lifted] of this.#chosen) {
      const captured = extra(lifted).map((name): Param => ({ name, type: typing.variable(name) }));
      const isFn = !("kind" in node);
      const own: readonly Param[] = isFn ? node.params : [{ name: node.param, type: node.type }];
      const result = isFn ? node.result : typing.whole(node.body);
      const fn: Fn = { name: lifted.name, params: [...captured, ...own], result, body: rewrite(node.body) };
      this.lifted.push(locate(inPlaceOf(fn, node), this.#definition[location]));
    }
    return { ...this.#definition, body: rewrite(this.#definition.body) };
  }

  #choose(body: Term, insideCycle: boolean): void {
    const pending: { readonly term: Term; readonly insideCycle: boolean }[] = [{ term: body, insideCycle }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { term, insideCycle } = next;
      if (term.kind === "lam" || term.kind === "linLam") {
        const isCycle = this.#convention.lambdaCycleOf(term) !== null;
        if (isCycle && !isThin(term)) this.#lift(term, `${this.#definition.name}Closure`, [term.param], term.body);
        pending.push({ term: term.body, insideCycle: insideCycle || isCycle });
      } else if (term.kind === "letRec") {
        pending.push({ term: term.body, insideCycle });
        for (const fn of [...term.functions].reverse()) {
          this.#locals.set(fn.name, fn);
          if (insideCycle) this.#liftLocal(fn);
          const isCycle = this.#convention.cycleOf(fn) !== null;
          pending.push({ term: fn.body, insideCycle: insideCycle || isCycle });
        }
      } else {
        eachSubterm(term, (part) => {
          pending.push({ term: part, insideCycle });
        });
      }
    }
  }

  #liftLocal(fn: Fn): void {
    this.#lift(fn, fn.name, fn.params.map(({ name }) => name), fn.body); // prettier-ignore
  }

  #lift(node: Fn | Lambda, hint: string, params: readonly string[], body: Term): void {
    const mentions = mentionsOf(body);
    const bound = new Set([...params, ...mentions.bound]);
    const free = new Set([...mentions.variables].filter((name) => !bound.has(name)));
    this.#chosen.set(node, { name: this.#names().fresh(hint), body, free, bound, calls: mentions.calls });
  }

  /** What is lifted can only call what is lifted too, if it does not bind it. */
  #chooseCalled(): void {
    const pending = [...this.#chosen.values()];
    for (let lifted = pending.pop(); lifted !== undefined; lifted = pending.pop()) {
      for (const name of lifted.calls) {
        const local = this.#locals.get(name);
        if (local === undefined || lifted.bound.has(name) || this.#chosen.has(local)) continue;
        this.#liftLocal(local);
        const added = this.#chosen.get(local);
        if (added !== undefined) pending.push(added);
      }
    }
  }

  /** A call of a lifted function needs what that captures. */
  #completeFree(): void {
    let isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (const lifted of this.#chosen.values()) {
        for (const name of lifted.calls) {
          const local = this.#locals.get(name);
          const callee = local === undefined ? undefined : this.#chosen.get(local);
          for (const variableName of callee?.free ?? []) {
            if (lifted.bound.has(variableName) || lifted.free.has(variableName)) continue;
            lifted.free.add(variableName);
            isChanged = true;
          }
        }
      }
    }
  }
}

/** `\x. f(.., x)`: nothing but a call. */
function isThin(lambda: Lambda): boolean {
  const body = lambda.body.kind === "return" ? lambda.body.value : lambda.body;
  return body.kind === "call" && body.args.every(isAtom);
}

interface Mentions {
  readonly variables: ReadonlySet<string>;
  readonly bound: ReadonlySet<string>;
  readonly calls: ReadonlySet<string>;
}

function mentionsOf(body: Term): Mentions {
  const variables = new Set<string>();
  const bound = new Set<string>();
  const calls = new Set<string>();
  eachTerm(body, (term) => {
    if (term.kind === "var") variables.add(term.name);
    if (term.kind === "call") calls.add(term.fn);
    for (const name of bindersOf(term)) bound.add(name);
  });
  return { variables, bound, calls };
}
