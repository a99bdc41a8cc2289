// Terms as the body of one TypeScript function: expressions, and the statements that they need before them.
//
// Terms are pure or monadic; in TypeScript both are evaluated where they stand, first to last. `return v` is `v`, and `do x <- s; t` is a
// `const` like `let x = s in t`.

import { InternalError, unreachable } from "../internal-error.js";
import type { Term } from "../target/term.js";
import type { Type } from "../target/type.js";
import { ExpressionSize } from "./expression-size.js";
import { callKnown, depthArgument, resolve } from "./frame.js";
import type {
  Binding,
  BodyWriter,
  DeepDepth,
  DefinitionContext,
  Destination,
  Frame,
  FunctionLowering,
} from "./frame.js";
import { withLoops } from "./deep-loops.js";
import { arrayLiteral, lowerIndex } from "./lower-arrays.js";
import { fieldOf, objectOf, openRecord, readFields } from "./lower-data.js";
import { build, sum } from "./lower-loops.js";
import { assignAtOnce, type Assignment } from "./lower-rounds.js";
import { monoidsOf } from "./lower-monoids.js";
import { lowerOp, lowerPartial, not, simplifiedConditional } from "./lower-operators.js";
import { isNumber } from "./lower-types.js";
import { uncapitalised } from "./naming.js";
import * as ts from "./tree.js";
import { plainType, typeKey } from "./typing.js";
import type { TsCase, TsExpr, TsStmt, TsTarget, TsType } from "./typescript.js";

export class BodyLowering implements BodyWriter {
  readonly context: DefinitionContext;
  readonly frame: Frame;
  readonly #functions: FunctionLowering;
  readonly #sizes: ExpressionSize;
  /** How many `switch` statements are around what is written. */
  #switches = 0;

  constructor(context: DefinitionContext, frame: Frame, functions: FunctionLowering) {
    this.context = context;
    this.frame = frame;
    this.#functions = functions;
    this.#sizes = new ExpressionSize(context.occurrences, (data) => context.module.layouts.isRecord(data));
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
      const { depth } = this.frame;
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
      case "build":
        build(term, destination, this, out, (array) => {
          this.#deliver(term, array, destination, out);
        });
        return;
      case "call":
        if (destination.kind === "return" && term.fn === this.frame.self?.fn) {
          this.#nextRound(term.args, this.frame.self.params, out);
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
    const { depth } = this.frame;
    return depth.kind === "deep" && depth.calls.in(term);
  }

  /** The value of a term in tail position. */
  #result(term: Term, value: TsExpr): TsExpr {
    const { depth } = this.frame;
    const { refer } = this.context.module;
    if (depth.kind !== "deep") return value;
    if (depth.calls.isCall(term) && !depth.isResumption) return ts.callOf(refer("deep.jump"), ts.thunk(value));
    const isOwn = typeKey(this.context.typing.of(term)) === typeKey(depth.result);
    return isOwn ? value : ts.callOf(refer("deep.deliver"), value);
  }

  /** `let x = s in t` where `s` may be deep: what `t` does is left to be done when the value is there. */
  #suspend(binding: Binding, depth: DeepDepth, out: TsStmt[]): void {
    const { refer } = this.context.module;
    const { name, saved } = this.#functions.resumption(binding, this.context, depth, this.frame.level);
    for (const variable of saved) {
      const save = isNumber(this.#lowerType(this.context.typing.variable(variable)))
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
        out.push(...this.#functions.locals(term.functions, this.context, this.frame));
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
    const { uses, examined } = this.context.occurrences.of(variable);
    if (uses === 0) {
      const value = this.expression(bound, out, variable);
      if (!ts.isPure(value)) out.push(ts.effect(value));
      return;
    }
    const name = this.#fresh(variable);
    this.into(bound, { kind: "declare", name, term: bound, examined }, out);
    this.context.variables.set(variable, ts.id(name));
    this.context.facts.nameTest(variable, bound);
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
    const value = ts.needsType(lowered) ? this.named(lowered, "pair", bound, out) : lowered;
    const target: TsTarget = variables.map((variable) => {
      if (this.context.occurrences.of(variable).uses === 0) return null;
      const name = this.#fresh(variable);
      this.context.variables.set(variable, ts.id(name));
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
        const widen = destination.examined && (ts.needsType(value) || isBooleanLiteral(value));
        const type = ts.needsType(value) || (destination.examined && ts.hasLiteralType(value));
        const init = widen ? this.#widened(value, destination.term) : value;
        out.push(ts.constant(destination.name, type && !widen ? this.#typeOf(destination.term) : null, init));
        return;
      }
      case "assign": {
        const widen = destination.examined && (ts.needsType(value) || isBooleanLiteral(value));
        out.push(ts.assigned(destination.name, widen ? this.#widened(value, destination.term) : value));
        return;
      }
      case "store": {
        const target: TsExpr = { kind: "index", object: ts.id(destination.array), index: ts.id(destination.index) };
        out.push(ts.effect({ kind: "assign", op: "=", target, value }));
        return;
      }
      case "discard":
        if (!ts.isPure(value)) out.push(ts.effect(value));
        return;
    }
  }

  #widened(value: TsExpr, term: Term): TsExpr {
    return { kind: "as", expr: value, type: this.#typeOf(term) };
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
    this.context.facts.withNumbers(this.context.facts.shownBy(term.cond), () => {
      this.into(term.then, forked, then);
    });
    if (forked.kind === "return") {
      out.push({ kind: "if", test, then, else: [] });
      this.into(term.else, forked, out);
      return;
    }
    const otherwise = this.block(term.else, forked);
    if (then.length > 0) out.push({ kind: "if", test, then, else: otherwise });
    else if (otherwise.length > 0) out.push({ kind: "if", test: not(test), then: otherwise, else: [] });
    else if (!ts.isPure(test)) out.push(ts.effect(test));
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
        return term.fn === this.frame.self?.fn;
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
    const record = openRecord(term, this, out);
    if (record !== null) {
      this.into(record, destination, out);
      return;
    }
    const { scrutinee, variable, known } = this.#scrutinee(term, out);
    const [only, ...others] = known === null ? term.branches : term.branches.filter(({ con }) => con === known);
    if (only !== undefined && others.length === 0) {
      readFields(term.data, only, scrutinee, this, out);
      this.into(only.body, destination, out);
      return;
    }
    const forked = this.#forked(destination, out);
    // TypeScript does not always see that a nested `switch` is exhaustive
    const last = this.#switches === 0 ? undefined : term.branches.at(-1);
    this.#switches += 1;
    const cases = term.branches.map((branch): TsCase => {
      const body: TsStmt[] = [];
      this.context.facts.withConstructor(variable, branch.con, this.frame.level, () => {
        readFields(term.data, branch, scrutinee, this, body);
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
      const fact = this.context.facts.constructorOf(variable);
      if (value.kind === "id" && (fact === null || fact.level === this.frame.level)) {
        return { scrutinee: value, variable, known: fact?.con ?? null };
      }
      // Tested outside of this function: whether TypeScript remembers that depends on its version
      const name = this.#fresh(variable);
      out.push(ts.constant(name, null, fact === null ? value : this.#widened(value, term.scrutinee)));
      return { scrutinee: ts.id(name), variable: null, known: null };
    }
    const name = this.#fresh(term.data === "+" ? "sum" : uncapitalised(term.data));
    this.into(term.scrutinee, { kind: "declare", name, term: term.scrutinee, examined: true }, out);
    return { scrutinee: ts.id(name), variable: null, known: null };
  }

  /** Assigns a loop's variables, all at once, and starts the next round. */
  #nextRound(args: readonly Term[], params: readonly string[], out: TsStmt[]): void {
    const values = this.#expressions(args, params, out);
    const next = args.flatMap((term, index): readonly Assignment[] => {
      const [name, value] = [params[index], values[index]];
      return name === undefined || value === undefined ? [] : [{ name, value, term }];
    });
    assignAtOnce(next, this, out);
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
    const { refer } = this.context.module;
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
        return this.#functions.lambda(term, this.context, this.frame);
      case "app":
        return this.#app(term, out);
      case "call": {
        const known = resolve(term.fn, this.context);
        const hints = known.fn.params.map(({ name }) => name);
        return callKnown(known, this.#expressions(term.args, hints, out), this.frame.depth, this.context.module);
      }
      case "op": {
        const fact = this.context.facts.decided(term);
        if (fact !== null) return { kind: "boolean", value: fact };
        const args = this.#expressions(term.args, ["x", "y"], out);
        return this.#counted("countPrimitive", lowerOp(term.op, args, term.site, refer));
      }
      case "con": {
        const fields = this.#expressions(term.args, ["field"], out);
        return objectOf(this.context.typing.of(term), term.name, fields, this.context.module.layouts);
      }
      case "array":
        return arrayLiteral(plainType(term.element), this.#expressions(term.items, ["item"], out));
      case "build":
        return this.#temporary(term, hint, out);
      case "sum":
        return sum(term, hint, this, this.#functions, out);
      case "index": {
        const [array = ts.number(0), index = ts.number(0)] = this.#expressions([term.array, term.index], ["array", "i"], out); // prettier-ignore
        const object = ts.needsType(array) ? this.named(array, "array", term.array, out) : array;
        const element = this.context.typing.of(term);
        return lowerIndex(object, index, element, this.#lowerType(element), term.site, refer);
      }
      case "length":
        return ts.member(this.expression(term.array, out, "array"), "length");
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
        return monoidsOf(this.context.module.stage, refer).zero(term.type);
      case "plus": {
        const [left = ts.number(0), right = ts.number(0)] = this.#expressions(
          [term.left, term.right],
          ["left", "right"],
          out,
        );
        return this.#counted(
          "countMonoidOperation",
          monoidsOf(this.context.module.stage, refer).plus(term.type, left, right),
        );
      }
      case "return":
        return this.expression(term.value, out, hint);
      case "ext": {
        const operation = withLoops(this.context.module.stage.operations).get(term.name);
        if (operation === undefined) throw new InternalError("emit", `the stage has no operation ${term.name}`);
        const args = this.#expressions(term.args, [hint], out);
        // Where the runtime is generic, a literal alone would not say which tuple or data type it is
        const typed = args.map((arg, index) =>
          ts.needsType(arg) ? this.named(arg, hint, term.args[index] ?? term, out) : arg,
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
      return index < last && !ts.isPure(value) ? this.named(value, hint, term, out) : value;
    });
  }

  /** A component of a tuple; of a literal, that alone. */
  #component(term: Term & { readonly kind: "proj" }, hint: string, out: TsStmt[]): TsExpr {
    const tuple = this.expression(term.tuple, out, hint);
    if (tuple.kind === "array") {
      const item = tuple.items[term.index];
      if (item !== undefined && tuple.items.every((other) => other === item || ts.isPure(other))) return item;
    }
    const object = ts.needsType(tuple) ? this.named(tuple, "pair", term.tuple, out) : tuple;
    return { kind: "index", object, index: ts.number(term.index) };
  }

  /** A value by a name: `value` is that of `term`. */
  named(value: TsExpr, hint: string, term: Term, out: TsStmt[]): TsExpr {
    const name = this.#fresh(hint);
    out.push(ts.constant(name, ts.needsType(value) ? this.#typeOf(term) : null, value));
    return ts.id(name);
  }

  /** The value of a term that needs statements. */
  #temporary(term: Term, hint: string, out: TsStmt[]): TsExpr {
    const name = this.#fresh(hint);
    this.into(term, { kind: "declare", name, term, examined: false }, out);
    return ts.id(name);
  }

  #app(term: Term & { readonly kind: "app" }, out: TsStmt[]): TsExpr {
    const [fn = ts.number(0), arg = ts.number(0)] = this.#expressions([term.fn, term.arg], ["fn", "arg"], out);
    const { module, typing } = this.context;
    const type = typing.of(term.fn);
    if (type.kind !== "fn" && type.kind !== "linear")
      throw new InternalError("emit", "what is applied is not a function");
    const { depth } = this.frame;
    const isDeep = depth.kind === "deep" && module.convention.typeCycleOf(type) === depth.cycle;
    const deepest = isDeep ? ts.number(Infinity) : depthArgument(depth, module.refer);
    const call = ts.callOf(fn, arg, ...(module.convention.typeTakesDepth(type) ? [deepest] : []));
    return type.kind === "linear" ? this.#counted("countBackpropagator", call) : call;
  }

  #conditional(term: Term & { readonly kind: "if" }, hint: string, out: TsStmt[]): TsExpr {
    const { facts } = this.context;
    if (!this.#sizes.isConditional(term)) return this.#temporary(term, hint, out);
    const test = this.expression(term.cond, out, "test");
    if (test.kind === "boolean") return this.expression(test.value ? term.then : term.else, out, hint);
    const inside: TsStmt[] = [];
    const then = facts.withNumbers(facts.shownBy(term.cond), () => this.expression(term.then, inside, hint));
    const otherwise = this.expression(term.else, inside, hint);
    return inside.length === 0 ? simplifiedConditional(test, then, otherwise) : this.#inStatements(term, hint, out);
  }

  #caseExpression(term: Term & { readonly kind: "case" }, hint: string, out: TsStmt[]): TsExpr {
    const record = openRecord(term, this, out);
    if (record !== null) return this.expression(record, out, hint);
    const { facts, variables } = this.context;
    const variable = term.scrutinee.kind === "var" ? term.scrutinee.name : null;
    if (variable === null || !this.#sizes.isConditional(term) || facts.constructorOf(variable) !== null) {
      return this.#inStatements(term, hint, out);
    }
    const scrutinee = this.#variable(variable);
    if (scrutinee.kind !== "id") return this.#inStatements(term, hint, out);
    const inside: TsStmt[] = [];
    const [then = ts.number(0), otherwise = ts.number(0)] = term.branches.map((branch) => {
      branch.vars.forEach((name, index) => {
        variables.set(name, fieldOf(scrutinee, this.context.module.layouts.of(term.data, branch.con), index));
      });
      return facts.withConstructor(variable, branch.con, this.frame.level, () =>
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
    const value = this.context.variables.get(name);
    if (value === undefined) throw new InternalError("emit", `the variable ${name} is not in scope`);
    return value;
  }

  #counted(counter: string, value: TsExpr): TsExpr {
    const { counted, refer } = this.context.module;
    return counted ? ts.callOf(refer(`cost.${counter}`), value) : value;
  }

  #fresh(hint: string): string {
    return this.frame.scope.fresh(hint);
  }

  #typeOf(term: Term): TsType {
    return this.#lowerType(this.context.typing.of(term));
  }

  #lowerType(type: Type): TsType {
    return this.context.module.types.lower(type);
  }
}

function isBooleanLiteral(expr: TsExpr): boolean {
  return expr.kind === "boolean" || (expr.kind === "unary" && isBooleanLiteral(expr.arg));
}
