// Records: data types whose fields have names. A field's name decides the type of the record where one type in scope has it; where several
// have it, the answer waits until the group of definitions around is inferred.

import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { Context, Expected } from "./context.js";
import type { Infer } from "./infer-apply.js";
import type { Reason, Subject } from "./mistakes.js";
import { subjectOf } from "./subject.js";
import { suggest } from "./suggest.js";
import { type ConstructorInfo, type DataInfo, type FieldName, type Ty, holeTy, prune } from "./ty.js";

type Of<K extends Tree.Expr["kind"]> = Extract<Tree.Expr, { kind: K }>;

/** A constructor with its fields' names. */
export interface NamedFields {
  readonly info: ConstructorInfo;
  readonly names: readonly FieldName[];
}

/** The constructor of record syntax; a mistake where it does not exist or its fields have no names. */
export function recordConstructor(cx: Context, name: Tree.Ident): NamedFields | null {
  const info = cx.constructorNamed(name);
  if (info === null) return null;
  if (info.fieldNames !== null) return { info, names: info.fieldNames };
  const { fields, span } = info;
  cx.mistakes.push({ kind: "fieldsWithoutNames", ...name, fields: fields.length, isAccess: false, declared: span });
  return null;
}

/** The position of each given field; -1, and a mistake, for one that does not exist or is given before. */
export function fieldPositions(cx: Context, { info, names }: NamedFields, given: readonly Tree.Ident[]): number[] {
  const first = new Map<string, Span>();
  return given.map(({ name, span }) => {
    const earlier = first.get(name);
    if (earlier !== undefined) {
      cx.mistakes.push({ kind: "duplicate", what: "given field", name, span, first: earlier });
      return -1;
    }
    first.set(name, span);
    const position = names.findIndex((field) => field.name === name);
    if (position === -1) reportUnknownField(cx, { name, span }, info);
    return position;
  });
}

function reportUnknownField(cx: Context, { name, span }: Tree.Ident, info: ConstructorInfo): void {
  const fields = (info.fieldNames ?? []).map((field) => field.name);
  const owner = { name: info.name, fields, declared: info.span };
  const suggestions = suggest(name, fields);
  const others = cx.typesWithFields([name]).filter((data) => data !== info.data);
  cx.mistakes.push({
    kind: "unknownField",
    name,
    span,
    owner,
    suggestions,
    others: others.map((data) => data.name),
  });
}

/** `Camera { focal = 2, .. }`. */
export function inferRecord(cx: Context, expr: Of<"record">, expected: Expected | null, infer: Infer): Ty {
  const record = recordConstructor(cx, expr.name);
  if (record === null) {
    for (const { value } of expr.fields) infer(cx, value, null);
    return cx.settle(expr, holeTy, expected, subjectOf(expr));
  }
  const { info, names } = record;
  cx.constructors.set(expr, info);
  const { fields, result } = cx.constructorAt(info);
  const type = cx.settle(expr, result, expected, { kind: "name", name: info.name });
  const positions = fieldPositions(
    cx,
    record,
    expr.fields.map((field) => field.name),
  );
  for (const [i, { value, name }] of expr.fields.entries()) {
    const position = positions[i] ?? -1;
    infer(cx, value, { type: fields[position] ?? holeTy, reason: valueReason(name.name, info, position) });
  }
  const missing = names.flatMap(({ name }, i) => (positions.includes(i) ? [] : [{ name, type: fields[i] ?? holeTy }]));
  // A name that is misspelt is not missing as well
  if (missing.length > 0 && !positions.includes(-1)) {
    const shown = cx.snapshot();
    cx.mistakes.push({
      kind: "missingFields",
      constructor: info.name,
      span: expr.name.span,
      missing: missing.map((field) => ({ name: field.name, type: shown.type(field.type) })),
      declared: info.span,
    });
  }
  return type;
}

function valueReason(name: string, info: ConstructorInfo, position: number): Reason {
  return { kind: "namedField", name, constructor: info.name, declared: info.fieldNames?.[position]?.span ?? info.span };
}

/** `record.name`. */
export function inferField(cx: Context, expr: Of<"field">, expected: Expected | null, infer: Infer): Ty {
  const record = infer(cx, expr.record, null);
  const subject = subjectOf(expr);
  const use: FieldUse = {
    names: [expr.name],
    record,
    recordSpan: expr.record.span,
    subject: subjectOf(expr.record),
    isUpdate: false,
  };
  const found = ownerOf(cx, use, false);
  if (found !== "open") {
    if (found === null) return cx.settle(expr, holeTy, expected, subject);
    cx.constructors.set(expr, found);
    return cx.settle(expr, fieldOf(cx, found, record, expr.name.name), expected, subject);
  }
  const result = cx.unifier.fresh();
  cx.postponed.push({
    record,
    dependent: [result],
    settle: (isLast) => {
      const owner = ownerOf(cx, use, isLast);
      if (owner === "open") return false;
      if (owner !== null) cx.constructors.set(expr, owner);
      const type = owner === null ? holeTy : fieldOf(cx, owner, record, expr.name.name);
      cx.expect(expr.span, type, { type: result, reason: { kind: "use" } }, subject);
      return true;
    },
  });
  return cx.settle(expr, result, expected, subject);
}

/** `{ record | focal = 2, .. }`: of the record's own type. */
export function inferUpdate(cx: Context, expr: Of<"update">, expected: Expected | null, infer: Infer): Ty {
  const record = infer(cx, expr.record, expected);
  const names = expr.fields.map((field) => field.name);
  const use: FieldUse = {
    names,
    record,
    recordSpan: expr.record.span,
    subject: subjectOf(expr.record),
    isUpdate: true,
  };
  const found = ownerOf(cx, use, false);
  if (found === "open") {
    const values = expr.fields.map(({ value }) => infer(cx, value, null));
    cx.postponed.push({
      record,
      dependent: values,
      settle: (isLast) => {
        const owner = ownerOf(cx, use, isLast);
        if (owner === "open") return false;
        const wanted = expectedValues(cx, expr, record, owner);
        for (const [i, { value }] of expr.fields.entries()) {
          cx.expect(value.span, values[i] ?? holeTy, wanted[i] ?? noExpectation, subjectOf(value));
        }
        return true;
      },
    });
  } else {
    const wanted = expectedValues(cx, expr, record, found);
    for (const [i, { value }] of expr.fields.entries()) infer(cx, value, wanted[i] ?? noExpectation);
  }
  return cx.settle(expr, record, null, subjectOf(expr));
}

const noExpectation: Expected = { type: holeTy, reason: { kind: "use" } };

function expectedValues(
  cx: Context,
  expr: Of<"update">,
  record: Ty,
  owner: ConstructorInfo | null,
): readonly Expected[] {
  if (owner?.fieldNames == null) return expr.fields.map(() => noExpectation);
  cx.constructors.set(expr, owner);
  const names = expr.fields.map((field) => field.name);
  const positions = fieldPositions(cx, { info: owner, names: owner.fieldNames }, names);
  const type = prune(record);
  const fields = type.kind === "data" ? cx.fieldsAt(owner, type.args) : [];
  return expr.fields.map(({ name }, i) => {
    const position = positions[i] ?? -1;
    return { type: fields[position] ?? holeTy, reason: valueReason(name.name, owner, position) };
  });
}

function fieldOf(cx: Context, info: ConstructorInfo, record: Ty, name: string): Ty {
  const type = prune(record);
  const position = info.fieldNames?.findIndex((field) => field.name === name) ?? -1;
  return type.kind === "data" ? (cx.fieldsAt(info, type.args)[position] ?? holeTy) : holeTy;
}

interface FieldUse {
  readonly names: readonly Tree.Ident[];
  readonly record: Ty;
  readonly recordSpan: Span;
  readonly subject: Subject;
  readonly isUpdate: boolean;
}

/**
 * The constructor whose fields are meant: that of the record's type where it is known, else that of the one type in scope with such fields.
 * Null, and a mistake, where there is none; "open" where it cannot be told yet.
 */
function ownerOf(cx: Context, use: FieldUse, isLast: boolean): ConstructorInfo | "open" | null {
  const [name] = use.names;
  if (name === undefined) return null;
  const type = prune(use.record);
  switch (type.kind) {
    case "hole":
      return null;
    case "data":
      return ownerIn(cx, use, name, type.data);
    case "variable":
      if (type.rigid !== null || type.constraint !== "any") break;
      return ownerByName(cx, use, name, isLast);
    default:
      break;
  }
  const others = cx.typesWithFields([name.name]).map((data) => data.name);
  const isFunction = cx.scope.fieldsLikeFunctions.has(name);
  const { recordSpan: record, subject } = use;
  // `p.x + p.y` of one tuple is one mistake
  const isKnown = type.kind === "tuple" && subject.kind === "name" && !cx.isFirst(`a field of ${subject.name}`);
  if (!isKnown)
    cx.mistakes.push({
      kind: "noFields",
      ...name,
      isFunction,
      record,
      subject,
      type: cx.show(type),
      others,
      repair: null,
    });
  return null;
}

function ownerIn(cx: Context, { names, isUpdate }: FieldUse, name: Tree.Ident, data: DataInfo): ConstructorInfo | null {
  const [only, ...others] = data.constructors;
  if (only === undefined) return null;
  if (others.length > 0) {
    const constructors = data.constructors.map((constructor) => ({
      name: constructor.name,
      fields: constructor.fields.length,
      hasField: constructor.fieldNames?.some((field) => field.name === name.name) ?? false,
    }));
    cx.mistakes.push({ kind: "fieldOfVariants", ...name, type: data.name, constructors, isUpdate });
    return null;
  }
  if (only.fieldNames === null) {
    const { fields, span } = only;
    cx.mistakes.push({
      kind: "fieldsWithoutNames",
      name: only.name,
      span: name.span,
      fields: fields.length,
      isAccess: true,
      declared: span,
    });
    return null;
  }
  // The fields of an update are looked up together
  if (!isUpdate && !only.fieldNames.some((field) => field.name === name.name)) {
    reportUnknownField(cx, name, only);
    return null;
  }
  return names.length === 0 ? null : only;
}

function ownerByName(cx: Context, use: FieldUse, name: Tree.Ident, isLast: boolean): ConstructorInfo | "open" | null {
  const all = cx.typesWithFields(use.names.map((field) => field.name));
  const candidates = all.filter((data) => data.constructors.length === 1);
  const [data, ...others] = candidates;
  if (others.length > 0) {
    if (!isLast) return "open";
    const types = candidates.map((candidate) => candidate.name);
    cx.mistakes.push({ kind: "ambiguousField", ...name, record: use.recordSpan, subject: use.subject, types });
    return null;
  }
  const owner = data ?? all[0] ?? cx.typesWithFields([name.name])[0];
  if (owner === undefined) {
    const suggestions = suggest(name.name, cx.fieldNames());
    cx.mistakes.push({ kind: "unknownField", ...name, owner: null, suggestions, others: [] });
    return null;
  }
  const found = ownerIn(cx, use, name, owner);
  if (found !== null) cx.unifier.unify(use.record, cx.constructorAt(found).result);
  return found;
}

/**
 * Looks again at what waits for the type of a record, when everything about the variables deeper than `level` is known: what is still
 * unknown about them stays so. What goes on waiting is decided outside, so that the binding just left may not quantify it.
 */
export function settlePostponed(cx: Context, level: number): void {
  const attempt = (isLast: (record: Ty) => boolean): boolean => {
    let progress = false;
    for (const entry of cx.postponed.splice(0)) {
      if (entry.settle(isLast(entry.record))) progress = true;
      else cx.postponed.push(entry);
    }
    return progress;
  };
  while (cx.postponed.length > 0 && attempt(() => false));
  attempt((record) => {
    const type = prune(record);
    return level === 0 || (type.kind === "variable" && type.level > level);
  });
  for (const { dependent } of cx.postponed) for (const type of dependent) cx.unifier.keepOutside(type, level);
}
