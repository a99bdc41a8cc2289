// `build` and `sum`.

import { int } from "../../core/type.js";
import type { Term } from "../../target-calculus/term.js";
import type { BodyWriter, Destination, FunctionLowering } from "./frame.js";
import { counting, emptyArray, isPath, lowerSize } from "./lower-arrays.js";
import { monoidsOf } from "./lower-monoids.js";
import * as ts from "../../typescript/build.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import { plainType } from "./typing.js";

type Loop = Term & { readonly kind: "build" | "sum" };

/** Fills an array in the order of its elements. `deliver` sends it on, where it does not have the name of its destination. */
export function build(
  term: Term & { readonly kind: "build" },
  destination: Destination,
  writer: BodyWriter,
  out: TsStmt[],
  deliver: (array: TsExpr) => void,
): void {
  const { module } = writer.context;
  const element = plainType(term.element);
  const size = lowerSize(term.size, writer.expression(term.size, out, "size"), term.site, module.refer);
  const isNew = destination.kind === "declare";
  const name = isNew ? destination.name : writer.frame.scope.fresh("array");
  const { type, value } = emptyArray(element, module.types.lower(element), size);
  out.push(ts.constant(name, type, value));
  // Memory is zero at the start; what is impossible is not there to be filled in
  const isZero = term.body.kind === "real" && Object.is(term.body.value, 0) && element.kind === "real";
  if (!isZero && term.body.kind !== "impossible") {
    const index = enterLoop(term, writer);
    const body = writer.block(term.body, { kind: "store", array: name, index });
    out.push(counting(index, ts.member(ts.id(name), "length"), body));
  }
  if (!isNew) deliver(ts.id(name));
}

/** One term of a monoid after the other: computations as statements, others by a function of the runtime. */
export function sum(
  term: Term & { readonly kind: "sum" },
  hint: string,
  writer: BodyWriter,
  functions: FunctionLowering,
  out: TsStmt[],
): TsExpr {
  const { context, frame } = writer;
  const size = writer.expression(term.size, out, "size");
  if (term.type.kind !== "computation") {
    const each = { kind: "linLam", param: term.index, type: int, body: term.body } as const;
    const { stage, refer } = context.module;
    return monoidsOf(stage, refer).sum(term.type, size, functions.lambda(each, context, frame));
  }
  const end = size.kind === "number" || isPath(size) ? size : writer.named(size, hint, term.size, out);
  const index = enterLoop(term, writer);
  out.push(counting(index, end, writer.block(term.body, { kind: "discard" })));
  return { kind: "null" };
}

/** Gives a loop's index its name. */
function enterLoop({ index }: Loop, { context, frame }: BodyWriter): string {
  const name = frame.scope.fresh(index);
  context.variables.set(index, ts.id(name));
  return name;
}
