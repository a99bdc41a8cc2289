// Which names a file uses: the scopes of variables, as src/types/scope.ts has them.

import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { LocalKind, Suspicion } from "./mistakes.js";

interface Binder {
  readonly name: string;
  readonly span: Span;
  readonly what: LocalKind;
  isUsed: boolean;
  /** Where it is called first. */
  call: Span | null;
}

/** What a definition mentions that it does not bind. */
export interface Uses {
  /** Variables, with the first place of each. */
  readonly variables: ReadonlyMap<string, Span>;
  readonly constructors: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  /** Variables that it binds and does not use. */
  readonly unused: readonly Suspicion[];
  /** Those that it binds and calls, with the first call of each. */
  readonly called: readonly { readonly name: string; readonly span: Span; readonly use: Span }[];
}

export function usesOf(item: Tree.Item): Uses {
  const walk = new Walk();
  switch (item.kind) {
    case "def":
      walk.binding(item.binding);
      break;
    case "extern":
      for (const param of item.params) if (param.kind === "ascribed") walk.type(param.type);
      walk.type(item.result);
      break;
    case "rule":
      walk.binding({ ...item, result: null });
      break;
    case "data":
      for (const { fields } of item.constructors) for (const field of fields) walk.type(field);
      break;
    case "alias":
      walk.type(item.type);
      break;
    case "import":
      break;
  }
  return walk;
}

class Walk implements Uses {
  readonly variables = new Map<string, Span>();
  readonly constructors = new Set<string>();
  readonly types = new Set<string>();
  readonly fields = new Set<string>();
  readonly #binders: Binder[] = [];
  readonly #bound = new Map<string, Binder[]>();

  get unused(): readonly Suspicion[] {
    return this.#binders
      .filter(({ isUsed, name }) => !isUsed && !name.startsWith("_"))
      .map(({ name, what, span }) => ({ kind: "unusedVariable", what, name, span }));
  }

  get called(): Uses["called"] {
    return this.#binders.flatMap(({ name, span, call }) => (call === null ? [] : [{ name, span, use: call }]));
  }

  /** A function with its parameters. */
  binding({ params, result, body }: Tree.FunctionBinding): void {
    const inside: string[] = [];
    for (const param of params) this.#pattern(param, "parameter", inside);
    if (result !== null) this.type(result);
    this.#expr(body);
    this.#leave(inside);
  }

  /** Follows the longest parts in a loop: programs may be long chains of them. */
  #expr(start: Tree.Expr): void {
    const inside: string[] = [];
    let expr: Tree.Expr | null = start;
    while (expr !== null) expr = this.#step(expr, inside);
    this.#leave(inside);
  }

  /** Looks at an expression but for the part that it gives. */
  #step(expr: Tree.Expr, inside: string[]): Tree.Expr | null {
    switch (expr.kind) {
      case "variable":
        this.#use(expr.name, false);
        return null;
      case "constructor":
        this.constructors.add(expr.name.name);
        return null;
      case "real":
      case "number":
      case "boolean":
      case "operator":
        return null;
      case "tuple":
      case "array":
      case "parallel":
        for (const item of expr.items) this.#expr(item);
        return null;
      case "lambda":
        for (const param of expr.params) this.#pattern(param, "parameter", inside);
        return expr.body;
      case "apply":
        this.#expr(expr.arg);
        if (expr.fn.kind !== "variable") return expr.fn;
        this.#use(expr.fn.name, true);
        return null;
      case "let":
        this.#expr(expr.bound);
        this.#pattern(expr.pattern, "variable", inside);
        return expr.body;
      case "letFunction": {
        const bind = (): void => {
          for (const { name } of expr.bindings) this.#bind(name, "function", inside);
        };
        if (expr.recursive) bind();
        for (const binding of expr.bindings) this.binding(binding);
        if (!expr.recursive) bind();
        return expr.body;
      }
      case "if":
        this.#expr(expr.cond);
        this.#expr(expr.then);
        return expr.else;
      case "case":
        this.#expr(expr.scrutinee);
        for (const { pattern, body } of expr.branches) {
          const ofBranch: string[] = [];
          this.#pattern(pattern, "variable", ofBranch);
          this.#expr(body);
          this.#leave(ofBranch);
        }
        return null;
      case "ascribed":
        this.type(expr.type);
        return expr.expr;
      case "binary":
        if (expr.operator === "::") this.constructors.add("Cons");
        this.#expr(expr.operator === "::" ? expr.left : expr.right);
        return expr.operator === "::" ? expr.right : expr.left;
      case "index":
        this.#expr(expr.index);
        return expr.array;
      case "field":
        this.fields.add(expr.name.name);
        return expr.record;
      case "record":
        this.constructors.add(expr.name.name);
        for (const { value } of expr.fields) this.#expr(value);
        return null;
      case "update":
        for (const { name, value } of expr.fields) {
          this.fields.add(name.name);
          this.#expr(value);
        }
        return expr.record;
      case "negate":
        return expr.expr;
    }
  }

  #pattern(pattern: Tree.Pattern, what: LocalKind, inside: string[]): void {
    switch (pattern.kind) {
      case "variable":
        this.#bind(pattern.name, what, inside);
        return;
      case "tuple":
        for (const item of pattern.items) this.#pattern(item, what, inside);
        return;
      case "constructor":
        this.constructors.add(pattern.name.name);
        for (const arg of pattern.args) this.#pattern(arg, what, inside);
        return;
      case "record":
        this.constructors.add(pattern.name.name);
        for (const { name, pattern: inner } of pattern.fields) {
          const isShort = inner.kind === "variable" && inner.name === name;
          this.#pattern(inner, isShort ? "field" : what, inside);
        }
        return;
      case "ascribed":
        this.type(pattern.type);
        this.#pattern(pattern.pattern, what, inside);
        return;
      case "wildcard":
      case "integer":
      case "boolean":
        return;
    }
  }

  type(type: Tree.TypeExpr): void {
    switch (type.kind) {
      case "named":
        this.types.add(type.name.name);
        for (const arg of type.args) this.type(arg);
        return;
      case "variable":
        return;
      case "tuple":
        for (const item of type.items) this.type(item);
        return;
      case "function":
        this.type(type.from);
        this.type(type.to);
        return;
      case "sum":
        this.type(type.left);
        this.type(type.right);
        return;
      case "array":
        this.type(type.element);
        return;
    }
  }

  #bind({ name, span }: Tree.Ident, what: LocalKind, inside: string[]): void {
    const binder = { name, span, what, isUsed: false, call: null };
    this.#binders.push(binder);
    const bound = this.#bound.get(name);
    if (bound === undefined) this.#bound.set(name, [binder]);
    else bound.push(binder);
    inside.push(name);
  }

  #leave(inside: readonly string[]): void {
    for (const name of inside) this.#bound.get(name)?.pop();
  }

  #use({ name, span }: Tree.Ident, isCalled: boolean): void {
    const binder = this.#bound.get(name)?.at(-1);
    if (binder !== undefined) {
      binder.isUsed = true;
      if (isCalled) binder.call ??= span;
    } else if (!this.variables.has(name)) this.variables.set(name, span);
  }
}
