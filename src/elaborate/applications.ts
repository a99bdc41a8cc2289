// Applications as core terms: definitions, operators and constructors with all their arguments, chains of these followed in loops.

import { InternalError } from "../internal-error.js";
import { isStandardName } from "../syntax/loaded-file.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { Expr, Pattern } from "../types/typed.js";
import * as b from "../core/build.js";
import { takesFunction } from "../core/derivative.js";
import { locateValue } from "../core/locate.js";
import { isExpanded } from "./expansion.js";
import { builtInArity } from "../types/built-in.js";
import { arity, typeArgumentsOf } from "./instances.js";
import type { KnownFunction, Scope } from "./instances.js";
import { openLet, type Wrap } from "./match.js";
import { spineOf, type Spine } from "./nesting.js";
import { overloadsOf, primitive, type OpName, type OverloadedName, type Scalar } from "../core/primitives.js";
import { hintFor, Variable } from "./scope.js";
import type { Session } from "./session.js";
import { Shown } from "./shown.js";
import type { Derivative, Site, Term } from "../core/term.js";
import type { Type } from "../core/type.js";

/** An argument, elaborated where it is asked for. */
export type Argument = () => Term;

/** How many links of a chain of operators or constructors are nested in each other before a `let` is put between. */
const chainLength = 100;

type BuiltIn = Expr & { readonly kind: "builtIn" };

/** How the parts of an application are elaborated. */
interface Parts {
  readonly term: (expr: Expr, scope: Scope) => Term;
  readonly lambda: (params: readonly Pattern[], body: Expr, scope: Scope) => Term;
}

/** One application in a chain of them. */
interface Link {
  readonly spine: Spine;
  readonly type: Type;
  readonly span: Span;
}

export class Applications {
  constructor(
    private readonly session: Session,
    private readonly parts: Parts,
  ) {}

  /** An application, or a name that may stand at the head of one. */
  of(expr: Expr, scope: Scope): Term {
    const spine = spineOf(expr);
    if (isSaturated(spine, "primitive")) return this.#operatorChain(expr, scope);
    if (isSaturated(spine, "constructor")) return this.#constructorChain(expr, scope);
    return this.applied(spine, [], scope, expr.span);
  }

  /** `a + b + c + ..`: down the first operands, then up again. */
  #operatorChain(expr: Expr, scope: Scope): Term {
    const { links, end } = chainOf(expr, "primitive");
    const wraps: Wrap[] = [];
    let operand = this.parts.term(end, scope);
    let type = end.type;
    links.reverse().forEach(({ spine, span, ...link }, index) => {
      if (index > 0 && index % chainLength === 0) operand = this.#bind(operand, type, scope, span, wraps);
      const first = operand;
      const rest = spine.args.slice(1).map((arg) => () => this.parts.term(arg, scope));
      const whole = this.applied({ head: spine.head, args: [] }, [() => first, ...rest], scope, span);
      operand = locateValue(whole, this.session.locationOf(scope, span));
      type = link.type;
    });
    return b.wrapAll(wraps, operand);
  }

  /** `a :: b :: c :: ..`: along the last fields, then back again. A long one is made in parts, from its end, when all fields are there. */
  #constructorChain(expr: Expr, scope: Scope): Term {
    const { links, end } = chainOf(expr, "constructor");
    const isLong = links.length > chainLength;
    const wraps: Wrap[] = [];
    const made = links.map(({ spine, type, span }) => {
      const fields = spine.args.slice(0, -1).map((field) => {
        const term = this.parts.term(field, scope);
        return isLong && !b.isValue(term) ? this.#bind(term, field.type, scope, field.span, wraps) : term;
      });
      const name = spine.head.kind === "constructor" ? spine.head.name : "";
      return { name, type: this.#type(type, scope, span), fields };
    });
    const whole = made.reduceRight(
      (rest, { name, type, fields }, index) => {
        const term = b.con(name, type, [...fields, rest]);
        return isLong && index > 0 && index % chainLength === 0
          ? this.#bind(term, type, scope, expr.span, wraps)
          : term;
      },
      this.parts.term(end, scope),
    );
    return b.wrapAll(wraps, whole);
  }

  /** Gives a term a name, by a `let` that `wraps` adds. */
  #bind(term: Term, type: Type, scope: Scope, span: Span, wraps: Wrap[], hint: string | null = null): Term {
    if (b.isAtom(term)) return term;
    const at = this.#type(type, scope, span);
    const name = scope.names.fresh(hint ?? hintFor(at));
    wraps.push((body) => b.letIn(name, at, term, body));
    return b.variable(name);
  }

  /** A head applied to the arguments of its spine and then to `more`. */
  applied({ head, args }: Spine, more: readonly Argument[], scope: Scope, span: Span): Term {
    const all: readonly Argument[] = [...args.map((arg) => () => this.parts.term(arg, scope)), ...more];
    switch (head.kind) {
      case "reference":
        return this.#reference(head, all, scope);
      case "constructor": {
        if (!isInOrder(args)) return this.#byName(head, args, scope, span);
        const type = b.uncurry(this.#type(head.type, scope, head.span), head.arity).result;
        return this.#saturated(head, head.arity, all, scope, (fields) => b.con(head.name, type, fields));
      }
      case "builtIn":
        return this.#builtIn(head, all, scope, span);
      case "projection":
        return this.#saturated(head, 1, all, scope, ([tuple]) => b.proj(head.index, found(tuple, "a tuple")));
      case "primitive": {
        const op = this.#overload(head.name, this.#type(head.operand, scope, head.span));
        const { params } = primitive(op);
        const site = this.session.siteOf(op, scope, span, head.span);
        return this.#saturated(head, params.length, all, scope, (operands) => b.op(op, operands, site));
      }
      case "lambda":
        return this.#beta(head, all, scope);
      default:
        return all.reduce((fn, arg) => b.app(fn, arg()), this.parts.term(head, scope));
    }
  }

  #reference(head: Expr & { readonly kind: "reference" }, args: readonly Argument[], scope: Scope): Term {
    const known = found(scope.functions.get(head.name), head.name);
    const typeArgs = known.binding.typeParams.map((param, index) => {
      // Within its own group a function has one instance, and may be referred to without arguments.
      const given: Type = head.typeArgs[index] ?? { kind: "typeVar", name: param.name };
      return this.#type(given, scope, head.span);
    });
    const count = arity(known.callable);
    if (head.label !== undefined && this.session.isDebug(known.binding)) {
      this.session.usesDebug = true;
      const label = (terms: readonly Term[]) => this.#labelled(head, found(terms[0], "what is shown"), scope);
      if (this.session.form !== "plain") return this.#saturated(head, 1, args, scope, label);
    }
    if (isExpanded(known, typeArgs, this.session)) {
      const expand = (terms: readonly Term[]) => this.#expansion(known, typeArgs, terms, scope, head.span);
      return this.#saturated(head, count, args, scope, expand, known.callable.params);
    }
    const { name } = known.instances.request(known, typeArgs, head.span);
    const make = (terms: readonly Term[]) => (known.local && count === 0 ? b.variable(name) : b.call(name, terms));
    return this.#saturated(head, count, args, scope, make, known.callable.params);
  }

  /** What `debug "text"` shows: in a trace a variable that is known to be that, in a module that shows it itself what does so. */
  #labelled(head: Expr & { readonly kind: "reference" }, term: Term, scope: Scope): Term {
    const type = this.#type(head.type, scope, head.span);
    const shown = type.kind === "fn" ? type.from : type;
    const label = head.label ?? "";
    const site = this.session.site(scope, head.span);
    if (this.session.form === "shown" && site !== null)
      return new Shown(this.session, scope.names, site).of(shown, term, JSON.stringify(label));
    // Definitions do not share their variables: one of another may have the name
    let name = scope.names.fresh("shown");
    while (this.session.labels.has(name)) name = scope.names.fresh("shown");
    this.session.labels.set(name, { label, site });
    return b.letIn(name, shown, term, b.variable(name));
  }

  /** The text of a function in place of its call. An argument that is a value stands where its parameter does: a function just once. */
  #expansion(known: KnownFunction, typeArgs: readonly Type[], args: readonly Term[], scope: Scope, span: Span): Term {
    const { binding, callable } = known;
    const wraps: Wrap[] = [];
    let inner: Scope = {
      ...known.scope(),
      definition: scope.definition,
      origin: this.session.expansionOf(binding, scope, span),
      types: typeArgumentsOf(binding, typeArgs),
      names: scope.names.inPrelude(),
    };
    callable.params.forEach((pattern, index) => {
      const arg = found(args[index], "an argument");
      if (pattern.kind === "variable" && b.isValue(arg)) {
        const value = Variable.value(arg, this.#type(pattern.type, inner, span), inner.names);
        inner = { ...inner, variables: inner.variables.with([[pattern.name, value]]) };
        return;
      }
      const opened = openLet(pattern, arg, inner, this.session);
      wraps.push(opened.wrap);
      inner = opened.scope;
    });
    return b.wrapAll(wraps, this.parts.term(callable.body, inner));
  }

  /** `build s f`, `s ! t`, `length s`; `jvp f x dx`, `vjp f x`, `stopGradient x`. */
  #builtIn(head: BuiltIn, args: readonly Argument[], scope: Scope, span: Span): Term {
    const { name } = head;
    if (name === "fail text")
      return args.reduce(
        (fn, arg) => b.app(fn, arg()),
        this.#failing(head, this.#type(head.type, scope, head.span), null, scope),
      );
    if (name === "failAt text") {
      const { to } = functionType(this.#type(head.type, scope, head.span));
      return this.#saturated(head, 1, args, scope, ([at]) => {
        const place = scope.names.fresh("at");
        return b.letIn(place, b.int, found(at, "an integer"), this.#failing(head, to, b.variable(place), scope));
      });
    }
    const site = this.session.site(scope, span);
    return this.#saturated(head, builtInArity(name), args, scope, (given) => {
      const [first, second] = given;
      const one = found(first, "an argument");
      switch (name) {
        case "length":
          return b.length(one);
        case "index":
          return b.indexOf(one, found(second, "an index"), site);
        case "build":
        case "parBuild":
          return this.#build(head, one, found(second, "a function"), scope, site);
        case "buildScan":
          return this.#scan(head, given, scope, site);
        case "jvp":
        case "vjp":
        case "checkpoint":
          return b.call(this.#derivative(name, head, scope), given);
        case "rule derivative":
          return b.call(
            this.#derivative(
              takesFunctions(this.#type(head.type, scope, head.span)) ? "functionRule" : "tangentRule",
              head,
              scope,
            ),
            given,
          );
        case "rule pullback":
          return b.call(this.#derivative("pullbackRule", head, scope), given);
        case "stopGradient":
          return b.call(this.#derivative("stop", head, scope), given);
        case "pack":
        case "unpack":
          return b.call(this.#derivative(name, head, scope), given);
        case "extern def":
          return this.#extern(head, one, scope);
      }
    });
  }

  /** A value of any type that never comes; `at` is the integer that the reason ends with. */
  #failing(head: BuiltIn, result: Type, at: Term | null, scope: Scope): Term {
    const reason = {
      ...this.session.siteOfFailure(scope, head.span),
      reason: head.label === undefined || head.label.trim() === "" ? "this fails" : head.label,
    };
    const of = (type: Type): Term => {
      switch (type.kind) {
        case "real":
          return at === null ? b.op("fail", [], reason) : b.op("failAt", [at], reason);
        case "int":
          return at === null ? b.op("failZ", [], reason) : b.op("failAtZ", [at], reason);
        case "bool":
          return at === null ? b.op("failB", [], reason) : b.op("failAtB", [at], reason);
        case "tuple":
          if (type.items.length > 0) return b.tuple(...type.items.map(of));
          return b.letIn(scope.names.fresh("never"), b.int, of(b.int), b.tuple());
        case "array":
          return b.build(of(b.int), scope.names.fresh("i"), type.element, of(type.element), null);
        default:
          return b.indexOf(b.array(type, []), of(b.int), null);
      }
    };
    return of(result);
  }

  #extern({ extern, type, span }: BuiltIn, given: Term, scope: Scope): Term {
    if (extern === undefined) throw new InternalError("elaborate", "there is no function of the caller");
    const { from, to } = functionType(this.#type(type, scope, span));
    const types = extern.params.length === 1 || from.kind !== "tuple" ? [from] : from.items;
    const params = extern.params.map((param, index) => b.param(nameOf(param), found(types[index], "the type of a parameter"))); // prettier-ignore
    const name = this.session.extern({ name: extern.name.name, path: extern.path, params, result: to, span: extern.name.span }); // prettier-ignore
    if (params.length === 1) return b.call(name, [given]);
    const wraps: Wrap[] = [];
    const all = given.kind === "tuple" ? given : this.#bind(given, from, scope, span, wraps);
    const args = params.map((_, index) => (all.kind === "tuple" ? found(all.items[index], "an argument") : b.proj(index, all))); // prettier-ignore
    return b.wrapAll(wraps, b.call(name, args));
  }

  #derivative(kind: Derivative["kind"], head: Expr, scope: Scope): string {
    const type = this.#type(head.type, scope, head.span);
    const takesOne = type.kind === "fn" && type.from.kind === "fn" && takesFunction(kind);
    const { from, to: given } = functionType(takesOne ? type.from : type);
    const to = kind === "unpack" ? b.arrayType(b.real) : given;
    const span =
      scope.origin.kind === "expansion" ? scope.origin.span : scope.origin.kind === "file" ? head.span : null;
    const derivative: Derivative = {
      kind,
      from,
      to,
      within: scope.definition,
      span,
      site: this.session.site(scope, head.span),
      // Those of the library do; an author's need not
      ...(kind === "pullbackRule" && isStandardName(head.span.file) ? { isOfText: true } : {}),
    };
    const asked =
      scope.origin.kind === "expansion" ? scope.origin.site.via : head.kind === "builtIn" ? head.name : kind;
    this.session.mustBeFirstOrder(derivative, asked, head.span);
    return this.session.derivative(derivative);
  }

  /** `build s (\i. t)`. */
  #build(head: BuiltIn, size: Term, fn: Term, scope: Scope, site: Site | null): Term {
    const type = b.uncurry(this.#type(head.type, scope, head.span), 2).result;
    const element = type.kind === "array" ? type.element : b.unit;
    return this.#loop(head, [size, fn], ["i"], scope, ([n], [index], body) => {
      const built = b.build(found(n, "a size"), found(index, "an index"), element, body, site);
      return head.name === "parBuild" ? { ...built, inParallel: true } : built;
    });
  }

  /** `scan n s (\i x. t)`. */
  #scan(head: BuiltIn, args: readonly Term[], scope: Scope, site: Site | null): Term {
    const { result } = b.uncurry(this.#type(head.type, scope, head.span), 3);
    const [type = b.unit, elements = b.unit] = result.kind === "tuple" ? result.items : [];
    const element = elements.kind === "array" ? elements.element : b.unit;
    return this.#loop(head, args, ["i", hintFor(type)], scope, ([size, start], [index, carried], body) =>
      b.scan({
        size: found(size, "a size"),
        start: found(start, "a start"),
        index: found(index, "an index"),
        carried: found(carried, "what is carried"),
        type,
        element,
        body,
        site,
      }),
    );
  }

  /** A loop that runs its last argument, `\i. t`; of another function than a lambda `\i. f i`, with all arguments evaluated before. */
  #loop(
    head: BuiltIn,
    args: readonly Term[],
    hints: readonly string[],
    scope: Scope,
    make: (others: readonly Term[], params: readonly string[], body: Term) => Term,
  ): Term {
    const others = args.slice(0, -1);
    const fn = found(args.at(-1), "a function");
    const whole = lambdasOf(fn, hints.length);
    if (whole !== null) return make(others, whole.params, whole.body);
    const { params } = b.uncurry(this.#type(head.type, scope, head.span), args.length);
    const wraps: Wrap[] = [];
    const bind = (term: Term, at: number): Term => this.#bind(term, found(params[at], "a parameter"), scope, head.span, wraps); // prettier-ignore
    const bound = others.map(bind);
    let inner: Term = fn;
    for (; inner.kind === "let"; inner = inner.body) {
      const { name, type: at, bound: value } = inner;
      wraps.push((body) => b.letIn(name, at, value, body));
    }
    const lambdas = lambdasOf(inner, hints.length);
    if (lambdas !== null) return b.wrapAll(wraps, make(bound, lambdas.params, lambdas.body));
    const f = bind(inner, others.length);
    const names = hints.map((hint) => scope.names.fresh(hint));
    const applied = names.reduce((applying, name) => b.app(applying, b.variable(name)), f);
    return b.wrapAll(wraps, make(bound, names, applied));
  }

  /** A record whose fields are written in another order than they are declared in: evaluated as written. */
  #byName(head: Expr & { readonly kind: "constructor" }, args: readonly Expr[], scope: Scope, span: Span): Term {
    const type = b.uncurry(this.#type(head.type, scope, span), head.arity).result;
    const wraps: Wrap[] = [];
    const fieldNames = this.session.data
      .decl(head.data)
      .constructors.find(({ name }) => name === head.name)?.fieldNames;
    const fields = new Map(
      [...args.entries()]
        .sort(([, left], [, right]) => left.span.start - right.span.start)
        .map(([index, arg]) => {
          const term = this.parts.term(arg, scope);
          const hint = fieldNames?.[index] ?? null;
          return [index, b.isValue(term) ? term : this.#bind(term, arg.type, scope, arg.span, wraps, hint)];
        }),
    );
    return b.wrapAll(wraps, b.con(head.name, type, args.map((_, index) => found(fields.get(index), "a field")))); // prettier-ignore
  }

  /** A known function of `count` parameters: called, applied to more arguments, or as a function of those that it lacks. */
  #saturated(
    head: Expr,
    count: number,
    args: readonly Argument[],
    scope: Scope,
    make: (args: readonly Term[]) => Term,
    patterns: readonly Pattern[] = [],
  ): Term {
    if (args.length >= count) {
      const whole = make(args.slice(0, count).map((arg) => arg()));
      return args.slice(count).reduce((fn, arg) => b.app(fn, arg()), whole);
    }
    const { params } = b.uncurry(this.#type(head.type, scope, head.span), count);
    const wraps: Wrap[] = [];
    const hints = params.map((_, index) => {
      const pattern = patterns[index];
      if (pattern?.kind === "variable") return pattern.name;
      return (head.kind === "primitive" ? ["x", "y"][index] : undefined) ?? null;
    });
    const given = args.map((arg, index) => {
      const term = arg();
      const type = found(params[index], "a parameter");
      return b.isValue(term) ? term : this.#bind(term, type, scope, head.span, wraps, hints[index]);
    });
    const missing = params.map((type, index) => ({ type, hint: hints[index] ?? hintFor(type) })).slice(args.length);
    const added = missing.map(({ type, hint }) => b.param(scope.names.fresh(hint), type));
    const body = make([...given, ...added.map(({ name }) => b.variable(name))]);
    return b.wrapAll(
      wraps,
      added.reduceRight((rest, { name, type }) => b.lam(name, type, rest), body),
    );
  }

  /** `(\p q. t) s1 s2 ..` is `let p = s1 in let q = s2 in t ..`. */
  #beta(head: Expr & { readonly kind: "lambda" }, args: readonly Argument[], scope: Scope): Term {
    const wraps: Wrap[] = [];
    let inner = scope;
    const bound = head.params.slice(0, args.length);
    bound.forEach((pattern, index) => {
      const opened = openLet(pattern, found(args[index], "an argument")(), inner, this.session);
      wraps.push(opened.wrap);
      inner = opened.scope;
    });
    const rest = head.params.slice(bound.length);
    const body = rest.length > 0 ? this.parts.lambda(rest, head.body, inner) : this.parts.term(head.body, inner);
    return b.wrapAll(
      wraps,
      args.slice(bound.length).reduce((fn, arg) => b.app(fn, arg()), body),
    );
  }

  #overload(name: OverloadedName, operand: Type): OpName {
    const scalar: Scalar = operand.kind === "int" ? "Z" : operand.kind === "bool" ? "B" : "R";
    return found(overloadsOf(name)[scalar], `${name} at ${scalar}`);
  }

  #type(type: Type, scope: Scope, span: Span): Type {
    return this.session.instantiate(type, scope.types, scope.definition, span);
  }
}

/** The parameters and the body of a function of so many lambdas; null of another term. */
function lambdasOf(fn: Term, count: number): { readonly params: readonly string[]; readonly body: Term } | null {
  if (count === 0) return { params: [], body: fn };
  const inner = fn.kind === "lam" ? lambdasOf(fn.body, count - 1) : null;
  return fn.kind === "lam" && inner !== null ? { ...inner, params: [fn.param, ...inner.params] } : null;
}

/** An application and those that its first operand, or its last field, is in turn; and what is at the end of them. */
function chainOf(expr: Expr, kind: "primitive" | "constructor"): { readonly links: Link[]; readonly end: Expr } {
  const links: Link[] = [];
  let end = expr;
  for (;;) {
    const spine = spineOf(end);
    if (!isSaturated(spine, kind)) return { links, end };
    links.push({ spine, type: end.type, span: end.span });
    end = found(spine.args.at(kind === "primitive" ? 0 : -1), "an argument");
  }
}

function isSaturated({ head, args }: Spine, kind: "primitive" | "constructor"): boolean {
  if (head.kind !== kind || args.length === 0 || !isInOrder(args)) return false;
  return args.length === (head.kind === "constructor" ? head.arity : b.uncurry(head.type, Infinity).params.length);
}

/** Whether arguments stand in the text as they do in the application; the fields of a record by name may not. */
function isInOrder(args: readonly Expr[]): boolean {
  return args.every(({ span }, index) => index === 0 || span.start >= (args[index - 1]?.span.start ?? 0));
}

export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new InternalError("elaborate", `${what} is missing`);
  return value;
}

/** Whether a rule of this type is for a function that takes functions. */
function takesFunctions(rule: Type): boolean {
  if (rule.kind !== "fn" || rule.from.kind !== "fn") return false;
  const { from } = rule.from;
  return from.kind === "tuple" ? from.items.some(({ kind }) => kind === "fn") : from.kind === "fn";
}

function functionType(type: Type): { readonly from: Type; readonly to: Type } {
  return type.kind === "fn" ? type : { from: b.unit, to: b.unit };
}

/** What a parameter with a type is called. */
function nameOf(param: Tree.Pattern): string {
  const pattern = param.kind === "ascribed" ? param.pattern : param;
  return found(pattern.kind === "variable" ? pattern.name.name : undefined, "the name of a parameter");
}
