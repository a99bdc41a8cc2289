// Rules of functions that take functions: what such a function captures takes its place, so that values are all that a rule differentiates. With f = \x. s and g what s
// captures,
//
//   rule (\(f, p). t) (\(f, p) (df, dp) y. r) (f, p)   =>   rule (\(g, p). t) (\(g, p) (dg, dp) y. r) (g, p)
//
// in which f is \x. s for g, and df is \x. snd (jvp (\g. s) g dg): its derivative along what it captures, where x is held.

import { locateAll } from "../core/locate.js";
import { location } from "../location.js";
import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Derivative, Fn, Param, Program, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { TypeOf } from "../core/type-of.js";
import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { copyTerm } from "../optimise/copy.js";
import { rewriteUp, withBody } from "../optimise/rewrite.js";
import { freeIn } from "../optimise/term-facts.js";
import { at as itemOf } from "./by-type.js";
import { localFunctionsLifted } from "./lifted.js";
import { pointOf, taken, type Point } from "./point.js";

type FunctionType = Type & { readonly kind: "fn" };

/** The program without functions among what rules are for. Variables are distinct in all of it. */
export function withoutFunctionArguments(program: Program, names: Names): Program {
  const captured = functionsCaptured(program);
  const lifted = localFunctionsLifted(program, (name) => captured.has(name));
  const rules = new FunctionRules(lifted, names);
  const definitions = lifted.definitions.map((fn) => rules.of(fn));
  return { ...lifted, definitions, derivatives: rules.derivatives };
}

/** The local functions that arguments of rules call, and those that these call. */
function functionsCaptured({ definitions, derivatives }: Program): ReadonlySet<string> {
  const captured = new Set<string>();
  const lambdas = new Map<string, Term>();
  const groups = new Map<string, readonly Fn[]>();
  const all = definitions.flatMap(({ body }) => allTerms(body));
  for (const term of all) {
    if (term.kind === "let" && term.bound.kind === "lam") lambdas.set(term.name, term.bound);
    if (term.kind === "letRec") for (const { name } of term.functions) groups.set(name, term.functions);
  }
  const seen = new Set<string>();
  const visit = (term: Term): void => {
    const { functions, variables } = freeIn(term);
    for (const name of [...functions, ...variables]) {
      if (seen.has(name)) continue;
      seen.add(name);
      const group = groups.get(name) ?? [];
      for (const fn of group) captured.add(fn.name);
      if (group.length > 0) visit(b.letRec(group, b.tuple()));
      const lambda = lambdas.get(name);
      if (lambda !== undefined) visit(lambda);
    }
  };
  for (const term of all) if (term.kind === "call" && takesFunctions(derivatives.get(term.fn))) term.args.slice(2).forEach(visit); // prettier-ignore
  return captured;
}

/** Whether a rule is for a function that takes functions. */
export function takesFunctions(derivative: Derivative | undefined): boolean {
  return derivative?.kind === "functionRule";
}

/** What an argument gives to the point at which the rule is taken, and what it is there: itself, or of a function what that captures. */
interface Argument {
  readonly point: Point;
  readonly given: readonly Term[];
  /** The argument, of its part of the point. */
  readonly value: (part: Term) => Term;
  /** Its tangent, of its parts of the point and of a direction. */
  readonly tangent: (part: Term, along: Term) => Term;
}

class FunctionRules {
  readonly derivatives: Map<string, Derivative>;
  readonly #names: Names;
  readonly #types: TypeOf;
  /** Lambdas that variables are bound to. */
  readonly #lambdas = new Map<string, Term>();

  constructor(program: Program, names: Names) {
    this.derivatives = new Map(program.derivatives);
    this.#names = names;
    this.#types = new TypeOf(program);
  }

  of(fn: Fn): Fn {
    for (const term of allTerms(fn.body)) {
      this.#types.enterBinders(term);
      if (term.kind === "let" && term.bound.kind === "lam") this.#lambdas.set(term.name, term.bound);
    }
    return withBody(
      fn,
      rewriteUp(fn.body, (term) => this.#rule(term)),
    );
  }

  #rule(term: Term): Term {
    if (term.kind !== "call") return term;
    const derivative = this.derivatives.get(term.fn);
    const [text, said, at] = term.args;
    if (derivative === undefined || !takesFunctions(derivative)) return term;
    if (text === undefined || said === undefined || at === undefined) throw new InternalError("derivatives", "a rule lacks an argument"); // prettier-ignore
    const { from, to } = derivative;
    const types = from.kind === "tuple" ? from.items : [from];
    const whole = pointOf(types);
    const args = types.map((type, index): Argument => {
      const arg = at.kind === "tuple" ? itemOf(at.items, index) : whole.part(at, index);
      return type.kind === "fn" ? this.#function(arg, type, derivative) : valueOf(arg, type);
    });
    const point = pointOf(args.map((arg) => arg.point.type));
    const part = (of: string, index: number): Term => point.part(b.variable(of), index);
    const values = (of: string): Term => whole.of(args.map((arg, index) => arg.value(part(of, index))));
    const tangents = (of: string, along: string): Term =>
      whole.of(args.map((arg, index) => arg.tangent(part(of, index), part(along, index))));
    const [name, z, x, dx, y] = [this.#names.fresh("rule"), this.#names.fresh("x"), this.#names.fresh("x"), this.#names.fresh("dx"), this.#names.fresh("y")]; // prettier-ignore
    this.derivatives.set(name, { ...derivative, kind: "tangentRule", from: point.type, to });
    const value = b.lam(z, point.type, b.app(text, values(z)));
    const slope = [values(x), tangents(x, dx), b.variable(y)].reduce(b.app, said);
    const rule = b.lam(x, point.type, b.lam(dx, point.type, b.lam(y, to, slope)));
    const ruled = b.call(name, [value, rule, point.of(args.map((arg) => arg.point.of(arg.given)))]);
    return locateAll(ruled, term[location]);
  }

  /** What a function captures takes its place; of an unknown one that is the function itself. */
  #function(fn: Term, type: FunctionType, derivative: Derivative): Argument {
    let body = fn;
    const params: Param[] = [];
    for (const name of this.#freeIn(fn)) {
      const lambda = this.#lambdas.get(name);
      const own = this.#types.of(b.variable(name));
      if (lambda === undefined) params.push(b.param(name, own));
      else body = b.letIn(name, own, lambda, body);
    }
    const point = pointOf(params.map((param) => param.type));
    const value = (part: Term): Term => copyTerm(taken(params, part, body), this.#names);
    const tangent = (part: Term, along: Term): Term => this.#tangent(value, point.type, type, { at: part, along, derivative }); // prettier-ignore
    return { point, given: params.map(({ name }) => b.variable(name)), value, tangent };
  }

  /** The free variables of a term, and those of the lambdas that they are, which come after. */
  #freeIn(term: Term): ReadonlySet<string> {
    const free = new Set(freeIn(term).variables);
    for (const name of free) {
      const lambda = this.#lambdas.get(name);
      if (lambda === undefined) continue;
      // Those of a lambda stand around it
      for (const inner of freeIn(lambda).variables) {
        free.delete(inner);
        free.add(inner);
      }
    }
    return free;
  }

  // \x1. .. \xn. snd (jvp (\g. f x1 .. xn) g dg)
  #tangent(value: Argument["value"], from: Type, type: FunctionType, { at, along, derivative }: Direction): Term {
    const params: Param[] = [];
    let result: Type = type;
    for (; result.kind === "fn"; result = result.to) params.push(b.param(this.#names.fresh("x"), result.from));
    const [name, g] = [this.#names.fresh("jvp"), this.#names.fresh("g")];
    const { span, site } = derivative;
    this.derivatives.set(name, { kind: "jvp", from, to: result, span, site });
    const applied = params.reduce((fn, param) => b.app(fn, b.variable(param.name)), value(b.variable(g)));
    const slope = b.proj(1, b.call(name, [b.lam(g, from, applied), at, along]));
    return params.reduceRight<Term>((body, param) => b.lam(param.name, param.type, body), slope);
  }
}

/** Where a function's tangent is taken: at what it captures, and along what. */
interface Direction {
  readonly at: Term;
  readonly along: Term;
  readonly derivative: Derivative;
}

function valueOf(arg: Term, type: Type): Argument {
  return { point: pointOf([type]), given: [arg], value: (part) => part, tangent: (_, along) => along };
}
