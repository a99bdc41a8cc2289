// Patterns: the variables they bind get their types.

import { sketchPattern } from "../syntax/sketch.js";
import type * as Tree from "../syntax/tree.js";
import type { Context, Expected } from "./context.js";
import { fieldPositions, recordConstructor } from "./infer-records.js";
import { type Ty, boolTy, holeTy, intTy, prune } from "./ty.js";

/** The type of what the pattern matches. */
export function inferPattern(cx: Context, pattern: Tree.Pattern, expected: Expected | null): Ty {
  return cx.nested("pattern", pattern.span, () => inferInside(cx, pattern, expected), holeTy);
}

function inferInside(cx: Context, pattern: Tree.Pattern, expected: Expected | null): Ty {
  const subject = { kind: "pattern" } as const;
  switch (pattern.kind) {
    case "variable": {
      const type = expected?.type ?? cx.unifier.fresh();
      const symbol = cx.scope.locals.get(pattern.name);
      if (symbol !== undefined) symbol.type = type;
      return cx.settle(pattern, type, null, subject);
    }
    case "wildcard":
      return cx.settle(pattern, expected?.type ?? cx.unifier.fresh(), null, subject);
    case "tuple": {
      const shape = pattern.items.map(() => cx.unifier.fresh());
      const type = cx.settle(pattern, { kind: "tuple", items: shape }, expected, subject);
      for (const [i, item] of pattern.items.entries()) {
        inferPattern(cx, item, { type: shape[i] ?? holeTy, reason: expected?.reason ?? { kind: "parameter" } });
      }
      return type;
    }
    case "constructor":
      return inferConstructor(cx, pattern, expected);
    case "record":
      return inferRecord(cx, pattern, expected);
    case "integer":
      if (!Number.isSafeInteger(Number(pattern.text))) {
        cx.mistakes.push({ kind: "integerRange", text: pattern.text, span: pattern.span });
      }
      return cx.settle(pattern, intTy, expected, { kind: "literal", text: pattern.text });
    case "boolean":
      return cx.settle(pattern, boolTy, expected, { kind: "literal", text: String(pattern.value) });
    case "ascribed": {
      const type = cx.annotation(pattern.type);
      const reason = { kind: "annotation", span: pattern.type.span, name: null } as const;
      cx.settle(pattern, type, expected, subject);
      return inferPattern(cx, pattern.pattern, { type, reason });
    }
  }
}

function inferConstructor(
  cx: Context,
  pattern: Extract<Tree.Pattern, { kind: "constructor" }>,
  expected: Expected | null,
): Ty {
  const { name, args } = pattern;
  const info = cx.constructorNamed(name);
  if (info === null) {
    for (const arg of args) inferPattern(cx, arg, { type: holeTy, reason: { kind: "parameter" } });
    return cx.settle(pattern, holeTy, expected, { kind: "pattern" });
  }
  cx.constructors.set(pattern, info);
  const { fields, result } = cx.constructorAt(info);
  const type = cx.settle(pattern, result, expected, { kind: "pattern" });
  const meant = args.length === fields.length ? args : (regrouped(args, fields) ?? args);
  if (fields.length !== args.length) {
    const arity = { fields: fields.length, args: args.length, declared: info.span };
    const text = meant === args ? null : sketchPattern({ ...pattern, args: meant });
    cx.mistakes.push({ kind: "constructorArity", name: name.name, span: pattern.span, ...arity, text });
  }
  for (const [i, arg] of meant.entries()) {
    const reason = { kind: "field", constructor: name.name, position: i + 1, declared: info.span } as const;
    inferPattern(cx, arg, { type: fields.length === meant.length ? (fields[i] ?? holeTy) : holeTy, reason });
  }
  return type;
}

/** `C x y` as `C (x, y)` where the last field is a tuple, and the other way round; null where neither fits. */
function regrouped(args: readonly Tree.Pattern[], fields: readonly Ty[]): readonly Tree.Pattern[] | null {
  const own = args.slice(0, fields.length - 1);
  const items = args.slice(fields.length - 1);
  const [first] = items;
  const last = fields.at(-1);
  const type = last === undefined ? null : prune(last);
  if (first !== undefined && type?.kind === "tuple" && type.items.length === items.length && items.length > 1)
    return [...own, { kind: "tuple", items, span: { ...first.span, end: items.at(-1)?.span.end ?? first.span.end } }];
  const spread = args.flatMap((arg) => (arg.kind === "tuple" ? arg.items : [arg]));
  return spread.length === fields.length ? spread : null;
}

/** `Camera { focal = f, rotation }`: some of the fields. */
function inferRecord(cx: Context, pattern: Extract<Tree.Pattern, { kind: "record" }>, expected: Expected | null): Ty {
  const record = recordConstructor(cx, pattern.name);
  if (record === null) {
    for (const field of pattern.fields)
      inferPattern(cx, field.pattern, { type: holeTy, reason: { kind: "parameter" } });
    return cx.settle(pattern, holeTy, expected, { kind: "pattern" });
  }
  const { info, names } = record;
  cx.constructors.set(pattern, info);
  const { fields, result } = cx.constructorAt(info);
  const type = cx.settle(pattern, result, expected, { kind: "pattern" });
  const given = pattern.fields.map((field) => field.name);
  const positions = fieldPositions(cx, record, given);
  for (const [i, field] of pattern.fields.entries()) {
    const position = positions[i] ?? -1;
    const declared = names[position]?.span ?? info.span;
    const reason = { kind: "namedField", name: field.name.name, constructor: info.name, declared } as const;
    inferPattern(cx, field.pattern, { type: fields[position] ?? holeTy, reason });
  }
  return type;
}
