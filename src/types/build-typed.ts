// The typed tree, built from the surface tree and what inference found out about its nodes. Like inference it walks chains in loops.

import type { OverloadedName } from "../core/primitives.js";
import { unit } from "../core/type.js";
import type { Span } from "../syntax/source.js";
import { externMistakes } from "./externs.js";
import type * as Tree from "../syntax/tree.js";
import { buildField, buildIndex, buildRecord, buildRecordPattern, buildUpdate } from "./build-records.js";
import type { Context } from "./context.js";
import type { Match } from "./exhaustiveness.js";
import type { GroupMember } from "./infer-groups.js";
import { operationAt, operationType } from "./operations.js";
import { type FunctionSymbol, localFunctions } from "./scope.js";
import { letterName } from "./snapshot.js";
import { type ConstructorInfo, type Ty, type Variable, boolTy, fnTys, holeTy, prune, rigidName } from "./ty.js";
import type * as Typed from "./typed.js";
import type { Zonker } from "./zonk.js";

type Of<K extends Tree.Expr["kind"]> = Extract<Tree.Expr, { kind: K }>;
type Frame = (inner: Typed.Expr) => Typed.Expr;

export class TypedBuilder {
  /** Every place where patterns must match whatever comes. */
  readonly matches: Match[] = [];
  /** The names of the variables of patterns that are used somewhere. */
  readonly variablesUsed = new Set<string>();
  readonly #inScope = new Set<string>();
  /** What is built belongs to the user's own files. */
  #own = true;

  constructor(
    readonly cx: Context,
    readonly zonker: Zonker,
  ) {}

  group(members: readonly GroupMember[], recursive: boolean): Typed.Group {
    return { recursive, bindings: members.map((member) => this.#function(member)) };
  }

  #function({ binding, symbol, origin }: GroupMember): Typed.Binding {
    const names = this.#nameVariables(symbol.variables, binding.name);
    const result = this.zonker.quantified(names, (): Typed.Binding => {
      const params = binding.params.map((param) => this.#parameter(param));
      const outer = this.#own;
      this.#own = origin.own;
      const body = this.expr(binding.body);
      this.#own = outer;
      return {
        name: symbol.unique,
        sourceName: symbol.name,
        typeParams: names.map(([{ constraint }, name]) => ({ name, numeric: constraint === "numeric" })),
        params,
        result: body.type,
        body,
        doc: origin.doc,
        span: binding.span,
        nameSpan: binding.name.span,
        own: origin.own,
        extern: origin.extern,
        isFused: origin.isFused,
      };
    });
    for (const [, name] of names) this.#inScope.delete(name);
    return result;
  }

  /** Names as `definition` annotates them, else letters; different from those of the bindings around. */
  #nameVariables(variables: readonly Variable[], definition: Tree.Ident): readonly (readonly [Variable, string])[] {
    const nameOf = ({ rigid }: Variable): string | null => rigid && rigidName(rigid, [definition]);
    const annotated = new Set(variables.map(nameOf));
    let next = 0;
    return variables.map((variable): readonly [Variable, string] => {
      let name = nameOf(variable) ?? letterName(next);
      while (this.#inScope.has(name) || (variable.rigid === null && annotated.has(name))) {
        next += 1;
        name = letterName(next);
      }
      this.#inScope.add(name);
      return [variable, name];
    });
  }

  type(type: Ty, span: Span): Typed.Type {
    const result = this.zonker.zonk(type);
    if (result === null) this.cx.tooLarge(span);
    return result ?? unit;
  }

  typeOf(node: Tree.Expr | Tree.Pattern): Typed.Type {
    return this.type(this.cx.types.get(node) ?? holeTy, node.span);
  }

  // Patterns

  #parameter(pattern: Tree.Pattern): Typed.Pattern {
    const typed = this.pattern(pattern);
    this.#match("parameter", pattern.span, [pattern], [typed]);
    return typed;
  }

  #match(
    where: Match["where"],
    span: Span,
    written: readonly Tree.Pattern[],
    patterns: readonly Typed.Pattern[],
  ): void {
    this.matches.push({ where, span, patterns, infix: written.some(hasInfix) });
  }

  pattern(pattern: Tree.Pattern): Typed.Pattern {
    if (pattern.kind === "ascribed") return this.pattern(pattern.pattern);
    const { span } = pattern;
    const type = this.typeOf(pattern);
    switch (pattern.kind) {
      case "variable":
        return { kind: "variable", name: pattern.name.name, type, span };
      case "wildcard":
        return { kind: "wildcard", type, span };
      case "tuple":
        return { kind: "tuple", items: pattern.items.map((item) => this.pattern(item)), type, span };
      case "constructor": {
        const data = this.cx.constructors.get(pattern)?.data.unique ?? "";
        const args = pattern.args.map((arg) => this.pattern(arg));
        return { kind: "constructor", data, name: pattern.name.name, args, type, span };
      }
      case "record":
        return buildRecordPattern(this, pattern);
      case "integer":
        return { kind: "integer", value: Number(pattern.text), type, span };
      case "boolean":
        return { kind: "boolean", value: pattern.value, type, span };
    }
  }

  // Expressions

  expr(start: Tree.Expr): Typed.Expr {
    const frames: Frame[] = [];
    let expr: Tree.Expr = start;
    for (;;) {
      const step = this.#step(expr);
      if (step === null) break;
      frames.push(step.frame);
      expr = step.rest;
    }
    let result = this.#node(expr);
    for (let i = frames.length - 1; i >= 0; i -= 1) result = frames[i]?.(result) ?? result;
    return result;
  }

  /** The last part of an expression, and what the rest of it makes of that; null for an expression that ends a chain. */
  #step(expr: Tree.Expr): { readonly rest: Tree.Expr; readonly frame: Frame } | null {
    const { span } = expr;
    switch (expr.kind) {
      case "ascribed":
        return { rest: expr.expr, frame: (inner) => inner };
      case "let":
      case "letFunction": {
        const type = this.typeOf(expr);
        const group = this.#localGroup(expr);
        if (group !== null) {
          return { rest: expr.body, frame: (body) => ({ kind: "letFunction", group, body, type, span }) };
        }
        if (expr.kind === "letFunction") return null;
        const bound = this.expr(expr.bound);
        const pattern = this.pattern(expr.pattern);
        this.#match("let", pattern.span, [expr.pattern], [pattern]);
        return { rest: expr.body, frame: (body) => ({ kind: "let", pattern, bound, body, type, span }) };
      }
      case "if": {
        const type = this.typeOf(expr);
        const cond = this.expr(expr.cond);
        const then = this.expr(expr.then);
        return { rest: expr.else, frame: (last) => ({ kind: "if", cond, then, else: last, type, span }) };
      }
      case "case":
        return this.#caseStep(expr);
      case "binary": {
        const info = this.cx.constructors.get(expr);
        if (expr.operator !== "::" || info === undefined) return null;
        const { constructor, tail } = this.constructorFunction(
          info,
          this.cx.types.get(expr) ?? holeTy,
          expr.operatorSpan,
        );
        const type = this.typeOf(expr);
        const arg = this.expr(expr.left);
        const fn: Typed.Expr = { kind: "apply", fn: constructor, arg, type: tail, span: expr.left.span };
        return { rest: expr.right, frame: (last) => ({ kind: "apply", fn, arg: last, type, span }) };
      }
      case "variable":
      case "constructor":
      case "real":
      case "number":
      case "boolean":
      case "tuple":
      case "operator":
      case "lambda":
      case "apply":
      case "array":
      case "index":
      case "field":
      case "record":
      case "update":
      case "parallel":
      case "negate":
        return null;
    }
  }

  #caseStep(expr: Of<"case">): { readonly rest: Tree.Expr; readonly frame: Frame } | null {
    const last = expr.branches.at(-1);
    if (last === undefined) return null;
    const type = this.typeOf(expr);
    const scrutinee = this.expr(expr.scrutinee);
    const patterns = expr.branches.map((branch) => this.pattern(branch.pattern));
    const head = { ...expr.span, end: expr.scrutinee.span.end };
    this.#match(
      "case",
      head,
      expr.branches.map((branch) => branch.pattern),
      patterns,
    );
    const before = expr.branches.slice(0, -1).map((branch) => this.expr(branch.body));
    const frame: Frame = (body) => {
      const bodies = [...before, body];
      const branches = patterns.map((pattern, i) => ({ pattern, body: bodies[i] ?? body }));
      return { kind: "case", scrutinee, branches, type, span: expr.span };
    };
    return { rest: last.body, frame };
  }

  #node(expr: Tree.Expr): Typed.Expr {
    const type = this.typeOf(expr);
    const { span } = expr;
    switch (expr.kind) {
      case "variable":
        return this.#variable(expr);
      case "constructor": {
        const info = this.cx.constructors.get(expr);
        const arity = info?.fields.length ?? 0;
        return { kind: "constructor", data: info?.data.unique ?? "", name: expr.name.name, arity, type, span };
      }
      case "real":
      case "number":
        return { kind: "number", value: Number(expr.text), type, span };
      case "boolean":
        return { kind: "boolean", value: expr.value, type, span };
      case "tuple":
      case "array":
      case "parallel":
        return { kind: expr.kind, items: expr.items.map((item) => this.expr(item)), type, span };
      case "operator":
        return this.#operatorFunction(expr);
      case "lambda": {
        const params = expr.params.map((param) => this.#parameter(param));
        return { kind: "lambda", params, body: this.expr(expr.body), type, span };
      }
      case "apply":
        return this.#apply(expr);
      case "binary":
        return this.#binary(expr);
      case "index":
        return buildIndex(this, expr);
      case "field":
        return buildField(this, expr);
      case "record":
        return buildRecord(this, expr);
      case "update":
        return buildUpdate(this, expr);
      case "negate": {
        const fn = this.#operation("negate", expr, { ...span, end: span.start + 1 });
        return { kind: "apply", fn, arg: this.expr(expr.expr), type, span };
      }
      // Steps of a chain: they get here only where they are wrong
      case "ascribed":
      case "let":
      case "letFunction":
      case "if":
      case "case":
        return { kind: "tuple", items: [], type: unit, span };
    }
  }

  #variable(expr: Of<"variable">): Typed.Expr {
    const { span } = expr;
    const { name } = expr.name;
    const type = this.typeOf(expr);
    const use = this.cx.scope.uses.get(expr);
    const label = expr.label !== undefined ? { label: expr.label } : {};
    switch (use?.kind) {
      case undefined:
      case "local":
        this.variablesUsed.add(name);
        return { kind: "variable", name, type, span };
      case "function": {
        const args = this.cx.instances.get(expr) ?? use.variables;
        const typeArgs = args.map((arg) => this.type(arg, span));
        return { kind: "reference", name: use.unique, typeArgs, ...label, type, span };
      }
      case "primitive":
        return this.#operation(use.name, expr, span);
      case "projection":
        return { kind: "projection", index: use.index, type, span };
      case "builtIn":
        if (expr.extern === undefined) return { kind: "builtIn", name: use.name, ...label, type, span };
        this.cx.mistakes.push(...externMistakes(expr.extern, type));
        return { kind: "builtIn", name: use.name, extern: expr.extern, type, span };
    }
  }

  /** A built-in function at the operand type that was found for `node`. */
  #operation(name: OverloadedName, node: Tree.Expr, span: Span): Typed.Expr {
    const operand = this.cx.instances.get(node)?.[0] ?? holeTy;
    const type = this.type(operationType(operationAt(name, operand)), span);
    return { kind: "primitive", name, operand: this.type(operand, span), type, span };
  }

  /** A constructor as a function that makes values of `result`; `tail` is its type after one argument. */
  constructorFunction(
    info: ConstructorInfo,
    result: Ty,
    span: Span,
  ): { readonly constructor: Typed.Expr; readonly tail: Typed.Type } {
    const end = prune(result);
    const fields = end.kind === "data" ? this.cx.fieldsAt(info, end.args) : [];
    const type = this.type(fnTys(fields, result), span);
    const { name, data } = info;
    const constructor = { kind: "constructor", data: data.unique, name, arity: fields.length, type, span } as const;
    return { constructor, tail: this.type(fnTys(fields.slice(1), result), span) };
  }

  #operatorFunction(expr: Of<"operator">): Typed.Expr {
    const { operator, span } = expr;
    const type = this.typeOf(expr);
    if (operator === "::") {
      const info = this.cx.constructors.get(expr);
      const arity = info?.fields.length ?? 0;
      return { kind: "constructor", data: info?.data.unique ?? "", name: "Cons", arity, type, span };
    }
    if (operator !== "&&" && operator !== "||") return this.#operation(operator, expr, span);
    const bool = this.type(boolTy, span);
    const [left, right] = ["x", "y"].map((name) => ({ kind: "variable", name, type: bool, span }) as const);
    if (left === undefined || right === undefined) return { kind: "tuple", items: [], type: unit, span };
    const body: Typed.Expr = { kind: "logical", operator, left, right, type: bool, span };
    return { kind: "lambda", params: [left, right], body, type, span };
  }

  #apply(call: Of<"apply">): Typed.Expr {
    const nodes: Of<"apply">[] = [];
    let fn: Tree.Expr = call;
    for (; fn.kind === "apply"; fn = fn.fn) nodes.push(fn);
    let result = this.expr(fn);
    for (let i = nodes.length - 1; i >= 0; i -= 1) {
      const node = nodes[i];
      if (node === undefined) break;
      result = { kind: "apply", fn: result, arg: this.expr(node.arg), type: this.typeOf(node), span: node.span };
    }
    return result;
  }

  /** Every operator but `::`; the left operands in a loop. */
  #binary(expr: Of<"binary">): Typed.Expr {
    const nodes: Of<"binary">[] = [];
    let leftmost: Tree.Expr = expr;
    while (leftmost.kind === "binary" && leftmost.operator !== "::") {
      nodes.push(leftmost);
      leftmost = leftmost.left;
    }
    let left = this.expr(leftmost);
    for (let i = nodes.length - 1; i >= 0; i -= 1) {
      const node = nodes[i];
      if (node === undefined) break;
      left = this.#operatorNode(node, left);
    }
    return left;
  }

  #operatorNode(node: Of<"binary">, left: Typed.Expr): Typed.Expr {
    const { operator, operatorSpan, span } = node;
    const type = this.typeOf(node);
    const right = this.expr(node.right);
    if (operator === "&&" || operator === "||") return { kind: "logical", operator, left, right, type, span };
    // `::` is a step of a chain
    if (operator === "::") return left;
    const fn = this.#operation(operator, node, operatorSpan);
    const partial = fn.type.kind === "fn" ? fn.type.to : type;
    const applied: Typed.Expr = { kind: "apply", fn, arg: left, type: partial, span: left.span };
    return { kind: "apply", fn: applied, arg: right, type, span };
  }

  #localGroup(expr: Of<"let" | "letFunction">): Typed.Group | null {
    const bindings = localFunctions(expr);
    if (bindings === null) return null;
    const members = bindings.flatMap((binding): GroupMember[] => {
      const symbol: FunctionSymbol | undefined = this.cx.scope.functions.get(binding.name);
      return symbol === undefined
        ? []
        : [{ binding, symbol, origin: { doc: "", own: this.#own, extern: null, isFused: false } }];
    });
    return this.group(members, expr.kind === "letFunction" && expr.recursive);
  }
}

/** Whether `::` stands in the pattern. */
function hasInfix(pattern: Tree.Pattern): boolean {
  const todo = [pattern];
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    if (part.kind === "constructor") {
      if (part.infix) return true;
      todo.push(...part.args);
    } else if (part.kind === "tuple") todo.push(...part.items);
    else if (part.kind === "record") todo.push(...part.fields.map((field) => field.pattern));
    else if (part.kind === "ascribed") todo.push(part.pattern);
  }
  return false;
}
