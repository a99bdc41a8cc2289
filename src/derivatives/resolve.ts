// Derivatives in a program become programs: `jvp` is forward mode from core to core, so that its result may be differentiated again, by any stage and by itself. No
// reverse sweep is ever differentiated; derivatives in a definition are resolved from the inside out, those of what it calls before them.

import { withParts } from "../same.js";
import { locateAll } from "../core/locate.js";
import { inPlaceOf, locate, location, type Location } from "../location.js";
import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Checkpoint, Derivative, Fn, Param, Program, Pullback, Site, Term } from "../core/term.js";
import { TypeOf } from "../core/type-of.js";
import type { Type } from "../core/type.js";
import type { Outcome } from "../outcome.js";
import { InternalError } from "../internal-error.js";
import { copyFn, copyTerm } from "../optimise/copy.js";
import { groupsOf } from "../optimise/groups.js";
import { isBinding, mapBinding, mapSubterms, withBindings, type Binding } from "../optimise/rewrite.js";
import { freeIn } from "../optimise/term-facts.js";
import { dualType, fullActivity } from "./activity.js";
import { DualData } from "./dual-data.js";
import { Duals, Unruled } from "./duals.js";
import type { DerivativeMistake } from "../core/derivative.js";
import { PullbackDefinitions } from "./pullback-definitions.js";
import { RuledDefinitions } from "./ruled-definitions.js";
import { Values } from "./values.js";

type Lambda = Term & { readonly kind: "lam" };

/** Where a derivative is taken, and along what. */
interface Direction {
  readonly from: Type;
  readonly to: Type;
  readonly site: Site | null;
  readonly x: Term;
  readonly dx: Term;
}

/** The local functions in scope: null of a group whose own functions are being resolved. */
type Scope = ReadonlyMap<string, readonly Fn[] | null>;

/** A program without derivatives; with a mistake it is of no use. Each lambda under a derivative is written out there. */
export function resolveDerivatives(program: Program, names: Names): Outcome<Program, DerivativeMistake> {
  const resolution = new Resolution(program, names);
  try {
    return { value: resolution.program(), mistakes: [] };
  } catch (error) {
    if (error instanceof Unruled)
      return { value: program, mistakes: [{ kind: "unruledExtern", extern: error.extern }] };
    if (!(error instanceof Wrong)) throw error;
    return { value: program, mistakes: [error.mistake] };
  }
}

/** What ends in a mistake. */
class Wrong extends Error {
  constructor(readonly mistake: DerivativeMistake) {
    super(mistake.kind);
  }
}

class Resolution {
  readonly #program: Program;
  readonly #names: Names;
  readonly #data: DualData;
  readonly #values: Values;
  readonly #types: TypeOf;
  readonly #duals: Duals;
  readonly #backward: PullbackDefinitions;
  readonly #ruledDefinitions: RuledDefinitions;
  readonly #definitions: Map<string, Fn>;
  readonly #resolved = new Map<string, Fn>();
  readonly #pullbacks = new Map<string, Pullback>();
  readonly #checkpoints = new Map<string, Checkpoint>();
  /** The checkpoints that have no reverse pass yet. */
  readonly #again: Fn[] = [];
  /** The definitions that are being resolved, each since a derivative in the one before is taken through it. */
  readonly #open: string[] = [];
  /** Where the innermost derivative that is being resolved stands. */
  #span: Derivative["span"] = null;
  /** Where the term stands that is being resolved, or the last one that is known to stand somewhere. */
  #at: Location | undefined = undefined;

  constructor(program: Program, names: Names) {
    this.#program = program;
    this.#names = names;
    this.#data = new DualData(program.data);
    this.#definitions = new Map(program.definitions.map((fn) => [fn.name, fn]));
    const define = (fn: Fn): void => {
      this.#define(fn);
    };
    this.#values = new Values(this.#data, names, define);
    this.#types = new TypeOf(program, () => this.#data.types);
    const definition = (name: string): Fn => this.#definition(name);
    const setting = {
      data: this.#data,
      values: this.#values,
      names,
      types: this.#types,
      definition,
      isDefinition: (name: string) => this.#isKnown(name),
      define,
      externs: program.externs,
      pullbacks: this.#pullbacks,
      checkpoints: this.#checkpoints,
    };
    const rules = new Map<string, string>();
    this.#duals = new Duals({ ...setting, rules });
    this.#backward = new PullbackDefinitions({ ...setting, rules, duals: this.#duals });
    this.#ruledDefinitions = new RuledDefinitions({ ...setting, rules, backward: this.#backward });
  }

  #define(fn: Fn): void {
    this.#resolved.set(fn.name, fn);
    this.#types.enter(fn);
  }

  program(): Program {
    const own = this.#program.definitions.map(({ name }) => this.#definition(name));
    const texts = this.#ruledDefinitions.settle();
    for (let of = this.#again.pop(); of !== undefined; of = this.#again.pop()) this.#backward.rerun(of);
    this.#backward.reverses(this.#program.entries);
    const isOwn = new Set(own);
    const made = [...this.#resolved.values()].filter((fn) => !isOwn.has(fn));
    const definitions = groupsOf([...made, ...own]).flatMap(({ functions }) => functions);
    return {
      ...this.#program,
      data: this.#data.declarations,
      definitions,
      derivatives: new Map(),
      pullbacks: this.#pullbacks,
      checkpoints: this.#checkpoints,
      texts,
    };
  }

  #definition(name: string): Fn {
    const done = this.#resolved.get(name);
    if (done !== undefined) return done;
    const fn = this.#definitions.get(name);
    if (fn === undefined && !this.#ruledDefinitions.says(name)) throw new InternalError("derivatives", `there is no definition ${name}`); // prettier-ignore
    if (this.#open.includes(name)) throw this.#cycle(name);
    this.#open.push(name);
    const resolved = fn === undefined ? this.#ruledDefinitions.said(name) : this.#withoutDerivatives(fn);
    this.#open.pop();
    this.#resolved.set(name, resolved);
    this.#types.enter(resolved);
    return resolved;
  }

  #withoutDerivatives(fn: Fn): Fn {
    return withParts(fn, { body: this.#term(fn.body, new Map()) });
  }

  #cycle(name: string): Wrong {
    const start = this.#open.indexOf(name);
    return new Wrong({ kind: "ownDerivative", cycle: [...(start < 0 ? [] : this.#open.slice(start)), name], span: this.#span }); // prettier-ignore
  }

  #term(start: Term, outer: Scope): Term {
    const around: Binding[] = [];
    let [term, scope] = [start, outer];
    while (isBinding(term)) {
      this.#types.enterBinders(term);
      if (term.kind === "let") {
        around.push(mapBinding(term, (part) => this.#term(part, scope)));
      } else {
        const { functions } = term;
        const inside = new Map([...scope, ...functions.map(({ name }) => [name, null] as const)]);
        const group = mapBinding(term, (part) => this.#term(part, inside));
        around.push(group);
        if (group.kind === "letRec") scope = new Map([...scope, ...group.functions.map(({ name }) => [name, group.functions] as const)]); // prettier-ignore
      }
      term = term.body;
    }
    this.#types.enterBinders(term);
    const derivative = term.kind === "call" ? this.#program.derivatives.get(term.fn) : undefined;
    const rule = derivative === undefined || term.kind !== "call" ? undefined : ruleOf(derivative, term.args);
    const end = mapSubterms(term, (part) => (part === rule ? part : this.#term(part, scope)));
    this.#at = term[location] ?? this.#at;
    const resolved = derivative === undefined || end.kind !== "call" ? end : this.#derivative(derivative, end.args, scope); // prettier-ignore
    return withBindings(around, derivative === undefined ? end : locateAll(resolved, term[location]));
  }

  #derivative(derivative: Derivative, args: readonly Term[], scope: Scope): Term {
    const outside = this.#span;
    this.#span = derivative.span ?? outside;
    const made = this.#resolve(derivative, args, scope);
    this.#span = outside;
    return made;
  }

  #resolve(derivative: Derivative, args: readonly Term[], scope: Scope): Term {
    const { kind, from, to, site } = derivative;
    const [first, second, third] = args.map(required);
    if (first === undefined) throw new InternalError("derivatives", "a derivative of nothing");
    if (kind === "stop") return this.#values.stopped(from, first);
    if (kind === "pack") return this.#values.packed(from, first);
    if (kind === "unpack") return this.#unpacked(derivative, first, required(second));
    if (kind === "tangentRule" || kind === "pullbackRule") return this.#ruled(derivative, { text: first, rule: required(second), at: required(third) }, scope); // prettier-ignore
    if (first.kind !== "lam") throw new InternalError("derivatives", "an unknown function is differentiated");
    const lambda = copyTerm(this.#closed(first, scope), this.#names);
    if (lambda.kind !== "lam") throw new InternalError("derivatives", "a copy of a lambda is none");
    this.#types.enterBinders(lambda);
    if (kind === "checkpoint") return this.#checkpoint(lambda, from, to, required(second));
    return this.#values.bind("x", from, required(second), (x) =>
      kind === "jvp"
        ? this.#values.bind("dx", from, required(third), (dx) => this.#jvp(lambda, { from, to, site, x, dx }))
        : this.#pullback(lambda, derivative, x, required(third)),
    );
  }

  #jvp({ param, body }: Lambda, { from, to, site, x, dx }: Direction): Term {
    const { term, activity } = this.#duals.of(body, new Map([[param, fullActivity(from, this.#data)]]));
    const dual = dualType(from, fullActivity(from, this.#data), this.#data);
    const result = dualType(to, activity, this.#data);
    const both = this.#values.bind("y", result, term, (y) => b.tuple(this.#values.primal(to, activity, y), this.#values.tangent(to, activity, y))); // prettier-ignore
    return b.letIn(param, dual, this.#values.zip(from, x, dx, site), both);
  }

  /** The numbers of a vector in the shape of a value; fails where there are more or fewer. */
  #unpacked({ from, site }: Derivative, like: Term, vector: Term): Term {
    return this.#values.bind("x", from, like, (x) =>
      this.#values.bind("numbers", b.arrayType(b.real), vector, (numbers) => {
        const count = b.op("sameLength", [this.#values.count(from, x), b.length(numbers)], site);
        return b.letIn(this.#names.fresh("n"), b.int, count, this.#values.filled(from, x, b.intLit(0), numbers));
      }),
    );
  }

  /** A function with a rule becomes a definition. */
  #ruled(derivative: Derivative, { text, rule, at }: Ruled, scope: Scope): Term {
    const { kind, from, to } = derivative;
    const [types, result] = kind === "tangentRule" ? [[from, from, to], to] : [[from, to, to], from];
    const of = derivative.within ?? "ruled";
    const value = this.#function(`${of}Value`, text, [from], to, scope);
    const said = this.#function(`${of}Rule`, rule, types, result, scope);
    const span = this.#span;
    const name = this.#ruledDefinitions.add(derivative, value, said, () => {
      const outside = this.#span;
      this.#span = span;
      this.#types.enter(said);
      const resolved = this.#withoutDerivatives(said);
      this.#span = outside;
      return resolved;
    });
    return b.call(name, [at]);
  }

  /** A function of as many arguments as a definition; it captures nothing. */
  #function(hint: string, term: Term, types: readonly Type[], result: Type, scope: Scope): Fn {
    if (term.kind !== "lam") throw new InternalError("derivatives", "a rule for an unknown function");
    const params: Param[] = [];
    let body = copyTerm(this.#closed(term, scope), this.#names);
    for (const type of types) {
      if (body.kind !== "lam") throw new InternalError("derivatives", "a rule takes too little");
      params.push(b.param(body.param, type));
      body = body.body;
    }
    return inPlaceOf(b.fn(this.#names.fresh(hint), params, result, body), term);
  }

  /** What is differentiated becomes a definition, and so does its pullback. */
  #pullback(lambda: Lambda, { from, to, site }: Derivative, x: Term, w: Term): Term {
    const { of, captured } = this.#lifted("differentiated", lambda, from, to);
    return b.call(this.#backward.of(of, site), [x, ...captured, w]);
  }

  /** A call of a definition. What reverse passes do for it is written when all is resolved: it may be a part of a recursion. */
  #checkpoint(lambda: Lambda, from: Type, to: Type, x: Term): Term {
    const { of, captured } = this.#lifted("checkpoint", lambda, from, to);
    this.#again.push(of);
    return b.call(of.name, [x, ...captured]);
  }

  /** A lambda as a definition, which takes what it captures, too. */
  #lifted(hint: string, lambda: Lambda, from: Type, to: Type): { readonly of: Fn; readonly captured: readonly Term[] } {
    const { param, body } = lambda;
    const captured = [...freeIn(body).variables].filter((name) => name !== param).map((name) => b.param(name, this.#types.of(b.variable(name)))); // prettier-ignore
    const of = copyFn(b.fn("", [b.param(param, from), ...captured], to, body), this.#names.fresh(hint), this.#names); // prettier-ignore
    this.#define(of);
    return { of: locate(inPlaceOf(of, lambda), this.#at), captured: captured.map(({ name }) => b.variable(name)) };
  }

  #isKnown(name: string): boolean {
    return this.#resolved.has(name) || this.#definitions.has(name) || this.#ruledDefinitions.says(name);
  }

  /** A lambda with the local functions that it calls. */
  #closed(lambda: Lambda, scope: Scope): Term {
    const groups: (readonly Fn[])[] = [];
    const add = (term: Term): void => {
      for (const name of freeIn(term).functions) {
        const group = scope.get(name);
        if (group === undefined || groups.includes(group ?? [])) continue;
        if (group === null) throw this.#cycle(name);
        for (const fn of group) add(b.letRec(group, fn.body));
        if (!groups.includes(group)) groups.push(group);
      }
    };
    add(lambda);
    return { ...lambda, body: groups.reduceRight<Term>((body, group) => b.letRec(group, body), lambda.body) };
  }
}

/** A function's text, its rule, and where it is called. */
interface Ruled {
  readonly text: Term;
  readonly rule: Term;
  readonly at: Term;
}

/** The rule among the arguments of what is one. */
function ruleOf({ kind }: Derivative, args: readonly Term[]): Term | undefined {
  return kind === "tangentRule" || kind === "pullbackRule" ? args[1] : undefined;
}

function required<T>(part: T | undefined): T {
  if (part === undefined) throw new InternalError("derivatives", "a derivative lacks an argument");
  return part;
}
