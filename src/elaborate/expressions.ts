// Expressions of the typed tree as core terms, chains of `let` followed in a loop. Applications stand in `applications.ts`, patterns in
// `match.ts`.

import type { Span } from "../syntax/source.js";
import type { Expr, Pattern } from "../types/typed.js";
import { Applications, found } from "./applications.js";
import * as b from "../core/build.js";
import { locateValue } from "../core/locate.js";
import { callableOf, Instances } from "./instances.js";
import type { Instance, KnownFunction, Scope } from "./instances.js";
import { bindRoot, matchTerm, openLet, openParts, variableFor, type Opened, type Wrap } from "./match.js";
import { spineOf, tooDeep } from "./nesting.js";
import { readField, updateFields } from "./records.js";
import { Variable } from "./scope.js";
import { ScopeNames } from "./scope-names.js";
import { locate } from "../location.js";
import type { Session } from "./session.js";
import type { Fn, Term } from "../core/term.js";
import type { Type } from "../core/type.js";

export class Elaborator {
  readonly #applications: Applications;

  constructor(private readonly session: Session) {
    this.#applications = new Applications(session, {
      term: (expr, scope) => this.term(expr, scope),
      lambda: (params, body, scope) => this.#lambda(params, body, scope),
    });
  }

  /** The core function of an instance. */
  instance({ name, known, types }: Instance): Fn {
    const { binding, callable } = known;
    const defined = known.scope();
    const origin = known.local ? defined.origin : this.session.originOf(binding);
    const scope: Scope = {
      ...defined,
      definition: known.local ? defined.definition : binding.name,
      origin,
      names: known.local ? defined.names : ScopeNames.within(this.session.names, origin.kind === "file"),
      types: new Map([...defined.types, ...types]),
    };
    const params = callable.params.map((pattern) => variableFor(pattern, scope, this.session));
    const bodyType = this.#type(callable.body.type, scope, callable.body.span);
    const { params: extraTypes, result } = b.uncurry(bodyType, callable.extra);
    const extra = extraTypes.map((type) => Variable.typed(type, scope.names));
    const deep = known.local ? null : tooDeep(binding, this.session.limits.nesting);
    if (deep !== null) {
      this.session.exceed("nestedTooDeeply", binding.name, this.session.limits.nesting, deep);
      return b.fn(name, [], result, this.session.cutOff);
    }
    const { scope: inner, wrap } = openParts(callable.params, params, scope, this.session);
    const written = callable.body;
    if (binding.extern !== null) this.session.unlocated.add(binding.nameSpan).add(written.span);
    const more = extra.map((variable) => () => variable.use());
    const body = wrap(
      extra.length === 0
        ? this.term(written, inner)
        : this.#applications.applied(spineOf(written), more, inner, written.span),
    );
    const coreParams = [...params, ...extra].map((variable) => b.param(variable.binder(), variable.type));
    if (!known.local) this.session.given.set(name, scope.names.given);
    return locate(b.fn(name, coreParams, result, body), this.session.locationOf(scope, binding.nameSpan, binding.sourceName)); // prettier-ignore
  }

  /** The core term of an expression. */
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
    return b.wrapAll(wraps, locateValue(this.#simple(expr, scope), this.session.locationOf(scope, expr.span)));
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
      case "array": {
        const type = this.#type(expr.type, scope, expr.span);
        return b.array(type.kind === "array" ? type.element : b.unit, expr.items.map(within));
      }
      case "field":
        return readField(expr, within(expr.record), scope, this.session);
      case "update":
        return updateFields(expr, within(expr.record), within, scope, this.session);
      case "reference":
      case "builtIn":
      case "constructor":
      case "projection":
      case "primitive":
      case "apply":
        return this.#applications.of(expr, scope);
    }
  }

  // Binding

  #letFunction(
    group: { readonly recursive: boolean; readonly bindings: readonly KnownFunction["binding"][] },
    scope: Scope,
  ): Opened {
    const instances = new Instances(this.session, (name) => scope.names.learn(this.session.names.fresh(name), name));
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
