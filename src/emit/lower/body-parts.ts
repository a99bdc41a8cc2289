// What is at hand wherever terms become TypeScript: the frame that is written, names, types, counters.

import { InternalError } from "../../internal-error.js";
import type { Term } from "../../target-calculus/term.js";
import type { Type } from "../../target-calculus/type.js";
import { ExpressionSize } from "./expression-size.js";
import type { DefinitionContext, Frame, FunctionLowering } from "./frame.js";
import * as ts from "../../typescript/build.js";
import { needsType } from "../../typescript/facts.js";
import type { TsExpr, TsStmt, TsType } from "../../typescript/tree.js";

export abstract class BodyParts {
  readonly context: DefinitionContext;
  readonly frame: Frame;
  protected readonly functions: FunctionLowering;
  protected readonly sizes: ExpressionSize;

  constructor(context: DefinitionContext, frame: Frame, functions: FunctionLowering) {
    this.context = context;
    this.frame = frame;
    this.functions = functions;
    this.sizes = new ExpressionSize(context.occurrences, (data) => context.module.layouts.isRecord(data));
  }

  protected variable(name: string): TsExpr {
    const value = this.context.variables.get(name);
    if (value === undefined) throw new InternalError("emit", `the variable ${name} is not in scope`);
    return value;
  }

  /** A constant for a value: that of `term`. */
  named(value: TsExpr, hint: string, term: Term, out: TsStmt[]): TsExpr {
    const name = this.fresh(hint);
    const isTyped = needsType(value) || this.lacksDepth(value, term);
    out.push(ts.constant(name, isTyped ? this.typeOf(term) : null, value));
    return ts.id(name);
  }

  /** Whether a function is written without the depth that functions of its type are given. */
  protected lacksDepth(value: TsExpr, term: Term): boolean {
    const type = this.context.typing.of(term);
    if (type.kind !== "fn" && type.kind !== "linear") return false;
    if (value.kind === "arrow" ? value.params.length > 1 : value.kind !== "cond") return false;
    return this.context.module.convention.typeTakesDepth(type);
  }

  protected counted(counter: string, value: TsExpr): TsExpr {
    const { counted, refer } = this.context.module;
    if (!counted) return value;
    const isLiteral = value.kind === "number" || value.kind === "boolean";
    // Of a literal's own type, TypeScript would not have it compared with another literal
    const wide: TsExpr = isLiteral ? { kind: "as", expr: value, type: ts.typeName(value.kind) } : value;
    return ts.callOf(refer(`cost.${counter}`), wide);
  }

  protected fresh(hint: string): string {
    return this.frame.scope.fresh(hint);
  }

  protected typeOf(term: Term): TsType {
    return this.lowerType(this.context.typing.of(term));
  }

  protected lowerType(type: Type): TsType {
    return this.context.module.types.lower(type);
  }
}
