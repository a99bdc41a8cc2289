// Rules have to be linear in their tangents or cotangents (RA23 §4): sums, products with one linear factor, choices by what is not linear, and functions made of such.
// A least fixed point: what is zero may be either. The text of rules is looked at, with derivatives in it.
// What a rule multiplies by something linear is scaled by it, as in derivatives that the compiler makes: nothing comes of a tangent of 0, also where the factor is infinite.

import type { DerivativeMistake, NotLinearReason } from "../core/derivative.js";
import type { Derivative, Fn, Program, Site, Term } from "../core/term.js";
import type { OpName } from "../core/primitives.js";
import { allTerms } from "../core/traverse.js";
import { TypeOf } from "../core/type-of.js";
import { InternalError } from "../internal-error.js";
import type { Outcome } from "../outcome.js";
import {
  isBinding,
  mapBinding,
  mapDefinitions,
  mapSubterms,
  withBindings,
  withBody,
  type Binding,
} from "../optimise/rewrite.js";
import { DualData } from "./dual-data.js";

/** How a value depends on what it has to be linear in: as a whole, or a tuple by component and all elements of an array alike. */
type Dependence =
  | Whole
  | { readonly kind: "tuple"; readonly items: readonly Dependence[] }
  | { readonly kind: "array"; readonly element: Dependence };

type Whole = "zero" | "linear" | "constant";

type Call = Term & { readonly kind: "call" };
type Lambda = Term & { readonly kind: "lam" };

class NotLinear extends Error {
  constructor(
    readonly reason: NotLinearReason,
    readonly site: Site | null = null,
  ) {
    super(reason.kind);
  }
}

/** A program whose rules are linear, with their products with what is linear as such; or what is wrong: they are not, or have no transpose since they use themselves. What they are of is a lambda. */
export function withLinearRules(program: Program): Outcome<Program, DerivativeMistake> {
  const rules = [...program.derivatives.values()].filter(isRule);
  if (rules.length === 0) return { value: program, mistakes: [] };
  const uses = new Map<string, ReadonlySet<string>>();
  const products = new Map<Term, LinearFactor>();
  const wrong = program.definitions.flatMap(({ body }) => allTerms(body)).flatMap((term): DerivativeMistake[] => {
    if (term.kind !== "call") return [];
    const [derivative, rule] = [program.derivatives.get(term.fn), term.args[1]];
    if (derivative === undefined || rule === undefined || !isRule(derivative)) return [];
    const whole = new Linearity(program);
    const found = whole.reasonAgainst(rule);
    uses.set(term.fn, whole.rulesUsed);
    const within = new Set(allTerms(rule));
    for (const [product, factor] of whole.products) if (within.has(product)) products.set(product, factor);
    return found === null ? [] : [{ kind: "notLinear", of: linearIn(derivative), because: found.reason, at: found.site, span: derivative.span }];
  }); // prettier-ignore
  if (wrong.length > 0) return { value: program, mistakes: wrong };
  const mistakes = [...uses.keys()].flatMap((name): DerivativeMistake[] => {
    const derivative = program.derivatives.get(name);
    if (derivative === undefined || !comesBack(name, uses)) return [];
    return [{ kind: "ownRule", at: linearIn(derivative), span: derivative.span }];
  });
  return { value: mapDefinitions(program, (fn) => withBody(fn, scaledIn(fn.body, products))), mistakes };
}

/** The place of what is linear in a product or a quotient. */
type LinearFactor = 0 | 1;

/** A term in which some products scale what is linear. */
function scaledIn(start: Term, products: ReadonlyMap<Term, LinearFactor>): Term {
  const within = (part: Term): Term => scaledIn(part, products);
  const around: Binding[] = [];
  let term = start;
  for (; isBinding(term); term = term.body) around.push(mapBinding(term, within));
  const end = mapSubterms(term, within);
  const place = products.get(term);
  if (place === undefined || end.kind !== "op") return withBindings(around, end);
  const args = place === 0 ? end.args : end.args.toReversed();
  return withBindings(around, { ...end, op: end.op === "div" ? "ratio" : "scaled", args });
}

function linearIn({ kind }: Derivative): "tangents" | "cotangent" {
  return kind === "pullbackRule" ? "cotangent" : "tangents";
}

/** Whether a rule uses itself, by others or at once. */
function comesBack(name: string, uses: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const reached = new Set(uses.get(name));
  for (const used of reached) for (const next of uses.get(used) ?? []) reached.add(next);
  return reached.has(name);
}

function isRule({ kind }: Derivative): boolean {
  return kind === "tangentRule" || kind === "pullbackRule";
}

class Linearity {
  readonly data: DualData;
  readonly types: TypeOf;
  readonly derivatives: ReadonlyMap<string, Derivative>;
  /** The rules that are used at what has to be linear. */
  readonly rulesUsed = new Set<string>();
  /** Products and quotients of something linear. */
  readonly products = new Map<Term, LinearFactor>();
  readonly #definitions: ReadonlyMap<string, Fn>;
  readonly #results = new Map<string, Dependence>();
  readonly #open = new Set<string>();

  constructor(program: Program) {
    this.data = new DualData(program.data);
    this.types = new TypeOf(program);
    this.derivatives = program.derivatives;
    this.#definitions = new Map(program.definitions.map((fn) => [fn.name, fn]));
  }

  /** Why a rule is not linear in the second of its parameters; null where it is. */
  reasonAgainst(rule: Term): NotLinear | null {
    const variables = new Map<string, Dependence>();
    let body = rule;
    for (let index = 0; index < 3; index += 1) {
      if (body.kind !== "lam") throw new InternalError("derivatives", "a rule takes too little");
      this.types.enterBinders(body);
      variables.set(body.param, index === 1 ? "linear" : "constant");
      body = body.body;
    }
    try {
      return wholeOf(new Body(this, variables).settled(body)) === "constant"
        ? new NotLinear({ kind: "constant" })
        : null;
    } catch (error) {
      if (error instanceof NotLinear) return error;
      throw error;
    }
  }

  /** What a definition gives; null of what is none. */
  of(name: string, params: readonly Dependence[]): Dependence | null {
    const fn = this.#definitions.get(name);
    if (fn === undefined) return null;
    const key = `${name} ${JSON.stringify(params)}`;
    const known = this.#results.get(key) ?? "zero";
    if (this.#open.has(key)) return known;
    this.#open.add(key);
    this.types.enter(fn);
    const variables = new Map(fn.params.map(({ name: param }, index) => [param, params[index] ?? "constant"]));
    for (let before: Dependence | null = null; before === null || !isSame(before, this.#results.get(key) ?? "zero");) {
      before = this.#results.get(key) ?? "zero";
      this.#results.set(key, join(before, new Body(this, variables).settled(fn.body)));
    }
    this.#open.delete(key);
    return this.#results.get(key) ?? "zero";
  }
}

class Body {
  readonly #whole: Linearity;
  readonly #variables: Map<string, Dependence>;
  readonly #functions = new Map<string, Fn>();
  readonly #results = new Map<string, Dependence>();
  #revision = 0;

  constructor(whole: Linearity, variables: ReadonlyMap<string, Dependence>) {
    this.#whole = whole;
    this.#variables = new Map(variables);
  }

  settled(body: Term): Dependence {
    for (;;) {
      const before = this.#revision;
      const result = this.#of(body);
      if (before === this.#revision) return result;
    }
  }

  #of(start: Term): Dependence {
    let term = start;
    for (; isBinding(term); term = term.body) {
      this.#whole.types.enterBinders(term);
      if (term.kind === "let") this.#note(this.#variables, term.name, this.#of(term.bound));
      else {
        for (const fn of term.functions) this.#functions.set(fn.name, fn);
        for (const { name, body } of term.functions) this.#note(this.#results, name, this.#of(body));
      }
    }
    this.#whole.types.enterBinders(term);
    const found = this.#simple(term);
    return isLinear(found) || this.#whole.data.hasReal(this.#whole.types.of(term)) ? found : "zero";
  }

  #simple(term: Exclude<Term, { readonly kind: "let" | "letRec" }>): Dependence {
    const all = (terms: readonly Term[]): readonly Dependence[] => terms.map((each) => this.#of(each));
    switch (term.kind) {
      case "var":
        return this.#variables.get(term.name) ?? "zero";
      case "real":
        return term.value === 0 ? "zero" : "constant";
      case "int":
      case "bool":
        return "zero";
      case "tuple":
      case "parallel":
        return { kind: "tuple", items: all(term.items) };
      case "array":
        return { kind: "array", element: all(term.items).reduce(join, "zero") };
      case "con":
        return all(term.args).map(wholeOf).reduce(joinWhole, "zero");
      case "proj":
        return itemOf(this.#of(term.tuple), term.index);
      case "build":
        this.#constant(term.size, "size");
        return { kind: "array", element: this.#of(term.body) };
      case "scan": {
        this.#constant(term.size, "size");
        this.#note(this.#variables, term.carried, this.#of(term.start));
        const body = this.#of(term.body);
        this.#note(this.#variables, term.carried, itemOf(body, 0));
        const carried = this.#variables.get(term.carried) ?? "zero";
        return { kind: "tuple", items: [carried, { kind: "array", element: itemOf(body, 1) }] };
      }
      case "index":
        this.#constant(term.index, "index");
        return elementOf(this.#of(term.array));
      case "length":
        this.#of(term.array);
        return "zero";
      case "if":
        this.#constant(term.cond, "condition");
        return join(this.#of(term.then), this.#of(term.else));
      case "case": {
        const scrutinee = wholeOf(this.#of(term.scrutinee));
        if (scrutinee === "linear" && term.branches.length > 1) throw new NotLinear({ kind: "constructor" }); // prettier-ignore
        return term.branches
          .map(({ vars, body }) => {
            for (const name of vars) this.#note(this.#variables, name, scrutinee);
            return this.#of(body);
          })
          .reduce(join, "zero");
      }
      case "op":
        return this.#operation(term);
      case "call":
        return this.#call(term);
      case "lam":
      case "app":
        throw new NotLinear({ kind: "function" });
    }
  }

  #operation(term: Term & { readonly kind: "op" }): Dependence {
    const { op, args, site } = term;
    const of = args.map((arg) => wholeOf(this.#of(arg)));
    if ((op === "mul" || op === "div") && of.includes("linear"))
      this.#whole.products.set(term, of[0] === "linear" ? 0 : 1);
    try {
      return this.#result(op, of);
    } catch (error) {
      throw error instanceof NotLinear ? new NotLinear(error.reason, site) : error;
    }
  }

  #result(op: OpName, of: readonly Whole[]): Whole {
    const [left = "constant", right = "constant"] = of;
    const linear = of.filter((each) => each === "linear").length;
    switch (op) {
      case "add":
      case "sub":
        return joinWhole(left, right);
      case "neg":
        return left;
      // What never comes is of any kind
      case "fail":
      case "failAt":
        return "zero";
      case "mul":
      case "scaled":
        if (linear > 1) throw new NotLinear({ kind: "product" });
        return linear === 1 ? "linear" : of.includes("zero") ? "zero" : "constant";
      case "div":
      case "ratio":
        if (right === "linear") throw new NotLinear({ kind: "divisor" });
        return left;
      default:
        if (linear > 0) throw new NotLinear({ kind: "operation", op });
        return "constant";
    }
  }

  #call(call: Call): Dependence {
    const derivative = this.#whole.derivatives.get(call.fn);
    if (derivative !== undefined) return this.#derivative(call, derivative);
    const of = call.args.map((arg) => this.#of(arg));
    const local = this.#functions.get(call.fn);
    if (local !== undefined) {
      local.params.forEach(({ name }, index) => {
        this.#note(this.#variables, name, of[index] ?? "constant");
      });
      return this.#results.get(call.fn) ?? "zero";
    }
    const result = this.#whole.of(call.fn, of);
    if (result === null && of.some(isLinear)) throw new NotLinear({ kind: "function" });
    return result ?? "constant";
  }

  /** Derivatives are linear in their directions and cotangents, and in what the function is linear in that they are taken of. */
  #derivative({ fn, args }: Call, { kind }: Derivative): Dependence {
    const [first, second, third] = args;
    const of = (term: Term | undefined): Dependence => (term === undefined ? "zero" : this.#of(term));
    switch (kind) {
      case "stop":
        if (isLinear(of(first))) throw new NotLinear({ kind: "operation", op: "stop" });
        return "constant";
      case "pack":
        return { kind: "array", element: wholeOf(of(first)) };
      case "unpack":
        of(first);
        return wholeOf(of(second));
      case "checkpoint":
        return this.#applied(lambda(first), of(second));
      case "tangentRule":
      case "functionRule":
      case "pullbackRule": {
        const at = of(third);
        if (isLinear(at)) this.#whole.rulesUsed.add(fn);
        return this.#applied(lambda(first), at);
      }
      case "jvp":
      case "pullback": {
        const along = wholeOf(of(third));
        if (isLinear(of(second))) throw new NotLinear({ kind: "point" });
        const value = this.#applied(lambda(first), "constant");
        if (isLinear(value) && along === "linear") throw new NotLinear({ kind: "product" });
        const slope = isLinear(value) ? "linear" : along;
        return kind === "jvp" ? { kind: "tuple", items: [value, slope] } : slope;
      }
      case "vjp":
        throw new InternalError("derivatives", "a pullback is left");
    }
  }

  #applied(fn: Lambda, arg: Dependence): Dependence {
    this.#whole.types.enterBinders(fn);
    this.#note(this.#variables, fn.param, arg);
    return this.#of(fn.body);
  }

  #constant(term: Term, decides: "size" | "index" | "condition"): void {
    if (isLinear(this.#of(term))) throw new NotLinear({ kind: decides });
  }

  #note(table: Map<string, Dependence>, name: string, dependence: Dependence): void {
    const before = table.get(name) ?? "zero";
    const after = join(before, dependence);
    if (table.has(name) && isSame(before, after)) return;
    table.set(name, after);
    this.#revision += 1;
  }
}

function lambda(term: Term | undefined): Lambda {
  if (term?.kind !== "lam") throw new InternalError("derivatives", "an unknown function is differentiated");
  return term;
}

function itemOf(dependence: Dependence, index: number): Dependence {
  return typeof dependence !== "string" && dependence.kind === "tuple" ? (dependence.items[index] ?? "zero") : wholeOf(dependence); // prettier-ignore
}

function elementOf(dependence: Dependence): Dependence {
  return typeof dependence !== "string" && dependence.kind === "array" ? dependence.element : wholeOf(dependence);
}

/** Of parts of one value, or of two ways to it. */
function join(a: Dependence, b: Dependence): Dependence {
  if (typeof a === "string" && typeof b === "string") return joinWhole(a, b);
  if (typeof a === "string") return join(b, a);
  if (a.kind === "array") return { kind: "array", element: join(a.element, elementOf(b)) };
  return { kind: "tuple", items: a.items.map((item, index) => join(item, itemOf(b, index))) };
}

function joinWhole(a: Whole, b: Whole): Whole {
  if (a === "zero") return b;
  if (b === "zero" || a === b) return a;
  throw new NotLinear({ kind: "affine" });
}

/** Of all parts of a value as one. */
function wholeOf(dependence: Dependence): Whole {
  if (typeof dependence === "string") return dependence;
  return dependence.kind === "array" ? wholeOf(dependence.element) : dependence.items.map(wholeOf).reduce(joinWhole, "zero"); // prettier-ignore
}

/** Whether some part is linear. */
function isLinear(dependence: Dependence): boolean {
  if (typeof dependence === "string") return dependence === "linear";
  return dependence.kind === "array" ? isLinear(dependence.element) : dependence.items.some(isLinear);
}

function isSame(a: Dependence, b: Dependence): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
