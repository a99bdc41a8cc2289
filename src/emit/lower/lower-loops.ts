// `build`, `scan` and `sum`.

import { int } from "../../core/type.js";
import type { Term } from "../../target-calculus/term.js";
import type { BodyWriter, Destination, FunctionLowering } from "./frame.js";
import { counting, emptyArray, isPath, lowerSize } from "./lower-arrays.js";
import { monoidsOf } from "./lower-monoids.js";
import * as ts from "../../typescript/build.js";
import { isPure, reads } from "../../typescript/facts.js";
import { capitalised } from "../../typescript/naming.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import { plainType } from "./typing.js";

type Loop = Term & { readonly kind: "build" | "scan" | "sum" };

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

/** Fills an array in the order of its elements, and carries a value along: the last one, and the array. */
export function scan(term: Term & { readonly kind: "scan" }, writer: BodyWriter, out: TsStmt[]): TsExpr {
  const { context, frame } = writer;
  const { types, refer } = context.module;
  const [given = ts.number(0), start = ts.number(0)] = writer.expressions([term.size, term.start], ["size", term.carried], out); // prettier-ignore
  const size = isPure(given) ? given : writer.named(given, "size", term.size, out);
  const [type, element] = [plainType(term.type), plainType(term.element)];
  // A function that captures it has its own, and TypeScript does not infer one type from the other in a circle
  const isWide = type.kind === "data" || type.kind === "bool";
  const isCopied = isWide || context.occurrences.of(term.carried).captured;
  const name = frame.scope.fresh(isCopied ? `next${capitalised(term.carried)}` : term.carried);
  out.push({ kind: "let", name, type: types.lower(type), init: start });
  const array = frame.scope.fresh("array");
  const empty = emptyArray(element, types.lower(element), lowerSize(term.size, size, term.site, refer));
  out.push(ts.constant(array, empty.type, empty.value));
  const index = enterLoop(term, writer);
  const copy = isCopied ? frame.scope.fresh(term.carried) : name;
  context.variables.set(term.carried, ts.id(copy));
  const own: TsExpr = isWide ? { kind: "as", expr: ts.id(name), type: types.lower(type) } : ts.id(name);
  const body = writer.block(term.body, { kind: "carry", name, array, index });
  out.push(counting(index, ts.member(ts.id(array), "length"), [...(isCopied ? [ts.constant(copy, null, own)] : []), ...body])); // prettier-ignore
  return { kind: "array", items: [ts.id(name), ts.id(array)] };
}

/** Sends on what an iteration of `scan` gives, a pair: in the order of its parts, but that the element may be made of what was carried before. */
export function carryOn(
  term: Term,
  value: TsExpr,
  { name, array, index }: Extract<Destination, { readonly kind: "carry" }>,
  writer: BodyWriter,
  out: TsStmt[],
): void {
  const [first, second] = value.kind === "array" ? value.items : [];
  const isApart = first !== undefined && second !== undefined && (!reads(second, name) || isPure(first) || isPure(second)); // prettier-ignore
  const pair = isApart || isPath(value) ? value : writer.named(value, "pair", term, out);
  const [next, item] = isApart ? [first, second] : [ts.index(pair, 0), ts.index(pair, 1)];
  const target: TsExpr = { kind: "index", object: ts.id(array), index: ts.id(index), certain: false };
  const [carry, store] = [ts.assigned(name, next), ts.assign(target, item)];
  out.push(...(reads(item, name) ? [store, carry] : [carry, store]));
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
