// Expressions of the typed tree as core terms: operators and definitions called with all their arguments, patterns taken apart, chains
// of `let`, of operators and of constructors followed in loops.

import { InternalError } from "../internal-error.js";
import type { Span } from "../syntax/source.js";
import type { Expr, Pattern } from "../types/typed.js";
import * as b from "./build.js";
import { arity, callableOf, Instances } from "./instances.js";
import type { Instance, KnownFunction, Scope } from "./instances.js";
import { bindRoot, matchTerm, openLet, openParts, variableFor, type Opened, type Wrap } from "./match.js";
import { spineOf, tooDeep, type Spine } from "./nesting.js";
import { overloadsOf, primitive, type OpName, type OverloadedName, type Scalar } from "./primitives.js";
import { hintFor, Variable } from "./scope.js";
import type { Session } from "./session.js";
import type { Fn, Term } from "./term.js";
import type { Type } from "./type.js";

/** An argument, elaborated where it is asked for. */
type Argument = () => Term;

/** How many links of a chain of operators or constructors are nested in each other before a `let` is put between. */
const chainLength = 100;

export class Elaborator {
  constructor(private readonly session: Session) {}

  /** The core function of an instance. */
  instance({ name, known, types }: Instance): Fn {
    const { binding, callable } = known;
    const defined = known.scope();
    const scope: Scope = {
      ...defined,
      definition: known.local ? defined.definition : binding.name,
      names: known.local ? defined.names : this.session.names.inner(),
      types: new Map([...defined.types, ...types]),
    };
    const params = callable.params.map((pattern) => variableFor(pattern, scope, this.session));
    const bodyType = this.#type(callable.body.type, scope, callable.body.span);
    const { params: extraTypes, result } = b.uncurry(bodyType, callable.extra);
    const extra = extraTypes.map((type) => Variable.named(type, hintFor(type), scope.names));
    const deep = tooDeep(binding, this.session.limits.nesting);
    if (deep !== null) {
      this.session.exceed("nestedTooDeeply", binding.name, this.session.limits.nesting, deep);
      return b.fn(name, [], result, this.session.cutOff);
    }
    const { scope: inner, wrap } = openParts(callable.params, params, scope, this.session);
    const { body: written } = callable;
    const body = wrap(
      extra.length === 0
        ? this.term(written, inner)
        : this.#applied(spineOf(written), extra.map((variable) => () => variable.use()), inner, written.span), // prettier-ignore
    );
    const coreParams = [...params, ...extra].map((variable) => b.param(variable.binder(), variable.type));
    return b.fn(name, coreParams, result, body);
  }

  term(start: Expr, startScope: Scope): Term {
    const wraps: Wrap[] = [];
    let expr = start;
    let scope = startScope;
    while (expr.kind === "let" || expr.kind === "letFunction") {
      if (!this.session.spendExpression(scope.definition, expr.span)) return this.session.cutOff;
      const opened: Opened =
        expr.kind === "let"
          ? openLet(expr.pattern, this.term(expr.bound, scope), scope, this.session)
          : this.#letFunction(expr.group, scope);
      wraps.push(opened.wrap);
      scope = opened.scope;
      expr = expr.body;
    }
    return b.wrapAll(wraps, this.#simple(expr, scope));
  }

  /** Any expression but `let`. */
  #simple(expr: Exclude<Expr, { readonly kind: "let" | "letFunction" }>, scope: Scope): Term {
    if (!this.session.spendExpression(scope.definition, expr.span)) return this.session.cutOff;
    const within = (part: Expr): Term => this.term(part, scope);
    switch (expr.kind) {
      case "variable":
        return found(scope.variables.get(expr.name), expr.name).use();
      case "number":
        return this.#type(expr.type, scope, expr.span).kind === "int" ? b.intLit(expr.value) : b.realLit(expr.value);
      case "boolean":
        return b.boolLit(expr.value);
      case "tuple":
        return b.tuple(...expr.items.map(within));
      case "parallel":
        return b.parallel(...expr.items.map(within));
      case "if":
        return b.ifThenElse(within(expr.cond), within(expr.then), within(expr.else));
      case "logical":
        return expr.operator === "&&"
          ? b.ifThenElse(within(expr.left), within(expr.right), b.boolLit(false))
          : b.ifThenElse(within(expr.left), b.boolLit(true), within(expr.right));
      case "lambda":
        return this.#lambda(expr.params, expr.body, scope);
      case "case":
        return this.#case(expr, scope);
      case "reference":
      case "constructor":
      case "projection":
      case "primitive":
        return this.#applied({ head: expr, args: [] }, [], scope, expr.span);
      case "apply":
        return this.#application(expr, scope);
    }
  }

  // Binding

  #letFunction(
    group: { readonly recursive: boolean; readonly bindings: readonly KnownFunction["binding"][] },
    scope: Scope,
  ): Opened {
    const instances = new Instances(this.session, (name) => this.session.names.fresh(name));
    const inner: Scope = {
      ...scope,
      functions: scope.functions.with(
        group.bindings.map((binding) => {
          const callable = callableOf(binding, (name) => scope.functions.get(name)?.binding.params.length ?? 0);
          const defined = () => (group.recursive ? inner : scope);
          return [binding.name, { binding, callable, scope: defined, instances, local: true }] as const;
        }),
      ),
    };
    const wrap: Wrap = (body) => {
      const made = instances.drain((instance) => this.instance(instance)).map(({ fn }) => fn);
      const functions = made.filter(({ params }) => params.length > 0);
      const constants = made.filter(({ params }) => params.length === 0);
      return constants.reduceRight(
        (rest, { name, result, body: bound }) => b.letIn(name, result, bound, rest),
        functions.length === 0 ? body : b.letRec(functions, body),
      );
    };
    return { scope: inner, wrap };
  }

  #lambda(patterns: readonly Pattern[], body: Expr, scope: Scope): Term {
    const params = patterns.map((pattern) => variableFor(pattern, scope, this.session));
    const { scope: inner, wrap } = openParts(patterns, params, scope, this.session);
    const whole = wrap(this.term(body, inner));
    return params.reduceRight((rest, param) => b.lam(param.binder(), param.type, rest), whole);
  }

  #case(expr: Expr & { readonly kind: "case" }, scope: Scope): Term {
    const { scrutinee, branches } = expr;
    const { session } = this;
    const site = {
      scope,
      session,
      span: expr.span,
      result: this.#type(expr.type, scope, expr.span),
      elaborate: (branch: (typeof branches)[number], inner: Scope) => this.term(branch.body, inner),
    };
    if (scrutinee.kind === "tuple") {
      const rows = branches.map(({ pattern }) => columns(pattern, scrutinee));
      if (rows.every((row) => row !== null)) return this.#caseOfTuple(scrutinee.items, rows, branches, site);
    }
    const bound = this.term(scrutinee, scope);
    const type = this.#type(scrutinee.type, scope, scrutinee.span);
    const patterns = branches.map(({ pattern }) => pattern);
    const root = rootFor(bound, type, patterns, scope);
    const match = matchTerm([root], patterns.map((pattern) => [pattern]), branches, site); // prettier-ignore
    const wildcard: Pattern = { kind: "wildcard", type, span: scrutinee.span };
    return bound.kind === "var" ? match : bindRoot(root, wildcard, bound, match);
  }

  /** `case (s, t) of { (p, q) -> .. }`: no tuple is made. */
  #caseOfTuple(
    items: readonly Expr[],
    rows: readonly (readonly Pattern[])[],
    branches: Parameters<typeof matchTerm>[2],
    site: Parameters<typeof matchTerm>[3],
  ): Term {
    const { scope } = site;
    const wraps: Wrap[] = [];
    const roots = items.map((item, index) => {
      const bound = this.term(item, scope);
      const type = this.#type(item.type, scope, item.span);
      const root = rootFor(bound, type, rows.map((row) => row[index]), scope); // prettier-ignore
      if (bound.kind === "var") return root;
      wraps.push((body) => (root.uses === 0 && b.isValue(bound) ? body : b.letIn(root.binder(), type, bound, body)));
      return root;
    });
    return b.wrapAll(wraps, matchTerm(roots, rows, branches, site));
  }

  // Application

  #application(expr: Expr, scope: Scope): Term {
    const spine = spineOf(expr);
    if (isSaturated(spine, "primitive")) return this.#operatorChain(expr, scope);
    if (isSaturated(spine, "constructor")) return this.#constructorChain(expr, scope);
    return this.#applied(spine, [], scope, expr.span);
  }

  /** `a + b + c + ..`: down the first operands, then up again. */
  #operatorChain(expr: Expr, scope: Scope): Term {
    const links: { readonly spine: Spine; readonly span: Span }[] = [];
    let first = expr;
    for (let spine = spineOf(first); isSaturated(spine, "primitive"); spine = spineOf(first)) {
      links.push({ spine, span: first.span });
      const [operand] = spine.args;
      if (operand === undefined) break;
      first = operand;
    }
    const wraps: Wrap[] = [];
    let operand = this.term(first, scope);
    links.reverse().forEach(({ spine, span }, index) => {
      if (index > 0 && index % chainLength === 0) operand = this.#bind(operand, first.type, scope, first.span, wraps);
      const done = operand;
      const [, ...rest] = spine.args;
      operand = this.#applied({ head: spine.head, args: [] }, [() => done, ...rest.map((arg) => () => this.term(arg, scope))], scope, span); // prettier-ignore
      first = { ...first, type: b.uncurry(spine.head.type, spine.args.length).result };
    });
    return b.wrapAll(wraps, operand);
  }

  /** `a :: b :: c :: ..`: along the last fields, then back again. A long one is made in parts, from its end, when all fields are there. */
  #constructorChain(expr: Expr, scope: Scope): Term {
    const links: { readonly name: string; readonly type: Type; readonly fields: readonly Expr[] }[] = [];
    let last: Expr | undefined = expr;
    let end = expr;
    for (let spine = spineOf(end); last !== undefined && isSaturated(spine, "constructor"); spine = spineOf(end)) {
      if (spine.head.kind !== "constructor") break;
      links.push({
        name: spine.head.name,
        type: this.#type(end.type, scope, end.span),
        fields: spine.args.slice(0, -1),
      });
      last = spine.args.at(-1);
      end = last ?? end;
    }
    const wraps: Wrap[] = [];
    const isLong = links.length > chainLength;
    const heads = links.map(({ fields }) =>
      fields.map((field) => {
        const term = this.term(field, scope);
        return isLong && !b.isValue(term) ? this.#bind(term, field.type, scope, field.span, wraps) : term;
      }),
    );
    const tail = last === undefined ? [] : [this.term(last, scope)];
    const chain = links.reduceRight<readonly Term[]>((rest, { name, type }, index) => {
      const whole = b.con(name, type, [...(heads[index] ?? []), ...rest]);
      return [
        isLong && index > 0 && index % chainLength === 0 ? this.#bind(whole, type, scope, expr.span, wraps) : whole,
      ];
    }, tail);
    return b.wrapAll(wraps, found(chain[0], "a constructor"));
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
  #applied({ head, args }: Spine, more: readonly Argument[], scope: Scope, span: Span): Term {
    const all: readonly Argument[] = [...args.map((arg) => () => this.term(arg, scope)), ...more];
    switch (head.kind) {
      case "reference":
        return this.#reference(head, all, scope);
      case "constructor": {
        const type = b.uncurry(this.#type(head.type, scope, head.span), head.arity).result;
        return this.#saturated(head, head.arity, all, scope, (fields) => b.con(head.name, type, fields));
      }
      case "projection":
        return this.#saturated(head, 1, all, scope, ([tuple]) => b.proj(head.index, found(tuple, "a tuple")));
      case "primitive": {
        const op = this.#overload(head.name, this.#type(head.operand, scope, head.span));
        const { params, typescript } = primitive(op);
        const site =
          typescript.kind === "runtime" && typescript.site ? this.session.site(scope.definition, span) : null;
        return this.#saturated(head, params.length, all, scope, (operands) => b.op(op, operands, site));
      }
      case "lambda":
        return this.#beta(head, all, scope);
      default:
        return all.reduce((fn, arg) => b.app(fn, arg()), this.term(head, scope));
    }
  }

  #reference(head: Expr & { readonly kind: "reference" }, args: readonly Argument[], scope: Scope): Term {
    const known = found(scope.functions.get(head.name), head.name);
    const typeArgs = known.binding.typeParams.map((param, index) => {
      // Within its own group a function has one instance, and may be referred to without arguments.
      const given: Type = head.typeArgs[index] ?? { kind: "typeVar", name: param.name };
      return this.#type(given, scope, head.span);
    });
    const { name } = known.instances.request(known, typeArgs, head.span);
    const count = arity(known.callable);
    const make = (terms: readonly Term[]) => (known.local && count === 0 ? b.variable(name) : b.call(name, terms));
    return this.#saturated(head, count, args, scope, make, known.callable.params);
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
    const body = rest.length > 0 ? this.#lambda(rest, head.body, inner) : this.term(head.body, inner);
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

/** A variable for what is matched, called as a pattern calls it. */
function rootFor(bound: Term, type: Type, patterns: readonly (Pattern | undefined)[], { names }: Scope): Variable {
  if (bound.kind === "var") return Variable.alias(bound, type, names);
  const named = patterns.find((pattern) => pattern?.kind === "variable");
  return named?.kind === "variable" ? Variable.named(type, named.name, names) : Variable.unnamed(type, names);
}

/** The patterns for the items of a tuple that is matched where it is made; null where the pattern needs the tuple as a whole. */
function columns(pattern: Pattern, tuple: Expr & { readonly kind: "tuple" }): readonly Pattern[] | null {
  switch (pattern.kind) {
    case "tuple":
      return pattern.items;
    case "wildcard":
      return tuple.items.map(({ type, span }) => ({ kind: "wildcard", type, span }));
    default:
      return null;
  }
}

function isSaturated({ head, args }: Spine, kind: "primitive" | "constructor"): boolean {
  if (head.kind === "constructor") return kind === "constructor" && head.arity > 0 && args.length === head.arity;
  return (
    head.kind === "primitive" && kind === "primitive" && args.length === b.uncurry(head.type, Infinity).params.length
  );
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new InternalError("elaborate", `${what} is missing`);
  return value;
}
