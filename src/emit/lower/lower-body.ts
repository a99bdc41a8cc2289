// Terms as the body of one TypeScript function: the statements that evaluate them.
//
// Terms are pure or monadic; in TypeScript both are evaluated where they stand, first to last. `return v` is `v`, and `do x <- s; t` is a
// `const` like `let x = s in t`.

import { location, type Location } from "../../location.js";
import type { Branch, Term } from "../../target-calculus/term.js";
import type { Binding, DeepDepth, Destination } from "./frame.js";
import { openRecord, readFields } from "./lower-data.js";
import { ExpressionLowering } from "./lower-expressions.js";
import { build, carryOn } from "./lower-loops.js";
import { countsSpan, isTask, lowerParallelBuild } from "./lower-tasks.js";
import { not } from "../../typescript/build.js";
import { assignAtOnce, type Assignment } from "./lower-iterations.js";
import { isNumber } from "./lower-types.js";
import { uncapitalised } from "../../typescript/naming.js";
import * as ts from "../../typescript/build.js";
import { hasLiteralType, isPure, mayBeNarrow, needsType } from "../../typescript/facts.js";
import { locateCode, nameDeclared } from "../../typescript/locate.js";
import type { TsCase, TsExpr, TsStmt, TsTarget } from "../../typescript/tree.js";
import { typeKey } from "./typing.js";

export class BodyLowering extends ExpressionLowering {
  /** How many `switch` statements are around what is written. */
  #switches = 0;

  /** The statements that evaluate a term and send its value where it goes. */
  override block(term: Term, destination: Destination): readonly TsStmt[] {
    const out: TsStmt[] = [];
    this.into(term, destination, out);
    return out;
  }

  /** As `block`, after the statements that are in `out` already. */
  override into(start: Term, destination: Destination, out: TsStmt[]): void {
    let term = start;
    for (;;) {
      const { depth } = this.frame;
      if (depth.kind === "deep" && term.kind === "let" && depth.calls.in(term.bound)) {
        this.#suspend(term, depth, out);
        return;
      }
      const body = this.binding(term, out);
      if (body === null) break;
      term = body;
    }
    const before = out.length;
    this.#unlocated(term, destination, out);
    locateCode(out, before, term[location]);
  }

  /** Writes a term that binds nothing. */
  #unlocated(term: Term, destination: Destination, out: TsStmt[]): void {
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
      case "build": {
        const forked = lowerParallelBuild(term, this, this.functions, out);
        if (forked !== null) {
          this.#deliver(term, forked, destination, out);
          return;
        }
        build(term, destination, this, out, (array) => {
          this.#deliver(term, array, destination, out);
        });
        return;
      }
      case "call":
        if (destination.kind === "return" && term.fn === this.frame.self?.fn) {
          this.#nextIteration(term.args, this.frame.self.params, out);
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
    const { name, saved } = this.functions.resumption(binding, this.context, depth, this.frame.level);
    for (const variable of saved) {
      const save = isNumber(this.lowerType(this.context.typing.variable(variable)))
        ? "deep.saveNumber"
        : "deep.saveValue";
      out.push(ts.effect(ts.callOf(refer(save), this.variable(variable))));
    }
    out.push(ts.effect(ts.callOf(refer("deep.resumeWith"), ts.id(name))));
    this.into(binding.bound, { kind: "return" }, out);
  }

  // Bindings

  /** Writes what a binding binds and gives its body; null for any other term. */
  protected override binding(term: Term, out: TsStmt[]): Term | null {
    switch (term.kind) {
      case "let":
      case "bind":
        this.#let(term.name, term.bound, out, term[location]);
        return term.body;
      case "letTuple":
        this.#letTuple(term.names, term.bound, out);
        return term.body;
      case "letRec":
        out.push(...this.functions.locals(term.functions, this.context, this.frame));
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

  #let(variable: string, bound: Term, out: TsStmt[], at?: Location): void {
    const { uses, examined } = this.context.occurrences.of(variable);
    if (uses === 0) {
      const value = this.expression(bound, out, variable);
      if (!isPure(value)) out.push(ts.effect(value));
      return;
    }
    if (bound.kind === "lam" && isTask(bound.body, this)) {
      this.context.variables.set(variable, this.expression(bound, out, variable));
      return;
    }
    const name = this.fresh(variable);
    const before = out.length;
    this.into(bound, { kind: "declare", name, term: bound, examined }, out);
    nameDeclared(out, before, name, at);
    this.context.variables.set(variable, ts.id(name));
    this.context.facts.nameTest(variable, bound);
  }

  #letTuple(variables: readonly string[], bound: Term, out: TsStmt[]): void {
    const isInOrder = bound.kind === "parallel" && !isTask(bound, this) && !countsSpan(this);
    if (bound.kind === "tuple" || isInOrder) {
      variables.forEach((variable, index) => {
        const item = bound.items[index];
        if (item !== undefined) this.#let(variable, item, out);
      });
      return;
    }
    const lowered = this.expression(bound, out, "pair");
    const value = needsType(lowered) ? this.named(lowered, "pair", bound, out) : lowered;
    const target: TsTarget = variables.map((variable) => {
      if (this.context.occurrences.of(variable).uses === 0) return null;
      const name = this.fresh(variable);
      this.context.variables.set(variable, ts.id(name));
      return name;
    });
    if (target.some((name) => name !== null)) out.push({ kind: "const", target, type: null, init: value });
    else if (!isPure(value)) out.push(ts.effect(value));
  }

  // Statements

  #deliver(term: Term, value: TsExpr, destination: Destination, out: TsStmt[]): void {
    switch (destination.kind) {
      case "return":
        out.push(ts.returned(this.#result(term, value)));
        return;
      case "declare": {
        const init = this.#unnarrowed(value, destination);
        const isTyped = init === value && (needsType(value) || this.lacksDepth(value, term));
        const type = isTyped || (destination.examined && this.#mayBeLiteral(value, term)) ? this.typeOf(term) : null;
        out.push(ts.constant(destination.name, type, init));
        return;
      }
      case "assign":
        out.push(ts.assigned(destination.name, this.#unnarrowed(value, destination)));
        return;
      case "store": {
        const target: TsExpr = {
          kind: "index",
          object: ts.id(destination.array),
          index: ts.id(destination.index),
          certain: false,
        };
        out.push(ts.effect({ kind: "assign", op: "=", target, value }));
        return;
      }
      case "carry":
        carryOn(term, value, destination, this, out);
        return;
      case "discard":
        if (!isPure(value)) out.push(ts.effect(value));
        return;
    }
  }

  /** A variable that is taken apart or compared must have its whole type, not only what its value shows. */
  #unnarrowed(value: TsExpr, { examined, term }: Extract<Destination, { readonly examined: boolean }>): TsExpr {
    const { kind } = this.context.typing.of(term);
    if (!examined || (kind !== "data" && kind !== "bool") || !mayBeNarrow(value)) return value;
    return { kind: "as", expr: value, type: this.typeOf(term) };
  }

  /** Whether TypeScript may give a number a literal type. */
  #mayBeLiteral(value: TsExpr, term: Term): boolean {
    const { kind } = this.context.typing.of(term);
    return (kind === "real" || kind === "int") && (value.kind === "id" || hasLiteralType(value));
  }

  /** For statements that fork: the variable that each branch assigns, declared here. */
  #forked(destination: Destination, out: TsStmt[]): Destination {
    if (destination.kind !== "declare") return destination;
    out.push({ kind: "let", name: destination.name, type: this.typeOf(destination.term), init: null });
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
    else if (!isPure(test)) out.push(ts.effect(test));
  }

  /** Whether an `if` or `case` is a conditional expression: not where a branch does more than give a value. */
  #isExpression(term: Term, destination: Destination): boolean {
    if (destination.kind === "carry" || !this.sizes.isConditional(term) || this.#mayBeDeep(term)) return false;
    return destination.kind !== "return" || !this.#isTailCall(term);
  }

  /** Whether a term in tail position may start the loop's next iteration. */
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
    const branches = withImpossibleLast(term.branches);
    // TypeScript does not always see that a nested `switch` is exhaustive
    const last = this.#switches === 0 && branches === term.branches ? undefined : branches.at(-1);
    this.#switches += 1;
    const cases = branches.map((branch): TsCase => {
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
      const value = this.variable(variable);
      const fact = this.context.facts.constructorOf(variable);
      if (value.kind === "id" && (fact === null || fact.level === this.frame.level)) {
        return { scrutinee: value, variable, known: fact?.con ?? null };
      }
      // Tested outside of this function: whether TypeScript remembers that depends on its version
      const name = this.fresh(variable);
      const init: TsExpr = { kind: "as", expr: value, type: this.typeOf(term.scrutinee) };
      out.push(ts.constant(name, null, fact === null ? value : init));
      return { scrutinee: ts.id(name), variable: null, known: null };
    }
    const name = this.fresh(term.data === "+" ? "sum" : uncapitalised(term.data));
    this.into(term.scrutinee, { kind: "declare", name, term: term.scrutinee, examined: true }, out);
    return { scrutinee: ts.id(name), variable: null, known: null };
  }

  /** Assigns a loop's variables, all at once, and starts the next iteration. */
  #nextIteration(args: readonly Term[], params: readonly string[], out: TsStmt[]): void {
    const values = this.expressions(args, params, out);
    const next = args.flatMap((term, index): readonly Assignment[] => {
      const [name, value] = [params[index], values[index]];
      return name === undefined || value === undefined ? [] : [{ name, value, term }];
    });
    assignAtOnce(next, this, out);
    out.push({ kind: "continue", label: null });
  }
}

/** The branches of a `case`, of those that well-formed input never takes only one, behind the others: for pairs of constructors these are nearly all. */
function withImpossibleLast(branches: readonly Branch[]): readonly Branch[] {
  const impossible = branches.filter(({ body }) => body.kind === "impossible");
  const [one] = impossible;
  if (one === undefined || impossible.length === 1) return branches;
  return [...branches.filter(({ body }) => body.kind !== "impossible"), one];
}
