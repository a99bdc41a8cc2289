// Specialisation: a function that takes a function is copied for each call that passes a lambda.
//
//   map f xs = case xs of { Nil -> Nil; Cons y ys -> Cons (f y) (map f ys) }      .. map (\x. a * x) zs ..
//   =>  mapTimes xs a = let f = \x. a * x in case xs of { .. Cons y ys -> Cons (f y) (mapTimes ys a) }      .. mapTimes zs a ..
//
// A parameter is specialised on where each call in the function's own group passes it on unchanged: `f g n = .. f (\x. g (x + 1)) (n - 1)`
// would never end. The lambda's free variables become further parameters; where it calls local functions, or where the function that is
// copied is local itself, the copy is local to the call. Equal specialisations of definitions are made once.

import * as b from "../core/build.js";
import { Names } from "../core/names.js";
import { locateAll } from "../core/locate.js";
import { primitive } from "../core/primitives.js";
import type { Fn, Param, Program, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { TypeOf } from "../core/type-of.js";
import type { Type } from "../core/type.js";
import { writtenOut } from "../key.js";
import { inPlaceOf, location } from "../location.js";
import { copyFn, copyTerm } from "./copy.js";
import { groupsOf, type Group } from "./groups.js";
import { contentsOf, freeIn, sizeOf } from "./term-facts.js";
import { rewriteUp, withBody } from "./rewrite.js";
import { staticParameters, type Statics } from "./static-parameters.js";

/** How many nodes copies add: at least so many, or so many times the program's size. */
const buffer = { nodes: 20_000, times: 2 } as const;

/** A lambda with more free variables than this is not made known to a function elsewhere: each would be a parameter. */
const mostFree = 12;

export function specialise(program: Program, names: Names): Program {
  return new Specialisation(program, names).program();
}

type Lambda = Term & { readonly kind: "lam" };

/** What a call passes for some of a group's static parameters, by class. */
type Known = ReadonlyMap<number, Lambda>;

class Specialisation {
  readonly #program: Program;
  readonly #names: Names;
  readonly #types: TypeOf;
  readonly #definitions: Set<string>;
  readonly #groups = new Map<string, { readonly group: Group; readonly statics: Statics }>();
  /** Lambdas that variables are bound to. */
  readonly #lambdas = new Map<string, Lambda>();
  /** Names of copied definitions, by what they are copies of and for. */
  readonly #copies = new Map<string, string>();
  readonly #made: Fn[] = [];
  #buffer: number;

  constructor(program: Program, names: Names) {
    this.#program = program;
    this.#names = names;
    this.#types = new TypeOf(program);
    this.#definitions = new Set(program.definitions.map(({ name }) => name));
    this.#enterGroups(program.definitions);
    for (const { body } of program.definitions) {
      for (const { functions } of contentsOf(body).letRecs) this.#enterGroups(functions);
    }
    const size = program.definitions.reduce((sum, { body }) => sum + contentsOf(body).size, 0);
    this.#buffer = Math.max(buffer.nodes, buffer.times * size);
  }

  program(): Program {
    if (this.#groups.size === 0) return this.#program;
    const definitions = this.#program.definitions.map((fn) => this.#definition(fn));
    const made: Fn[] = [];
    // Copies may hold calls to copy for, too
    for (let fn = this.#made.shift(); fn !== undefined; fn = this.#made.shift()) made.push(this.#definition(fn));
    const isSame = made.length === 0 && definitions.every((fn, index) => fn === this.#program.definitions[index]);
    return isSame ? this.#program : { ...this.#program, definitions: [...made, ...definitions] };
  }

  #enterGroups(functions: readonly Fn[]): void {
    for (const group of groupsOf(functions)) {
      const statics = staticParameters(group.functions);
      if (statics.size > 0) for (const fn of group.functions) this.#groups.set(fn.name, { group, statics });
    }
  }

  #definition(fn: Fn): Fn {
    if (![...contentsOf(fn.body).calls.keys()].some((name) => this.#groups.has(name))) return fn;
    this.#types.enter(fn);
    this.#lambdas.clear();
    for (const term of allTerms(fn.body)) {
      this.#types.enterBinders(term);
      if (term.kind === "let" && term.bound.kind === "lam") this.#lambdas.set(term.name, term.bound);
    }
    return withBody(
      fn,
      rewriteUp(fn.body, (term) => (term.kind === "call" ? this.#call(term) : term)),
    );
  }

  #call(term: Term & { readonly kind: "call" }): Term {
    const found = this.#groups.get(term.fn);
    const statics = found?.statics.get(term.fn);
    if (found === undefined || statics === undefined) return term;
    const known = new Map<number, Lambda>();
    for (const [index, at] of statics) {
      const arg = term.args[index];
      const lambda = arg?.kind === "var" ? this.#lambdas.get(arg.name) : arg;
      if (lambda?.kind === "lam") known.set(at, lambda);
    }
    if (known.size === 0) return term;
    const cost = found.group.functions.reduce((sum, { body }) => sum + sizeOf(body), 0) + [...known.values()].reduce((sum, lambda) => sum + sizeOf(lambda), 0); // prettier-ignore
    if (cost > this.#buffer) return term;
    const copy = new GroupCopy(found.group, found.statics, known, this.#names);
    const isLocal = !this.#definitions.has(term.fn) || !this.#mayLeave(copy);
    if (isLocal) {
      this.#buffer -= cost;
      const functions = located(copy.functions([]), term);
      return b.letRec(functions, inPlaceOf(b.call(copy.nameOf(term.fn), copy.argumentsOf(term)), term));
    }
    const free = [...copy.free.variables].map((name) => b.param(name, this.#types.of(b.variable(name))));
    const key = keyOf(term.fn, known, free);
    let name = this.#copies.get(key);
    if (name === undefined) {
      this.#buffer -= cost;
      name = copy.nameOf(term.fn);
      const made = located(copy.functions(free), term);
      for (const fn of made) {
        this.#types.enter(fn);
        this.#definitions.add(fn.name);
      }
      this.#made.push(...made);
      this.#copies.set(key, name);
    }
    return inPlaceOf(b.call(name, [...copy.argumentsOf(term), ...free.map((param) => b.variable(param.name))]), term); // prettier-ignore
  }

  /** Whether lambdas mean the same at the top of the program. */
  #mayLeave({ free }: GroupCopy): boolean {
    return free.variables.size <= mostFree && [...free.functions].every((name) => this.#definitions.has(name));
  }
}

/** Functions that have been copied for a call: what has no other place, since it is the prelude's, is from there. */
function located(functions: readonly Fn[], call: Term): readonly Fn[] {
  for (const fn of functions) {
    inPlaceOf(fn, call);
    locateAll(fn.body, call[location]);
  }
  return functions;
}

/** The copy of a group of functions for some lambdas. */
class GroupCopy {
  readonly free: { readonly variables: ReadonlySet<string>; readonly functions: ReadonlySet<string> };
  readonly #group: Group;
  readonly #statics: Statics;
  readonly #known: Known;
  readonly #names: Names;
  readonly #copyNames: ReadonlyMap<string, string>;

  constructor(group: Group, statics: Statics, known: Known, names: Names) {
    this.#group = group;
    this.#statics = statics;
    this.#known = known;
    this.#names = names;
    const all = [...known.values()].map(freeIn);
    this.free = {
      variables: new Set(all.flatMap(({ variables }) => [...variables])),
      functions: new Set(all.flatMap(({ functions }) => [...functions])),
    };
    const suffix = [...known.values()].map(wordFor).join("");
    this.#copyNames = new Map(
      group.functions.map(({ name }) => [
        name,
        names.fresh(`${suffix === "" ? name : name.replace(/'+$/, "")}${suffix}`),
      ]),
    );
  }

  nameOf(name: string): string {
    return this.#copyNames.get(name) ?? name;
  }

  /** The arguments of a call that the copy still takes. */
  argumentsOf(term: Term & { readonly kind: "call" }): readonly Term[] {
    return term.args.filter((_, index) => !this.#isKnown(term.fn, index));
  }

  /** The functions; each takes `free`, too. */
  functions(free: readonly Param[]): readonly Fn[] {
    return this.#group.functions.map((fn) => {
      const extra = free.map(({ name, type }) => b.param(this.#names.fresh(name), type));
      const given = new Map(
        free.map(({ name }, index): [string, Term] => [name, b.variable(extra[index]?.name ?? name)]),
      );
      const values = new Map<string, Term>();
      const lambdas = fn.params.flatMap((param, index) => {
        const lambda = this.#lambdaAt(fn.name, index);
        if (lambda === undefined) return [];
        const name = this.#names.fresh(param.name);
        values.set(param.name, b.variable(name));
        return [{ name, type: param.type, lambda }];
      });
      const params = fn.params.filter((_, index) => !this.#isKnown(fn.name, index));
      const whole = b.fn(fn.name, params, fn.result, this.#body(fn, extra));
      const copied = copyFn(whole, this.nameOf(fn.name), this.#names, { values });
      const body = lambdas.reduceRight(
        (rest, { name, type, lambda }) => b.letIn(name, type, copyTerm(lambda, this.#names, { values: given }), rest),
        copied.body,
      );
      return { ...copied, params: [...copied.params, ...extra], body };
    });
  }

  #lambdaAt(fn: string, index: number): Lambda | undefined {
    const at = this.#statics.get(fn)?.get(index);
    return at === undefined ? undefined : this.#known.get(at);
  }

  #isKnown(fn: string, index: number): boolean {
    return this.#lambdaAt(fn, index) !== undefined;
  }

  /** A body whose calls of the group are calls of the copies. */
  #body(fn: Fn, extra: readonly Param[]): Term {
    return rewriteUp(fn.body, (term) => {
      if (term.kind !== "call" || !this.#copyNames.has(term.fn)) return term;
      const more = extra.map(({ name }) => b.variable(name));
      return b.call(this.nameOf(term.fn), [...this.argumentsOf(term), ...more]);
    });
  }
}

/** A lambda in a few words, as the end of a name: `Times` of `\x. \y. x * y`, `Relu` of `\x. relu x`. */
function wordFor(lambda: Lambda): string {
  let body: Term = lambda;
  while (body.kind === "lam") body = body.body;
  switch (body.kind) {
    case "call":
      return capitalised(body.fn.replace(/['\d]+$/, ""));
    case "op": {
      const { notation } = primitive(body.op);
      return operatorWords.get(notation) ?? (/^\w+$/.test(notation) ? capitalised(notation) : "");
    }
    case "con":
      return capitalised(body.name);
    default:
      return "";
  }
}

const operatorWords: ReadonlyMap<string, string> = new Map([
  ["+", "Plus"],
  ["-", "Minus"],
  ["*", "Times"],
  ["/", "Over"],
  ["^", "Power"],
]);

function capitalised(word: string): string {
  return /^\w/.test(word) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

/** What a definition is copied for: its name, and its lambdas up to the names that they bind and their free variables. */
function keyOf(fn: string, known: Known, free: readonly Param[]): string {
  const names = new Names([]);
  const values = new Map(free.map(({ name }, index): [string, Term] => [name, b.variable(`#${index}`)]));
  const anonymous = new Map<string, string>();
  const lambdas = [...known].map(([at, lambda]) => [at, nameless(copyTerm(lambda, names, { values }), anonymous)]);
  return JSON.stringify([fn, free.map(({ type }): Type => type), lambdas]);
}

/** A term with its binders numbered in order, whatever they were called. */
function nameless(term: Term, numbers: Map<string, string>): string {
  for (const part of allTerms(term)) {
    for (const name of namesIn(part)) if (!numbers.has(name)) numbers.set(name, `%${numbers.size}`);
  }
  return JSON.stringify(term, (key, value: unknown) =>
    typeof value === "string" && ["name", "param", "index", "carried"].includes(key)
      ? (numbers.get(value) ?? value)
      : writtenOut(value),
  );
}

function namesIn(term: Term): readonly string[] {
  switch (term.kind) {
    case "lam":
      return [term.param];
    case "let":
      return [term.name];
    case "build":
      return [term.index];
    case "scan":
      return [term.index, term.carried];
    default:
      return [];
  }
}
