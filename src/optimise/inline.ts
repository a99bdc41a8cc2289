// Inlining: known functions and lambdas in place of their calls.
//
//   f(s1, .., sn)            =>  let x1 = s1 in .. let xn = sn in t     f(x1, .., xn) = t not recursive, and small or called once
//   (\x. t) s                =>  let x = s in t
//   (let .. in \x. t) s      =>  let .. in let x = s in t
//   let f = \x. \y. t in u   =>  let rec f(x, y) = t in u               f applied in u; what else uses f becomes \x. \y. f(x, y)
//   let rec f = .. and g = .. in u  =>  let rec g = .. in let rec f = .. in u    g does not need f
//   c                        =>  t                                      the constant c = t, t made of literals
//
// Arguments are evaluated where they were, once, before the body: call by value. Nothing gets under a lambda or into a loop but functions,
// which do their work when they are called. Every definition may grow to a size and a depth, beyond which it is left alone: programs made to
// explode end in code that calls, not in a hang.

import { withParts } from "../same.js";
import * as b from "../core/build.js";
import type { Fn, Program, Term } from "../core/term.js";
import { locateAll } from "../core/locate.js";
import { nestingDepth, subterms } from "../core/traverse.js";
import { location } from "../location.js";
import type { Type } from "../core/type.js";
import { copyTerm } from "./copy.js";
import { groupsOf } from "./groups.js";
import { contentsOf, sizeOf } from "./term-facts.js";
import { isBinding, mapSubterms, withBindings, withBody, type Binding, type Simple } from "./rewrite.js";
import type { VariableNames } from "./variable-names.js";

/** Functions of at most this size are copied to each call: what one small loop over arrays takes, and the arithmetic of small vectors. */
const smallSize = 80;

/** The same for functions that take or give functions, which inlining makes known. */
const higherOrderSize = 240;

/** The same for a join point, which is called in branches. */
const joinPointSize = 12;

/** The size of a function that is moved to its only call. */
const onceSize = 1200;

/** How large a definition becomes by inlining: at least so many nodes, or so many times its own size. */
const definitionSize = { nodes: 4000, times: 2 } as const;

/** How much a program grows by it altogether. */
const programGrowth = { nodes: 20_000, times: 3 } as const;

/** How deep terms get: passes recurse along nested terms, and elaboration grants 400 levels. */
const deepest = 300;

export function inline(program: Program, names: VariableNames): Program {
  const calls = countCalls(program);
  const entries = new Set(program.entries.map(({ name }) => name));
  const known = new Map<string, Inlinable>();
  const done = new Map<string, Fn>();
  const total = program.definitions.reduce((sum, { body }) => sum + contentsOf(body).size, 0);
  const buffer: Buffer = { nodes: Math.max(programGrowth.nodes, programGrowth.times * total) };
  for (const { functions, recursive } of groupsOf(program.definitions)) {
    for (const fn of functions) {
      const body = new Inliner(fn, known, calls, names, buffer).body();
      const inlined = withBody(fn, body);
      done.set(fn.name, inlined);
      const isKept = program.pullbacks.has(fn.name) || program.checkpoints.has(fn.name) || program.partials.has(fn.name); // prettier-ignore
      if (recursive || isKept) continue;
      const isOnce = calls.get(fn.name) === 1 && !entries.has(fn.name);
      if (fn.params.length > 0) enter(inlined, isOnce, known);
      else if (isLiteral(body)) known.set(fn.name, { fn: inlined, size: 0, depth: 1, isOnce: true });
    }
  }
  const definitions = program.definitions.map((fn) => done.get(fn.name) ?? fn);
  return definitions.every((fn, index) => fn === program.definitions[index]) ? program : { ...program, definitions };
}

/** A function that calls may be replaced by. */
interface Inlinable {
  readonly fn: Fn;
  readonly size: number;
  readonly depth: number;
  readonly isOnce: boolean;
}

interface Buffer {
  nodes: number;
}

/** Makes a function inlinable, if it is small enough. */
function enter(fn: Fn, isOnce: boolean, known: Map<string, Inlinable>): void {
  const limit = isOnce ? onceSize : sizeLimit(fn);
  const size = sizeOf(fn.body, limit);
  if (size <= limit) known.set(fn.name, { fn, size, depth: nestingDepth(fn.body), isOnce });
}

function sizeLimit({ params, result }: Fn): number {
  if (params.length === 0) return joinPointSize;
  return result.kind === "fn" || params.some(({ type }) => type.kind === "fn") ? higherOrderSize : smallSize;
}

class Inliner {
  readonly #fn: Fn;
  readonly #known: Map<string, Inlinable>;
  readonly #calls: Map<string, number>;
  readonly #names: VariableNames;
  readonly #uses: ReadonlyMap<string, LambdaUses>;
  /** Lambdas that have become functions, by the variable's name. */
  readonly #made = new Map<string, Made>();
  /** How much the definition, and the program, may still grow. */
  readonly #own: Buffer;
  readonly #shared: Buffer;

  constructor(fn: Fn, known: Map<string, Inlinable>, calls: Map<string, number>, names: VariableNames, buffer: Buffer) {
    this.#fn = fn;
    this.#known = known;
    this.#calls = calls;
    this.#names = names;
    this.#uses = countUses(fn.body);
    const { size } = contentsOf(fn.body);
    this.#own = { nodes: Math.max(definitionSize.nodes, definitionSize.times * size) - size };
    this.#shared = buffer;
  }

  body(): Term {
    return this.#term(this.#fn.body, 1);
  }

  #term(start: Term, depth: number): Term {
    const around: Binding[] = [];
    let term = start;
    while (isBinding(term)) {
      around.push(...(term.kind === "let" ? this.#let(term, depth) : this.#letRec(term, depth)));
      term = term.body;
    }
    return withBindings(around, this.#simple(term, depth));
  }

  #let(term: Binding & { readonly kind: "let" }, depth: number): readonly Binding[] {
    const lambda = term.bound.kind === "lam" ? this.#functionOf(term.name, term.bound, term.type) : null;
    if (lambda !== null) return this.#letRec({ kind: "letRec", functions: [lambda], body: term.body }, depth);
    const bound = this.#term(term.bound, depth + 1);
    return [withParts(term, { bound })];
  }

  /** A lambda that is applied where it is known, as a function of the arguments that it is applied to at once. */
  #functionOf(name: string, lambda: Term & { readonly kind: "lam" }, type: Type): Fn | null {
    const uses = this.#uses.get(name);
    if (uses === undefined || uses.applied === 0) return null;
    const params = [];
    let body: Term = lambda;
    for (; body.kind === "lam" && params.length < uses.fewest; body = body.body) {
      params.push(b.param(body.param, body.type));
    }
    const fn = b.fn(this.#names.fresh(name), params, b.uncurry(type, params.length).result, body);
    this.#calls.set(fn.name, uses.all);
    this.#made.set(name, { fn, types: params.map((param) => param.type) });
    return fn;
  }

  #letRec(term: Binding & { readonly kind: "letRec" }, depth: number): readonly Binding[] {
    const groups = groupsOf(term.functions);
    const around = groups.map(({ functions, recursive }): Binding & { readonly kind: "letRec" } => {
      const inlined = functions.map((fn) => withBody(fn, this.#term(fn.body, depth + 1)));
      const [only] = inlined;
      if (!recursive && only !== undefined) enter(only, this.#calls.get(only.name) === 1, this.#known);
      const isSame = groups.length === 1 && inlined.every((fn, index) => fn === term.functions[index]);
      return isSame ? term : { kind: "letRec", functions: inlined, body: term.body };
    });
    return around;
  }

  #simple(term: Simple, depth: number): Term {
    switch (term.kind) {
      case "call":
        return this.#call(
          mapSubterms(term, (arg) => this.#term(arg, depth + 1)),
          depth,
        );
      case "app":
        return this.#application(term, depth);
      case "var": {
        const made = this.#made.get(term.name);
        return made === undefined ? term : this.#asLambda(made, []);
      }
      default:
        return mapSubterms(term, (part) => this.#term(part, depth + 1));
    }
  }

  #call(term: Simple, depth: number): Term {
    if (term.kind !== "call") return term;
    const known = this.#known.get(term.fn);
    if (known === undefined || depth + known.depth > deepest) return term;
    const cost = known.isOnce ? 0 : known.size;
    if (cost > Math.min(this.#own.nodes, this.#shared.nodes)) return term;
    this.#own.nodes -= cost;
    this.#shared.nodes -= cost;
    return locateAll(this.#inlined(known.fn, term.args), term[location]);
  }

  /** A function's body with its arguments bound. */
  #inlined({ params, body }: Fn, args: readonly Term[]): Term {
    const values = new Map<string, Term>();
    const around: Binding[] = [];
    params.forEach(({ name, type }, index) => {
      const arg = args[index];
      if (arg === undefined) return;
      if (b.isAtom(arg)) {
        if (arg.kind === "var") this.#names.merge(arg.name, name);
        values.set(name, arg);
        return;
      }
      const copy = this.#names.fresh(name);
      values.set(name, b.variable(copy));
      around.push({ kind: "let", name: copy, type, bound: arg, body: arg });
    });
    return withBindings(around, copyTerm(body, this.#names, { values }));
  }

  /** An application with all its arguments: of a lambda it is a `let`, of one that has become a function a call. */
  #application(term: Simple, depth: number): Term {
    const args: Term[] = [];
    let head: Term = term;
    for (; head.kind === "app"; head = head.fn) args.push(head.arg);
    args.reverse();
    const made = head.kind === "var" ? this.#made.get(head.name) : undefined;
    const operands = args.map((arg) => this.#term(arg, depth + 1));
    if (made === undefined) {
      const fn = this.#term(head, depth + 1);
      const isSame = fn === head && operands.every((arg, index) => arg === args[index]);
      return isSame && fn.kind !== "lam" && !isBinding(fn) ? term : applied(fn, operands);
    }
    const count = made.fn.params.length;
    if (operands.length < count) return this.#asLambda(made, operands);
    const call: Simple = { kind: "call", fn: made.fn.name, args: operands.slice(0, count) };
    return applied(this.#call(call, depth), operands.slice(count));
  }

  /** A function as a lambda of the parameters that it was not given yet. */
  #asLambda({ fn, types }: Made, given: readonly Term[]): Term {
    const around: Binding[] = [];
    const args = given.map((arg, index): Term => {
      const param = fn.params[index];
      if (param === undefined || b.isAtom(arg)) return arg;
      const name = this.#names.fresh(param.name);
      around.push({ kind: "let", name, type: param.type, bound: arg, body: arg });
      return b.variable(name);
    });
    const added = types.slice(given.length).map((type, index) => {
      const hint = fn.params[given.length + index]?.name ?? "x";
      return b.param(this.#names.fresh(hint), type);
    });
    const call = b.call(fn.name, [...args, ...added.map(({ name }) => b.variable(name))]);
    return withBindings(
      around,
      added.reduceRight<Term>((body, { name, type }) => b.lam(name, type, body), call),
    );
  }
}

/** A lambda that has become a function. */
interface Made {
  readonly fn: Fn;
  readonly types: readonly Type[];
}

/** A function applied to arguments: bindings at its top stay around the whole, lambdas take what they are applied to. */
function applied(fn: Term, args: readonly Term[]): Term {
  const around: Binding[] = [];
  let rest = fn;
  let taken = 0;
  for (;;) {
    const arg = args[taken];
    if (arg === undefined) break;
    if (isBinding(rest)) {
      around.push(rest);
      rest = rest.body;
    } else if (rest.kind === "lam") {
      around.push({ kind: "let", name: rest.param, type: rest.type, bound: arg, body: rest.body });
      rest = rest.body;
      taken += 1;
    } else {
      break;
    }
  }
  return withBindings(around, args.slice(taken).reduce<Term>(b.app, rest));
}

/** How a variable is used that may be bound to a lambda. */
interface LambdaUses {
  readonly all: number;
  /** How often it is applied, and to how many arguments at least. */
  readonly applied: number;
  readonly fewest: number;
}

function countUses(root: Term): ReadonlyMap<string, LambdaUses> {
  const uses = new Map<string, LambdaUses>();
  const count = (name: string, args: number): void => {
    const { all, applied: often, fewest } = uses.get(name) ?? { all: 0, applied: 0, fewest: Infinity };
    const isApplied = args > 0;
    uses.set(name, {
      all: all + 1,
      applied: often + (isApplied ? 1 : 0),
      fewest: isApplied ? Math.min(fewest, args) : fewest,
    });
  };
  const waiting = [{ term: root, args: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { term, args } = next;
    if (term.kind === "var") count(term.name, args);
    if (term.kind === "app") waiting.push({ term: term.fn, args: args + 1 }, { term: term.arg, args: 0 });
    else waiting.push(...subterms(term).map((part) => ({ term: part, args: 0 })));
  }
  return uses;
}

function countCalls(program: Program): Map<string, number> {
  const calls = new Map<string, number>();
  for (const { body } of program.definitions) {
    for (const [fn, count] of contentsOf(body).calls) calls.set(fn, (calls.get(fn) ?? 0) + count);
  }
  return calls;
}

/** Literals, and tuples and constructors of them: writing them again costs nothing. */
function isLiteral(root: Term): boolean {
  const waiting = [root];
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    if (term.kind === "tuple") waiting.push(...term.items);
    else if (term.kind === "con") waiting.push(...term.args);
    else if (term.kind !== "real" && term.kind !== "int" && term.kind !== "bool") return false;
  }
  return sizeOf(root, literalSize) <= literalSize;
}

/** Constants of literals are written where they are used up to this size. */
const literalSize = 8;
