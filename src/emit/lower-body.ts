// Terms as the body of one TypeScript function: expressions, and the statements that they need before them.
//
// Terms are pure or monadic; in TypeScript both are evaluated where they stand, first to last. `return v` is `v`, and `do x <- s; t` is a
// `const` like `let x = s in t`.

import { InternalError, unreachable } from "../internal-error.js";
import type { Branch, Term } from "../target/term.js";
import type { Type } from "../target/type.js";
import { ExpressionSize } from "./expression-size.js";
import { callKnown, depthArgument, resolve } from "./frame.js";
import type { Binding, DeepDepth, DefinitionContext, Destination, Frame, FunctionLowering } from "./frame.js";
import { monoidsOf } from "./lower-monoids.js";
import { lowerOp, lowerPartial, not } from "./lower-operators.js";
import { fieldName, isNumber } from "./lower-types.js";
import { capitalised, uncapitalised } from "./naming.js";
import * as ts from "./tree.js";
import { typeKey } from "./typing.js";
import type { TsCase, TsExpr, TsStmt, TsTarget, TsType } from "./typescript.js";

/** What a loop's variable gets for the next round. */
interface Assignment {
  readonly name: string;
  readonly value: TsExpr;
  readonly term: Term;
}

export class BodyLowering {
  readonly #context: DefinitionContext;
  readonly #frame: Frame;
  readonly #functions: FunctionLowering;
  readonly #sizes: ExpressionSize;
  /** How many `switch` statements are around what is written. */
  #switches = 0;

  constructor(context: DefinitionContext, frame: Frame, functions: FunctionLowering) {
    this.#context = context;
    this.#frame = frame;
    this.#functions = functions;
    this.#sizes = new ExpressionSize(context.occurrences);
  }

  /** The statements that evaluate a term and send its value where it goes. */
  block(term: Term, destination: Destination): readonly TsStmt[] {
    const out: TsStmt[] = [];
    this.into(term, destination, out);
    return out;
  }

  /** As `block`, after the statements that are in `out` already. */
  into(start: Term, destination: Destination, out: TsStmt[]): void {
    let term = start;
    for (;;) {
      const { depth } = this.#frame;
      if (depth.kind === "deep" && term.kind === "let" && depth.calls.in(term.bound)) {
        this.#suspend(term, depth, out);
        return;
      }
      const body = this.#binding(term, out);
      if (body === null) break;
      term = body;
    }
    switch (term.kind) {
      case "return":
        this.into(term.value, destination, out);
        return;
      case "if":
        this.#if(term, destination, out);
        return;
      case "case":
        this.#case(term, destination, out);
        return;
      case "call":
        if (destination.kind === "return" && term.fn === this.#frame.self?.fn) {
          this.#nextRound(term.args, this.#frame.self.params, out);
          return;
        }
        break;
      default:
    }
    this.#deliver(term, this.expression(term, out, "value"), destination, out);
  }

  // Calls that the trampoline makes, in a function's deep version

  /** Whether a term makes calls that must not be made here. */
  #mayBeDeep(term: Term): boolean {
    const { depth } = this.#frame;
    return depth.kind === "deep" && depth.calls.in(term);
  }

  /** The value of a term in tail position. */
  #result(term: Term, value: TsExpr): TsExpr {
    const { depth } = this.#frame;
    const { refer } = this.#context.module;
    if (depth.kind !== "deep") return value;
    if (depth.calls.isCall(term) && !depth.isResumption) return ts.callOf(refer("deep.jump"), ts.thunk(value));
    const isOwn = typeKey(this.#context.typing.of(term)) === typeKey(depth.result);
    return isOwn ? value : ts.callOf(refer("deep.deliver"), value);
  }

  /** `let x = s in t` where `s` may be deep: what `t` does is left to be done when the value is there. */
  #suspend(binding: Binding, depth: DeepDepth, out: TsStmt[]): void {
    const { refer } = this.#context.module;
    const { name, saved } = this.#functions.resumption(binding, this.#context, depth, this.#frame.level);
    for (const variable of saved) {
      const save = isNumber(this.#lowerType(this.#context.typing.variable(variable)))
        ? "deep.saveNumber"
        : "deep.saveValue";
      out.push(ts.effect(ts.callOf(refer(save), this.#variable(variable))));
    }
    out.push(ts.effect(ts.callOf(refer("deep.resumeWith"), ts.id(name))));
    this.into(binding.bound, { kind: "return" }, out);
  }

  // Bindings

  /** Writes what a binding binds and gives its body; null for any other term. */
  #binding(term: Term, out: TsStmt[]): Term | null {
    switch (term.kind) {
      case "let":
      case "bind":
        this.#let(term.name, term.bound, out);
        return term.body;
      case "letTuple":
        this.#letTuple(term.names, term.bound, out);
        return term.body;
      case "letRec":
        out.push(...this.#functions.locals(term.functions, this.#context, this.#frame));
        return term.body;
      case "app": {
        if (term.fn.kind !== "lam" && term.fn.kind !== "linLam") return null;
        this.#let(term.fn.param, term.arg, out);
        return term.fn.body;
      }
      default:
        return null;
    }
  }

  #let(variable: string, bound: Term, out: TsStmt[]): void {
    const { uses, examined } = this.#context.occurrences.of(variable);
    if (uses === 0) {
      const value = this.expression(bound, out, variable);
      if (!ts.isPure(value)) out.push(ts.effect(value));
      return;
    }
    const name = this.#fresh(variable);
    this.into(bound, { kind: "declare", name, term: bound, examined }, out);
    this.#context.variables.set(variable, ts.id(name));
    this.#context.facts.nameTest(variable, bound);
  }

  #letTuple(variables: readonly string[], bound: Term, out: TsStmt[]): void {
    if (bound.kind === "tuple" || bound.kind === "parallel") {
      variables.forEach((variable, index) => {
        const item = bound.items[index];
        if (item !== undefined) this.#let(variable, item, out);
      });
      return;
    }
    const lowered = this.expression(bound, out, "pair");
    const value = ts.needsType(lowered) ? this.#named(lowered, "pair", bound, out) : lowered;
    const target: TsTarget = variables.map((variable) => {
      if (this.#context.occurrences.of(variable).uses === 0) return null;
      const name = this.#fresh(variable);
      this.#context.variables.set(variable, ts.id(name));
      return name;
    });
    if (target.some((name) => name !== null)) out.push({ kind: "const", target, type: null, init: value });
    else if (!ts.isPure(value)) out.push(ts.effect(value));
  }

  // Statements

  #deliver(term: Term, value: TsExpr, destination: Destination, out: TsStmt[]): void {
    switch (destination.kind) {
      case "return":
        out.push(ts.returned(this.#result(term, value)));
        return;
      case "declare": {
        const init = this.#unnarrowed(value, destination);
        const isTyped = init === value && (ts.needsType(value) || this.#lacksDepth(value, term));
        const type = isTyped || (destination.examined && this.#mayBeLiteral(value, term)) ? this.#typeOf(term) : null;
        out.push(ts.constant(destination.name, type, init));
        return;
      }
      case "assign":
        out.push(ts.assigned(destination.name, this.#unnarrowed(value, destination)));
        return;
    }
  }

  /** A variable that is taken apart or compared must have its whole type, not only what its value shows. */
  #unnarrowed(value: TsExpr, { examined, term }: Exclude<Destination, { readonly kind: "return" }>): TsExpr {
    const { kind } = this.#context.typing.of(term);
    if (!examined || (kind !== "data" && kind !== "bool") || !ts.mayBeNarrow(value)) return value;
    return { kind: "as", expr: value, type: this.#typeOf(term) };
  }

  /** Whether TypeScript may give a number a literal type. */
  #mayBeLiteral(value: TsExpr, term: Term): boolean {
    const { kind } = this.#context.typing.of(term);
    return (kind === "real" || kind === "int") && (value.kind === "id" || ts.hasLiteralType(value));
  }

  /** Whether a function is written without the depth that functions of its type are given. */
  #lacksDepth(value: TsExpr, term: Term): boolean {
    const type = this.#context.typing.of(term);
    if ((type.kind !== "fn" && type.kind !== "linear") || (value.kind !== "arrow" && value.kind !== "cond"))
      return false;
    return this.#context.module.convention.typeTakesDepth(type);
  }

  /** For statements that fork: the variable that each branch assigns, declared here. */
  #forked(destination: Destination, out: TsStmt[]): Destination {
    if (destination.kind !== "declare") return destination;
    out.push({ kind: "let", name: destination.name, type: this.#typeOf(destination.term), init: null });
    return { ...destination, kind: "assign" };
  }

  #if(term: Term & { readonly kind: "if" }, destination: Destination, out: TsStmt[]): void {
    if (this.#isExpression(term, destination)) {
      this.#deliver(term, this.expression(term, out, "value"), destination, out);
      return;
    }
    const test = this.expression(term.cond, out, "test");
    if (test.kind === "boolean") {
      this.into(test.value ? term.then : term.else, destination, out);
      return;
    }
    const forked = this.#forked(destination, out);
    const then: TsStmt[] = [];
    this.#context.facts.withNumbers(this.#context.facts.shownBy(term.cond), () => {
      this.into(term.then, forked, then);
    });
    if (forked.kind === "return") {
      out.push({ kind: "if", test, then, else: [] });
      this.into(term.else, forked, out);
    } else {
      out.push({ kind: "if", test, then, else: this.block(term.else, forked) });
    }
  }

  /** Whether an `if` or `case` is a conditional expression: not where a branch does more than give a value. */
  #isExpression(term: Term, destination: Destination): boolean {
    if (!this.#sizes.isConditional(term) || this.#mayBeDeep(term)) return false;
    return destination.kind !== "return" || !this.#isTailCall(term);
  }

  /** Whether a term in tail position may start the loop's next round. */
  #isTailCall(term: Term): boolean {
    switch (term.kind) {
      case "call":
        return term.fn === this.#frame.self?.fn;
      case "if":
        return this.#isTailCall(term.then) || this.#isTailCall(term.else);
      case "case":
        return term.branches.some(({ body }) => this.#isTailCall(body));
      case "return":
        return this.#isTailCall(term.value);
      default:
        return false;
    }
  }

  #case(term: Term & { readonly kind: "case" }, destination: Destination, out: TsStmt[]): void {
    if (this.#isExpression(term, destination)) {
      this.#deliver(term, this.expression(term, out, "value"), destination, out);
      return;
    }
    const { scrutinee, variable, known } = this.#scrutinee(term, out);
    const [only, ...others] = known === null ? term.branches : term.branches.filter(({ con }) => con === known);
    if (only !== undefined && others.length === 0) {
      this.#fields(only, scrutinee, out);
      this.into(only.body, destination, out);
      return;
    }
    const forked = this.#forked(destination, out);
    // TypeScript does not always see that a nested `switch` is exhaustive
    const last = this.#switches === 0 ? undefined : term.branches.at(-1);
    this.#switches += 1;
    const cases = term.branches.map((branch): TsCase => {
      const body: TsStmt[] = [];
      this.#context.facts.withConstructor(variable, branch.con, this.#frame.level, () => {
        this.#fields(branch, scrutinee, body);
        this.into(branch.body, forked, body);
      });
      if (forked.kind !== "return") body.push({ kind: "break", label: null });
      return { test: branch === last ? null : ts.string(branch.con), body };
    });
    this.#switches -= 1;
    out.push({ kind: "switch", subject: ts.member(scrutinee, "tag"), cases });
  }

  /** An identifier for what a `case` takes apart, as TypeScript narrows; its constructor where that is known. */
  #scrutinee(
    term: Term & { readonly kind: "case" },
    out: TsStmt[],
  ): { readonly scrutinee: TsExpr; readonly variable: string | null; readonly known: string | null } {
    if (term.scrutinee.kind === "var") {
      const variable = term.scrutinee.name;
      const value = this.#variable(variable);
      const fact = this.#context.facts.constructorOf(variable);
      if (value.kind === "id" && (fact === null || fact.level === this.#frame.level)) {
        return { scrutinee: value, variable, known: fact?.con ?? null };
      }
      // Tested outside of this function: whether TypeScript remembers that depends on its version
      const name = this.#fresh(variable);
      const init: TsExpr = { kind: "as", expr: value, type: this.#typeOf(term.scrutinee) };
      out.push(ts.constant(name, null, fact === null ? value : init));
      return { scrutinee: ts.id(name), variable: null, known: null };
    }
    const name = this.#fresh(term.data === "+" ? "sum" : uncapitalised(term.data));
    this.into(term.scrutinee, { kind: "declare", name, term: term.scrutinee, examined: true }, out);
    return { scrutinee: ts.id(name), variable: null, known: null };
  }

  /** Reads the fields that a branch uses. */
  #fields(branch: Branch, scrutinee: TsExpr, out: TsStmt[]): void {
    branch.vars.forEach((variable, index) => {
      if (this.#context.occurrences.of(variable).uses === 0) return;
      const name = this.#fresh(variable);
      const type = this.#frame.self === null ? null : this.#lowerType(this.#context.typing.variable(variable));
      out.push(ts.constant(name, type, ts.member(scrutinee, fieldName(index))));
      this.#context.variables.set(variable, ts.id(name));
    });
  }

  /** Assigns a loop's variables, all at once, and starts the next round. */
  #nextRound(args: readonly Term[], params: readonly string[], out: TsStmt[]): void {
    const values = this.#expressions(args, params, out);
    const save = (next: Assignment): Assignment => ({
      ...next,
      value: this.#named(next.value, `next${capitalised(next.name)}`, next.term, out),
    });
    let pending = args.flatMap((term, index): readonly Assignment[] => {
      const [name, value] = [params[index], values[index]];
      const isSame = value === undefined || (value.kind === "id" && value.name === name);
      return name === undefined || isSame ? [] : [{ name, value, term }];
    });
    if (pending.filter(({ value }) => !ts.isPure(value)).length > 1) {
      pending = pending.map((next) => (ts.isPure(next.value) ? next : save(next)));
    }
    while (pending.length > 0) {
      const free = pending.find((next) =>
        pending.every((other) => other === next || !ts.reads(other.value, next.name)),
      );
      if (free === undefined) {
        pending = pending.map((next, index) => (index === 0 ? save(next) : next));
      } else {
        out.push(ts.assigned(free.name, free.value));
        pending = pending.filter((other) => other !== free);
      }
    }
    out.push({ kind: "continue", label: null });
  }

  // Expressions

  /** A term as an expression; what must be evaluated before it goes to `out`. `hint` names a temporary variable. */
  expression(start: Term, out: TsStmt[], hint: string): TsExpr {
    let term = start;
    for (;;) {
      const body = this.#binding(term, out);
      if (body === null) break;
      term = body;
    }
    const { refer } = this.#context.module;
    switch (term.kind) {
      case "var":
        return this.#variable(term.name);
      case "real":
      case "int":
        return ts.number(term.value);
      case "bool":
        return { kind: "boolean", value: term.value };
      case "tuple":
      case "parallel":
        return term.items.length === 0
          ? { kind: "null" }
          : { kind: "array", items: this.#expressions(term.items, [hint], out) };
      case "proj":
        return this.#component(term, hint, out);
      case "lam":
      case "linLam":
        return this.#functions.lambda(term, this.#context, this.#frame);
      case "app":
        return this.#app(term, out);
      case "call": {
        const known = resolve(term.fn, this.#context);
        const hints = known.fn.params.map(({ name }) => name);
        return callKnown(known, this.#expressions(term.args, hints, out), this.#frame.depth, this.#context.module);
      }
      case "op": {
        const fact = this.#context.facts.decided(term);
        if (fact !== null) return { kind: "boolean", value: fact };
        const args = this.#expressions(term.args, ["x", "y"], out);
        return this.#counted("countPrimitive", lowerOp(term.op, args, term.site, refer));
      }
      case "con": {
        const fields = this.#expressions(term.args, ["field"], out);
        const properties = fields.map((value, index) => ({ name: fieldName(index), value }));
        return { kind: "object", fields: [{ name: "tag", value: ts.string(term.name) }, ...properties] };
      }
      case "if":
        return this.#conditional(term, hint, out);
      case "case":
        return this.#caseExpression(term, hint, out);
      case "partial": {
        const operands = this.#expressions([...term.args, term.result, term.cotangent], ["x"], out);
        const [result = ts.number(0), cotangent = ts.number(0)] = operands.slice(term.args.length);
        return this.#counted("countPrimitive", lowerPartial(term.op, term.index, operands, result, cotangent, refer));
      }
      case "zero":
        return monoidsOf(this.#context.module.stage, refer).zero(term.type);
      case "plus": {
        const [left = ts.number(0), right = ts.number(0)] = this.#expressions(
          [term.left, term.right],
          ["left", "right"],
          out,
        );
        return this.#counted(
          "countMonoidOperation",
          monoidsOf(this.#context.module.stage, refer).plus(term.type, left, right),
        );
      }
      case "return":
        return this.expression(term.value, out, hint);
      case "ext": {
        const operation = this.#context.module.stage.operations.get(term.name);
        if (operation === undefined) throw new InternalError("emit", `the stage has no operation ${term.name}`);
        const args = this.#expressions(term.args, [hint], out);
        // Where the runtime is generic, a literal alone would not say which tuple or data type it is
        const typed = args.map((arg, index) =>
          ts.needsType(arg) ? this.#named(arg, hint, term.args[index] ?? term, out) : arg,
        );
        return ts.callOf(refer(operation.runtime), ...typed);
      }
      case "impossible":
        return ts.callOf(refer("impossible.impossible"));
      case "let":
      case "bind":
      case "letTuple":
      case "letRec":
        throw new InternalError("emit", "a binding after its end");
      default:
        return unreachable(term);
    }
  }

  /** Several terms, evaluated first to last: where one needs statements, those before it that these could affect get names. */
  #expressions(terms: readonly Term[], hints: readonly string[], out: TsStmt[]): readonly TsExpr[] {
    const parts = terms.map((term, index) => {
      const before: TsStmt[] = [];
      const hint = hints[index] ?? hints[hints.length - 1] ?? "value";
      return { term, hint, value: this.expression(term, before, hint), before };
    });
    const last = parts.reduce((found, { before }, index) => (before.length > 0 ? index : found), 0);
    return parts.map(({ term, hint, value, before }, index) => {
      out.push(...before);
      return index < last && !ts.isPure(value) ? this.#named(value, hint, term, out) : value;
    });
  }

  /** A component of a tuple; of a literal, that alone. */
  #component(term: Term & { readonly kind: "proj" }, hint: string, out: TsStmt[]): TsExpr {
    const tuple = this.expression(term.tuple, out, hint);
    if (tuple.kind === "array") {
      const item = tuple.items[term.index];
      if (item !== undefined && tuple.items.every((other) => other === item || ts.isPure(other))) return item;
    }
    const object = ts.needsType(tuple) ? this.#named(tuple, "pair", term.tuple, out) : tuple;
    return { kind: "index", object, index: ts.number(term.index) };
  }

  #named(value: TsExpr, hint: string, term: Term, out: TsStmt[]): TsExpr {
    const name = this.#fresh(hint);
    const isTyped = ts.needsType(value) || this.#lacksDepth(value, term);
    out.push(ts.constant(name, isTyped ? this.#typeOf(term) : null, value));
    return ts.id(name);
  }

  /** The value of a term that needs statements. */
  #temporary(term: Term, hint: string, out: TsStmt[]): TsExpr {
    const name = this.#fresh(hint);
    this.into(term, { kind: "declare", name, term, examined: false }, out);
    return ts.id(name);
  }

  #app(term: Term & { readonly kind: "app" }, out: TsStmt[]): TsExpr {
    const [head = ts.number(0), arg = ts.number(0)] = this.#expressions([term.fn, term.arg], ["fn", "arg"], out);
    const fn = this.#lacksDepth(head, term.fn) ? this.#named(head, "fn", term.fn, out) : head;
    const { module, typing } = this.#context;
    const type = typing.of(term.fn);
    if (type.kind !== "fn" && type.kind !== "linear")
      throw new InternalError("emit", "what is applied is not a function");
    const { depth } = this.#frame;
    const isDeep = depth.kind === "deep" && module.convention.typeCycleOf(type) === depth.cycle;
    const deepest = isDeep ? ts.number(Infinity) : depthArgument(depth, module.refer);
    const call = ts.callOf(fn, arg, ...(module.convention.typeTakesDepth(type) ? [deepest] : []));
    return type.kind === "linear" ? this.#counted("countBackpropagator", call) : call;
  }

  #conditional(term: Term & { readonly kind: "if" }, hint: string, out: TsStmt[]): TsExpr {
    const { facts } = this.#context;
    if (!this.#sizes.isConditional(term)) return this.#temporary(term, hint, out);
    const test = this.expression(term.cond, out, "test");
    if (test.kind === "boolean") return this.expression(test.value ? term.then : term.else, out, hint);
    const inside: TsStmt[] = [];
    const then = facts.withNumbers(facts.shownBy(term.cond), () => this.expression(term.then, inside, hint));
    const otherwise = this.expression(term.else, inside, hint);
    return inside.length === 0 ? simplifiedConditional(test, then, otherwise) : this.#inStatements(term, hint, out);
  }

  #caseExpression(term: Term & { readonly kind: "case" }, hint: string, out: TsStmt[]): TsExpr {
    const { facts, variables } = this.#context;
    const variable = term.scrutinee.kind === "var" ? term.scrutinee.name : null;
    if (variable === null || !this.#sizes.isConditional(term) || facts.constructorOf(variable) !== null) {
      return this.#inStatements(term, hint, out);
    }
    const scrutinee = this.#variable(variable);
    if (scrutinee.kind !== "id") return this.#inStatements(term, hint, out);
    const inside: TsStmt[] = [];
    const [then = ts.number(0), otherwise = ts.number(0)] = term.branches.map((branch) => {
      branch.vars.forEach((name, index) => {
        variables.set(name, ts.member(scrutinee, fieldName(index)));
      });
      return facts.withConstructor(variable, branch.con, this.#frame.level, () =>
        this.expression(branch.body, inside, hint),
      );
    });
    const test = ts.binary("===", ts.member(scrutinee, "tag"), ts.string(term.branches[0]?.con ?? ""));
    return inside.length === 0 ? ts.cond(test, then, otherwise) : this.#inStatements(term, hint, out);
  }

  /** For a conditional expression that turns out to need statements in a branch. */
  #inStatements(term: Term, hint: string, out: TsStmt[]): TsExpr {
    this.#sizes.forbid(term);
    return this.#temporary(term, hint, out);
  }

  #variable(name: string): TsExpr {
    const value = this.#context.variables.get(name);
    if (value === undefined) throw new InternalError("emit", `the variable ${name} is not in scope`);
    return value;
  }

  #counted(counter: string, value: TsExpr): TsExpr {
    const { counted, refer } = this.#context.module;
    return counted ? ts.callOf(refer(`cost.${counter}`), value) : value;
  }

  #fresh(hint: string): string {
    return this.#frame.scope.fresh(hint);
  }

  #typeOf(term: Term): TsType {
    return this.#lowerType(this.#context.typing.of(term));
  }

  #lowerType(type: Type): TsType {
    return this.#context.module.types.lower(type);
  }
}

/** `a && b`, `a || b` and `!a` are conditionals in the calculus. */
function simplifiedConditional(test: TsExpr, then: TsExpr, otherwise: TsExpr): TsExpr {
  if (then.kind === "boolean" && otherwise.kind === "boolean") {
    return then.value === otherwise.value ? ts.cond(test, then, otherwise) : then.value ? test : not(test);
  }
  if (otherwise.kind === "boolean" && !otherwise.value) return ts.binary("&&", test, then);
  if (then.kind === "boolean" && then.value) return ts.binary("||", test, otherwise);
  return ts.cond(test, then, otherwise);
}
