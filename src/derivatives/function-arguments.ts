// Rules of functions that take functions: what such a function captures takes its place, so that values are all that a rule differentiates. With f = \x. s and g what s
// captures,
//
//   rule (\(f, p). t) (\(f, p) (df, dp) y. r) (f, p)   =>   rule (\(g, p). t) (\(g, p) (dg, dp) y. r) (g, p)
//
// in which f is \x. s for g, and df is \x. snd (jvp (\g. s) g dg): its derivative along what it captures, where x is held.

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
import { localFunctionsLifted } from "./lifted.js";
import { pointOf, taken } from "./point.js";

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

/** What a rule is for, argument by argument. */
function partsOf(from: Type): readonly Type[] {
  return from.kind === "tuple" ? from.items : [from];
}

/** An argument of a function type: what it captures, and it as a function of that. */
interface Captures {
  readonly type: FunctionType;
  readonly params: readonly Param[];
  readonly body: Term;
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
    if (text === undefined || said === undefined || at === undefined)
      throw new InternalError("derivatives", "a rule lacks an argument");
    const { from, to } = derivative;
    const types = partsOf(from);
    const whole = pointOf(types);
    const args = types.map((type, index): Captures | Term => {
      const arg = at.kind === "tuple" ? at.items[index] : whole.part(at, index);
      if (arg === undefined) throw new InternalError("derivatives", "a rule lacks an argument");
      return type.kind === "fn" ? this.#captures(arg, type) : arg;
    });
    // What each argument gives to the point at which the rule is taken
    const points = args.map((arg, index) => ("params" in arg ? pointOf(arg.params.map(({ type }) => type)) : pointOf(types.slice(index, index + 1)))); // prettier-ignore
    const point = pointOf(points.map(({ type }) => type));
    const [x, dx, y] = ["x", "dx", "y"].map((hint) => this.#names.fresh(hint));
    if (x === undefined || dx === undefined || y === undefined) throw new InternalError("derivatives", "a name is missing"); // prettier-ignore
    const own = (of: string): Term => whole.of(args.map((arg, index) => ("params" in arg ? this.#function(arg, point.part(b.variable(of), index)) : point.part(b.variable(of), index)))); // prettier-ignore
    const along = whole.of(
      args.map((arg, index) => {
        const [value, tangent] = [x, dx].map((name) => point.part(b.variable(name), index));
        if (value === undefined || tangent === undefined || !("params" in arg)) return tangent ?? b.tuple();
        return this.#tangent(arg, value, tangent, derivative);
      }),
    );
    const name = this.#names.fresh("rule");
    this.derivatives.set(name, { ...derivative, kind: "tangentRule", from: point.type, to });
    const [z] = [this.#names.fresh("x")];
    const value = b.lam(z, point.type, b.app(text, own(z)));
    const slope = b.lam(x, point.type, b.lam(dx, point.type, b.lam(y, to, [own(x), along, b.variable(y)].reduce(b.app, said)))); // prettier-ignore
    const given = args.map((arg, index) => ("params" in arg ? found(points[index]).of(arg.params.map((param) => b.variable(param.name))) : arg)); // prettier-ignore
    return b.call(name, [value, slope, point.of(given)]);
  }

  /** What a function captures, which is a function where that is unknown. */
  #captures(fn: Term, type: FunctionType): Captures {
    let body = fn;
    const params = new Map<string, Param>();
    for (const name of this.#freeIn(fn)) {
      const lambda = this.#lambdas.get(name);
      const own = this.#types.of(b.variable(name));
      if (lambda === undefined) params.set(name, b.param(name, own));
      else body = b.letIn(name, own, lambda, body);
    }
    return { type, params: [...params.values()], body };
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

  #function({ params, body }: Captures, captured: Term): Term {
    return copyTerm(taken(params, captured, body), this.#names);
  }

  // \x1. .. \xn. snd (jvp (\g. f x1 .. xn) g dg)
  #tangent({ type, params, body }: Captures, captured: Term, along: Term, { span, site }: Derivative): Term {
    const args: Param[] = [];
    let result: Type = type;
    for (; result.kind === "fn"; result = result.to) args.push(b.param(this.#names.fresh("x"), result.from));
    const from = pointOf(params.map((param) => param.type)).type;
    const name = this.#names.fresh("jvp");
    this.derivatives.set(name, { kind: "jvp", from, to: result, span, site });
    const g = this.#names.fresh("g");
    const applied = args.reduce<Term>((fn, arg) => b.app(fn, b.variable(arg.name)), this.#function({ type, params, body }, b.variable(g))); // prettier-ignore
    const slope = b.proj(1, b.call(name, [b.lam(g, from, applied), captured, along]));
    return args.reduceRight<Term>((rest, arg) => b.lam(arg.name, arg.type, rest), slope);
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new InternalError("derivatives", "an argument is missing");
  return value;
}
