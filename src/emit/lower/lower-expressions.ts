// Terms as expressions.

import { InternalError, unreachable } from "../../internal-error.js";
import { location } from "../../location.js";
import type { Term } from "../../target-calculus/term.js";
import { BodyParts } from "./body-parts.js";
import { callKnown, depthArgument, resolve } from "./frame.js";
import type { BodyWriter, Destination } from "./frame.js";
import { loopOperations } from "./loop-operations.js";
import { arrayLiteral, lowerIndex } from "./lower-arrays.js";
import { fieldOf, objectOf, openRecord } from "./lower-data.js";
import { scan, sum } from "./lower-loops.js";
import { delegated, isTask, lowerParallel, taskOf } from "./lower-tasks.js";
import { monoidsOf } from "./lower-monoids.js";
import { lowerOp, lowerPartial } from "./lower-operators.js";
import { simplifiedConditional } from "../../typescript/build.js";
import * as ts from "../../typescript/build.js";
import { isPure, needsType } from "../../typescript/facts.js";
import { locateCode, locatedExpr } from "../../typescript/locate.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import { plainType } from "./typing.js";

export abstract class ExpressionLowering extends BodyParts implements BodyWriter {
  /** The statements that evaluate a term and send its value where it goes. */
  abstract block(term: Term, destination: Destination): readonly TsStmt[];

  /** As `block`, after the statements that are in `out` already. */
  abstract into(term: Term, destination: Destination, out: TsStmt[]): void;

  /** Writes what a binding binds and gives its body; null for any other term. */
  protected abstract binding(term: Term, out: TsStmt[]): Term | null;

  /** A term as an expression; what must be evaluated before it goes to `out`. `hint` names a temporary variable. */
  expression(start: Term, out: TsStmt[], hint: string): TsExpr {
    let term = start;
    for (;;) {
      const body = this.binding(term, out);
      if (body === null) break;
      term = body;
    }
    const before = out.length;
    const expr = this.#unlocated(term, out, hint);
    locateCode(out, before, term[location]);
    return locatedExpr(expr, term[location]);
  }

  /** A term that binds nothing as an expression. */
  #unlocated(term: Term, out: TsStmt[], hint: string): TsExpr {
    const { refer } = this.context.module;
    switch (term.kind) {
      case "var":
        return this.variable(term.name);
      case "real":
      case "int":
        return ts.number(term.value);
      case "bool":
        return { kind: "boolean", value: term.value };
      case "parallel": {
        const forked = lowerParallel(term, this, this.functions, out);
        if (forked !== null) return forked;
        return { kind: "array", items: this.expressions(term.items, [hint], out) };
      }
      case "tuple":
        return term.items.length === 0
          ? { kind: "null" }
          : { kind: "array", items: this.expressions(term.items, [hint], out) };
      case "proj":
        return this.#component(term, hint, out);
      case "lam":
        if (isTask(term.body, this)) {
          const params = [{ name: term.param, type: term.type }];
          return taskOf({ params, body: term.body, isLambda: true }, hint, this, this.functions, out);
        }
        return this.functions.lambda(term, this.context, this.frame);
      case "linLam":
        return this.functions.lambda(term, this.context, this.frame);
      case "app":
        return this.#app(term, out);
      case "call": {
        const known = resolve(term.fn, this.context);
        const hints = known.fn.params.map(({ name }) => name);
        const args = this.expressions(term.args, hints, out);
        return delegated(term, callKnown(known, args, this.frame.depth, this.context.module), this);
      }
      case "op": {
        const fact = this.context.facts.decided(term);
        if (fact !== null) return { kind: "boolean", value: fact };
        const args = this.expressions(term.args, ["x", "y"], out);
        return this.counted("countPrimitive", lowerOp(term.op, args, term.site, refer));
      }
      case "con": {
        const fields = this.expressions(term.args, ["field"], out);
        return objectOf(this.context.typing.of(term), term.name, fields, this.context.module.layouts);
      }
      case "array":
        return arrayLiteral(plainType(term.element), this.expressions(term.items, ["item"], out));
      case "build":
        return this.temporary(term, hint, out);
      case "scan":
        return scan(term, this, out);
      case "sum":
        return sum(term, hint, this, this.functions, out);
      case "index":
        return this.#item(term, out);
      case "length":
        return ts.member(this.expression(term.array, out, "array"), "length");
      case "if":
        return this.#conditional(term, hint, out);
      case "case":
        return this.#caseExpression(term, hint, out);
      case "partial": {
        const operands = this.expressions([...term.args, term.result, term.cotangent], ["x"], out);
        const [result = ts.number(0), cotangent = ts.number(0)] = operands.slice(term.args.length);
        return this.counted(
          "countPrimitive",
          lowerPartial(term.op, term.index, operands, result, cotangent, refer, true),
        );
      }
      case "zero":
        return monoidsOf(this.context.module.stage, refer).zero(term.type);
      case "plus": {
        const [left = ts.number(0), right = ts.number(0)] = this.expressions(
          [term.left, term.right],
          ["left", "right"],
          out,
        );
        return this.counted(
          "countMonoidOperation",
          monoidsOf(this.context.module.stage, refer).plus(term.type, left, right),
        );
      }
      case "return":
        return this.expression(term.value, out, hint);
      case "ext": {
        const operation = this.context.module.stage.operations.get(term.name) ?? loopOperations.get(term.name);
        if (operation === undefined) throw new InternalError("emit", `the stage has no operation ${term.name}`);
        const run = term.args.length === 1 ? term.args.find((arg) => isTask(arg, this)) : undefined;
        if (run !== undefined) {
          const main = taskOf({ params: [], body: run, isLambda: false }, "main", this, this.functions, out);
          return ts.callOf(refer(operation.runtime), main);
        }
        const args = this.expressions(term.args, [hint], out);
        // Where the runtime is generic, a literal alone would not say which tuple or data type it is
        const typed = args.map((arg, index) =>
          needsType(arg) ? this.named(arg, hint, term.args[index] ?? term, out) : arg,
        );
        return delegated(term, ts.callOf(refer(operation.runtime), ...typed), this);
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
  expressions(terms: readonly Term[], hints: readonly string[], out: TsStmt[]): readonly TsExpr[] {
    const parts = terms.map((term, index) => {
      const before: TsStmt[] = [];
      const hint = hints[index] ?? hints[hints.length - 1] ?? "value";
      return { term, hint, value: this.expression(term, before, hint), before };
    });
    const last = parts.reduce((found, { before }, index) => (before.length > 0 ? index : found), 0);
    return parts.map(({ term, hint, value, before }, index) => {
      out.push(...before);
      return index < last && !isPure(value) ? this.named(value, hint, term, out) : value;
    });
  }

  /** A component of a tuple; of a literal, that alone. */
  #component(term: Term & { readonly kind: "proj" }, hint: string, out: TsStmt[]): TsExpr {
    const tuple = this.expression(term.tuple, out, hint);
    if (tuple.kind === "array") {
      const item = tuple.items[term.index];
      if (item !== undefined && tuple.items.every((other) => other === item || isPure(other))) return item;
    }
    const object = needsType(tuple) ? this.named(tuple, "pair", term.tuple, out) : tuple;
    return { kind: "index", object, index: ts.number(term.index), certain: false };
  }

  /** An item of an array. */
  #item(term: Term & { readonly kind: "index" }, out: TsStmt[]): TsExpr {
    const operands = this.expressions([term.array, term.index], ["array", "i"], out);
    const [array = ts.number(0), index = ts.number(0)] = operands;
    const object = needsType(array) ? this.named(array, "array", term.array, out) : array;
    const element = this.context.typing.of(term);
    return lowerIndex(object, index, element, this.lowerType(element), term.site, this.context.module.refer);
  }

  /** The value of a term that needs statements. */
  protected temporary(term: Term, hint: string, out: TsStmt[]): TsExpr {
    const name = this.fresh(hint);
    this.into(term, { kind: "declare", name, term, examined: false }, out);
    return ts.id(name);
  }

  #app(term: Term & { readonly kind: "app" }, out: TsStmt[]): TsExpr {
    const [head = ts.number(0), arg = ts.number(0)] = this.expressions([term.fn, term.arg], ["fn", "arg"], out);
    const fn = this.lacksDepth(head, term.fn) ? this.named(head, "fn", term.fn, out) : head;
    const { module, typing } = this.context;
    const type = typing.of(term.fn);
    if (type.kind !== "fn" && type.kind !== "linear")
      throw new InternalError("emit", "what is applied is not a function");
    const { depth } = this.frame;
    const isDeep = depth.kind === "deep" && module.convention.typeCycleOf(type) === depth.cycle;
    const deepest = isDeep ? ts.number(Infinity) : depthArgument(depth, module.refer);
    const call = ts.callOf(fn, arg, ...(module.convention.typeTakesDepth(type) ? [deepest] : []));
    return type.kind === "linear" ? this.counted("countBackpropagator", call) : delegated(term, call, this);
  }

  #conditional(term: Term & { readonly kind: "if" }, hint: string, out: TsStmt[]): TsExpr {
    const { facts } = this.context;
    if (!this.sizes.isConditional(term)) return this.temporary(term, hint, out);
    const inside: TsStmt[] = [];
    const test = this.expression(term.cond, inside, "test");
    if (test.kind === "boolean") return this.expression(test.value ? term.then : term.else, out, hint);
    const then = facts.withNumbers(facts.shownBy(term.cond), () => this.expression(term.then, inside, hint));
    const otherwise = this.expression(term.else, inside, hint);
    return inside.length === 0 ? simplifiedConditional(test, then, otherwise) : this.#inStatements(term, hint, out);
  }

  #caseExpression(term: Term & { readonly kind: "case" }, hint: string, out: TsStmt[]): TsExpr {
    const record = openRecord(term, this, out);
    if (record !== null) return this.expression(record, out, hint);
    const { facts, variables } = this.context;
    const variable = term.scrutinee.kind === "var" ? term.scrutinee.name : null;
    if (variable === null || !this.sizes.isConditional(term) || facts.constructorOf(variable) !== null) {
      return this.#inStatements(term, hint, out);
    }
    const scrutinee = this.variable(variable);
    if (scrutinee.kind !== "id") return this.#inStatements(term, hint, out);
    const inside: TsStmt[] = [];
    const [then = ts.number(0), otherwise = ts.number(0)] = term.branches.map((branch) => {
      const layout = this.context.module.layouts.of(term.data, branch.con);
      branch.vars.forEach((name, index) => {
        variables.set(name, fieldOf(scrutinee, layout, index));
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
    this.sizes.forbid(term);
    return this.temporary(term, hint, out);
  }
}
