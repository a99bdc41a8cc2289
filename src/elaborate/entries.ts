// Which definitions a module exports, and how their parameters look from TypeScript.

import type { Span } from "../syntax/source.js";
import type { Binding, Pattern } from "../types/typed.js";
import type { EntryMistake, EntryPart } from "./mistakes.js";
import { Names } from "../core/names.js";
import type { Entry, EntryParam } from "../core/term.js";
import { mapTypeParts, substitute, type DataTypes } from "../core/type-parts.js";
import { FunctionSearch } from "./function-search.js";
import type { Type } from "../core/type.js";
import * as b from "../core/build.js";
import { withParameters } from "./parameters.js";

/** A definition that can be exported, at the instance that is: numeric type parameters at R. */
export interface Exported {
  readonly binding: Binding;
  readonly typeArgs: readonly Type[];
}

/** The definition as an entry, or why it cannot be one. */
function exportOf(binding: Binding, functions: FunctionSearch): Exported | EntryMistake {
  const { name, typeParams, nameSpan: span } = binding;
  const open = typeParams.filter(({ numeric }) => !numeric).map((param) => param.name);
  if (open.length > 0) return { kind: "polymorphicEntry", name, type: typeOfBinding(binding), typeVars: open, span };
  const at = new Map(typeParams.map((param) => [param.name, b.real]));
  const parts: readonly { part: EntryPart; type: Type; partSpan: Span | null }[] = [
    ...binding.params.flatMap((param, index) =>
      components(param).map((pattern) => {
        const called = pattern.kind === "variable" ? pattern.name : null;
        return {
          part: { kind: "parameter", position: index + 1, name: called } as const,
          type: pattern.type,
          partSpan: pattern.span,
        };
      }),
    ),
    { part: { kind: "result" }, type: binding.result, partSpan: null },
  ];
  for (const { part, type, partSpan } of parts) {
    const found = functions.firstIn(substitute(type, at));
    if (found !== null) {
      return { kind: "notFirstOrder", name, part, type: substitute(type, at), path: found.path, function: found.type, span, partSpan }; // prettier-ignore
    }
  }
  return { binding, typeArgs: typeParams.map(() => b.real) };
}

/** Gives a definition whose value is a function its parameters, where it can be exported with them. */
export function exportableForm(data: DataTypes, paramsOf: (name: string) => number): (binding: Binding) => Binding {
  const functions = new FunctionSearch(data);
  return (binding) => {
    if (binding.result.kind !== "fn") return binding;
    const form = withParameters(binding, paramsOf);
    return "binding" in exportOf(form, functions) ? form : binding;
  };
}

function typeOfBinding({ params, result }: Binding): Type {
  return params.reduceRight((to, { type }) => b.fnType(type, to), result);
}

/** What the users of the module see of an entry. */
export function entryOf({ binding }: Exported): Entry {
  const written = binding.params.flatMap(components);
  const names = new Names(written.flatMap((pattern) => (pattern.kind === "variable" ? [pattern.name] : [])));
  let position = 0;
  const shape = (pattern: Pattern): EntryParam => {
    if (pattern.kind === "tuple") return { kind: "tuple", items: pattern.items.map(shape) };
    position += 1;
    const name = pattern.kind === "variable" ? pattern.name : names.fresh(`arg${position}`);
    return { kind: "named", name, type: closed(pattern.type) };
  };
  return {
    name: binding.name,
    doc: binding.doc,
    params: binding.params.map(shape),
    result: closed(binding.result),
    resultAlias: "",
  };
}

/** A type of an exported definition: the variables that are left in it are numeric and stand for R. */
function closed(type: Type): Type {
  return type.kind === "typeVar" ? b.real : mapTypeParts(type, closed);
}

/** What counts as one parameter: a pattern, or each component of a tuple of patterns. */
function components(pattern: Pattern): readonly Exclude<Pattern, { readonly kind: "tuple" }>[] {
  return pattern.kind === "tuple" ? pattern.items.flatMap(components) : [pattern];
}

/** What a file can export: its own definitions, and on request those that it imports by name. */
export interface Exportable {
  readonly file: string;
  readonly own: readonly Binding[];
  readonly imported: readonly Binding[];
}

/** The definitions that a request names, in its order, or all of the file's own; and what stands in the way of the others. */
export function chooseEntries(
  { file, own, imported }: Exportable,
  requested: readonly string[] | null,
  data: DataTypes,
): { readonly exported: readonly Exported[]; readonly mistakes: readonly EntryMistake[] } {
  const all = requested === null ? own : [...own, ...imported];
  const known = all.map(({ name }) => name);
  // What is the caller's own is exported only where that is asked for
  const usual = all.filter(({ extern }) => extern === null).map(({ name }) => name);
  const start: Span = { file, start: 0, end: 0 };
  const functions = new FunctionSearch(data);
  const outcomes = [...new Set(requested ?? usual)].map((name): Exported | EntryMistake => {
    const binding = all.find((other) => other.name === name);
    return binding === undefined ? { kind: "unknownEntry", name, known, span: start } : exportOf(binding, functions);
  });
  const exported: Exported[] = [];
  const mistakes: EntryMistake[] = [];
  for (const outcome of outcomes) {
    if ("binding" in outcome) exported.push(outcome);
    else mistakes.push(outcome);
  }
  return { exported, mistakes };
}
